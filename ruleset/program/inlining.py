"""Decide which verbs and functions are inlined: short ones, unless nested copies add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import FUNCTION
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

LONGEST_COPY = 40
"""Maximum number of nodes of an inlined verb."""
MOST_COPIED = 200
"""Limit of nodes of a copy with nested copies: `n` verbs that each call the next twice could have `2**n`."""


class Copies:
    """Memoised decisions for the units of a program. Plain calls have no cycles (RW502)."""

    def __init__(self, units: Mapping[str, p.Unit]) -> None:
        self._units = units
        self._sizes: dict[str, int] = {}

    def verb(self, key: str) -> bool:
        """Whether calls of a verb are inlined."""
        return self._size(key) <= MOST_COPIED

    def function(self, key: str) -> bool:
        """Whether calls of a function may be inlined if it is a single expression."""
        return self._size(FUNCTION + key) <= MOST_COPIED

    def _size(self, key: str) -> int:
        """Return the number of nodes of a copy; for a verb that is too long, more than the limit."""
        known = self._sizes.get(key)
        if known is None:
            unit = self._units[key]
            nodes = [node for statement in unit.body for node in everything(statement)]
            copied = key.startswith(FUNCTION) or _is_short(unit, nodes)
            known = self._sizes[key] = len(nodes) + sum(map(self._called, nodes)) if copied else MOST_COPIED + 1
        return known

    def _called(self, node: Any) -> int:
        """Return the number of nodes that a node adds by the copy of what it calls."""
        if isinstance(node, p.CallVerb):
            size = self._size(node.verb)
        elif isinstance(node, p.Invocation | p.InvocationList):
            size = self._size(FUNCTION + node.function)
        else:
            return 0
        return size if size <= MOST_COPIED else 0


def _is_short(unit: p.Unit, nodes: list[Any]) -> bool:
    """Whether a unit is short, has no early end, and does not assign its parameters."""
    ends = any(isinstance(node, p.Leave | t.Give) for node in nodes)
    assigned = {node.variable for node in nodes if isinstance(node, p.SetVar | p.SetListVar | p.Loop)}
    assigned |= {node.slot for node in nodes if isinstance(node, t.Drawing | t.Random) and node.slot is not None}
    return len(nodes) <= LONGEST_COPY and not ends and min(assigned, default=unit.parameters) >= unit.parameters
