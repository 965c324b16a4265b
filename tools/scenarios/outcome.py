"""What came of a scenario, and what is not as it says."""

from __future__ import annotations

from attrs import frozen

from interpreter.game.game import RuleFault
from interpreter.state.events import Event
from ruleset.common.span import Span
from ruleset.program.scenario import Scenario
from ruleset.table.nodes import Source, TableProgram


@frozen
class Wrong:
    """Something that is not as the scenario says: where it says so, what is the case instead.

    `details` are lines about values; `rule` is the rule that brought it about, as far as that can be told.
    """

    span: Span
    message: str
    details: tuple[str, ...] = ()
    rule: Source | None = None


@frozen
class Outcome:
    """What came of a scenario: it holds if nothing is wrong. `events` is everything that happened."""

    scenario: Scenario
    wrong: tuple[Wrong, ...]
    events: tuple[Event, ...] = ()
    table: TableProgram | None = None


class Stop(Exception):  # noqa: N818 - ends a scenario, which is no fault of ours
    """The scenario cannot go on, since something is not as it says."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


def faulty(fault: RuleFault, span: Span) -> Wrong:
    """That the rules fail."""
    return Wrong(span, f"the rules fail: {fault.told()}", (), fault.source)
