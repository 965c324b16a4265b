"""Sections of the rule book about texts: all cards, and the options."""

from __future__ import annotations

from rulewright.ruleset.program import nodes as p
from rulewright.tools.common.option_labels import copy_notes
from rulewright.tools.faces.face import Face, Faces
from rulewright.tools.print.about import About
from rulewright.tools.print.rule_components import kind_name
from rulewright.tools.print.rule_parts import Block, Entry, Item, Section, capital, section
from rulewright.tools.print.rule_sentences import Sentences
from rulewright.tools.print.words import word

MOST_VALUES = 40
"""Limit of values of an option that are listed."""


def cards_section(about: About, told: Sentences) -> Section:
    """Return all definitions with a text or fields to look up, by kind."""
    faces = Faces(about.program, about.texts, about.language)
    notes = copy_notes(about.program, about.language)
    copies: dict[tuple[str, str], int] = {}
    for card in about.table.cards:
        copies[card.kind, card.definition] = copies.get((card.kind, card.definition), 0) + 1
    with_cards = {kind for kind, _ in copies}
    blocks = []
    for kind in about.program.kinds:
        entries: list[Entry] = []
        for one in about.program.definitions:
            count = copies.get((kind.key, one.key), 0)
            absent = kind.key in with_cards and not count
            if one.kind != kind.key or absent or (one.when is not None and told.decided(one.when) is False):
                continue
            face = faces.of(kind.key, one.key)
            own = [note for key, note in notes.items() if key.rpartition("-")[0] == one.key]
            if face.paragraphs or own:
                entries.append(Entry(face, count, tuple(dict.fromkeys(own)), _facts(face, about)))
        blocks.append(Block(capital(kind_name(about, kind.key)), cards=tuple(entries)))
    return section("cards", word(about.language, "card-texts"), *blocks)


def _facts(face: Face, about: About) -> tuple[str, ...]:
    """Return the members of a face and the named values in its corners. Keys are names in English only."""
    named = {text for key, texts in about.program.texts if key.startswith("field/") for _, text in texts}
    corners = [one for one in face.corners if about.language == "en" or one.label in named]
    values = (f"{one.label} {one.value}" for one in corners if one.value not in face.members)
    return tuple(filter(None, (", ".join(face.members), *values)))


def options_section(about: About) -> Section:
    """Return the options that have a name or a text."""
    items = (_option(about, option) for option in about.program.options)
    return section("options", word(about.language, "options"), Block(items=tuple(filter(None, items))))


def _option(about: About, option: p.Option) -> Item | None:
    language, texts = about.language, about.texts
    name = texts.text(language, f"option/{option.key}")
    text = texts.text(language, f"option/{option.key}.text")
    if name is None and text is None:
        return None
    values = _values(about, option)
    told = [text or ""]
    if 0 < len(values) <= MOST_VALUES:
        told.append(word(language, "values", values=", ".join(values)))
    default = _default(about, option)
    if default:
        told.append(word(language, "default", value=default))
    return Item(capital(name or option.key.replace("-", " ")), " ".join(filter(None, told)).replace("`", ""))


def _values(about: About, option: p.Option) -> list[str]:
    if option.some or set(option.members) <= {"true", "false", "yes", "no"}:
        return []
    if not option.members:
        return [word(about.language, "from-to", low=option.low, high=option.high)]
    return [_member(about, option, key) for key in option.members]


def _default(about: About, option: p.Option) -> str:
    language = about.language
    if option.some:
        return ""
    if not option.members:
        return str(option.default)
    key = option.members[option.default] if 0 <= option.default < len(option.members) else ""
    if key in ("true", "false"):
        return word(language, "yes" if key == "true" else "no")
    return _member(about, option, key)


def _member(about: About, option: p.Option, key: str) -> str:
    return about.texts.text(about.language, f"{option.of}/{key}") or key.replace("-", " ")
