"""The moment that a track or list lasts."""

from __future__ import annotations

from ruleset.declare.collector import Collecting
from ruleset.language.types import Type
from ruleset.source.reader import Scalar


def lasts_of(collector: Collecting, lasts: Scalar | None, scope: tuple[str, ...], of: Type) -> str:
    """Return the moment with which a track or list starts over; empty if there is none, or after a finding."""
    if lasts is None:
        return ""
    wrong = [one for one in scope if one != "player" and one not in collector.out.enumerations]
    if wrong:
        message = f"a track or list with the scope `{wrong[0]}` cannot start over"
        hint = "only the scopes `game`, `player`, and enumerations can; remove `lasts`"
    elif scope and of.name == "card":
        message, hint = "a track of cards with a scope cannot start over", "use a list, or remove `lasts`"
    elif lasts.text == "own-turn" and "player" not in scope:
        message = "`own-turn` is the turn of each player, and this does not belong to players"
        hint = "add `scope: player`"
    else:
        return lasts.text
    collector.report("RW361", lasts.span, message, hint)
    return ""
