"""Measure how fast a backend plays a pack, compared with other programs for the same game.

    python -m rulewright.tools.bench.beside PACK --turns TRACK --beside FILE.py:FUNCTION [AT_LEAST] [--beside …]
        [--backend native] [--players 2-5] [--option K=V] [--seconds 2] [--rounds 9] [--seed 1]

All programs play at random. Ours plays whole games as `rulewright simulate` does; the others are called as
`function(players, games, seed)` and return the numbers of turns and of decisions of each game. `--beside walker` is
our other backend. TRACK counts our turns: the sum of its cells is the number of turns of a game. The programs take
turns, so that other load on the machine affects all of them. Times are processor times; `ours` is the median, over
the rounds, of our speed divided by the other's.

The exit code is 1 if a ratio is below the AT_LEAST of its program, or if the mean turns of a game differ by more
than chance explains (3 standard errors). Decisions are also compared, but only shown: programs may differ in what
they ask.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from math import hypot
from pathlib import Path
from statistics import median

from attrs import Factory, define, evolve, field, frozen

from rulewright.interpreter.backends.factory import AUTO, NAMES
from rulewright.interpreter.batch.factory import many_games
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.bench import command
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from rulewright.tools.packs.tables import numbers_of_players
from rulewright.tools.simulation.statistics import Numbers

Games = Sequence[tuple[int, int]]
Playouts = Callable[[int, int, int], Games]
"""Plays games for a number of players with a seed; returns the turns and decisions of each."""

BACKENDS = tuple(name for name in NAMES if name != AUTO)
APART = 3.0
"""Means that differ by more standard errors of their difference do not agree."""
WARM = 10
_TIMED = 0.005
"""Shortest measurable time, in seconds."""
_TITLES = {"walker": "the walker", "native": "native code"}
MOST = 100_000
"""Limit of games per round: processing more results would take longer than playing."""


@frozen
class Entrant:
    """A program in the comparison, and our required speed relative to it."""

    name: str
    play: Playouts
    at_least: float | None = None


@define
class ProgramRecord:
    """Results of a program: games per second of each round, and statistics of its games."""

    speeds: list[float] = Factory(list)
    turns: Numbers = field(factory=Numbers)
    decisions: Numbers = field(factory=Numbers)


def entrant(words: Sequence[str]) -> Entrant:
    """Return the program named by `--beside`. Raises Usage."""
    text, *bar = words
    path, colon, name = text.rpartition(":")
    if text not in BACKENDS and (not colon or not path.endswith(".py")):
        raise Usage(f"--beside takes FILE.py:FUNCTION, and how many times as fast we have to be; not {text}")
    if len(bar) > 1 or not all(_is_number(word) for word in bar):
        raise Usage(f"--beside {text} is followed by one number or none, not {' '.join(bar)}")
    at_least = float(bar[0]) if bar else None
    if text in BACKENDS:
        return Entrant(text, lambda *_: (), at_least)
    if not Path(path).is_file():
        raise Usage(f"there is no file {path}")
    specification = importlib.util.spec_from_file_location(f"beside_{Path(path).stem}", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    try:
        specification.loader.exec_module(module)
    except ImportError as error:
        missing = f"{path} needs what is not here ({error}); perhaps pip install 'rulewright[bench]' brings it"
        raise Usage(missing) from None
    if not callable(getattr(module, name, None)):
        raise Usage(f"{path} has no function {name}")
    return Entrant(f"{Path(path).stem}:{name}", getattr(module, name), at_least)


def _is_number(word: str) -> bool:
    try:
        return float(word) > 0
    except ValueError:
        return False


def ours(program: TableProgram, turns: str, backend: str) -> Playouts:
    """Return a function that plays whole games at a table, with turns counted by a track. Raises Usage."""
    tracks = {track.key: track for track in program.tracks}
    if turns not in tracks:
        raise Usage(f"{program.pack} has no track {turns}; its tracks: {', '.join(tracks)}")
    track = tracks[turns]
    many = many_games(program, range(track.address, track.address + track.count), backend)

    def play(_: int, games: int, seed: int) -> Games:
        played = many.play(seed, 0, games)
        failed = next((game for game, fault in enumerate(played.faults) if fault), None)
        if failed is not None:
            where = f"game {failed} of seed {seed}"
            raise Usage(f"a rule of {program.pack} fails in {where}: what has not ended cannot be compared")
        return list(zip(map(sum, zip(*played.cells, strict=True)), played.decisions, strict=True))

    return play


def _of_ours(one: Entrant, table: TableProgram, turns: str) -> Entrant:
    """Return a program; for a backend of ours, one that plays at a table."""
    return evolve(one, play=ours(table, turns, one.name)) if one.name in BACKENDS else one


def race(entrants: Sequence[Entrant], players: int, seconds: float, rounds: int, seed: int) -> list[ProgramRecord]:
    """Run rounds in which each program plays for about the given number of seconds."""
    numbers = [max(1, min(MOST, int(_settled(one, players, seed) * seconds))) for one in entrants]
    records = [ProgramRecord() for _ in entrants]
    for number in range(rounds):
        for one, games, record in zip(entrants, numbers, records, strict=True):
            record.speeds.append(_rate(one, players, games, seed + number, record))
    return records


def _settled(one: Entrant, players: int, seed: int) -> float:
    """Return the speed of a program after a warm-up, from enough games to be measurable."""
    one.play(players, WARM, seed)
    games = WARM
    while True:
        began = time.process_time()
        rate = _rate(one, players, games, seed, ProgramRecord())
        if time.process_time() - began > _TIMED or games >= MOST:
            return rate
        games = min(MOST, 10 * games)


def _rate(one: Entrant, players: int, games: int, seed: int, record: ProgramRecord) -> float:
    began = time.process_time()
    played = one.play(players, games, seed)
    seconds = time.process_time() - began
    for turns, decisions in played:
        record.turns.add(turns)
        record.decisions.add(decisions)
    return len(played) / max(seconds, 1e-9)


def apart(one: Numbers, other: Numbers) -> float:
    """Return the difference of two means in standard errors; for constant values, 0 or infinity."""
    difference = (one.mean or 0) - (other.mean or 0)
    error = hypot(one.standard_error or 0, other.standard_error or 0)
    return difference / error if error else float("inf") if difference else 0.0


def report(entrants: Sequence[Entrant], records: Sequence[ProgramRecord]) -> bool:
    """Print a line for each program; return whether all limits are met."""
    width = max(len(one.name) for one in entrants)
    print(
        f"{'':{width}}  {'games':>9} {'games/s':>9} {'ours':>8}  {'turns':>7} {'± s.e.':>7} {'apart':>6}"
        f"  {'decisions':>9} {'apart':>6}"
    )
    passed, first = True, records[0]
    for one, record in zip(entrants, records, strict=True):
        ratio = median(mine / theirs for mine, theirs in zip(first.speeds, record.speeds, strict=True))
        far, asked = apart(first.turns, record.turns), apart(first.decisions, record.decisions)
        shown = ("", "", "") if record is first else (f"{ratio:.3f} x", f"{far:+.2f}", f"{asked:+.2f}")
        slow, differing = one.at_least is not None and ratio < one.at_least, abs(far) > APART
        remarks = f"  TOO SLOW: at least {one.at_least:g}" if slow else ""
        remarks += "  TURNS DIFFER" if differing else ""
        print(
            f"{one.name:{width}}  {record.turns.count:9,} {median(record.speeds):9,.0f} {shown[0]:>8}"
            f"  {record.turns.mean:7.2f} {record.turns.standard_error or 0:7.3f} {shown[1]:>6}"
            f"  {record.decisions.mean:9.2f} {shown[2]:>6}{remarks}".rstrip()
        )
        passed = passed and not slow and not differing
    return passed


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; return 1 if a limit is not met or games differ, 2 if it cannot be made."""
    parser = command.arguments("beside", __doc__, 9)
    parser.add_argument("--players", help="3, 2-5 or 2,4; the fewest by default")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each of those compared, and round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("pack")
    parser.add_argument("--turns", required=True, metavar="TRACK", help="its cells together are a game's turns")
    parser.add_argument("--beside", nargs="+", action="append", default=[], metavar="FILE.py:FUNCTION AT_LEAST")
    parser.add_argument("--backend", choices=BACKENDS, default="native")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _compare(given))


def _compare(given: argparse.Namespace) -> bool:
    if given.rounds < 1 or not given.seconds > 0:
        raise Usage("there is nothing to measure without a round of some seconds")
    others = [entrant(words) for words in given.beside]
    if not others:
        raise Usage("there is nobody to play beside: give --beside")
    program = loading.compile_pack(given.pack).program
    passed = True
    for players in numbers_of_players(given.players, program, 0):
        table = loading.table(program, players, given.option)
        entrants = [
            Entrant(_TITLES.get(given.backend, given.backend), ours(table, given.turns, given.backend)),
            *(_of_ours(one, table, given.turns) for one in others),
        ]
        options = "".join(f", {option}" for option in given.option)
        print(f"{program.pack}, {players} players{options}: {given.rounds} rounds in turns, medians")
        passed &= report(entrants, race(entrants, players, given.seconds, given.rounds, given.seed))
    return passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
