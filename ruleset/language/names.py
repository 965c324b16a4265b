"""The form of names, and reserved names."""

from __future__ import annotations

from rulewright.ruleset.language.types import NUMBER, PLAYER, Type

NAME = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
CHOICE = rf"{NAME}(\.{NAME})+"
"""The id of a choice: the place that asks, and its own name."""
LOG = ".log"
"""Follows the id of an option: the line that is logged when it is chosen."""
TEXT = ".text"
"""Follows the id of an option, or of a choice that is no menu: the text that players read below the option."""
BECAUSE = ".because"
"""Follows the id of an option, or of a choice that is no menu: why something is not offered."""
OWN_TEXT = "text"
"""In such a text, the text of the option's card."""
RESERVED = frozenset(
    [
        "you",
        "it",
        "this",
        "players",
        "others",
        "all-players",
        "extra-turn",
        "none",
        "true",
        "false",
        "cards",
        "card",
        "player",
        "number",
        "boolean",
        "zone",
        "list",
    ]
)


# ------------------------------------------------------------------ The functions available in every pack

KERNEL_FUNCTIONS: dict[str, tuple[Type | None, ...]] = {
    "count": (None,),
    "min": (NUMBER, NUMBER),
    "max": (NUMBER, NUMBER),
    "clockwise": (PLAYER,),
    "next": (PLAYER,),
    "previous": (PLAYER,),
}
"""The types of the arguments; None is any list."""
