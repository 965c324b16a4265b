"""Names from a pack, by language: the `Texts` used by narration, views, and prompts.

A language that the pack does not support gets the pack's first one. A few names belong to no pack and are defined
here. Spanish zones are shown with their article; if the pack omits it, it is derived from the noun's ending, so
irregular nouns must include it: `la nave`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Protocol, TypeAlias

from attrs import field, frozen

from rulewright.interpreter.game.seat_eyes import Shown, ShownValues
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.frames import index_of
from rulewright.interpreter.views.decision import Decision, Option
from rulewright.interpreter.views.names import COMMA, words
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.visibility import Mark, value_key
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import Field, Program
from rulewright.ruleset.program.settled import Constants, FieldValue, UnderivableError
from rulewright.ruleset.program.tables import option_numbers
from rulewright.ruleset.table.message import Argument, MessageError, NamedValue, Pick, Value, format_message, parse
from rulewright.ruleset.table.nodes import CardInfo, ListInfo, Site, TrackInfo

WorkedOut: TypeAlias = Mapping[int, Sequence[tuple[str, tuple[FieldValue, ...]]]]
KERNEL: dict[str, dict[str, str]] = {
    "en": {
        "track/score": "{count, plural, one {# point} other {# points}}",
        "boolean/yes": "yes",
        "boolean/no": "no",
        "none": "none",
    },
    "es": {
        "track/score": "{count, plural, one {# punto} other {# puntos}}",
        "boolean/yes": "sí",
        "boolean/no": "no",
        "none": "ninguno",
    },
}


def session_language(languages: tuple[str, ...], wanted: str) -> str:
    """Return the language of a session: the wanted one if the pack has it, else the first one of the pack.

    If none of the pack's languages has built-in words, these are in the wanted language.
    """
    return next((one for one in (wanted, *languages) if one in languages and one in KERNEL), wanted)


class TextsTable(Protocol):
    """A table program, or the little of it that texts need."""

    @property
    def seats(self) -> int: ...

    @property
    def options(self) -> tuple[tuple[str, str], ...]: ...

    @property
    def cards(self) -> tuple[CardInfo, ...]: ...


@frozen
class SmallestTable:
    """The fewest players of a pack, and the defaults of its options; without cards, since nothing is played."""

    seats: int
    options: tuple[tuple[str, str], ...] = ()
    cards: tuple[CardInfo, ...] = ()


class PackTexts:
    """The names of a pack at a table. Without a program everything is named by its key.

    Texts are single lines without control characters, so that none can imitate our output.
    """

    def __init__(self, table: TextsTable, program: Program | None = None) -> None:
        self._texts = (
            {key: {language: harmless(said.strip()) for language, said in texts} for key, texts in program.texts}
            if program
            else {}
        )
        self._languages = program.languages if program else ()
        self._cards = {card.key: (card.kind, card.definition) for card in table.cards}
        self.worked_out = _worked_out(program, table) if program else {}
        """The values of derived fields at the table, by the number of the definition."""
        self._fields = _fields(program, self.worked_out) if program else {}
        self._kinds = {d.key: d.kind for d in program.definitions} if program else {}
        self.name = cache(self._name)

    def _name(self, language: str, thing: str, key: str) -> str | None:
        """Name a thing; see `interpreter.views.names.Texts`."""
        if thing in ("card", "inline"):
            return self._card(language, key, COMMA if thing == "inline" else ",")
        if thing in ("step", "award", "message"):
            return self.text(language, key)
        if thing == "option":
            return self.text(language, f"choice/{key}")
        if thing == "option-text":
            return self.text(language, f"option-text/{key}")
        if thing == "because":
            return self.text(language, f"because/{key}")
        if thing == "option-name":
            return self.text(language, f"option/{key}")
        if thing == "plural":
            return self.text(language, f"zone/{key}.plural")
        if thing == "log":
            return self.text(language, f"log/{key}")
        if thing == "change":
            track, _, value = key.partition("/")
            return self.text(language, f"track/{track}.log" + (f".{value}" if value else ""))
        if thing == "arrival":
            return self.text(language, f"zone/{key}.log")
        if thing in ("seat", "phrase"):
            return None
        if thing == "field":
            return self._field(language, key)
        if key == "none":
            return KERNEL[_known(language)]["none"]
        if thing == "definition":
            thing = self._kinds.get(key, thing)
        name = self.definition(language, thing, key)
        if name is None:
            return KERNEL[_known(language)].get(f"{thing}/{key}")
        return _with_article(name) if language == "es" and thing == "zone" else name

    def text(self, language: str, key: str) -> str | None:
        """Return a text of the pack, in the given language or the pack's own."""
        known = self._texts.get(key)
        if not known:
            return None
        if language in known:
            return known[language]
        own = next((one for one in self._languages if one in known), None)
        return known[own] if own else next(iter(known.values()))

    def _card(self, language: str, key: str, comma: str) -> str | None:
        """Return a card's name, which is its definition's."""
        return self.definition(language, *self._cards.get(key, ("", key)), comma)

    def definition(self, language: str, kind: str, definition: str, comma: str = ",") -> str | None:
        """Return the name of a thing; a definition's name may refer to its fields. `comma` is the one of values."""
        given = self.text(language, f"{kind}/{definition}")
        if given is None or "{" not in given or (kind, definition) not in self._fields:
            return given
        fields = self._fields[kind, definition]
        try:
            message = parse(given)
            if any(isinstance(part, (Argument, Pick)) and part.name == "count" for part in message):
                for name, (of, value) in fields.items():
                    given = given.replace(f"{{{name}}}", self._value(language, of, value, comma))
                return given
            values: dict[str, Value] = {
                name: int(value) if of == "number" else self._value(language, of, value, comma)
                for name, (of, value) in fields.items()
            }
            return format_message(message, values, language)
        except (MessageError, KeyError, ValueError):
            return None

    def _field(self, language: str, key: str) -> str | None:
        """Return a definition's field that has a single value: `gem.cost`."""
        definition, _, name = key.partition(".")
        found = self._fields.get((self._kinds.get(definition, ""), definition), {}).get(name)
        return self._value(language, *found) if found else None

    def _value(self, language: str, of: str, value: str, comma: str = ",") -> str:
        per, _, members = of.rpartition(" ")
        if per:
            return f"{comma} ".join(
                " ".join(self.text(language, f"{members}/{word}") or word for word in one.split(" "))
                for one in value.split(", ")
            )
        return self.text(language, f"{of}/{value}") or value


