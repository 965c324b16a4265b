"""Which verbs and functions are copied to where they are called: short ones, unless copies in copies add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleset.program import nodes as p
from ruleset.program.call_effects import FUNCTION
from ruleset.program.traversal import everything
from ruleset.table import nodes as t

LONGEST_COPY = 40
"""Nodes in a verb that is copied to where it is called."""
MOST_COPIED = 200
"""Nodes of a copy with all copies inside it: of `n` verbs that each call the next twice there could be `2**n`."""


class Copies:
    """Answers for the units of one program, each worked out once. Plain calls go in no circle (RW502)."""

    def __init__(self, units: Mapping[str, p.Unit]) -> None:
        self._units = units
        self._sizes: dict[str, int] = {}

    def verb(self, key: str) -> bool:
        """Whether a verb is copied rather than called."""
        return self._size(key) <= MOST_COPIED

    def function(self, key: str) -> bool:
        """Whether a function may be copied, if it is one expression."""
        return self._size(FUNCTION + key) <= MOST_COPIED

    def _size(self, key: str) -> int:
        """The nodes of a copy; of a verb that is too long to be copied more than any copy has."""
        known = self._sizes.get(key)
        if known is None:
            unit = self._units[key]
            nodes = [node for statement in unit.body for node in everything(statement)]
            copied = key.startswith(FUNCTION) or _is_short(unit, nodes)
            known = self._sizes[key] = len(nodes) + sum(map(self._called, nodes)) if copied else MOST_COPIED + 1
        return known

    def _called(self, node: Any) -> int:
        """The nodes that a copy of what a node calls adds."""
        if isinstance(node, p.CallVerb):
            size = self._size(node.verb)
        elif isinstance(node, p.Invocation | p.InvocationList):
            size = self._size(FUNCTION + node.function)
        else:
            return 0
        return size if size <= MOST_COPIED else 0


def _is_short(unit: p.Unit, nodes: list[Any]) -> bool:
    """Little code, no end before its end, parameters left alone."""
    ends = any(isinstance(node, p.Leave | t.Give) for node in nodes)
    assigned = {node.variable for node in nodes if isinstance(node, p.SetVar | p.SetListVar | p.Loop)}
    assigned |= {node.slot for node in nodes if isinstance(node, t.Drawing | t.Random) and node.slot is not None}
    return len(nodes) <= LONGEST_COPY and not ends and min(assigned, default=unit.parameters) >= unit.parameters
