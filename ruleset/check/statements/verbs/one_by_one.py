"""Choices one by one: what can be chosen next may depend on what was chosen before."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Value
from rulewright.ruleset.check.shown_values import choice_values
from rulewright.ruleset.check.statements.arguments import nobody_to, pool_of
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.language.vocabulary import ONE_BY_ONE
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t


def one_by_one(expressions: ExpressionChecker, call: VerbCall, bounds: tuple[t.Expr, t.Expr]) -> Done:
    """Return a loop that asks for one thing at a time.

    The pool is read again before each question. The name is a list, and is known in the pool and in the question.
    """
    assert call.node.result is not None
    unit, name = call.scope.unit, call.node.result.text
    with expressions.context.trial(unit):
        base = _unfiltered(expressions, call)
    if base is None:
        _unfiltered(expressions, call)  # reports what is wrong
        return (), call.outer
    of = base.type.one
    chosen = unit.variable(name, of, True)
    place = unit.variable(f"{name} place", NUMBER) if of.name == "card" else None
    after = call.outer.bind(name, Bound(chosen, of.list, False, place))
    inner = evolve(call, scope=call.scope.bind(name, after.names[name]))
    pool = pool_of(expressions, inner)
    if pool is None or not isinstance(pool.node, t.List):
        return (), call.outer
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("choose", "p chooses …"))
        return (), call.outer
    if p.ListVar(chosen) not in everything(pool.node):
        message = f"what can be chosen does not depend on `{name}`, so all can be chosen at once"
        hint = f"remove `{ONE_BY_ONE}`, or use `{name}` after `where`"
        expressions.context.doubts.append(Diagnostic("RW449", call.span(), message, hint))
    return _loop(expressions, call, pool, bounds, chosen, place), after


def _unfiltered(expressions: ExpressionChecker, call: VerbCall) -> Value | None:
    """Return a pool without its conditions, which may need the name of the result."""
    base, noun = call.item("pool"), call.item("noun")
    while isinstance(base, s.Where):
        base = base.base
    value = expressions.listed(base, call.scope, call.text) if base is not None else None
    if value is not None and noun is not None:
        return expressions.names.nouns.called(value, noun, call.scope, call.text)
    return value


def _loop(
    expressions: ExpressionChecker, call: VerbCall, pool: Value, bounds: tuple[t.Expr, t.Expr], chosen: int,
    place: int | None,
) -> Code:  # fmt: skip
    """Ask until enough is chosen, nothing is left, or the player stops."""
    assert call.node.result is not None and call.seat is not None and isinstance(pool.node, t.List)
    unit, name, of = call.scope.unit, call.node.result.text, pool.type.one
    (least, most), none, one = bounds, t.Const(0), t.Const(1)
    picked, other = unit.variable("picked", of, True), unit.variable("other", of)
    asking, nothing = unit.variable("asking", NUMBER), unit.variable("nothing", NUMBER)
    at = expressions.context.source(unit.key, call.span())
    prompt = expressions.context.prompt(unit.choice(name, call.scope.prefix))
    known = call.outer.bind(name, Bound(chosen, of.list, False, place))
    shows, because = choice_values(expressions, prompt, pool, evolve(known, you=call.seat))
    so_far = p.ListVar(chosen)
    left = t.Filter(pool.node, other, t.Not(t.Contains(so_far, p.Var(other))))
    needed = t.IfElse(t.Binary("<", t.Count(so_far), least), one, none)
    body: Code = (
        p.Choose(prompt, call.seat, left, of, needed, one, picked, False, at, shows, because=because),
        p.SetListVar(chosen, t.Concat(so_far, p.ListVar(picked))),
        p.SetVar(asking, t.Count(p.ListVar(picked))),
    )
    more = t.And(p.Var(asking), t.Binary("<", t.Count(so_far), most))
    before: Code = ()
    if place is not None:
        before = (p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)),)
    # The second value is empty, too; it says how long the list can become.
    empty = p.SetListVar(chosen, t.Take(t.Take(pool.node, p.Var(nothing), True), most, True))
    return (
        *before,
        p.SetListVar(chosen, t.Items(())),
        p.SetVar(nothing, none),
        empty,
        p.SetVar(asking, one),
        t.While(more, body, at),
    )
