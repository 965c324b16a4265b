"""Options with `some-of`: find the definitions that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from ruleset.check.expressions.checker import ExpressionChecker
from ruleset.check.expressions.settled import settled
from ruleset.check.scope import Scope, Unit, Value
from ruleset.common.record import Record
from ruleset.language.types import BOOLEAN, Type
from ruleset.program import nodes as p
from ruleset.program.settled import Constants
from ruleset.program.traversal import everything, substitute
from ruleset.table import nodes as t

_BEYOND = p.ValueOf | p.ValueList | p.OptionOf | p.OptionList | p.SeatCount | p.Everyone | p.Living


@frozen(repr=False)
class _Printed(Record):
    """The parts of definitions that do not depend on a table; see `ruleset.lower.state_layout.Declarations`."""

    definitions: tuple[p.Definition, ...]
    kinds: tuple[p.Kind, ...]
    values: tuple[p.Value, ...] = ()
    enumerations: tuple[p.Enumeration, ...] = ()


def check_options(
    expressions: ExpressionChecker, definitions: Sequence[p.Definition], kinds: Sequence[p.Kind]
) -> None:
    """Record in `Context.options` the possible choices of each option; all, if its condition is wrong."""
    printed = Constants(_Printed(tuple(definitions), tuple(kinds)), 0, {})
    counted = (
        not expressions.context.found and not expressions.context.poisoned
    )  # otherwise another mistake may hide some
    for key, (span, option) in expressions.context.declared.options.items():
        if not option.some:
            continue
        test, variable = _condition(expressions, option)
        among = tuple(
            one.key
            for number, one in enumerate(definitions)
            if one.kind == option.of
            and (test is None or printed.number(substitute(test, {variable: t.Const(number)}, {})))
        )
        if len(among) < option.high and counted:
            says = f" where `{option.where}`" if option.where else ""
            there = "there is only 1" if len(among) == 1 else f"there are only {len(among)}"
            message = f"`{key}` chooses {option.high} of kind `{option.of}`{says}, but {there}"
            hint = "lower `count`, or change `where`" if says else "lower `count`"
            expressions.context.report("RW380", span, message, hint)
        if test is not None:
            expressions.context.options[key] = evolve(option, among=among)


def _beyond(expressions: ExpressionChecker, test: t.Expr) -> bool:
    """Whether a condition depends on more than the written fields of a definition."""
    derived = {field for _, field in expressions.context.derived}
    return any(
        isinstance(one, _BEYOND) or (isinstance(one, p.FieldOf | p.FieldListOf) and one.field in derived)
        for one in everything(test)
    )


def _condition(expressions: ExpressionChecker, option: p.Option) -> tuple[t.Expr | None, int]:
    """Return an option's condition, or None if it is absent or wrong, and the variable of the definition in it."""
    node = expressions.context.declared.choosable.get(option.key)
    every = Value(p.DefinitionsOf(option.of), Type("definition", option.of, True))
    scope, variable = expressions.names.inside(every, Scope(Unit("options")), leads=True)
    test = settled(expressions, node, BOOLEAN, scope)
    if test is not None and node is not None and _beyond(expressions, test):
        message = "this value is not known when definitions are chosen"
        hint = "compare fields of the kind with numbers and members of enumerations"
        expressions.context.report("RW324", node.span, message, hint)
        return None, variable
    return test, variable
