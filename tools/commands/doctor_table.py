"""`rulewright doctor PACK`: report how whole games at one table keep their cards, and why.

Native code for whole games keeps equal cards together where no rule tells them apart (`interpreter.optimiser`).
This is never a fault: a table whose cards are kept one by one plays the same games, only more slowly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from attrs import frozen

from interpreter.optimiser.class_program import over_classes
from interpreter.optimiser.kept_cards import Chosen, Form, KeptCards, choose
from interpreter.optimiser.printing import printed
from interpreter.views.narration import Narrator
from ruleset.table.nodes import TableProgram
from tools.common.display_texts import PackTexts, session_language
from tools.common.errors import CLEAN
from tools.common.output import say, say_data
from tools.common.plain_table import many
from tools.packs import loading
from tools.packs.pack_set import with_more

FORMAT = 1
"""The version of the JSON format."""

_FORMS = {Form.COUNTS: "counts", Form.ORDER: "order", Form.NUMBER: "number"}
_SHOWN = 4
"""Most zones of a family that are listed by name."""

Report = dict[str, Any]


@frozen
class Arguments:
    """The arguments of the command that describe a table."""

    pack: str
    players: int | None
    options: tuple[str, ...]
    more: tuple[str, ...]
    lang: str
    program: bool
    as_json: bool


def doctor_table(given: Arguments) -> int:
    """Print the report on a table; it never finds a fault."""
    compiled = loading.compile_pack(with_more(given.pack, given.more))
    players = compiled.program.least_players if given.players is None else given.players
    table, _ = loading.table_noted(compiled.program, players, given.options)
    chosen = choose(table)
    language = session_language(compiled.program.languages, given.lang)
    report = examined(table, chosen, Narrator(table, language, PackTexts(table, compiled.program)))
    if given.program:
        report["program"] = [*_program(chosen)]
    if given.as_json:
        say_data(report)
    else:
        for line in _lines(report):
            say(line)
    return CLEAN


def examined(table: TableProgram, chosen: Chosen, narrator: Narrator) -> Report:
    """Return the report as data."""
    kept = chosen.kept
    return {
        "version": FORMAT,
        "pack": table.pack,
        "pack_version": table.version,
        "players": table.seats,
        "options": dict(table.options),
        "by_class": kept is not None,
        "why_not": chosen.why_not or None,
        "cards": len(table.cards),
        "classes": len(kept.first) if kept is not None else None,
        "zones": [*_zones(chosen.program, kept)] if kept is not None else [],
        "told_apart": [*_told_apart(table, kept, narrator)] if kept is not None else [],
    }


def _program(chosen: Chosen) -> Iterator[str]:
    """Return the lines of the program that native code is generated from."""
    kept = chosen.kept
    return printed(chosen.program if kept is None else over_classes(chosen.program, kept), kept)


def _zones(program: TableProgram, kept: KeptCards) -> Iterator[Report]:
    """For each family of zones, and each form in it, the zones that keep their cards in this form."""
    for zone, group in groupby(range(len(program.zones)), key=lambda number: program.zones[number].zone):
        members = list(group)
        forms = {number: (kept.forms[number], bool(kept.holds[number])) for number in members}
        for form, used in dict.fromkeys(forms.values()):
            own = [number for number in members if forms[number] == (form, used)]
            yield {
                "zone": zone,
                "instances": [program.zones[number].key for number in own],
                "of": len(members),
                "owned": program.zones[own[0]].owner >= 0,
                "order": program.zones[own[0]].order,
                "form": _FORMS[form],
                "most_classes": max(len(kept.holds[number]) for number in own),
            }


def _told_apart(table: TableProgram, kept: KeptCards, narrator: Narrator) -> Iterator[Report]:
    """For each reason the cards that rules tell apart for it."""
    for reason in dict.fromkeys(kept.individual.values()):
        cards = []
        for face, why in sorted(kept.individual.items()):
            if why == reason:
                copies = [card for card in table.cards if card.face == face]
                key = copies[0].key
                cards.append({"card": key, "name": narrator.several("card", key, 1), "copies": len(copies)})
        yield {"reason": reason, "cards": cards}


# ------------------------------------------------------------------ as text


def _lines(report: Report) -> Iterator[str]:
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield f"{report['pack']} {report['pack_version']}: {many(report['players'], 'player')}{options}"
    cards = many(report["cards"], "card")
    if report["by_class"]:
        yield from _kept_lines(report, cards)
    else:
        yield f"{cards}, each kept by itself: {report['why_not']}."
    if "program" in report:
        yield ""
        yield from report["program"]


def _kept_lines(report: Report, cards: str) -> Iterator[str]:
    classes = report["classes"]
    if classes < report["cards"]:
        yield f"{cards} in {many(classes, 'class', 'classes')}: whole games keep equal cards of a class together."
    else:
        yield f"{cards}, all different: each is a class of its own."
    yield ""
    names = [_instances(zone) for zone in report["zones"]]
    width = max(map(len, names), default=0)
    for name, zone in zip(names, report["zones"], strict=True):
        yield f"{name:<{width}}  {_form(zone)}"
    yield ""
    if not report["told_apart"]:
        yield "No rule tells equal cards apart."
        return
    yield "Rules tell some equal cards apart, so each of these is a class of its own:"
    for each in report["told_apart"]:
        yield f"  {each['reason']}:"
        yield f"    {', '.join(_copies(card) for card in each['cards'])}"


def _copies(card: Report) -> str:
    return f"{card['name']} ({card['copies']})"


def _instances(zone: Report) -> str:
    """Name the zones of a line: a family, or those of it that are kept in this form."""
    name, instances = str(zone["zone"]), list(zone["instances"])
    if len(instances) == zone["of"]:
        of = " of each player" if zone["owned"] else f" ({len(instances)} zones)"
        return name + (of if zone["of"] > 1 or zone["owned"] else "")
    if len(instances) <= _SHOWN:
        return ", ".join(instances)
    return f"{name} ({len(instances)} of {zone['of']} zones)"


def _form(zone: Report) -> str:
    """Say how zones keep their cards."""
    if zone["form"] == "order":
        return "a list of classes, because a rule observes its order"
    if zone["form"] == "number":
        return "only a number, because its cards are all equal" if zone["most_classes"] else "always empty"
    order = "it has no order" if zone["order"] == "bag" else "no rule observes its order"
    return f"a count of each class, because {order}"
