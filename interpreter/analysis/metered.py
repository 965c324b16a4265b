"""The one node that metering adds to a program, a list that costs fuel, and what fuel costs. See `metering`."""

from __future__ import annotations

from attrs import frozen

from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import FUEL, List

FREE = 8_192
"""Steps of work that code may take, at the very most, without a charge of its own. A step is about one node of the
code, evaluated once."""
WORK = 1_024
"""Steps that one unit of fuel pays for where lists are charged for."""


@frozen
class Metered(List):
    """The items; when they are there, `units` of fuel are charged for what follows. Rule error `fuel`.

    `each` is the work that follows for each item, in steps.
    """

    items: List
    each: int
    at: int


def units(count: int, each: int) -> int:
    """The units of fuel for a list with `count` items."""
    return 1 + count * each // WORK


def charge(state: list[int], at: int, amount: int = 1) -> None:
    """Take fuel. Rule error `fuel` where there is not enough, which leaves it as it is."""
    if state[FUEL] < amount:
        raise RuleError("fuel", at)
    state[FUEL] -= amount
