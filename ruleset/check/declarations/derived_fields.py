"""Check derived fields: those with `is` or `cases`, which are worked out once, before a game begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker, settled
from rulewright.ruleset.check.scope import Bound, CheckedExpression, FilterMember, Scope, UnitDraft
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import KindDeclared
from rulewright.ruleset.documents.sections import FieldEntry
from rulewright.ruleset.language.types import BOOLEAN, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants, unsettled
from rulewright.ruleset.program.traversal import everything, substitute
from rulewright.ruleset.source.nodes import Node, ScalarNode
from rulewright.ruleset.table import nodes as t

Field = tuple[str, str]
"""A kind and the name of its field."""


def check_derived(expressions: ExpressionChecker) -> None:
    """Read all derived fields into `Context.derived`, and report those that need each other in a circle."""
    needs: dict[Field, tuple[Field, ...]] = {}
    context = expressions.context
    for kind in context.declared.kinds.values():
        for name, entry in kind.derived.items():
            if name not in kind.fields:
                continue
            before = len(context.references)
            derived = _derived(expressions, kind, name, entry)
            named = (one.what.removeprefix("field/").partition(".") for one in context.references[before:])
            needs[kind.key, name] = tuple((of, word) for of, dot, word in named if dot)
            if derived is not None:
                context.derived[kind.key, name] = derived
    for field in _circular(needs):
        kind, entry = context.declared.kinds[field[0]], context.declared.kinds[field[0]].derived[field[1]]
        way = listed(dict.fromkeys(word for of, word in needs[field] if _reaches(needs, (of, word), field)))
        message = f"`{field[1]}` is worked out from {way}, and so from itself"
        if needs[field] == (field,):
            message = f"`{field[1]}` is worked out from itself"
        label = Label(kind.span, "the kind is declared here")
        context.report("RW339", place_of(entry).span, message, "let one of these fields be written", label)
        context.derived.pop(field, None)


def _derived(expressions: ExpressionChecker, kind: KindDeclared, name: str, entry: FieldEntry) -> p.Derived | None:
    context, field = expressions.context, kind.fields[name]
    unit = UnitDraft("components")
    of = Type("definition", kind.key)
    variable = unit.variable(kind.key, of)
    scope = evolve(
        Scope(unit).bind(kind.key, Bound(variable, of)), own=FilterMember(variable, of, (kind.key,), leads=True)
    )
    type_ = field.type.list if field.many else field.type
    value: t.Expr | t.List | None = None
    cases = [(case.when, case.is_) for case in entry.cases] or [(None, entry.is_)]
    for number, (when, result) in reversed(list(enumerate(cases, 1))):
        if when is None and number < len(cases):
            message = "this case always applies, so those after it never do"
            context.report("RW338", place_of(entry).span, message, "give it a `when`, or remove the others")
            return None
        found = _read(expressions, result, scope, type_)
        if when is None:
            if found is None:
                return None
            value = found.node
            continue
        if number == len(cases):
            hint = "remove this `when`, or add a case"
            context.report("RW338", when.span, "the last case must have no `when`", hint)
            return None
        test = _read(expressions, when, scope, BOOLEAN)
        if test is None or found is None or value is None:
            return None
        assert isinstance(test.node, t.Expr)
        if isinstance(value, t.List):
            assert isinstance(found.node, t.List)
            value = t.Choice(test.node, found.node, value)
        else:
            assert isinstance(found.node, t.Expr)
            value = t.IfElse(test.node, found.node, value)
    low, high = kind.ranges.get(name, (None, 0))
    return p.Derived(name, value, variable, low, high) if value is not None else None


def _read(
    expressions: ExpressionChecker, node: ScalarNode | None, scope: Scope, type_: Type
) -> CheckedExpression | None:
    """Return an expression whose value is known before a game begins; None after a finding."""
    if node is None:
        return None
    context = expressions.context
    context.settling = context.silent = True
    found = expressions.read(node, scope, type_)
    context.settling = context.silent = False
    if found is None:
        return None
    if unsettled(found.node):
        message = "this value is not known before the game starts"
        hint = "use fields, numbers, options, values, `every KIND`, or `count(all-players)`"
        context.report("RW324", node.span, message, hint)
        return None
    return found


def place_of(entry: FieldEntry) -> ScalarNode:
    """Return the first expression of a derived field."""
    found = entry.is_ or next((case.is_ for case in entry.cases if case.is_ is not None), None)
    assert found is not None
    return found


def _circular(needs: dict[Field, tuple[Field, ...]]) -> Iterator[Field]:
    return (field for field in needs if any(_reaches(needs, one, field) for one in needs[field]))


def _reaches(needs: dict[Field, tuple[Field, ...]], start: Field, end: Field) -> bool:
    """Whether a field needs another, directly or through others."""
    todo, seen = [start], {start}
    for one in todo:
        if one == end:
            return True
        new = [more for more in needs.get(one, ()) if more not in seen]
        seen.update(new)
        todo += new
    return False


# ---- Conditions of definitions that depend only on what is printed on them, such as `not starred`

_BEYOND = p.ValueOf | p.ValueList | p.OptionOf | p.OptionList | p.SeatCount | p.Everyone | p.Living


@frozen(repr=False)
class _Printed(Record):
    """The parts of definitions that do not depend on a table; see `ruleset.program.settled.Declarations`."""

    definitions: tuple[p.Definition, ...]
    kinds: tuple[p.Kind, ...]
    values: tuple[p.SeatNumbers, ...] = ()
    enumerations: tuple[p.EnumerationDeclared, ...] = ()


class PrintedConditions:
    """Evaluates conditions for the definitions of a pack. `when` ends a message: when the value must be known."""

    def __init__(
        self,
        expressions: ExpressionChecker,
        definitions: Sequence[p.Definition],
        kinds: Sequence[p.Kind],
        unit: str,
        when: str,
    ) -> None:
        self._expressions = expressions
        self._definitions = definitions
        self._printed = Constants(_Printed(tuple(definitions), tuple(kinds)), 0, {})
        self._unit = unit
        self._when = when

    def fitting(self, kind: str, node: Node | None) -> tuple[str, ...] | None:
        """Return the definitions of a kind for which a condition holds; None without one, or after a finding."""
        every = CheckedExpression(p.DefinitionsOf(kind), Type("definition", kind, True))
        scope, variable = self._expressions.names.inside(
            every, Scope(UnitDraft(self._unit)), leads=True
        )
        test = settled(self._expressions, node, BOOLEAN, scope)
        if test is None or node is None:
            return None
        if self._beyond(test):
            message = f"this value is not known when definitions are {self._when}"
            hint = "compare fields of the kind with numbers and members of enumerations"
            self._expressions.context.report("RW324", node.span, message, hint)
            return None
        return tuple(
            one.key
            for number, one in enumerate(self._definitions)
            if one.kind == kind and self._printed.number(substitute(test, {variable: t.Const(number)}, {}))
        )

    def _beyond(self, test: t.Expr) -> bool:
        """Whether a condition depends on more than the written fields of a definition."""
        derived = {field for _, field in self._expressions.context.derived}
        return any(
            isinstance(one, _BEYOND) or (isinstance(one, p.FieldOf | p.FieldListOf) and one.field in derived)
            for one in everything(test)
        )
