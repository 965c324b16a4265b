"""The scenarios of a pack: their list, their outcomes, and tables to step through them."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.scenario import Scenario
from rulewright.tools.browser.desk.gallery import near
from rulewright.tools.browser.desk.packs import DeskPack
from rulewright.tools.browser.host.findings import Excerpt, excerpt
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import HUMAN
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.unset import unset

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@frozen
class Row:
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


def rows(pack: DeskPack, find: str) -> tuple[Row, ...]:
    """Return the scenarios whose title, source, or file has all words."""
    words = find.casefold().split()
    found = []
    for number, one in enumerate(pack.program.scenarios):
        place = near(pack, one.span)
        told = f"{one.title} {one.source} {place}".casefold()
        if all(word in told for word in words):
            found.append(Row(number, harmless(one.title), harmless(one.source), place, len(one.players)))
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
