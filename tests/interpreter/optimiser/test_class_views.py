"""Small programs whose questions about cards become questions about classes, or must not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from interpreter.optimiser.class_program import over_classes
from interpreter.optimiser.class_views import Kinds, MoveClasses, with_class_views
from interpreter.optimiser.kept_cards import choose
from ruleset.table import nodes as t
from ruleset.table.nodes import Stmt, TableProgram
from ruleset.table.traversal import everything
from tests.interpreter import compilers
from tests.interpreter.many_beside import same_many
from tests.interpreter.optimiser.test_identity import OTHER, SLOTS, A, B, Table
from tests.interpreter.programs_builder import c, numbers, op, tree, v

pytestmark = compilers.needs_compiler


def asking(game: Table, options: t.List, *begin: Stmt, then: Sequence[Stmt] = ()) -> TableProgram:
    """Asks which of some cards counts."""
    start, asks, answered = game.b.reserve(3)
    first = (t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), game.draw(4, game.row), *begin)
    ask = t.Ask(game.site, numbers(0), B, options, c(1), c(1), answered, 9)
    body = (t.SetLocal(A, t.First(t.Answer(c(0)))), t.CloseDecisions(), game.add(t.Table(game.values, v(A))))
    trees = {start: tree(*first, t.Goto(asks)), asks: tree(ask), answered: tree(*body, *then, t.Finish())}
    return game.b.build(game.b.procedure(SLOTS, trees, start))


def equal_in_an_order() -> TableProgram:
    """Equal cards of a row are different options, beside those of a hand."""
    game = Table()
    return asking(game, t.Concat(t.Cards(c(game.row)), t.Cards(c(game.hand))))


def kinds(zone: str) -> TableProgram:
    """One card of each kind is offered: in a row in the order of their first cards."""
    game = Table()
    return asking(game, t.Distinct(t.Cards(c(getattr(game, zone))), 21, t.Table(game.values, v(21))))


def one_of_each_moves() -> TableProgram:
    """One card of each kind leaves a hand."""
    game = Table()
    each = t.Distinct(t.Cards(c(game.hand)), 21, t.Table(game.values, v(21)))
    moved = t.Move(each, c(game.trash), False, None, 5)
    return game.program(game.draw(2, game.hand), moved, game.add(t.Count(t.Cards(c(game.trash)))))


def into_an_order() -> TableProgram:
    """The cards of a hand go to a row in the order of the hand, and one draws from the row."""
    game = Table()
    moved = t.Move(game.dear(game.hand), c(game.row), False, None, 5)
    dear = t.Move(t.Filter(t.Cards(c(game.hand)), 21, game.above(0)), c(game.row), False, None, 5)
    drawn = game.draw(1, game.trash, source=game.row)
    return game.program(game.draw(3, game.hand), dear, moved, drawn, game.add(game.total(game.values, game.trash)))


def home_from_elsewhere() -> TableProgram:
    """No card of a hand goes home, since only those of a row should; then all go."""
    game = Table()
    homes = game.b.table(*(game.trash,) * 8)
    sent = [t.SendHome(t.Cards(c(game.hand)), homes, place, 5) for place in (c(game.row), None)]
    count = game.add(t.Count(t.Cards(c(game.trash))))
    return game.program(sent[0], count, sent[1], count)


def other_members_in_each_game() -> TableProgram:
    """A list of the state has other members in each game when it is asked about."""
    game = Table()
    known, worth = game.b.state_list(3), game.b.table(0, 1, 1, 0, 1, 1, 1)
    some = t.Total(
        t.Filter(t.CellList(c(known)), 21, op(t.Table(worth, v(21)), ">", c(0))), 22, op(v(22), "+", c(1)), 7
    )
    total = game.total(game.values, game.hand)
    more = t.If(op(total, "<", c(7)), (t.Append(c(known), total, 3, 5),), ())
    first = (t.SetCells(c(known), t.Items((c(2),))), game.add(some), t.Append(c(known), c(1), 3, 5), game.add(some))
    return game.program(*first, more, game.add(op(some, "*", c(10))))


def members_after_an_answer() -> TableProgram:
    """The same, and it is asked about after an answer."""
    game = Table()
    known, worth = game.b.state_list(3), game.b.table(0, 1, 1, 0, 1, 1, 1)
    some = t.Count(t.Filter(t.CellList(c(known)), 21, op(t.Table(worth, v(21)), ">", c(0))))
    total = game.total(game.values, game.hand)
    more = t.If(op(total, "<", c(7)), (t.SetCells(c(known), t.Items((total,))),), ())
    return asking(game, t.Cards(c(game.hand)), more, then=[game.add(op(some, "*", c(100)))])


def remembered_before_an_answer() -> TableProgram:
    """A card of a hand is remembered, and some of a row; the answer is among them or not.

    Cards of face 0 stay interchangeable, so that the others have other numbers as classes than as cards.
    """
    game = Table()
    address = c(game.b.address(game.track))
    row, hand = (t.Filter(t.Cards(c(zone)), 21, game.above(0)) for zone in (game.row, game.hand))
    noted = (t.SetCells(c(game.noted), row), t.SetCell(address, t.First(hand)))
    among = game.add(op(t.Contains(t.CellList(c(game.noted)), v(A)), "*", c(100)))
    same = game.add(op(op(t.Cell(address), "==", v(A)), "*", c(1000)))
    return asking(game, t.Concat(row, hand), *noted, then=[among, same])


def worked_out_before_an_answer() -> TableProgram:
    """A number is worked out from a card before an answer, and the card from the number afterwards."""
    game = Table()
    number = t.SetLocal(OTHER, op(t.First(t.Cards(c(game.hand))), "*", c(2)))
    used = t.Table(game.values, op(v(OTHER), "//", c(2)))
    return asking(game, t.Cards(c(game.row)), number, then=[game.add(op(used, "*", c(100)))])


def of_two_bags() -> TableProgram:
    """Equal cards of two bags are different options."""
    game = Table()
    options = t.Concat(t.Cards(c(game.hand)), t.Cards(c(game.trash)))
    then = [t.MoveAll(c(game.trash), c(game.row), False, 5), game.move(A, game.discards)]
    return asking(game, options, game.draw(1, game.trash), then=then)


def failing_in_order(filtered: bool) -> TableProgram:
    """A question about a hand fails for two kinds of cards, each in its own way: the first card decides."""
    game = Table()
    cards = t.Cards(c(game.hand))
    worth = game.failing(v(21))
    asked = t.Count(t.Filter(cards, 21, op(worth, ">", c(0)))) if filtered else t.Total(cards, 21, worth, 7)
    return game.program(game.draw(1, game.hand), game.add(asked))


def programs() -> Iterator[tuple[str, TableProgram]]:
    """Iterate over the programs of this module, each with a name."""
    yield "equal cards in an order", equal_in_an_order()
    yield "kinds of a hand", kinds("hand")
    yield "kinds of a row", kinds("row")
    yield "one of each moves", one_of_each_moves()
    yield "into an order", into_an_order()
    yield "home from elsewhere", home_from_elsewhere()
    yield "other members in each game", other_members_in_each_game()
    yield "members after an answer", members_after_an_answer()
    yield "remembered before an answer", remembered_before_an_answer()
    yield "worked out before an answer", worked_out_before_an_answer()
    yield "of two bags", of_two_bags()


@pytest.mark.parametrize(("name", "program"), [*programs()], ids=[name for name, _ in programs()])
def test_views_play_the_same_games(name: str, program: TableProgram) -> None:
    assert same_many(program, 60, 7)["over"], name


@pytest.mark.parametrize("filtered", [False, True])
def test_questions_that_fail_are_asked_in_order(filtered: bool) -> None:
    assert same_many(failing_in_order(filtered), 60, 7)["zero-division"] > 30


def viewed(program: TableProgram) -> list[object]:
    """All nodes of the program that generated Python is written from."""
    chosen = choose(program)
    assert chosen.kept is not None, chosen.why_not
    views = with_class_views(over_classes(chosen.program, chosen.kept), chosen.kept)
    return list(everything((tuple(one.body for one in views.functions), tuple(one.tree for one in views.segments))))


def test_no_list_of_cards_is_left() -> None:
    for _, program in programs():
        assert not any(isinstance(node, t.Cards) for node in viewed(program))


def test_kinds_of_a_hand_are_a_set_and_those_of_a_row_are_not() -> None:
    assert any(isinstance(node, Kinds) for node in viewed(kinds("hand")))
    assert not any(isinstance(node, Kinds) for node in viewed(kinds("row")))


def test_only_whole_classes_move_as_classes() -> None:
    assert any(isinstance(node, MoveClasses) for node in viewed(into_an_order()))
    assert not any(isinstance(node, MoveClasses) for node in viewed(one_of_each_moves()))
