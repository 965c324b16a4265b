"""Queries about code for the generators: slots, possible failures, intervals; and constant folding.

All results are derived from the nodes' own fields. A new node needs no change here unless it assigns a slot, can
fail, or folds.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from attrs import evolve

from rulewright.interpreter.analysis.metered import Metered
from rulewright.interpreter.state.arithmetic import OPERATORS
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import COMPARISONS, Const, Expr, TableProgram
from rulewright.ruleset.table.traversal import children, everything, transform

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
