"""Records of the entries of sections, and of the document of the pack itself."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import ClassVar

from rulewright.ruleset.documents.reading import (
    Declaring,
    Keyed,
    Titled,
    Written,
    flag,
    held,
    listed,
    named,
    named_nodes,
    number,
    parameters,
    part,
    raw,
    said,
    texts,
    type_,
    types,
    word,
    word_or_words,
    words,
)
from rulewright.ruleset.documents.rules import CaseDocument
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, texts_of


class PackDocument(Titled):
    """The document that makes a folder a pack. Its sections are read separately."""

    version: ScalarNode | None = word()
    players: ScalarNode | None = word()
    languages: tuple[ScalarNode, ...] = words()


class EnumerationEntry(Declaring):
    """Members, each with an optional name for players."""

    members: tuple[Keyed[Node | None], ...] = said(lambda node: None, (), values="count")

    @classmethod
    def read(cls, key: ScalarNode, node: Node) -> EnumerationEntry:
        """Read the members from a list, or from a mapping with their names."""
        members: list[Keyed[Node | None]] = []
        if isinstance(node, MappingNode):
            members += (Keyed(one.key, one.value) for one in node.entries)
        elif isinstance(node, SequenceNode):
            members += (Keyed(one, None) for one in node.items if isinstance(one, ScalarNode))
        return cls(held(node), key=key.text, span=key.span, members=tuple(members))


class OptionEntry(Declaring):
    """A setting that is chosen before a game."""

    name: Node | None = texts()
    text: Node | None = texts()
    one_of: ScalarNode | tuple[ScalarNode, ...] | None = word_or_words()
    some_of: ScalarNode | None = word()
    count: int | None = number()
    where: ScalarNode | None = word()
    number: ScalarNode | None = word()
    default: ScalarNode | None = word()


class ValueEntry(Declaring):
    """Numbers, optionally different for each number of players."""

    SHORT: ClassVar[str] = "for-all"

    by_players: tuple[Keyed[Node], ...] = named_nodes()
    for_all: Node | None = raw()


class FieldEntry(Written):
    """A field of a kind."""

    SHORT: ClassVar[str] = "type"

    name: Node | None = texts()
    type: ScalarNode | None = type_()
    per: ScalarNode | None = word("enumeration")
    default: Node | None = raw()
    is_: ScalarNode | None = word()
    cases: tuple[CaseDocument, ...] = listed(CaseDocument)


class EffectEntry(Written):
    """An effect that definitions of a kind have."""

    takes: tuple[Keyed[ScalarNode], ...] = parameters()
    per: ScalarNode | None = word()
    optional: bool = flag()
    default: Node | None = raw()
    text: Node | None = texts()


class ExpressionEntry(Written):
    """An expression that definitions of a kind have."""

    SHORT: ClassVar[str] = "type"

    name: Node | None = texts()
    type: ScalarNode | None = type_()
    default: Node | None = raw()


class KindEntry(Declaring):
    """A kind of cards, or of rows of data."""

    name: Node | None = texts("count")
    plural: ScalarNode | None = word()
    when: ScalarNode | None = word()
    cards: ScalarNode | None = word()
    fields: tuple[Keyed[FieldEntry], ...] = named(FieldEntry)
    effects: tuple[Keyed[EffectEntry], ...] = named(EffectEntry)
    expressions: tuple[Keyed[ExpressionEntry], ...] = named(ExpressionEntry)
    remembers: ScalarNode | None = word()


class CopiesEntry(Written):
    """The number of copies, by the number in a field."""

    by: ScalarNode | None = word()

    def for_number(self, value: int) -> ScalarNode | None:
        """Return the number of copies for this number."""
        given = (one.value for one in self.node.entries if one.key.text == str(value))
        return next((one for one in given if isinstance(one, ScalarNode)), None)


def _copies(node: Node) -> ScalarNode | CopiesEntry | None:
    return (
        node
        if isinstance(node, ScalarNode)
        else CopiesEntry.made_of(node)
        if isinstance(node, MappingNode)
        else None
    )


_FIELD = re.compile(r"\{(?!count\b)[a-z]")
"""A value in a text, other than the number of cards."""


class ComponentEntry(Declaring):
    """Cards of a kind: number and places. With `each`, it also generates their definitions."""

    kind: ScalarNode | None = word("kind")
    each: tuple[Keyed[Node], ...] = named_nodes()
    copies: ScalarNode | CopiesEntry | None = said(_copies)
    name: Node | None = texts("fields")
    starts: ScalarNode | None = word("zone")
    home: ScalarNode | None = word("zone")

    @property
    def names_cards(self) -> bool:
        """Whether its name shows a field, as in `{price}`, and so also names cards that have documents."""
        texts = texts_of(self.name) if self.name is not None else ()
        return any(_FIELD.search(text) for _, text in texts)


class DefinitionDocument(Declaring):
    """A definition of a pack's own kind, with the fields of the kind."""

    name: Node | None = texts("fields")
    text: Node | None = texts()
    plural: ScalarNode | None = word()
    when: ScalarNode | None = word()
    copies: ScalarNode | CopiesEntry | None = said(_copies)
    source: ScalarNode | None = word()
    starts: ScalarNode | None = word("zone")
    home: ScalarNode | None = word("zone")
    remembers: tuple[Keyed[ScalarNode], ...] = parameters()


