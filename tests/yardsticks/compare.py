"""Compare the engine with games written by hand: statistics, and games per second.

`python -m tests.yardsticks.compare dominion -n 2000` prints, for each table of the game and each number of
players, every statistic of both with the difference in standard errors, then the speeds: stepped Python and the
walker over plain Python, as ratios taken in turn. Without a game all of them are compared. Random legal play on
both sides. Of k statistics that agree about k/370 lie more than 3 standard errors apart by chance; the last line
tells the largest distance of all, and the bound (Šidák's) that all of them together keep in 99 of 100 runs. Exit
code 1 says that the bound was left, or that the hand-written rules find something wrong in a finished game.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from statistics import NormalDist, median
from time import process_time

from attrs import frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.chance import Stream
from tests.yardsticks.engine import finished, watched
from tests.yardsticks.matches import Contest, Match
from tests.yardsticks.summary import bound, standard_errors, summarise

GAMES = {
    "coup": "tests.yardsticks.coup_engine",
    "dominion": "tests.yardsticks.dominion_engine",
    "rattus-cartus": "tests.yardsticks.rattus_cartus_engine",
}
"""The games that are compared, and the module of each with its `CONTEST`."""

TELLING = 3.0
"""Rows further apart are marked."""


@frozen
class Row:
    """One statistic: both means, and how many standard errors of their difference lie between them."""

    name: str
    engine: float
    plain: float
    distance: float

    @property
    def varies(self) -> bool:
        """Whether chance has a part in it; some statistics are the same in every game."""
        return self.distance != 0


@frozen
class Comparison:
    """All statistics of one match, and how often each check of a finished game failed."""

    rows: tuple[Row, ...]
    faults: Counter[str]


def contest_of(game: str) -> Contest:
    """What there is to compare of a game."""
    contest: Contest = import_module(GAMES[game]).CONTEST
    return contest


def compare(match: Match, games: int, seed: int, seen: int) -> Comparison:
    """Every statistic of so many games of each.

    The engine's events are read in the first `seen` ones; with 0, statistics that need them are left out.
    """
    read, faults = [], Counter[str]()
    for state, decisions in finished(match.program, games, seed):
        read.append(match.read(state, decisions, None))
        faults.update(match.faults(state))
    chance = random.Random(seed)
    plain = summarise([match.by_hand(chance) for _ in range(games)])
    engine = summarise(read)
    told = summarise([match.read(*game) for game in watched(match.program, seen, seed)]) if seen else {}
    assert set(engine) == set(plain), "both sides have the same statistics"
    rows = []
    for name, other in plain.items():
        own = told.get(name) if name in match.unseen else engine[name]
        if own is not None:
            rows.append(Row(name, own.mean, other.mean, standard_errors(own, other)))
    return Comparison(tuple(rows), faults)


def speeds(match: Match, rounds: int = 7) -> tuple[float, float, float]:
    """Games per second of plain Python, and the ratios to it of native steps and of the walker (medians)."""
    native, walker = make(match.program), make(match.program, "walker")
    chance = random.Random(1)
    number = iter(range(10**9))

    def stepped() -> None:
        game = next(number)
        play_out(native, native.start(1, game), Stream(1, game))

    def walked() -> None:
        game = next(number)
        play_out(walker, walker.start(1, game), Stream(1, game))

    def by_hand() -> None:
        match.play(chance)

    def rate(play: Callable[[], None], games: int) -> float:
        start = process_time()
        for _ in range(games):
            play()
        return games / (process_time() - start)

    rate(stepped, 50)
    own, walks, hands = [], [], []
    for _ in range(rounds):
        hand = rate(by_hand, 600)
        own.append(rate(stepped, 200) / hand)
        hands.append(rate(by_hand, 600))
        walks.append(rate(walked, 15) / hands[-1])
    return median(hands), median(own), median(walks)


def show(comparison: Comparison, brief: bool) -> None:
    """Prints the rows, or of many only those that are telling."""
    for row in comparison.rows:
        mark = " <" if abs(row.distance) > TELLING else ""
        if mark or not brief:
            print(f"  {row.name:24} {row.engine:10.4f} {row.plain:10.4f} {row.distance:+7.2f}{mark}")
    for fault, number in sorted(comparison.faults.items()):
        print(f"  {number} games whose {fault} the hand-written rules find otherwise")


def verdict(comparisons: Sequence[Comparison]) -> bool:
    """Prints how far everything is apart; whether the two sides agree."""
    distances = [abs(row.distance) for one in comparisons for row in one.rows if row.varies]
    if not distances:
        return True
    most, furthest = bound(len(distances)), max(distances)
    beyond = sum(distance > TELLING for distance in distances)
    by_chance = len(distances) * 2 * (1 - NormalDist().cdf(TELLING))
    print(
        f"{len(distances)} statistics: the furthest {furthest:.2f} standard errors apart (bound {most:.2f}), "
        f"{beyond} beyond {TELLING:.0f} ({by_chance:.1f} by chance)"
    )
    return furthest <= most and not any(one.faults for one in comparisons)


def _given(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, with the matches that they ask for: pairs of a title and a match."""
    parser = argparse.ArgumentParser(prog="python -m tests.yardsticks.compare", description=__doc__)
    parser.add_argument("game", nargs="*", help=f"of {', '.join(GAMES)}; all by default")
    parser.add_argument("-n", "--games", type=int, default=20_000, help="games of each match, at least 2")
    parser.add_argument(
        "--watched", type=int, help="games whose events are read, 0 or at least 2; a tenth by default"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="*", help="as many as each game knows by default")
    parser.add_argument("--tables", nargs="*", help="all by default")
    parser.add_argument("--brief", action="store_true", help="print only statistics far apart")
    parser.add_argument("--speed-only", action="store_true")
    parser.add_argument("--no-speed", action="store_true")
    given = parser.parse_args(arguments)
    if given.watched is None:
        given.watched = max(2, given.games // 10)
    for game in given.game:
        if game not in GAMES:
            parser.error(f"there is no game {game}; there are {', '.join(GAMES)}")
    if given.games < 2 or given.watched == 1 or given.watched < 0:
        parser.error("a standard error needs at least 2 games")
    given.matches = [
        (f"{game}, {table}, {players} players", make_match(players))
        for game in given.game or GAMES
        for table, make_match in contest_of(game).tables.items()
        for players in contest_of(game).players
        if (given.tables is None or table in given.tables) and (given.players is None or players in given.players)
    ]
    if not given.matches:
        parser.error("there is no such table")
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the comparison."""
    given = _given(arguments)
    comparisons: list[Comparison] = []
    matches: Iterable[tuple[str, Match]] = given.matches
    for title, match in matches:
        if not given.speed_only:
            print(
                f"{title}, {given.games} games each ({given.watched} watched): "
                "engine, plain Python, difference in standard errors",
                flush=True,
            )
            comparisons.append(compare(match, given.games, given.seed, given.watched))
            show(comparisons[-1], given.brief)
        if not given.no_speed:
            hands, own, walks = speeds(match)
            print(
                f"{title}: stepped Python {own:.3f} x plain Python ({hands:.0f} games/s), walker {walks:.4f} x",
                flush=True,
            )
    return 0 if verdict(comparisons) else 1


if __name__ == "__main__":
    sys.exit(main())
