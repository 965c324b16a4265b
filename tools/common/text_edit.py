"""Edit the text of a YAML file by places, and keep all other bytes unchanged.

A `FileText` is a whole file as it was decoded: a byte order mark and line ends of any kind are part of it. Lines
and columns are those of the spans that reading the file gives, counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, SequenceNode

BOM = "\ufeff"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_ALIAS = re.compile(r"\s*:\s*(\*[^\s,{}\[\]]+)")


@frozen
class Edit:
    """What stands from `start` up to `end` becomes something else."""

    start: int
    end: int
    text: str


@frozen(slots=False)
class FileText:
    """A file's text, by offset and by line."""

    raw: str
    lines: tuple[str, ...] = field(init=False, repr=False)
    """Each with its line end."""

    @lines.default
    def _lines(self) -> tuple[str, ...]:
        return tuple(_LINE.findall(self.raw))

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    @property
    def eol(self) -> str:
        """How lines of this file end."""
        first = self.lines[0] if self.lines else ""
        return first[len(first.rstrip("\r\n")) :] or "\n"

    def line(self, number: int) -> str:
        """A line without its end and without the mark that a file may begin with."""
        return self.lines[number - 1].rstrip("\r\n").removeprefix(BOM if number == 1 else "")

    def start(self, number: int) -> int:
        """Where a line begins; for the line behind the last one, where the file ends."""
        return self._starts[number - 1]

    def at(self, line: int, column: int) -> int:
        """The offset of a place."""
        mark = line == 1 and self.raw.startswith(BOM)
        return self.start(line) + column - 1 + mark

    def begin(self, span: Span) -> int:
        return self.at(span.line, span.column)

    def end(self, span: Span) -> int:
        return self.at(span.end_line, span.end_column)

    # -------------------------------------------------------------- YAML

    def is_flow(self, node: Node) -> bool:
        """Whether a list or a mapping is written in brackets or braces."""
        return self.raw[self.begin(node.span) : self.begin(node.span) + 1] in ("[", "{")

    def alias(self, entry: MappingEntry) -> re.Match[str] | None:
        """The alias that is the value of an entry, in its place: the node tells where the value was written."""
        return _ALIAS.match(self.raw, self.end(entry.key.span))

    def value_end(self, entry: MappingEntry) -> int:
        """Where the value of an entry ends."""
        alias = self.alias(entry)
        return alias.end(1) if alias else self.end(entry.value.span)

    def last_line(self, entry: MappingEntry) -> int:
        """The last line that an entry takes, without comments behind it."""
        first = entry.key.span.end_line
        return first if self.alias(entry) else self._last_line(entry.value.span, first)

    def _last_line(self, span: Span, first: int) -> int:
        line = span.end_line - (span.end_column == 1)  # a text with an anchor takes what is empty below it along
        while line > first and self.is_blank(line):
            line -= 1
        return max(line, first)

    def added(self, node: MappingNode | SequenceNode, said: str) -> Edit:
        """One more member of a list or a mapping, behind the last."""
        members = node.entries if isinstance(node, MappingNode) else node.items
        if not members:
            at = self.begin(node.span) + 1
            return Edit(at, at, said)
        member = members[-1]
        if self.is_flow(node):
            at = self.value_end(member) if isinstance(member, MappingEntry) else self.end(member.span)
            return Edit(at, at, f", {said}")
        line = self.last_line(member) if isinstance(member, MappingEntry) else self._last_line(member.span, 1)
        at, dash = self.start(line + 1), "" if isinstance(node, MappingNode) else "- "
        whole = f"{' ' * (node.span.column - 1)}{dash}{said}"
        ended = self.raw[:at].endswith(("\n", "\r"))
        return Edit(at, at, whole + self.eol if ended else self.eol + whole)

    def is_blank(self, number: int) -> bool:
        return not self.line(number).strip()


def applied(raw: str, edits: Iterable[Edit]) -> str:
    """A text with edits. Equal edits count once."""
    out: list[str] = []
    at = 0
    for edit in _ordered(edits):
        out += (raw[at : edit.start], edit.text)
        at = edit.end
    return "".join(out) + raw[at:]


def _ordered(edits: Iterable[Edit]) -> Iterator[Edit]:
    """By place; those at one place in the order given. Raises ValueError when one lies in another."""
    behind = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end)):
        if edit.start < behind:
            raise ValueError(f"two changes of one place: {edit}")
        behind = edit.end
        yield edit


def with_member(raw: str, node: MappingNode | SequenceNode, said: str) -> str:
    """The text of a file with one more member at the end of a list or a mapping of it."""
    return applied(raw, [FileText(raw).added(node, said)])
