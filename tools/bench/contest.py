"""How often a player wins against others in balanced games.

    python -m rulewright.tools.bench.contest [PACK:PLAYERS …] [--seat search:0.2s] [--games 12] [--jobs 2]
        [--seed 1]

Without a table, each shipped game is played by as few players as it allows. The player meets `random`, `greedy`,
and each bot of the pack. Both have half of the seats, in every arrangement; at a table of three, one of them has a
seat more, in turn. So an equal opponent wins half of the games. All arrangements play the same games, by number and
seed. A game is decided if all its winners are on one side. The share of the decided games is printed with its 95 %
interval. The exit code is 1 if a share is below its bar: 95 % against `random`, 75 % against `greedy`, 60 % against
a bot of the pack.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path

from attrs import frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.bench import command
from rulewright.tools.bench.backends import games_of_their_own
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import say
from rulewright.tools.common.seats import GREEDY, RANDOM, parse
from rulewright.tools.packs import loading
from rulewright.tools.simulation.columns import columns_of
from rulewright.tools.simulation.players import PlayedTable, player
from rulewright.tools.tournament import PairingScore, arrangements, counted, endings

BARS = {RANDOM: 0.95, GREEDY: 0.75}
BAR = 0.6
"""Against a bot of the pack."""


@frozen
class ContestMatch:
    """One player against another at a table of a pack."""

    pack: str
    players: int
    seat: str
    other: str
    games: int
    """Of each arrangement of the seats."""
    seed: int
    backend: str = AUTO

    @property
    def bar(self) -> float:
        return BARS.get(self.other, BAR)


def score(match: ContestMatch) -> PairingScore:
    """Play a match."""
    table, _ = loading.table_noted(loading.compile_pack(match.pack).program, match.players, ())
    scores = [_arranged(match, table, seats) for seats in arrangements(match.players)]
    return sum(scores, PairingScore(0, 0, 0))


def _arranged(match: ContestMatch, table: TableProgram, seats: Sequence[bool]) -> PairingScore:
    columns = columns_of(table, tracks=False)
    kinds = tuple(match.seat if own else match.other for own in seats)
    playing = player(PlayedTable(table, kinds, match.seed, match.backend), columns.addresses)
    playing.many.prepare()
    results = playing.play(0, match.games)
    return counted(endings(seats, columns.all(results).winners, results.faults))


def matches(tables: Sequence[str], seat: str, games: int, seed: int) -> Iterator[ContestMatch]:
    """Iterate over the matches of a player at tables, each given as `PACK:PLAYERS`. Raises Usage."""
    for table in tables:
        pack, _, players = table.rpartition(":")
        if not pack or not players.isdecimal():
            raise Usage(f"a table is a pack and its number of players, for example PACK:4; found {table!r}")
        program = loading.compile_pack(pack).program
        bots = [bot.key for bot in program.bots]
        parse(seat, (RANDOM, GREEDY, "search", *bots))
        for other in (RANDOM, GREEDY, *bots):
            yield ContestMatch(pack, int(players), seat, other, games, seed)


def shipped() -> list[str]:
    """Return a table of each shipped game."""
    found = []
    for folder in games_of_their_own():
        program = loading.compile_pack(str(folder)).program
        found.append(f"{folder}:{program.least_players}")
    return found


def line(match: ContestMatch, score: PairingScore) -> str:
    """Return a line of the report."""
    low, high = score.interval
    where = f"{Path(match.pack).name}, {match.players} players"
    met = "" if score.share >= match.bar else f"   below {match.bar:.0%}"
    share = f"{score.share:>6.1%} ({low:.0%} to {high:.0%})"
    return f"{where:<27} {match.other:<13} {score.won:>4} {score.lost:>4} {score.undecided:>4}   {share:<22}{met}"


def main(arguments: Sequence[str]) -> int:
    """Print the shares; return 1 if one is below its bar."""
    first_line = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m rulewright.tools.bench.contest", description=first_line)
    parser.add_argument("tables", nargs="*", metavar="PACK:PLAYERS")
    parser.add_argument("--seat", default="search:0.2s")
    parser.add_argument("--games", type=int, default=12, help="of each arrangement of the seats")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)

    def compare() -> bool:
        asked = list(matches(given.tables or shipped(), given.seat, given.games, given.seed))
        say(f"{'table':<27} {'against':<13} {'won':>4} {'lost':>4} {'else':>4}   share of decided games")
        met = True
        with get_context("spawn").Pool(given.jobs) as pool:
            for match, found in zip(asked, pool.imap(score, asked), strict=True):
                say(line(match, found))
                met &= found.share >= match.bar
        return met

    return command.ended(compare)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
