"""Records of the entries of sections, and of the document of the pack itself."""

from __future__ import annotations

import re
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
from rulewright.ruleset.documents.rules import Case
from rulewright.ruleset.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.ruleset.source.yaml_access import texts_of


class PackDocument(Titled):
    """The document that makes a folder a pack. Its sections are read separately."""

    version: Scalar | None = word()
    players: Scalar | None = word()
    languages: tuple[Scalar, ...] = words()


class EnumerationEntry(Declaring):
    """Members, each with an optional name for players."""

    members: tuple[Keyed[Node | None], ...] = said(lambda node: None, (), values="count")

    @classmethod
    def read(cls, key: Scalar, node: Node) -> EnumerationEntry:
        """Read the members from a list, or from a mapping with their names."""
        members: list[Keyed[Node | None]] = []
        if isinstance(node, Mapping):
            members += (Keyed(one.key, one.value) for one in node.entries)
        elif isinstance(node, Sequence):
            members += (Keyed(one, None) for one in node.items if isinstance(one, Scalar))
        return cls(held(node), key=key.text, span=key.span, members=tuple(members))


class OptionEntry(Declaring):
    """A setting that is chosen before a game."""

    name: Node | None = texts()
    text: Node | None = texts()
    one_of: Scalar | tuple[Scalar, ...] | None = word_or_words()
    some_of: Scalar | None = word()
    count: int | None = number()
    where: Scalar | None = word()
    number: Scalar | None = word()
    default: Scalar | None = word()


class ValueEntry(Declaring):
    """Numbers, optionally different for each number of players."""

    SHORT: ClassVar[str] = "for-all"

    by_players: tuple[Keyed[Node], ...] = named_nodes()
    for_all: Node | None = raw()


class FieldEntry(Written):
    """A field of a kind."""

    SHORT: ClassVar[str] = "type"

    name: Node | None = texts()
    type: Scalar | None = type_()
    per: Scalar | None = word("enumeration")
    default: Node | None = raw()
    is_: Scalar | None = word()
    cases: tuple[Case, ...] = listed(Case)


class EffectEntry(Written):
    """An effect that definitions of a kind have."""

    takes: tuple[Keyed[Scalar], ...] = parameters()
    per: Scalar | None = word()
    optional: bool = flag()
    default: Node | None = raw()
    text: Node | None = texts()


class ExpressionEntry(Written):
    """An expression that definitions of a kind have."""

    SHORT: ClassVar[str] = "type"

    name: Node | None = texts()
    type: Scalar | None = type_()
    default: Node | None = raw()


class KindEntry(Declaring):
    """A kind of cards, or of rows of data."""

    name: Node | None = texts("count")
    plural: Scalar | None = word()
    when: Scalar | None = word()
    cards: Scalar | None = word()
    fields: tuple[Keyed[FieldEntry], ...] = named(FieldEntry)
    effects: tuple[Keyed[EffectEntry], ...] = named(EffectEntry)
    expressions: tuple[Keyed[ExpressionEntry], ...] = named(ExpressionEntry)
    remembers: Scalar | None = word()


class Copies(Written):
    """The number of copies, by the number in a field."""

    by: Scalar | None = word()

    def for_number(self, value: int) -> Scalar | None:
        """Return the number of copies for this number."""
        given = (one.value for one in self.node.entries if one.key.text == str(value))
        return next((one for one in given if isinstance(one, Scalar)), None)


def _copies(node: Node) -> Scalar | Copies | None:
    return node if isinstance(node, Scalar) else Copies.made_of(node) if isinstance(node, Mapping) else None


_FIELD = re.compile(r"\{(?!count\b)[a-z]")
"""A value in a text, other than the number of cards."""


class ComponentEntry(Declaring):
    """Cards of a kind: number and places. With `each`, it also generates their definitions."""

    kind: Scalar | None = word("kind")
    each: tuple[Keyed[Node], ...] = named_nodes()
    copies: Scalar | Copies | None = said(_copies)
    name: Node | None = texts("fields")
    starts: Scalar | None = word("zone")
    home: Scalar | None = word("zone")

    @property
    def names_cards(self) -> bool:
        """Whether its name shows a field, as in `{price}`, and so also names cards that have documents."""
        texts = texts_of(self.name) if self.name is not None else ()
        return any(_FIELD.search(text) for _, text in texts)


class DefinitionDocument(Declaring):
    """A definition of a pack's own kind, with the fields of the kind."""

    name: Node | None = texts("fields")
    text: Node | None = texts()
    plural: Scalar | None = word()
    when: Scalar | None = word()
    copies: Scalar | Copies | None = said(_copies)
    source: Scalar | None = word()
    starts: Scalar | None = word("zone")
    home: Scalar | None = word("zone")
    remembers: tuple[Keyed[Scalar], ...] = parameters()


class Refill(Written):
    """The source of cards for a zone that runs out."""

    from_: Scalar | None = word("zone")
    when: Scalar | None = word()


class ZoneEntry(Declaring):
    """A place for cards."""

    name: Node | None = texts("count")
    log: Node | None = texts("arrivals")
    plural: bool = flag()
    scope: Scalar | None = type_()
    order: Scalar | None = word()
    accepts: Scalar | tuple[Scalar, ...] | None = word_or_words("kind")
    seen_by: Scalar | None = word()
    top_seen_by: Scalar | None = word()
    size_seen_by: Scalar | None = word()
    refill: Refill | None = part(Refill)


class TrackEntry(Declaring):
    """A number or another value that can change."""

    SHORT: ClassVar[str] = "of"

    name: Node | None = texts("count")
    log: Node | None = texts("change")
    of: Scalar | None = type_()
    scope: tuple[Scalar, ...] = types()
    starts: Scalar | None = word()
    at_least: int | None = number()
    at_most: int | None = number()
    at_bounds: Scalar | None = word()
    seen_by: Scalar | None = word()
    changes_seen_by: Scalar | None = word()
    arrival: Scalar | None = word()
    lasts: Scalar | None = word()


class ListEntry(Declaring):
    """An ordered list of values."""

    name: Node | None = texts("count")
    scope: Scalar | None = type_()
    of: Scalar | None = type_()
    repeats: bool = flag()
    at_most: int | None = number()
    lasts: Scalar | None = word()


class MessageEntry(Declaring):
    """A message that the game can announce: a text, or a text with the values that it takes."""

    SHORT: ClassVar[str] = "text"

    takes: tuple[Keyed[Scalar], ...] = parameters()
    text: Node | None = texts("scope")

    @classmethod
    def read(cls, key: Scalar, node: Node) -> MessageEntry:
        """Read a text in one language or in several, alone or under `text`."""
        if isinstance(node, Mapping) and node.get("text") is None:
            node = Mapping((Entry(Scalar("text", "text", node.span), node),), node.span)
        return cls.made_of(node, key=key.text, span=key.span)


class PromptEntry(Declaring):
    """The question at a choice."""

    says: Node | None = texts("scope")

    @classmethod
    def read(cls, key: Scalar, node: Node) -> PromptEntry:
        """Read a text in one language, or in several."""
        return cls(held(node), key=key.text, span=key.span, says=node)
