"""Queries about code for the generators: slots, possible failures, intervals; and constant folding.

All results are derived from the nodes' own fields. A new node needs no change here unless it assigns a slot, can
fail, or folds.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Sequence

from attrs import evolve, frozen

from rulewright.interpreter.state.frames import OPERATORS
from rulewright.interpreter.state.memo import once
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import children, everything, transform
from rulewright.ruleset.table.nodes import COMPARISONS, FUEL, Const, Expr, List, Local, TableProgram

# ---- The node that metering adds to a program: a list that costs fuel
#
# See `metering`.

FREE = 8_192
"""Maximum steps of work that code may take without a charge of its own. A step is about one node's evaluation."""
WORK = 1_024
"""Steps that one unit of fuel pays for where lists are charged for."""


@frozen
class Metered(List):
    """A list that, once it is evaluated, charges `units` of fuel for the code that uses it. Rule error `fuel`.

    `each` is that code's work for each item, in steps.
    """

    items: List
    each: int
    at: int


def units(count: int, each: int) -> int:
    """Return the units of fuel for a list with `count` items."""
    return 1 + count * each // WORK


def charge(state: array[int], at: int, amount: int = 1) -> None:
    """Take fuel. Raises rule error `fuel` if there is not enough, without taking any."""
    if state[FUEL] < amount:
        raise RuleError("fuel", at)
    state[FUEL] -= amount


# ------------------------------------------------------------------ slots

def read_slots(node: object) -> set[int]:
    """Return the slots that are read anywhere in a node, including those bound inside an expression."""
    return {part.slot for part in everything(node) if isinstance(part, (t.Local, t.LocalList))}


_ASSIGNING = (t.SetLocal, t.SetList, t.ForEach, t.Random, t.Drawing)


def assigned_slots(body: object) -> set[int]:
    """Return the slots that statements may assign."""
    assigning = (part.slot for part in everything(body) if isinstance(part, _ASSIGNING))
    return {slot for slot in assigning if slot is not None}


# ------------------------------------------------------------------ failing

FAILING = (t.Checked, t.Present, t.Within, t.Total, t.While, t.Charge, t.Fail, Metered)


def fallible_functions(program: TableProgram) -> frozenset[int]:
    """Return the functions that may raise a rule error or use fuel, directly or through calls."""
    fallible: set[int] = set()
    while True:
        more = {
            number
            for number, function in enumerate(program.functions)
            if number not in fallible and can_fail(function.body, fallible)
        }
        if not more:
            return frozenset(fallible)
        fallible |= more


def can_fail(node: object, fallible: Container[int]) -> bool:
    """Return whether evaluation may raise a rule error or use fuel. If so, its order and extent matter."""
    return any(_fails(part, fallible) for part in everything(node))


def _fails(node: object, fallible: Container[int]) -> bool:
    """Return whether a node can fail apart from its children."""
    if isinstance(node, (t.Call, t.CallList, t.Do)):
        return node.function in fallible
    return isinstance(node, FAILING)


class Failing:
    """A cached `can_fail` for queries about nested nodes: each node is visited once."""

    def __init__(self, fallible: frozenset[int]) -> None:
        self._fallible = fallible
        self._known: dict[int, tuple[object, bool]] = {}
        """Whether nodes can fail, by identity. The nodes are kept so that no other node gets the same identity."""

    def can_fail(self, node: object) -> bool:
        """See the function `can_fail`."""
        if type(node) is tuple:
            return any(map(self.can_fail, node))
        known = self._known.get(id(node))
        return known[1] if known is not None else self._looked(node)

    def _looked(self, node: object) -> bool:
        """Visit a node and all nodes below it that have not been visited."""
        nodes: list[object] = []
        failing: list[bool] = []
        arounds: list[int] = []  # of each node the number of its parent
        rest: list[tuple[object, int]] = [(node, 0)]
        while rest:
            one, around = rest.pop()
            if id(one) in self._known:
                failing[around] |= self._known[id(one)][1]
            else:
                rest += [(part, len(nodes)) for part in children(one)]
                nodes.append(one)
                failing.append(_fails(one, self._fallible))
                arounds.append(around)
        for number in range(len(nodes) - 1, -1, -1):  # children come after their parents
            self._known[id(nodes[number])] = nodes[number], failing[number]
            failing[arounds[number]] |= failing[number]
        return failing[0]


# ------------------------------------------------------------------ numbers

def interval(node: Expr, program: TableProgram) -> tuple[int, int]:
    """Return bounds of an expression's value, as far as its form implies them."""
    match node:
        case Const(value):
            return value, value
        case t.Count(items):
            most = most_members(items, program)
            return 0, HIGHEST if most is None else most
        case t.Not() | t.And() | t.Or() | t.Exists() | t.Contains() | t.Same():
            return 0, 1
        case t.Binary(op) | t.Checked(op) if op in COMPARISONS:
            return 0, 1
        case t.Table(number, _) if program.tables[number]:
            return min(program.tables[number]), max(program.tables[number])
        case t.Binary("+", left, right):
            (a, b), (c, d) = interval(left, program), interval(right, program)
            return max(a + c, LOWEST), min(b + d, HIGHEST)
        case t.Binary("-", left, right):
            (a, b), (c, d) = interval(left, program), interval(right, program)
            return max(a - d, LOWEST), min(b - c, HIGHEST)
        case t.Within(_, least, most):
            return least, most
        case t.IfElse(_, then, otherwise):
            (a, b), (c, d) = interval(then, program), interval(otherwise, program)
            return min(a, c), max(b, d)
        case _:
            return LOWEST, HIGHEST


