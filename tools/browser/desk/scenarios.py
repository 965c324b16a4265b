"""The scenarios of a pack: their list, their outcomes, and tables to step through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import JournalEntry
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.scenario import (
    Facts,
    RefusedAnswer,
    Scenario,
    ScenarioAnswer,
    ScenarioItems,
    Step,
    Until,
)
from rulewright.tools.browser.desk.gallery import DeskPack, near
from rulewright.tools.browser.host.findings import Excerpt, excerpt
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import HUMAN
from rulewright.tools.packs.source_excerpts import SourceIndex
from rulewright.tools.scenarios.perform import STEPS, Performance, perform
from rulewright.tools.scenarios.stage import StageError, Stages, Stop, Wrong, faulty, unset

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@frozen
class ScenarioRow:
    """A scenario in the list."""

    number: int
    title: str
    source: str
    place: str
    players: int


@frozen
class WrongShown:
    """A difference from what a scenario says: the message, lines about values, and where."""

    message: str
    details: tuple[str, ...]
    excerpts: tuple[Excerpt, ...]


@frozen
class Tested:
    """The outcome of a scenario, as `rulewright test` reports it."""

    number: int
    state: str
    wrong: tuple[WrongShown, ...] = ()
    reason: str = ""


def rows(pack: DeskPack, find: str) -> tuple[ScenarioRow, ...]:
    """Return the scenarios whose title, source, or file has all words."""
    words = find.casefold().split()
    found = []
    for number, one in enumerate(pack.program.scenarios):
        place = near(pack, one.span)
        told = f"{one.title} {one.source} {place}".casefold()
        if all(word in told for word in words):
            found.append(ScenarioRow(number, harmless(one.title), harmless(one.source), place, len(one.players)))
    return tuple(found)


def tested(pack: DeskPack, number: int) -> Tested:
    """Play a scenario."""
    scenario = _scenario(pack, number)
    outcome = perform(pack.stages, scenario)
    if not outcome.wrong:
        return Tested(number, PASSED)
    skipped = unset((outcome,), pack.compiled)
    if skipped:
        return Tested(number, SKIPPED, reason=harmless(skipped[0][1].reason))
    sources = pack.loaded.sources
    shown = []
    for wrong in outcome.wrong:
        places = [excerpt(wrong.span, "", sources, around=0)] if wrong.span.path in sources else []
        if wrong.rule is not None and wrong.rule.span.path in sources:
            places.append(excerpt(wrong.rule.span, harmless(wrong.part), sources))
        shown.append(WrongShown(harmless(wrong.message), tuple(map(harmless, wrong.details)), tuple(places)))
    return Tested(number, FAILED, tuple(shown))


def spec_of_scenario(pack: DeskPack, path: str, more: tuple[str, ...], number: int, language: str) -> TableSpec:
    """Return the table of a scenario: one person plays all its seats."""
    scenario = _scenario(pack, number)
    seats = tuple(SeatSpec(HUMAN, name[:1].upper() + name[1:]) for name in scenario.players)
    return TableSpec(path, more, (), seats, scenario.seed, pack.language(language), False, number)


def _scenario(pack: DeskPack, number: int) -> Scenario:
    if not 0 <= number < len(pack.program.scenarios):
        raise Usage(f"the pack has {len(pack.program.scenarios)} scenarios, so there is no number {number}")
    return pack.program.scenarios[number]


# ---- Step through a scenario on a table: which of its steps are done, and what it answers next
#
# The scenario is played beside the table, from its beginning, up to the first answer that the table does not
# have. Conditions that come before it are checked on the way.

DONE, MET, STEP_FAILED, NEXT, LATER = "done", "met", "failed", "next", "later"


@frozen
class ShownStep:
    """A step of a scenario: its text as written, its line, and its state."""

    text: str
    line: int
    state: str
    details: tuple[str, ...] = ()


@frozen
class Rehearsal:
    """A scenario beside a table. `given` are its next answers, for the table; empty at its end.

    `left`: the table has other answers than the scenario, which can only go on after they are taken back.
    """

    title: str
    steps: tuple[ShownStep, ...]
    given: tuple[JournalEntry, ...] = ()
    left: bool = False
    over: bool = False

    @property
    def failed(self) -> bool:
        """Whether an expectation failed so far."""
        return any(step.state == STEP_FAILED for step in self.steps)


def rehearse(stages: Stages, scenario: Scenario, played: Sequence[JournalEntry], book: SourceIndex) -> Rehearsal:
    """Play a scenario as far as a table has answered, and one answer further."""
    shown = [ShownStep(_text(step, book), place.line, LATER) for step, place in _places(scenario)]
    empty = Rehearsal(scenario.title, tuple(shown))
    try:
        staged = stages.stage(scenario)
        game = Game.start(staged.table, scenario.seed)
    except (StageError, RuleFault) as error:
        first = evolve(shown[0], state=STEP_FAILED, details=(harmless(str(error)),)) if shown else None
        return evolve(empty, steps=(first, *shown[1:]) if first else (), over=True)
    performance = Performance(staged, game)
    for number, step in enumerate(scenario.steps):
        before, stopped = len(performance.wrong), True
        try:
            STEPS[type(step)](performance, step)
            stopped = False
        except Stop as stop:
            performance.wrong.append(stop.wrong)
        except RuleFault as fault:
            performance.wrong.append(faulty(fault, scenario.span))
        told = tuple(_told(wrong) for wrong in performance.wrong[before:])
        entries = game.journal.entries
        if not _alike(entries, played):
            return evolve(empty, steps=tuple(shown), left=True)
        if told:
            shown[number] = evolve(shown[number], state=STEP_FAILED, details=told)
            if stopped:
                return evolve(empty, steps=tuple(shown), over=True)
            continue
        if len(entries) > len(played):
            shown[number] = evolve(shown[number], state=NEXT)
            return evolve(empty, steps=tuple(shown), given=entries[len(played) :])
        shown[number] = evolve(shown[number], state=DONE if isinstance(step, ScenarioAnswer | Until) else MET)
    left = len(game.journal.entries) < len(played)
    return evolve(empty, steps=tuple(shown), over=True, left=left)


def _alike(one: Sequence[JournalEntry], other: Sequence[JournalEntry]) -> bool:
    """Whether two games have the same answers, as far as both go."""
    return all(
        (a.choice, a.seat, sorted(a.keys)) == (b.choice, b.seat, sorted(b.keys))
        for a, b in zip(one, other, strict=False)
    )


def _told(wrong: Wrong) -> str:
    return harmless("; ".join((wrong.message, *wrong.details)))


def _places(scenario: Scenario) -> Iterator[tuple[Step, Span]]:
    for step in scenario.steps:
        yield step, _place(step)


def _place(step: Step) -> Span:
    if isinstance(step, RefusedAnswer):
        return _place(step.answer)
    if isinstance(step, Facts):
        return step.facts[0].span
    items = getattr(step, "items", None)
    return items.span if isinstance(items, ScenarioItems) else step.span  # type: ignore[union-attr]


def _text(step: Step, book: SourceIndex) -> str:
    """Return a step in one line: an answer by its choice, others as their author wrote them."""
    if isinstance(step, ScenarioAnswer):
        return harmless(f"{step.player} · {step.choice}: {', '.join(step.items.words)}")
    if isinstance(step, RefusedAnswer):
        return harmless(f"refused: {_text(step.answer, book)}")
    if isinstance(step, Facts):
        return harmless("; ".join(fact.text for fact in step.facts))
    lines = book.sources.get(_place(step).path, "").split("\n")
    return harmless(" ".join(lines[_place(step).line - 1 : _place(step).line]).strip().removeprefix("- "))
