"""Names of packs that do not know each other: each pack's texts see its own names and those of the packs it builds
on.

All packs are declared together, so a name that could mean something else to a pack that does not know it gets the
name of its pack in front: `attic` of the pack `night-watch` becomes `night-watch-attic`, in that pack and those
that build on it. That happens only where some other pack uses the word, for whatever; words of the language keep
their meaning, and so do the parts of things of others. Verbs of the same words, and steps and phases of the same id
that strangers insert, are told apart likewise.

Two names may become one: `old-attic` of `night`, and `attic` of `night-old`. Those that would, get zeros between:
`night-0-old-attic`, `night-old-0-attic` (`_called`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count

from attrs import frozen

from ruleset.common.record import Record
from ruleset.compose.anchors import verb_name
from ruleset.compose.change import INSERTS
from ruleset.compose.renaming import TEXTS, WORD, Names, constants
from ruleset.documents.changes import ChangeDocument
from ruleset.documents.kinds import SECTIONS, sections_of
from ruleset.documents.sections import KindEntry
from ruleset.packs.resolve import Resolved
from ruleset.source.node_edit import step_id
from ruleset.source.nodes import Mapping as Block
from ruleset.source.nodes import Node, Scalar
from ruleset.source.nodes import Sequence as List
from ruleset.source.reader import Document

Renamed = Mapping[str, Mapping[str, str]]
"""Each pack -> what some words of its texts are called when all packs are together."""

_COMMENT = re.compile(r"#[^\n]*")
_UNNAMED = ("pack", "change", "scenario", "prompts")
"""Documents that declare no name which texts could use."""


@frozen(repr=False)
class Scoped(Record):
    """The documents of each pack under the names they have together, and what was renamed."""

    packs: Mapping[str, Sequence[Document]]
    renamed: Renamed


Owned = tuple[str, str]
"""A pack, and a name that it declares."""
Known = Mapping[str, frozenset[str]]
"""Each pack -> the packs whose names its texts may use."""


def knowing(packs: Mapping[str, Sequence[Document]], resolved: Resolved) -> Known:
    """What packs see, and those that a change of theirs is only made with."""
    sees = dict(resolved.sees)
    for pack, documents in packs.items():
        changes = (document.root for document in documents if document.kind == "change")
        needed = (one.key.text for root in changes for one in ChangeDocument.made_of(root).only_with)
        others = set(needed) & set(resolved.sees)
        sees[pack] = sees[pack].union(others, *(resolved.sees[one] for one in others))
    return sees


def scoped(packs: Mapping[str, Sequence[Document]], resolved: Resolved, knows: Known) -> Scoped:
    """Gives names of their own to what packs declare that others could mistake."""
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
            # Which packs have the word: for what a pack declares anywhere, else as a name.
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
        pack: {name: new[0] for name, new in names.items() if len(new) == 1}  # which of several is not said
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
    """The packs that have each word."""
    found: dict[str, list[str]] = {}
    for pack, all_ in words.items():
        for word in all_:
            found.setdefault(word, []).append(pack)
    return found


def _called(names: Sequence[Owned], taken: set[str]) -> dict[Owned, str]:
    """A name for each, all different and none of them taken. The order of `names` makes no difference.

    It is `PACK-NAME`, unless that is taken or another one's; then it has zeros between, `PACK-0-NAME`: for all such
    names as many as are needed for all. Enough there are: with more zeros than stand in a row in any pack's name,
    the first such row ends where the name begins, since names begin with a letter; and no taken name is so long.
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
    """A name with that of its pack in front, and zeros between."""
    pack, name = owned
    sort, slash, word = name.rpartition("/")
    return f"{sort}{slash}{'-'.join((pack, *['0'] * zeros, word))}"


# ------------------------------------------------------------------ which words there are


def _declared(documents: Iterable[Document]) -> Iterator[str]:
    """The names that documents declare; of a verb `verb/WORDS`."""
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
    """The names of steps, phases and awards that changes put before, after and around others."""
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
    """What ids may name below a document: keys, and ids of steps."""
    todo: list[Node] = [document.root for document in documents]
    while todo:
        node = todo.pop()
        if isinstance(node, List):
            todo.extend(node.items)
        elif isinstance(node, Block):
            yield from node.keys()
            yield from _ids(node)
            todo.extend(entry.value for entry in node.entries)


def _said(documents: Iterable[Document]) -> Iterator[str]:
    """What documents declare, fields and effects of kinds included: a name of theirs that is declared again is
    the business of whoever knows it."""
    yield from _declared(documents)
    for document in documents:
        kinds = (entries for section, entries in sections_of(document.root) if section.record is KindEntry)
        for entry in (entry for entries in kinds for entry in entries.entries):
            kind = KindEntry.read(entry.key, entry.value)
            for group in (kind.fields, kind.effects, kind.expressions):
                yield from (one.key.text for one in group)


def _words(documents: Iterable[Document]) -> Iterator[str]:
    """All words of the texts that mean something to the game, and their verbs."""
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
