"""The rules of a pack as a book for players: sections of plain blocks, from the pack's texts."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.ruleset.loaded import Loaded
from rulewright.tools.faces.face import Face
from rulewright.tools.print.about import About
from rulewright.tools.print.rule_cards import cards_section, options_section
from rulewright.tools.print.rule_components import box_section, table_section
from rulewright.tools.print.rule_course import course_section
from rulewright.tools.print.rule_documents import in_language
from rulewright.tools.print.rule_end import end_section
from rulewright.tools.print.rule_parts import Block, Item, Section, section
from rulewright.tools.print.rule_sentences import Sentences
from rulewright.tools.print.rule_setup import set_up_section
from rulewright.tools.print.rulings import rulings_of
from rulewright.tools.print.words import word


@frozen
class RuleBook:
    """A book: its title, the lines below it, the aim of the game, and the sections."""

    title: str
    lines: tuple[str, ...]
    aim: str
    cover: Face | None
    sections: tuple[Section, ...]


def rule_book(about: About, loaded: Loaded) -> RuleBook:
    """Build the book; sections without contents are left out."""
    language, program = about.language, about.program
    least = "same" if program.least_players == program.most_players else str(program.least_players)
    lines = [word(language, "players", least=least, most=program.most_players)]
    lines.append(word(language, "version", version=about.version))
    if about.whole != about.game:
        lines.append(word(language, "with-house-rules", packs=about.whole.removeprefix(f"{about.game} + ")))
    told = Sentences(about)
    sections = (
        _house_rules(about, loaded),
        box_section(about),
        set_up_section(about, loaded, told),
        table_section(about),
        course_section(about, loaded, told),
        end_section(about, loaded, told),
        cards_section(about, told),
        options_section(about),
        _rulings(about),
    )
    kept = tuple(section for section in sections if section.blocks)
    return RuleBook(about.game, tuple(lines), about.text, _cover(kept), kept)


def _cover(sections: Sequence[Section]) -> Face | None:
    faces = (entry.face for section in sections for block in section.blocks for entry in block.cards)
    return next((face for face in faces if face.emblem is not None), None)


def _house_rules(about: About, loaded: Loaded) -> Section:
    """Return what house rules say of their changes."""
    told = (in_language(about, deed.text) for deed in loaded.composed.deeds if deed.text is not None)
    items = tuple(Item(" ".join(text.split())) for text in dict.fromkeys(told) if text)
    first = word(about.language, "house-rules-first")
    return section("house-rules", word(about.language, "house-rules"), Block(items=items, note=first))


def _rulings(about: About) -> Section:
    roots = [files.root for files in about.compiled.packs.asked] or [about.compiled.root]
    found = [one for root in roots for one in rulings_of(root, about.language)]
    return Section("rulings", word(about.language, "rulings"), (Block(rulings=tuple(found)),) if found else ())
