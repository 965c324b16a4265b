"""Labels for people: the options of a decision, and printed texts of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from rulewright.interpreter.game.seat_eyes import Shown, ShownValues
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.options import Option
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.message import Named, Value
from rulewright.ruleset.table.nodes import Site
from rulewright.tools.common.display_texts import carried_text

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
        name: value if isinstance(value := narrator.shown(of, (number,), False), int) else Named(member, value.case)
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
