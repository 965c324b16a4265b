"""Separate the names of packs that do not know each other.

Each pack's texts see its own names and those of the packs that it builds on. All packs are declared together, so a
name that could mean something else to a pack that does not know it gets its pack's name as a prefix: `attic` of the
pack `night-watch` becomes `night-watch-attic`, in that pack and those that build on it. That happens only if some
other pack uses the word at all. Words of the language keep their meaning, and so do parts of other packs' things.
Verbs with the same words, and steps and phases with the same id that strangers insert, are separated in the same
way.

Two prefixed names could be equal: `old-attic` of `night`, and `attic` of `night-old`. Such names get zeros in
between: `night-0-old-attic`, `night-old-0-attic` (`_called`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import FLOW, INSERTS, verb_name
from rulewright.ruleset.documents.kinds import SECTIONS, SINGLES, SORTS, sections_of
from rulewright.ruleset.documents.play import ChangeDocument
from rulewright.ruleset.documents.sections import KindEntry
from rulewright.ruleset.language.parser import parts_of
from rulewright.ruleset.packs import Resolved
from rulewright.ruleset.schema.registry import read_schema
from rulewright.ruleset.source.nodes import MappingEntry, Node, ScalarNode, step_id
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document

# ---- Rename names in documents (see `compose.namespaces`)
#
# Texts of the effect language stay unchanged; `language.ast` renames in their trees. A word in a
# document may be a word of the language, a name of a pack that this one builds on, or a name of this pack.
# Only the last kind is renamed.

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
class NewNames(Record):
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
            change = document.kind == "change" and isinstance(first.value, ScalarNode) and " " in first.value.text
            value = self._every(first.value) if change else self._node(first.value)
            named = self._of_bot if document.kind == "bot" else self._entry
            entries = (evolve(first, value=value), *map(named, rest))
        else:
            entries = (MappingEntry(self._scalar(first.key), self._node(first.value)), *map(self._entry, rest))
        if document.kind == "verb" and isinstance(first.value, ScalarNode):
            called = self._verb(verb_name(first.value.text), called)
        root = evolve(document.root, entries=entries)
        return evolve(document, root=root, kind=entries[0].key.text, called=called)

    def _section(self, entry: MappingEntry) -> MappingEntry:
        """Rename in a section, whose keys are names; so are those of an enumeration."""
        if entry.key.text not in SECTIONS or not isinstance(entry.value, Block):
            return self._entry(entry)
        entries = []
        for one in entry.value.entries:
            logs = entry.key.text in ("tracks", "zones")
            value = self._option(one).value if logs else self._node(one.value)
            if entry.key.text == "enumerations" and isinstance(one.value, Block):
                members = (
                    MappingEntry(self._scalar(each.key), self._node(each.value)) for each in one.value.entries
                )
                value = evolve(one.value, entries=tuple(members))
            entries.append(MappingEntry(self._scalar(one.key), value))
        return evolve(entry, value=evolve(entry.value, entries=tuple(entries)))

    def _verb(self, name: str, otherwise: str) -> str:
        """Return the new name of a verb with these words."""
        return self.names.get(f"verb/{name}", otherwise).removeprefix("verb/")

    def _entry(self, entry: MappingEntry) -> MappingEntry:
        if entry.key.text in TEXTS:
            return evolve(entry, value=self._text(entry.value))
        if entry.key.text == "options" and isinstance(entry.value, Block):
            return evolve(entry, value=evolve(entry.value, entries=tuple(map(self._option, entry.value.entries))))
        key = entry.key if entry.key.text in _keys() else self._scalar(entry.key)
        return MappingEntry(key, self._node(entry.value))

    def _option(self, entry: MappingEntry) -> MappingEntry:
        """Rename in an option, track, or zone. Its `log` is a text; elsewhere it may be the name of an effect."""
        key = self._scalar(entry.key) if entry.key.text not in _keys() else entry.key
        if not isinstance(entry.value, Block):
            return MappingEntry(key, self._node(entry.value))
        entries = (
            evolve(one, value=self._log(one.value)) if one.key.text == "log" else self._entry(one)
            for one in entry.value.entries
        )
        return MappingEntry(key, evolve(entry.value, entries=tuple(entries)))

    def _log(self, node: Node) -> Node:
        """Rename in a line of the log, or in lines for single values, whose keys may be names of members."""
        if not isinstance(node, Block) or not any(isinstance(one.value, Block) for one in node.entries):
            return self._text(node)  # type: ignore[no-any-return]  # a node of the same type
        lines = (MappingEntry(self._scalar(one.key), self._text(one.value)) for one in node.entries)
        return evolve(node, entries=tuple(lines))

    def _of_bot(self, entry: MappingEntry) -> MappingEntry:
        """Rename in an entry of a bot. Its preferences are keys of options and patterns of them, made of names."""
        if entry.key.text == "choice" and isinstance(entry.value, ScalarNode):
            return MappingEntry(entry.key, _other(entry.value, self._id(entry.value.text)))
        if entry.key.text == "score":
            if not isinstance(entry.value, Block):
                return MappingEntry(entry.key, self._node(entry.value))
            return MappingEntry(
                entry.key, evolve(entry.value, entries=tuple(map(self._option, entry.value.entries)))
            )
        if entry.key.text == "prefer":
            return MappingEntry(entry.key, self._patterns(entry.value))
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
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
            return node
        return _other(node, WORD.sub(self._word, node.text))

    def _node(self, node: Node) -> Node:
        if isinstance(node, ScalarNode):
            return self._scalar(node)
        if isinstance(node, List):
            return evolve(node, items=tuple(self._node(item) for item in node.items))
        return evolve(node, entries=tuple(self._entry(entry) for entry in node.entries))

    def _scalar(self, node: ScalarNode) -> ScalarNode:
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
        return _other(node, WORD.sub(self._word, node.text)) if isinstance(node, ScalarNode) else node

    def _text(self, node: Any) -> Any:
        """Rename in texts for players, only words in braces."""
        if isinstance(node, Block):
            return evolve(node, entries=tuple(evolve(one, value=self._text(one.value)) for one in node.entries))
        if not isinstance(node, ScalarNode):
            return node
        return _other(node, _HOLE.sub(lambda found: "{" + WORD.sub(self._word, found[1]), node.text))

    def _word(self, found: re.Match[str]) -> str:
        return self.names.get(found[0], found[0])


def _other(node: ScalarNode, text: str) -> ScalarNode:
    """Return a scalar with another text; the places of characters in the old text are dropped."""
    return node if text == node.text else evolve(node, text=text, value=text, places=None)


# ---- Namespaces

Renamed = Mapping[str, Mapping[str, str]]
"""Pack -> new names of some words of its texts when all packs are combined."""

_COMMENT = re.compile(r"#[^\n]*")
_UNNAMED = ("pack", "change", "scenario", "prompts")
"""Documents that declare no names for use in texts."""


@frozen(repr=False)
class Scoped(Record):
    """The documents of each pack under their combined names, and the renamings."""

    packs: Mapping[str, Sequence[Document]]
    renamed: Renamed


Owned = tuple[str, str]
"""A pack, and a name that it declares."""
Known = Mapping[str, frozenset[str]]
"""Pack -> the packs whose names its texts may use."""


def knowing(packs: Mapping[str, Sequence[Document]], resolved: Resolved) -> Known:
    """Return the packs that each pack sees, including those in the `only-with` of its changes."""
    sees = dict(resolved.sees)
    for pack, documents in packs.items():
        changes = (document.root for document in documents if document.kind == "change")
        needed = (one.key.text for root in changes for one in ChangeDocument.made_of(root).only_with)
        others = set(needed) & set(resolved.sees)
        sees[pack] = sees[pack].union(others, *(resolved.sees[one] for one in others))
    return sees


def scoped(packs: Mapping[str, Sequence[Document]], resolved: Resolved, knows: Known) -> Scoped:
    """Rename declarations of packs that others could mistake for their own."""
    declared = {pack: set(_declared(documents)) for pack, documents in packs.items()}
    inserted = {pack: set(_inserted(documents)) for pack, documents in packs.items()}
    naming = _index({pack: declared[pack] | inserted[pack] for pack in packs})
    below = cache(lambda pack: frozenset(_parts(packs.get(pack, ()))))
    said = cache(lambda pack: frozenset(_said(packs.get(pack, ()))))
    saying = cache(lambda: _index({pack: set(_words(documents)) for pack, documents in packs.items()}))
    parts: dict[str, set[str]] = {pack: set() for pack in packs}
    anew: list[tuple[Owned, list[str]]] = []

    for pack in (head.pack for head in resolved.order[1:]):
        parts[pack].update(*(below(one) for one in knows[pack] if one != pack))
        known = set[str]().union(*(said(one) for one in resolved.sees[pack] if one != pack))
        for name in sorted((declared[pack] | inserted[pack] - parts[pack]) - known - constants()):
            # For any declaration of a pack, search the words of the others; for inserted names, only their names.
            users = (saying() if name in declared[pack] else naming).get(name, [])
            if not all(_friend(one, pack, name, knows, declared) for one in users):
                friends = [one for one in packs if _friend(one, pack, name, knows, declared)]
                anew.append(((pack, name), friends))
    taken = {name for names in (*declared.values(), *inserted.values()) for name in names}
    called = _called([owned for owned, _ in anew], taken)
    meant: dict[str, dict[str, list[str]]] = {}
    for (pack, name), friends in anew:
        for one in friends:
            meant.setdefault(one, {}).setdefault(name, []).append(called[pack, name])
    renamed = {
        pack: {name: new[0] for name, new in names.items() if len(new) == 1}  # leave out ambiguous words
        for pack, names in meant.items()
    }
    changed = dict(packs)
    for pack, names in renamed.items():
        together = NewNames(names, frozenset(parts[pack]))
        changed[pack] = [together.document(document) for document in packs[pack]]
    return Scoped(changed, renamed)


def _friend(one: str, pack: str, name: str, knows: Known, declared: Mapping[str, set[str]]) -> bool:
    """Whether a pack means the name of `pack` by a word."""
    return one == pack or (pack in knows[one] and name not in declared[one])


def _index(words: Mapping[str, set[str]]) -> dict[str, list[str]]:
    """Map each word to the packs that have it."""
    found: dict[str, list[str]] = {}
    for pack, all_ in words.items():
        for word in all_:
            found.setdefault(word, []).append(pack)
    return found


def _called(names: Sequence[Owned], taken: set[str]) -> dict[Owned, str]:
    """Return a new name for each: all different, and none already taken. The order of `names` makes no difference.

    A new name is `PACK-NAME`. Names that are taken or equal get zeros in between, `PACK-0-NAME`: all of them the
    same number, the smallest that makes all of them unique. This ends: with more zeros than any pack's name has in
    a row, the first row of that many zeros ends where the name begins, since names begin with a letter; and no
    taken name is that long.
    """
    plain = {owned: _in_front(owned, 0) for owned in names}
    often = Counter(plain.values())
    unclear = [owned for owned, name in plain.items() if often[name] > 1 or name in taken]
    others = taken | {plain[owned] for owned in names}
    for zeros in count(1):
        told_apart = {owned: _in_front(owned, zeros) for owned in unclear}
        new = set(told_apart.values())
        if len(new) == len(unclear) and not new & others:
            break
    return {**plain, **told_apart}


def _in_front(owned: Owned, zeros: int) -> str:
    """Return a name with its pack's name and zeros as a prefix."""
    pack, name = owned
    sort, slash, word = name.rpartition("/")
    return f"{sort}{slash}{'-'.join((pack, *['0'] * zeros, word))}"


