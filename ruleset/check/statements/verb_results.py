"""Results of verbs: a name that a verb's sentences give a value, and that its callers can name.

The result goes through a hidden list of the state. The caller empties it at once, so no seat ever sees it.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Scope, Text, Unit
from rulewright.ruleset.check.statements.arguments import fresh, gives_result
from rulewright.ruleset.check.statements.verb_registry import Code, Done
from rulewright.ruleset.common.limits import MOST_IN_RANGE
from rulewright.ruleset.declare.declarations import VerbDeclared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t


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


def handed_over(context: Context, verb: VerbDeclared, code: Code, scope: Scope) -> Code:
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


def given_result(expressions: ExpressionChecker, name: s.Name | None, done: Done, scope: Scope, text: Text) -> Done:
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
    context: Context, verb: VerbDeclared, node: s.Phrase, code: Code, scope: Scope, text: Text
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


def _taken(unit: Unit, name: str, type_: Type, held: t.List) -> tuple[Code, Bound]:
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