class Refill(Written):
    """The source of cards for a zone that runs out."""

    from_: ScalarNode | None = word("zone")
    when: ScalarNode | None = word()


class ZoneEntry(Declaring):
    """A place for cards."""

    name: Node | None = texts("count")
    log: Node | None = texts("arrivals")
    plural: bool = flag()
    scope: ScalarNode | None = type_()
    order: ScalarNode | None = word()
    accepts: ScalarNode | tuple[ScalarNode, ...] | None = word_or_words("kind")
    seen_by: ScalarNode | None = word()
    top_seen_by: ScalarNode | None = word()
    size_seen_by: ScalarNode | None = word()
    refill: Refill | None = part(Refill)


class TrackEntry(Declaring):
    """A number or another value that can change."""

    SHORT: ClassVar[str] = "of"

    name: Node | None = texts("count")
    log: Node | None = texts("change")
    of: ScalarNode | None = type_()
    scope: tuple[ScalarNode, ...] = types()
    starts: ScalarNode | None = word()
    at_least: int | None = number()
    at_most: int | None = number()
    at_bounds: ScalarNode | None = word()
    seen_by: ScalarNode | None = word()
    changes_seen_by: ScalarNode | None = word()
    arrival: ScalarNode | None = word()
    lasts: ScalarNode | None = word()


class ListEntry(Declaring):
    """An ordered list of values."""

    name: Node | None = texts("count")
    scope: ScalarNode | None = type_()
    of: ScalarNode | None = type_()
    repeats: bool = flag()
    at_most: int | None = number()
    lasts: ScalarNode | None = word()


class MessageEntry(Declaring):
    """A message that the game can announce: a text, or a text with the values that it takes."""

    SHORT: ClassVar[str] = "text"

    takes: tuple[Keyed[ScalarNode], ...] = parameters()
    text: Node | None = texts("scope")

    @classmethod
    def read(cls, key: ScalarNode, node: Node) -> MessageEntry:
        """Read a text in one language or in several, alone or under `text`."""
        if isinstance(node, MappingNode) and node.get("text") is None:
            node = MappingNode((MappingEntry(ScalarNode("text", "text", node.span), node),), node.span)
        return cls.made_of(node, key=key.text, span=key.span)


class PromptEntry(Declaring):
    """The question at a choice."""

    says: Node | None = texts("scope")

    @classmethod
    def read(cls, key: ScalarNode, node: Node) -> PromptEntry:
        """Read a text in one language, or in several."""
        return cls(held(node), key=key.text, span=key.span, says=node)


# ---- Lines of the log about a track: one for all its values, or one for each value

OTHER, NONE = "other", "none"
TRUTH = {"true": "yes", "false": "no"}
"""The values of a boolean, and their keys in events."""


def lines_by_value(node: Node | None, of: str, members: Collection[str]) -> tuple[Keyed[Node], ...]:
    """Return the lines for single values; none if a text is for all values, perhaps in several languages.

    `of` is the type of the track, `members` are those of its enumeration.
    """
    if not isinstance(node, MappingNode):
        return ()
    alone = any(
        is_value(entry.key.text, of, members) or isinstance(entry.value, MappingNode) for entry in node.entries
    )
    return tuple(Keyed(entry.key, entry.value) for entry in node.entries) if alone else ()


def is_value(word: str, of: str, members: Collection[str]) -> bool:
    """Whether a word is a value of such a track, or stands for all others."""
    if word == OTHER:
        return True
    if of == "boolean":
        return word in TRUTH
    if of == "number":
        return word.removeprefix("-").isdecimal()
    return word == NONE or word in members
