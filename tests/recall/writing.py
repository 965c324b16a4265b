"""Mistakes of writing: keys, names, and the words of effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import evolve

from rulewright.ruleset.check.scenarios import MARKS
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode, SequenceNode
from tests.recall.mistakes import Mistake, at_key, change_of, planter, slip
from tests.recall.sites import sentences, sites
from tests.recall.subjects import APART, Reference, Subject

# ------------------------------------------------------------------ keys

@planter("keys", "misspelt")
def _key_misspelt(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        if site.structural:
            new = slip(subject, site.entry.key.text, site.key_start)
            yield at_key(subject, "keys", "misspelt", site, new)


@planter("keys", "dropped")
def _key_dropped(subject: Subject) -> Iterator[Mistake]:
    """The key goes, and its value stays."""
    for site in sites(subject):
        value = site.entry.value
        if not site.structural or not isinstance(value, ScalarNode) or value.style != "plain":
            continue
        start, end = site.key_start, site.source.range(value)[0]
        yield change_of(subject, "keys", "dropped", site.source, site.apart, start, end, "")


@planter("keys", "moved")
def _key_moved(subject: Subject) -> Iterator[Mistake]:
    """The last key of a block is indented too little, so that it belongs to what is around.

    Not where it may be there too: there it is another pack by design.
    """
    for site in sites(subject):
        key, text = site.entry.key.text, site.source.text
        last = site.holder.entries[-1] is site.entry
        if not last or len(site.holder.entries) < 2 or not site.structural or site.source.in_flow(site.holder):
            continue
        if key in site.outer or not site.outer or site.path[-2] == "[]":
            continue
        begin = site.source.starts[site.source.line(site.key_start) - 1]
        lines = text[begin : site.end].split("\n")
        if not all(line.startswith("  ") or not line for line in lines) or text[begin : site.key_start].strip():
            continue
        moved = "\n".join(line[2:] for line in lines)
        yield change_of(subject, "keys", "moved", site.source, site.apart, begin, site.end, moved)


# ------------------------------------------------------------------ names

@planter("names", "misspelt")
def _name_misspelt(subject: Subject) -> Iterator[Mistake]:
    yield from _references(subject, "misspelt", lambda word, at: slip(subject, word, at))


@planter("names", "unknown")
def _name_unknown(subject: Subject) -> Iterator[Mistake]:
    yield from _references(subject, "unknown", lambda word, at: "quibble")


def _references(subject: Subject, what: str, new: Callable[[str, int], str]) -> Iterator[Mistake]:
    for one in subject.references:
        source = subject.sources[one.path]
        word = source.text[one.start : one.end]
        if word.replace("-", "").isalnum() and one.sort != "verb":
            apart = subject.is_apart(one.path, source.line(one.start))
            yield change_of(subject, "names", what, source, apart, one.start, one.end, new(word, one.start))


@planter("names", "local misspelt")
def _local_misspelt(subject: Subject) -> Iterator[Mistake]:
    for one in sentences(subject):
        for word, _, at in one.locals:
            new = slip(subject, word, at) if len(word) > 1 else f"{word}-{word}"
            yield change_of(subject, "names", "local misspelt", one.source, one.apart, at, at + len(word), new)


@planter("names", "option misspelt")
def _option_misspelt(subject: Subject) -> Iterator[Mistake]:
    """What a player answers in a scenario: an option of a menu, a card, or a player."""
    for document in subject.documents:
        when = document.root.get("when") if document.kind == "scenario" else None
        source = subject.sources[document.path]
        for step in when.items if isinstance(when, SequenceNode) else ():
            first = step.entries[0] if isinstance(step, MappingNode) else None
            if first is None or first.key.text in MARKS or not isinstance(first.value, MappingNode):
                continue
            for answer in (entry.value for entry in first.value.entries):
                for item in answer.items if isinstance(answer, SequenceNode) else (answer,):
                    start, end = source.range(item)
                    word = re.search(r"[a-z][a-z-]+$", source.text[start:end])
                    if word is not None and isinstance(item, ScalarNode) and item.style == "plain":
                        start += word.start()
                        new = slip(subject, word[0], start)
                        yield change_of(subject, "names", "option misspelt", source, True, start, end, new)


@planter("names", "declaration misspelt")
def _declaration_misspelt(subject: Subject) -> Iterator[Mistake]:
    """Only of what a rule names elsewhere: else it is a pack in which this has another name."""
    used = {one.what for one in subject.references if not subject.is_apart(one.path, _line(subject, one))}
    for item in subject.declarations.items:
        if item.made or item.key != subject.sources[item.span.path].text[slice(*_offsets(subject, item.span))]:
            continue
        aliases = {item.id, f"definition/{item.key}"}
        if used & aliases:
            source = subject.sources[item.span.path]
            start, end = _offsets(subject, item.span)
            new = slip(subject, item.key, start)
            apart = item.sort in APART
            planted = change_of(subject, "names", "declaration misspelt", source, apart, start, end, new)
            yield evolve(planted, only_use=_only_use(subject, item.key, (source.path, planted.line)))


def _only_use(subject: Subject, word: str, declared: tuple[str, int]) -> tuple[str, int]:
    """The only place besides its declaration where a name is, as file and line."""
    uses = [
        (path, source.line(found.start()))
        for path, source in subject.sources.items()
        for found in re.finditer(rf"(?<![a-z0-9-]){re.escape(word)}s?(?![a-z0-9-])", source.text)
    ]
    others = [use for use in uses if use != declared]
    return others[0] if len(others) == 1 else ("", 0)


def _line(subject: Subject, reference: Reference) -> int:
    return subject.sources[reference.path].line(reference.start)


def _offsets(subject: Subject, span: Span) -> tuple[int, int]:
    source = subject.sources[span.path]
    return source.offset(span.line, span.column), source.offset(span.end_line, span.end_column)


# ------------------------------------------------------------------ words of effects

FREE = frozenset(["not", "no", "your", "exactly"])
"""Words without which a sentence is another sentence by design."""


@planter("words", "misspelt")
def _word_misspelt(subject: Subject) -> Iterator[Mistake]:
    for one in sentences(subject):
        for word, at in one.words:
            new = slip(subject, word, at) if len(word) > 1 else "aa"
            yield change_of(subject, "words", "misspelt", one.source, one.apart, at, at + len(word), new)


@planter("words", "dropped")
def _word_dropped(subject: Subject) -> Iterator[Mistake]:
    for one in sentences(subject):
        text = one.source.text
        for word, at in one.words:
            if word not in FREE:
                end = at + len(word)
                end += text[end : end + 1] == " "
                yield change_of(subject, "words", "dropped", one.source, one.apart, at, end, "")


@planter("words", "swapped")
def _word_swapped(subject: Subject) -> Iterator[Mistake]:
    """Two words change places. Not beside `and` and `or`, whose sides may be equal."""
    for one in sentences(subject):
        words = {at: word for word, at in one.words}
        everything = [*one.words, *((word, at) for word, _, at in one.locals)]
        everything += [(one.source.text[r.start : r.end], r.start) for r in one.references]
        after = {at: word for word, at in everything}
        for at, word in words.items():
            other = at + len(word) + 1
            if one.source.text[other - 1] == " " and other in after and after[other] != word:
                new = f"{after[other]} {word}"
                yield change_of(subject, "words", "swapped", one.source, one.apart, at, at + len(new), new)
