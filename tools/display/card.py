"""A declaration of a pack as a card: its contents, in the author's words, and its relations to others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import dedent

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.documents.kinds import SECTIONS
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, ScalarNode, texts_of
from rulewright.ruleset.source.reader import read_documents
from rulewright.ruleset.table.message import MessageError, Value, format_message, parse
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.packs.declarations import Declaration, Declarations, declarations
from rulewright.tools.packs.references import Mention, mentions
from rulewright.tools.packs.source_excerpts import SourceIndex

SCENARIO = "scenario"
TOLD_APART = ("name", "text", "source")
"""Keys of a body that a card shows separately."""


@frozen
class Fact:
    """A line of a card: a key, its value as written, and its source if that is another declaration."""

    key: str
    written: str
    source: str = ""


@frozen
class Link:
    """A related declaration: its id, the parts of it, and the places."""

    id: str
    parts: tuple[str, ...]
    places: tuple[Span, ...]


@frozen
class Card:
    """A declaration with its facts and relations. `names` and `texts` are by language."""

    id: str
    place: Span
    names: Mapping[str, str]
    texts: Mapping[str, str]
    facts: tuple[Fact, ...]
    source: str
    uses: tuple[Link, ...]
    used_by: tuple[Link, ...]
    scenarios: tuple[Link, ...]
    """Scenarios that mention it."""


@frozen
class Shelf:
    """A pack, with what is needed to make cards of it."""

    declared: Declared
    sources: Mapping[str, str]
    items: Declarations
    mentions: tuple[Mention, ...] = field(repr=False)
    folder: str = ""
    """The pack's folder, the prefix of the paths of its files."""
    texts: PackTexts | None = field(default=None, repr=False)
    """The names of the pack at its smallest table; None if it has errors, as `book`."""
    book: SourceIndex | None = field(default=None, repr=False)

    def near(self, path: str) -> str:
        """Shorten a path for display beside others, if the pack is elsewhere."""
        return path.removeprefix(f"{self.folder}/") if self.folder.startswith(("/", "..")) else path

    def names(self, item: Declaration) -> dict[str, str]:
        """Return its name for players, by language; empty for verbs, values, and messages."""
        if item.sort in ("message", "prompt"):
            return {}
        if item.inner and item.sort != "step":
            return dict(texts_of(item.node)) if isinstance(item.node, Block) else {}
        named = item.node
        if item.sort in self.declared.kinds and _get(named, "name") is None:
            named = next((one.node for one in self._components(item.sort) if _get(one.node, "name")), named)
        given = _by_language(_get(named, "name"))
        return {language: self._filled(name, item, language) for language, name in given.items()}

    def _filled(self, name: str, item: Declaration, language: str) -> str:
        """Fill in a name's placeholders: the count one, and the values of a definition."""
        if self.texts is not None and item.sort in self.declared.kinds:
            name = self.texts.definition(language, item.sort, item.key) or name
        if "{" not in name:
            return name
        values: dict[str, Value] = {"count": 1}
        kind = self.declared.kinds.get(item.sort)
        for field_name, value in item.values:
            of = kind.fields[field_name].type.of if kind is not None else ""
            texts = dict(self.declared.texts.get(f"{of}/{value}", ()))
            values[field_name] = int(value) if value.lstrip("-").isdigit() else texts.get(language, value)
        try:
            return format_message(parse(name), values, language)
        except (MessageError, KeyError, ValueError):
            return name

    def card(self, item: Declaration) -> Card:
        """Return the card of a declaration."""
        text = _get(item.node, "text")
        if text is None and item.sort in ("message", "prompt"):
            text = item.node
        source = _get(item.node, "source")
        return Card(
            item.id,
            item.span,
            self.names(item),
            _by_language(text),
            tuple(self._facts(item)),
            written(source, self.sources) if source is not None and not item.made else "",
            self._uses(item),
            self._used_by(item),
            self._scenarios(item),
        )

    # -------------------------------------------------------------- contents

    def _facts(self, item: Declaration) -> Iterator[Fact]:
        if item.sort in ("message", "prompt") or (item.inner and item.sort != "step"):
            return
        if item.sort in self.declared.kinds:
            yield from self._definition(item)
            return
        if not isinstance(item.node, Block):
            yield Fact("is", written(item.node, self.sources))
        if item.sort == "verb" and isinstance(item.node, Block):
            yield Fact("sentence", written(item.node.entries[0].value, self.sources))
        yield from self._entries(item, SECTIONS if item.sort == "pack" else ())
        if item.sort in ("kind", "component"):
            kind = item.key if item.sort == "kind" else getattr(_get(item.node, "kind"), "text", "")
            yield from self._definitions(kind, item)

    def _entries(self, item: Declaration, leave: Iterable[str] = ()) -> Iterator[Fact]:
        for entry in item.entries:
            if entry.key.text not in (*TOLD_APART, *leave):
                yield self._fact(entry.key.text, entry.value)

    def _fact(self, key: str, node: Node, source: str = "") -> Fact:
        return Fact(key, written(node, self.sources), source)

    def _definition(self, item: Declaration) -> Iterator[Fact]:
        """Yield its own entries, then those from its kind and its component."""
        kind = self.declared.kinds[item.sort]
        component = next((c for c in self._components(item.sort) if not item.made or c.span == item.span), None)
        if item.made:
            yield from (Fact(name, value) for name, value in item.values)
        else:
            yield from self._entries(item)
        said = {name for name, _ in item.values} if item.made else {entry.key.text for entry in item.entries}
        for name, node in kind.defaults.items():
            if name not in said:
                yield self._fact(name, node, f"kind/{item.sort}")
        yield from self._worked_out(item, kind)
        for name in ("copies", "starts", "home"):
            given = _get(component.node, name) if component is not None else None
            if component is not None and given is not None and name not in said:
                yield Fact(name, self._copies(given, item), component.id)

    def _worked_out(self, item: Declaration, kind: KindDeclared) -> Iterator[Fact]:
        """Yield derived fields with their values at the smallest table; as written where they have no value."""
        known = self.book.derived(kind.key, item.key) if self.book is not None else {}
        for name, entry in kind.derived.items():
            value = known.get(name) or written(entry.node, self.sources)
            yield Fact(name, value, f"kind/{kind.key}")

    def _copies(self, node: Node, item: Declaration) -> str:
        """Return a component's value for one of its definitions: `copies` may depend on a field."""
        by = getattr(_get(node, "by"), "text", None)
        found = _get(node, dict(item.values).get(by, "")) if by else None
        return written(found if found is not None else node, self.sources)

    def _components(self, kind: str) -> list[Declaration]:
        components = (item for item in self.items.items if item.sort == "component")
        return [item for item in components if getattr(_get(item.node, "kind"), "text", "") == kind]

    def _definitions(self, kind: str, item: Declaration) -> Iterator[Fact]:
        known = [one for one in self.items.items if one.sort == kind and not one.inner]
        made = [one for one in known if one.made]
        of_item = [one for one in known if item.sort == "kind" or not one.made or one.span == item.span]
        if of_item:
            many = len(made) == len(of_item) > 12
            words = f"{len(of_item)}, {of_item[0].key} to {of_item[-1].key}" if many else None
            yield Fact("definitions", words or ", ".join(one.key for one in of_item))

    # -------------------------------------------------------------- relations

    def _inside(self, item: Declaration) -> set[str]:
        """Return the ids of a declaration and its parts."""
        whole = item.whole
        return {item.id} | {
            one.id
            for one in self.items.items
            if one.inner and one.whole.path == whole.path and whole.line <= one.whole.line <= whole.end_line
            and (one.whole.line, one.whole.column) >= (whole.line, whole.column)
        }  # fmt: skip

    def _uses(self, item: Declaration) -> tuple[Link, ...]:
        own = self._inside(item)
        if item.made or item.sort == "pack":
            return ()
        found = (one for one in self.mentions if one.source.id in own and one.target.id not in own)
        return _links((one.target, one.of, one.target.span) for one in found)

    def _used_by(self, item: Declaration) -> tuple[Link, ...]:
        if item.sort == "pack":
            return ()
        own = self._inside(item) if item.sort != "kind" else {item.id}
        parts: set[str] = set()
        if item.sort in self.declared.kinds:
            parts = {name for name, _ in item.values} if item.made else {entry.key.text for entry in item.entries}
        found = []
        for one in self.mentions:
            if one.source.id in own or one.source.sort == SCENARIO:
                continue
            if one.target.id in own:
                found.append((one.source, one.of if item.sort == "kind" else one.part, one.span))
            elif one.target.id == f"kind/{item.sort}" and one.of in parts:
                found.append((one.source, f"reads {one.of}", one.span))
        return _links(found)

    def _scenarios(self, item: Declaration) -> tuple[Link, ...]:
        if item.sort in ("pack", SCENARIO):
            return ()
        own = self._inside(item) if item.sort != "kind" else {item.id}
        tests = (one for one in self.mentions if one.source.sort == SCENARIO)
        return _links((one.source, one.part, one.span) for one in tests if one.target.id in own)


