"""Calls of built-in functions and of functions that the pack declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve

from rulewright.ruleset.check.context import Wrapped
from rulewright.ruleset.check.expressions.fitting import fit
from rulewright.ruleset.check.expressions.names import Expressions
from rulewright.ruleset.check.scope import CheckedExpression, Scope, TextPart
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.documents.rules import Body
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import KERNEL_FUNCTIONS, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t


def call(expressions: Expressions, node: s.CallOf, scope: Scope, text: TextPart) -> CheckedExpression | None:
    """Check a call of a function."""
    word = node.name.text
    if word in KERNEL_FUNCTIONS:
        return _kernel_call(expressions, word, node, scope, text)
    d = expressions.context.declared
    function = d.functions.get(word)
    if function is None:
        if word not in expressions.context.poisoned:
            near = nearest(word, [*d.functions, *KERNEL_FUNCTIONS] if expressions.context.seeking() else ())
            hint = f"did you mean `{near}`?" if near else "functions are declared with `function: NAME`"
            span = text.span(node.name.start, node.name.end)
            expressions.context.report("RW430", span, f"there is no function `{word}`", hint)
        return None
    if len(node.arguments) != len(function.takes):
        if any(one.key.text in expressions.context.poisoned for one in function.body.takes):
            return None
        takes = ", ".join(name for name, _ in function.takes)
        some = f"{len(function.takes)} argument{'' if len(function.takes) == 1 else 's'}"
        message = f"`{word}` takes {some}{f' ({takes})' if takes else ''}, not {len(node.arguments)}"
        label = Label(function.span, "declared here")
        expressions.context.report("RW429", text.span(node.start, node.end), message, None, label)
        return None
    arguments = [
        expressions.check(argument, scope, text, type_)
        for argument, (_, type_) in zip(node.arguments, function.takes, strict=True)
    ]
    if any(argument is None for argument in arguments):
        return None
    for (name, _), argument in zip(function.takes, arguments, strict=True):
        if argument is not None:
            expressions.context.record_maybe_none(f"function/{word}", name, argument)
    given = tuple(argument.node for argument in arguments if argument is not None)
    expressions.context.refer(f"function/{word}", text.span(node.name.start, node.name.end))
    return expressions.names.invoke(word, given, text.span(node.start, node.end))


def _kernel_call(
    expressions: Expressions, word: str, node: s.CallOf, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    wanted = KERNEL_FUNCTIONS[word]
    if len(node.arguments) != len(wanted):
        message = (
            f"`{word}` takes {len(wanted)} argument{'s' if len(wanted) > 1 else ''}, not {len(node.arguments)}"
        )
        expressions.context.report("RW429", text.span(node.start, node.end), message)
        return None
    if word in ("next", "previous"):
        return _neighbour_of(expressions, node.arguments[0], word == "next", scope, text)
    checked = [
        expressions.listed(argument, scope, text)
        if type_ is None
        else expressions.check(argument, scope, text, type_)
        for argument, type_ in zip(node.arguments, wanted, strict=True)
    ]
    if any(value is None for value in checked):
        return None
    nodes = [value.node for value in checked if value is not None]
    first = nodes[0]
    if word == "count" and isinstance(first, t.List):
        return CheckedExpression(t.Count(first), NUMBER)
    if isinstance(first, t.Expr):
        if word == "clockwise":
            return CheckedExpression(t.Rotated(p.Living(), first), PLAYER.list)
        if word in ("min", "max"):
            second = nodes[1]
            assert isinstance(second, t.Expr)
            build = t.Least if word == "min" else t.Most
            return CheckedExpression(build(first, second), NUMBER)
        raise AssertionError(f"no code for the function `{word}`: add a case here")
    return None


def _neighbour_of(
    expressions: Expressions, node: s.Expression, forward: bool, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    """Return the next or previous player, member of an enumeration, or definition of a kind."""
    value = expressions.check(node, scope, text)
    if value is None:
        return None
    type_ = value.type
    ring: t.List | None = None
    if type_.name == "enumeration" and not type_.many:
        ring = p.MembersOf(type_.of)
    elif type_.name == "definition" and type_.of in expressions.context.declared.kinds and not type_.many:
        ring = p.DefinitionsOf(type_.of)
    if ring is not None:
        turned = t.Rotated(ring, expressions.context.present(value, text.span(node.start, node.end)))
        return CheckedExpression(t.Last(t.Take(turned, t.Const(2), True) if forward else turned), type_)
    seat = fit(expressions.context, value, PLAYER, node, text)
    if seat is None or not isinstance(seat.node, t.Expr):
        return None
    # None only if no seat is left, starting from none.
    return CheckedExpression(neighbour(seat.node, forward, scope), PLAYER, seat.maybe)


def neighbour(seat: t.Expr, forward: bool, scope: Scope) -> t.Expr:
    """Return the next or previous seat still in the game, clockwise; the seat itself if it is alone."""
    variable = scope.unit.variable("other", PLAYER)
    others = t.Filter(t.Rotated(p.Everyone(), seat), variable, t.Binary("!=", p.Var(variable), seat))
    living = scope.unit.variable("living", PLAYER)
    ring = t.Filter(others, living, t.Contains(p.Living(), p.Var(living)))
    whole = t.Concat(ring, t.Items((seat,))) if forward else t.Concat(t.Items((seat,)), ring)
    return t.First(whole) if forward else t.Last(whole)


# ---- Read expressions that packs have put around others: `proceed` is what was there before

Inner = Callable[[], CheckedExpression | None]
Whole = Callable[[ScalarNode, int, Scope, Type | None], CheckedExpression | None]
"""Reads an expression without what packs put around it (`ExpressionChecker.whole`)."""


def read_around(
    expressions: Expressions,
    whole: Whole,
    around: Sequence[Body],
    inner: Inner,
    scope: Scope,
    expected: Type | None,
) -> CheckedExpression | None:
    """Read what packs have put around an expression, in the order of the packs; `inner` reads that one."""
    for node in around:
        if isinstance(node, ScalarNode):
            inner = partial(_around, expressions, whole, node, inner, scope, expected)
    return inner()


def _around(
    expressions: Expressions, whole: Whole, node: ScalarNode, inner: Inner, scope: Scope, expected: Type | None
) -> CheckedExpression | None:
    """Read one of them. What it is around is read again for each `proceed`, with variables of its own."""
    context = expressions.context
    nodes: list[t.Expr | t.List] = []
    times = 0

    def proceed() -> CheckedExpression | None:
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
