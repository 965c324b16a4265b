"""Search for better numbers with CMA-ES, and compare the best with the original in other worlds."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from attrs import define, field, frozen

from rulewright.tools import VERSION
from rulewright.tools.balance.estimates import bounds, units
from rulewright.tools.common.output import StyledText, TextTable, many
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.simulation.output.simulate_report import rounded
from rulewright.tools.simulation.statistics import MeanDifference, paired
from rulewright.tools.tuning.trials import BLOCK, COMPARED, BotNumber, OpenBot, Tallies, Trials, expressions

Values = tuple[int, ...]

MOST_TIMES = 100
"""A number becomes at most 100 times as large; 0 counts as 1."""
STEP = 0.25
"""The first standard deviation of the search, in powers of ten."""
LEAST_STEP = 0.08
GENERATIONS = 40
"""Generations among which the time is shared out; if there is more time, more follow."""
WORLDS = (50, 5000)
"""Fewest and most worlds of a generation, if their number follows from the time."""
FIXED_WORLDS = 400
"""Worlds of a generation, if the number of generations is given."""
CHOOSING_TIMES, COMPARED_TIMES = 4, 20
"""Choice and comparison have so many times the worlds of a generation, if the number of generations is given."""
FEWEST_COMPARED, MOST_COMPARED = 400, 200_000
PILOT = 200
SEARCHING, CHOOSING = 0.6, 0.1
"""Shares of the time for the search, and for each of two choices; the rest is for the comparison."""
KEPT = 6
"""The best candidates of so many generations are looked at again."""
AFTER_INTERRUPT = 5.0
"""Seconds for the comparison after an interrupt of the search."""
_WORLDS_OF = 10**9
"""Search, choice and comparison begin at multiples of this number, so that none knows the worlds of another."""


@frozen
class TuningRequest:
    """What is tuned, and for how long: `seconds`, or a number of `generations`, which needs no clock.

    `least` is the least value of each number. `opponents` are bots of the table; empty: a random player.
    """

    table: OpenBot
    least: Values
    opponents: tuple[str, ...]
    seed: int
    seconds: float
    generations: int | None = None
    worlds: int | None = None


@frozen
class TunedValues:
    """The best values, with what they gain over the original ones: by measure, a mean with its interval.

    `values` are the original ones if no others seemed better. `candidates` and `worlds` are those of a generation,
    `compared` are the worlds of the comparison, and `games` all games that were played.
    """

    values: Values
    gains: dict[str, MeanDifference]
    generations: int
    candidates: int
    worlds: int
    compared: int
    games: int
    backend: str
    interrupted: bool


class TuningRunner(Protocol):
    """Plays trials. Returns the counts so far, the backend, and whether it was interrupted."""

    def __call__(self, work: Trials) -> tuple[Tallies, str, bool]: ...


def search(
    request: TuningRequest, run: TuningRunner, planned: Callable[[int], None], stopped: Callable[[], bool]
) -> TunedValues:
    """Tune a bot.

    `planned` gets the expected number of games, again when more is known; `stopped` says whether an interrupt came,
    also between two runs.
    """
    return _Search(request, run, planned, stopped).found()


@define
class _Search:
    """One search. With given generations nothing depends on the clock."""

    request: TuningRequest
    run: TuningRunner
    planned: Callable[[int], None]
    stopped: Callable[[], bool]
    scale: int = 1
    games: int = 0
    pace: float = 0.0
    """Games of one candidate in a second, in all processes."""
    backend: str = ""
    interrupted: bool = False
    worlds: int = 0
    generations: int = 0
    bests: list[tuple[float, Values]] = field(factory=list)
    """The best candidate of each generation, with its gain in a game there."""
    began: float = field(factory=time.monotonic)

    def found(self) -> TunedValues:
        """Search, choose, and compare."""
        request, original = self.request, self.request.table.original
        pilot = self._play((original,), 0, PILOT)
        spread = math.sqrt(max(0.0, _variance(pilot)))
        self.scale = max(1, round(2 * spread))
        strategy = _Strategy(request)
        if request.generations is None:
            self._play((original,), PILOT, PILOT)  # the first games have waited for the compiler
        else:
            self.planned(self._expected(strategy.candidates))
        if not self.interrupted:
            self._generations(strategy)
        best = self._simplified(self._chosen(strategy))
        if best == original:
            return self._result(original, {}, 0, strategy.candidates)
        compared = self._play((original, best), 3 * _WORLDS_OF, self._comparing())
        gains = {name: _gain(compared, name, request.table.program.seats) for name in COMPARED}
        return self._result(best, gains, compared.games, strategy.candidates)

    def _result(
        self, values: Values, gains: dict[str, MeanDifference], compared: int, candidates: int
    ) -> TunedValues:
        return TunedValues(
            values, gains, self.generations, candidates, self.worlds, compared, self.games, self.backend,
            self.interrupted,
        )  # fmt: skip

    # -------------------------------------------------------------- the parts of the search

    def _generations(self, strategy: _Strategy) -> None:
        """Try candidates, generation after generation, each in worlds of its own."""
        start, request = PILOT * 2, self.request
        while self._goes_on():
            points, candidates = strategy.ask()
            tried = tuple(dict.fromkeys((request.table.original, *candidates)))
            self.worlds = self._in_generation(len(tried))
            found = self._play(tried, start, self.worlds)
            start += self.worlds
            if self.interrupted:
                return
            worth = dict(zip(tried, found.worth, strict=True))
            strategy.tell(points, [worth[one] for one in candidates])
            best = max(candidates, key=lambda one: (worth[one], one))
            self.bests.append(((worth[best] - found.worth[0]) / max(1, found.games), best))
            self.generations += 1

    def _chosen(self, strategy: _Strategy) -> Values:
        """Return the best of the original and the best candidates, by worlds in which none of them was tried.

        After an interrupt, it is the one with the largest gain in its generation.
        """
        original = self.request.table.original
        last = strategy.middle() if self.generations else original
        bests = dict.fromkeys(best for _, best in sorted(self.bests, reverse=True))
        some = tuple(dict.fromkeys((original, *list(bests)[:KEPT], last)))
        if len(some) == 1 or self.interrupted:
            return some[-1] if len(some) == 1 else some[1]
        found = self._play(some, _WORLDS_OF, self._choosing(len(some), SEARCHING + CHOOSING))
        return max(zip(found.worth, reversed(range(len(some))), some, strict=True))[2]

    def _simplified(self, best: Values) -> Values:
        """Return the best values without the changes that gain nothing."""
        original = self.request.table.original
        changed = [place for place, value in enumerate(best) if value != original[place]]
        if not changed or self.interrupted:
            return best
        some = (best, *(_with(best, place, original[place]) for place in changed))
        worlds = self._choosing(len(some), SEARCHING + 2 * CHOOSING)
        worth = self._play(some, 2 * _WORLDS_OF, worlds).worth
        for place, without in zip(changed, worth[1:], strict=True):
            if without >= worth[0]:
                best = _with(best, place, original[place])
        return best

    def _play(self, candidates: tuple[Values, ...], start: int, worlds: int) -> Tallies:
        request, began = self.request, time.monotonic()
        if request.generations is None and self.pace:
            self.planned(self.games + int(self._left(1.0) * self.pace))
        work = Trials(request.table, candidates, request.opponents, start, worlds, request.seed, self.scale)
        found, self.backend, interrupted = self.run(work)
        self.interrupted |= interrupted or self.stopped()
        played = found.games * len(candidates)
        self.games += played
        self.pace = played / max(1e-3, time.monotonic() - began)
        return found

    # -------------------------------------------------------------- how much is played

    def _left(self, share: float) -> float:
        """Return the seconds until a share of the time is over."""
        return max(0.0, share * self.request.seconds - (time.monotonic() - self.began))

    def _goes_on(self) -> bool:
        if self.request.generations is not None:
            return self.generations < self.request.generations
        return self._left(SEARCHING) > 0 or self.generations < 1

    def _in_generation(self, candidates: int) -> int:
        if self.request.generations is not None:
            return self._whole(self.request.worlds or FIXED_WORLDS)
        rest = max(1, GENERATIONS - self.generations)
        return self._whole(self._fitting(self._left(SEARCHING) / rest, candidates, WORLDS))

    def _choosing(self, candidates: int, until: float) -> int:
        """Return the number of worlds to choose in, until a share of the time is over."""
        if self.request.generations is not None:
            return self._whole(CHOOSING_TIMES * (self.request.worlds or FIXED_WORLDS))
        return self._whole(self._fitting(self._left(until), candidates, (WORLDS[0], MOST_COMPARED)))

    def _comparing(self) -> int:
        """Return the number of worlds of the comparison: few of them after an interrupt."""
        bounds = FEWEST_COMPARED, MOST_COMPARED
        if self.interrupted:
            return self._whole(self._fitting(AFTER_INTERRUPT, 2, bounds))
        if self.request.generations is not None:
            return self._whole(COMPARED_TIMES * (self.request.worlds or FIXED_WORLDS))
        return self._whole(self._fitting(self._left(1.0), 2, bounds))

    def _fitting(self, seconds: float, candidates: int, bounds: tuple[int, int]) -> int:
        worlds = int(seconds * self.pace / (candidates * len(self.request.opponents)))
        return max(bounds[0], min(bounds[1], worlds))

    def _whole(self, worlds: int) -> int:
        """Round up, so that a candidate has each seat equally often."""
        size = BLOCK * self.request.table.program.seats
        return -(-worlds // size) * size

    def _expected(self, candidates: int) -> int:
        """Return the most games that the given generations take."""
        each = self._in_generation(candidates + 1)
        worlds = (self.request.generations or 0) * (candidates + 1) * each
        worlds += 2 * (KEPT + 2) * self._choosing(KEPT + 2, 1.0) + 2 * self._comparing()
        return worlds * len(self.request.opponents)


class _Strategy:
    """The evolution strategy: points are logarithms of 1 + the numbers that can change."""

    def __init__(self, request: TuningRequest) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it would like to plot
            import cma
        original = request.table.original
        self._original, self._free = original, request.table.free
        self._least = [request.least[place] for place in self._free]
        self._most = [MOST_TIMES * max(1, original[place]) for place in self._free]
        lone = len(self._free) == 1
        low, high = ([_point(value) for value in side] for side in (self._least, self._most))
        start = [_point(original[place]) for place in self._free]
        # It takes at least two coordinates; the second of a single number means nothing.
        low, high, start = (side * 2 if lone else side for side in (low, high, start))
        random = np.random.RandomState(request.seed % 2**32)
        self.candidates = 6 + int(3 * math.log(len(start)))
        self._strategy: Any = cma.CMAEvolutionStrategy(
            start,
            STEP,
            {
                "seed": math.nan,  # leave numpy's own generator alone
                "randn": random.randn,
                "bounds": [low, high],
                "popsize": self.candidates,
                "minstd": LEAST_STEP,
                "verbose": -9,
            },
        )

    def ask(self) -> tuple[list[Any], list[Values]]:
        """Return new points, and the values that they mean."""
        points = list(self._strategy.ask())
        return points, [self._values(point) for point in points]

    def tell(self, points: Sequence[Any], worth: Sequence[int]) -> None:
        """Learn what points are worth; more is better."""
        self._strategy.tell(points, [-float(one) for one in worth])

    def middle(self) -> Values:
        """Return the values in the middle of what is searched now."""
        return self._values(self._strategy.result.xfavorite)

    def _values(self, point: Sequence[float]) -> Values:
        values = list(self._original)
        for place, least, most, number in zip(self._free, self._least, self._most, point, strict=False):
            values[place] = max(least, min(most, round(10 ** float(number) - 1)))
        return tuple(values)


def _with(values: Values, place: int, value: int) -> Values:
    return (*values[:place], value, *values[place + 1 :])


def _point(value: int) -> float:
    return math.log10(1 + value)


def _variance(pilot: Tallies) -> float:
    leads = pilot.leads
    return (leads.count * leads.squares - leads.total**2) / leads.count**2 if leads.count else 0.0


def _gain(compared: Tallies, name: str, seats: int) -> MeanDifference:
    """Return what the second candidate gains over the first, in wins or points."""
    count, unit = compared.played[1], units(seats)[name]
    if not count:
        return MeanDifference(0.0, None, None, None)
    found = paired(compared.pairs[1][name], count, bounds(seats).get(name))
    return MeanDifference(
        found.mean / unit,
        None if found.low is None else found.low / unit,
        None if found.high is None else found.high / unit,
        found.p,
    )


# ------------------------------------------------------------------ The result of a tuning: as data, and in words

Report = dict[str, Any]
_TITLES = {"win": "wins, points of 100", "lead": "points ahead", "score": "score"}


@frozen
class Tuned:
    """What was tuned, what was found, and by which measure (`win` or `lead`) it is judged."""

    request: TuningRequest
    numbers: tuple[BotNumber, ...]
    found: TunedValues
    measure: str

    @property
    def better(self) -> bool:
        """Whether the interval of the gain is above 0."""
        gain = self.found.gains.get(self.measure)
        return gain is not None and gain.low is not None and gain.low > 0


def report(tuned: Tuned) -> Report:
    """Return the result as data; `wrote` is the file that was written, and is filled in by the command."""
    request, found = tuned.request, tuned.found
    program = request.table.program
    free = request.table.free
    return {
        "pack": program.pack,
        "version": program.version,
        "rulewright": VERSION,
        "bot": request.table.bot,
        "players": program.seats,
        "options": dict(program.options),
        "against": [one or RANDOM for one in request.opponents],
        "seed": request.seed,
        "backend": found.backend,
        "interrupted": found.interrupted,
        "generations": found.generations,
        "candidates": found.candidates,
        "worlds_each": found.worlds,
        "worlds_compared": found.compared,
        "games": found.games,
        "numbers": [
            {"file": one.path, "line": one.line, "before": one.value, "after": value, "tuned": place in free}
            for place, (one, value) in enumerate(zip(tuned.numbers, found.values, strict=True))
        ],
        "expressions": [
            {"file": first.path, "line": first.line, "before": before, "after": after}
            for first, before, after in expressions(tuned.numbers, found.values)
        ],
        "judged_by": tuned.measure,
        "gain": {name: _gain_words(gain) for name, gain in found.gains.items()},
        "better": tuned.better,
        "wrote": None,
    }


def parts(report: Report, because: str) -> Iterator[str | StyledText | TextTable]:
    """Iterate over the parts of a report, for `output.write`; `because` says what was written, or why not."""
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield StyledText(f"{report['bot']} of {report['pack']} {report['version']}", "bold")
    yield (
        f"{many(report['players'], 'player')}{options}, against {', '.join(report['against'])}, seed "
        f"{report['seed']}"
    )
    yield (
        f"{many(report['generations'], 'generation')} of {report['candidates']} candidates, "
        f"{many(report['games'], 'game')} on {report['backend']}"
    )
    changed = [one for one in report["expressions"] if one["before"] != one["after"]]
    if changed:
        yield ""
        for one in changed:
            yield f"- {one['line']}: {one['before']}"
            yield f"+ {one['line']}: {one['after']}"
        yield ""
        yield _gains(report["gain"])
        yield StyledText(
            f"Compared with the original in {report['worlds_compared']:,} other worlds, pair by pair.",
            "dim",
        )
    yield ""
    yield because


def _gains(gains: Report) -> TextTable:
    table = TextTable("gain", "mean", "95% interval")
    for name, gain in gains.items():
        if name != "win" and not (gain["mean"] or gain["high"]):  # a game without points
            continue
        factor = 100 if name == "win" else 1
        numbers = [gain[key] for key in ("mean", "low", "high")]
        mean, low, high = ("–" if one is None else f"{factor * one:+.2f}" for one in numbers)
        table.add_row(_TITLES[name], mean, f"{low} to {high}")
    return table


def _gain_words(gain: MeanDifference) -> Report:
    return {"mean": rounded(gain.mean), "low": rounded(gain.low), "high": rounded(gain.high)}


def changed_numbers(numbers: Sequence[BotNumber], values: Sequence[int]) -> int:
    """Return how many numbers have another value."""
    return sum(one.value != value for one, value in zip(numbers, values, strict=True))
