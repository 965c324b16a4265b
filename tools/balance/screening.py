"""Try all uses of each definition in some worlds, to find the best one for the comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from attrs import evolve, frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.table.nodes import BotInfo, TableProgram
from rulewright.tools.balance.estimates import Ends, Evidence
from rulewright.tools.balance.interventions import Blocks, LeaningPlayer, Use, avoiding, taking
from rulewright.tools.balance.subjects import Trial
from rulewright.tools.simulation.protocol import BatchResult

AWAY = "away"
LEAST = 0.05
"""A use counts if it changes at least this share of the games that the most eager use changes."""


@frozen
class Attempt:
    """One use in one trial; `key` names its bot, and `away` the bot that avoids the definition."""

    trial: int
    use: Use
    key: str
    away: str


def attempts(trials: Sequence[Trial], found: Sequence[Sequence[Use]]) -> tuple[Attempt, ...]:
    """Return all uses of all trials, those of a trial together."""
    return tuple(
        Attempt(number, use, f"{number} {place}", f"{number} {AWAY}")
        for number, uses in zip(range(len(trials)), found, strict=True)
        for place, use in enumerate(uses)
    )


@frozen
class Screening:
    """Worlds of each attempt: a seat that takes the definition, and the same seat avoiding it."""

    program: TableProgram
    bot: str
    trials: tuple[Trial, ...]
    attempts: tuple[Attempt, ...]
    blocks: Blocks
    seed: int
    slow: bool = False

    @property
    def games(self) -> int:
        return self.blocks.items

    def empty(self) -> Evidence:
        return Evidence()

    def player(self) -> ScreeningPlayer:
        return ScreeningPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.blocks.reach(first, most)


class ScreeningPlayer:
    """Plays attempts. The games of the seat that avoids a definition are the same for all of its uses."""

    def __init__(self, work: Screening) -> None:
        self._work = work
        program, bot = work.program, work.bot
        bots: list[BotInfo] = []
        for number, attempts in groupby(work.attempts, lambda one: one.trial):
            trial = work.trials[number]
            bots.append(avoiding(program, bot, f"{number} {AWAY}", trial))
            bots += [taking(program, bot, one.key, trial, one.use) for one in attempts]
        self._player = LeaningPlayer(program, bot, bots, work.seed)
        self._away: tuple[tuple[str, int, int], Ends] | None = None

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Evidence]:
        """See `Player.play`."""
        found, done = Evidence(), first
        for part in self._work.blocks.parts(first, end):
            attempt = self._work.attempts[part.trial]
            where = part.seat, part.first, part.end
            away = self._avoided(attempt.away, *where, stop)
            taken = away and self._player.one_leaning(attempt.key, *where, stop)
            if away is None or taken is None:
                break
            found.of(part.trial, attempt.key).add(taken, away, part.seat)
            found.note(attempt.trial, "taken", taken)
            done += part.end - part.first
        return BatchResult(
            first, done, evolve(found, games=done - first, backend=self._player.backend), self._player.backend
        )

    def _avoided(self, key: str, seat: int, first: int, end: int, stop: Stop) -> Ends | None:
        about = key, first, end
        if self._away is None or self._away[0] != about:
            found = self._player.one_leaning(key, seat, first, end, stop)
            if found is None:
                return None
            self._away = about, found
        return self._away[1]

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False


def best_uses(work: Screening, evidence: Evidence) -> dict[int, Use]:
    """Return, by trial, the use with the highest mean lead among those that change enough games.

    Of equal ones, the first is best. Trials whose uses change nothing are left out.
    """
    best: dict[int, Use] = {}
    for number, attempts in groupby(enumerate(work.attempts), lambda one: one[1].trial):
        leads = []
        for place, attempt in attempts:
            differences = evidence.found.get((place, attempt.key))
            moments = differences.of("lead") if differences else None
            if moments is not None and moments.count:
                leads.append((moments.count, moments.total / moments.count, attempt.use))
        most = max((count for count, _, _ in leads), default=0)
        enough = [one for one in leads if one[0] >= LEAST * most]
        if enough:
            best[number] = max(enough, key=lambda one: one[1])[2]
    return best


def best_evidence(work: Screening, evidence: Evidence, best: Mapping[int, Use]) -> Evidence:
    """Return what the screening says of the best use of each trial, as a comparison has it.

    The trials are those of `best`, in the order of their numbers.
    """
    found = Evidence(evidence.games, backend=evidence.backend)  # games that failed were counted by the screening
    places = {trial: place for place, trial in enumerate(sorted(best))}
    for number, attempt in enumerate(work.attempts):
        if best.get(attempt.trial) == attempt.use:
            found.of(places[attempt.trial], "taken").merge(evidence.of(number, attempt.key))
    return found
