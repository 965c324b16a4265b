"""Find the slots that lowered expressions read."""

from __future__ import annotations

from typing import Any

from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t

Slots = frozenset[int]


def reads(node: Any) -> Slots:
    """Return the slots that an expression reads, except those that it binds. Each node is visited once."""
    if isinstance(node, t.Local | t.LocalList):
        return frozenset({node.slot})
    slot = getattr(node, "slot", None)
    if slot is None:
        return frozenset().union(*map(reads, children(node)))
    bound: Slots = frozenset().union(*(reads(child) for child in children(node) if child is not node.items))
    return reads(node.items) | (bound - {slot})
