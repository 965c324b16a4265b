"""Kernel verbs about players, lists, ends, and effects."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.fitting import sure, with_article
from rulewright.ruleset.check.scope import Value
from rulewright.ruleset.check.statements.arguments import argument, moment_of, source_of
from rulewright.ruleset.check.statements.verb_registry import Done, VerbCall, verb
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


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


def _listed_member(expressions: ExpressionChecker, call: VerbCall) -> tuple[str, t.Expr | None, Value] | None:
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
    word = item.text if isinstance(item, s.Name) else ""
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
