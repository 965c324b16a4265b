"""Modifiers change the result of a function, a field of a kind, or a value while they are active.

Each has hidden tracks that count how often it was started, one for each moment until which it can last. One with
`while` has none: it is active whenever its condition holds. Fields with modifiers are read by generated functions.
`KIND.FIELD` takes the definition and the plain value. Readers call `p.field_reader`, which checks whether the
definition is of a kind for which the field changes. Values with modifiers are read by functions of their name.
"""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Contribution, Scope, Unit
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.documents.rules import Modifier
from rulewright.ruleset.language.types import BOOLEAN, CARD, NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t


def modified(expressions: ExpressionChecker, changed: str, scope: Scope, result: int) -> Code:
    """Return code that applies the active modifiers of a function or field to the value in a variable.

    `changed` is the function, the value, or `KIND.FIELD`. In a modifier, `times` is how often it was started.
    """
    code: list[t.Stmt] = []
    for modifier in expressions.context.declared.all_of(Modifier).values():
        if modifier.changes is None or modifier.changes.text != changed:
            continue
        times = scope.unit.variable("times", NUMBER)
        inner = scope.bind("times", Bound(times, NUMBER))
        inner = inner.bind("result", Bound(result, scope.unit.variables[result].type))
        expected = scope.unit.variables[result].type
        value = expressions.read(modifier.is_, inner, expected) if modifier.is_ is not None else None
        if value is None or not isinstance(value.node, t.Expr):
            continue
        active: t.Expr = t.Binary(">", p.Var(times), t.Const(0))
        if modifier.while_ is not None:
            holds = expressions.read(modifier.while_, scope, BOOLEAN)
            if holds is None or not isinstance(holds.node, t.Expr):
                continue
            active = holds.node
        if modifier.when is not None:
            test = expressions.read(modifier.when, inner, BOOLEAN)
            if test is not None and isinstance(test.node, t.Expr):
                active = t.And(active, test.node)
        made: tuple[t.Stmt, ...] = (t.If(active, (p.SetVar(result, value.node),), ()),)
        if modifier.while_ is None or _reads(times, made):
            made = (p.SetVar(times, _started(modifier)), *made)
        code += made
        expressions.context.contributed.append(Contribution("modifier", changed, "", modifier.span, made))
    return tuple(code)


def _started(modifier: Modifier) -> t.Expr:
    """Return how often a modifier was started; 1 for one with `while`."""
    if modifier.while_ is not None:
        return t.Const(1)
    total: t.Expr = t.Const(0)
    for moment in p.MOMENTS:
        track = p.TrackAt(p.modifier_track(modifier.key, moment), ())
        total = track if total == t.Const(0) else t.Checked("+", total, track, 0)
    return total


def _reads(variable: int, code: Code) -> bool:
    return any(isinstance(node, p.Var) and node.variable == variable for one in code for node in everything(one))


def tracks_until(context: Context, moment: str) -> tuple[str, ...]:
    """Return the tracks that count how often each modifier was started until a moment."""
    modifiers = context.declared.all_of(Modifier).values()
    return tuple(p.modifier_track(one.key, moment) for one in modifiers if one.while_ is None)


# ------------------------------------------------------------------ values and fields


def changed_values(expressions: ExpressionChecker) -> tuple[p.Function, ...]:
    """Return a function for each value that modifiers change: its current number."""
    changed = expressions.context.changed_values
    return tuple(_changed_value(expressions, key) for key in expressions.context.declared.values if key in changed)


def _changed_value(expressions: ExpressionChecker, key: str) -> p.Function:
    span, _ = expressions.context.declared.values[key]
    unit, at = Unit(key), expressions.context.source(f"value/{key}", span)
    result = unit.variable("result", NUMBER)
    changes = modified(expressions, key, Scope(unit), result)
    code = (p.SetVar(result, p.ValueOf(key)), *changes, t.Give(p.Var(result)))
    return p.Function(p.Unit(key, 0, tuple(unit.variables), code, at), False)


def changed_fields(expressions: ExpressionChecker) -> tuple[p.Function, ...]:
    """Return a function for each field that modifiers change: (definition, plain value) -> current value."""
    changed = [(kind, word) for word, kinds in expressions.context.changed.items() for kind in kinds]
    return tuple(_changed_field(expressions, kind, word) for kind, word in changed)


def _changed_field(expressions: ExpressionChecker, kind: str, word: str) -> p.Function:
    key, type_ = f"{kind}.{word}", expressions.context.declared.kinds[kind].fields[word].type
    modifiers = expressions.context.declared.all_of(Modifier).values()
    first = next(one for one in modifiers if one.changes is not None and one.changes.text == key)
    unit, at = Unit(key), expressions.context.source(f"field/{key}", first.span)
    of = Type("definition", kind)
    item, plain = unit.variable(kind, of), unit.variable("plain", type_)
    result = unit.variable("result", type_)
    scope = Scope(unit, reading=True).bind(kind, Bound(item, of))
    code = (p.SetVar(result, p.Var(plain)), *modified(expressions, key, scope, result), t.Give(p.Var(result)))
    return p.Function(p.Unit(key, 2, tuple(unit.variables), code, at), False)


def field_readers(context: Context) -> tuple[p.Function, ...]:
    """Return the functions that read changed fields, for those that the code reads."""
    return tuple(_field_reader(context, *reader) for reader in sorted(context.readers))


def _field_reader(context: Context, word: str, changed: tuple[str, ...], definition: bool) -> p.Function:
    kinds = list(context.declared.kinds)
    unit = Unit(p.field_reader(word, changed, definition))
    item = p.Var(unit.variable("it", Type("definition") if definition else CARD))
    of = item if definition else p.DefinitionOf(item)
    plain = p.FieldOf(word, item, definition)
    code: Code = (t.Give(plain),)
    for kind in reversed(changed):
        its = t.Binary("==", p.KindOf(item, definition), t.Const(kinds.index(kind)))
        code = (t.If(its, (t.Give(p.Invocation(f"{kind}.{word}", (of, plain))),), code),)
    return p.Function(p.Unit(unit.key, 1, tuple(unit.variables), code, 0), False)
