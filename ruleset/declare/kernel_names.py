"""Names that a pack cannot declare, because uses of them would mean something built in.

`RESERVED` and `NOT_NAMES` are words that nothing can be called; these are taken only for some sorts of things.
"""

from __future__ import annotations

from ruleset.language.functions import KERNEL_FUNCTIONS
from ruleset.language.syntax_errors import LOCAL_NOT_NAMES

_READ_ALONE = ("zones", "tracks", "lists", "values", "options", "enumerations", "function", "definitions")
"""Groups whose names can be used alone in effects."""
_SCORE = "`score` is the points of each player"
_CARD = {
    "home": "`x's home` is the zone that a card goes home to",
    "definition": "`x's definition` is what a card is a copy of",
}


def kernel_meaning(group: str, name: str, scope: tuple[str, ...] = ()) -> str | None:
    """Describe the built-in meaning of a declared name; None if it has none.

    `group` is the section, or the key of the document; `scope` that of a track or list.
    """
    if group == "function" and name in KERNEL_FUNCTIONS:
        return f"`{name}(…)` is a function of the kernel"
    if group in _READ_ALONE and name == "score":
        return _SCORE
    if group == "tracks" and name in ("in-game", "winner"):
        who = "who is still in the game" if name == "in-game" else "who has won"
        return f"`{name}` is the kernel's track of {who}"
    if group == "lists" and name == "living":
        return "`living` is the kernel's list of the players in the game"
    if group == "zones" and name == "home":
        return "`move … to home` sends each card where its component says"
    if group in ("tracks", "lists") and set(scope) - {"game", "player"}:
        return _CARD.get(name)
    if group in ("fields", "effects", "expressions"):
        return _CARD.get(name) or (f"`{name}` is a word of the language" if name in LOCAL_NOT_NAMES else None)
    return None
