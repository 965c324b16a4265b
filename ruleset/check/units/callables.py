"""Turn verbs and functions of the pack into units."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.fitting import sure
from rulewright.ruleset.check.expressions.proceeding import read_around
from rulewright.ruleset.check.expressions.values import with_article
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.scope import Scope, Unit, Value
from rulewright.ruleset.check.shown_values import shown_values
from rulewright.ruleset.check.statements.durations.lasting import beginning, set_aside
from rulewright.ruleset.check.statements.durations.modifiers import modified
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.check.statements.verb_results import handed_over, with_result
from rulewright.ruleset.check.units.parameters import with_parameters
from rulewright.ruleset.declare.declarations import FunctionDeclared, VerbDeclared
from rulewright.ruleset.documents.rules import Modifier
from rulewright.ruleset.language.types import BOOLEAN, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.yaml_access import texts_of
from rulewright.ruleset.table import nodes as t


def verb_unit(steps: StepChecker, verb: VerbDeclared) -> p.Unit:
    """Build the unit of a verb, including its hooks. The first parameter is the acting player."""
    unit = Unit(verb.key)
    at = steps.context.source(f"verb/{verb.key}", verb.span)
    you = unit.variable("you", PLAYER)
    scope = with_parameters(
        steps.context, Scope(unit, you=p.Var(you), reading=False), f"verb/{verb.key}", verb.holes
    )
    parameters = len(unit.variables)
    begin, scope = with_result(verb, scope)
    moment = f"verb/{verb.key}"
    aside, given_back = set_aside(steps.context, unit, moment, at)
    begin = (*begin, *aside, *beginning(steps.context, unit, moment, p.Var(you), at))
    label = unit.label() if given_back or verb.gives is not None else 0
    if label:  # `stop` leaves the effect, but not what comes after it
        scope = evolve(scope, exits={**scope.exits, "stop": label})
    body = (*steps.context.covered(f"verb {verb.text}", at), *steps.body(verb.body.do, scope))
    body = steps.hooks.hooked(f"verb/{verb.key}", body, scope)
    if label and label in unit.left.among(body):
        body = (p.Block(label, body),)
    body = (*begin, *body, *handed_over(steps.context, verb, body, scope), *given_back)
    return p.Unit(verb.key, parameters, tuple(unit.variables), body, at)


def function_unit(steps: StepChecker, function: FunctionDeclared) -> p.Function:
    """Build a function, including the modifiers of its result."""
    context, expressions = steps.context, steps.expressions
    unit = Unit(function.key)
    at = context.source(f"function/{function.key}", function.span)
    scope = with_parameters(context, Scope(unit), f"function/{function.key}", function.takes, places=False)
    gives = function.gives or BOOLEAN
    parameters = len(unit.variables)
    modifiers = context.declared.all_of(Modifier).values()
    changed = any(one.changes is not None and one.changes.text == function.key for one in modifiers)
    says = function.body
    cases = says.cases.items if says.cases is not None else ()
    weave = context.declared.woven.get(says.cases.span) if says.cases is not None else None
    wrapped = weave is not None and bool(weave.around)
    variable = unit.variable("result", gives, gives.many) if wrapped or (changed and not gives.many) else None
    body: Code = ()
    for when, result in reversed([(case.when, case.is_) for case in cases] or [(None, says.is_)]):
        value = expressions.read(result, scope, gives) if result is not None else None
        value = sure(context, value, result.span) if value is not None and result is not None else None
        give = _given(value, variable)
        if when is None:
            body = give
            continue
        test = expressions.read(when, scope, BOOLEAN)
        if test is not None and isinstance(test.node, t.Expr):
            body = (t.If(test.node, give, body),)
    if variable is not None and weave is not None:
        before = Value(_of(variable, gives), gives, gives.can_be_none)
        value = read_around(expressions, expressions.whole, weave.around, lambda: before, scope, gives)
        value = sure(context, value, weave.around[-1].span) if value is not None else None
        body = (*body, *_given(value, variable))
    if variable is not None:
        changes = modified(expressions, function.key, scope, variable) if changed and not gives.many else ()
        body = (*body, *changes, t.Give(_of(variable, gives)))
    because = _because(steps, function, scope)
    return p.Function(p.Unit(function.key, parameters, tuple(unit.variables), body, at), gives.many, because)


def _because(steps: StepChecker, function: FunctionDeclared, scope: Scope) -> tuple[p.Shown, ...] | None:
    """Return the values of the text that says why a function does not hold; None without such a text."""
    text, gives = function.body.because, function.gives or BOOLEAN
    if text is None:
        return None
    if gives != BOOLEAN:
        message = f"`because` tells why something does not hold, but `{function.key}` gives {with_article(gives)}"
        hint = "remove it, or write it in a function that gives `true` or `false`"
        steps.context.report("RW456", function.body.place("because"), message, hint)
        return None
    steps.context.texts[f"because/function/{function.key}"] = texts_of(text)
    return shown_values(steps.expressions, text, scope)


def _given(value: Value | None, result: int | None) -> Code:
    """Return the last statement of a case: give its value or, if more follows, store it in a variable."""
    if value is None:
        return ()
    if result is None:
        return (t.Give(value.node),)
    if isinstance(value.node, t.Expr):
        return (p.SetVar(result, value.node),)
    return (p.SetListVar(result, value.node),)


def _of(variable: int, type_: Type) -> t.Expr | t.List:
    return p.ListVar(variable) if type_.many else p.Var(variable)
