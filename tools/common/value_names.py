"""Values, members of scopes, what cards carry, and headings of a view in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import field, frozen

from rulewright.interpreter.state.frames import index_of
from rulewright.interpreter.views.names import words
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.visibility import Mark, value_key
from rulewright.ruleset.table.nodes import ListInfo, TrackInfo


def value_text(narrator: Narrator, of: str, value: int | str) -> str:
    """Name a value of a track or list."""
    if isinstance(value, int):
        return str(value)
    if of == "number":
        return value
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


@frozen
class Carried:
    """What a card carries, or what points at it: the name of a track or list, values in words, and seats."""

    label: str
    texts: list[str] = field(factory=list)
    seats: list[int] = field(factory=list)


def carried(narrator: Narrator, marks: Sequence[Mark], hidden: Collection[str] = ()) -> tuple[Carried, ...]:
    """Describe the marks of a card, except those of hidden tracks and lists."""
    program = narrator.program
    of = {track.key: ("track", track.of) for track in program.tracks}
    of |= {info.key: ("list", info.of) for info in program.state_lists}
    found: dict[str, Carried] = {}
    for key, value in marks:
        name, *rest = key.split("/")
        if name in hidden:
            continue
        thing, sort = of.get(name, ("track", "number"))
        label = narrator.name(thing, name, 2).removeprefix("2 ")
        owners = [one for one in rest if one.startswith("seat-")]
        if value == "it":
            rest = [one for one in rest if one not in owners]
        label += "".join(
            f" {value_text(narrator, 'seat', one) if one in owners else words(one)}"
            for one in rest
            if not one.isdigit()
        )
        note = found.setdefault(label, Carried(label))
        if value == "it":
            note.seats.extend(int(one.removeprefix("seat-")) for one in owners)
        elif sort in ("seat", "player") and str(value).startswith("seat-"):
            note.seats.append(int(str(value).removeprefix("seat-")))
        else:
            note.texts.append(value_text(narrator, sort, value))
    return tuple(found.values())


def carried_text(narrator: Narrator, marks: Sequence[Mark]) -> str:
    """Describe the marks of a card in one line; empty without marks."""
    told = []
    for one in carried(narrator, marks):
        values = [*one.texts, *(value_text(narrator, "seat", f"seat-{seat}") for seat in one.seats)]
        told.append(f"{one.label}: {', '.join(values)}" if values else one.label)
    return "; ".join(told)
