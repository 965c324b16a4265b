"""Measures what a pack expects of the games at one table, and nothing else, in a given time."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from attrs import define, frozen
from scipy import stats

from rulewright.ruleset.program.scenario import ExpectedTable, What
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.choices import Choices, Share, Watching
from rulewright.tools.balance.estimates import LEVEL
from rulewright.tools.balance.groups import Grouping
from rulewright.tools.balance.leaning_player import LeaningPlayer
from rulewright.tools.balance.outcomes import Ends
from rulewright.tools.balance.study import NothingToWeighError, Request, Run, Study, study
from rulewright.tools.balance.summary import as_they_are
from rulewright.tools.simulation.sums import wilson

USUAL = 0.9
"""The share of games that must have a usual length."""
MOST_GAMES = 20_000
"""Games that are played as they are, at most."""
PILOT = 10
"""Watched games whose pace decides how many follow."""
WATCHED = (40, 5_000)
"""Fewest and most watched games."""
UNTIMED = {"games": 5_000, "choices": 300}
"""Games that are played as they are, and watched games, if the time does not count."""
GAMES: tuple[What, ...] = ("first-seat-wins", "no-winner", "several-winners", "mean-length", "usual-length")
"""Expectations of whole games."""
WEIGHTS = {"games": 1, "choices": 3, "study": 6}
"""How the time is shared by what must be measured."""

PARTS: dict[What, str] = {
    **dict.fromkeys(GAMES, "games"),
    "offered-in-games": "choices",
    "chosen-when-offered": "choices",
    "none-stands-out": "study",
}
"""What must be measured for each expectation."""

Measured = Share
"""A measured number with its 95 % interval, of so many games or decisions."""


class AllGames:
    """The ends of games as they are."""

    def __init__(self, parts: Sequence[Ends]) -> None:
        kept = [~part.failed for part in parts]
        self._winners = np.concatenate(
            [part.winners[:, one] for part, one in zip(parts, kept, strict=True)], axis=1
        ).astype(np.int64)
        self._lengths = np.concatenate([part.decisions[one] for part, one in zip(parts, kept, strict=True)])
        self.count = len(self._lengths)
        self.failed = sum(int(part.failed.sum()) for part in parts)

    def first_seat(self) -> Measured:
        """Return the share of games that the first seat wins; a shared win counts by its part.

        Wilson's interval is that of whole wins. Parts of wins spread less, so it is never too narrow.
        """
        number = np.maximum(1, self._winners.sum(axis=0))
        return self._share(float((self._winners[0] / number).sum()))

    def no_winner(self) -> Measured:
        return self._share(int((self._winners.sum(axis=0) == 0).sum()))

    def several_winners(self) -> Measured:
        return self._share(int((self._winners.sum(axis=0) > 1).sum()))

    def share_of_lengths(self, low: int | None, high: int | None) -> Measured:
        """Return the share of games with a number of decisions within bounds."""
        inside = np.ones(self.count, dtype=bool)
        if low is not None:
            inside &= self._lengths >= low
        if high is not None:
            inside &= self._lengths <= high
        return self._share(int(inside.sum()))

    def mean_length(self) -> Measured:
        """Return the mean number of decisions, with its t interval."""
        mean = float(self._lengths.mean())
        if self.count < 2:
            return Measured(mean, 0.0, math.inf, self.count)
        error = float(self._lengths.std(ddof=1)) / math.sqrt(self.count)
        half = float(stats.t.ppf(1 - LEVEL / 2, self.count - 1)) * error
        return Measured(mean, mean - half, mean + half, self.count)

    def _share(self, number: float) -> Measured:
        return Measured(number / self.count, *wilson(number, self.count), self.count)


@frozen
class CheckRequest:
    """What is measured at one table, by which bot (empty: random players), and for how long.

    `seconds`, `jobs`, and `worlds` are as in `tools.balance.study.Request`.
    """

    program: TableProgram
    expected: ExpectedTable
    bot: str
    seed: int
    seconds: float
    jobs: int
    worlds: int | None = None


@frozen
class Measurements:
    """What was measured; None is what is not expected. `nothing` says why nothing could be weighed."""

    games: AllGames | None
    choices: Choices | None
    study: Study | None
    nothing: str
    interrupted: bool


@define
class _Time:
    """The time that is left, shared by the parts that are still to come."""

    parts: list[str]
    ends: float

    def take(self, part: str) -> float:
        """Return the seconds for the next part."""
        weights = sum(WEIGHTS[one] for one in self.parts)
        self.parts.remove(part)
        return max(0.0, self.ends - time.monotonic()) * WEIGHTS[part] / weights


def weight(expected: ExpectedTable) -> int:
    """Return how much of the time a table needs, compared with others."""
    return sum(WEIGHTS[part] for part in _parts(expected))


def _parts(expected: ExpectedTable) -> list[str]:
    """Return what must be measured."""
    wanted = {PARTS[one.what] for one in expected.expectations}
    return [part for part in WEIGHTS if part in wanted]


def measure(request: CheckRequest, run: Run) -> Measurements:
    """Measure what is expected. After an interrupt, what was played so far counts."""
    parts = _parts(request.expected)
    clock = _Time(list(parts), time.monotonic() + request.seconds)
    games = _games(request, clock.take("games")) if "games" in parts else None
    choices, interrupted = None, False
    if "choices" in parts:
        choices, interrupted = _choices(request, clock.take("choices"), run)
    found, nothing = None, ""
    if "study" in parts and not interrupted:
        try:
            found = study(_study(request, clock.take("study")), run)
            interrupted = found.interrupted
        except NothingToWeighError as error:
            nothing = str(error)
    return Measurements(games, choices, found, nothing, interrupted)


def _games(request: CheckRequest, seconds: float) -> AllGames:
    timed = request.worlds is None
    player = LeaningPlayer(request.program, request.bot, (), request.seed)
    most, limit = (MOST_GAMES, seconds) if timed else (UNTIMED["games"], math.inf)
    return AllGames(as_they_are(player, most, limit))


def _choices(request: CheckRequest, seconds: float, run: Run) -> tuple[Choices, bool]:
    """Watch as many games as there is time for."""
    first = PILOT if request.worlds is None else UNTIMED["choices"]
    since = time.monotonic()
    found, interrupted = run(Watching(request.program, request.bot, request.seed, first), "watching")
    if request.worlds is not None or interrupted:
        return found, interrupted
    spent = max(1e-6, time.monotonic() - since)
    number = max(WATCHED[0], min(WATCHED[1], int((seconds - spent) * first / spent * request.jobs))) - first
    rest = Watching(request.program, request.bot, request.seed, number, first)
    more, interrupted = run(rest, "watching")
    found.merge(more)
    return found, interrupted


def _study(request: CheckRequest, seconds: float) -> Request:
    ids = [key for one in request.expected.expectations if one.what == "none-stands-out" for key in one.ids]
    kinds = tuple(dict.fromkeys(key.partition("/")[0] for key in ids))
    return Request(
        request.program, request.bot, kinds, request.seed, seconds, request.jobs, request.worlds,
        Grouping(request.expected.groups),
    )  # fmt: skip
