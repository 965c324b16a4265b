"""Declarations of a pack: names, types, signatures. Every record has the span of its name.

Everything else in a document is in the records of `ruleset.documents`; `check` parses their texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.conflicts import Insert, Weave
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.documents.rules import Body, FunctionDocument, Modifier, VerbDocument, body_of
from rulewright.ruleset.documents.sections import ComponentEntry, DefinitionDocument, FieldEntry
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.ast import named_anew
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from rulewright.ruleset.source.pictures import PictureFile

D = TypeVar("D", bound=Declaring)


@frozen(repr=False)
class KindDeclared(Record):
    """A kind with its fields, effects, and expressions."""

    key: str
    span: Span
    fields: dict[str, p.Field]
    effects: dict[str, p.EffectField]
    expressions: dict[str, Type]
    ranges: dict[str, tuple[int, int]]
    defaults: dict[str, Node]
    """Defaults of fields, effects, and expressions, by their names."""
    bodies: dict[str, tuple[Body, ...]]
    """Default bodies of effects; several if the copies differ."""
    plural: str
    abstract: bool
    """Whether it has no cards: its definitions are rows of data, such as the actions of a game."""
    when: ScalarNode | None = None
    """Condition for definitions that have none to be in the game."""
    remembers: str = ""
    """The verb during which the effects of a definition share values; empty if they share none."""
    derived: dict[str, FieldEntry] = field(factory=dict)
    """Fields that no definition writes, since they are worked out from others."""
    places: dict[str, Span] = field(factory=dict)
    """Where each field, effect, and expression is declared."""


@frozen(repr=False)
class DefinitionDeclared(Record):
    """A definition of a kind, from a document or a component."""

    key: str
    kind: str
    span: Span
    body: MappingNode
    """Fields are read here by their names in the kind."""
    says: DefinitionDocument | ComponentEntry
    effects: dict[str, tuple[Body, ...]]
    made: tuple[tuple[str, int], ...] = ()
    """Field values given by the component that generates it."""

    def made_by(self, component: ComponentEntry) -> bool:
        """Whether a component generates it."""
        return self.says is component


@frozen(repr=False)
class Remembered(Record):
    """A value that the effects of a definition share while a verb lasts: a hidden track or list."""

    span: Span
    track: p.Track | None
    list: p.StateList | None


def bodies_of(node: Node, effect: p.EffectField) -> tuple[Body, ...]:
    """Return the bodies of an effect: one, or one for each copy."""
    copies = node.items if effect.per_copy and isinstance(node, SequenceNode) else (node,)
    return tuple(map(body_of, copies))


def defined(kind: KindDeclared, body: MappingNode, says: DefinitionDocument) -> DefinitionDeclared:
    """Return the definition that a document of a kind declares."""
    written = {name: node for name in kind.effects if (node := body.get(name)) is not None}
    effects = {name: bodies_of(node, kind.effects[name]) for name, node in written.items()}
    return DefinitionDeclared(says.key, kind.key, says.span, body, says, effects)


def grouped(definitions: Iterable[DefinitionDeclared]) -> dict[str, list[DefinitionDeclared]]:
    """Group definitions by their kinds."""
    groups: dict[str, list[DefinitionDeclared]] = {}
    for one in definitions:
        groups.setdefault(one.kind, []).append(one)
    return groups


@frozen(repr=False)
class VerbDeclared(Record):
    """A verb with the parts of its sentence."""

    key: str
    span: Span
    parts: tuple[s.Part, ...]
    holes: tuple[tuple[str, Type], ...]
    body: VerbDocument
    text: str
    gives: tuple[str, Type] | None = None
    """The name and type of the result."""


@frozen(repr=False)
class FunctionDeclared(Record):
    """A function with its signature."""

    key: str
    span: Span
    takes: tuple[tuple[str, Type], ...]
    gives: Type | None
    body: FunctionDocument


@frozen(repr=False)
class WovenBodies(Record):
    """The inserts before, after, and around sentences (or an award), in the order of the packs."""

    before: tuple[Body, ...]
    after: tuple[Body, ...]
    around: tuple[Body, ...]
    instead: Body | None


def woven(weaves: MappingOf[Span, Weave]) -> dict[Span, WovenBodies]:
    """Convert weaves of composition to records."""
    return {
        span: WovenBodies(
            tuple(map(body_of, weave.before)),
            tuple(map(body_of, weave.after)),
            tuple(map(body_of, weave.around)),
            body_of(weave.instead) if weave.instead is not None else None,
        )
        for span, weave in weaves.items()
    }


@frozen(repr=False)
class Declared(Record):
    """All declarations of a pack, by key, in the order of the files."""

    pack: str = ""
    version: str = "0"
    players: tuple[int, int] = (2, 2)
    languages: tuple[str, ...] = ("en",)
    enumerations: dict[str, tuple[Span, tuple[str, ...]]] = field(factory=dict)
    options: dict[str, tuple[Span, p.DeclaredOption]] = field(factory=dict)
    choosable: dict[str, ScalarNode] = field(factory=dict)
    """The `where` condition of an option: which definitions can be chosen."""
    values: dict[str, tuple[Span, p.SeatNumbers]] = field(factory=dict)
    kinds: dict[str, KindDeclared] = field(factory=dict)
    definitions: dict[str, DefinitionDeclared] = field(factory=dict)
    zones: dict[str, tuple[Span, p.Zone]] = field(factory=dict)
    tracks: dict[str, tuple[Span, p.Track, ScalarNode | None]] = field(factory=dict)
    lists: dict[str, tuple[Span, p.StateList]] = field(factory=dict)
    remembered: dict[str, dict[str, Remembered]] = field(factory=dict)
    """By definition: the values that its effects share, by their names."""
    messages: dict[str, Span] = field(factory=dict)
    prompts: dict[str, tuple[Span, p.Texts]] = field(factory=dict)
    """The question at each choice, by the id of the choice."""
    text_nodes: dict[str, Node] = field(factory=dict)
    """The texts `message/NAME` and `prompt/CHOICE` as written, since they show values."""
    functions: dict[str, FunctionDeclared] = field(factory=dict)
    verbs: dict[str, VerbDeclared] = field(factory=dict)
    records: dict[type[Declaring], dict[str, Any]] = field(factory=dict)
    """All other declarations, by their record class (`all_of`)."""
    written: list[tuple[str, Declaring]] = field(factory=list)
    """The records of all documents and entries, with their kinds. Definitions still have their wrong parts."""
    takes: dict[str, tuple[tuple[str, Type], ...]] = field(factory=dict)
    """The parameters of windows, claims, and messages, by `window/KEY`, `claim/KEY`, and `message/KEY`."""
    texts: dict[str, p.Texts] = field(factory=dict)
    plurals: dict[str, str] = field(factory=dict)
    """Plural -> the definition or kind."""
    woven: dict[Span, WovenBodies] = field(factory=dict)
    """Inserts around sentences, by the places of the sentences."""
    inserts: tuple[Insert, ...] = ()
    """All inserts of packs before, after, and around something."""
    owners: dict[str, str] = field(factory=dict)
    """The pack of each file, if there are several packs."""
    spoken: dict[str, tuple[str, ...]] = field(factory=dict)
    """Pack -> the languages that it declares, if there are several packs."""
    pictures: dict[str, dict[str, PictureFile]] = field(factory=dict)
    """Pack -> the picture files in its folder, by their paths."""
    seen: dict[str, frozenset[str]] = field(factory=dict)
    """Pack -> the packs whose names it knows."""
    stands_after: dict[str, frozenset[str]] = field(factory=dict)
    """Pack -> the packs that certainly come before it (`Resolved.stands_after`)."""
    renamed: MappingOf[str, MappingOf[str, str]] = field(factory=dict)
    """Pack -> new names of some words of its texts (`compose.namespaces`)."""

    def languages_at(self, here: Span) -> tuple[str, ...]:
        """Return the languages of texts at a place: those of its pack, or of the game."""
        return self.spoken.get(self.owners.get(here.path, ""), self.languages)

    def all_of(self, record: type[D]) -> dict[str, D]:
        """Return the declarations with this record class, by name, in the order of the files."""
        return self.records.get(record, {})

    def without(self, *records: type[Declaring]) -> Declared:
        """Return the declarations without those of these record classes."""
        return evolve(self, records={key: one for key, one in self.records.items() if key not in records})

    def changed_fields(self) -> dict[str, tuple[str, ...]]:
        """Return the single numbers and truth values among fields that modifiers change, with their kinds."""
        changed = {one.changes.text for one in self.all_of(Modifier).values() if one.changes is not None}
        found: dict[str, tuple[str, ...]] = {}
        for kind in self.kinds.values():
            for word, one in kind.fields.items():
                single = one.type in (NUMBER, BOOLEAN) and not one.many and not one.per
                if f"{kind.key}.{word}" in changed and single:
                    found[word] = (*found.get(word, ()), kind.key)
        return found

    def changed_values(self) -> frozenset[str]:
        """Return the values with a single number that modifiers change."""
        changed = {one.changes.text for one in self.all_of(Modifier).values() if one.changes is not None}
        return frozenset(key for key, (_, value) in self.values.items() if key in changed and not value.several)

    def card_kinds(self) -> frozenset[str]:
        """Return the kinds that have cards. Tracks and lists with such a scope belong to cards."""
        return frozenset(one.kind.text for one in self.all_of(ComponentEntry).values() if one.kind is not None)

    def visible(self, here: Span, there: Span) -> bool:
        """Whether the pack of one place knows a declaration at another: its own, or of a pack that it builds on."""
        if not self.owners:
            return True
        pack = self.owners.get(here.path)
        return pack is None or self.owners.get(there.path, pack) in self.seen[pack]

    def builds_on(self, here: Span, there: Span) -> bool:
        """Whether the pack of one place builds on the different pack of another."""
        pack, other = self.owners.get(here.path), self.owners.get(there.path)
        return pack is not None and pack != other and other in self.seen[pack]

    def pack_of(self, here: Span) -> str:
        """Return the pack of a place."""
        return self.owners.get(here.path, self.pack)

    def stranger(self, word: str, here: Span) -> str:
        """Return the pack that declares a name unknown to the pack of a text; "" if there is none."""
        pack = self.owners.get(here.path)
        if pack is None:
            return ""
        groups: tuple[Any, ...] = (self.zones, self.tracks, self.lists, self.values, self.options)
        for name in (word, *(f"{one}-{word}" for one in self.seen)):
            spans = [group[name][0] for group in groups if name in group]
            spans += [self.functions[name].span] if name in self.functions else []
            for span in spans:
                owner = self.owners.get(span.path, pack)
                if owner not in self.seen[pack]:
                    return owner
        return ""

    def tree(self, tree: Any, here: Span) -> Any:
        """Return the tree of a text with the words that its pack has renamed."""
        names = self.renamed.get(self.owners.get(here.path, ""))
        return named_anew(tree, names) if names else tree

    def type_text(self, text: str, here: Span) -> str:
        """Return a type in a text with the words that its pack has renamed."""
        names = self.renamed.get(self.owners.get(here.path, ""))
        return re.sub(r"[a-z][a-z0-9-]*", lambda word: names.get(word[0], word[0]), text) if names else text

    def member(self, word: str) -> tuple[str, int] | None:
        """Return the enumeration that has this member, and the member's number."""
        for key, (_, members) in self.enumerations.items():
            if word in members:
                return (key, members.index(word))
        return None
