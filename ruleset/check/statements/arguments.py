"""Arguments of sentences: names, cards, amounts, and pools of choices."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.fitting import cards_of, fit
from rulewright.ruleset.check.expressions.names import new_name
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Scope, TextPart, UnitDraft
from rulewright.ruleset.check.statements.verb_registry import Code, Done, Verb, VerbCall, pattern_text
from rulewright.ruleset.common.limits import MOST_IN_RANGE
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.declare.declarations import VerbDeclared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import CARD, NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

TAKING = ("perform", "claim", "open", "open-block", "announce")
"""Built-in sentences that take arguments after `with`."""


def takes_nothing(context: CheckContext, verb: Verb, node: s.Phrase, text: TextPart) -> None:
    """Report arguments of a sentence that takes none."""
    name = node.given[0][0]
    message = f"`{pattern_text(verb)}` takes no `{name.text}`"
    context.report("RW435", text.span(name.start, name.end), message, "remove `with …`")


def values_given(
    expressions: ExpressionChecker, call: VerbCall, key: str, alone: str, spread: bool = False
) -> dict[str, CheckedExpression] | None:
    """Return the values that a sentence gives after `with` to a window, a claim, or a message, in their order.

    `key` is that of what takes them, such as `window/toll`; `alone` is the sentence without arguments. `spread`:
    one card can be given for a list of cards. Reports superfluous values, and missing ones, after which it returns
    None.
    """
    context, takes = expressions.context, expressions.context.takes[key]
    word = key.partition("/")[2]
    given = {name.text: (name, value) for name, value in call.node.given}
    values: dict[str, CheckedExpression] = {}
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


def argument(value: CheckedExpression) -> tuple[t.Expr | t.List, ...]:
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


def fresh(context: CheckContext, name: s.NameNode, scope: Scope, text: TextPart) -> bool:
    """Whether a new name is allowed; otherwise report it."""
    return new_name(context, name.text, text.span(name.start, name.end), scope)


def gives_result(name: s.NameNode, scope: Scope) -> bool:
    """Whether a sentence gives the result of the verb a value: the one name that may be given again."""
    return scope.result is not None and name.text == scope.result[0]


def cards_named(
    expressions: ExpressionChecker, item: s.Expression, scope: Scope, text: TextPart
) -> CheckedExpression | None:
    """Check one card, several cards, or a zone; return a list."""
    value = expressions.check(item, evolve(scope, reading=False), text)
    return as_cards(expressions, value, item, text) if value is not None else None


def as_cards(
    expressions: ExpressionChecker, value: CheckedExpression, item: s.Expression, text: TextPart
) -> CheckedExpression | None:
    """Return one card, several cards, or the cards of a zone as a list; report anything else."""
    if value.type.name == "zone":
        return cards_of(value)
    if value.type.name == "none":
        return CheckedExpression(t.Items(()), CARD.list)
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


def remember(name: str, value: CheckedExpression, scope: Scope) -> Done:
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


def _place_of(value: CheckedExpression) -> t.Expr:
    assert isinstance(value.node, t.Expr)
    if not value.maybe:
        return p.PlaceOf(value.node)
    return t.IfElse(t.Binary("<", value.node, t.Const(0)), t.Const(-1), p.PlaceOf(value.node))


def pool_of(expressions: ExpressionChecker, call: VerbCall) -> CheckedExpression | None:
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
    word = item.text if isinstance(item, s.NameNode) else ""
    if word in p.MOMENTS:
        return word
    hint = f"write {listed((f'until the {one} ends' for one in p.MOMENTS), 'or')}"
    message = f"expected {listed(p.MOMENTS, 'or')}, found `{call.text.says(item.start, item.end)}`"
    expressions.context.report("RW434", call.span(item), message, hint)
    return ""


def source_of(expressions: ExpressionChecker, call: VerbCall) -> int:
    """Return the source of a sentence: its step or unit."""
    return expressions.context.source(call.scope.prefix or call.scope.unit.key, call.span())


# ---- Results of verbs: a name that a verb's sentences give a value, and that its callers can name
#
# The result goes through a hidden list of the state. The caller empties it at once, so no seat ever sees it.

def result_lists(verbs: tuple[VerbDeclared, ...]) -> tuple[p.StateList, ...]:
    """Return the hidden lists for the results of verbs."""
    given = [(p.result_list(verb.key), verb.gives[1]) for verb in verbs if verb.gives is not None]
    return tuple(p.StateList(key, "game", type_.one, True, _capacity(type_)) for key, type_ in given)


def _capacity(type_: Type) -> int | None:
    if not type_.many:
        return 1
    return MOST_IN_RANGE if type_.one.name in ("number", "boolean") else None


def with_result(verb: VerbDeclared, scope: Scope) -> tuple[Code, Scope]:
    """Return code that sets the result to none, 0, or empty, and the scope that knows its name."""
    if verb.gives is None:
        return (), scope
    name, type_ = verb.gives
    variable = scope.unit.variable(name, type_.one, type_.many)
    place = scope.unit.variable(f"{name} place", NUMBER) if type_.name == "card" else None
    counts = type_.name in ("number", "boolean")
    bound = Bound(variable, type_, not (counts or type_.many), place)
    begin: Code = (p.SetListVar(variable, t.Items(())) if type_.many else p.SetVar(variable, t.Const(counts - 1)),)
    begin += (p.SetVar(place, t.Const(-1)),) if place is not None else ()
    return begin, evolve(scope.bind(name, bound), result=(name, bound))


def handed_over(context: CheckContext, verb: VerbDeclared, code: Code, scope: Scope) -> Code:
    """Return the code that hands the result of a verb to the caller; `code` is what comes before."""
    if verb.gives is None or scope.result is None:
        return ()
    name, bound = scope.result
    nodes = (node for statement in code for node in everything(statement))
    settings = (node for node in nodes if isinstance(node, p.SetVar | p.SetListVar))
    if not context.found and all(node.variable != bound.variable for node in settings):
        span = verb.body.gives[0].key.span
        message = f"no sentence of this verb gives `{name}` a value"
        context.report("RW437", span, message, f"end a sentence with `as {name}`, or write `let {name} = …`")
    value: t.List = p.ListVar(bound.variable) if bound.type.many else t.Items((p.Var(bound.variable),))
    if bound.maybe:
        there = t.Binary(">=", p.Var(bound.variable), t.Const(0))
        value = t.Choice(there, value, t.Items(()))
    return (p.SetStateList(p.result_list(verb.key), None, value),)


def given_result(
    expressions: ExpressionChecker, name: s.NameNode | None, done: Done, scope: Scope, text: TextPart
) -> Done:
    """After a sentence that gives the verb's result a value: keep the value, and let the name mean the result."""
    code, after = done
    if name is None or scope.result is None or not gives_result(name, scope):
        return done
    bound = scope.result[1]
    new = after.names.get(name.text)
    if new is None or new.variable == bound.variable:
        return done
    value = expressions.check(name, after.to_read(), text, bound.type)
    kept = after.bind(name.text, bound)
    if value is None:
        return (), kept
    if isinstance(value.node, t.List):
        code = (*code, p.SetListVar(bound.variable, value.node))
    else:
        code = (*code, p.SetVar(bound.variable, value.node))
    if bound.place is not None:
        code = (*code, p.SetVar(bound.place, value.place if value.place is not None else t.Const(-1)))
    return code, kept


