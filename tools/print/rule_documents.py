"""What the rule book reads of a pack's documents, as house rules have changed them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulewright.interpreter.views.names import parsed
from rulewright.ruleset.documents.kinds import record_of
from rulewright.ruleset.documents.reading import Several, Titled
from rulewright.ruleset.documents.rules import Step, Steps
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Node, ScalarNode, texts_of
from rulewright.ruleset.table.message import Argument, LiteralText, Message, MessageError, Pick, PluralNumber
from rulewright.tools.faces import Faces, paragraphs_of
from rulewright.tools.print.deck import About
from rulewright.tools.print.rule_parts import RuleBlock, RuleItem, RuleTable, Section, capital, section, word

# ---- Questions and options of a pack as sentences of a rule book, without a game's values
#
# What has a name is named, and a player is "a player". A sentence or an aside that needs another value is
# left out.

_OPEN = "\ue000"
"""Stands for a value that is not known."""
_LINK = "for|to|as|of|with|from|against|por|para|a|como|de|con|contra|in|en"
_CAPTION = re.compile(r"^\{[^{},]+\}:\s*")
"""What a question is about, before it."""
_ASIDE = re.compile(rf"\s*\([^()]*{_OPEN}[^()]*\)")
_LINKED = re.compile(rf",?\s+(?:{_LINK})\s+{_OPEN}(?=[\s,.;:?!]|\Z)")
_LEAD = re.compile(rf"^(?:{_OPEN}[\s,]*)+:\s*")
_REPEATED = re.compile(f"{_OPEN}+")
_AFTER_WORD = re.compile(rf"(?<=\w){_OPEN}")
_ARTICLES = re.compile(r"\b(the|an?) an? ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=\S)")


def sentences(text: str, known: Mapping[str, str]) -> str:
    """Return the sentences of a text that can be said without a game. `known` names values."""
    text = _CAPTION.sub("", text)
    kept = (_LEAD.sub("", _ASIDE.sub("", part)) for part in _SENTENCE.split(_filled(text, known)))
    return " ".join(_capital(part.strip()) for part in kept if part.strip() and _OPEN not in part)


def label(text: str, known: Mapping[str, str]) -> str:
    """Return the label of an option, without what only a game knows; "" if nothing is left."""
    return _capital(phrase(text, known).removeprefix("to "))


def phrase(text: str, known: Mapping[str, str]) -> str:
    """Return a name without what only a game knows, beginning as the pack writes it."""
    shown = _LEAD.sub("", _LINKED.sub("", _ASIDE.sub("", _filled(text, known))))
    shown = " ".join(shown.replace(_OPEN, "…").split())
    return "" if shown.strip("… :,") == "" else shown


def _filled(text: str, known: Mapping[str, str]) -> str:
    if "{" not in text and "'" not in text:
        return text
    try:
        filled = "".join(_parts(parsed(text), known))
    except MessageError:
        return _OPEN
    return _ARTICLES.sub(r"\1 ", _AFTER_WORD.sub("", _REPEATED.sub(_OPEN, filled)))


def _parts(message: Message, known: Mapping[str, str]) -> Iterator[str]:
    for part in message:
        if isinstance(part, LiteralText):
            yield part.text
        elif isinstance(part, Argument):
            yield known.get(part.name, _OPEN)
        elif isinstance(part, PluralNumber):
            yield _OPEN
        elif isinstance(part, Pick):
            yield from _picked(part, known)


def _picked(part: Pick, known: Mapping[str, str]) -> Iterator[str]:
    """Yield the usual case of a choice; a number stands for itself if it is known."""
    value = known.get(part.name, "")
    branches = dict(part.branches)
    if part.sort == "plural" and value.isdigit():
        cases = (f"={value}", "one" if value == "1" else "other", "other")
        usual = next(branches[case] for case in cases if case in branches)
        yield "".join(value if one == _OPEN else one for one in _parts(usual, known))
        return
    shown = "".join(_parts(branches["other"], known))
    yield _OPEN if _OPEN in shown and part.sort == "plural" else shown


def _capital(text: str) -> str:
    start = 1 if text[:1] in ("¿", "¡") else 0
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


# ---- Rule documents

def all_of(loaded: Loaded, sort: str, of: type) -> list:  # type: ignore[type-arg]  # of the given record
    """Return the documents of a kind, as records."""
    found = []
    for document in loaded.composed.documents:
        first = document.root.entries[0]
        if document.kind == sort and isinstance(first.value, ScalarNode):
            record = record_of(sort, first.value, document.root)
            if isinstance(record, of):
                found.append(record)
    return found


def paragraphs(about: About, said: Titled) -> tuple[str, ...]:
    """Return what the pack says of a part of the game, in paragraphs."""
    return paragraphs_of(in_language(about, said.text)) if said.text is not None else ()


def step_text(about: About, step: Step) -> tuple[str, ...] | None:
    """Return the lines of the pack's own text of a step, with the values of the table; None if it has none."""
    node = step.text
    if node is None:
        return None
    text = in_language(about, node)
    known = {key: str(value) for key, value in values(about).items()}
    return tuple(filter(None, (sentences(line, known) for line in text.split("\n"))))


