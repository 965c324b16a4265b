"""Read expressions that packs have put around others: `proceed` is what was there before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve

from rulewright.ruleset.check.context import Wrapped
from rulewright.ruleset.check.expressions.protocol import Expressions
from rulewright.ruleset.check.scope import Scope, Value
from rulewright.ruleset.documents.steps import Body
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t

Inner = Callable[[], Value | None]
Whole = Callable[[Scalar, int, Scope, Type | None], Value | None]
"""Reads an expression without what packs put around it (`ExpressionChecker.whole`)."""


def read_around(
    expressions: Expressions,
    whole: Whole,
    around: Sequence[Body],
    inner: Inner,
    scope: Scope,
    expected: Type | None,
) -> Value | None:
    """Read what packs have put around an expression, in the order of the packs; `inner` reads that one."""
    for node in around:
        if isinstance(node, Scalar):
            inner = partial(_around, expressions, whole, node, inner, scope, expected)
    return inner()


def _around(
    expressions: Expressions, whole: Whole, node: Scalar, inner: Inner, scope: Scope, expected: Type | None
) -> Value | None:
    """Read one of them. What it is around is read again for each `proceed`, with variables of its own."""
    context = expressions.context
    nodes: list[t.Expr | t.List] = []
    times = 0

    def proceed() -> Value | None:
        nonlocal times
        times += 1
        value = inner()
        if value is not None:
            nodes.append(value.node)
        return value

    found = whole(node, 0, evolve(scope, proceeds=proceed), expected)
    if found is None:
        return None
    if not times:
        hint = "write `proceed` where the value is that was there before; to replace it altogether, use `set`"
        context.report("RW629", node.span, "`proceed` is missing", hint)
    context.wrapped[node.span] = Wrapped(found.node, tuple(nodes))
    return found
