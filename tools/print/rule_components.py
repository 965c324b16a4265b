"""Sections of the rule book about things: what is in the box, and what is on the table."""

from __future__ import annotations

from rulewright.ruleset.program import nodes as p
from rulewright.tools.faces.face import Faces
from rulewright.tools.print.about import About
from rulewright.tools.print.readable import phrase
from rulewright.tools.print.rule_parts import Block, Item, Section, Table, capital, section
from rulewright.tools.print.words import word

LIST_ALL = 26
"""Kinds with more different cards than this are not listed card by card in the box."""


def box_section(about: About) -> Section:
    """Return what is in the box: the cards of each kind with their numbers, and what else is counted."""
    language = about.language
    blocks = [Block(items=tuple(_kinds(about)), note=word(language, "for-table", players=about.table.seats))]
    counted = [_counted(about, track) for track in about.program.tracks if _is_counted(about, track)]
    blocks.append(Block(word(language, "counted"), items=tuple(counted)))
    return section("box", word(language, "box"), *blocks)


def table_section(about: About) -> Section:
    """Return the places on the table by the groups of the layout: whose they are, and who sees what."""
    language, layout = about.language, about.program.table_layout
    zones = {zone.key: zone for zone in about.program.zones}
    groups: list[tuple[str, list[p.Zone]]] = []
    for group in layout.groups if layout is not None else ():
        placed = [zones.pop(one.key) for one in group.placed if one.key in zones]
        groups.append((_text(about, group.texts), placed))
    hidden = set(layout.hidden) if layout is not None else set()
    groups.append(("", [zone for zone in zones.values() if zone.key not in hidden]))
    head = tuple(word(language, key) for key in ("zone", "whose", "who-sees"))
    blocks = [
        Block(heading, table=Table(head, tuple(_row(about, zone) for zone in placed)))
        for heading, placed in groups
        if placed
    ]
    return section("table", word(language, "table"), *blocks)


def zone_name(about: About, key: str) -> str:
    """Return the name of a zone for a heading or a list."""
    return capital(about.texts.text(about.language, f"zone/{key}") or key.replace("-", " "))


def kind_name(about: About, key: str) -> str:
    """Return the name of a kind."""
    return about.texts.text(about.language, f"kind/{key}") or key.replace("-", " ")


def track_name(about: About, key: str, count: int) -> str | None:
    """Return the name of a track for a number of what it counts; None if the pack has none."""
    given = about.texts.text(about.language, f"track/{key}")
    return phrase(given, {"count": str(count)}) if given else None


def _kinds(about: About) -> list[Item]:
    counts: dict[str, dict[str, int]] = {}
    for card in about.table.cards:
        of_kind = counts.setdefault(card.kind, {})
        of_kind[card.definition] = of_kind.get(card.definition, 0) + 1
    faces = Faces(about.program, about.texts, about.language)
    found: list[Item] = []
    for kind, copies in counts.items():
        name = f"{sum(copies.values())} × {kind_name(about, kind)}"
        numbers = set(copies.values())
        if len(copies) > LIST_ALL or len(copies) == 1:
            different = word(about.language, "different", different=len(copies)) if len(copies) > 1 else ""
            found.append(Item(name, different))
            continue
        if len(numbers) == 1:
            names = ", ".join(faces.of(kind, key).name for key in copies)
            text = f"{word(about.language, 'each', copies=numbers.pop())}: {names}"
        else:
            text = ", ".join(f"{count} × {faces.of(kind, key).name}" for key, count in copies.items())
        found.append(Item(name, text))
    return found


def _is_counted(about: About, track: p.Track) -> bool:
    """Whether players have to count something for a track: it has a name, and the table shows it."""
    layout = about.program.table_layout
    shown = layout is None or track.key not in layout.hidden
    return shown and track.of.name == "number" and not track.lasts and track_name(about, track.key, 2) is not None


def _counted(about: About, track: p.Track) -> Item:
    language = about.language
    whose = word(language, "per-player" if "player" in track.scope else "shared")
    return Item(capital(track_name(about, track.key, 2) or ""), whose)


def _row(about: About, zone: p.Zone) -> tuple[str, str, str]:
    language = about.language
    of = kind_name(about, zone.of) if zone.of else ""
    whose = word(language, f"whose-{zone.scope}", of=of)
    if zone.seen_by == "nobody" and zone.top_seen_by != "nobody":
        sees = word(language, f"sees-top-{zone.top_seen_by}")
    else:
        sees = word(language, f"sees-{zone.seen_by}")
    return zone_name(about, zone.key), whose, sees


def _text(about: About, texts: p.Texts) -> str:
    known = dict(texts)
    return known.get(about.language) or next(iter(known.values()), "")
