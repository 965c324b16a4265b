"""Measure how fast the backends step through games of packs that are played at random.

    python -m rulewright.tools.bench.backends [PACK …] [--players 2-5] [--option K=V] [--rounds 5] [--seed 1]

Without a pack, the shipped games are measured, each with its fewest players. A step runs a state from an answer to
the next question, native code by the compiler that the package brings; a copy copies the whole state. Times are
processor times. `tools.bench.beside` measures whole games.

The exit code is 1 if a step of native code takes longer than 3 microseconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from statistics import median

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.native.module import NativeBackend
from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.table.nodes import ASKED, D_STATE, OVER, STATUS, TableProgram
from rulewright.tools.bench import command
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from rulewright.tools.packs.tables import numbers_of_players

BACKENDS = ("walker", "native")
STEP_AT_MOST = 3_000.0
"""Nanoseconds."""
STEPS = 400
"""The most steps of a game that are timed."""


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


def report(step: dict[str, float]) -> bool:
    """Print the measurements of a table; return whether the limit is met."""
    for name, nanoseconds in step.items():
        slow = name == "native" and nanoseconds > STEP_AT_MOST
        remark = f"  TOO SLOW: at most {STEP_AT_MOST:,.0f}" if slow else ""
        print(f"  {'copy' if name == 'copy' else f'step, {name}':14} {nanoseconds:11,.0f} ns{remark}")
    return step["native"] <= STEP_AT_MOST


def main(arguments: Sequence[str]) -> int:
    """Print the times; return 1 if the limit is not met, 2 if they cannot be measured."""
    parser = command.arguments("backends", __doc__, 5)
    parser.add_argument("--players", help="3, 2-5 or 2,4; the fewest by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("packs", nargs="*", metavar="PACK")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _compare(given))


def _compare(given: argparse.Namespace) -> bool:
    if given.rounds < 1:
        raise Usage("there is nothing to measure without a round")
    passed = True
    for name in given.packs or games_of_their_own():
        program = loading.compile_pack(name).program
        for players in numbers_of_players(given.players, program, 0):
            table = loading.table(program, players, given.option)
            options = "".join(f", {option}" for option in given.option)
            print(f"{program.pack}, {players} players{options}: {given.rounds} rounds, medians")
            passed &= report(steps(table, given.rounds, given.seed))
    return passed


def games_of_their_own() -> list[str]:
    """Return the shipped packs that extend no other."""
    return [name for name in loading.shipped() if len(loading.read_pack_set(name).files) == 1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