def most_members(items: t.List, program: TableProgram) -> int | None:
    """Return the maximum length of a list, or None if its form implies no bound."""
    match items:
        case t.Items(values):
            return len(values)
        case t.Cards():
            return len(program.cards)
        case t.Filter() | t.Map() | t.Take() | t.Extremes() | t.Ranked() | t.Distinct():
            return most_members(items.items, program)
        case _:
            return None


def least_lengths(condition: Expr, holds: bool) -> dict[int, int]:
    """Return the least lengths of list slots that follow from the truth (`holds`) of a condition."""
    match condition, holds:
        case t.And(left, right), True:
            return least_lengths(left, True) | least_lengths(right, True)
        case t.Or(left, right), False:
            return least_lengths(left, False) | least_lengths(right, False)
        case t.Not(operand), _:
            return least_lengths(operand, not holds)
        case t.Binary(op, t.Count(t.LocalList(slot)), Const(value)), _:
            if (op, holds) in ((">", True), ("<=", False)):
                return {slot: value + 1}
            if (op, holds) in ((">=", True), ("<", False), ("==", True)):
                return {slot: value}
            if (op, holds, value) in (("!=", True, 0), ("==", False, 0)):
                return {slot: 1}
    return {}


# ------------------------------------------------------------------ folding

def folded(program: TableProgram, shaped: Callable[[t.List, TableProgram], t.List]) -> TableProgram:
    """Return the program with constants folded, constant addends collected, and lists reshaped by `shaped`."""

    def fold(node: object) -> object:
        if isinstance(node, t.List):
            return shaped(node, program)
        return _fold(node, program) if isinstance(node, Expr) else node

    return evolve(
        program,
        functions=tuple(transform(function, fold) for function in program.functions),
        segments=tuple(transform(segment, fold) for segment in program.segments),
    )


def _fold(node: Expr, program: TableProgram) -> Expr:
    match node:
        case t.Table(number, Const(index)) if 0 <= index < len(program.tables[number]):
            return Const(program.tables[number][index])
        case t.Binary(op, Const(left), Const(right)) | t.Checked(op, Const(left), Const(right)):
            if op in ("//", "%") and right == 0:
                return node
            value = int(OPERATORS[op](left, right))
            return Const(value) if LOWEST <= value <= HIGHEST else node
        case t.Binary(("+" | "*") as op, Const() as left, right):
            return _fold(t.Binary(op, right, left), program)
        case t.Binary("-", left, Const(value)):
            return _fold(t.Binary("+", left, Const(-value)), program)
        case t.Binary("+", left, Const(0)) | t.Binary("*", left, Const(1)):
            return left
        case t.Binary("+", t.Binary("+", left, Const(first)), Const(second)):
            return _fold(t.Binary("+", left, Const(first + second)), program)
        case t.Binary("+", t.Binary("+", left, Const() as first), right):
            return t.Binary("+", t.Binary("+", left, right), first)
        case t.Binary("+", left, t.Binary("+", right, Const() as second)):
            return t.Binary("+", t.Binary("+", left, right), second)
        case t.Not(Const(value)):
            return Const(int(not value))
        case t.And(Const(value), other):
            return other if value else Const(0)
        case t.Or(Const(value), other):
            return Const(1) if value else other
        case t.IfElse(Const(value), then, otherwise):
            return then if value else otherwise
        case _:
            return node


# ---- Values that constant tables determine, worked out for all items when the source is generated
#
# `colour of card is colour of place` compares a table's entry for each card with one number. The generated
# text looks that number up once, and gets a function that holds the result for every card; `filter` and `map`
# run it without a frame for each card. A list of constant members that is filtered or mapped in this way
# becomes a constant, or one constant for each value of the number.

@frozen
class Looked(List):
    """A list that depends on one number: one for each relevant value, and `other` for any other value."""

    outer: Expr
    lists: tuple[tuple[int, tuple[int, ...]], ...]
    other: tuple[int, ...]


