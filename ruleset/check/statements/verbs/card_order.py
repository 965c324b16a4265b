"""Ask a player for the order of cards: `move … in any order`."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.shown_values import prompt_values
from rulewright.ruleset.check.statements.verb_registry import Code, VerbCall
from rulewright.ruleset.language.types import CARD, NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


def in_chosen_order(
    expressions: ExpressionChecker, call: VerbCall, cards: t.List, place: t.Expr
) -> tuple[Code, t.List, t.Expr]:
    """Return code that asks for one card after another, the cards in the chosen order, and their zone.

    Chosen cards go to the end of the list, so the last one, which is not asked for, is at its beginning. Cards that
    have left `place` are left out. Without a place (-1), only cards that are where the first one is are moved.
    """
    unit, one = call.scope.unit, t.Const(1)
    left, chosen = unit.variable("left", CARD, True), unit.variable("chosen", NUMBER)
    source = unit.variable("from", NUMBER)
    other, following = unit.variable("other", CARD), unit.variable("next", CARD)
    at = expressions.context.source(call.scope.unit.key, call.span())
    prompt = expressions.context.prompt(unit.choice("order", call.scope.prefix))
    assert call.seat is not None
    shows = prompt_values(expressions, prompt, evolve(call.outer, you=call.seat))
    remaining = t.Binary("-", t.Count(p.ListVar(left)), p.Var(chosen))
    pool = t.Take(p.ListVar(left), remaining, True)
    unchosen = t.Filter(p.ListVar(left), other, t.Binary("!=", p.Var(other), p.Var(following)))
    here = t.Filter(p.ListVar(left), other, t.Binary("==", p.PlaceOf(p.Var(other)), p.Var(source)))
    several = t.Binary(">", t.Count(p.ListVar(left)), t.Const(0))
    first = t.IfElse(several, p.PlaceOf(t.First(p.ListVar(left))), t.Const(-1))
    body: Code = (
        p.Choose(prompt, call.seat, pool, CARD, one, one, following, True, at, shows, private=True),
        p.SetListVar(left, t.Concat(unchosen, t.Items((p.Var(following),)))),
        p.SetVar(chosen, t.Binary("+", p.Var(chosen), one)),
    )
    code: Code = (
        p.SetListVar(left, cards),
        p.SetVar(source, place),
        t.If(t.Binary("==", p.Var(source), t.Const(-1)), (p.SetVar(source, first),), ()),
        p.SetListVar(left, here),
        p.SetVar(chosen, t.Const(0)),
        t.While(t.Binary(">", remaining, one), body, at),
    )
    picked = t.Take(p.ListVar(left), p.Var(chosen), False)
    return code, t.Concat(picked, t.Take(p.ListVar(left), remaining, True)), p.Var(source)
