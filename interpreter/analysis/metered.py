"""The node that metering adds to a program: a list that costs fuel.

See `metering`.
"""

from __future__ import annotations

from array import array

from attrs import frozen

from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.nodes import FUEL, List

FREE = 8_192
"""Maximum steps of work that code may take without a charge of its own. A step is about one node's evaluation."""
WORK = 1_024
"""Steps that one unit of fuel pays for where lists are charged for."""


@frozen
class Metered(List):
    """A list that, once it is evaluated, charges `units` of fuel for the code that uses it. Rule error `fuel`.

    `each` is that code's work for each item, in steps.
    """

    items: List
    each: int
    at: int


def units(count: int, each: int) -> int:
    """Return the units of fuel for a list with `count` items."""
    return 1 + count * each // WORK


def charge(state: array[int], at: int, amount: int = 1) -> None:
    """Take fuel. Raises rule error `fuel` if there is not enough, without taking any."""
    if state[FUEL] < amount:
        raise RuleError("fuel", at)
    state[FUEL] -= amount
