"""Charge fuel for loops whose turns go through several segments: those in which a player may be asked.

A loop that never asks is one statement, which `metering` looks at. One that may ask is a circle of segments. In a
table program a circle that repeats (`repeat`, a round) charges one unit for each turn, and a loop over a list
charges nothing. So here, where a static bound of a circle's work is more than the free steps:

- a loop over a list charges when its list is set, by the members of the list, as `metering` does;
- a turn of a circle that charges costs more units, one for each so many free steps in its segments;
- so does a call of a procedure, for all its segments outside of such circles.

Circles of other forms, and what is deeper than any pack may be, only programs from outside have. They are not
charged for here: whoever runs such programs bounds their time (`patience`).

All this takes time in proportion to the segments, times how deep their loops are inside each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from interpreter.analysis.metered import Metered
from interpreter.analysis.nodes import walk
from ruleset.table import nodes as table
from ruleset.table.nodes import Charge, Segment, TableProgram, Tree

MOST_LEVELS = 64
"""Loops inside each other that are told apart; a pack may have 16."""
_MOST = 2**31 - 1


def charged(
    program: TableProgram, segments: Sequence[Segment], steps: Sequence[int], free: int
) -> tuple[Segment, ...]:
    """The segments with loops and calls charged; `steps` is the uncharged work of each."""
    circles = _Circles(program, steps, free)
    totals = circles.totals()
    return tuple(circles.rebuilt(number, segment, totals) for number, segment in enumerate(segments))


class _Circles:
    """The circles of one program's segments, and what is to be charged in each segment."""

    def __init__(self, program: TableProgram, steps: Sequence[int], free: int) -> None:
        self._program = program
        self._steps = steps
        self._free = free
        self._next = [tuple(_next(segment.tree)) for segment in program.segments]
        self._before: list[list[int]] = [[] for _ in program.segments]
        for number, followers in enumerate(self._next):
            for one in followers:
                self._before[one].append(number)
        self._more: dict[int, int] = {}
        """Units that a segment charges in addition."""
        self._lists: dict[tuple[int, int], int] = {}
        """Steps for each member of a list of a loop that is charged, by procedure and slot."""

    def totals(self) -> list[int]:
        """The uncharged steps of a call of each procedure; notes what its segments charge."""
        own: list[list[int]] = [[] for _ in self._program.procedures]
        for number, segment in enumerate(self._program.segments):
            own[segment.procedure].append(number)
        return [self._work(numbers, 0) for numbers in own]

    def _work(self, numbers: Iterable[int], level: int) -> int:
        """The uncharged steps of some segments, each taken once, and each circle in them as a loop."""
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
        """The uncharged steps of a loop."""
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
        """Where a circle begins: the segment by which others enter it, one that charges if there are several."""
        inside = set(circle)
        entries = [number for number in circle if not inside.issuperset(self._before[number])] or circle
        segments = self._program.segments
        return min(entries, key=lambda n: (not _charges(segments[n]), _left(segments[n]) is None, n))

    # -------------------------------------------------------------- the segments that are made

    def rebuilt(self, number: int, segment: Segment, totals: Sequence[int]) -> Segment:
        """A segment with its charges."""
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
        if isinstance(end, table.Branch):
            then, otherwise = (self._tree(one, lists, totals, at) for one in (end.then, end.otherwise))
            if then is not end.then or otherwise is not end.otherwise:
                end = evolve(end, then=then, otherwise=otherwise)
        elif isinstance(end, table.Invoke | table.InvokeTable):
            called = self._program.tables[end.table] if isinstance(end, table.InvokeTable) else (end.procedure,)
            work = max((totals[number] for number in called if number >= 0), default=0)
            body += (Charge(end.at),) * (work // self._free)
        same = len(body) == len(tree.body) and all(new is old for new, old in zip(body, tree.body, strict=True))
        return tree if same and end is tree.end else evolve(tree, body=body, end=end)


def _metered(statement: table.Stmt, lists: Mapping[int, int], at: int) -> table.Stmt:
    """A statement, with a charge if it sets the list of a loop; what takes members off that list is free."""
    if not isinstance(statement, table.SetList) or statement.slot not in lists:
        return statement
    if any(isinstance(part, table.LocalList) and part.slot == statement.slot for part in walk(statement.items)):
        return statement
    return evolve(statement, items=Metered(statement.items, lists[statement.slot], at))


def _charges(segment: Segment) -> bool:
    return any(isinstance(statement, Charge) for statement in segment.tree.body)


def _left(segment: Segment) -> int | None:
    """The slot of the list of a loop that begins with this segment: it goes on while the list has members."""
    match segment.tree:
        case Tree((), table.Branch(table.Binary(">", table.Count(table.LocalList(slot)), table.Const(0)), _, _)):
            return slot
    return None


def _next(tree: Tree) -> Iterator[int]:
    """The segments of the same procedure that may follow."""
    waiting = [tree]
    while waiting:
        match waiting.pop().end:
            case table.Branch(_, then, otherwise):
                waiting += (then, otherwise)
            case table.Goto(number):
                yield number
            case table.Ask() | table.Invoke() | table.InvokeTable() as end:
                yield end.resume


def _circles(numbers: Iterable[int], edges: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The strongly connected components of a part of a graph (Tarjan's algorithm, without recursion)."""
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
