"""Kernel verbs that show cards: `reveal` and `look at`."""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.check.statements.arguments import as_cards, nobody_to, remember, source_of
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.check.statements.verbs.cards import readied
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


@frozen(repr=False)
class _Shown(Record):
    """Cards to show: the code that must run first, the cards, and the scope with the name that they get."""

    code: Code
    cards: t.List
    after: Scope


@verb("reveal")
def reveal(expressions: ExpressionChecker, call: VerbCall) -> Done:
    at = source_of(expressions, call)
    shown = _shown(expressions, call, at)
    return _reveal(shown, t.Const(-1), at, call) if shown is not None else ((), call.outer)


@verb("reveal-to")
def reveal_to(expressions: ExpressionChecker, call: VerbCall) -> Done:
    at = source_of(expressions, call)
    shown = _shown(expressions, call, at)
    item = call.items[1]
    who = expressions.check(item, call.scope, call.text, PLAYER)
    if shown is None or who is None:
        return (), call.outer
    return _reveal(shown, p.MaskOf(expressions.context.present(who, call.span(item))), at, call)


@verb("look")
def look(expressions: ExpressionChecker, call: VerbCall) -> Done:
    at = source_of(expressions, call)
    shown = _shown(expressions, call, at)
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("look", "p looks at …"))
        return (), call.outer
    return _reveal(shown, p.MaskOf(call.seat), at, call) if shown is not None else ((), call.outer)


def _reveal(shown: _Shown, seats: t.Expr, at: int, call: VerbCall) -> Done:
    return (*shown.code, t.Reveal(shown.cards, seats, at, bool(call.node.adverb))), shown.after


def _shown(expressions: ExpressionChecker, call: VerbCall, at: int) -> _Shown | None:
    """Return the cards that a sentence shows, and remember them if it names them."""
    item = call.items[0]
    value = expressions.check(item, evolve(call.scope, reading=False), call.text)
    cards = as_cards(expressions, value, item, call.text) if value is not None else None
    if value is None or cards is None or not isinstance(cards.node, t.List):
        return None
    code = readied(expressions, call, item, cards, at)
    if call.node.result is None:
        return _Shown(code, cards.node, call.outer)
    name = call.node.result.text
    named = value if value.type.name == "card" and not value.type.many else cards
    if isinstance(cards.node, t.Take) and isinstance(item, s.EndOf) and item.word == "top":
        named = evolve(cards, node=_from_the_top(call, cards.node, at))
    kept, after = remember(name, named, call.outer)
    bound = after.names[name]
    shown: t.Expr | t.List = p.ListVar(bound.variable) if named.type.many else p.Var(bound.variable)
    again = as_cards(expressions, evolve(named, node=shown), item, call.text)
    assert again is not None and isinstance(again.node, t.List)
    return _Shown((*code, *kept), again.node, after)


def _from_the_top(call: VerbCall, cards: t.Take, at: int) -> t.List:
    """Return the top cards of a zone from the top down, as `move` takes them."""
    number = call.scope.unit.variable("number", NUMBER)
    places = p.Range(t.Const(1), t.Least(cards.count, t.Count(cards.items)), number, at)
    return t.Map(places, number, t.First(t.Take(cards.items, p.Var(number), False)))
