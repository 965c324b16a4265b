"""Names that a pack cannot declare, because uses of them would mean something built in.

`RESERVED` and `NOT_NAMES` are words that nothing can be called; these are taken only for some sorts of things.
"""

from __future__ import annotations

from rulewright.ruleset.language.functions import KERNEL_FUNCTIONS
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES

_READ_ALONE = ("zones", "tracks", "lists", "values", "options", "enumerations", "function", "definitions")
"""Groups whose names can be used alone in effects."""
_SCORE = "`score` is built in: the points of each player"
_CARD = {
    "home": "`x's home` is built in: the zone to which a card goes home",
    "definition": "`x's definition` is built in: the definition that a card is a copy of",
}


def kernel_meaning(group: str, name: str, scope: tuple[str, ...] = ()) -> str | None:
    """Describe the built-in meaning of a declared name; None if it has none.

    `group` is the section, or the key of the document; `scope` that of a track or list.
    """
    if group == "function" and name in KERNEL_FUNCTIONS:
        return f"`{name}(…)` is a built-in function"
    if group in _READ_ALONE and name == "score":
        return _SCORE
    if group == "tracks" and name in ("in-game", "winner"):
        whose = "players who are still in the game" if name == "in-game" else "winners"
        return f"`{name}` is built in: the track of {whose}"
    if group == "lists" and name == "living":
        return "`living` is built in: the list of the players in the game"
    if group == "zones" and name == "home":
        return "`home` is built in: `move … to home` moves each card to its home"
    if group in ("tracks", "lists") and set(scope) - {"game", "player"}:
        return _CARD.get(name)
    if group in ("fields", "effects", "expressions"):
        return _CARD.get(name) or (f"`{name}` is a word of the language" if name in LOCAL_NOT_NAMES else None)
    return None
