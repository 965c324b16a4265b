"""The random policy: bounds, canonical answers, and a distribution that can be worked out."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

import pytest

from rulewright.interpreter.backends.factory import AUTO, make
from rulewright.interpreter.backends.policies import RandomPlayer, play_out
from rulewright.interpreter.batch.batch import ManyGames, stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import ASKING, STATUS, TableProgram
from tests.interpreter import compilers
from tests.interpreter.limits import most_answers
from tests.interpreter.programs import PROGRAMS
from tests.interpreter.programs_builder import Builder, c, cards, cell, numbers, op, tree


def asking(
    order: str, least: int, most: int, faces: Sequence[int] = (0, 0, 1, 0, 2, 2), always: bool = False
) -> TableProgram:
    """Asks once for cards of a zone that holds 0 to 5, of these faces."""
    b = Builder(1, faces)
    options = cards(b.zone(order, range(6)))
    _, after = b.reserve(2)
    ask = table.Ask(b.site("card"), numbers(0), 0, options, c(least), c(most), after, 0, always)
    return b.game([0], tree(ask), tree(table.Finish()))


def begun(program: TableProgram) -> tuple[Backend, array[int]]:
    backend = make(program)
    state = backend.start(1)
    backend.run(state)
    assert state[STATUS] == ASKING
    return backend, state


def answers(program: TableProgram, count: int) -> Counter[tuple[int, ...]]:
    (_, state), player, stream = begun(program), RandomPlayer(program), Stream(4)
    return Counter(tuple(player.choose(state, 0, stream)) for _ in range(count))


def test_equal_cards_of_a_bag_are_one_answer() -> None:
    """Where exactly one is chosen, they are one option: three faces, each as likely, though there are three cards
    of one, one of another and two of the third.
    """
    assert set(answers(asking("bag", 2, 2), 400)) == {(0, 1), (0, 2), (0, 4), (2, 4), (4, 5)}
    counts = answers(asking("bag", 1, 1), 6000)
    assert len(counts) == 3 and all(abs(counts[card,] - 2000) < 150 for card in (0, 2, 4))
    several = answers(asking("bag", 0, 1), 12000)
    assert abs(several[()] - 6000) < 250
    assert all(abs(several[card,] - 1000 * many) < 150 for card, many in ((0, 3), (2, 1), (4, 2)))


def test_equal_cards_of_a_row_are_different_answers() -> None:
    counts = answers(asking("row", 1, 1), 6000)
    assert len(counts) == 6 and all(abs(counts[card,] - 1000) < 130 for card in range(6))
    assert len(answers(asking("row", 2, 2), 800)) == 15


@pytest.mark.parametrize(
    ("program", "decides"),
    [
        (asking("bag", 1, 1), True),
        (asking("bag", 1, 1, (7,) * 6, True), False),  # asked because it is a secret, and nothing to decide
        (asking("row", 1, 1, (7,) * 6), True),
        (asking("bag", 1, 2, (7,) * 6), True),
        (asking("bag", 0, 0, always=True), False),
    ],
)
def test_what_is_decided_is_counted_and_drawn_for(program: TableProgram, decides: bool) -> None:
    """Among cards that are all alike nothing is decided: no number is drawn, no answer counted; in both builds."""
    (backend, state), stream = begun(program), Stream(4)
    assert RandomPlayer(program).decides(state, 0) == decides
    assert play_out(backend, state, stream) == int(decides)
    assert (stream.place != Stream(4).place) == decides
    if compilers.WANTED:
        assert [*native_many(program, (), by=compilers.quick()).play(1, 0, 1).decisions] == [int(decides)]


def test_the_number_is_uniform_and_then_the_cards() -> None:
    counts = answers(asking("row", 0, 2), 6000)
    numbers = Counter(len(answer) for answer in counts.elements())
    assert all(abs(numbers[n] - 2000) < 150 for n in range(3))
    assert all(abs(counts[card,] - 2000 / 6) < 70 for card in range(6))


def test_no_draw_for_a_fixed_number() -> None:
    program, stream, expected = asking("row", 1, 1), Stream(4), Stream(4)
    expected.below(6)
    RandomPlayer(program).choose(begun(program)[1], 0, stream)
    assert stream.place == expected.place


@pytest.mark.parametrize("name", ["deck builder", "councils"])
def test_playouts_count_answers(name: str) -> None:
    backend = make(PROGRAMS[name])
    state = backend.start(1)
    assert play_out(backend, state, Stream(1)) > 10


# ------------------------------------------------------------------ games without an end

def forced_for_ever(seats: int, always: bool, sites: int = 3) -> TableProgram:
    """Decisions with one option or several, again and again; with `always` those with one are asked, too."""
    b = Builder(seats)
    begins = b.reserve(sites)
    afters = b.reserve(sites)
    turns = b.address(b.track())
    options, count = numbers(*range(1 if always else 2)), table.SetCell(c(turns), op(cell(turns), "+", 1))
    asks: list[table.Tree] = []
    for number, after in enumerate(afters):
        site, asked = b.site(), numbers(*range(seats)) if number == 1 else numbers(0)
        asks.append(tree(table.Ask(site, asked, 0, options, c(1), c(1), after, site, always)))
    following = (begins[(number + 1) % sites] for number in range(sites))
    return b.game([0], *asks, *(tree(table.CloseDecisions(), count, table.Goto(begin)) for begin in following))


@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("most", [1, 7, 50])
def test_a_game_without_an_end_is_given_up(
    seats: int, always: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After as many questions on every backend, at the place of the next: those of three sites come in turn."""
    most_answers(monkeypatch, most)
    program = forced_for_ever(seats, always)
    ways: list[ManyGames] = [stepping_many(program, (), "walker"), stepping_many(program, (), AUTO)]
    if compilers.WANTED:
        ways.append(native_many(program, (), by=compilers.quick()))
    for way in ways:
        found = way.play(3, 1, 2)
        codes = [found.codes[fault - 1] for fault in found.faults]
        assert (codes, list(found.places)) == (["endless"] * 2, [most % 3] * 2), way.name


def test_a_limit_given_ends_the_playout_and_no_more() -> None:
    program = forced_for_ever(1, True)
    backend = make(program)
    state = backend.start(1)
    assert play_out(backend, state, Stream(1), most=12) == 0
    assert state[STATUS] == ASKING
