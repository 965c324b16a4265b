"""Measure how fast the backends play packs at random, and copy native games.

    python -m tools.bench.backends [PACK …] [--players 2-5] [--option K=V] [--seconds 1] [--rounds 5] [--seed 1]

Without a pack, the shipped games are measured, each with its fewest players. The walker, generated Python, and
native code take turns playing the same whole games, as `rulewright simulate` does. Times are processor times;
ratios are relative to generated Python within each round, and their medians are shown. A clone copies one game to
another inside native code; `encode` converts a state to bytes with a checksum, in Python. Both use a game in its
middle.

The exit code is 1 if native code is less than 40 times as fast as generated Python, or if a clone takes longer than
150 nanoseconds at a table for two.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median

from attrs import frozen

from interpreter.backends.native.backend import NativeBackend
from interpreter.batch.batch import ManyGames
from interpreter.batch.factory import many_games
from interpreter.views.encoding import encode
from ruleset.table.nodes import TableProgram
from tools.bench import command
from tools.packs import loading
from tools.packs.tables import numbers_of_players

BACKENDS = ("walker", "python", "native")
AT_LEAST = 40.0
"""Required speed of native code relative to generated Python."""
CLONE_AT_MOST = 150.0
"""In nanoseconds, with two seats."""
CLONES, ENCODED = 200_000, 200
MIDDLE = 40
"""Number of decisions before a game is copied."""
_TIMED = 0.01
"""Shortest measurable time, in seconds."""


@frozen
class Pace:
    """The speed of each backend at a table: games per second in each round."""

    speeds: dict[str, list[float]]

    def ratio(self, backend: str) -> float:
        """Return the median, over the rounds, of the speed relative to generated Python."""
        return median(one / other for one, other in zip(self.speeds[backend], self.speeds["python"], strict=True))


def race(table: TableProgram, seconds: float, rounds: int, seed: int) -> Pace:
    """Run rounds in which each backend plays for about the given number of seconds."""
    playing = {backend: many_games(table, (), backend) for backend in BACKENDS}
    games = {backend: max(1, int(_settled(many, seed) * seconds)) for backend, many in playing.items()}
    speeds: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
    for number in range(rounds):
        for backend, many in playing.items():
            speeds[backend].append(_speed(many, seed + number, games[backend]))
    return Pace(speeds)


def _settled(many: ManyGames, seed: int) -> float:
    """Return games per second after a warm-up."""
    games = 1
    while True:
        began = time.process_time()
        speed = _speed(many, seed, games)
        if time.process_time() - began > _TIMED:
            return speed
        games *= 4


def _speed(many: ManyGames, seed: int, games: int) -> float:
    began = time.process_time()
    many.play(seed, 0, games)
    return games / max(time.process_time() - began, 1e-9)


def copies(table: TableProgram, rounds: int, seed: int) -> tuple[float, float]:
    """Return the median times of a native clone and of `encode`, in nanoseconds."""
    library = NativeBackend(table).library
    size = library.rw_size_of_game()
    one, other = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)
    for game, number in ((one, 0), (other, 1)):
        library.rw_start(game, ctypes.c_uint64(seed), ctypes.c_uint64(number))
        library.rw_play_on(game, ctypes.c_uint64(seed), MIDDLE)
    cells = (ctypes.c_int * table.layout.cells)()
    library.rw_store(one, cells)
    state = list(cells)
    cloned = _nanoseconds(lambda: library.rw_clone_often(other, one, CLONES), CLONES, rounds)

    def all_encoded() -> None:
        for _ in range(ENCODED):
            encode(table, state)

    return cloned, _nanoseconds(all_encoded, ENCODED, rounds)


def _nanoseconds(work: Callable[[], object], times: int, rounds: int) -> float:
    found = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        found.append(1e9 * (time.process_time() - began) / times)
    return median(found)


def report(table: TableProgram, pace: Pace, clone: float, encoded: float) -> bool:
    """Print the measurements of a table; return whether all limits are met."""
    passed = True
    for backend in BACKENDS:
        ratio = pace.ratio(backend)
        slow = backend == "native" and ratio < AT_LEAST
        shown = f"{ratio:.2f} x" if ratio < 10 else f"{ratio:.0f} x"
        remark = f"  TOO SLOW: at least {AT_LEAST:g}" if slow else ""
        print(f"  {backend:8} {median(pace.speeds[backend]):11,.0f} games/s {shown:>8}{remark}")
        passed = passed and not slow
    slow = table.seats == 2 and clone > CLONE_AT_MOST
    remark = f"  TOO SLOW: at most {CLONE_AT_MOST:g}" if slow else ""
    print(f"  clone    {clone:11,.0f} ns{remark}")
    print(f"  encode   {encoded:11,.0f} ns {encoded / clone:11.0f} x a clone")
    return passed and not slow


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; return 1 if a limit is not met, 2 if it cannot be made."""
    parser = command.arguments("backends", __doc__, 5)
    command.at_tables(parser, 1.0)
    parser.add_argument("packs", nargs="*", metavar="PACK")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _compare(given))


def _compare(given: argparse.Namespace) -> bool:
    command.measurable(given)
    passed = True
    for name in given.packs or games_of_their_own():
        program = loading.compile_pack(name).program
        for players in numbers_of_players(given.players, program, 0):
            table = loading.table(program, players, given.option)
            options = "".join(f", {option}" for option in given.option)
            print(f"{program.pack}, {players} players{options}: {given.rounds} rounds in turns, medians")
            pace = race(table, given.seconds, given.rounds, given.seed)
            passed &= report(table, pace, *copies(table, given.rounds, given.seed))
    return passed


def games_of_their_own() -> list[str]:
    """Return the shipped packs that extend no other."""
    return [name for name in loading.shipped() if len(loading.read_pack_set(name).files) == 1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
