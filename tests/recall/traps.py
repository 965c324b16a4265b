"""Mistakes of YAML: signs that mean more in YAML than their author thinks, and indentation."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from attrs import frozen

from rulewright.ruleset.source.nodes import Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document
from tests.recall.mistakes import Mistake, change_of, planter
from tests.recall.sites import Site, sites
from tests.recall.subjects import APART, Source, Subject

# ------------------------------------------------------------------ where

@frozen
class _Value:
    """A scalar that is no key, and its place in the file."""

    source: Source
    apart: bool
    scalar: ScalarNode
    start: int
    end: int
    in_flow: bool

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def change(self, subject: Subject, what: str, start: int, end: int, new: str, *lines: int) -> Mistake:
        return change_of(subject, "traps", what, self.source, self.apart, start, end, new, *lines)


def _values(subject: Subject) -> Iterator[_Value]:
    for document in subject.documents:
        source = subject.sources[document.path]
        for scalar, in_flow in _scalars(document.root, source, False):
            start, end = source.range(scalar)
            yield _Value(source, document.kind in APART, scalar, start, end, in_flow)


def _scalars(node: Node, source: Source, in_flow: bool) -> Iterator[tuple[ScalarNode, bool]]:
    if isinstance(node, ScalarNode):
        yield node, in_flow
        return
    within = in_flow or source.in_flow(node)
    for inner in node.items if isinstance(node, SequenceNode) else [one.value for one in node.entries]:
        yield from _scalars(inner, source, within)


def _blocks(subject: Subject) -> Iterator[_Value]:
    """Texts after `|`."""
    return (one for one in _values(subject) if one.scalar.style == "literal")


def _plain_texts(subject: Subject, words: int) -> Iterator[_Value]:
    """Texts without quotes, on one line and of at least so many words."""
    for one in _values(subject):
        text = one.text
        plain = one.scalar.style == "plain" and isinstance(one.scalar.value, str) and "\n" not in text
        if plain and len(text.split(" ")) >= words:
            yield one


def _blank(one: _Value, number: int) -> int:
    """The offset of a space of a text."""
    return one.start + [found.start() for found in re.finditer(" ", one.text)][number]


def _flows(subject: Subject) -> Iterator[tuple[Document, Source, Node]]:
    """Everything in brackets or braces that is in no other."""

    def outermost(node: Node, source: Source) -> Iterator[Node]:
        if isinstance(node, ScalarNode):
            return
        if source.in_flow(node):
            yield node
            return
        for inner in node.items if isinstance(node, SequenceNode) else [one.value for one in node.entries]:
            yield from outermost(inner, source)

    for document in subject.documents:
        source = subject.sources[document.path]
        for node in outermost(document.root, source):
            yield document, source, node


def _beside(site: Site) -> bool:
    """Whether a key has its value on its line."""
    value = site.entry.value
    if isinstance(value, ScalarNode) and value.style in ("literal", "folded"):
        return False
    start = site.source.range(value)[0]
    return "\n" not in site.source.text[site.key_start : start] and bool(site.source.text[start : site.end])


# ------------------------------------------------------------------ blocks

@planter("traps", "> for |")
def _folded(subject: Subject) -> Iterator[Mistake]:
    for one in _blocks(subject):
        if len([line for line in one.text.split("\n")[1:] if line.strip()]) > 1:
            yield one.change(subject, "> for |", one.start, one.start + 1, ">")


@planter("traps", "| lost")
def _no_block(subject: Subject) -> Iterator[Mistake]:
    """The text begins on the next line all the same: either line is right."""
    for one in _blocks(subject):
        line = one.source.line(one.start)
        yield one.change(subject, "| lost", one.start - 1, one.start + 1, "", line + 1)


@planter("traps", "text after |")
def _beside_header(subject: Subject) -> Iterator[Mistake]:
    yield from _joined(subject, "text after |", "| ")


@planter("traps", "|# text")
def _comment_header(subject: Subject) -> Iterator[Mistake]:
    yield from _joined(subject, "|# text", "|#  ")


def _joined(subject: Subject, what: str, header: str) -> Iterator[Mistake]:
    for one in _blocks(subject):
        found = re.match(r"\|\n *(?=\S)", one.text)
        if found is not None:
            yield one.change(subject, what, one.start, one.start + found.end(), header)


@planter("traps", "block not indented")
def _flat_block(subject: Subject) -> Iterator[Mistake]:
    """The lines of a block begin in the column of its key."""
    for site in sites(subject):
        value = site.entry.value
        if not isinstance(value, ScalarNode) or value.style != "literal":
            continue
        start, end = site.source.range(value)
        header, _, body = site.source.text[start:end].partition("\n")
        lines = body.split("\n")
        column = site.key_start - site.source.starts[site.source.line(site.key_start) - 1]
        deep = min(len(line) - len(line.lstrip()) for line in lines if line.strip()) - column
        flat = "\n".join(line[deep:] if line.strip() else line for line in lines)
        at = start + len(header) + 1
        line = site.source.line(start)
        yield change_of(subject, "traps", "block not indented", site.source, site.apart, at, end, flat, line)


# ------------------------------------------------------------------ colons

@planter("traps", "no space after colon")
def _glued(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        if _beside(site):
            end = site.source.range(site.entry.key)[1]
            start = site.source.range(site.entry.value)[0]
            yield change_of(subject, "traps", "no space after colon", site.source, site.apart, end, start, ":")


@planter("traps", "colon lost")
def _colon_lost(subject: Subject) -> Iterator[Mistake]:
    yield from _instead_of_colon(subject, "colon lost", "")


@planter("traps", "= for colon")
def _equals(subject: Subject) -> Iterator[Mistake]:
    yield from _instead_of_colon(subject, "= for colon", " =")


def _instead_of_colon(subject: Subject, what: str, new: str) -> Iterator[Mistake]:
    for site in sites(subject):
        end = site.source.range(site.entry.key)[1]
        if site.source.text[end] == ":":
            yield change_of(subject, "traps", what, site.source, site.apart, end, end + 1, new)


@planter("traps", "colon in text")
def _colon_in_text(subject: Subject) -> Iterator[Mistake]:
    for one in _plain_texts(subject, 3):
        at = _blank(one, 1)
        yield one.change(subject, "colon in text", at, at + 1, ": ")


# ------------------------------------------------------------------ comments, tabs, signs

@planter("traps", "# in text")
def _comment(subject: Subject) -> Iterator[Mistake]:
    for one in _plain_texts(subject, 2):
        at = _blank(one, 0) + 1
        if one.source.text[at].isalnum():
            yield one.change(subject, "# in text", at, at, "#")


@planter("traps", "tab indents")
def _tab_indents(subject: Subject) -> Iterator[Mistake]:
    for source, apart, start, lead in _lines(subject):
        if lead >= 2:
            yield change_of(subject, "traps", "tab indents", source, apart, start + lead - 2, start + lead, "\t")


@planter("traps", "tab after colon")
def _tab_after_colon(subject: Subject) -> Iterator[Mistake]:
    for site in sites(subject):
        if _beside(site):
            at = site.source.range(site.entry.key)[1] + 1
            yield change_of(subject, "traps", "tab after colon", site.source, site.apart, at, at + 1, "\t")


@planter("traps", "sign first")
def _sign_first(subject: Subject) -> Iterator[Mistake]:
    """A text begins with a sign that YAML reserves."""
    for one in _plain_texts(subject, 2):
        new = random.Random(f"{subject.name}/{one.start}").choice(["*", "&", "!", "@", "%", "`", "? ", "[", "{"])
        yield one.change(subject, "sign first", one.start, one.start, new)


# ------------------------------------------------------------------ indentation

def _lines(subject: Subject) -> Iterator[tuple[Source, bool, int, int]]:
    """Every line with text: its offset, and how far it is indented."""
    for source in subject.sources.values():
        for number, start in enumerate(source.starts, 1):
            stop = source.text.find("\n", start)
            line = source.text[start : stop if stop >= 0 else None]
            if line.strip() and line.lstrip()[0] != "#":
                apart = subject.is_apart(source.path, number)
                yield source, apart, start, len(line) - len(line.lstrip(" "))


@planter("traps", "a space more")
def _deeper(subject: Subject) -> Iterator[Mistake]:
    for source, apart, start, lead in _lines(subject):
        if lead:
            yield change_of(subject, "traps", "a space more", source, apart, start, start, " ")


@planter("traps", "a space less")
def _flatter(subject: Subject) -> Iterator[Mistake]:
    for source, apart, start, lead in _lines(subject):
        if lead:
            yield change_of(subject, "traps", "a space less", source, apart, start, start + 1, "")


@planter("traps", "key indented deeper")
def _key_deeper(subject: Subject) -> Iterator[Mistake]:
    """A key of a block is two columns too deep. Not the only one, which may be where it likes."""
    for site in sites(subject):
        begin = site.source.starts[site.source.line(site.key_start) - 1]
        if not site.source.text[begin : site.key_start].strip() and len(site.holder.entries) > 1:
            yield change_of(subject, "traps", "key indented deeper", site.source, site.apart, begin, begin, "  ")


# ------------------------------------------------------------------ quotes

@planter("traps", "quotes lost")
def _no_quotes(subject: Subject) -> Iterator[Mistake]:
    for one in _values(subject):
        if one.scalar.style in ("single", "double"):
            yield one.change(subject, "quotes lost", one.start, one.end, one.text[1:-1])


@planter("traps", "first quote lost")
def _no_first_quote(subject: Subject) -> Iterator[Mistake]:
    for one in _values(subject):
        if one.scalar.style in ("single", "double"):
            yield one.change(subject, "first quote lost", one.start, one.start + 1, "")


@planter("traps", "last quote lost")
def _no_last_quote(subject: Subject) -> Iterator[Mistake]:
    for one in _values(subject):
        if one.scalar.style in ("single", "double"):
            first = one.source.line(one.start)
            yield one.change(subject, "last quote lost", one.end - 1, one.end, "", first)


@planter("traps", "apostrophe in quotes")
def _apostrophe(subject: Subject) -> Iterator[Mistake]:
    for one in _plain_texts(subject, 2):
        if "'" in one.text:
            yield one.change(subject, "apostrophe in quotes", one.start, one.end, f"'{one.text}'")


# ------------------------------------------------------------------ words, lists, brackets, documents

@planter("traps", "yes for true")
def _yes(subject: Subject) -> Iterator[Mistake]:
    for one in _values(subject):
        if isinstance(one.scalar.value, bool) and one.scalar.style == "plain":
            words = ("yes", "on", "Yes") if one.scalar.value else ("no", "off", "No")
            new = random.Random(f"{subject.name}/{one.start}").choice(words)
            yield one.change(subject, "yes for true", one.start, one.end, new)


def _dashes(subject: Subject) -> Iterator[tuple[Source, bool, int]]:
    """The `-` of every item of a list of lines that has several."""

    def lists(node: Node) -> Iterator[SequenceNode]:
        if isinstance(node, SequenceNode):
            yield node
        for inner in (
            ()
            if isinstance(node, ScalarNode)
            else getattr(node, "items", None) or [one.value for one in getattr(node, "entries", ())]
        ):
            yield from lists(inner)

    for document in subject.documents:
        source = subject.sources[document.path]
        for one in lists(document.root):
            for item in one.items if len(one.items) > 1 and not source.in_flow(one) else ():
                start = source.range(item)[0]
                yield source, document.kind in APART, source.text.rindex("-", 0, start)


@planter("traps", "dash lost")
def _dash_lost(subject: Subject) -> Iterator[Mistake]:
    for source, apart, at in _dashes(subject):
        yield change_of(subject, "traps", "dash lost", source, apart, at, at + 1, " ")


@planter("traps", "no space after dash")
def _dash_glued(subject: Subject) -> Iterator[Mistake]:
    for source, apart, at in _dashes(subject):
        yield change_of(subject, "traps", "no space after dash", source, apart, at + 1, at + 2, "")


@planter("traps", "bracket lost")
def _bracket_lost(subject: Subject) -> Iterator[Mistake]:
    """Either end is right, where they are on different lines."""
    for document, source, node in _flows(subject):
        start, end = source.range(node)
        apart, first = document.kind in APART, source.line(start)
        yield change_of(subject, "traps", "bracket lost", source, apart, start, start + 1, "")
        yield change_of(subject, "traps", "bracket lost", source, apart, end - 1, end, "", first)


@planter("traps", "comma lost")
def _comma_lost(subject: Subject) -> Iterator[Mistake]:
    for document, source, node in _flows(subject):
        parts = node.items if isinstance(node, SequenceNode) else [one.key for one in getattr(node, "entries", ())]
        if len(parts) > 1:
            at = source.text.rindex(",", 0, source.range(parts[1])[0])
            apart = document.kind in APART
            yield change_of(subject, "traps", "comma lost", source, apart, at, at + 1, "")


@planter("traps", "--- lost")
def _separator_lost(subject: Subject) -> Iterator[Mistake]:
    """The documents around the line become one; its place is the first line of the second."""
    for source in subject.sources.values():
        for found in re.finditer(r"(?<=\n)---\n(?=[^\n#])", source.text):
            apart = subject.is_apart(source.path, source.line(found.start()))
            yield change_of(subject, "traps", "--- lost", source, apart, found.start(), found.end(), "")


@planter("traps", "key again at the end")
def _key_again(subject: Subject) -> Iterator[Mistake]:
    """The first of several keys is written again after the last."""
    for site in sites(subject):
        if site.number or len(site.holder.entries) < 2 or not _beside(site):
            continue
        text = site.source.text[site.key_start : site.end]
        if "\n" in text:
            continue
        end = site.source.range(site.holder)[1]
        if site.source.in_flow(site.holder):
            yield change_of(
                subject, "traps", "key again at the end", site.source, site.apart, end - 1, end - 1, f", {text}"
            )
            continue
        column = site.key_start - site.source.starts[site.source.line(site.key_start) - 1]
        line = site.source.line(end) + 1
        new = "\n" + " " * column + text
        yield change_of(subject, "traps", "key again at the end", site.source, site.apart, end, end, new, line)
