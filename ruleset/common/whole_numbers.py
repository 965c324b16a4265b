"""Whole numbers as packs write them: the digits 0 to 9, without leading zeros."""

from __future__ import annotations

import math
import re
import unicodedata

from rulewright.ruleset.common.limits import HIGHEST, LOWEST

WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_LONGEST = 40
"""Characters of a text that can mean a number."""
_GROUPED = re.compile(r"-?[1-9][0-9]{0,2}(?:[,_' ][0-9]{3})+")
_INFINITE = re.compile(r"-?(?:\.?inf(?:inity)?|∞)", re.IGNORECASE)


def whole(text: str) -> int | None:
    """Return the number that a text is; None if it is none that packs can use."""
    if len(text) > len(str(LOWEST)) or WHOLE.fullmatch(text) is None:
        return None
    number = int(text)
    return number if LOWEST <= number <= HIGHEST else None


def too_large(text: str) -> str | None:
    """Return a message if a text is a whole number that packs cannot use."""
    if WHOLE.fullmatch(text) is None or whole(text) is not None:
        return None
    shown = text if len(text) <= _LONGEST else "this number"
    if text.startswith("-"):
        return f"{shown} is too small; the smallest number is {LOWEST}"
    return f"{shown} is too large; the largest number is {HIGHEST}"


def empty_range(low: object, high: object) -> tuple[str, str]:
    """Return the message and hint for a range whose first number, `low`, is above its second."""
    return "this range is empty: its second number is less than its first", f"write `{high} to {low}`"


def number_hint(text: str) -> str | None:
    """Return how to write the number that a text means; None if it means none."""
    plain = "".join(map(_digit, text.strip())).removeprefix("+").replace("−", "-")
    if len(text) > _LONGEST or not plain:
        return None
    number = _meant(plain)
    if number is None:
        return None
    if not LOWEST <= number <= HIGHEST:
        return f"numbers are {LOWEST} to {HIGHEST}"
    if number != int(number):
        return f"numbers are whole: write `{int(number // 1)}` or `{int(number // 1) + 1}`"
    how = ", without leading zeros" if re.match(r"-?0[0-9]", plain) else ""
    how = ", with the digits 0 to 9" if not text.isascii() else how
    how = ", without quotes" if WHOLE.fullmatch(text) else how
    return f"write `{int(number)}`{how}"


def _digit(character: str) -> str:
    """Return a digit of any script as one of 0 to 9; other characters stay as they are."""
    digit = unicodedata.digit(character, -1)
    return character if digit < 0 else str(digit)


def _meant(plain: str) -> float | None:
    """Return the number that a text means, also one with an exponent, in groups, or hexadecimal."""
    if _INFINITE.fullmatch(plain):
        return math.inf
    if _GROUPED.fullmatch(plain):
        return int(re.sub("[^0-9-]", "", plain))
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", plain):
        return int(plain, 0)
    if re.fullmatch(r"-?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,2})?", plain):
        return float(plain.replace(",", "."))
    return None