def constant_list(node: List, program: TableProgram) -> List | None:
    """Return a filter or map over constant members as constants, or as one list per value of a number."""
    match node:
        case t.Filter(items=items, slot=slot, condition=body) | t.Map(items=items, slot=slot, body=body):
            pass
        case t.Concat(Looked() as left, t.Items(values)) if _all_constant(values):
            more = _numbers(values)
            return evolve(left, lists=tuple((n, (*m, *more)) for n, m in left.lists), other=(*left.other, *more))
        case _:
            return None
    keeps = isinstance(node, t.Filter)

    def made(members: Sequence[int], outer: Expr | None, value: int | None) -> tuple[int, ...]:
        told = [(one, _value(body, slot, one, outer, value, program)) for one in members]
        return tuple(one if keeps else result for one, result in told if result or not keeps)

    found = _outside(body, slot, program)
    if found is None:
        return None
    if isinstance(items, Looked) and found.outer is None:
        if not all(_within(program, body, slot, members) for members in (*dict(items.lists).values(), items.other)):
            return None
        lists = tuple((value, made(members, None, None)) for value, members in items.lists)
        return evolve(items, lists=lists, other=made(items.other, None, None))
    if not isinstance(items, t.Items) or not _all_constant(items.values):
        return None
    members = _numbers(items.values)
    if not _within(program, body, slot, members):
        return None
    if found.outer is None:
        return t.Items(tuple(map(Const, made(members, None, None))))
    if not keeps:
        return None
    lists = tuple((value, made(members, found.outer, value)) for value in found.values)
    return Looked(found.outer, lists, made(members, found.outer, None))


@frozen
class _Outside:
    """The dependencies of an expression on an item: sizes of tables, and a number with the values it meets."""

    sizes: tuple[int, ...]
    outer: Expr | None
    values: tuple[int, ...]


def _outside(node: Expr, slot: int, program: TableProgram) -> _Outside | None:
    sizes: list[int] = []
    outer: set[Expr] = set()
    values: set[int] = set()
    if not _collect(node, slot, program, sizes, outer, values) or len(outer) > 1:
        return None
    return _Outside(tuple(sizes), next(iter(outer), None), tuple(sorted(values)) if outer else ())


def _collect(
    node: Expr, slot: int, program: TableProgram, sizes: list[int], outer: set[Expr], values: set[int]
) -> bool:
    """Collect the dependencies of an expression. Returns False if it cannot be tabulated."""

    def collect(part: Expr) -> bool:
        return _collect(part, slot, program, sizes, outer, values)

    def meets(other: Expr, entries: set[int]) -> bool:
        """Return whether table entries are compared with a constant, or with a number that is cheap to work out."""
        if isinstance(other, Const):
            return True
        outer.add(other)
        values.update(entries)
        parts = list(everything(other))
        return all(isinstance(part, Const | Local | t.Table) and part != Local(slot) for part in parts)

    match node:
        case Const():
            return True
        case t.Local(own):
            return own == slot
        case t.Table(number, index) if index == Local(slot):
            sizes.append(len(program.tables[number]))
            return True
        case t.Contains(t.TableList(number, index), value) if index == Local(slot):
            sizes.append(len(program.lists[number]))
            return meets(value, {one for members in program.lists[number] for one in members})
        case t.Not(operand):
            return collect(operand)
        case t.And(left, right) | t.Or(left, right):
            return collect(left) and collect(right)
        case t.Binary("==" | "!=", t.Table(number, index), right) if index == Local(slot):
            sizes.append(len(program.tables[number]))
            return meets(right, set(program.tables[number]))
        case t.Binary(op, left, right) if op not in ("//", "%"):
            return collect(left) and collect(right)
        case _:
            return False


def _within(program: TableProgram, node: Expr, slot: int, members: Sequence[int]) -> bool:
    """Return whether every table that is read has an entry for each member."""
    found = _outside(node, slot, program)
    return found is not None and all(0 <= one < size for size in found.sizes for one in members)


def _all_constant(values: Sequence[Expr]) -> bool:
    return all(isinstance(value, Const) for value in values)


def _numbers(values: Sequence[Expr]) -> tuple[int, ...]:
    return tuple(value.value for value in values if isinstance(value, Const))


def _value(node: Expr, slot: int, item: int, outer: Expr | None, value: int | None, program: TableProgram) -> int:
    """Evaluate an expression that `_collect` accepts, for an item and a value of the outer number."""

    def of(part: Expr) -> int:
        return _value(part, slot, item, outer, value, program)

    match node:
        case Const(number):
            return number
        case t.Local():
            return item
        case t.Table(number, _):
            return program.tables[number][item]
        case t.Contains(t.TableList(number, _), wanted):
            other = wanted.value if isinstance(wanted, Const) else value
            return int(other in program.lists[number][item])
        case t.Not(operand):
            return int(not of(operand))
        case t.And(left, right):
            return int(bool(of(left)) and bool(of(right)))
        case t.Or(left, right):
            return int(bool(of(left)) or bool(of(right)))
        case t.Binary(op, left, right) if right == outer:
            return int(OPERATORS[op](of(left), value))  # type: ignore[arg-type]  # None equals no number
        case t.Binary(op, left, right):
            return int(OPERATORS[op](of(left), of(right)))
        case _:
            raise AssertionError(node)


# ---- The program that generators see: that of the rules, with the functions of its bots

@once
def with_conditions(program: TableProgram) -> TableProgram:
    """Return the program with the tables, lists and functions of its bots appended, and without the bots."""
    bots = program.bots
    if bots is None:
        return program
    return evolve(
        program,
        tables=(*program.tables, *bots.tables),
        lists=(*program.lists, *bots.lists),
        functions=(*program.functions, *bots.functions),
        bots=None,
    )
