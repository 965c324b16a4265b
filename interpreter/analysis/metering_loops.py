"""Fuel charges for loops that span several segments: those in which a player may be asked.

A loop that never asks is one statement, which `metering` handles. One that may ask is a cycle of segments. In a
table program a cycle that repeats (`repeat`, a round) charges one unit for each turn, and a loop over a list
charges nothing. So if a static bound of a cycle's work exceeds the free steps:

- a loop over a list charges when its list is set, by the members of the list, as `metering` does;
- a turn of a cycle that charges costs one more unit for each `free` steps in its segments;
- so does a call of a procedure, for all its segments outside of such cycles.

Cycles that are entered in several places occur only in programs that no pack has made. Of those, what a search from
the procedure's entry finds first is a loop, and the rest is not charged for.

The time is proportional to the number of segments, however deep their loops are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from rulewright.interpreter.analysis.control_flow import successors
from rulewright.interpreter.analysis.metered import Metered
from rulewright.ruleset.common.limits import HIGHEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Charge, Segment, TableProgram, Tree
from rulewright.ruleset.table.traversal import everything


def charged(
    program: TableProgram, segments: Sequence[Segment], steps: Sequence[int], free: int
) -> tuple[Segment, ...]:
    """Return the segments with loops and calls charged; `steps` is the uncharged work of each."""
    circles = _Circles(program, steps, free)
    totals = circles.totals()
    return tuple(circles.rebuilt(number, segment, totals) for number, segment in enumerate(segments))


class _Circles:
    """The cycles of one program's segments, and the charges of each segment."""

    def __init__(self, program: TableProgram, steps: Sequence[int], free: int) -> None:
        self._program = program
        self._steps = steps
        self._free = free
        self._next = [tuple(successors(segment.tree)) for segment in program.segments]
        self._before: list[list[int]] = [[] for _ in program.segments]
        for number, followers in enumerate(self._next):
            for one in followers:
                self._before[one].append(number)
        self._more: dict[int, int] = {}
        """Additional units that a segment charges."""
        self._lists: list[dict[int, int]] = [{} for _ in program.procedures]
        """Steps for each member of the list of a charged loop, by procedure and slot."""

    def totals(self) -> list[int]:
        """Return the uncharged steps of a call of each procedure, and collect the charges of its segments."""
        own = [[procedure.entry] for procedure in self._program.procedures]
        for number, segment in enumerate(self._program.segments):
            own[segment.procedure].append(number)
        return [self._work(numbers) for numbers in own]

    def _work(self, numbers: Sequence[int]) -> int:
        """Return the uncharged steps of a procedure: of each segment once, except that a cycle counts as a loop."""
        steps = {number: self._steps[number] for number in numbers}
        for head, inside, entries in _loops(numbers, self._next, self._before):
            turn = steps[head] + sum(steps.pop(number) for number in inside)
            steps[head] = self._loop(self._first(entries or (head, *inside)), turn)
        return sum(steps.values())

    def _first(self, entries: Iterable[int]) -> int:
        """Return where a loop begins: of several segments in which it is entered, preferably one that charges."""
        segments = self._program.segments
        return min(entries, key=lambda n: (not _charges(segments[n]), _left(segments[n]) is None, n))

    def _loop(self, head: int, turn: int) -> int:
        """Return the uncharged steps of a loop whose turns take so many."""
        segment = self._program.segments[head]
        if _charges(segment):
            self._more[head] = turn // self._free
            return 1
        left = _left(segment)
        if left is None:
            return turn
        whole = turn * (1 + self._program.procedures[segment.procedure].slots[left].capacity)
        if whole <= self._free:
            return whole
        lists = self._lists[segment.procedure]
        lists[left] = max(lists.get(left, 0), min(turn, HIGHEST))
        return 1

    # -------------------------------------------------------------- rebuilt segments

    def rebuilt(self, number: int, segment: Segment, totals: Sequence[int]) -> Segment:
        """Return a segment with its charges."""
        lists = self._lists[segment.procedure]
        at = self._program.procedures[segment.procedure].at
        tree = self._tree(segment.tree, lists, totals, at)
        if more := self._more.get(number, 0):
            at = next((one.at for one in tree.body if isinstance(one, Charge)), at)
            tree = evolve(tree, body=(*[Charge(at)] * more, *tree.body))
        return segment if tree is segment.tree else evolve(segment, tree=tree)

    def _tree(self, tree: Tree, lists: Mapping[int, int], totals: Sequence[int], at: int) -> Tree:
        body = tuple(_metered(statement, lists, at) for statement in tree.body)
        end: Any = tree.end
        if isinstance(end, t.Branch):
            then, otherwise = (self._tree(one, lists, totals, at) for one in (end.then, end.otherwise))
            if then is not end.then or otherwise is not end.otherwise:
                end = evolve(end, then=then, otherwise=otherwise)
        elif isinstance(end, t.Invoke | t.InvokeTable):
            called = self._program.tables[end.table] if isinstance(end, t.InvokeTable) else (end.procedure,)
            work = max((totals[number] for number in called if number >= 0), default=0)
            body += (Charge(end.at),) * (work // self._free)
        same = len(body) == len(tree.body) and all(new is old for new, old in zip(body, tree.body, strict=True))
        return tree if same and end is tree.end else evolve(tree, body=body, end=end)


def _metered(statement: t.Stmt, lists: Mapping[int, int], at: int) -> t.Stmt:
    """Charge for a statement that sets the list of a loop. Taking members off that list is free."""
    if not isinstance(statement, t.SetList) or statement.slot not in lists:
        return statement
    read = (part.slot for part in everything(statement.items) if isinstance(part, t.LocalList))
    if statement.slot in read:
        return statement
    return evolve(statement, items=Metered(statement.items, lists[statement.slot], at))


def _charges(segment: Segment) -> bool:
    return any(isinstance(statement, Charge) for statement in segment.tree.body)


def _left(segment: Segment) -> int | None:
    """Return the slot of the list if this segment begins a loop, which goes on while the list has members."""
    match segment.tree:
        case Tree((), t.Branch(t.Binary(">", t.Count(t.LocalList(slot)), t.Const(0)), _, _)):
            return slot
    return None


def _searched(roots: Iterable[int], edges: Sequence[Sequence[int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Search a graph depth first from its roots. Returns when each node was entered, and how many had been entered
    when it was left.
    """
    entered: dict[int, int] = {}
    left: dict[int, int] = {}
    for root in roots:
        path = [] if root in entered else [root]
        while path:
            node = path[-1]
            entered.setdefault(node, len(entered))
            fresh = next((one for one in edges[node] if one not in entered), None)
            if fresh is None:
                left[node] = len(entered)
                path.pop()
            else:
                path.append(fresh)
    return entered, left


def _loops(
    roots: Iterable[int], edges: Sequence[Sequence[int]], before: Sequence[Sequence[int]]
) -> Iterator[tuple[int, set[int], list[int]]]:
    """Iterate over the loops of a graph, inner ones first (Tarjan's nesting of loops).

    Of each loop these are the node that a search enters first, the others directly inside, of which an inner loop
    is one node, and those that are entered from outside.
    """
    entered, left = _searched(roots, edges)
    around: dict[int, int] = {}

    def outermost(node: int) -> int:
        """Return the largest loop so far that a node is in. Halves the way there for the next time."""
        while (above := around.get(node, node)) != node:
            around[node] = around.get(above, above)
            node = above
        return node

    for head in reversed(entered):
        found, entries, waiting = {head}, [], [head]
        turns = False
        while waiting:
            node = waiting.pop()
            sources = [outermost(one) for one in before[node]]
            own = {one for one in sources if entered[head] <= entered[one] < left[head]}
            turns = turns or bool(own)
            if not own.issuperset(sources):
                entries.append(node)
            waiting += own - found
            found |= own
        if turns:
            found.remove(head)
            around.update(dict.fromkeys(found, head))
            yield head, found, entries
