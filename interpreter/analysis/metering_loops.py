"""Fuel charges for loops that span several segments: those in which a player may be asked.

A loop that never asks is one statement, which `metering` handles. One that may ask is a cycle of segments. In a
table program a cycle that repeats (`repeat`, a round) charges one unit for each turn, and a loop over a list
charges nothing. So if a static bound of a cycle's work exceeds the free steps:

- a loop over a list charges when its list is set, by the members of the list, as `metering` does;
- a turn of a cycle that charges costs one more unit for each `free` steps in its segments;
- so does a call of a procedure, for all its segments outside of such cycles.

Cycles of other forms, and deeper nesting than packs may have, occur only in programs from outside. They are not
charged for: callers that run such programs bound their time (`patience`).

The time is proportional to the number of segments times the nesting depth of their loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from interpreter.analysis.control_flow import successors
from interpreter.analysis.metered import Metered
from ruleset.table import nodes as t
from ruleset.table.nodes import Charge, Segment, TableProgram, Tree
from ruleset.table.traversal import everything

MOST_LEVELS = 64
"""Deepest nesting of loops that is analysed; a pack may have 16 levels."""
_MOST = 2**31 - 1


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
        self._lists: dict[tuple[int, int], int] = {}
        """Steps for each member of the list of a charged loop, by procedure and slot."""

    def totals(self) -> list[int]:
        """Return the uncharged steps of a call of each procedure, and collect the charges of its segments."""
        own: list[list[int]] = [[] for _ in self._program.procedures]
        for number, segment in enumerate(self._program.segments):
            own[segment.procedure].append(number)
        return [self._work(numbers, 0) for numbers in own]

    def _work(self, numbers: Iterable[int], level: int) -> int:
        """Return the uncharged steps of some segments: each once, except that each cycle counts as a loop."""
        total = 0
        for circle in _circles(numbers, self._next):
            first = circle[0]
            if len(circle) == 1 and first not in self._next[first]:
                total += self._steps[first]
            elif level == MOST_LEVELS:
                total += sum(self._steps[number] for number in circle)
            else:
                total += self._loop(circle, level)
        return total

    def _loop(self, circle: list[int], level: int) -> int:
        """Return the uncharged steps of a loop."""
        head = self._head(circle)
        turn = self._steps[head] + self._work((number for number in circle if number != head), level + 1)
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
        key = segment.procedure, left
        self._lists[key] = max(self._lists.get(key, 0), min(turn, _MOST))
        return 1

    def _head(self, circle: list[int]) -> int:
        """Return the first segment of a cycle: where others enter it; of several, preferably one that charges."""
        inside = set(circle)
        entries = [number for number in circle if not inside.issuperset(self._before[number])] or circle
        segments = self._program.segments
        return min(entries, key=lambda n: (not _charges(segments[n]), _left(segments[n]) is None, n))

    # -------------------------------------------------------------- rebuilt segments

    def rebuilt(self, number: int, segment: Segment, totals: Sequence[int]) -> Segment:
        """Return a segment with its charges."""
        lists = {slot: each for (owner, slot), each in self._lists.items() if owner == segment.procedure}
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


def _circles(numbers: Iterable[int], edges: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Iterate over the strongly connected components of a subgraph (Tarjan's algorithm, without recursion)."""
    inside = dict.fromkeys(numbers)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    done: set[int] = set()
    for root in inside:
        if root in index:
            continue
        path = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while path:
            node, followers = path[-1]
            for one in followers:
                if one not in inside or one in done:
                    continue
                if one in index:
                    low[node] = min(low[node], index[one])
                    continue
                index[one] = low[one] = len(index)
                stack.append(one)
                path.append((one, iter(edges[one])))
                break
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    found = [stack.pop()]
                    while found[-1] != node:
                        found.append(stack.pop())
                    done.update(found)
                    yield found
