"""Mistakes of leaving out: any key of the rules, needed or not, is deleted with its value."""

from __future__ import annotations

from collections.abc import Iterator

from tests.recall.mistakes import Mistake, change_of, planter
from tests.recall.sites import Site, sites
from tests.recall.subjects import TEXTS, Subject

BESIDE = ("source", "version", "languages")
"""Keys that say something about the pack and its files, not to players."""


@planter("fields", "of the rules")
def _rule_deleted(subject: Subject) -> Iterator[Mistake]:
    yield from _deleted(subject, "of the rules", False)


@planter("fields", "of texts")
def _text_deleted(subject: Subject) -> Iterator[Mistake]:
    yield from _deleted(subject, "of texts", True)


def _deleted(subject: Subject, what: str, texts: bool) -> Iterator[Mistake]:
    for site in sites(subject):
        if site.apart or site.document.kind == "expect" or len(site.holder.entries) == 1:
            continue
        if site.path[0] in BESIDE or (site.number == 0 and len(site.path) == 1):
            continue  # the first key says what the document is
        of_texts = bool({*TEXTS} & {*site.path, site.document.kind})
        if of_texts == texts:
            yield from _without(subject, what, site)


def _without(subject: Subject, what: str, site: Site) -> Iterator[Mistake]:
    text, entries, number = site.source.text, site.holder.entries, site.number
    around = site.holder.span.line
    if site.source.in_flow(site.holder):
        if number + 1 < len(entries):
            start, end = site.key_start, site.source.range(entries[number + 1].key)[0]
        else:
            start, end = site.source.range(entries[number - 1].value)[1], site.end
        yield change_of(subject, "fields", what, site.source, site.apart, start, end, "", around)
        return
    begin = site.source.starts[site.source.line(site.key_start) - 1]
    stop = text.find("\n", site.end) + 1 or len(text)
    lead = text[begin : site.key_start]
    if not lead.strip():
        own = entries[0].key.span.line
        yield change_of(subject, "fields", what, site.source, site.apart, begin, stop, "", around, around - 1, own)
    elif lead.strip() == "-" and number == 0:
        start, end = site.key_start, site.source.range(entries[1].key)[0]
        yield change_of(subject, "fields", what, site.source, site.apart, start, end, "", around)