def _known(language: str) -> str:
    return language if language in KERNEL else "en"


def _fields(program: Program, worked_out: WorkedOut) -> dict[tuple[str, str], dict[str, tuple[str, str]]]:
    """Return, per kind and definition, the fields that texts can tell: the type of the value, and its key.

    Values for the members of an enumeration have the type `per colour`, and a key such as `2 red, 1 blue`.
    """
    enumerations = {one.key: one.members for one in program.enumerations}
    kinds = {kind.key: {field.key: field for field in kind.fields} for kind in program.kinds}
    found: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    for number, definition in enumerate(program.definitions):
        own: dict[str, tuple[str, str]] = {}
        for name, values in (*definition.fields, *worked_out.get(number, ())):
            field = kinds[definition.kind].get(name)
            if field is None or len(values) != 1:
                continue
            value, members = values[0], enumerations.get(field.type.of)
            if isinstance(value, tuple):
                if field.per:
                    own |= _per_member(name, field, value, enumerations[field.per])
            elif members is not None:
                own[name] = (field.type.of, members[value])
            elif field.type.name == "number":
                own[name] = ("number", str(value))
        found[definition.kind, definition.key] = own
    return found


def _per_member(
    name: str, field: Field, values: tuple[int, ...], members: tuple[str, ...]
) -> dict[str, tuple[str, str]]:
    """Return what texts tell of a field with a value for each member; zeros are left out."""
    some = [(str(value), member) for value, member in zip(values, members, strict=True) if value]
    if field.type.name == "boolean":
        return {name: (f"per {field.per}", ", ".join(member for _, member in some) or "0")}
    if field.type.name != "number":
        return {}
    each = {f"{name}.{member}": ("number", str(value)) for value, member in zip(values, members, strict=True)}
    return {name: (f"per {field.per}", ", ".join(f"{value} {member}" for value, member in some) or "0"), **each}


def _worked_out(program: Program, table: TextsTable) -> WorkedOut:
    """Return the values of derived fields at a table, as far as they have any."""
    constants = Constants(program, table.seats, option_numbers(program, table.options))
    found: dict[int, list[tuple[str, tuple[FieldValue, ...]]]] = {}
    for number, definition in enumerate(program.definitions):
        for kind, name in constants.derived:
            if kind == definition.kind and constants.in_game(number):
                with suppress(UnderivableError):  # such a table cannot be played, but its pack can be shown
                    found.setdefault(number, []).append((name, (constants.field(number, name),)))
    return found


_ARTICLES = ("el", "la", "los", "las")
_FEMININE = ("a", "as", "ción", "ciones", "sión", "siones", "dad", "dades", "tud", "tudes")
_IRREGULAR = {"mano": "la", "manos": "las", "mapa": "el", "mapas": "los"}


def _with_article(name: str) -> str:
    first = name.partition(" ")[0]
    if first in _ARTICLES:
        return name
    if first in _IRREGULAR:
        return f"{_IRREGULAR[first]} {name}"
    feminine = first.endswith(_FEMININE)
    if first.endswith("s"):
        return f"{'las' if feminine else 'los'} {name}"
    return f"{'la' if feminine else 'el'} {name}"


# ---- Values, members of scopes, what cards carry, and headings of a view in words

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


# ---- Labels for people: the options of a decision, and printed texts of cards

