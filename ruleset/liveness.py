"""Which slots a segment needs on entry: a backward analysis over the segments of all procedures."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset import table as t
from ruleset.lower_code import Draft
from ruleset.slots import Slots, reads
from ruleset.walk import children


def live_slots(drafts: Sequence[Draft], entries: dict[int, Slots]) -> list[Slots]:
    """For each segment the slots that are read in it, or after it, before they are assigned.

    `entries` gives the parameters that a procedure's first segment has in any case.
    """
    live: list[Slots] = [entries.get(number, frozenset()) for number in range(len(drafts))]
    changed = True
    while changed:
        changed = False
        for number in range(len(drafts) - 1, -1, -1):
            found = _tree(drafts[number].tree, live) | entries.get(number, frozenset())
            if found != live[number]:
                live[number] = found
                changed = True
    return live


def _tree(tree: t.Tree, live: list[Slots]) -> Slots:
    needed = _end(tree.end, live)
    for statement in reversed(tree.body):
        needed = _statement(statement, needed)
    return needed


def _end(end: t.End, live: list[Slots]) -> Slots:
    if isinstance(end, t.Goto):
        return live[end.segment]
    if isinstance(end, t.Branch):
        return reads(end.condition) | _tree(end.then, live) | _tree(end.otherwise, live)
    if isinstance(end, t.Ask):
        own = reads(end.options) | reads(end.least) | reads(end.most)
        return reads(end.seats) | (own - {end.slot}) | live[end.resume]
    used: Slots = frozenset().union(*(reads(child) for child in children(end)))
    if isinstance(end, t.Invoke | t.InvokeTable):
        return used | live[end.resume]
    return used


def _statement(node: t.Stmt, after: Slots) -> Slots:
    if isinstance(node, t.SetLocal | t.SetList):
        value = node.value if isinstance(node, t.SetLocal) else node.items
        return (after - {node.slot}) | reads(value)
    if isinstance(node, t.Random):
        return (after - {node.slot}) | reads(node.bound)
    if isinstance(node, t.Drawing):
        used = reads(node.source) | reads(node.count) | reads(node.to)
        return (after - {node.slot}) | used if node.slot is not None else after | used
    if isinstance(node, t.If):
        return reads(node.condition) | _code(node.then, after) | _code(node.otherwise, after)
    if isinstance(node, t.ForEach):
        inside = _code(node.body, _code(node.body, after) | after)
        return reads(node.items) | after | (inside - {node.slot})
    if isinstance(node, t.While):
        inside = _code(node.body, after | reads(node.condition))
        return reads(node.condition) | after | _code(node.body, inside | after)
    return after.union(*(reads(child) for child in children(node)))


def _code(code: tuple[t.Stmt, ...], after: Slots) -> Slots:
    for statement in reversed(code):
        after = _statement(statement, after)
    return after
