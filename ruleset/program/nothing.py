"""Remove code without effect, to see what a piece of code does.

Removed are additions of 0, assignments of a value to itself, unreachable branches, unused variables, and calls of
verbs without effect. Code is removed only if this certainly makes no difference, apart from rule errors of reads:
raising one is not considered an effect.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from attrs import evolve

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.commuting import bare
from rulewright.ruleset.program.exclusion import never
from rulewright.ruleset.program.traversal import everything, rebuild
from rulewright.ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
_SIMPLE: dict[str, Callable[[int, int], int]] = {
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    "==": lambda one, two: int(one == two),
    "!=": lambda one, two: int(one != two),
    "<": lambda one, two: int(one < two),
    "<=": lambda one, two: int(one <= two),
    ">": lambda one, two: int(one > two),
    ">=": lambda one, two: int(one >= two),
}
_NEUTRAL = {("+", 0), ("-", 0), ("*", 1), ("//", 1)}
"""Operators with their neutral right operand."""


class Doing:
    """Determines the effect of code. Verbs in `opaque` are not inspected: they always have an effect."""

    def __init__(self, units: dict[str, p.Unit], opaque: Container[str] = ()) -> None:
        self.units, self.opaque = units, opaque
        self._verbs: dict[str, bool] = {}

    def what(self, code: Sequence[t.Stmt]) -> Code:
        """Return the code without parts that have no effect."""
        left = self._left(code)
        while True:
            nodes = (node for one in left for node in everything(one))
            shorter = _without(left, {node.variable for node in nodes if isinstance(node, p.Var | p.ListVar)})
            if shorter == left:
                return left
            left = self._left(shorter)

    def nothing(self, unit: str) -> bool:
        """Whether a unit has no effect."""
        if unit in self.opaque or unit not in self.units:
            return False
        if unit not in self._verbs:
            self._verbs[unit] = False  # for recursive calls
            self._verbs[unit] = not self.what(self.units[unit].body)
        return self._verbs[unit]

    def _left(self, code: Sequence[t.Stmt]) -> Code:
        return tuple(kept for statement in code for kept in self._one(statement))

    def _one(self, node: t.Stmt) -> Code:
        if isinstance(node, t.If):
            return self._branches(node)
        if isinstance(node, p.Block):
            body = self._left(node.body)
            while body and body[-1] == p.Leave(node.label):
                body = body[:-1]
            inside = [one for part in body for one in everything(part)]
            return (evolve(node, body=body),) if p.Leave(node.label) in inside or node.label < 0 else body
        if isinstance(node, p.Loop):
            body = self._left(node.body)
            return (evolve(node, body=body),) if body else ()
        if isinstance(node, t.While) and simple(node.condition) == t.Const(0):
            return ()
        return () if self._idle(node) else (node,)

    def _branches(self, node: t.If) -> Code:
        condition = simple(node.condition)
        then, otherwise = self._left(node.then), self._left(node.otherwise)
        if never(condition):
            return otherwise
        if never(t.Not(condition)):
            return then
        return (evolve(node, then=then, otherwise=otherwise),) if then or otherwise else ()

    def _idle(self, node: t.Stmt) -> bool:
        match node:
            case p.ChangeTrack():
                return bool(simple(node.amount) == t.Const(0))
            case p.AssignTrack():
                same = p.TrackAt(node.track, node.indices)
                return node.track.startswith("hook/") or bare((simple(node.value),)) == bare((same,))
            case p.SetStateList():
                return bare((node.items,)) == bare((p.ListAt(node.list, node.index),))
            case p.CallVerb():
                return self.nothing(node.verb)
            case t.Emit():
                return node.kind in ("reached", "covered")
        return False


def _without(code: Code, read: set[int]) -> Code:
    """Return code without assignments to variables that are not in `read`."""
    return tuple(_inside(node, read) for node in code if not _unread(node, read))


def _inside(node: t.Stmt, read: set[int]) -> t.Stmt:
    names = _bodies(node)
    return evolve(node, **{name: _without(getattr(node, name), read) for name in names}) if names else node


def _bodies(node: t.Stmt) -> tuple[str, ...]:
    if isinstance(node, t.If):
        return ("then", "otherwise")
    return ("body",) if isinstance(node, p.Block | p.Loop) else ()


def _unread(node: t.Stmt, read: set[int]) -> bool:
    return isinstance(node, p.SetVar | p.SetListVar) and node.variable not in read


def simple(value: Any) -> Any:
    """Simplify an expression without changing its value."""
    value = rebuild(value, simple)
    match value:
        case t.Not(operand=t.Const(value=number)):
            return t.Const(int(not number))
        case t.IfElse(condition=t.Const(value=number)):
            return value.then if number else value.otherwise
        case t.And() | t.Or():
            return _joined(value)
        case t.Binary() | t.Checked():
            return _reckoned(value)
        case t.Least() | t.Most() if bare((value.left,)) == bare((value.right,)):
            return value.left
    return value


def _joined(value: t.And | t.Or) -> t.Expr:
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if isinstance(one, t.Const):
            return other if bool(one.value) == isinstance(value, t.And) else one
    return value


def _reckoned(value: t.Binary | t.Checked) -> t.Expr:
    left, right, op = value.left, value.right, str(value.op)
    if isinstance(left, t.Const) and isinstance(right, t.Const) and op in _SIMPLE:
        return t.Const(_SIMPLE[op](left.value, right.value))
    if isinstance(right, t.Const) and (op, right.value) in _NEUTRAL:
        return left
    if isinstance(left, t.Const) and op in ("+", "*") and (op, left.value) in _NEUTRAL:
        return right
    if op == "*" and t.Const(0) in (left, right):
        return t.Const(0)
    if op in ("-", "==", "!=", "<", "<=", ">", ">=") and bare((left,)) == bare((right,)):
        return t.Const(int(op in ("==", "<=", ">=")))
    return value
