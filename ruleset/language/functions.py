"""The functions available in every pack."""

from __future__ import annotations

from rulewright.ruleset.language.types import NUMBER, PLAYER, Type

KERNEL_FUNCTIONS: dict[str, tuple[Type | None, ...]] = {
    "count": (None,),
    "min": (NUMBER, NUMBER),
    "max": (NUMBER, NUMBER),
    "clockwise": (PLAYER,),
    "next": (PLAYER,),
    "previous": (PLAYER,),
}
"""The types of the arguments; None is any list."""
