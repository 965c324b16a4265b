"""The engine beside the hand-written game: the same statistics, and games per second, in one run.

`python -m tests.yardsticks.compare -n 20000` prints, for each number of players, every statistic of both with
the difference in standard errors, then the speeds: generated Python and the walker over plain Python, as ratios
taken in turn. Random legal play on both sides.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path
from statistics import median
from time import perf_counter

from attrs import frozen

from interpreter.backend import make
from interpreter.chance import Stream
from interpreter.playout import play_out
from interpreter.python_playing import PlayingBackend
from ruleset.load import load
from ruleset.lower import lower
from ruleset.table import TableProgram
from tests.yardsticks import rattus_cartus as plain

PACK = Path(__file__).parents[2] / "content" / "rattus-cartus"
LEFT_OUT = ("reshuffles",)
"""Statistics that the state of a finished game does not tell."""


@frozen
class Row:
    """One statistic: both means, and how many standard errors of their difference lie between them."""

    name: str
    engine: float
    plain: float
    distance: float


def table_of(players: int) -> TableProgram:
    program = load(PACK).program
    assert program is not None
    return lower(program, players)


def result_of(program: TableProgram, state: list[int], decisions: int) -> plain.Result:
    """A finished game of the engine as the hand-written game tells its own."""
    tracks = {track.key: track for track in program.tracks}
    zones = {zone.key: zone for zone in program.zones}

    def per_seat(key: str) -> tuple[int, ...]:
        address = tracks[key].address
        return tuple(state[address : address + program.seats])

    def held(key: str) -> list[int]:
        address = zones[key].address
        return state[address + 1 : address + 1 + state[address]]

    nuns = sum(int(program.cards[card].key.rsplit("-", 1)[1]) for card in held("nun-row"))
    row = {2: 2, 3: 2, 4: 3, 5: 3}[program.seats]
    return plain.Result(
        scores=per_seat("score"),
        rats=per_seat("rats"),
        nuns=nuns,
        eliminated=tuple(not alive for alive in per_seat("in-game")),
        winners=tuple(seat for seat, won in enumerate(per_seat("winner")) if won),
        rounds=len(held("box")) // row,
        decisions=decisions,
        reshuffles=0,
        tokens=tuple(len(held(f"tokens/{seat + 1}")) for seat in range(program.seats)),
    )


def engine_results(program: TableProgram, games: int, seed: int) -> Iterator[plain.Result]:
    playing = PlayingBackend(program)
    for game in range(games):
        state = playing.start(seed, game)
        decisions = playing.play(state, Stream(seed, game))
        yield result_of(program, state, decisions)


def compare(players: int, games: int, seed: int) -> list[Row]:
    """Every statistic of so many games of each."""
    engine = plain.summarise(list(engine_results(table_of(players), games, seed)))
    chance = random.Random(seed)
    yardstick = plain.summarise([plain.play(players, chance) for _ in range(games)])
    rows = []
    for name, own in engine.items():
        if name in LEFT_OUT:
            continue
        other = yardstick[name]
        error = sqrt(own["se"] ** 2 + other["se"] ** 2)
        apart = own["mean"] - other["mean"]
        distance = apart / error if error else 0.0 if abs(apart) < 1e-9 else float("inf")
        rows.append(Row(name, own["mean"], other["mean"], distance))
    return rows


def speeds(players: int, rounds: int = 7) -> tuple[float, float, float]:
    """Games per second of plain Python, and the ratios to it of generated Python and of the walker (medians)."""
    program = table_of(players)
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
        plain.play(players, chance)

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


def main() -> None:
    """Prints the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--speed-only", action="store_true")
    given = parser.parse_args()
    for players in given.players:
        if not given.speed_only:
            print(
                f"{players} players, {given.games} games each: engine, plain Python, difference in standard errors"
            )
            for row in compare(players, given.games, given.seed):
                print(f"  {row.name:16} {row.engine:10.4f} {row.plain:10.4f} {row.distance:+7.2f}")
        hands, own, walks = speeds(players)
        print(
            f"{players} players: generated Python {own:.3f} x plain Python ({hands:.0f} games/s), "
            f"walker {walks:.4f} x"
        )


if __name__ == "__main__":
    main()
