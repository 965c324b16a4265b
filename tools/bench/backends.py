"""Measure how fast the backends play packs at random, whole games and step by step.

    python -m rulewright.tools.bench.backends [PACK …] [--players 2-5] [--option K=V] [--seconds 1] [--rounds 5]
        [--seed 1]

Without a pack, the shipped games are measured, each with its fewest players. The walker and native code take turns
playing the same whole games, as `rulewright simulate` does; native code is that of the machine's compiler. Times
are processor times; the ratio within each round is relative to the walker, and its median is shown. A step runs a
state from an answer to the next question, by the compiler that the package brings; a copy copies the whole state.

The exit code is 1 if native code is less than 100 times as fast as the walker, or if one of its steps takes longer
than 3 microseconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from statistics import median

from attrs import frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.native.module import NativeBackend
from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.batch.batch import ManyGames
from rulewright.interpreter.batch.factory import many_games
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.table.nodes import ASKED, D_STATE, OVER, STATUS, TableProgram
from rulewright.tools.bench import command
from rulewright.tools.packs import loading
from rulewright.tools.packs.tables import numbers_of_players

BACKENDS = ("walker", "native")
AT_LEAST = 100.0
"""Required speed of native code relative to the walker."""
STEP_AT_MOST = 3_000.0
"""Nanoseconds."""
STEPS = 400
"""The most steps of a game that are timed."""
_TIMED = 0.01
"""Shortest measurable time, in seconds."""


@frozen
class BackendSpeed:
    """The speed of each backend at a table: games per second in each round."""

    speeds: dict[str, list[float]]

    def ratio(self, backend: str) -> float:
        """Return the median, over the rounds, of the speed relative to the walker."""
        return median(one / other for one, other in zip(self.speeds[backend], self.speeds["walker"], strict=True))


def race(table: TableProgram, seconds: float, rounds: int, seed: int) -> BackendSpeed:
    """Run rounds in which each backend plays for about the given number of seconds."""
    playing = {backend: many_games(table, (), backend) for backend in BACKENDS}
    games = {backend: max(1, int(_settled(many, seed) * seconds)) for backend, many in playing.items()}
    speeds: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
    for number in range(rounds):
        for backend, many in playing.items():
            speeds[backend].append(_speed(many, seed + number, games[backend]))
    return BackendSpeed(speeds)


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


def steps(table: TableProgram, rounds: int, seed: int) -> dict[str, float]:
    """Return median times in nanoseconds: of a step of each backend, from an answer to the next question, and of a
    copy of a state.
    """
    native = NativeBackend(table)
    begun: list[array[int]] = []
    player, state, stream = RandomPlayer(table), native.start(seed), Stream(seed)
    while len(begun) < STEPS and state[STATUS] != OVER:
        begun.append(state[:])
        native.run(state)
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                native.answer(state, seat, player.choose(state, seat, stream))

    def timed(run: Callable[[array[int]], object]) -> float:
        return _nanoseconds(lambda: [run(one[:]) for one in begun], len(begun), rounds)

    copied = timed(len)
    found = {backend: timed(make(table, backend).run) - copied for backend in BACKENDS}
    return {**found, "copy": copied}


def _nanoseconds(work: Callable[[], object], times: int, rounds: int) -> float:
    found = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        found.append(1e9 * (time.process_time() - began) / times)
    return median(found)


def report(pace: BackendSpeed, step: dict[str, float]) -> bool:
    """Print the measurements of a table; return whether all limits are met."""
    passed = True
    for backend in BACKENDS:
        ratio = pace.ratio(backend)
        slow = backend == "native" and ratio < AT_LEAST
        shown = f"{ratio:.2f} x" if ratio < 10 else f"{ratio:.0f} x"
        remark = f"  TOO SLOW: at least {AT_LEAST:g}" if slow else ""
        print(f"  {backend:8} {median(pace.speeds[backend]):11,.0f} games/s {shown:>8}{remark}")
        passed = passed and not slow
    for name, nanoseconds in step.items():
        slow = name == "native" and nanoseconds > STEP_AT_MOST
        remark = f"  TOO SLOW: at most {STEP_AT_MOST:,.0f}" if slow else ""
        print(f"  {'copy' if name == 'copy' else f'step, {name}':14} {nanoseconds:11,.0f} ns{remark}")
        passed = passed and not slow
    return passed


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
            passed &= report(pace, steps(table, given.rounds, given.seed))
    return passed


def games_of_their_own() -> list[str]:
    """Return the shipped packs that extend no other."""
    return [name for name in loading.shipped() if len(loading.read_pack_set(name).files) == 1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
