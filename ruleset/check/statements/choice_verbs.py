"""Kernel verbs that ask a player, draw at random, or are about players, lists, ends, and effects."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.fitting import sure, with_article
from rulewright.ruleset.check.scope import Bound, CheckedExpression
from rulewright.ruleset.check.statements.arguments import (
    amount_of,
    argument,
    moment_of,
    nobody_to,
    pool_of,
    source_of,
)
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.check.texts import choice_values
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.limits import HIGHEST, MOST_PICKED, empty_range
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
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


def _unfiltered(expressions: ExpressionChecker, call: VerbCall) -> CheckedExpression | None:
    """Return a pool without its conditions, which may need the name of the result."""
    base, noun = call.item("pool"), call.item("noun")
    while isinstance(base, s.Where):
        base = base.base
    value = expressions.listed(base, call.scope, call.text) if base is not None else None
    if value is not None and noun is not None:
        return expressions.names.nouns.called(value, noun, call.scope, call.text)
    return value


def _loop(
    expressions: ExpressionChecker, call: VerbCall, pool: CheckedExpression, bounds: tuple[t.Expr, t.Expr],
    chosen: int, place: int | None,
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
    if not isinstance(number, s.NumberNode) or not 1 <= number.value <= MOST_PICKED:
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


# ---- Kernel verbs about players, lists, ends, and effects

@verb("eliminate-until")
@verb("eliminate")
def eliminate(expressions: ExpressionChecker, call: VerbCall) -> Done:
    item = call.items[0]
    who = expressions.check(item, call.scope, call.text, PLAYER)
    if who is None:
        return (), call.outer
    gone = expressions.context.present(who, call.span(item))
    until = ""
    if len(call.items) > 1:
        until = moment_of(expressions, call, call.items[1])
        if not until:
            return (), call.outer
        expressions.context.need(p.away_list(until), call.span())
    return (p.Eliminate(gone, source_of(expressions, call), until),), call.outer


def _listed_member(
    expressions: ExpressionChecker, call: VerbCall
) -> tuple[str, t.Expr | None, CheckedExpression] | None:
    """Return the list of a sentence, its owner, and the member."""
    what, where = call.items
    target = expressions.check(where, call.scope, call.text)
    if target is None:
        return None
    if target.target is None or target.target.category != "list":
        adds = call.match.verb.key == "add"
        hint = "declare lists in the section `lists`"
        if target.type.name == "zone" and adds:
            what_says, where_says = (call.text.says(one.start, one.end) for one in (what, where))
            hint = f"to move cards, write `move {what_says} to {where_says}`"
        found = f"expected a list of the section `lists`, found {with_article(target.type)}"
        expressions.context.report("RW431", call.span(where), found, hint)
        return None
    value = expressions.check(what, call.scope, call.text, target.type.one)
    if value is None:
        return None
    indices = target.target.indices
    return target.target.key, indices[0] if indices else None, value


@verb("add")
def add(expressions: ExpressionChecker, call: VerbCall) -> Done:
    member = _listed_member(expressions, call)
    if member is None:
        return (), call.outer
    item = call.items[0]
    key, index, value = member
    value = sure(expressions.context, value, call.span(item)) if value.type in (NUMBER, BOOLEAN) else value
    assert isinstance(value.node, t.Expr)
    at = source_of(expressions, call)
    if not value.maybe:
        return (p.AppendTo(key, index, value.node, at),), call.outer
    # Lists never hold none, so loops over them need no check.
    kept = call.scope.unit.variable("added", value.type)
    added = p.AppendTo(key, index, p.Var(kept), at)
    there = t.Binary(">=", p.Var(kept), t.Const(0))
    return (p.SetVar(kept, value.node), t.If(there, (added,), ())), call.outer


@verb("remove")
def remove(expressions: ExpressionChecker, call: VerbCall) -> Done:
    member = _listed_member(expressions, call)
    if member is None or not isinstance(member[2].node, t.Expr):
        return (), call.outer
    return (p.RemoveFrom(member[0], member[1], member[2].node),), call.outer


@verb("end")
def end(expressions: ExpressionChecker, call: VerbCall) -> Done:
    item = call.items[0]
    word = item.text if isinstance(item, s.NameNode) else ""
    if word == "game" and call.scope.unit.key in ("finish", p.BETWEEN):
        message = "the game has ended already when this is done"
        expressions.context.report("RW434", call.span(item), message, "remove the sentence")
        return (), call.outer
    if word == "game":
        return (p.EndGame(),), call.outer
    if word in call.scope.exits:
        return (p.Leave(call.scope.exits[word]),), call.outer
    exits = [name for name in ("step", "turn", "phase", "round") if name in call.scope.exits] + ["game"]
    near = nearest(word, ["step", "turn", "phase", "round", "game"])
    hint = f"an effect here can end the {listed(exits, 'or')}"
    hint = f"did you mean `{near}`?" if near in exits else hint
    shown = call.text.says(item.start, item.end)
    expressions.context.report("RW434", call.span(item), f"there is no `{shown}` to end here", hint)
    return (), call.outer


@verb("stop")
def stop(expressions: ExpressionChecker, call: VerbCall) -> Done:
    """Leave the innermost loop or, outside of loops, the effect."""
    if "stop" in call.scope.exits:
        return (p.Leave(call.scope.exits["stop"]),), call.outer
    return (p.Leave(0),), call.outer


@verb("nothing")
def nothing(expressions: ExpressionChecker, call: VerbCall) -> Done:
    return (), call.outer


@verb("perform")
def perform(expressions: ExpressionChecker, call: VerbCall) -> Done:
    item = call.items[0]
    if not isinstance(item, s.Of):
        message = f"expected an effect, found `{call.text.says(item.start, item.end)}`"
        expressions.context.report("RW433", call.span(item), message, "write, for example, `perform card's play`")
        return (), call.outer
    owner = expressions.check(item.owner, call.scope, call.text)
    if owner is None:
        return (), call.outer
    word = item.name.text
    effect = (
        expressions.names.properties.effect_of(owner.type, word)
        if owner.type.name in ("card", "definition")
        else None
    )
    if effect is None or owner.type.many or not isinstance(owner.node, t.Expr):
        kinds = expressions.context.declared.kinds
        names = [name for kind in kinds.values() for name in kind.effects]
        near = nearest(word, names)
        hint = f"kinds declare the effects {listed(names)}" if names else "declare it in the `effects` of its kind"
        hint = f"did you mean `{near}`?" if near else hint
        message = f"a {owner.type} has no effect `{word}`"
        expressions.context.report("RW433", call.span(item.name), message, hint)
        return (), call.outer
    expressions.names.properties.refer_to_effect(owner.type, word, call.span(item.name))
    card: t.Expr = owner.node
    at = expressions.context.source(f"effect/{word}", call.span())
    if owner.maybe:
        card = t.Present(card, at)
    place = argument(evolve(owner, node=card, maybe=False))[1] if owner.type.name == "card" else t.Const(-1)
    kind = expressions.context.declared.kinds.get(owner.type.of)
    this = card if owner.type.name == "card" or (kind is not None and kind.abstract) else t.Const(-1)
    if this == t.Const(-1):  # a definition's effect, without a card that performs it
        expressions.context.maybe_none_seen.add((f"effect/{word}", "this"))
    given = _effect_arguments(expressions, call, effect)
    if given is None:
        return (), call.outer
    arguments = (call.seat if call.seat is not None else t.Const(-1), this, place, *given)
    return (p.PerformField(word, card, owner.type.name == "definition", arguments, at),), call.outer


def _effect_arguments(
    expressions: ExpressionChecker, call: VerbCall, effect: p.EffectField
) -> tuple[t.Expr | t.List, ...] | None:
    """Return the arguments for the parameters of an effect; None after a finding."""
    word = effect.key
    given = {name.text: (name, value) for name, value in call.node.given}
    arguments: list[t.Expr | t.List] = []
    for name, type_ in effect.parameters:
        if name not in given:
            message = f"`{word}` requires `{name}`, a {type_}"
            expressions.context.report("RW435", call.span(), message, f"add `with {name} = …`")
            return None
        value = expressions.check(given.pop(name)[1], call.scope, call.text, type_)
        if value is None:
            return None
        expressions.context.record_maybe_none(f"effect/{word}", name, value)
        arguments.extend(argument(value))
    for name_node, _ in given.values():
        if name_node.text in expressions.context.poisoned:
            continue
        message = f"`{word}` takes no `{name_node.text}`"
        near = nearest(name_node.text, [name for name, _ in effect.parameters])
        meant = f"did you mean `{near}`?" if near else None
        expressions.context.report("RW435", call.span(name_node), message, meant)
    return tuple(arguments)