_HIDDEN = {
    "en": {"place": "the card in place {n}", "unseen": "card {n}", "in": "{what} in {zone}", "where": "place {n}"},
    "es": {
        "place": "la carta del lugar {n}",
        "unseen": "carta {n}",
        "in": "{what} en {zone}",
        "where": "lugar {n}",
    },
}


def labels(
    decision: Decision, narrator: Narrator, notes: Mapping[str, str], shown: ShownValues | None = None
) -> list[str]:
    """Return a distinct label for each option.

    `notes` describe what a card's copy has that others do not. Without `shown`, values besides the members of an
    option are "…".
    """
    site = narrator.program.sites[decision.site]
    found = [_label(option, site, narrator, notes, shown) for option in decision.options]
    times = Counter(found)
    told = [
        label if times[label] == 1 else _with_place(label, option.key, narrator.language)
        for label, option in zip(found, decision.options, strict=True)
    ]
    times = Counter(told)
    return [
        label if times[label] == 1 else f"{label} [{option.key}]"
        for label, option in zip(told, decision.options, strict=True)
    ]


def _with_place(label: str, key: str, language: str) -> str:
    """Add the place of its card to an ambiguous label, if the key gives one."""
    places = re.findall(r"@place-(\d+)", key)
    return f"{label} ({_HIDDEN[language]['where'].format(n=places[0])})" if len(places) == 1 else label


def _label(
    option: Option, site: Site, narrator: Narrator, notes: Mapping[str, str], shown: ShownValues | None
) -> str:
    if site.of != "menu":
        label = _member(option.key, site.of, option.values[0], narrator, notes)
        return label[:1].upper() + label[1:]
    number, values = unfold(site, option.values[0])
    branch = site.branches[number]
    _, _, rest = option.key.partition(":")
    keys = rest.split(",") if rest else []
    members = [
        _member(key, of, value, narrator, notes)
        for key, of, value in zip(keys, branch.members, values, strict=False)
    ]
    name = f"{site.key}.{branch.key}"
    known = {
        name: value
        if isinstance(value := narrator.shown(of, (number,), False), int)
        else NamedValue(member, value.case)
        for name, member, of, number in zip(branch.names, members, branch.members, values, strict=False)
    }
    more = shown_words(narrator, shown.option(option.values[0])) if shown is not None else {}
    told = narrator.option_with(name, {**more, **known})
    if told is not None:
        return imperative(told, narrator.language)
    kernel = narrator.kernel_option(site, option.values[0])
    if kernel in ("pass", "challenge"):
        return imperative(narrator.phrase(f"option-{kernel}"), narrator.language)
    if kernel and not values:
        label = narrator.phrase(f"option-{branch.key}")
    else:
        label = narrator.name("option", name, 1)
    label = ": ".join([label, ", ".join(members)]) if members else label
    return label[:1].upper() + label[1:] if kernel else imperative(label, narrator.language)


def shown_words(narrator: Narrator, shown: Shown) -> dict[str, Value]:
    """Name the values that a text shows."""
    return {name: narrator.shown(one.of, one.values, one.many) for name, one in shown.items()}


def imperative(label: str, language: str) -> str:
    """Turn the log's "chooses to buy" into the option "Buy"."""
    label = label.removeprefix("to ") if language == "en" else label
    return label[:1].upper() + label[1:]


def _member(key: str, of: str, value: int, narrator: Narrator, notes: Mapping[str, str]) -> str:
    """Name a member: by its stable key if the seat may not see it, else by its name."""
    if of != "card" or value < 0:
        return narrator.member(of, value) if of != "card" else narrator.name("card", "none", 1)
    words = _HIDDEN[narrator.language]
    first, *places = key.split("@")
    name, *marks = first.split("+")
    sort, _, number = name.partition("-")
    if sort in _HIDDEN["en"] and number.isdigit():
        label = words[sort].format(n=number)
    else:
        label = narrator.name("card", name, 1)
        if name in notes:
            label += f" – {notes[name]}"
    if marks:
        pairs = [mark.partition("=") for mark in marks]
        label += f" ({carried_text(narrator, [(name, value) for name, _, value in pairs])})"
    zones = {zone.key: number for number, zone in enumerate(narrator.program.zones)}
    for place in places:
        if place in zones:
            label = words["in"].format(what=label, zone=narrator.zone(zones[place], narrator.reader or 0))
    return label


def copy_notes(program: Program, language: str) -> dict[str, str]:
    """Describe, per card key, the effects of copies that differ, by the pack's texts."""
    texts = {key: dict(said) for key, said in program.texts}
    found: dict[str, str] = {}
    for definition in program.definitions:
        for _, keys in definition.effects:
            if len(keys) < 2:
                continue
            for copy, key in enumerate(keys, 1):
                said = texts.get(f"effect/{key}", {})
                note = said.get(language) or next(iter(said.values()), "")
                if note:
                    card = f"{definition.key}-{copy}"
                    found[card] = f"{found[card]}; {note}" if card in found else note
    return found
