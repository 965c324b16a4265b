"""Thresholds of expectations: `at most 55 %`, `at least 5 %`, `45 to 55 %`, `20 to 120 decisions`."""

from __future__ import annotations

import re
from typing import Literal

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.common.limits import MOST_ANSWERS
from rulewright.ruleset.common.whole_numbers import WHOLE, number_hint, too_large
from rulewright.ruleset.program.expectations import Bounds
from rulewright.ruleset.source.nodes import Scalar

Unit = Literal["%", "decisions"]
_WHOLE = "(0|[1-9][0-9]{0,8})"
_FORM = re.compile(f"(?:at (least|most) {_WHOLE}|{_WHOLE} to {_WHOLE}) ?(%|decisions?)?")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?")


def bounds_of(context: Context, node: Scalar, unit: Unit) -> Bounds | None:
    """Return the bounds that a threshold gives, or None after a finding."""
    found = _FORM.fullmatch(node.text)
    if found is None:
        _misread(context, node, unit)
        return None
    side, one, low, high, written = found.groups()
    if (written or "").removesuffix("s") != unit.removesuffix("s"):
        right = f"{node.text.removesuffix(written or '').rstrip()} {unit}"
        if written is None:
            message, hint = f"`{node.text}` has no unit", f"write `{right}`"
        else:
            message, hint = f"this is a number of {unit}, not of {written}", f"write `{right}`, with another number"
            message = "this is a share of games or decisions, which is in %" if unit == "%" else message
        context.report("RW731", node.span, message, hint)
        return None
    if side is None:
        bounds = Bounds(int(low), int(high))
    else:
        bounds = Bounds(int(one), None) if side == "least" else Bounds(None, int(one))
    return bounds if _possible(context, node, bounds, unit) else None


def _misread(context: Context, node: Scalar, unit: Unit) -> None:
    """Report a threshold of another form, with one that has its number."""
    for word in node.text.replace("%", "").split():
        large, hint = too_large(word), number_hint(word)
        if large is not None:
            context.report("RW731", node.span, large)
            return
        if hint is not None and WHOLE.fullmatch(word) is None and "." not in word:
            context.report("RW731", node.span, f"`{word}` is not a whole number", hint)
            return
    numbers = _NUMBER.findall(node.text)
    if any(not number.isdigit() for number in numbers):
        message = f"`{node.text}` is not a whole number of {unit}"
        if unit == "%":
            message = f"`{node.text}` is not a whole percentage"
        context.report(
            "RW731", node.span, message, f"write whole numbers, such as `at most {_round(numbers)} {unit}`"
        )
        return
    if len(numbers) == 2:
        hint = f"write `{numbers[0]} to {numbers[1]} {unit}`"
    else:
        number = numbers[0] if numbers else "55" if unit == "%" else "80"
        hint = f"write `at most {number} {unit}`, `at least {number} {unit}`, or a range such as `{_range(unit)}`"
    context.report("RW731", node.span, f"`{node.text}` is not a threshold", hint)


def _round(numbers: list[str]) -> str:
    return re.split("[.,]", next(one for one in numbers if not one.isdigit()))[0]


def _range(unit: Unit) -> str:
    return "45 to 55 %" if unit == "%" else "20 to 120 decisions"


def _possible(context: Context, node: Scalar, bounds: Bounds, unit: Unit) -> bool:
    """Whether games can keep to these bounds, and also miss them; otherwise report it."""
    low, high = bounds.low, bounds.high
    most = 100 if unit == "%" else MOST_ANSWERS
    said = [one for one in (low, high) if one is not None]
    message, hint = "", ""
    if low is not None and high is not None and low > high:
        message = f"the lower bound, {low}, is above the upper one, {high}"
        hint = f"write `{high} to {low} {unit}`"
    elif unit == "%" and max(said) > most:
        message, hint = f"no share is {max(said)} %", "write 0 to 100 %"
    elif unit != "%" and (high == 0 or (low or 0) > most):
        message = f"no game between bots has {max(said):,} decisions"
        hint = f"write 1 to {most:,}" if high != 0 else "write at least 1"
    elif (low or 0) == 0 and (high is None or high >= most):
        message = "this always holds"
        hint = (
            "raise the lower bound, or lower the upper one" if unit == "%" else f"games end at {most:,} decisions"
        )
        hint = hint if unit == "%" else f"{hint}; expect fewer"
    if message:
        context.report("RW732", node.span, message, hint)
    return not message
