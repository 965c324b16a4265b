"""Which slots a segment needs on entry: a backward analysis over the segments of all procedures.

Each segment is summarised once: the slots that it reads, and for every exit to another segment the slots that it
has certainly assigned before. A worklist then propagates needs backwards, so the cost depends only on the number of
exits and of needed slots, not on nesting or numbering.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from rulewright.ruleset.lower.context import Draft
from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t

# ------------------------------------------------------------------ Find the slots that lowered expressions read

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


# ---- Liveness

NO_SLOTS: Slots = frozenset()

Exit = tuple[int, Slots]
"""A segment that may come next, and the slots assigned before it."""


def live_slots(drafts: Sequence[Draft], entries: dict[int, Slots], sites: Sequence[t.Site]) -> list[Slots]:
    """Return, for each segment, the slots that are read in it or after it before they are assigned.

    `entries` gives the parameters, which a procedure's first segment always keeps. A segment that asks also needs
    the values that the texts of its site show.
    """
    live: list[set[int]] = []
    comes_from: list[list[Exit]] = [[] for _ in drafts]
    for number, draft in enumerate(drafts):
        needed, exits = _tree(draft.tree)
        live.append({*needed, *entries.get(number, NO_SLOTS)})
        if isinstance(draft.tree.end, t.Ask):
            live[-1] |= _shown(sites[draft.tree.end.site]) - {draft.tree.end.slot}
        for target, assigned in exits:
            comes_from[target].append((number, assigned))
    # Later and enclosing segments mostly have lower numbers. So when a segment's turn comes, its needs are usually
    # complete.
    rest = {number: set(slots) for number, slots in enumerate(live) if slots}
    turns = list(rest)
    while turns:
        new = rest.pop(number := heappop(turns))
        for earlier, assigned in comes_from[number]:
            more = new - assigned - live[earlier]
            if more:
                live[earlier] |= more
                if earlier not in rest:
                    heappush(turns, earlier)
                rest.setdefault(earlier, set()).update(more)
    return [frozenset(slots) for slots in live]


def _shown(site: t.Site) -> Slots:
    """Return the slots that the texts of a site read."""
    found: Slots = frozenset().union(*(reads(one.value) for one in site.shows))
    for branch in site.branches:
        found |= frozenset().union(*(reads(one.value) for one in branch.shows)) - frozenset(branch.slots)
    return found


def _tree(tree: t.Tree) -> tuple[Slots, list[Exit]]:
    """Return the slots that a tree itself needs, and its exits."""
    needed, exits = _end(tree.end)
    read, assigned = _code(tree.body)
    return read | (needed - assigned), [(target, before | assigned) for target, before in exits]


def _end(end: t.End) -> tuple[Slots, list[Exit]]:
    if isinstance(end, t.Goto):
        return NO_SLOTS, [(end.segment, NO_SLOTS)]
    if isinstance(end, t.Branch):
        (then, exits), (otherwise, more) = _tree(end.then), _tree(end.otherwise)
        return reads(end.condition) | then | otherwise, [*exits, *more]
    if isinstance(end, t.Ask):
        own = reads(end.options) | reads(end.least) | reads(end.most)
        return reads(end.seats) | (own - {end.slot}), [(end.resume, NO_SLOTS)]
    used: Slots = frozenset().union(*map(reads, children(end)))
    return used, [(end.resume, NO_SLOTS)] if isinstance(end, t.Invoke | t.InvokeTable) else []


def _statement(node: t.Stmt) -> tuple[Slots, Slots]:
    """Return the slots that a statement may read before it assigns them, and those that it certainly assigns."""
    if isinstance(node, t.SetLocal | t.SetList):
        return reads(node.value if isinstance(node, t.SetLocal) else node.items), frozenset({node.slot})
    if isinstance(node, t.Random):
        return reads(node.bound), frozenset({node.slot})
    if isinstance(node, t.Drawing):
        used = reads(node.source) | reads(node.count) | reads(node.to)
        return used, NO_SLOTS if node.slot is None else frozenset({node.slot})
    if isinstance(node, t.If):
        (then, one), (otherwise, other) = _code(node.then), _code(node.otherwise)
        return reads(node.condition) | then | otherwise, one & other
    if isinstance(node, t.ForEach):  # the list may be empty, so that nothing is assigned
        return reads(node.items) | (_code(node.body)[0] - {node.slot}), NO_SLOTS
    if isinstance(node, t.While):
        return reads(node.condition) | _code(node.body)[0], NO_SLOTS
    return frozenset().union(*map(reads, children(node))), NO_SLOTS


def _code(code: tuple[t.Stmt, ...]) -> tuple[Slots, Slots]:
    """Analyse a sequence of statements; see `_statement`."""
    needed: set[int] = set()
    assigned: set[int] = set()
    for statement in code:
        read, surely = _statement(statement)
        needed |= read - assigned
        assigned |= surely
    return frozenset(needed), frozenset(assigned)
