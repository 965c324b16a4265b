"""How fast games are played while decisions are counted, relative to the same games without.

    python -m rulewright.tools.bench.counting [PACK …] [--players 3] [--seats BOT] [--option K=V] [--seconds 0.5]
        [--rounds 9]

Without a pack, the shipped games are measured, each with its fewest players; without `--seats`, with random players
and with each bot of the pack in all seats. Both ways take turns playing the same games in native code, as
`rulewright simulate` does with and without `--usage`. Times are processor times; the ratio is that of each round,
and its median is shown. The exit code is 1 if counting takes more than it may: a ratio below 0.7.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import median

from attrs import frozen

from rulewright.interpreter.batch.batch import ManyGames
from rulewright.interpreter.batch.factory import many_games
from rulewright.interpreter.counting import Folder, GameGrouping, counted, with_starter
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.bench import command
from rulewright.tools.bench.backends import games_of_their_own
from rulewright.tools.common.output import say
from rulewright.tools.common.seats import RANDOM, bots_of
from rulewright.tools.packs import loading
from rulewright.tools.packs.tables import numbers_of_players
from rulewright.tools.simulation.columns import columns_of

AT_LEAST = 0.7
"""Required speed relative to games that are not counted."""
NATIVE = "native"
_FIRST = 200
_MOST = 10**9
"""So many games belong to one run: a round is a small part of it."""


@frozen
class Race:
    """Games per second in each round, without and with counting."""

    plain: list[float]
    counting: list[float]

    @property
    def ratio(self) -> float:
        return median(one / other for one, other in zip(self.counting, self.plain, strict=True))


def race(table: TableProgram, bot: str, seconds: float, rounds: int, seed: int) -> Race:
    """Run rounds in which both ways play the same games, for about the given number of seconds."""
    addresses, seats = columns_of(table, starter=True).addresses, bots_of((bot,) * table.seats)
    folder = Folder(counted(table), GameGrouping(0, _MOST))
    plain = many_games(with_starter(table).program, addresses, NATIVE, seats)
    counting = many_games(table, addresses, NATIVE, seats, folder)
    games = _FIRST
    while (taken := _timed(plain, games, seed)) < seconds / 4:
        games *= 4
    games = max(1, int(games * seconds / taken))
    _timed(counting, max(1, games // 10), seed)
    found = Race([], [])
    for number in range(rounds):
        for speeds, many in ((found.plain, plain), (found.counting, counting)):
            speeds.append(games / max(1e-9, _timed(many, games, seed + number)))
    return found


def _timed(many: ManyGames, games: int, seed: int) -> float:
    """Return the seconds of the processor that games take."""
    began = time.process_time()
    many.play(seed, 0, games)
    return time.process_time() - began


def line(name: str, bot: str, found: Race, at_least: float) -> str:
    """Return a line of the report."""
    slow = "" if found.ratio >= at_least else f"   TOO SLOW: at least {at_least:g}"
    plain, counting = (f"{median(speeds):>10,.0f}" for speeds in (found.plain, found.counting))
    return f"{name:<26} {bot:<13} {plain} {counting}   {found.ratio:.2f} x{slow}"


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; return 1 if a limit is not met, 2 if it cannot be made."""
    parser = command.arguments("counting", __doc__, 9)
    command.at_tables(parser, 0.5)
    parser.add_argument("packs", nargs="*", metavar="PACK")
    parser.add_argument("--seats", metavar="BOT", help="the player of all seats")
    parser.add_argument("--at-least", type=float, default=AT_LEAST)
    given = parser.parse_args(arguments)
    return command.ended(lambda: _all(given))


def _all(given: argparse.Namespace) -> bool:
    command.measurable(given)
    say(f"{'table':<26} {'players':<13} {'games/s':>10} {'counted':>10}   {given.rounds} rounds in turns, medians")
    passed = True
    for name, table, bot in _tables(given):
        found = race(table, bot, given.seconds, given.rounds, given.seed)
        say(line(name, bot, found, given.at_least))
        passed &= found.ratio >= given.at_least
    return passed


def _tables(given: argparse.Namespace) -> Iterator[tuple[str, TableProgram, str]]:
    for pack in given.packs or games_of_their_own():
        program = loading.compile_pack(pack).program
        for players in numbers_of_players(given.players, program, 0):
            table = loading.table(program, players, given.option)
            bots = [given.seats] if given.seats else [RANDOM, *(bot.key for bot in program.bots)]
            for bot in bots:
                yield f"{program.pack}, {players} players", table, bot


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
