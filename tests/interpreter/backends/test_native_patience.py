"""Native calls return in bounded time: a long game starts again in an interruptible thread.

A game without end would be found out after so many questions; here there are far more of them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.library import load
from rulewright.interpreter.backends.native.module import generate_playing
from rulewright.interpreter.batch import factory as many
from rulewright.interpreter.batch.batch import GivenUp, stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.batch.native_calls import Calls
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter.compilers import needs_compiler, quick
from tests.interpreter.limits import most_answers
from tests.interpreter.programs import councils, deck_builder
from tests.interpreter.programs_builder import Builder, c, numbers, tree

pytestmark = needs_compiler


def endless(seats: int) -> TableProgram:
    """The same question again and again: to one seat, whose answer is not stored, or to several, whose is."""
    b = Builder(seats)
    begin, after = b.reserve(2)
    ask = table.Ask(b.site(), numbers(*range(seats)), 0, numbers(0, 1), c(1), c(1), after, 0)
    taken = table.SetLocal(1, table.First(table.Answer(c(0))))
    again = tree(taken, table.CloseDecisions(), table.Goto(begin))
    return b.game([0, 0], tree(ask), again)


def spinning() -> TableProgram:
    """A loop without end, with two charges a turn: the 20,001st unit of fuel is asked for at its head, at 6."""
    b = Builder(1)
    b.reserve(1)
    return b.game([0], tree(table.While(c(1), (table.Charge(4),), 6), table.Finish()))


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    most_answers(monkeypatch, 2**31 - 1)


@pytest.mark.parametrize("seats", [1, 3])
def test_a_game_without_end_can_be_left(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "PATIENCE", 100)
    asked = 0

    def third_time() -> bool:
        nonlocal asked
        asked += 1
        return asked == 3

    found = native_many(endless(seats), (0,), by=quick()).play(1, 5, 10, third_time)
    assert (found.count, found.first, asked) == (0, 5, 3)


@pytest.mark.parametrize("at", [1, 2, 4])
def test_who_gives_up_has_the_games_before(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a signal comes between two calls or while a game takes long."""
    monkeypatch.setattr(many, "AT_MOST", 1)
    asked = 0

    def given_up() -> bool:
        nonlocal asked
        asked += 1
        if asked == at:
            raise GivenUp
        return False

    program = deck_builder()
    found = native_many(program, (0,), by=quick()).play(3, 2, 9, given_up)
    expected = stepping_many(program, (0,), AUTO).play(3, 2, at)
    assert (found.count, found.decisions, found.cells) == (at, expected.decisions, expected.cells)
    asked = 0
    monkeypatch.setattr(many, "PATIENCE", 100)
    assert native_many(endless(1), (0,), by=quick()).play(1, 5, 10, given_up).count == 0


@pytest.mark.parametrize("program", [councils, deck_builder])
@pytest.mark.parametrize("patience", [1, 7, 60])
def test_patience_changes_nothing_about_games(
    program: Callable[[], TableProgram], patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls end in the middle of games; these are played again, and told once."""
    played = program()
    addresses = range(played.layout.cells)
    expected = stepping_many(played, addresses, AUTO).play(3, 2, 9)
    monkeypatch.setattr(many, "PATIENCE", patience)
    found = native_many(played, addresses, by=quick()).play(3, 2, 9)
    assert found.decisions == expected.decisions and sum(expected.decisions) > 9
    assert (found.count, found.faults, found.cells) == (9, expected.faults, expected.cells)


@pytest.mark.parametrize(("patience", "halt", "played"), [
    (1_000, None, 0), (1_000, 1, 0), (1_000, 0, 2), (1_000_000, None, 2), (1_000_000, 1, 2),
])  # fmt: skip
def test_units_of_fuel_cost_patience(patience: int, halt: int | None, played: int) -> None:
    """A run ends within 20,000 units of fuel, which one answer pays for, if patience does."""
    source = generate_playing(spinning())
    asked: Any = None if halt is None else ctypes.c_int(halt)
    faults, places, decisions = Calls(load(source.text, quick()), ()).play(1, 5, 2, patience, asked)
    assert [source.codes[fault - 1] for fault in faults] == ["fuel"] * played
    assert (list(places), list(decisions)) == ([6] * played, [0] * played)
