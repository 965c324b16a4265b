"""The range of cells, and the operators on them."""

from __future__ import annotations

import operator
from collections.abc import Callable

LOWEST, HIGHEST = -(2**31), 2**31 - 1
"""The range of an int32 cell."""

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
