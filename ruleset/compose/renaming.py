"""Rename names in documents (see `compose.namespaces`).

Texts of the effect language stay unchanged; `language.ast_rename` renames in their trees. A word in a document may
be a word of the language, a name of a pack that this one builds on, or a name of this pack. Only the last kind is
renamed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import FLOW, verb_name
from rulewright.ruleset.documents.kinds import SECTIONS, SINGLES, SORTS
from rulewright.ruleset.schema.registry import read_schema
from rulewright.ruleset.source.nodes import Entry, Node, Scalar
from rulewright.ruleset.source.nodes import Mapping as Block
from rulewright.ruleset.source.nodes import Sequence as List
from rulewright.ruleset.source.reader import Document

TEXTS = ("name", "text", "because", "source")
"""Keys of texts for players."""
WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SORTS = ("pack", "step", *SORTS.values(), *FLOW, *SINGLES)
"""Prefixes of ids before the slash, besides kinds."""
_ID = re.compile(r"[a-z][a-z0-9-]*(?:[/.][a-z0-9-]+)+")
_TYPE = re.compile(r"(?:list of )?[a-z][a-z0-9|-]*(?: card)?")
_INDEXED = re.compile(r"[a-z][a-z0-9-]*\[[a-z][a-z0-9-]*\]")
"""A zone with the field that selects one of several, as in `starts: heap[glaze]`."""
_HOLE = re.compile(r"\{([a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?)")
"""The start of a value in a text, with the member of an enumeration after a dot."""


@cache
def constants() -> frozenset[str]:
    """Return the words that are values in documents of the kernel: names of packs cannot be told from them."""
    return frozenset(
        word
        for schema in _schemas()
        for word in (*schema.get("enum", ()), schema.get("const"))
        if isinstance(word, str)
    )


@cache
def _keys() -> frozenset[str]:
    """Return the keys that documents of the kernel have: such a word is renamed only where it is declared."""
    return frozenset(key for schema in _schemas() for key in schema.get("properties", ()))


@cache
def _schemas() -> tuple[Mapping[str, Any], ...]:
    """Return the schemas of the kernel's documents, including nested ones."""
    todo: list[Any] = [read_schema(name) for name in ("step", "words", "pack", *SECTIONS, *SINGLES)]
    found: list[Mapping[str, Any]] = []
    for part in todo:  # grows while we go through it
        if isinstance(part, Mapping):
            found.append(part)
        todo.extend(part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ())
    return tuple(found)


