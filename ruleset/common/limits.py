"""The limits of packs and games: the one table that the checks use and the language reference prints.

A pack that exceeds a limit has a finding at the place where it does so, before anything is made of it. Each bound
of a game ends in a rule error, whose code the table names.
"""

from __future__ import annotations

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
