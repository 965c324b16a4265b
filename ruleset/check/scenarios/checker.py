"""Scenario documents -> checked scenarios: players, entry point, positions of cards, and facts.

What depends on a table (the number of copies, the options on offer) is checked when a scenario is played.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scenarios.facts import FactChecker
from rulewright.ruleset.check.scenarios.happenings import HappeningChecker
from rulewright.ruleset.check.scenarios.positions import Positions
from rulewright.ruleset.check.scenarios.rules_known import RulesKnown
from rulewright.ruleset.check.scenarios.table import entry_of, options_of, players_of
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.documents.flow import Series
from rulewright.ruleset.documents.play import Scenario as ScenarioDocument
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.scenario import Scenario
from rulewright.ruleset.program.traversal import Walks

_MENUS = (p.Menu, p.MenuTogether)
_UNKNOWN = re.compile(r"(?:nothing is called|there is no card|no choice offers) `([^`]*)`.*")
"""What is said of an unknown name in a condition, a position, and an answer."""


def check_scenarios(
    context: Context,
    expressions: ExpressionChecker,
    documents: Collection[ScenarioDocument],
    code: Iterable[p.Unit],
    walks: Walks,
    playable: bool = True,
) -> tuple[tuple[Scenario, ...], tuple[p.Unit, ...]]:
    """Return the scenarios without findings, and the units of their conditions. Findings go to the context.

    `code` is all code of the game that can ask. Without `playable`, data needed only for playing is left out: the
    sides of comparisons, which have no findings of their own.
    """
    if not documents:
        return (), ()
    scenarios: list[Scenario] = []
    units: list[p.Unit] = []
    cards = context.declared
    rules = RulesKnown(
        frozenset(source.name for source in context.sources),
        tuple(sorted(key.removeprefix("prompt/") for key in context.used if key.startswith("prompt/"))),
        playable,
        frozenset(_options(code, walks)),
        frozenset(["", "all", "none", "card", "cards", *cards.kinds, *cards.definitions, *cards.plurals]),
        not context.unread,
    )
    first = len(context.found)
    for number, document in enumerate(documents):
        before = len(context.found)
        scenario, conditions = _scenario(expressions, document, number, rules)
        if len(context.found) == before:
            scenarios.append(scenario)
            units.extend(conditions)
            if not scenario.steps:
                message = "this scenario makes no choice and checks nothing"
                context.report("RW706", document.span, message, "add facts under `then`")
    context.found[first:] = _once(context.found[first:])
    return tuple(scenarios), tuple(units)


def _once(findings: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield findings, but those about an unknown name only in the words of the first of them: it is one mistake."""
    said: dict[str, str] = {}
    unknown = {one: found[1] for one in findings if (found := _UNKNOWN.fullmatch(one.message))}
    for one in sorted(unknown, key=lambda one: (one.span.path, one.span.line, one.span.column)):
        said.setdefault(unknown[one], one.message)
    yield from (one for one in findings if one not in unknown or said[unknown[one]] == one.message)


def _scenario(
    expressions: ExpressionChecker, document: ScenarioDocument, number: int, rules: RulesKnown
) -> tuple[Scenario, list[p.Unit]]:
    """Check one scenario; return it and the units of its conditions."""
    context, given = expressions.context, document.given
    positions = Positions(context, players_of(context, document.players))
    entry, turn = entry_of(positions, rules.sources, given)
    facts = FactChecker(expressions, positions, rules.playable, number)
    steps = tuple(HappeningChecker(positions, rules, facts).steps(document))
    out = positions.eliminated(given) if given is not None else ()
    scenario = Scenario(
        document.key,
        document.span,
        document.source.text if document.source is not None else "",
        positions.players,
        options_of(context, document.options),
        document.seed if document.seed is not None else 1,
        entry,
        turn,
        tuple(positions.given(given.node)) if given is not None else (),
        steps,
        out,
        document.series,
    )
    if document.series and not context.declared.all_of(Series):
        hint = "add a document `series: NAME`, or remove this line"
        context.report("RW707", document.place("series"), "this pack has no series of games", hint)
    return scenario, facts.units


def _options(units: Iterable[p.Unit], walks: Walks) -> Iterator[str]:
    """Yield the keys of the options of all menus."""
    for unit in units:
        for node in walks.these(unit, _MENUS):
            yield from (branch.key for branch in node.branches)
