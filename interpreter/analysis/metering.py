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
- loops in which a player may be asked are cycles of segments; the second half of this module charges for them.

So each unit of fuel covers at most `FREE` steps for each part that one expression holds side by side; the length of
its text bounds the number of parts. Statements that only narrate are not charged, since most builds leave them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from rulewright.interpreter.analysis import nodes
from rulewright.interpreter.analysis.control_flow import successors
from rulewright.interpreter.analysis.nodes import Looked, Metered, can_fail, constant_list, folded, read_slots
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.common.limits import HIGHEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything, parts
from rulewright.ruleset.table.nodes import (
    Charge,
    Const,
    Expr,
    Function,
    List,
    Local,
    Segment,
    Slot,
    Stmt,
    TableProgram,
    Tree,
)

# ---- Upper bounds of list lengths: C needs them to reserve memory

class ListBounds:
    """The bounds of the lists of one program."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._given: dict[int, int] = {}
        self._known: dict[tuple[int, int], tuple[List, Sequence[Slot], int]] = {}
        """Of lists made of several lists, by identity with their slots; both are kept alive."""
        self._most = max(
            program.layout.options,
            *(zone.capacity for zone in program.zones),
            *(info.capacity for info in program.state_lists),
            0,
        )

    def most(self, node: List, slots: Sequence[Slot]) -> int:
        """Return the maximum length of a list, in code with these slots."""
        if not isinstance(node, t.Concat | t.FlatMap | t.Choice):
            return self._most_of(node, slots)
        known = self._known.get((id(node), id(slots)))
        if known is None:
            known = self._known[id(node), id(slots)] = node, slots, self._most_of(node, slots)
        return known[2]

    def _most_of(self, node: List, slots: Sequence[Slot]) -> int:
        match node:
            case t.Items(values):
                return len(values)
            case t.LocalList(slot):
                return slots[slot].capacity
            case t.CellList(address):
                return self._cells(address)
            case t.Cards(zone):
                return self._zone(zone)
            case t.TableList(number, _):
                return max(map(len, self._program.lists[number]), default=0)
            case t.FlatMap(items, _, body):
                return self.most(items, slots) * self.most(body, slots)
            case t.Concat(left, right):
                return self.most(left, slots) + self.most(right, slots)
            case t.Take(items, Const(count), _):
                return min(max(count, 0), self.most(items, slots))
            case t.Choice(_, then, otherwise):
                return max(self.most(then, slots), self.most(otherwise, slots))
            case t.CallList(function, _):
                return self.function(function)
            case Looked(_, lists, other):
                return max(len(members) for members in (other, *(members for _, members in lists)))
            case t.Answer():
                return self._program.layout.options
            case _:
                return self.most(node.items, slots)  # type: ignore[attr-defined]  # all others are made of one list

    def function(self, number: int) -> int:
        """Return the maximum length of a function's result."""
        if number not in self._given:
            self._given[number] = 0
            function = self._program.functions[number]
            given = (part.value for part in everything(function.body) if isinstance(part, t.Give))
            lists = [self.most(value, function.slots) for value in given if isinstance(value, List)]
            self._given[number] = max(lists, default=0)
        return self._given[number]

    def _cells(self, address: Expr) -> int:
        """Return the capacity of the list cells at an address: exact for a constant, else the largest."""
        if isinstance(address, Const):
            for info in self._program.state_lists:
                if info.address <= address.value < info.address + info.count * (info.capacity + 1):
                    return info.capacity
        return self._most

    def _zone(self, zone: Expr) -> int:
        zones = self._program.zones
        if isinstance(zone, Const):
            return zones[zone.value].capacity
        return max((one.capacity for one in zones), default=0)


# ---- Fuel charges for loops that span several segments: those in which a player may be asked
#
# A loop that never asks is one statement, which `metering` handles. One that may ask is a cycle of segments.
# In a table program a cycle that repeats (`repeat`, a round) charges one unit for each turn, and a loop over
# a list charges nothing. So if a static bound of a cycle's work exceeds the free steps:
#
# - a loop over a list charges when its list is set, by the members of the list, as `metering` does;
# - a turn of a cycle that charges costs one more unit for each `free` steps in its segments;
# - so does a call of a procedure, for all its segments outside of such cycles.
#
# Cycles that are entered in several places occur only in programs that no pack has made. Of those, what a
# search from the procedure's entry finds first is a loop, and the rest is not charged for.
#
# The time is proportional to the number of segments, however deep their loops are.

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


# ---- Metering

MADE = 4
"""Steps for each member of a list that is put together from others: it takes memory, too."""
READ = 8
"""Members of a list that is copied or searched that cost one step."""
SORTED = 64
"""Sorting a list, or removing its duplicates, costs each member one more step per this many members."""

LOOPS = (
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
        self._bounds = ListBounds(program)
        self._free = nodes.FREE
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
        if isinstance(node, LOOPS):
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


# ---- Shapes of lists: constants, look-ups, and the others around a table

@frozen
class Others(List):
    """The items from the one after `start` around to the one before it: the others, clockwise."""

    items: List
    start: Expr


@once
def for_text(program: TableProgram) -> TableProgram:
    """Return the program that text is generated from: metered, folded, with shaped lists."""
    return folded(metered_program(program), shaped)


def shaped(node: List, program: TableProgram) -> List:
    """Return a list as a constant, a look-up or `Others` where it has that form."""
    match node:
        case t.Filter(t.Rotated(items, start), slot, t.Binary("!=", Local(one), other)):
            if one == slot and other == start and not _can_fail(start, program):  # it is evaluated once
                return Others(items, start)
        case t.Filter(items, slot, condition) if _stands_before(condition, slot, items, program):
            return t.Choice(condition, items, t.Items(()))
        case t.Filter(items, slot, t.And(test, rest)) if _stands_before(test, slot, items, program):
            return t.Choice(test, shaped(t.Filter(items, slot, rest), program), t.Items(()))
    return constant_list(node, program) or node


def _stands_before(condition: Expr, slot: int, items: List, program: TableProgram) -> bool:
    """Return whether a condition is the same for all items and may be tested before the items are evaluated."""
    independent = slot not in read_slots(condition) and _is_plain(condition)
    return independent and not _can_fail(items, program)


def _can_fail(node: Expr | List, program: TableProgram) -> bool:
    """Return whether evaluating a node may fail or use fuel. Every function is assumed to."""
    return can_fail(node, range(len(program.functions)))


def _is_plain(condition: Expr) -> bool:
    """Return whether a condition cannot fail, so that it may be evaluated even if there are no items."""
    reading = (Const, Local, t.Cell, t.Table, t.TableList)
    logic = (t.Contains, t.Not, t.And, t.Or, t.Exists, t.Items)
    return all(
        isinstance(part, (*reading, *logic)) or (isinstance(part, t.Binary) and part.op in t.COMPARISONS)
        for part in everything(condition)
    )


def plain(text: str) -> str:
    """Remove the outermost parentheses of a text if they are redundant."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    return text if text.endswith(",)") or text == "()" else text[1:-1]
