"""Arithmetic on constants of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.ruleset.table import nodes as t

_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


def compute(op: t.Operator, left: int, right: int) -> int:
    """Apply an operator; division by zero gives 0."""
    return _OPERATORS[op](left, right)
