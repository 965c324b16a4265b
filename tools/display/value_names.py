"""Values, members of scopes, and headings of a view in words."""

from __future__ import annotations

from interpreter.state.indices import index_of
from interpreter.views.narration import Narrator
from interpreter.views.visibility import value_key
from ruleset.table.nodes import ListInfo, TrackInfo


def value_text(narrator: Narrator, of: str, value: int | str) -> str:
    """Name a value of a track or list."""
    if isinstance(value, int):
        return str(value)
    if of in ("seat", "player") and value.startswith("seat-"):
        return str(narrator.who(int(value.removeprefix("seat-")) - 1)["seat"])
    if of == "card":
        return narrator.name("card", value.split("@")[0], 1)
    return narrator.name(of, value, 1)


def figure_text(narrator: Narrator, value: int | bool | str, unknown: str = "–") -> str:
    """Name the value of a function that a layout shows; `unknown` replaces one that cannot be worked out."""
    if isinstance(value, str):
        return unknown
    if isinstance(value, bool):
        return value_text(narrator, "boolean", "yes" if value else "no")
    return value_text(narrator, "number", value)


def member_text(narrator: Narrator, info: TrackInfo | ListInfo, scope: str, index: int) -> str:
    """Name the member of a scope that belongs to an index of a track or list."""
    program = narrator.program
    return narrator.name(scope, value_key(program, scope, index_of(program, info, scope, index)), 1)


def noun(narrator: Narrator, thing: str, key: str) -> str:
    """Name something for a heading: in the plural, without number or article, capitalised."""
    name = narrator.name(thing, key, 2)
    first, _, rest = name.partition(" ")
    if rest and (first == "2" or (thing == "zone" and first in ("el", "la", "los", "las"))):
        name = rest
    return name[:1].upper() + name[1:]
