"""Kernel verbs that ask a player or draw at random."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Value
from rulewright.ruleset.check.statements.arguments import amount_of, nobody_to, pool_of, source_of
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.check.texts import choice_values
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.limits import HIGHEST, MOST_PICKED
from rulewright.ruleset.common.whole_numbers import empty_range
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.language.vocabulary import ONE_BY_ONE
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

# ---- Choices one by one: what can be chosen next may depend on what was chosen before

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


# ------------------------------------------------------------------ choice: the rest

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