def taken_result(
    context: CheckContext, verb: VerbDeclared, node: s.Phrase, code: Code, scope: Scope, text: TextPart
) -> Done:
    """Return a call of a verb with code that takes its result, and the scope with the name of the result."""
    if verb.gives is None:
        return code, scope
    held = p.ListAt(p.result_list(verb.key), None)
    empty = p.SetStateList(p.result_list(verb.key), None, t.Items(()))
    if node.result is None:
        return (*code, empty), scope
    name, span = node.result.text, text.span(node.result.start, node.result.end)
    if not gives_result(node.result, scope):
        fresh(context, node.result, scope, text)
    type_ = verb.gives[1]
    taken, bound = _taken(scope.unit, name, type_, held)
    context.introduce(scope.unit.key, bound, name, span, False)
    return (*code, *taken, empty), scope.bind(name, bound)


def _taken(unit: UnitDraft, name: str, type_: Type, held: t.List) -> tuple[Code, Bound]:
    variable = unit.variable(name, type_.one, type_.many)
    maybe = not type_.many and type_.name not in ("number", "boolean")
    take: Code = (p.SetListVar(variable, held) if type_.many else p.SetVar(variable, t.First(held)),)
    if type_.name != "card":
        return take, Bound(variable, type_, maybe)
    place = unit.variable(f"{name} place", NUMBER)
    where: t.Expr = t.Const(-1)
    if not type_.many:
        there = t.Binary("<", p.Var(variable), t.Const(0))
        where = t.IfElse(there, t.Const(-1), p.PlaceOf(p.Var(variable)))
    return (*take, p.SetVar(place, where)), Bound(variable, type_, maybe, place)
