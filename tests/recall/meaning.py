"""Mistakes of meaning: wrong types and kinds of values, duplicates, and unknown names."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rulewright.ruleset.documents.rules import Phase, Window
from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document
from tests.recall.mistakes import Mistake, at_value, change_of, planter, slip
from tests.recall.sites import Site, sentences, sites
from tests.recall.subjects import APART, TEXTS, Source, Subject

# ------------------------------------------------------------------ types

def _json_types(site: Site) -> frozenset[str]:
    if site.choices:
        kinds = {"string" if isinstance(one, str) else "integer" for one in site.choices}
        return frozenset({*site.types, *kinds})
    return frozenset(site.types)


@planter("types", "a list instead")
def _list_instead(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        types = _json_types(site)
        if types and "array" not in types and isinstance(site.entry.value, ScalarNode):
            yield at_value(subject, "types", "a list instead", site, "[1, 2]")


@planter("types", "a number instead")
def _number_instead(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        types = _json_types(site)
        if types and not types & {"integer", "number"}:
            yield at_value(subject, "types", "a number instead", site, "7")


@planter("types", "text instead")
def _text_instead(subject: Subject) -> Iterator[Mistake]:
    """A word where a number, a truth value, a list or a mapping is wanted; where it may be text, it is a name."""
    for site in sites(subject):
        types = _json_types(site)
        if types and "string" not in types:
            yield at_value(subject, "types", "text instead", site, "plenty")


@planter("types", "no such member")
def _no_member(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        value = site.entry.value
        if site.choices and isinstance(value, ScalarNode) and isinstance(value.value, str):
            new = slip(subject, value.text, site.key_start)
            yield at_value(subject, "types", "no such member", site, new)


@planter("types", "out of range")
def _out_of_range(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        if site.most is not None:
            yield at_value(subject, "types", "out of range", site, str(site.most + 1))
        elif site.least is not None:
            yield at_value(subject, "types", "out of range", site, str(site.least - 1))


@planter("types", "nothing")
def _nothing(subject: Subject) -> Iterator[Mistake]:
    """The value is left out."""
    for site in sites(subject):
        value = site.entry.value
        if site.structural and isinstance(value, ScalarNode) and value.style == "plain":
            start, end = site.source.range(value)
            yield change_of(subject, "types", "nothing", site.source, site.apart, start, end, "")


# ------------------------------------------------------------------ kinds

OTHERS = {
    "zone": ("track", "phase", "function"),
    "track": ("zone", "list", "window"),
    "list": ("track",),
    "definition": ("zone", "track"),
    "field": ("zone",),
    "value": ("zone",),
    "option": ("zone",),
    "function": ("zone",),
    "kind": ("zone", "track"),
    "phase": ("zone",),
    "award": ("zone",),
    "window": ("zone",),
    "claim": ("zone",),
    "message": ("zone",),
}
"""What is named instead of what."""


@planter("kinds", "another kind")
def _another_kind(subject: Subject) -> Iterator[Mistake]:
    """A zone for a track, a track for a zone, and so on. No zone for a list: both can be counted, or be empty."""
    declared = subject.loaded.declared
    names = {
        "zone": list(declared.zones), "track": list(declared.tracks), "phase": list(declared.all_of(Phase)),
        "function": list(declared.functions), "list": list(declared.lists), "window": list(declared.all_of(Window)),
    }  # fmt: skip
    for reference in subject.references:
        source = subject.sources[reference.path]
        word = source.text[reference.start : reference.end]
        if not word.replace("-", "").isalnum():
            continue
        sort = reference.sort if reference.sort in OTHERS else ""
        if not sort:
            continue
        chance = random.Random(f"{subject.name}/{reference.path}/{reference.start}")
        choices = [name for other in OTHERS[sort] for name in names[other] if not _same(subject, word, name)]
        if choices:
            new = chance.choice(choices)
            apart = subject.is_apart(reference.path, source.line(reference.start))
            yield change_of(subject, "kinds", "another kind", source, apart, reference.start, reference.end, new)


def _same(subject: Subject, word: str, name: str) -> bool:
    """Whether two names hold values of one type, so that one may stand for the other by design."""
    declared = subject.loaded.declared
    types = []
    for one in (word, name):
        if one in declared.tracks:
            types.append(declared.tracks[one][1].of)
        elif one in declared.lists:
            types.append(declared.lists[one][1].of.list)
        elif one in declared.zones:
            types.append("zone")
        else:
            types.append(one)
    return types[0] == types[1]


@planter("kinds", "not a player")
def _not_a_player(subject: Subject) -> Iterator[Mistake]:
    zones = list(subject.loaded.declared.zones)
    for one in sentences(subject):
        for word, type_, at in one.locals:
            if type_ == PLAYER.name and zones:
                new = random.Random(f"{subject.name}/{at}").choice(zones)
                yield change_of(subject, "kinds", "not a player", one.source, one.apart, at, at + len(word), new)


# ------------------------------------------------------------------ duplicates

@planter("duplicates", "key")
def _key_twice(subject: Subject) -> Iterator[Mistake]:
    """An entry is there twice: the same line again, or the same in braces."""
    for site in sites(subject):
        start, end = site.key_start, site.end
        text = site.source.text[start:end]
        if "\n" in text:
            continue
        if site.source.in_flow(site.holder):
            yield change_of(subject, "duplicates", "key", site.source, site.apart, end, end, f", {text}")
        else:
            column = start - site.source.starts[site.source.line(start) - 1]
            stop = site.source.text.find("\n", end)
            stop = len(site.source.text) if stop < 0 else stop
            new = "\n" + " " * column + text
            line = site.source.line(start)
            yield change_of(subject, "duplicates", "key", site.source, site.apart, stop, stop, new, line, line + 1)


@planter("duplicates", "document")
def _document_twice(subject: Subject) -> Iterator[Mistake]:
    """A whole document is there twice. Any line of either is right: of changes, what is changed twice is told."""
    for document in subject.documents:
        source = subject.sources[document.path]
        start, end = _extent(document, source)
        text = source.text[start:end].rstrip("\n")
        line = document.root.span.line
        new = f"{'' if source.text.endswith(chr(10)) else chr(10)}---\n{text}\n"
        stop = len(source.text)
        first = source.line(stop) + 1
        length = text.count("\n") + 2
        lines = frozenset((*range(line, line + length), *range(first, first + length)))
        apart = document.kind in APART
        yield Mistake(
            subject.name, "duplicates", "document", source.path, first, ((stop, stop, new),), lines, apart, "",
            text.partition("\n")[0],
        )  # fmt: skip


def _extent(document: Document, source: Source) -> tuple[int, int]:
    start = source.starts[document.root.span.line - 1]
    end = source.text.find("\n---", start)
    return start, len(source.text) if end < 0 else end


@planter("duplicates", "id")
def _id_twice(subject: Subject) -> Iterator[Mistake]:
    """A name is given again: of a step beside it, of an entry beside it, of another document of the sort."""
    for site in sites(subject):
        if site.path[-2:] == ("[]", "id") and isinstance(site.entry.value, ScalarNode):
            before = _beside(site)
            if before is not None and before.text != site.entry.value.text:
                start, end = site.source.range(site.entry.value)
                line = before.span.line
                yield change_of(subject, "duplicates", "id", site.source, site.apart, start, end, before.text, line)
        elif len(site.path) == 2 and not site.structural and site.number:
            other = site.holder.entries[site.number - 1].key
            start, end = site.source.range(site.entry.key)
            line = other.span.line
            yield change_of(subject, "duplicates", "id", site.source, site.apart, start, end, other.text, line)
    first: dict[tuple[str, str], ScalarNode] = {}
    for document in subject.documents:
        name = document.root.entries[0].value
        source = subject.sources[document.path]
        if document.kind in ("change", "pack") or not isinstance(name, ScalarNode):
            continue
        before = first.setdefault((document.path, document.kind), name)
        if before is not name:
            start, end = source.range(name)
            old, line = source.text[slice(*source.range(before))], before.span.line
            apart = document.kind in APART
            yield change_of(subject, "duplicates", "id", source, apart, start, end, old, line)


def _beside(site: Site) -> ScalarNode | None:
    """The id of the step before this one."""
    for mapping in _lists(site.document.root):
        for before, item in zip(mapping.items, mapping.items[1:], strict=False):
            if item is site.holder and isinstance(before, MappingNode):
                found = before.get("id")
                return found if isinstance(found, ScalarNode) else None
    return None


def _lists(node: object) -> Iterator[SequenceNode]:
    if isinstance(node, SequenceNode):
        yield node
        for item in node.items:
            yield from _lists(item)
    elif isinstance(node, MappingNode):
        for entry in node.entries:
            yield from _lists(entry.value)


@planter("duplicates", "member")
def _member_twice(subject: Subject) -> Iterator[Mistake]:
    """A member of a list of names is there twice."""
    for site in sites(subject):
        value = site.entry.value
        if site.apart or site.entry.key.text in TEXTS or not isinstance(value, SequenceNode) or not value.items:
            continue
        last = value.items[-1]
        if isinstance(last, ScalarNode) and isinstance(last.value, str) and site.source.in_flow(value):
            start, end = site.source.range(last)
            new = f", {site.source.text[start:end]}"
            yield change_of(subject, "duplicates", "member", site.source, site.apart, end, end, new)


# ------------------------------------------------------------------ required fields

@planter("required", "left out")
def _left_out(subject: Subject) -> Iterator[Mistake]:
    """A key that the format requires is left out with its value; the first key of a document has its own way."""
    for site in sites(subject):
        if not site.required or not site.structural:
            continue
        text, entries, number = site.source.text, site.holder.entries, site.number
        around = site.holder.span.line
        if site.source.in_flow(site.holder):
            if number + 1 < len(entries):
                start, end = site.key_start, site.source.range(entries[number + 1].key)[0]
            elif number:
                start, end = site.source.range(entries[number - 1].value)[1], site.end
            else:
                start, end = site.key_start, site.end
            yield change_of(subject, "required", "left out", site.source, site.apart, start, end, "", around)
            continue
        begin = site.source.starts[site.source.line(site.key_start) - 1]
        stop = text.find("\n", site.end) + 1 or len(text)
        lead = text[begin : site.key_start]
        if len(entries) == 1:
            continue
        if lead.strip() == "-" and number == 0:
            indent = len(lead)
            next_key = site.source.range(entries[1].key)[0]
            yield change_of(
                subject, "required", "left out", site.source, site.apart, begin + indent, next_key, "", around
            )
        elif not lead.strip():
            header = around - 1
            own = entries[0].key.span.line
            yield change_of(
                subject, "required", "left out", site.source, site.apart, begin, stop, "", around, header, own
            )
