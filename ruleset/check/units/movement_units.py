"""The effects of hooks on movement, each a unit that the sentences which move cards call."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.check.scope import Bound, Contribution, Scope, Unit, Value
from rulewright.ruleset.check.statements.hooks.movement import MOVED, movement_hooks, unit_key
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.language.types import BOOLEAN, CARD, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


def movement_unit(steps: StepChecker, hook: Hook) -> p.Unit:
    """Build the unit of a hook on movement: its parameters are the acting seat and the cards that move."""
    context, track = steps.context, p.hook_track(hook.key)
    _check_zones(context, hook)
    unit = Unit(unit_key(hook))
    at = context.source(f"hook/{hook.key}", hook.span)
    you, moved, label = unit.variable("you", PLAYER), unit.variable(MOVED, CARD, True), unit.label()
    scope = Scope(unit, you=p.Var(you), reading=False, prefix=hook.key, exits={"stop": label})
    scope = scope.bind(MOVED, Bound(moved, CARD.list))
    code: list[t.Stmt] = []
    if hook.where is not None:
        cards = Value(p.ListVar(moved), CARD.list)
        inner, variable = steps.expressions.names.inside(cards, scope)
        test = steps.expressions.read(hook.where, inner, BOOLEAN)
        if test is not None and isinstance(test.node, t.Expr):
            code.append(p.SetListVar(moved, t.Filter(p.ListVar(moved), variable, test.node)))
    applies: t.Expr = t.And(
        t.Binary("==", p.TrackAt(track, ()), t.Const(0)),
        t.Binary(">", t.Count(p.ListVar(moved)), t.Const(0)),
    )
    condition = steps.condition(hook.when, scope)
    if condition is not None:
        applies = t.And(applies, condition)
    body = (*context.covered(f"hook {hook.key}", hook.span), *steps.body(hook.do, scope))
    pause, resume = (p.AssignTrack(track, (), t.Const(value), at) for value in (1, 0))
    code.append(t.If(applies, (pause, p.Block(label, body), resume), ()))
    word = "before" if hook.before else "after"
    context.contributed.append(Contribution("hook", unit.key, word, hook.span, tuple(code)))
    return p.Unit(unit.key, 2, tuple(unit.variables), tuple(code), at)


def _check_zones(context: Context, hook: Hook) -> None:
    """Report unknown zones of a hook."""
    for name in (*hook.from_, *hook.to):
        if name.text not in context.declared.zones and name.text not in context.poisoned:
            hint = meant(name.text, context.declared.zones, "zones")
            context.report("RW309", name.span, f"there is no zone `{name.text}`", hint)


def check_used(context: Context) -> None:
    """Report hooks on movement that no sentence of the rules can set off."""
    for hook in movement_hooks(context):
        if f"hook/{hook.key}/move" not in context.used:
            message = f"no sentence moves cards as the hook `{hook.key}` says"
            hint = "check `from` and `to`: the set-up, refills, and the hook itself do not count"
            context.report("RW463", hook.span, message, hint)
