"""The engine beside the hand-written game: the same statistics, and games per second, in one run.

`python -m tests.yardsticks.compare -n 20000` prints, for each way of choosing the buildings and each number of
players, every statistic of both with the difference in standard errors, then the speeds: generated Python and the
walker over plain Python, as ratios taken in turn. Random legal play on both sides. Of k statistics that agree about
k/370 lie more than 3 standard errors apart by chance; the last line tells the largest distance of all, and the
bound (Šidák's) that all of them together keep in 99 of 100 runs. Exit code 1 says that the bound was left, or that
the hand-written rules reckon the end of some game otherwise.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import NormalDist, median
from time import perf_counter

from attrs import frozen

from interpreter.backend import make
from interpreter.chance import Stream
from interpreter.playout import play_out
from interpreter.python_playing import PlayingBackend
from tests.yardsticks import rattus_cartus as plain
from tests.yardsticks.rattus_cartus_cards import FIRST_GAME, HAPPENINGS, Options
from tests.yardsticks.rattus_cartus_engine import results, table_of, watched_results
from tests.yardsticks.rattus_cartus_figures import summarise

TABLES = {
    "first-game": FIRST_GAME,
    "listed": Options("listed", (3, 2, 1, 4, 2, 3), fewest_rats=True),
    "second-set": Options("listed", (0,) * 6),
    "agreed": Options("agreed"),
    "types-drawn": Options("types-drawn"),
    "cards-drawn": Options("cards-drawn", fewest_rats=True),
}
"""The tables that are compared."""

WATCHED = ("reshuffles", *HAPPENINGS)
"""Statistics that the state of a finished game does not tell."""

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
        """Whether chance has a part in it; the number of rounds has none."""
        return self.distance != 0


@frozen
class Comparison:
    """All statistics of one table, and how often each check of a finished game failed."""

    rows: tuple[Row, ...]
    faults: Counter[str]


def compare(options: Options, players: int, games: int, seed: int, watched: int) -> Comparison:
    """Every statistic of so many games of each.

    The engine's events are read in the first `watched` ones; with 0, statistics that need them are left out.
    """
    program = table_of(players, options)
    played, faults = [], Counter[str]()
    for result, wrong in results(program, options, games, seed):
        played.append(result)
        faults.update(wrong)
    chance = random.Random(seed)
    yardstick = summarise([plain.play(players, chance, options) for _ in range(games)])
    engine = summarise(played)
    seen = summarise(list(watched_results(program, watched, seed))) if watched else None
    rows = []
    for name, other in yardstick.items():
        own, number = engine[name], games
        if name in WATCHED:
            if seen is None:
                continue
            own, number = seen[name], watched
        apart = own["mean"] - other["mean"]
        rows.append(
            Row(name, own["mean"], other["mean"], standard_errors(apart, own["se"], number, other["se"], games))
        )
    return Comparison(tuple(rows), faults)


def standard_errors(apart: float, own: float, number: int, other: float, games: int) -> float:
    """A difference of two means in standard errors, given those of the means and how many games they are from.

    The variances are pooled: were the games the same, so would these be, and of something rare the smaller sample
    alone tells too little.
    """
    squares = own**2 * number * (number - 1) + other**2 * games * (games - 1)
    error = sqrt(squares / (number + games - 2) * (1 / number + 1 / games))
    return apart / error if error else 0.0 if abs(apart) < 1e-9 else float("inf")


def bound(statistics: int, level: float = 0.01) -> float:
    """How far apart, in standard errors, the furthest of so many equal statistics is at this level (Šidák)."""
    each = 1 - (1 - level) ** (1 / max(1, statistics))
    return NormalDist().inv_cdf(1 - each / 2)


def speeds(options: Options, players: int, rounds: int = 7) -> tuple[float, float, float]:
    """Games per second of plain Python, and the ratios to it of generated Python and of the walker (medians)."""
    program = table_of(players, options)
    playing, walker = PlayingBackend(program), make(program, "walker")
    chance = random.Random(1)
    number = iter(range(10**9))

    def generated() -> None:
        game = next(number)
        playing.play(playing.start(1, game), Stream(1, game))

    def walked() -> None:
        game = next(number)
        play_out(walker, walker.start(1, game), Stream(1, game))

    def by_hand() -> None:
        plain.play(players, chance, options)

    def rate(play: Callable[[], None], games: int) -> float:
        start = perf_counter()
        for _ in range(games):
            play()
        return games / (perf_counter() - start)

    rate(generated, 50)
    own, walks, hands = [], [], []
    for _ in range(rounds):
        hand = rate(by_hand, 600)
        own.append(rate(generated, 200) / hand)
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
    """Prints how far everything is apart; whether the two games agree."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--games", type=int, default=20_000)
    parser.add_argument(
        "--watched", type=int, help="games whose events are read, 0 or at least 2; a tenth by default"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--tables", nargs="*", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--brief", action="store_true", help="print only statistics far apart")
    parser.add_argument("--speed-only", action="store_true")
    parser.add_argument("--no-speed", action="store_true")
    given = parser.parse_args(arguments)
    watched = max(2, given.games // 10) if given.watched is None else given.watched
    comparisons = []
    for name in given.tables:
        for players in given.players:
            if not given.speed_only:
                print(
                    f"{name}, {players} players, {given.games} games each ({watched} watched): "
                    "engine, plain Python, difference in standard errors",
                    flush=True,
                )
                comparisons.append(compare(TABLES[name], players, given.games, given.seed, watched))
                show(comparisons[-1], given.brief)
            if not given.no_speed:
                hands, own, walks = speeds(TABLES[name], players)
                print(
                    f"{name}, {players} players: generated Python {own:.3f} x plain Python ({hands:.0f} games/s), "
                    f"walker {walks:.4f} x",
                    flush=True,
                )
    return 0 if verdict(comparisons) else 1


if __name__ == "__main__":
    sys.exit(main())