def _links(found: Iterable[tuple[Declaration, str, Span]]) -> tuple[Link, ...]:
    """Merge links by declaration, in the order of their first places."""
    grouped: dict[str, tuple[dict[str, None], dict[Span, None]]] = {}
    for item, part, span in found:
        parts, places = grouped.setdefault(item.id, ({}, {}))
        parts.update({part: None} if part else {})
        places[span] = None
    return tuple(Link(id_, tuple(parts), tuple(places)) for id_, (parts, places) in grouped.items())


def written(node: Node, sources: Mapping[str, str]) -> str:
    """Return a value as its author wrote it, without quotes and indentation."""
    if isinstance(node, ScalarNode):
        return node.text.rstrip("\n")
    span = node.span
    lines = sources.get(span.path, "").replace("\r\n", "\n").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    rest = lines[-1][span.end_column - 1 :].strip()
    if lines[0][span.column - 1 : span.column] in ("{", "[") or not rest.startswith("#"):
        lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = " " * (span.column - 1) + lines[0][span.column - 1 :]
    return dedent("\n".join(lines)).rstrip()


def _by_language(node: Node | None) -> dict[str, str]:
    return dict(texts_of(node)) if node is not None else {}


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Block) else None


# ---- The shelf of a loaded pack: its declarations as cards, with what is needed to name and to find them

def shelf_of(loaded: Loaded, folder: str = "") -> Shelf:
    """Prepare a loaded pack for making cards; `folder` is the prefix of the paths of its files."""
    documents = loaded.composed.documents
    if not loaded.owners:  # everything that can be read, even with findings
        read = (read_documents(path, text)[0] for path, text in loaded.sources.items())
        documents = tuple(document for one in read for document in one)
    items = declarations(documents, loaded.declared)
    found = mentions(loaded.declared, items, loaded.references)
    texts, book = None, None
    if loaded.program is not None:
        texts = PackTexts(SmallestTable(loaded.program.least_players), loaded.program)
        book = SourceIndex(loaded.program, loaded.sources, texts.worked_out)
    return Shelf(loaded.declared, loaded.sources, items, found, folder, texts, book)
