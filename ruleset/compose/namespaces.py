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

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import verb_name
from rulewright.ruleset.compose.change import INSERTS
from rulewright.ruleset.compose.renaming import TEXTS, WORD, Names, constants
from rulewright.ruleset.documents.changes import ChangeDocument
from rulewright.ruleset.documents.kinds import SECTIONS, sections_of
from rulewright.ruleset.documents.sections import KindEntry
from rulewright.ruleset.language.parts import parts_of
from rulewright.ruleset.packs.resolve import Resolved
from rulewright.ruleset.source.node_edit import step_id
from rulewright.ruleset.source.nodes import Mapping as Block
from rulewright.ruleset.source.nodes import Node, Scalar
from rulewright.ruleset.source.nodes import Sequence as List
from rulewright.ruleset.source.reader import Document

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
        together = Names(names, frozenset(parts[pack]))
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
        elif document.kind == "verb" and isinstance(first, Scalar):
            yield f"verb/{verb_name(first.text)}"
        elif document.kind not in _UNNAMED and isinstance(first, Scalar):
            yield first.text


def _entries(section: str, body: Block) -> Iterator[str]:
    for entry in body.entries:
        yield entry.key.text
        if section == "enumerations":
            members = entry.value
            if isinstance(members, Block):
                yield from members.keys()
            elif isinstance(members, List):
                yield from (item.text for item in members.items if isinstance(item, Scalar))


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
        if document.kind == "verb" and isinstance(first, Scalar):
            yield f"verb/{verb_name(first.text)}"
        for entry in document.root.entries:
            if entry.key.text not in TEXTS:
                yield from _inside(entry.value)


def _inside(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from WORD.findall(_COMMENT.sub("", node.text))
    elif isinstance(node, List):
        for item in node.items:
            yield from _inside(item)
    else:
        for entry in node.entries:
            if entry.key.text not in TEXTS:
                yield from WORD.findall(entry.key.text)
                yield from _inside(entry.value)
