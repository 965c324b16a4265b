"""The set-up in the rule book: where everything is, and what is done before the first turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.ruleset.documents.flow import Setup
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.tools.print.about import About
from rulewright.tools.print.readable import sentences
from rulewright.tools.print.rule_components import kind_name, track_name, zone_name
from rulewright.tools.print.rule_documents import all_of, paragraphs, step_name, step_text, values, walk
from rulewright.tools.print.rule_parts import Block, Item, Section, capital, section
from rulewright.tools.print.rule_sentences import Sentences
from rulewright.tools.print.words import word

_ANNOUNCED = re.compile(r"\bannounce ([a-z][a-z0-9-]*)")


def set_up_section(about: About, loaded: Loaded, told: Sentences) -> Section:
    """Return where the cards are at the beginning, what players have, and what the pack tells about its set-up."""
    language = about.language
    placed: dict[str, dict[str, int]] = {}
    kinds = {one.key: one.kind for one in about.program.definitions}
    copies: dict[str, int] = {}
    for card in about.table.cards:
        copies[card.definition] = copies.get(card.definition, 0) + 1
    for supply in about.program.supplies:
        if copies.get(supply.definition) and supply.starts:
            zone = placed.setdefault(supply.starts, {})
            kind = kinds[supply.definition]
            zone[kind] = zone.get(kind, 0) + copies[supply.definition]
    items = [
        Item(zone_name(about, zone), ", ".join(f"{n} × {kind_name(about, kind)}" for kind, n in held.items()))
        for zone, held in placed.items()
    ]
    numbers = values(about)
    for track in about.program.tracks:
        start = numbers.get(getattr(track.start, "value", ""), getattr(track.start, "value", 0))
        name = track_name(about, track.key, start) if isinstance(start, int) and track.of.name == "number" else None
        if start and name:
            whose = word(language, "per-player" if "player" in track.scope else "shared")
            items.append(Item(capital(name), f"{start} ({whose})" if "player" in track.scope else f"{start}"))
    blocks = [Block(items=tuple(items))]
    for setup in all_of(loaded, "setup", Setup):
        blocks.append(Block(texts=paragraphs(about, setup), steps=tuple(_steps(about, setup, told))))
    return section("set-up", word(language, "set-up"), *blocks)


def _steps(about: About, setup: Setup, told: Sentences) -> Iterator[Item]:
    """Yield the steps: what the pack says of each, else its name, else what its effect says in words."""
    known = {key: str(value) for key, value in values(about).items()}
    done: list[str] = []
    for path, step in walk(setup.key, setup.steps):
        if any(path.startswith(f"{one}.") for one in done):
            continue
        own = step_text(about, step)
        if own is not None or not told.happens(path):
            done.append(path)
            yield from map(Item, own or () if told.happens(path) else ())
            continue
        if name := step_name(about, path):
            yield Item(name)
        elif made := told.of_step(path):
            yield Item(made)
        for key in _ANNOUNCED.findall(step.do.text) if isinstance(step.do, ScalarNode) and not step.when else ():
            line = sentences(about.texts.text(about.language, f"message/{key}") or "", known)
            if line:
                yield Item(line)
