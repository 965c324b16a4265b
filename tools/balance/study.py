"""Weigh the definitions of a table: watch a few games, screen uses, compare, and draw conclusions."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol

from attrs import define, evolve, field, frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.estimates import (
    COMPARISONS,
    ComparedDefinition,
    Estimates,
    Evidence,
    Weighed,
    estimates,
    main_measure,
    weighed,
)
from rulewright.tools.balance.interventions import (
    CHANCES,
    Blocks,
    Interventions,
    LeaningPlayer,
    Pair,
    Screening,
    SynergyPairs,
    Together,
    WorldBlock,
    attempts,
    avoiding,
    best_evidence,
    best_uses,
    paired,
    taking,
    uses,
)
from rulewright.tools.balance.sample import MOST, Sample, Summary, summed_up, watched
from rulewright.tools.balance.subjects import NO_GROUPS, DefinitionTrial, StudyGrouping, Subject, subjects
from rulewright.tools.common.progress import ProgressSink
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.packs import loading
from rulewright.tools.simulation.columns import Failed
from rulewright.tools.simulation.effects import Effect, observed
from rulewright.tools.simulation.execution.dispatch import StopRequest, interrupts
from rulewright.tools.simulation.execution.running import ExecutionPlace, run
from rulewright.tools.simulation.protocol import BatchResult, C, Work

WATCHED = 60
"""Games that are watched decision by decision."""
SEEN = 5
"""Decisions in the watched games that must offer a definition for it to be weighed at a choice."""
WATCHING = (0.1, 0.3)
"""Share of the time that goes into watching games, at most; the second as long as there are only `FEW`."""
FEW = 20
SCREENING = 0.35
"""Share of the time that goes into screening."""
SCREENED = (100, 2000)
"""Fewest and most worlds of each use."""
COMPARED = (200, 50_000)
"""Fewest and most worlds of each trial, if their number follows from the time."""
PILOT = 100
"""Worlds of each trial whose pace decides how many follow."""
SCREEN, PILOT_RUN, COMPARE, TOGETHER_RUN = "screening", "pilot comparison", "comparing", "pairs"
"""What is played, in this order."""
LATER = 1_000_000_000
"""The first game of the comparison: screening uses other worlds, so that the best use is not judged by its luck."""
TOGETHER = 0.3
"""Share of the time after the screening that goes into pairs."""
PAIRED = (40, 20_000)
"""Fewest and most worlds in which pairs are played; if there is no time for the fewest, they are not played."""
MOST_PAIRED = 100
"""Worlds of a block of pairs at most. There are several blocks for each seat."""
LAST = 1_500_000_000
"""The first game of the pairs."""


class NothingToWeighError(ValueError):
    """A table without anything to weigh. The message is the reason; `hurried` means that more time may help."""

    def __init__(self, watched: int, hurried: bool) -> None:
        nothing = "no definition can be chosen where something else can be chosen, too"
        few = f"only {watched} games were watched, too few to see what is offered; try a longer --budget"
        super().__init__(few if hurried else nothing)
        self.hurried = hurried


@frozen
class StudyRequest:
    """What is weighed, by which player, and for how long.

    `seconds` is the time for all games together, with `jobs` processes. With `worlds`, that number is compared
    instead, so that the result does not depend on the machine.
    """

    program: TableProgram
    bot: str
    kinds: tuple[str, ...]
    seed: int
    seconds: float
    jobs: int
    worlds: int | None = None
    grouping: StudyGrouping = NO_GROUPS


@frozen
class StudyFaults:
    """Games that did not end or failed: in which way a definition was played, or all of them, and the reason."""

    games: int
    how: str
    subject: Subject | None = None
    why: Failed | None = None


@frozen
class Study:
    """What was measured.

    `screened` is the number of worlds of each use in the screening, `worlds` of each trial in the comparison. A run
    that was stopped before the comparison is `preliminary`: its estimates come from the worlds in which the best
    use of each trial was chosen, so that they are a little too high.
    """

    request: StudyRequest
    sample: Sample
    summary: Summary
    compared: tuple[ComparedDefinition, ...]
    weighed: tuple[Weighed, ...]
    pairs: tuple[Pair, ...]
    observed: dict[tuple[str, str], dict[str, Effect]]
    """What goes with taking a definition at a choice, by their names, in games in which no seat leans."""
    measure: str
    screened: int
    worlds: int
    paired: int
    faults: tuple[StudyFaults, ...]
    backend: str
    interrupted: bool
    preliminary: bool

    @property
    def failed(self) -> int:
        """The number of games that do not count."""
        return sum(one.games for one in self.faults)


class StudyRunner(Protocol):
    """Plays work, named for its progress. Returns the counts so far, and whether it was interrupted."""

    def __call__(self, work: Work[C], what: str) -> tuple[C, bool]: ...


@define
class _Clock:
    """The time of a study. With a given number of worlds nothing depends on it."""

    request: StudyRequest
    began: float = field(factory=time.monotonic)
    now: Callable[[], float] = time.monotonic

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.request.seconds - (self.now() - self.began))

    def hurried(self, games: int) -> bool:
        """Return whether too much time has passed to watch more than `games` games."""
        share = WATCHING[games < FEW]
        return games < WATCHED and self.request.worlds is None and self.left < (1 - share) * self.request.seconds

    def worlds(self, pace: float, share: float, trials: int, bounds: tuple[int, int]) -> int:
        """Return how many worlds of each trial a share of the rest of the time is enough for, within bounds.

        `pace` is the number of worlds of a trial that are played in a second.
        """
        if self.request.worlds is not None:
            return min(self.request.worlds, bounds[1])
        return int(max(bounds[0], min(bounds[1], self.left * share * pace / trials)))

    def most(self, pace: float, bounds: tuple[int, int]) -> int:
        """Return how many worlds the rest of the time is enough for; 0 if it is not enough for the fewest."""
        if self.request.worlds is not None:
            return min(self.request.worlds, bounds[1])
        found = int(min(bounds[1], self.left * pace))
        return found if found >= bounds[0] else 0


def study(request: StudyRequest, run: StudyRunner) -> Study:
    """Weigh the definitions of a table. Ctrl-C or SIGTERM stops it; what was played counts.

    Raises NothingToWeighError, and KeyboardInterrupt if it was stopped before there was anything to weigh.
    """
    with interrupts() as stop:
        return _study(request, run, stop)


def _study(request: StudyRequest, run: StudyRunner, stop: StopRequest) -> Study:
    program, bot, seed, clock = request.program, request.bot, request.seed, _Clock(request)
    timed = request.worlds is None
    sample = watched(program, bot, seed, WATCHED, lambda games: stop.asked() or clock.hurried(games))
    trials = _trials(program, request.kinds, sample)
    if not trials and stop.asked():
        raise KeyboardInterrupt
    if not trials:
        raise NothingToWeighError(sample.games, clock.hurried(sample.games))
    player = stop.attempt(partial(LeaningPlayer, program, bot, (), seed), at_once=True)  # a compiler takes seconds
    since = time.monotonic()
    summary = summed_up(player, MOST, clock.left / 10 if timed else float("inf"), stop.asked)
    pace = summary.games / max(1e-6, time.monotonic() - since) * request.jobs / 2
    tried = attempts(trials, [uses(program, bot, trial.site) for trial in trials])
    screened = clock.worlds(pace, SCREENING, len(tried), SCREENED)
    screening = Screening(program, bot, trials, tried, Blocks(len(tried), screened, program.seats), seed)
    screens, interrupted = (screening.empty(), True) if stop.asked() else run(screening, SCREEN)
    best = best_uses(screening, screens)
    work = Interventions(
        program, bot, tuple(trials[n] for n in sorted(best)), tuple(best[n] for n in sorted(best)),
        Blocks(len(best), PILOT if timed else request.worlds or 0, program.seats, LATER), seed,
    )  # fmt: skip
    evidence, preliminary = work.empty(), interrupted or stop.asked()
    if preliminary:
        evidence, interrupted = best_evidence(screening, screens, best), True
    elif best:
        evidence, pace, interrupted = _evidence(work, clock, run, stop)
    measure = main_measure(evidence)
    compared = _compared(work, evidence, sample)
    ranked = weighed(compared, measure, request.grouping, program.seats)
    pairs = _pairs(work, ranked, measure)
    together = pairs.empty()
    if pairs.pairs and not interrupted:
        worlds = clock.most(pace * work.cost / pairs.cost, PAIRED)
        size = max(1, min(MOST_PAIRED, worlds // (8 * program.seats)))
        played = evolve(pairs, blocks=evolve(pairs.blocks, worlds=worlds, size=size))
        together, interrupted = run(played, TOGETHER_RUN)
    return Study(
        request, sample, summary, compared, ranked, paired(pairs, together),
        {} if interrupted else _observed(request, summary.games), measure, screened,
        0 if preliminary else evidence.games // max(1, len(best)), together.games,
        tuple(_faults(summary, (trials, screens), (work.trials, evidence), together)),
        player.backend if player is not None else "", interrupted, preliminary,
    )  # fmt: skip


def _evidence(
    work: Interventions, clock: _Clock, run: StudyRunner, stop: StopRequest
) -> tuple[Evidence, float, bool]:
    """Return what the comparison has found, its pace in worlds of a trial, and whether it was interrupted."""
    timed = clock.request.worlds is None
    since = time.monotonic()
    evidence, interrupted = run(work, PILOT_RUN if timed else COMPARE)
    pace = work.games / max(1e-6, time.monotonic() - since)
    more = clock.worlds(pace, 1 - TOGETHER, work.blocks.trials, COMPARED)
    interrupted = interrupted or stop.asked()
    if timed and not interrupted:
        rest = evolve(work, blocks=Blocks(work.blocks.trials, more, work.program.seats, LATER + PILOT))
        found, interrupted = run(rest, COMPARE)
        evidence.merge(found)
    return evidence, pace, interrupted or stop.asked()


def _observed(request: StudyRequest, games: int) -> dict[tuple[str, str], dict[str, Effect]]:
    seats = (request.bot or RANDOM,) * request.program.seats
    found = observed(request.program, seats, request.seed, games) if games else ()
    return {(one.choice.what, one.choice.site): one.by_measure for one in found if one.choice.defined}


def _pairs(work: Interventions, ranked: Sequence[Weighed], measure: str) -> SynergyPairs:
    """Return the pairs of what is weighed, without any worlds; of two, the stronger is preferred."""
    numbers = {
        (trial.subject, work.program.sites[trial.site].key): number for number, trial in enumerate(work.trials)
    }
    order = [numbers[one.subject, one.choice] for one in ranked]
    return SynergyPairs(
        work.program, work.bot, tuple(work.trials[n] for n in order), tuple(work.uses[n] for n in order),
        tuple(one.group for one in ranked), measure,
        Blocks(1, 0, work.program.seats, LAST), work.seed,
    )  # fmt: skip


def _faults(
    summary: Summary,
    screened: tuple[Sequence[DefinitionTrial], Evidence],
    compared: tuple[Sequence[DefinitionTrial], Evidence],
    together: Together,
) -> Iterator[StudyFaults]:
    """Iterate over the games that do not count."""
    yield from (StudyFaults(games, "as they are", None, why) for why, games in summary.reasons)
    found: Counter[tuple[Subject, str, Failed]] = Counter()
    for trials, evidence in (screened, compared):
        for (number, how, why), games in evidence.faults.items():
            found[trials[number].subject, how, why] += games
    yield from (StudyFaults(games, how, subject, why) for (subject, how, why), games in found.most_common())
    yield from (StudyFaults(games, "pairs", None, why) for why, games in together.faults.most_common())


def _compared(work: Interventions, evidence: Evidence, sample: Sample) -> tuple[ComparedDefinition, ...]:
    program = work.program
    return tuple(
        ComparedDefinition(
            trial.subject,
            program.sites[trial.site].key,
            sample.offered[trial.site, trial.subject.name],
            sample.chosen[trial.site, trial.subject.name],
            *(estimates(evidence.of(number, what), program.seats) for what in COMPARISONS),
        )
        for number, trial in enumerate(work.trials)
    )


def _trials(program: TableProgram, kinds: Sequence[str], sample: Sample) -> tuple[DefinitionTrial, ...]:
    """Return each definition at each site that offered it often enough."""
    return tuple(
        DefinitionTrial(subject, site)
        for subject in subjects(program, kinds)
        for site in range(len(program.sites))
        if sample.offered[site, subject.name] >= SEEN
    )


# ---- Play the games of a study, in processes of this machine or on a cluster, with progress

@frozen
class Runner:
    """Plays work in at most `jobs` processes, or on the Dask cluster at an address.

    `progress` makes the sink of the progress of some work, from the number of its games and its name.
    """

    jobs: int
    progress: Callable[[int, str], AbstractContextManager[ProgressSink]]
    cluster: str | None = None

    def __call__(self, work: Work[C], what: str) -> tuple[C, bool]:
        """See `tools.balance.study.Run`."""
        place = ExecutionPlace(self.jobs) if self.cluster is None else ExecutionPlace(cluster=self.cluster)
        played = run(work, place, self.progress(work.games, what))
        if played.failure is not None:
            raise played.failure
        return played.counts, played.interrupted


# ---- What definitions would be worth at no cost: each is weighed where a number of it alone is 0

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
