"""Modifiers of one value: whether the result depends on which of two comes first.

What a modifier makes of the result is read as one of a few forms, such as the result plus something that does not
depend on it. Two of one form give the same in either order; of anything else nothing is known.
"""

from __future__ import annotations

import re

from ruleset.program import nodes as p
from ruleset.program.exclusion import exclusive
from ruleset.program.touches import sign
from ruleset.program.traversal import everything
from ruleset.table import nodes as t

Change = tuple[t.Expr, t.Expr]
"""The condition under which a modifier is active, and the new value."""


def commute(one: Change, two: Change, result: int) -> bool:
    """Whether two modifiers give the same in either order; `result` is the variable of the value before."""
    if any(_depends(condition, result) for condition, _ in (one, two)):
        return False
    if exclusive(one[0], two[0], frozenset()) or bare((one[1],)) == bare((two[1],)):
        return True
    return form(one[1], result) == form(two[1], result) != ""


def form(value: t.Expr, result: int) -> str:
    """How a value is made of the result before; empty where nothing is known of it."""
    if isinstance(value, p.Var) and value.variable == result:
        return "the same"
    if not isinstance(value, t.Binary | t.Checked | t.Most | t.Least | t.And | t.Or):
        return ""
    left, right = _depends(value.left, result), _depends(value.right, result)
    if left == right:
        return ""
    inside, other = (value.left, value.right) if left else (value.right, value.left)
    deeper = form(inside, result)
    if isinstance(value, t.Most | t.Least):
        word = "least" if isinstance(value, t.Most) else "most"
        if deeper in ("the same", f"at {word}"):
            return f"at {word}"
        stops = sign(_step(inside)) == (-1 if word == "least" else 1) and isinstance(other, t.Const)
        return f"{word} {bare((other,))}" if stops else ""
    if isinstance(value, t.And | t.Or):
        word = "and" if isinstance(value, t.And) else "or"
        return word if deeper in ("the same", word) else ""
    if value.op == "*":
        return "times" if deeper in ("the same", "times") else ""
    if value.op == "+" or (value.op == "-" and left):
        return "plus" if deeper in ("the same", "plus") else ""
    return ""


def _step(value: t.Expr) -> t.Expr:
    """What is added to a result to give a value; where that is not known, something of unknown sign."""
    unknown = p.SeatCount()
    if not isinstance(value, t.Binary | t.Checked) or value.op not in ("+", "-"):
        return unknown
    if isinstance(value.left, p.Var):
        return value.right if value.op == "+" else t.Binary("-", t.Const(0), value.right)
    return unknown


def bare(code: tuple[t.Node, ...]) -> str:
    """The text of code, without where it is written."""
    return re.sub(r"\bat=\d+", "", repr(code))


def _depends(value: t.Expr, result: int) -> bool:
    return any(isinstance(node, p.Var) and node.variable == result for node in everything(value))
