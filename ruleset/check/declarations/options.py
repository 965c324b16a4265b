"""Options with `some-of`: find the definitions that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.check.declarations.printed_conditions import PrintedConditions
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.program import nodes as p


def check_options(
    expressions: ExpressionChecker, definitions: Sequence[p.Definition], kinds: Sequence[p.Kind]
) -> None:
    """Record in `Context.options` the possible choices of each option; all, if its condition is wrong."""
    conditions = PrintedConditions(expressions, definitions, kinds, "options", "chosen")
    counted = (
        not expressions.context.found and not expressions.context.poisoned
    )  # otherwise another mistake may hide some
    for key, (span, option) in expressions.context.declared.options.items():
        if not option.some:
            continue
        fitting = conditions.fitting(option.of, expressions.context.declared.choosable.get(key))
        among = tuple(one.key for one in definitions if one.kind == option.of) if fitting is None else fitting
        if len(among) < option.high and counted:
            says = f" where `{option.where}`" if option.where else ""
            there = "there is only 1" if len(among) == 1 else f"there are only {len(among)}"
            message = f"`{key}` chooses {option.high} of kind `{option.of}`{says}, but {there}"
            hint = "lower `count`, or change `where`" if says else "lower `count`"
            expressions.context.report("RW380", span, message, hint)
        if fitting is not None:
            expressions.context.options[key] = evolve(option, among=among)