# ------------------------------------------------------------------ words

def _declared(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the names that documents declare; for a verb, `verb/WORDS`."""
    for document in documents:
        first = document.root.entries[0].value
        if document.kind == "pack" or document.kind in SECTIONS:
            for entry in document.root.entries:
                if entry.key.text in SECTIONS and entry.key.text not in _UNNAMED and isinstance(entry.value, Block):
                    yield from _entries(entry.key.text, entry.value)
        elif document.kind == "verb" and isinstance(first, ScalarNode):
            yield f"verb/{verb_name(first.text)}"
        elif document.kind not in _UNNAMED and isinstance(first, ScalarNode):
            yield first.text


def _entries(section: str, body: Block) -> Iterator[str]:
    for entry in body.entries:
        yield entry.key.text
        if section == "enumerations":
            members = entry.value
            if isinstance(members, Block):
                yield from members.keys()
            elif isinstance(members, List):
                yield from (item.text for item in members.items if isinstance(item, ScalarNode))


def _inserted(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the names of steps, phases, and awards that changes insert."""
    for document in documents:
        for word in INSERTS if document.kind == "change" else ():
            node = document.root.get(word)
            yield from _ids(node) if node is not None else ()


def _ids(node: Node) -> Iterator[str]:
    for item in node.items if isinstance(node, List) else (node,):
        name = step_id(item)
        if name is not None:
            yield name


def _parts(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the names of parts below documents: keys, ids of steps, and labels in effects."""
    todo: list[Node] = [document.root for document in documents]
    while todo:
        node = todo.pop()
        if isinstance(node, List):
            todo.extend(node.items)
        elif isinstance(node, Block):
            yield from node.keys()
            yield from _ids(node)
            todo.extend(entry.value for entry in node.entries)
        else:
            yield from (one.label.text for one in parts_of(node.text))


def _said(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the names that documents declare, including fields and effects of kinds.

    A pack that knows such a name and declares it again is responsible for the clash.
    """
    yield from _declared(documents)
    for document in documents:
        kinds = (entries for section, entries in sections_of(document.root) if section.record is KindEntry)
        for entry in (entry for entries in kinds for entry in entries.entries):
            kind = KindEntry.read(entry.key, entry.value)
            for group in (kind.fields, kind.effects, kind.expressions):
                yield from (one.key.text for one in group)


def _words(documents: Iterable[Document]) -> Iterator[str]:
    """Yield all words of texts that mean something to the game, and their verbs."""
    for document in documents:
        first = document.root.entries[0].value
        if document.kind == "verb" and isinstance(first, ScalarNode):
            yield f"verb/{verb_name(first.text)}"
        for entry in document.root.entries:
            if entry.key.text not in TEXTS:
                yield from _inside(entry.value)


def _inside(node: Node) -> Iterator[str]:
    if isinstance(node, ScalarNode):
        yield from WORD.findall(_COMMENT.sub("", node.text))
    elif isinstance(node, List):
        for item in node.items:
            yield from _inside(item)
    else:
        for entry in node.entries:
            if entry.key.text not in TEXTS:
                yield from WORD.findall(entry.key.text)
                yield from _inside(entry.value)
