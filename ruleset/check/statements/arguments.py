"""Arguments of sentences: names, cards, amounts, and pools of choices."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.fitting import fit
from rulewright.ruleset.check.expressions.new_names import new_name
from rulewright.ruleset.check.expressions.values import cards_of
from rulewright.ruleset.check.scope import Bound, Scope, Text, Value
from rulewright.ruleset.check.statements.sentence_match import Verb, pattern_text
from rulewright.ruleset.check.statements.verb_registry import Done, VerbCall
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import CARD, NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

TAKING = ("perform", "claim", "open", "open-block", "announce")
"""Built-in sentences that take arguments after `with`."""


def takes_nothing(context: Context, verb: Verb, node: s.Phrase, text: Text) -> None:
    """Report arguments of a sentence that takes none."""
    name = node.given[0][0]
    message = f"`{pattern_text(verb)}` takes no `{name.text}`"
    context.report("RW435", text.span(name.start, name.end), message, "remove `with …`")


def values_given(
    expressions: ExpressionChecker, call: VerbCall, key: str, alone: str, spread: bool = False
) -> dict[str, Value] | None:
    """Return the values that a sentence gives after `with` to a window, a claim, or a message, in their order.

    `key` is that of what takes them, such as `window/toll`; `alone` is the sentence without arguments. `spread`:
    one card can be given for a list of cards. Reports superfluous values, and missing ones, after which it returns
    None.
    """
    context, takes = expressions.context, expressions.context.takes[key]
    word = key.partition("/")[2]
    given = {name.text: (name, value) for name, value in call.node.given}
    values: dict[str, Value] = {}
    for name, type_ in takes:
        if name not in given:
            span = call.text.span(call.items[0].start, call.items[0].end)
            context.report("RW435", span, f"`{word}` requires `{name}`, a {type_}", f"add `with {name} = …`")
            return None
        item = given.pop(name)[1]
        value = expressions.check(item, call.scope, call.text, None if spread and type_.many else type_)
        if value is not None and value.type.name == type_.name == "card" and not value.type.many:
            value = as_cards(expressions, value, item, call.text) if type_.many else value
        value = fit(context, value, type_, item, call.text) if value is not None else None
        if value is None:
            return None
        values[name] = value
    for extra, _ in given.values():
        if extra.text in context.poisoned:
            continue
        known = listed(name for name, _ in takes)
        hint = f"it takes {known}" if known else f"it takes no arguments: write `{alone}`"
        context.report("RW435", call.span(extra), f"`{word}` takes no `{extra.text}`", hint)
    return values


def nobody_to(do: str, example: str) -> tuple[str, str]:
    """Return message and hint for a sentence whose player is unknown."""
    return f"no player acts or has the turn here, so no player can {do}", f"name a player: `{example}`"


def argument(value: Value) -> tuple[t.Expr | t.List, ...]:
    """Return the arguments that a value passes: a card is followed by its place."""
    if value.type.name == "zone" and value.zone is not None:
        return (value.zone,)
    if value.type.name != "card":
        return (value.node,)
    if value.place is not None:
        return (value.node, value.place)
    if isinstance(value.node, t.Expr):
        place = p.PlaceOf(value.node)
        here = t.IfElse(t.Binary("<", value.node, t.Const(0)), t.Const(-1), place) if value.maybe else place
        return (value.node, here)
    return (value.node, t.Const(-1))


def fresh(context: Context, name: s.Name, scope: Scope, text: Text) -> bool:
    """Whether a new name is allowed; otherwise report it."""
    return new_name(context, name.text, text.span(name.start, name.end), scope)


def gives_result(name: s.Name, scope: Scope) -> bool:
    """Whether a sentence gives the result of the verb a value: the one name that may be given again."""
    return scope.result is not None and name.text == scope.result[0]


def cards_named(expressions: ExpressionChecker, item: s.Expression, scope: Scope, text: Text) -> Value | None:
    """Check one card, several cards, or a zone; return a list."""
    value = expressions.check(item, evolve(scope, reading=False), text)
    return as_cards(expressions, value, item, text) if value is not None else None


def as_cards(expressions: ExpressionChecker, value: Value, item: s.Expression, text: Text) -> Value | None:
    """Return one card, several cards, or the cards of a zone as a list; report anything else."""
    if value.type.name == "zone":
        return cards_of(value)
    if value.type.name == "none":
        return Value(t.Items(()), CARD.list)
    if value.type.name != "card":
        hint = "write a zone, `cards in ZONE`, `top 2 of ZONE`, or a name given to cards"
        if value.type.name == "definition" and not value.type.many:
            hint = f"write `cards in ZONE where it is {text.says(item.start, item.end)}`"
        message = f"expected cards, found a {value.type}"
        expressions.context.report("RW424", text.span(item.start, item.end), message, hint)
        return None
    if value.type.many:
        return value
    assert isinstance(value.node, t.Expr)
    items: t.List = t.Items((value.node,))
    if value.maybe:
        one = t.Items((value.node,))
        items = t.Choice(t.Binary("<", value.node, t.Const(0)), t.Items(()), one)
    return evolve(value, node=items, type=CARD.list)


def remember(name: str, value: Value, scope: Scope) -> Done:
    """Return code that stores a value under a name, and the scope with that name."""
    if value.type.name == "zone" and value.zone is not None:
        variable = scope.unit.variable(name, value.type)
        return (p.SetVar(variable, value.zone),), scope.bind(name, Bound(variable, value.type))
    many = value.type.many
    variable = scope.unit.variable(name, value.type.one, many)
    code: list[t.Stmt] = []
    place = None
    if value.type.name == "card":
        place = scope.unit.variable(f"{name} place", NUMBER)
        at = value.place if value.place is not None else t.Const(-1)
        if value.place is None and not many and isinstance(value.node, t.Expr):
            at = _place_of(value)
        code.append(p.SetVar(place, at))
    if isinstance(value.node, t.List):
        code.append(p.SetListVar(variable, value.node))
    else:
        code.append(p.SetVar(variable, value.node))
    return tuple(code), scope.bind(name, Bound(variable, value.type, value.maybe, place))


def _place_of(value: Value) -> t.Expr:
    assert isinstance(value.node, t.Expr)
    if not value.maybe:
        return p.PlaceOf(value.node)
    return t.IfElse(t.Binary("<", value.node, t.Const(0)), t.Const(-1), p.PlaceOf(value.node))


def pool_of(expressions: ExpressionChecker, call: VerbCall) -> Value | None:
    """Return the list to choose from, narrowed to the kind or definition that the noun names."""
    source, noun = call.item("pool"), call.item("noun")
    assert source is not None
    base = expressions.listed(source, call.scope, call.text)
    if base is None:
        return None
    if noun is not None:
        return expressions.names.nouns.called(base, noun, call.scope, call.text)
    return base


def amount_of(expressions: ExpressionChecker, call: VerbCall, name: str) -> t.Expr | None:
    """Return the number that fills a hole."""
    item = call.item(name)
    value = expressions.check(item, call.scope, call.text, NUMBER) if item is not None else None
    return value.node if value is not None and isinstance(value.node, t.Expr) else None


def moment_of(expressions: ExpressionChecker, call: VerbCall, item: s.Expression) -> str:
    """Return the moment until whose end something lasts; empty after a finding."""
    word = item.text if isinstance(item, s.Name) else ""
    if word in p.MOMENTS:
        return word
    hint = f"write {listed((f'until the {one} ends' for one in p.MOMENTS), 'or')}"
    message = f"expected {listed(p.MOMENTS, 'or')}, found `{call.text.says(item.start, item.end)}`"
    expressions.context.report("RW434", call.span(item), message, hint)
    return ""


def source_of(expressions: ExpressionChecker, call: VerbCall) -> int:
    """Return the source of a sentence: its step or unit."""
    return expressions.context.source(call.scope.prefix or call.scope.unit.key, call.span())
