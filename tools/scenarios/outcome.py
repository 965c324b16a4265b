"""The outcome of a scenario, and its differences from what the scenario says."""

from __future__ import annotations

from attrs import frozen

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.state.events import Event
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.program.scenario import Scenario
from rulewright.ruleset.table.nodes import Source, TableProgram


@frozen
class Wrong:
    """A difference from what the scenario says: the place in the scenario, and what happened instead.

    `details` are lines about values; `rule` is the rule that caused it, if known, and `part` what the rule did.
    """

    span: Span
    message: str
    details: tuple[str, ...] = ()
    rule: Source | None = None
    part: str = "changed by this rule"


ASKED, FAILED = "asked by this rule", "failed in this rule"
"""What a rule did that changed nothing."""


@frozen
class Outcome:
    """The outcome of a scenario: it passes if `wrong` is empty. `events` is everything that happened."""

    scenario: Scenario
    wrong: tuple[Wrong, ...]
    events: tuple[Event, ...] = ()
    table: TableProgram | None = None


class Stop(Exception):  # noqa: N818 - ends a scenario; not an internal error
    """The scenario cannot continue, because something differs from what it says."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


def faulty(fault: RuleFault, span: Span) -> Wrong:
    """Report that the rules fail."""
    return Wrong(span, f"the rules fail: {fault.told()}", (), fault.source, FAILED)
