"""A small program for each way to observe which of equal cards is meant, or an order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest
from attrs import evolve

from interpreter.optimiser.kept_cards import Form, KeptCards, choose
from ruleset.table import nodes as t
from ruleset.table.nodes import Stmt, TableProgram
from tests.interpreter import compilers
from tests.interpreter.many_beside import same_many
from tests.interpreter.programs_builder import Builder, c, numbers, op, tree, v, vs
from tests.interpreter.programs_cards import card_program

pytestmark = compilers.needs_compiler

FACES = (0, 0, 0, 0, 1, 1, 1, 2)
A, B, OTHER, CARDS, MORE = 0, 1, 2, 3, 4
"""Slots: three numbers or cards, two lists of cards."""
SLOTS = (0, 0, 0, 20, 20)


class Table:
    """A shuffled deck from which three cards were drawn into a hand, and places for cards to go."""

    def __init__(self, faces: Sequence[int] = FACES, refill: bool = False, eager: bool = False) -> None:
        self.b = b = Builder(2, faces)
        self.deck = b.zone("pile", range(len(faces)), refill=2 if refill else -1, eager=eager)
        self.hand, self.discards, self.trash = b.zone("bag"), b.zone("pile"), b.zone("bag")
        self.row = b.zone("row")
        self.score = b.track(low=-999, high=999)
        self.by_card = b.track((0,) * len(faces))
        self.track = b.track((-1,), of="card")
        self.noted = b.state_list(8, of="card")
        self.lists = b.state_list(2, count=len(faces))
        self.values = b.table(*(3 * face for face in faces))
        self.own_values = b.table(*range(len(faces)))
        self.site = b.site("card")

    def last(self, slot: int, zone: int) -> Stmt:
        return t.SetLocal(slot, t.Last(t.Cards(c(zone))))

    def move(self, cards: t.Expr | t.List | int, to: int, bottom: bool = False) -> Stmt:
        one = v(cards) if isinstance(cards, int) else cards
        return t.Move(one if isinstance(one, t.List) else t.Items((one,)), c(to), bottom, None, 1)

    def add(self, amount: t.Expr) -> Stmt:
        return t.Change(self.score, c(0), amount, 2)

    def place(self, slot: int) -> t.Expr:
        return t.Cell(op(v(slot), "+", c(self.b.places)))

    def draw(self, count: int, to: int, slot: int | None = None, source: int | None = None) -> Stmt:
        return t.Draw(c(self.deck if source is None else source), c(count), c(to), False, slot, 3)

    def dear(self, zone: int, value: int = 0) -> t.List:
        slot = 20 + self.b.cells
        return t.Filter(t.Cards(c(zone)), slot, op(t.Table(self.values, v(slot)), "==", c(value)))

    def total(self, table: int, zone: int) -> t.Expr:
        return t.Total(t.Cards(c(zone)), 21, t.Table(table, v(21)), 4)

    def program(self, *body: Stmt) -> TableProgram:
        first = self.b.reserve(1)[0]
        begin = (t.Shuffle(c(self.deck), 0), self.draw(3, self.hand))
        return self.b.build(self.b.procedure(SLOTS, {first: tree(*begin, *body, t.Finish())}, first))


def kept(program: TableProgram) -> KeptCards:
    """How the cards of a program are kept, which plays the same games either way."""
    chosen = choose(program)
    assert chosen.kept is not None, chosen.why_not
    ends = same_many(program, 40, 7)
    assert ends["over"], ends
    return chosen.kept


Body = Callable[[Table], list[Stmt]]

OBSERVED: dict[str, tuple[str, Body]] = {
    "the place of a card that another reference moved": (
        "asks where a card is",
        lambda g: [g.last(A, g.hand), g.last(B, g.hand), g.move(A, g.trash), g.add(g.place(B))],
    ),
    "a card moved that another reference moved": (
        "moves a card that may have left",
        lambda g: [g.last(A, g.hand), g.last(B, g.hand), g.move(A, g.trash), g.move(B, g.discards)],
    ),
    "the same card in two variables": (
        "moves a card that may have left",
        lambda g: [
            g.last(A, g.hand),
            t.SetLocal(B, t.IfElse(op(t.Count(t.Cards(c(g.row))), "==", c(0)), v(A), v(A))),
            g.move(A, g.trash),
            g.move(B, g.discards),
        ],
    ),
    "two cards compared": (
        "compares one card with another",
        lambda g: [
            t.SetLocal(A, t.First(t.Cards(c(g.hand)))),
            g.last(B, g.hand),
            g.add(op(v(A), "==", v(B))),
        ],
    ),
    "a card searched in a list": (
        "looks for one card in a list of cards",
        lambda g: [
            t.SetLocal(A, t.First(t.Cards(c(g.hand)))),
            g.move(t.Last(t.Cards(c(g.hand))), g.trash),
            g.add(t.Contains(t.Cards(c(g.hand)), v(A))),
        ],
    ),
    "two lists compared": (
        "looks for one card in a list of cards",
        lambda g: [
            t.SetList(CARDS, t.Cards(c(g.hand))),
            g.draw(1, g.hand),
            g.add(t.Same(vs(CARDS), t.Take(t.Cards(c(g.hand)), c(3), False))),
        ],
    ),
    "a track of a card": (
        "keeps a value for each card",
        lambda g: [g.last(A, g.hand), t.Change(g.by_card, v(A), c(1), 5)],
    ),
    "a list of a card": (
        "keeps a value for each card",
        lambda g: [g.last(A, g.hand), t.Append(op(c(g.lists), "+", op(v(A), "*", c(3))), c(5), 2, 5)],
    ),
    "a card remembered in a track": (
        "remembers which card is meant",
        lambda g: [
            g.last(A, g.hand),
            t.Assign(g.track, c(0), v(A), 5),
            t.MoveAll(c(g.hand), c(g.row), False, 6),
            g.move(t.Cell(c(g.b.address(g.track))), g.discards),
        ],
    ),
    "cards remembered in a list": (
        "remembers which card is meant",
        lambda g: [
            g.last(A, g.hand),
            t.Append(c(g.noted), v(A), 8, 5),
            t.MoveAll(c(g.hand), c(g.row), False, 6),
            t.Move(t.CellList(c(g.noted)), c(g.discards), False, None, 7),
        ],
    ),
    "a card remembered again after it has moved": (
        "remembers which card is meant",
        lambda g: [
            g.last(A, g.hand),
            t.Append(c(g.noted), v(A), 8, 5),
            g.move(A, g.trash),
            t.Append(c(g.noted), v(A), 8, 6),
            g.add(t.Count(t.CellList(c(g.noted)))),
        ],
    ),
    "a list with a card twice": (
        "may move a card twice",
        lambda g: [
            t.Move(t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand))), c(g.discards), False, None, 5),
            g.draw(2, g.trash, None, g.discards),
        ],
    ),
    "a list with a card twice, one by one": (
        "goes through a list that may hold a card twice",
        lambda g: [
            t.SetList(CARDS, t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand)))),
            t.ForEach(A, vs(CARDS), (g.move(A, g.discards),)),
        ],
    ),
    "a card out of the middle of an order": (
        "may take a card that is not on top of its pile or row",
        lambda g: [g.move(t.Last(t.Take(t.Cards(c(g.deck)), c(3), True)), g.trash), g.draw(4, g.row)],
    ),
    "the second card from the top": (
        "may take a card that is not on top of its pile or row",
        lambda g: [g.move(t.First(t.Take(t.Cards(c(g.deck)), c(2), False)), g.trash), g.draw(4, g.row)],
    ),
    "a card that was on top": (
        "may take a card that is not on top of its pile or row",
        lambda g: [
            g.last(A, g.deck),
            g.move(t.Last(t.Cards(c(g.hand))), g.deck),
            g.move(A, g.trash),
            g.draw(2, g.row),
        ],
    ),
    "a table that tells equal cards apart": (
        "looks up what differs",
        lambda g: [g.add(g.total(g.own_values, g.hand))],
    ),
    "equal cards moved within an order": (
        "may take a card that is not on top of its pile or row",
        lambda g: [t.Move(g.dear(g.deck), c(g.deck), False, None, 5), g.draw(2, g.trash)],
    ),
    "a whole order turned round": (
        "may take a card that is not on top of its pile or row",
        lambda g: [t.Move(t.Cards(c(g.deck)), c(g.deck), True, None, 5), g.draw(2, g.trash)],
    ),
    "a draw that returns to its source": (
        "moves a card that may have left",
        lambda g: [g.draw(9, g.deck, CARDS), t.Move(vs(CARDS), c(g.trash), False, None, 5)],
    ),
}

HIDDEN: dict[str, Body] = {
    "a card moved once": lambda g: [g.last(A, g.hand), g.move(A, g.trash)],
    "a card moved twice by one reference": lambda g: [g.last(A, g.hand), g.move(A, g.trash), g.move(A, g.hand)],
    "a place asked at once": lambda g: [g.last(A, g.hand), g.add(g.place(A))],
    "a place asked of a moved card": lambda g: [g.last(A, g.hand), g.move(A, g.trash), g.add(g.place(A))],
    "a value of a card that has left": lambda g: [
        g.last(A, g.hand),
        t.MoveAll(c(g.hand), c(g.trash), False, 5),
        g.add(t.Table(g.values, v(A))),
    ],
    "values of all cards": lambda g: [g.add(g.total(g.values, g.hand))],
    "the top card": lambda g: [g.move(t.Last(t.Cards(c(g.deck))), g.hand), g.draw(2, g.trash)],
    "the top card put back": lambda g: [
        g.last(A, g.deck),
        g.move(A, g.hand),
        g.move(A, g.deck),
        g.draw(2, g.trash),
    ],
    "drawn cards": lambda g: [g.draw(3, g.row, CARDS), t.Move(vs(CARDS), c(g.trash), False, None, 5)],
    "all cards of a face": lambda g: [t.Move(g.dear(g.deck), c(g.trash), False, None, 5), g.draw(2, g.row)],
    "a card compared with none": lambda g: [g.last(A, g.hand), g.add(op(v(A), "!=", c(-1)))],
    "a comparison that only narrates": lambda g: [
        g.last(A, g.hand),
        g.last(B, g.deck),
        t.Emit("announced", (op(v(A), "==", v(B)),), None, c(3), c(3), 5),
    ],
}


@pytest.mark.parametrize("name", OBSERVED)
def test_identity_is_observed(name: str) -> None:
    why, body = OBSERVED[name]
    game = Table()
    found = kept(game.program(*body(game)))
    assert found.individual and any(why in reason for reason in found.individual.values()), found.individual


@pytest.mark.parametrize("name", HIDDEN)
def test_identity_is_not_observed(name: str) -> None:
    game = Table()
    found = kept(game.program(*HIDDEN[name](game)))
    assert not found.individual
    assert found.copies == (4, 3, 1)


def test_a_card_remembered_from_the_start_is_a_number() -> None:
    """Before a game it is the card itself, not a reference to one of a class."""
    program = Table().program()
    (track,) = (track for track in program.tracks if track.of == "card")
    tracks = tuple(evolve(one, start=(3,)) if one is track else one for one in program.tracks)
    placed = evolve(program, position=((track.address, 3),))
    for begun in (evolve(program, tracks=tracks), placed):
        assert choose(begun).why_not == "some cards are remembered when the game begins"
        same_many(begun, 5, 7)


# ------------------------------------------------------------------ orders

ORDERS: dict[str, Body] = {
    "drawn": lambda g: [g.draw(1, g.hand, None, g.row)],
    "its first card": lambda g: [g.add(t.Table(g.values, t.First(t.Cards(c(g.row)))))],
    "its last card": lambda g: [g.add(t.Table(g.values, t.Last(t.Cards(c(g.row)))))],
    "its last two": lambda g: [
        g.add(t.Total(t.Take(t.Cards(c(g.row)), c(2), False), 21, t.Table(g.values, v(21)), 5))
    ],
    "one by one": lambda g: [
        t.ForEach(A, t.Cards(c(g.row)), (t.Assign(g.score, c(0), t.Table(g.values, v(A)), 5),))
    ],
    "as a list of values": lambda g: [
        t.SetCells(c(g.lists), t.Map(t.Take(t.Cards(c(g.row)), c(2), True), 21, t.Table(g.values, v(21))))
    ],
    "moved to an order": lambda g: [
        t.MoveAll(c(g.row), c(g.discards), False, 5),
        g.draw(1, g.trash, None, g.discards),
    ],
}
UNORDERED: dict[str, Body] = {
    "counted": lambda g: [g.add(t.Count(t.Cards(c(g.row))))],
    "added up": lambda g: [g.add(g.total(g.values, g.row))],
    "searched": lambda g: [g.add(t.Exists(t.Cards(c(g.row)), 21, op(t.Table(g.values, v(21)), ">", c(3))))],
    "moved to a bag": lambda g: [t.MoveAll(c(g.row), c(g.hand), False, 5)],
}


@pytest.mark.parametrize("name", [*ORDERS, *UNORDERED])
def test_order_is_observed_or_not(name: str) -> None:
    game = Table()
    body = (ORDERS | UNORDERED)[name](game)
    found = kept(game.program(game.draw(4, game.row), *body))
    assert found.forms[game.row] is (Form.ORDER if name in ORDERS else Form.COUNTS)
    assert not found.individual


def asking(zone: str, moves: bool) -> tuple[Table, TableProgram]:
    """A program that asks for one of the cards of a zone, and moves it or adds its value."""
    game = Table()
    start, asks, answered = game.b.reserve(3)
    drawn = game.draw(4, game.row)
    options = t.Cards(c(getattr(game, zone)))
    begin = tree(t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), drawn, t.Goto(asks))
    ask = tree(t.Ask(game.site, numbers(0), B, options, c(1), c(1), answered, 9))
    then = game.move(A, game.trash) if moves else game.add(t.Table(game.values, v(A)))
    after = tree(t.SetLocal(A, t.First(t.Answer(c(0)))), t.CloseDecisions(), then, t.Finish())
    trees = {start: begin, asks: ask, answered: after}
    return game, game.b.build(game.b.procedure(SLOTS, trees, start))


def test_a_choice_observes_an_order() -> None:
    game, program = asking("row", moves=False)
    found = kept(program)
    assert found.forms[game.row] is Form.ORDER and not found.individual
    found = kept(asking("row", moves=True)[1])
    assert (
        all("may take a card that is not on top of its pile or row" in why for why in found.individual.values())
        and found.individual
    )
    assert not kept(asking("hand", moves=True)[1]).individual


# ------------------------------------------------------------------ faces, effects


def with_one_face_counted() -> TableProgram:
    game = Table()
    cards = game.dear(game.hand)
    body = (t.SetLocal(A, t.First(cards)), t.Change(game.by_card, v(A), c(1), 5))
    return game.program(t.If(op(t.Count(game.dear(game.hand)), ">", c(0)), body, ()))


def test_only_the_faces_concerned_are_told_apart() -> None:
    assert {*kept(with_one_face_counted()).individual} == {0}


def with_gaps() -> TableProgram:
    game = Table((0, 1, 0, 0, 1, 2, 0, 0))
    return game.program(game.last(A, game.hand), game.move(A, game.deck), game.draw(3, game.row))


def test_equal_cards_with_gaps_in_their_numbers() -> None:
    """They form several classes, but are not told apart."""
    found = kept(with_gaps())
    assert not found.individual and found.copies == (1, 1, 2, 1, 1, 2)


def played_card(times: int) -> TableProgram:
    """An effect that moves the very card that is played, so many times."""
    game = Table()
    effect, (moves, *played) = game.b.reserve_procedure(), game.b.reserve(times + 2)
    moved = (game.move(0, game.trash), game.draw(1, game.hand))
    game.b.procedure((0,), {moves: tree(*moved, t.Return(None))}, moves, 1, effect)
    begin = (t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), t.SetLocal(A, t.Last(t.Cards(c(game.hand)))))
    trees = {played[0]: tree(*begin, t.Invoke(effect, (v(A),), played[1], 5)), played[-1]: tree(t.Finish())}
    if times == 2:
        trees[played[1]] = tree(t.Invoke(effect, (v(A),), played[2], 6))
    return game.b.build(game.b.procedure(SLOTS, trees, played[0]))


@pytest.mark.parametrize("times", [1, 2])
def test_an_effect_that_moves_the_card_played(times: int) -> None:
    """Once, any of the equal cards will do; a second time it is moved from where it is by then."""
    assert bool(kept(played_card(times)).individual) is (times == 2)


# ------------------------------------------------------------------ refills


def moved_into_a_refill() -> TableProgram:
    game = Table((0, 0, 0, 0, 1, 1, 1), refill=True, eager=True)
    body = (
        t.MoveAll(c(game.hand), c(game.discards), False, 5),
        game.draw(3, game.hand),
        game.last(A, game.deck),
        game.move(A, game.discards),
        game.move(A, game.trash),
    )
    return game.program(*body)


def test_a_card_moved_to_the_source_of_a_refill_goes_with_it() -> None:
    assert kept(moved_into_a_refill()).individual


def refilled_under() -> TableProgram:
    game = Table((0, 0, 0, 0, 1, 1, 1, 2), refill=True)
    body = (
        game.draw(3, game.discards),
        t.Prepare(c(game.deck), c(4), 5),
        game.draw(2, game.trash),
        game.draw(1, game.row),
    )
    return game.program(*body)


def test_a_refill_goes_under_the_cards_that_lie_there() -> None:
    """A discard pile that only refills has no observed order."""
    assert not kept(refilled_under()).individual


def drawn_to_the_source() -> tuple[Table, TableProgram]:
    game = Table(refill=True)
    return game, game.program(game.draw(7, game.discards), game.draw(3, game.hand), game.draw(9, game.discards))


def test_a_draw_to_the_source_of_its_refill() -> None:
    game, program = drawn_to_the_source()
    found = kept(program)
    assert not found.individual and found.forms[game.discards] is Form.COUNTS


def zone_of_a_known_seat() -> tuple[int, TableProgram]:
    game = Table()
    ordered = game.b.zone("pile", family="ordered")
    hidden = game.b.zone("row", family="hidden")
    game.b.zone("row", family="hidden")
    body = (
        t.SetLocal(OTHER, c(0)),
        game.draw(3, hidden),
        t.SetLocal(
            A,
            t.Last(t.Filter(t.Cards(op(v(OTHER), "+", c(hidden))), 21, op(t.Count(t.Cards(v(OTHER))), ">", c(0)))),
        ),
        t.If(op(v(A), "!=", c(-1)), (game.add(t.Table(game.values, v(A))),), ()),
        game.draw(1, ordered),
    )
    return hidden, game.program(*body)


def test_a_zone_of_a_seat_that_is_known() -> None:
    """The number of a seat can be that of the first zone of another family."""
    hidden, program = zone_of_a_known_seat()
    assert kept(program).forms[hidden] is Form.ORDER


def by_hand() -> Iterator[tuple[str, TableProgram]]:
    """Iterate over the programs of this module, each with a name."""
    bodies = {name: body for name, (_, body) in OBSERVED.items()} | HIDDEN
    for name, body in bodies.items():
        game = Table()
        yield name, game.program(*body(game))
    for name, body in (ORDERS | UNORDERED).items():
        game = Table()
        yield name, game.program(game.draw(4, game.row), *body(game))
    for zone, moves in product(("row", "hand"), (False, True)):
        yield f"asking for a card of the {zone}", asking(zone, moves)[1]
    yield "one face counted", with_one_face_counted()
    yield "gaps", with_gaps()
    yield from ((f"a card played, {times}", played_card(times)) for times in (1, 2))
    yield "moved into a refill", moved_into_a_refill()
    yield "refilled under", refilled_under()
    yield "drawn to the source", drawn_to_the_source()[1]
    yield "a zone of a known seat", zone_of_a_known_seat()[1]


# ------------------------------------------------------------------ random programs


def play(seeds: range) -> int:
    """Play random programs. Returns how many of them keep equal cards as one class."""
    equal = 0
    for seed in seeds:
        program = card_program(seed)
        found = choose(program).kept
        equal += found is not None and max(found.copies) > 1
        same_many(program, 20, seed)
    return equal


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_programs_about_cards(first: int) -> None:
    assert play(range(first, first + 10))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(60, 360, 50))
def test_more_random_programs_about_cards(first: int) -> None:
    assert play(range(first, first + 50)) >= 20
