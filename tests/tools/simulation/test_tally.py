"""Counting by columns equals counting game by game, and partial results merge in any order."""

from __future__ import annotations

import json
import random
from array import array
from pathlib import Path

import pytest

from rulewright.interpreter.backends import policies as playout
from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.batch.factory import many_games
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.view import result
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.bots import TableBots
from rulewright.tools.packs import loading as packs
from rulewright.tools.simulation import sweep, tally
from rulewright.tools.simulation.columns import Column, Columns, columns_of
from rulewright.tools.simulation.statistics import Numbers, PairSums
from rulewright.tools.simulation.tally import GameTally
from tests.tools.harness import ROOT, Run

PACKS = ROOT / "tests" / "packs"
GAMES, SEED = 60, 5


def table(pack: Path, players: int = 2) -> TableProgram:
    return packs.table(packs.compile_pack(str(pack)).program, players, ())


def by_hand(program: TableProgram) -> GameTally:
    """Counts one game after the other, from its state."""
    collector, bots, backend = GameTally(program.seats), TableBots(program), make(program)
    columns = columns_of(program)
    tracks = {track.key: track for track in program.tracks}
    cells: list[list[int]] = []
    for game in range(GAMES):
        state = backend.start(SEED, game)
        try:
            decisions = playout.play_out(backend, state, bots.sit(SEED, game))
        except RuleError:
            collector.failures += 1
            collector.failed.append(game)
            continue
        ended = result(program, state)
        assert ended is not None
        collector.finished += 1
        collector.decisions.add(decisions)
        collector.no_winner += not ended.winners
        collector.shared += len(ended.winners) > 1
        for seat in range(program.seats):
            collector.wins[seat] += seat in ended.winners
            collector.scores[seat].add(ended.scores[seat])
        cells.append([state[tracks[one.track].address + place] for one, place in _places(columns)])
    collector.cells = [sum(column) for column in zip(*cells, strict=True)]
    return collector


def _places(columns: Columns) -> list[tuple[Column, int]]:
    """The columns, each with its place among those of its track."""
    found: list[tuple[Column, int]] = []
    for column in columns.columns:
        found.append((column, sum(one.track == column.track for one, _ in found)))
    return found


@pytest.mark.parametrize("pack", ["piles", "bluff", "sealed", "stalls"])
def test_columns_count_what_each_game_ends_with(pack: str) -> None:
    """In `piles` rules fail; the parts are merged in an order of their own."""
    program = table(PACKS / pack)
    columns = columns_of(program)
    many = many_games(program, columns.addresses)
    parts: list[GameTally] = []
    for first in range(0, GAMES, 7):
        part = GameTally(program.seats)
        part.take(columns, many.play(SEED, first, min(7, GAMES - first)))
        parts.append(part)
    random.Random(pack).shuffle(parts)
    collector = GameTally(program.seats)
    for part in (GameTally(program.seats), *parts):
        collector.merge(part)
    assert sum(fault.games for fault in collector.faults.values()) == collector.failures
    assert {fault.first for fault in collector.faults.values()} <= set(collector.failed)
    expected = by_hand(program)
    expected.faults = collector.faults
    assert collector == expected
    assert collector.games == GAMES


def test_columns_and_games_say_the_same_of_numbers() -> None:
    chance = random.Random(4)
    ones, others = ([chance.randint(-30, 900) for _ in range(300)] for _ in range(2))
    numbers, pairs, at_once, pairs_at_once = Numbers(), PairSums(), Numbers(), PairSums()
    for one, other in zip(ones, others, strict=True):
        numbers.add(one)
        pairs.add(one, other)
    for values in (ones[:100], [], ones[100:]):
        at_once.add_all(values)
    pairs_at_once.add_all(iter(ones[:100]), iter(others[:100]))
    pairs_at_once.add_all(ones[100:], others[100:])
    assert (at_once, pairs_at_once) == (numbers, pairs)


# ------------------------------------------------------------------ games that fail

def failing(first: int, count: int, cells: int) -> GameResults:
    """Games in which a rule fails, all of them."""
    zeros, ones = array("i", bytes(4 * count)), array("i", [1] * count)
    return GameResults(first, ones, zeros, zeros, (zeros,) * cells, ("bounds",))


def test_the_first_numbers_of_games_that_fail_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "KEPT", 10)
    columns = columns_of(table(PACKS / "piles"))
    collector = GameTally(2)
    firsts = list(range(0, 300, 3))
    random.Random(3).shuffle(firsts)
    for first in firsts:
        part = GameTally(2)
        part.take(columns, failing(first, 3, len(columns.addresses)))
        collector.merge(part)
    assert (collector.failures, collector.games, collector.failed) == (300, 300, list(range(10)))
    (fault,) = collector.faults.values()
    assert (fault.games, fault.first) == (300, 0)


@pytest.mark.parametrize("more", [(), ("--every-option",)])
def test_the_result_says_that_numbers_are_left_out(
    run: Run, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    command = ("simulate", str(PACKS / "piles"), "-n", "40", "--json", *more)
    everything = json.loads(run(*command).out)
    assert len(everything["failed"]) > 5 and "failed_left_out" not in everything
    monkeypatch.setattr(tally, "KEPT", 5)
    monkeypatch.setattr(sweep, "KEPT", 5)
    found = json.loads(run(*command).out)
    assert found["failed"] == everything["failed"][:5]
    assert found["failed_left_out"] == len(everything["failed"]) - 5
    assert found["faults"] == everything["faults"]
