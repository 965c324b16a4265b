"""Loading journals is limited in processor time, in any thread."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import Compile, Journal, JournalError, header_of
from rulewright.interpreter.state.patience import TimeUsedUp, time_limit
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.playing.kept_rules import table_of
from tests.positions import program_of

SECONDS = 0.3
SHORT = 0.1
"""Less than the fuel of `slow` lasts on any machine."""
ROOT = Path(__file__).parents[3]
PACKS = ROOT / "tests" / "packs"
program = partial(program_of, PACKS / "bazaar", 2)
"""A game of two, from a pack."""


def spend(seconds: float) -> None:
    """Take so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def main_with(tree: t.Tree) -> TableProgram:
    """The game whose first segment is another."""
    own = program()
    first = own.procedures[own.entry].entry
    segments = [*own.segments]
    segments[first] = evolve(segments[first], tree=tree)
    return evolve(own, segments=tuple(segments))


def with_function(*body: t.Stmt) -> TableProgram:
    """The game calls one function, which has a list in slot 0."""
    slots = (t.Slot("list", 10, False, -1), t.Slot("number", 0, False, -1))
    function = t.Function("hostile", 0, slots, body, 0)
    return evolve(main_with(t.Tree((t.Do(0, ()),), t.Finish())), functions=(function,), bots=None)


def endless() -> TableProgram:
    """A branch leads back for ever, and nothing charges fuel: no pack compiles to this."""
    own = program().procedures[program().entry].entry
    return main_with(t.Tree((), t.Branch(t.Const(1), t.Tree((), t.Goto(own)), t.Tree((), t.Finish()))))


def slow() -> TableProgram:
    """Turns of a loop that cost one unit of fuel each, and milliseconds."""
    numbers = t.Items((t.Const(0),) * 60)
    inner = t.SetLocal(1, t.Total(numbers, 1, t.Total(numbers, 1, t.Const(1), 0), 0))
    return with_function(t.While(t.Const(1), (inner,) * 100, 0))


def saved(table: TableProgram, file: Path) -> tuple[Path, Compile]:
    """A journal, and what compiles the packs in it: to this program."""
    file.write_text(journals.write(Journal(header_of(table, 1), table, ())), "utf-8")
    return file, lambda header, origin: table


@pytest.mark.parametrize("make", [endless, pytest.param(slow, marks=pytest.mark.slow)])
def test_a_hostile_journal_ends_soon_in_a_thread_too(make: Callable[[], TableProgram], tmp_path: Path) -> None:
    journal, ends = saved(make(), tmp_path / "x"), list[str]()

    def load() -> None:
        try:
            Game.load(*journal, patience=SHORT)
        except JournalError as error:
            ends.append(str(error))

    began = time.process_time()
    load()
    thread = threading.Thread(target=load, daemon=True)
    thread.start()
    thread.join(20)
    assert ["takes too long: more than 0.1 s of processor time" in end for end in ends] == [True] * 2, ends
    assert time.process_time() - began < 6


def test_what_is_lost_is_raised_again() -> None:
    """As where it arrives in a callback of the garbage collector, which tells nobody of it."""
    lost = 0
    with pytest.raises(TimeUsedUp), time_limit(0.02):
        try:
            while True:
                pass
        except BaseException:
            lost += 1
        spend(10)
    assert lost == 1


def test_all_answers_share_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty that take 15 ms each are too many for 0.3 s, however little each of them takes."""
    game = Game.start(program_of(PACKS / "bluff", 2), 1)
    for _ in range(60):
        decision = game.decisions[0]
        least = max(decision.least, min(1, decision.most))
        game.apply(decision.seat, [option.key for option in decision.options][:least])
    path = tmp_path / "x"
    path.write_text(journals.write(game.journal), "utf-8")
    assert len(Game.load(path, table_of).journal.entries) == 60
    apply = Game.apply

    def slowly(game: Game, seat: int, keys: Sequence[str]) -> object:
        spend(0.015)
        return apply(game, seat, keys)

    monkeypatch.setattr(Game, "apply", slowly)
    with pytest.raises(JournalError, match="takes too long"):
        Game.load(path, table_of, patience=SECONDS)


@pytest.mark.slow
def test_a_good_journal_is_loaded_and_nothing_arrives_later(tmp_path: Path) -> None:
    journal = saved(program(), tmp_path / "x")
    for _ in range(20):
        assert Game.load(*journal, patience=SECONDS).decisions
    spend(2 * SECONDS)
    assert not [one for one in threading.enumerate() if one.name == "rulewright-patience"]


def test_a_profiler_works_afterwards() -> None:
    """In a process of its own, which would hang."""
    code = (
        "import sys\nfrom rulewright.interpreter.state.patience import time_limit\n"
        "with time_limit(1.0): pass\n"
        "sys.setprofile(lambda *_: None)\n"
        "for _ in range(1000): (lambda: 1)()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=ROOT)


def test_an_answer_that_takes_too_long_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.start(program(), 1)
    before = game.hash

    def forever(*_: object) -> None:
        game._state[0] += 1
        while True:
            pass

    monkeypatch.setattr(game._walker, "run", forever)
    (one,) = game.decisions
    with pytest.raises(TimeUsedUp), time_limit(SECONDS):
        game.apply(one.seat, [option.key for option in one.options][: one.least])
    assert (game.hash, game.decisions) == (before, (one,))


def telling() -> TableProgram:
    """Turns of a loop that each tell of sixty cards; the table has one."""
    cards = t.Items((t.Const(0),) * 60)
    tell = t.Emit("announced", (t.Const(0),), cards, t.Const(1), t.Const(1), 0)
    return with_function(t.While(t.Const(1), (tell,), 0))


@pytest.mark.slow
def test_events_of_a_journal_have_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 40, one number and 60 cards: 9 fit, of all 20,000 there would be two million numbers."""
    journal = saved(telling(), tmp_path / "x")
    with pytest.raises(RuleFault, match="fuel"):
        Game.load(*journal, patience=None)
    monkeypatch.setattr(journals, "MAX_TOLD", 1_000)
    with pytest.raises(JournalError, match="it has too many events"):
        Game.load(*journal, patience=None)


def test_a_good_game_goes_on_without_a_bound(tmp_path: Path) -> None:
    game = Game.load(*saved(program(), tmp_path / "x"))
    assert game._room == sys.maxsize


def test_reading_a_journal_takes_of_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(text: str, compile: Compile) -> Journal:
        spend(20)
        raise AssertionError("it was not stopped")

    monkeypatch.setattr(journals, "read", slow)
    with pytest.raises(JournalError, match="takes too long"):
        Game.load(*saved(program(), tmp_path / "x"), patience=SHORT)
