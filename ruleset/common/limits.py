"""The limits of packs and games: the one table that the checks use and the language reference prints.

A pack that exceeds a limit has a finding at the place where it does so, before anything is made of it. Each bound
of a game ends in a rule error, whose code the table names.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import NamedTuple

LOWEST, HIGHEST = -(2**31), 2**31 - 1
"""The range of all numbers. Native code keeps them in 32 bits, and all backends give the same results."""
TRACK_BOUND = 1_000_000
"""A track that declares no bound holds numbers up to this distance from 0."""
MOST_LISTED = 200
"""The greatest `at-most` of a list."""
NUMBERS_LISTED = 64
"""Members of a list of numbers without `at-most`."""
MOST_IN_RANGE = 200
"""Numbers of a range of the effect language, such as `1 to 6`."""
MOST_OFFERED, MOST_OF_THREE = 9_999, 199
"""The greatest number that an option of a menu offers as one of up to two numbers, and of more."""
MOST_PICKED = 20
"""The most that `pick` takes at random."""
MOST_SEATS = 12
MOST_CHOSEN = 100
"""Definitions that an option of a pack chooses with `some-of`."""
MOST_DEFINITIONS = 10_000
"""Definitions of a pack: documents, and those that `each` makes."""
MOST_CARDS = 20_000
"""Cards of a table: more than games need, and few enough to number the cards."""
MOST_CELLS = 1_000_000
"""Cells of a state. The zones, tracks, and lists of a table that is within this limit may still leave too little
for its decisions: lowering refuses such a table."""
MOST_AT_ONCE = 10_000
"""Cards under one name, in a scenario's position or answer."""
MOST_SEED = 2**64 - 1
FUEL_PER_ANSWER = 20_000
"""What the rules may use up between two answers; see `interpreter.analysis.metering`."""
FRAMES_OF_RECURSION = 24
"""Calls, one inside the other, of a verb that calls itself and asks a player."""
MOST_ANSWERS = 20_000
"""Questions in a game between bots, with a choice or not; one to several seats counts once. The next one raises the
rule error `endless` at the place of the decision. Games with people have no such limit.
"""
FILE_BYTES, FILE_VALUES = 1024 * 1024, 100_000
MOST_FILES, PACK_BYTES = 2_000, 8 * 1024 * 1024


class Limit(NamedTuple):
    """A row of the table. `error` is the rule error beyond the limit; empty if packs cannot exceed it."""

    what: str
    bound: str
    error: str = ""


TABLE: tuple[Limit, ...] = (
    Limit("numbers that a pack writes", f"{LOWEST:,} to {HIGHEST:,}"),
    Limit("numbers that a game computes", f"{LOWEST:,} to {HIGHEST:,}", "overflow"),
    Limit("a track without `at-least` or `at-most`", f"-{TRACK_BOUND:,} to {TRACK_BOUND:,}", "bounds"),
    Limit("members of a list of numbers", f"{NUMBERS_LISTED}, or its `at-most`", "full"),
    Limit(
        "members of any other list",
        "as many as there are different cards, players, or other things, or its `at-most`",
        "full",
    ),
    Limit("`at-most` of a list", f"1 to {MOST_LISTED}"),
    Limit("numbers in a range, such as `1 to 6`", str(MOST_IN_RANGE), "full"),
    Limit("a number that an option of a menu offers", f"0 to {MOST_OFFERED:,}", "full"),
    Limit("each of three or more such numbers", f"0 to {MOST_OF_THREE}", "full"),
    Limit("`pick N`", f"1 to {MOST_PICKED}"),
    Limit("players", f"1 to {MOST_SEATS}"),
    Limit("`number` of an option of the pack", f"0 to {HIGHEST:,}"),
    Limit("`count` of an option of the pack", f"1 to {MOST_CHOSEN}"),
    Limit("definitions of a pack, with those that `each` makes", f"{MOST_DEFINITIONS:,}"),
    Limit("cards of a table", f"{MOST_CARDS:,}"),
    Limit("numbers that the zones, tracks, and lists of a table hold", f"{MOST_CELLS:,}"),
    Limit("cards under one name in a scenario", f"{MOST_AT_ONCE:,}"),
    Limit("`seed` of a scenario", f"0 to {MOST_SEED:,}"),
    Limit("fuel between two answers", f"{FUEL_PER_ANSWER:,} units", "fuel"),
    Limit(
        "calls of a verb that asks a player, one inside the other",
        f"{FRAMES_OF_RECURSION} if the verb calls itself",
        "stack",
    ),
    Limit("answers in a game between bots", f"{MOST_ANSWERS:,}", "endless"),
    Limit("a file", f"{FILE_BYTES // 1024**2} MiB and {FILE_VALUES:,} values"),
    Limit("a pack", f"{MOST_FILES:,} files and {PACK_BYTES // 1024**2} MiB"),
)


# ---- Whole numbers as packs write them: the digits 0 to 9, without leading zeros

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
