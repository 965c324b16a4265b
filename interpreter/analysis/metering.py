"""Fuel charges for loops over lists that may take long.

A table program charges fuel for turns of `While` and for calls of procedures, but going through a list is free: a
few nested loops would run for ever without a rule error. So every backend runs the metered program that
`metered_program` derives. It is never saved, and no hash depends on it.

A static bound of the work decides what is charged. Each node counts as one step, a loop as its body times the
maximum length of its list. Code that takes at most `FREE` steps is paid for by the fuel charged around it, for the
turn of a loop or the call, and stays unchanged. That covers all code of the shipped games, so they lose no speed.
Beyond that:

- a loop over a list charges fuel once the list is made: one unit, and one for each `WORK` steps that its members
  can take (`Metered`);
- a list that may itself become longer than that charges for its members when it is made;
- fuel is charged (`Charge`) before a statement that exceeds the limit together with those before it. So a call of a
  function never takes more than `FREE` steps without a charge, however deep functions call each other;
- loops in which a player may be asked are cycles of segments; `metering_loops` charges for them.

So each unit of fuel covers at most `FREE` steps for each part that one expression holds side by side; the length of
its text bounds the number of parts. Statements that only narrate are not charged, since most builds leave them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from rulewright.interpreter.analysis import metered
from rulewright.interpreter.analysis.list_bounds import Bounds
from rulewright.interpreter.analysis.metered import Metered
from rulewright.interpreter.analysis.metering_loops import charged
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.common.limits import HIGHEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Charge, Expr, Function, List, Segment, Slot, Stmt, TableProgram, Tree
from rulewright.ruleset.table.traversal import everything, parts

MADE = 4
"""Steps for each member of a list that is put together from others: it takes memory, too."""
READ = 8
"""Members of a list that is copied or searched that cost one step."""
SORTED = 64
"""Sorting a list, or removing its duplicates, costs each member one more step per this many members."""

_LOOPS = (
    t.Total,
    t.Exists,
    t.Highest,
    t.Filter,
    t.Map,
    t.FlatMap,
    t.Extremes,
    t.Ranked,
    t.Distinct,
)
_MADE = (t.FlatMap, t.Concat, t.Take, t.Rotated, t.CallList)
_READ = (t.CellList, t.Cards, t.LocalList, t.TableList, t.Answer)
_MOVING = (t.Move, t.SendHome, t.MoveAll, t.Drawing, t.Shuffle, t.Prepare)
_CALLING = (t.Call, t.CallList, t.Do)


@once
def metered_program(program: TableProgram) -> TableProgram:
    """Return the program that backends run: the same one if all its code is within bounds."""
    return _Meter(program).metered()


class _Meter:
    """The rewriter of one program's code, which bounds its uncharged work, each function before its callers."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._bounds = Bounds(program)
        self._free = metered.FREE
        self._moved = max((zone.capacity for zone in program.zones), default=0)
        self._steps: dict[int, int] = {}
        """Uncharged steps of a call, by function."""
        self._functions = list(program.functions)
        self._slots: Sequence[Slot] = ()
        self._at = 0
        """The rule of the current code, for nodes that have none."""

    def metered(self) -> TableProgram:
        """Return the whole program."""
        for number in range(len(self._functions)):
            self._reach(number)
        made, steps = zip(*map(self._segment, self._program.segments), strict=True)
        segments = charged(self._program, made, steps, self._free)
        changed = any(new is not old for new, old in zip(self._functions, self._program.functions, strict=True))
        if not changed and all(new is old for new, old in zip(segments, self._program.segments, strict=True)):
            return self._program
        return evolve(self._program, functions=tuple(self._functions), segments=segments)

    # -------------------------------------------------------------- units of code

    def _reach(self, number: int) -> None:
        """Meter a function after those it calls, without recursion, since chains of calls may be long."""
        waiting = [number]
        while waiting:
            one = waiting[-1]
            if one not in self._steps:
                self._steps[one] = -1  # under way; the rules let no function call itself (RW502)
                waiting += (n for n in self._called(self._functions[one]) if n not in self._steps)
                continue
            if self._steps[one] < 0:
                self._function(one)
            waiting.pop()

    def _called(self, function: Function) -> Iterator[int]:
        for part in everything(function.body):
            if isinstance(part, _CALLING):
                yield part.function
            elif isinstance(part, t.DoTable):
                yield from (n for n in self._program.tables[part.table] if n >= 0)

    def _function(self, number: int) -> None:
        function = self._functions[number]
        self._slots, self._at = function.slots, function.at
        body, self._steps[number] = self._block(function.body)
        if body is not function.body:
            self._functions[number] = evolve(function, body=body)

    def _call(self, number: int) -> int:
        """Return the steps of a call. One that calls itself, in a program from outside, costs the maximum."""
        steps = self._steps[number]
        return steps if steps >= 0 else self._free

    def _segment(self, segment: Segment) -> tuple[Segment, int]:
        procedure = self._program.procedures[segment.procedure]
        self._slots, self._at = procedure.slots, procedure.at
        tree, steps = self._tree(segment.tree)
        return (segment if tree is segment.tree else evolve(segment, tree=tree)), steps

    def _tree(self, tree: Tree) -> tuple[Tree, int]:
        body, steps = self._block(tree.body)
        end: Any = tree.end
        if isinstance(end, t.Branch):
            condition, more = self._node(end.condition)
            (then, first), (otherwise, second) = self._tree(end.then), self._tree(end.otherwise)
            more += max(first, second)
            if condition is not end.condition or then is not end.then or otherwise is not end.otherwise:
                end = evolve(end, condition=condition, then=then, otherwise=otherwise)
        else:
            end, more = self._parts(end)
        same = body is tree.body and end is tree.end
        return (tree if same else evolve(tree, body=body, end=end)), steps + more

    def _block(self, body: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], int]:
        """Insert charges before statements that exceed the free steps together with those before them.

        Also returns the uncharged steps: those before the first charge.
        """
        made: list[Stmt] = []
        left, unpaid = self._free, 0
        charged = False
        for old in body:
            new, steps = self._statement(old)
            if steps > left:
                times = -(-steps // self._free)
                made += [Charge(getattr(new, "at", self._at))] * times
                left, charged = times * self._free, True
            left -= steps
            unpaid += 0 if charged else steps
            made.append(new)
        same = len(made) == len(body) and all(new is old for new, old in zip(made, body, strict=True))
        return body if same else tuple(made), unpaid

    # -------------------------------------------------------------- statements

    def _statement(self, node: Stmt) -> tuple[Stmt, int]:
        """Return a statement and its uncharged steps."""
        match node:
            case t.ForEach(_, items, body):
                inner, steps = self._block(body)
                over, more = self._over(items, 1 + steps, self._at)
                same = inner is body and over is items
                return node if same else evolve(node, items=over, body=inner), 1 + more
            case t.If(condition, then, otherwise):
                test, steps = self._node(condition)
                (one, first), (other, second) = self._block(then), self._block(otherwise)
                same = test is condition and one is then and other is otherwise
                new = node if same else evolve(node, condition=test, then=one, otherwise=other)
                return new, 1 + steps + max(first, second)
            case t.While(condition, body):
                test, _ = self._node(condition)
                inner, _ = self._block(body)
                same = test is condition and inner is body
                return node if same else evolve(node, condition=test, body=inner), 1
            case t.Emit() | t.Reveal():
                return node, 1
        new_node, steps = self._parts(node)
        if isinstance(node, t.Move) and new_node.chooser is not node.chooser:
            new_node = evolve(new_node, chooser=node.chooser)  # only narration reads it
        if isinstance(node, _MOVING):
            steps += self._moved
        if isinstance(node, t.DoTable):
            called = (self._call(n) for n in self._program.tables[node.table] if n >= 0)
            steps += max(called, default=0)
        return new_node, steps

    # -------------------------------------------------------------- expressions

    def _node(self, node: Any) -> tuple[Any, int]:
        """Return a metered expression or list, and its uncharged steps."""
        if isinstance(node, _LOOPS):
            new, steps = self._loop(node)
        else:
            new, steps = self._parts(node)
        if isinstance(node, List):
            return self._list(node, new, steps)
        if isinstance(node, t.Contains):
            steps += self._bounds.most(node.items, self._slots) // READ
        if isinstance(node, t.Same):
            steps += min(self._bounds.most(one, self._slots) for one in (node.left, node.right)) // READ
        return new, steps

    def _parts(self, node: Any) -> tuple[Any, int]:
        """Meter a node that evaluates each of its operands at most once."""
        steps, changes = 1, {}
        for name in parts(node):
            old = getattr(node, name)
            if isinstance(old, (Expr, List)):
                new, more = self._node(old)
            elif isinstance(old, tuple) and old:
                new, more = self._tuple(old)
            else:
                continue
            steps += more
            if new is not old:
                changes[name] = new
        if isinstance(node, _CALLING):
            steps += self._call(node.function)
        if isinstance(node, t.Ask):
            steps *= self._program.seats
        return (evolve(node, **changes) if changes else node), steps

    def _tuple(self, parts: tuple[Any, ...]) -> tuple[tuple[Any, ...], int]:
        pairs = [self._node(part) if isinstance(part, (Expr, List)) else (part, 0) for part in parts]
        new = tuple(part for part, _ in pairs)
        same = all(one is other for one, other in zip(new, parts, strict=True))
        return parts if same else new, sum(steps for _, steps in pairs)

    def _loop(self, node: Any) -> tuple[Any, int]:
        """Meter a node that evaluates its body for each of its items."""
        name = "condition" if isinstance(node, t.Filter) else "body"
        old = getattr(node, name)
        body, steps = self._node(old)
        if isinstance(node, t.Ranked | t.Distinct):
            steps += self._bounds.most(node.items, self._slots) // SORTED
        items, more = self._over(node.items, 1 + steps, getattr(node, "at", self._at))
        same = body is old and items is node.items
        return node if same else evolve(node, items=items, **{name: body}), 1 + more

    def _over(self, items: List, each: int, at: int) -> tuple[List, int]:
        """Meter the items of a loop whose body takes `each` steps. Also returns the loop's uncharged steps."""
        new, steps = self._node(items)
        turns = self._bounds.most(items, self._slots) * each
        if turns <= self._free:
            return new, steps + turns
        return Metered(new, min(each, HIGHEST), at), steps

    def _list(self, node: List, new: List, steps: int) -> tuple[List, int]:
        """Add to a list the cost of making or copying it."""
        if isinstance(node, _READ):
            return new, steps + self._bounds.most(node, self._slots) // READ
        if not isinstance(node, _MADE):
            return new, steps
        making = self._bounds.most(node, self._slots) * MADE
        if making <= self._free:
            return new, steps + making
        return Metered(new, MADE, self._at), steps
