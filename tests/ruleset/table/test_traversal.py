"""Walking and rewriting code: in source order, and without copying unchanged nodes."""

from __future__ import annotations

from typing import Any

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import children, everything, parts, rebuild, transform

SUM = t.Binary("+", t.Const(1), t.Binary("*", t.Const(2), t.Const(3)))
BODY = (t.SetLocal(0, SUM), t.If(t.Local(0), (t.SetLocal(1, t.Const(4)),), ()))


def test_each_node_comes_before_what_is_inside_it() -> None:
    values = [getattr(node, "value", type(node)) for node in everything(SUM)]
    assert values == [t.Binary, 1, t.Binary, 2, 3]
    numbers = [node.value for node in everything((BODY, ((t.Const(5),), None, "6"))) if isinstance(node, t.Const)]
    assert numbers == [1, 2, 3, 4, 5]
    assert list(everything("text")) == list(everything(())) == []


def test_attributes_that_may_hold_nodes() -> None:
    assert parts(SUM) == ("left", "right")
    assert parts(t.Const(1)) == ()
    assert children(BODY[1]) == [t.Local(0), BODY[1].then[0]]  # type: ignore[union-attr]
    assert parts(t.Segment(0, (), t.Tree((), t.Finish()))) == ("tree",)
    branch = p.Branching("key", (), (), (t.Items(()),), (), t.Const(1), (t.SetLocal(0, t.Const(2)),), 0)
    assert children(branch) == [t.Items(()), t.Const(1), t.SetLocal(0, t.Const(2))]


def test_what_stays_the_same_is_not_copied() -> None:
    assert rebuild(BODY[1], lambda node: node) is BODY[1]
    assert transform(BODY, lambda node: node) is BODY
    changed = transform(BODY, lambda node: t.Const(9) if node == t.Const(4) else node)
    assert changed[0] is BODY[0]
    assert changed[1] == t.If(t.Local(0), (t.SetLocal(1, t.Const(9)),), ())


def test_what_is_inside_changes_first() -> None:
    """2 * 3 is 6, and 1 + 6 is 7; nodes directly inside alone: 1 + (2 * 3) stays a sum."""

    def worked_out(node: Any) -> Any:
        match node:
            case t.Binary("+", t.Const(left), t.Const(right)):
                return t.Const(left + right)
            case t.Binary("*", t.Const(left), t.Const(right)):
                return t.Const(left * right)
        return node

    assert transform(SUM, worked_out) == t.Const(7)
    assert rebuild(SUM, worked_out) == t.Binary("+", t.Const(1), t.Const(6))
