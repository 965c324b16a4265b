"""The size of the stack: the cells of the longest chain of calls, and room for recursion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ruleset.common.limits import FRAMES_OF_RECURSION
from rulewright.ruleset.lower.draft import Draft
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t


def stack_cells(
    drafts: Sequence[Draft | None],
    tables: Sequence[tuple[int, ...]],
    procedures: Sequence[t.Procedure],
    beginnings: Sequence[int],
) -> int:
    """Return the cells needed for the deepest chain of calls that begins in one of some procedures."""
    calls: dict[int, set[int]] = {n: set() for n in range(len(procedures))}
    for draft in drafts:
        assert draft is not None
        for node in everything(draft.tree):
            if isinstance(node, t.Invoke):
                calls[draft.procedure].add(node.procedure)
            elif isinstance(node, t.InvokeTable):
                calls[draft.procedure].update(n for n in tables[node.table] if n >= 0)
    sizes = [procedure.size for procedure in procedures]
    found = [_deepest(root, calls, sizes) for root in beginnings]
    cells = max(depth for depth, _ in found)
    if any(circular for _, circular in found):
        cells += FRAMES_OF_RECURSION * max(sizes)
    return cells + 2


def _deepest(root: int, calls: dict[int, set[int]], sizes: list[int]) -> tuple[int, bool]:
    """Return the cells of the largest call chain from a procedure, and whether there is recursion."""
    depth: dict[int, int] = {}
    circular = False
    inner: dict[int, int] = {}
    """For each procedure on the current path, the largest chain below it so far."""
    way: list[tuple[int, Iterator[int]]] = []
    number: int | None = root
    while number is not None or way:
        if number is not None:
            inner[number] = 0
            way.append((number, iter(sorted(calls[number]))))
        here, callees = way[-1]
        number = None
        for callee in callees:
            if callee in inner:
                circular = True
            elif callee in depth:
                inner[here] = max(inner[here], depth[callee])
            else:
                number = callee
                break
        if number is None:
            way.pop()
            depth[here] = sizes[here] + inner.pop(here)
            if way:
                above = way[-1][0]
                inner[above] = max(inner[above], depth[here])
    return depth[root], circular
