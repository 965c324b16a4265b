"""Kernel verbs that ask a player or draw at random."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound
from rulewright.ruleset.check.shown_values import choice_values
from rulewright.ruleset.check.statements.arguments import amount_of, nobody_to, pool_of, source_of
from rulewright.ruleset.check.statements.verb_registry import Done, VerbCall, verb
from rulewright.ruleset.check.statements.verbs.one_by_one import one_by_one
from rulewright.ruleset.common.limits import HIGHEST, MOST_PICKED
from rulewright.ruleset.common.whole_numbers import empty_range
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.language.vocabulary import ONE_BY_ONE
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


@verb("choose")
def choose(expressions: ExpressionChecker, call: VerbCall) -> Done:
    n = amount_of(expressions, call, "n")
    return _chosen(expressions, call, (n, n) if n is not None else None)


@verb("choose-exactly")
def choose_exactly(expressions: ExpressionChecker, call: VerbCall) -> Done:
    """Choose `n` members, or none if there are fewer."""
    n = amount_of(expressions, call, "n")
    pool = pool_of(expressions, call)
    if n is None or pool is None or not isinstance(pool.node, t.List):
        return (), call.outer
    exact = t.IfElse(t.Binary("<", t.Count(pool.node), n), t.Const(0), n)
    return _chosen(expressions, call, (exact, exact))


@verb("choose-between")
def choose_between(expressions: ExpressionChecker, call: VerbCall) -> Done:
    least, most = amount_of(expressions, call, "least"), amount_of(expressions, call, "most")
    if isinstance(least, t.Const) and isinstance(most, t.Const) and least.value > most.value:
        ends = [item for item in (call.item("least"), call.item("most")) if item is not None]
        span = call.text.span(ends[0].start, ends[-1].end)
        expressions.context.report("RW454", span, *empty_range(least.value, most.value))
    bounds = (least, most) if least is not None and most is not None else None
    return _chosen(expressions, call, bounds)


@verb("choose-up-to")
def choose_up_to(expressions: ExpressionChecker, call: VerbCall) -> Done:
    most = amount_of(expressions, call, "most")
    bounds = (t.Const(0), most) if most is not None else None
    return _chosen(expressions, call, bounds)


@verb("choose-any")
def choose_any(expressions: ExpressionChecker, call: VerbCall) -> Done:
    given = {hole.name: item for hole, item in call.match.filled}
    if not isinstance(given["any"], s.AnyNumber):
        item = given["any"]
        expressions.context.report("RW425", call.span(item), "expected a number or `any number of`")
        return (), call.outer
    return _chosen(expressions, call, (t.Const(0), t.Const(HIGHEST)))


def _chosen(expressions: ExpressionChecker, call: VerbCall, bounds: tuple[t.Expr, t.Expr] | None) -> Done:
    if call.node.adverb == ONE_BY_ONE:
        return one_by_one(expressions, call, bounds) if bounds is not None else ((), call.outer)
    pool = pool_of(expressions, call)
    assert call.node.result is not None
    if pool is None or bounds is None or not isinstance(pool.node, t.List):
        return (), call.outer
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("choose", "p chooses …"))
        return (), call.outer
    least, most = bounds
    single = isinstance(least, t.Const) and isinstance(most, t.Const) and most.value == 1
    at = expressions.context.source(call.scope.unit.key, call.span())
    name = call.node.result.text
    key = call.scope.unit.choice(name, call.scope.prefix)
    result = call.scope.unit.variable(name, pool.type.one, not single)
    code: list[t.Stmt] = []
    place = None
    if pool.type.name == "card":
        place = call.scope.unit.variable(f"{name} place", NUMBER)
        code.append(p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)))
    prompt = expressions.context.prompt(key)
    shows, because = choice_values(expressions, prompt, pool, evolve(call.outer, you=call.seat))
    asked = p.Choose(prompt, call.seat, pool.node, pool.type.one, least, most, result, single, at, shows)
    code.append(evolve(asked, because=because))
    type_ = pool.type.one if single else pool.type
    maybe = single and not (least == most and isinstance(pool.node, p.MembersOf))
    return tuple(code), call.outer.bind(name, Bound(result, type_, maybe, place))


@verb("pick")
def pick(expressions: ExpressionChecker, call: VerbCall) -> Done:
    given = {hole.name: item for hole, item in call.match.filled}
    pool = pool_of(expressions, call)
    number = given["n"]
    if not isinstance(number, s.Number) or not 1 <= number.value <= MOST_PICKED:
        message = f"`pick` takes a number from 1 to {MOST_PICKED}, not `{call.text.says(number.start, number.end)}`"
        expressions.context.report("RW439", call.span(number), message)
        return (), call.outer
    if pool is None or not isinstance(pool.node, t.List) or call.node.result is None:
        return (), call.outer
    at, unit, name = source_of(expressions, call), call.scope.unit, call.node.result.text
    left = unit.variable("left", pool.type.one, True)
    roll, picked = unit.variable("roll", NUMBER), unit.variable(name, pool.type.one, True)
    other = unit.variable("other", pool.type.one)
    one = t.Last(t.Take(p.ListVar(left), t.Binary("+", p.Var(roll), t.Const(1)), True))
    step = t.If(
        t.Binary(">", t.Count(p.ListVar(left)), t.Const(0)),
        (
            t.Random(roll, t.Count(p.ListVar(left)), at),
            p.SetListVar(picked, t.Concat(p.ListVar(picked), t.Items((one,)))),
            p.SetListVar(
                left, t.Filter(p.ListVar(left), other, t.Binary("!=", p.Var(other), t.Last(p.ListVar(picked))))
            ),
        ),
        (),
    )
    code: list[t.Stmt] = [
        p.SetListVar(left, pool.node),
        p.SetListVar(picked, t.Items(())),
        *[step] * number.value,
    ]
    place = None
    if pool.type.name == "card":
        place = unit.variable(f"{name} place", NUMBER)
        code.append(p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)))
    if number.value > 1:
        return tuple(code), call.outer.bind(name, Bound(picked, pool.type, False, place))
    single = unit.variable(name, pool.type.one)
    code.append(p.SetVar(single, t.First(p.ListVar(picked))))
    return tuple(code), call.outer.bind(name, Bound(single, pool.type.one, True, place))