@frozen(repr=False)
class Names(Record):
    """New names of words of a pack when all packs are combined, and of its verbs (`verb/draw`)."""

    names: Mapping[str, str]
    parts: frozenset[str]
    """Words for parts of other packs' declarations: after the dots of ids they stay unchanged."""

    def document(self, document: Document) -> Document:
        """Return a document under its new names."""
        first, rest = document.root.entries[0], document.root.entries[1:]
        called = document.called
        if document.kind in ("pack", *SECTIONS):
            entries = tuple(self._section(entry) for entry in document.root.entries)
        elif document.kind in SINGLES:
            change = document.kind == "change" and isinstance(first.value, Scalar) and " " in first.value.text
            value = self._every(first.value) if change else self._node(first.value)
            named = self._of_bot if document.kind == "bot" else self._entry
            entries = (evolve(first, value=value), *map(named, rest))
        else:
            entries = (Entry(self._scalar(first.key), self._node(first.value)), *map(self._entry, rest))
        if document.kind == "verb" and isinstance(first.value, Scalar):
            called = self._verb(verb_name(first.value.text), called)
        root = evolve(document.root, entries=entries)
        return evolve(document, root=root, kind=entries[0].key.text, called=called)

    def _section(self, entry: Entry) -> Entry:
        """Rename in a section, whose keys are names; so are those of an enumeration."""
        if entry.key.text not in SECTIONS or not isinstance(entry.value, Block):
            return self._entry(entry)
        entries = []
        for one in entry.value.entries:
            logs = entry.key.text in ("tracks", "zones")
            value = self._option(one).value if logs else self._node(one.value)
            if entry.key.text == "enumerations" and isinstance(one.value, Block):
                members = (Entry(self._scalar(each.key), self._node(each.value)) for each in one.value.entries)
                value = evolve(one.value, entries=tuple(members))
            entries.append(Entry(self._scalar(one.key), value))
        return evolve(entry, value=evolve(entry.value, entries=tuple(entries)))

    def _verb(self, name: str, otherwise: str) -> str:
        """Return the new name of a verb with these words."""
        return self.names.get(f"verb/{name}", otherwise).removeprefix("verb/")

    def _entry(self, entry: Entry) -> Entry:
        if entry.key.text in TEXTS:
            return evolve(entry, value=self._text(entry.value))
        if entry.key.text == "options" and isinstance(entry.value, Block):
            return evolve(entry, value=evolve(entry.value, entries=tuple(map(self._option, entry.value.entries))))
        key = entry.key if entry.key.text in _keys() else self._scalar(entry.key)
        return Entry(key, self._node(entry.value))

    def _option(self, entry: Entry) -> Entry:
        """Rename in an option, track, or zone. Its `log` is a text; elsewhere it may be the name of an effect."""
        key = self._scalar(entry.key) if entry.key.text not in _keys() else entry.key
        if not isinstance(entry.value, Block):
            return Entry(key, self._node(entry.value))
        entries = (
            evolve(one, value=self._log(one.value)) if one.key.text == "log" else self._entry(one)
            for one in entry.value.entries
        )
        return Entry(key, evolve(entry.value, entries=tuple(entries)))

    def _log(self, node: Node) -> Node:
        """Rename in a line of the log, or in lines for single values, whose keys may be names of members."""
        if not isinstance(node, Block) or not any(isinstance(one.value, Block) for one in node.entries):
            return self._text(node)  # type: ignore[no-any-return]  # a node of the same type
        lines = (Entry(self._scalar(one.key), self._text(one.value)) for one in node.entries)
        return evolve(node, entries=tuple(lines))

    def _of_bot(self, entry: Entry) -> Entry:
        """Rename in an entry of a bot. Its preferences are keys of options and patterns of them, made of names."""
        if entry.key.text == "choice" and isinstance(entry.value, Scalar):
            return Entry(entry.key, _other(entry.value, self._id(entry.value.text)))
        if entry.key.text == "score":
            if not isinstance(entry.value, Block):
                return Entry(entry.key, self._node(entry.value))
            return Entry(entry.key, evolve(entry.value, entries=tuple(map(self._option, entry.value.entries))))
        if entry.key.text == "prefer":
            return Entry(entry.key, self._patterns(entry.value))
        if entry.key.text != "answers" or not isinstance(entry.value, List):
            return self._entry(entry)
        answers = tuple(
            evolve(item, entries=tuple(map(self._of_bot, item.entries))) if isinstance(item, Block) else item
            for item in entry.value.items
        )
        return evolve(entry, value=evolve(entry.value, items=answers))

    def _patterns(self, node: Node) -> Node:
        if isinstance(node, List):
            return evolve(node, items=tuple(self._patterns(item) for item in node.items))
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            return node
        return _other(node, WORD.sub(self._word, node.text))

    def _node(self, node: Node) -> Node:
        if isinstance(node, Scalar):
            return self._scalar(node)
        if isinstance(node, List):
            return evolve(node, items=tuple(self._node(item) for item in node.items))
        return evolve(node, entries=tuple(self._entry(entry) for entry in node.entries))

    def _scalar(self, node: Scalar) -> Scalar:
        """Rename a scalar that is a name, a type, or an id; in texts for players, the words in braces."""
        text = node.text
        if not isinstance(node.value, str):
            return node
        if text in self.names:
            return _other(node, self.names[text])
        if _ID.fullmatch(text):
            return _other(node, self._id(text))
        if _INDEXED.fullmatch(text) or (_TYPE.fullmatch(text) and (" " in text or "|" in text)):
            return _other(node, WORD.sub(self._word, text))
        return self._text(node) if "{" in text else node

    def _id(self, text: str) -> str:
        """Rename in an id of anything, or of a choice: its parts may be those of other packs."""
        sort, slash, rest = text.rpartition("/")
        name, *parts = rest.split(".")
        if sort != "verb":
            name = self.names.get(name, name)
        if sort in ("verb", "prompt", ""):
            name = self._verb(name, name)
        if sort not in _SORTS:
            sort = self.names.get(sort, sort)
        parts = [part if part in self.parts or part in _keys() else self.names.get(part, part) for part in parts]
        return sort + slash + ".".join((name, *parts))

    def _every(self, node: Node) -> Node:
        """Rename in `every KIND where CONDITION`."""
        return _other(node, WORD.sub(self._word, node.text)) if isinstance(node, Scalar) else node

    def _text(self, node: Any) -> Any:
        """Rename in texts for players, only words in braces."""
        if isinstance(node, Block):
            return evolve(node, entries=tuple(evolve(one, value=self._text(one.value)) for one in node.entries))
        if not isinstance(node, Scalar):
            return node
        return _other(node, _HOLE.sub(lambda found: "{" + WORD.sub(self._word, found[1]), node.text))

    def _word(self, found: re.Match[str]) -> str:
        return self.names.get(found[0], found[0])


def _other(node: Scalar, text: str) -> Scalar:
    """Return a scalar with another text; the places of characters in the old text are dropped."""
    return node if text == node.text else evolve(node, text=text, value=text, places=None)