def in_language(about: About, node: Node) -> str:
    """Return a text as it is written, in the language of the book or the pack's own."""
    if isinstance(node, ScalarNode):
        return node.text
    given = dict(texts_of(node))
    return next((given[one] for one in (about.language, *about.program.languages, *given) if one in given), "")


def step_name(about: About, path: str) -> str:
    """Return the name of a step, without what only a game knows."""
    return sentences(about.texts.text(about.language, f"step/{path}") or "", {})


def walk(path: str, steps: Steps | None) -> Iterator[tuple[str, Step]]:
    """Yield the steps and those inside them, with their paths, in order."""
    for step in steps.items if isinstance(steps, Several) else ():
        own = f"{path}.{step.id.text}" if step.id is not None else path
        yield own, step
        yield from walk(own, step.steps)


def values(about: About) -> dict[str, int]:
    """Return the values of the pack that are single numbers, for the table's players."""
    return {key: numbers[0] for key, numbers in value_lists(about).items() if len(numbers) == 1}


def value_lists(about: About) -> dict[str, tuple[int, ...]]:
    """Return all values of the pack for the table's players."""
    seats = about.table.seats
    return {one.key: dict(one.by_players).get(seats, one.default) for one in about.program.values}


# ---- Sections of the rule book about things: what is in the box, and what is on the table

LIST_ALL = 26
"""Kinds with more different cards than this are not listed card by card in the box."""


def box_section(about: About) -> Section:
    """Return what is in the box: the cards of each kind with their numbers, and what else is counted."""
    language = about.language
    blocks = [RuleBlock(items=tuple(_kinds(about)), note=word(language, "for-table", players=about.table.seats))]
    counted = [_counted(about, track) for track in about.program.tracks if _is_counted(about, track)]
    blocks.append(RuleBlock(word(language, "counted"), items=tuple(counted)))
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
        RuleBlock(heading, table=RuleTable(head, tuple(_row(about, zone) for zone in placed)))
        for heading, placed in groups
        if placed
    ]
    return section("table", word(language, "table"), *blocks)


def zone_name(about: About, key: str) -> str:
    """Return the name of a zone for a heading or a list."""
    return capital(about.texts.text(about.language, f"zone/{key}") or key.replace("-", " "))


def kind_name(about: About, key: str) -> str:
    return about.texts.text(about.language, f"kind/{key}") or key.replace("-", " ")


def track_name(about: About, key: str, count: int) -> str | None:
    """Return the name of a track for a number of what it counts; None if the pack has none."""
    given = about.texts.text(about.language, f"track/{key}")
    return phrase(given, {"count": str(count)}) if given else None


def _kinds(about: About) -> list[RuleItem]:
    counts: dict[str, dict[str, int]] = {}
    for card in about.table.cards:
        of_kind = counts.setdefault(card.kind, {})
        of_kind[card.definition] = of_kind.get(card.definition, 0) + 1
    faces = Faces(about.program, about.texts, about.language)
    found: list[RuleItem] = []
    for kind, copies in counts.items():
        name = f"{sum(copies.values())} × {kind_name(about, kind)}"
        numbers = set(copies.values())
        if len(copies) > LIST_ALL or len(copies) == 1:
            different = word(about.language, "different", different=len(copies)) if len(copies) > 1 else ""
            found.append(RuleItem(name, different))
            continue
        if len(numbers) == 1:
            names = ", ".join(faces.of(kind, key).name for key in copies)
            text = f"{word(about.language, 'each', copies=numbers.pop())}: {names}"
        else:
            text = ", ".join(f"{count} × {faces.of(kind, key).name}" for key, count in copies.items())
        found.append(RuleItem(name, text))
    return found


def _is_counted(about: About, track: p.Track) -> bool:
    """Whether players have to count something for a track: it has a name, and the table shows it."""
    layout = about.program.table_layout
    shown = layout is None or track.key not in layout.hidden
    return shown and track.of.name == "number" and not track.lasts and track_name(about, track.key, 2) is not None


def _counted(about: About, track: p.Track) -> RuleItem:
    language = about.language
    whose = word(language, "per-player" if "player" in track.scope else "shared")
    return RuleItem(capital(track_name(about, track.key, 2) or ""), whose)


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
