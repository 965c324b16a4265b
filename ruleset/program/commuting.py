"""Decide whether the order of two modifiers of one value, or of expressions around it, matters.

The new value is classified into a few forms, such as the result plus a term that does not depend on it.
Two of the same form commute; about all others nothing is known.
"""

from __future__ import annotations

import re

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.exclusion import exclusive
from rulewright.ruleset.program.touches import sign
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

Change = tuple[t.Expr, t.Expr | t.List]
"""The condition under which a modifier is active, and the new value."""


def commute(one: Change, two: Change, result: int) -> bool:
    """Whether two modifiers give the same value in either order; `result` is the variable of the previous value."""
    if any(_depends(condition, result) for condition, _ in (one, two)):
        return False
    if exclusive(one[0], two[0], frozenset()) or bare((one[1],)) == bare((two[1],)):
        return True
    return form(one[1], result) == form(two[1], result) != ""


def form(value: t.Expr | t.List, result: int) -> str:
    """Classify how a value is made from the previous result; empty if unknown."""
    if isinstance(value, p.Var | p.ListVar) and value.variable == result:
        return "the same"
    if isinstance(value, t.Filter) and not _depends(value.condition, result):
        return "where" if form(value.items, result) in ("the same", "where") else ""
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
    """Return the term added to a result; if unknown, an expression of unknown sign."""
    unknown = p.SeatCount()
    if not isinstance(value, t.Binary | t.Checked) or value.op not in ("+", "-"):
        return unknown
    if isinstance(value.left, p.Var):
        return value.right if value.op == "+" else t.Binary("-", t.Const(0), value.right)
    return unknown


def bare(code: tuple[t.Node, ...]) -> str:
    """Return the text of code without its places."""
    return re.sub(r"\bat=\d+", "", repr(code))


def _depends(value: t.Expr | t.List, result: int) -> bool:
    return any(isinstance(node, p.Var | p.ListVar) and node.variable == result for node in everything(value))
