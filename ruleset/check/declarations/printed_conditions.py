"""Conditions of definitions that depend only on what is printed on them, such as `not starred`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.settled import settled
from rulewright.ruleset.check.scope import Scope, Unit, Value
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import BOOLEAN, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.program.traversal import everything, substitute
from rulewright.ruleset.source.nodes import Node
from rulewright.ruleset.table import nodes as t

_BEYOND = p.ValueOf | p.ValueList | p.OptionOf | p.OptionList | p.SeatCount | p.Everyone | p.Living


@frozen(repr=False)
class _Printed(Record):
    """The parts of definitions that do not depend on a table; see `ruleset.program.settled.Declarations`."""

    definitions: tuple[p.Definition, ...]
    kinds: tuple[p.Kind, ...]
    values: tuple[p.Value, ...] = ()
    enumerations: tuple[p.Enumeration, ...] = ()


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
        every = Value(p.DefinitionsOf(kind), Type("definition", kind, True))
        scope, variable = self._expressions.names.inside(every, Scope(Unit(self._unit)), leads=True)
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
