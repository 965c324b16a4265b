"""What definitions would be worth at no cost: each is weighed where a number of it alone is 0."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.estimates import Estimates, Evidence, estimates
from rulewright.tools.balance.interventions import (
    CHANCES,
    Blocks,
    LeaningPlayer,
    Screening,
    WorldBlock,
    attempts,
    avoiding,
    best_uses,
    taking,
    uses,
)
from rulewright.tools.balance.study import Study, StudyRunner
from rulewright.tools.balance.subjects import DefinitionTrial, Subject
from rulewright.tools.packs import loading
from rulewright.tools.simulation.execution.dispatch import interrupts
from rulewright.tools.simulation.protocol import BatchResult

WORLDS = 200
"""Worlds of each definition: fewer than elsewhere, since a table of its own takes seconds to compile."""
TRIED = 100
"""Worlds in which each use is tried."""
SELDOM = 27
"""What costs nothing is offered more often, so a bot is tried, too, that takes it in one of so many decisions."""
FIRST = 1_800_000_000
"""The first game: other work of a study plays other worlds."""


@frozen
class FreeTrials:
    """Worlds of each trial, at its own table. All worlds of a trial are together."""

    tables: tuple[TableProgram, ...]
    bot: str
    trials: tuple[DefinitionTrial, ...]
    worlds: int
    seed: int
    start: int
    slow: bool = True

    @property
    def games(self) -> int:
        return len(self.trials) * self.worlds

    @property
    def blocks(self) -> Blocks:
        """All items, in blocks of one trial; the seat changes with the block."""
        seats = self.tables[0].seats if self.tables else 1
        return Blocks(1, self.games, seats, size=max(1, self.worlds // (2 * seats)))

    def empty(self) -> Evidence:
        return Evidence()

    def player(self) -> FreePlayer:
        return FreePlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        """Return the end of the trial: one process compiles its table, and tries its uses."""
        return first - first % self.worlds + self.worlds


class FreePlayer:
    """Plays trials, each at its table, with the use that is best there."""

    def __init__(self, work: FreeTrials) -> None:
        self._work = work
        self._at: tuple[int, LeaningPlayer] | None = None
        self._backend = ""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Evidence]:
        """See `Player.play`."""
        found, done, worlds = Evidence(), first, self._work.worlds
        while done < end and not stop():
            trial = done // worlds
            player = self._player(trial, stop)
            if player is None:
                break
            last = min(end, (trial + 1) * worlds)
            for part in self._work.blocks.parts(done, last):
                if not self._played(player, trial, part, found, stop):
                    return BatchResult(first, done, evolve(found, games=done - first), self._backend)
                done += part.end - part.first
        return BatchResult(first, done, evolve(found, games=done - first), self._backend)

    def _played(self, player: LeaningPlayer, trial: int, part: WorldBlock, found: Evidence, stop: Stop) -> bool:
        begin = self._work.start + part.first - trial * self._work.worlds
        where = part.seat, begin, begin + part.end - part.first, stop
        taken = player.one_leaning("taken", *where)
        away = player.one_leaning("away", *where) if taken is not None else None
        if taken is None or away is None:
            return False
        found.of(trial, "taken").add(taken, away, part.seat)
        found.note(trial, "taken", taken)
        found.note(trial, "avoided", away)
        return True

    def _player(self, number: int, stop: Stop) -> LeaningPlayer | None:
        """Return the player of a trial; None if it was stopped while it tried uses."""
        if self._at is None or self._at[0] != number:
            work = self._work
            table, trial = work.tables[number], work.trials[number]
            tried = attempts([trial], [uses(table, work.bot, trial.site, (*CHANCES, SELDOM))])
            screening = Screening(
                table,
                work.bot,
                (trial,),
                tried,
                Blocks(len(tried), min(TRIED, work.worlds), table.seats),
                work.seed,
            )
            screened = screening.player().play(0, screening.games, stop)
            if screened.end < screening.games:
                return None
            best = best_uses(screening, screened.counts)
            use = best[0] if best else tried[0].use
            bots = [avoiding(table, work.bot, "away", trial), taking(table, work.bot, "taken", trial, use)]
            self._at = number, LeaningPlayer(table, work.bot, bots, work.seed)
            self._backend = self._at[1].backend
        return self._at[1]

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False


def without(program: Program, subject: Subject, field: str) -> Program | None:
    """Return a pack in which a number of a definition is 0; None if the definition has none, or it is 0 already."""
    found = None
    definitions = []
    for one in program.definitions:
        if (one.kind, one.key) == (subject.kind, subject.key):
            found = dict(one.fields).get(field)
            one = evolve(one, fields=tuple((name, (0,) if name == field else value) for name, value in one.fields))
        definitions.append(one)
    return evolve(program, definitions=tuple(definitions)) if found not in (None, (0,)) else None


def without_cost(
    study: Study, program: Program, options: Sequence[str], field: str, run: StudyRunner
) -> tuple[dict[Subject, Estimates], bool]:
    """Return what each weighed definition is worth where a field of it is 0, and whether the run was interrupted.

    `program` and `options` (as typed) are those of the study. Definitions without the field, or of which it is 0
    already, are left out; so are those that an interrupted run did not reach.
    """
    request, tables, trials = study.request, [], []
    with interrupts() as stop:
        for one in study.weighed:
            changed = without(program, one.subject, field)
            if stop.asked():
                break
            if changed is None:
                continue
            table = loading.table(changed, request.program.seats, options)
            sites = [site.key for site in table.sites]
            tables.append(table)
            trials.append(DefinitionTrial(one.subject, sites.index(one.choice)))
        if not trials or stop.asked():
            return {}, stop.asked()
        worlds = WORLDS if request.worlds is None else min(WORLDS, request.worlds)
        work = FreeTrials(tuple(tables), request.bot, tuple(trials), worlds, request.seed, FIRST)
        evidence, interrupted = run(work, f"without {field}")
        interrupted = interrupted or stop.asked()
    found = {
        trial.subject: estimates(evidence.of(number, "taken"), request.program.seats)
        for number, trial in enumerate(trials)
    }
    return {subject: one for subject, one in found.items() if one.worlds}, interrupted
