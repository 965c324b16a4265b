"""Moving the entries of one section of a document to the end of another, with their comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from ruleset.source.reader import Entry, Mapping
from tools.migrations.text_edit import Edit, Text, applied, shifted

_HEADER = re.compile(r"\s*:[ \t]*(#.*)?\Z")
_TIGHT = re.compile(r"\s*:(?=\S)")
"""Between braces a quoted key needs no blank behind its colon."""
_COMMENT = re.compile(r"#[^\r\n]*")


@frozen
class Moving:
    """A section `source` of a document, whose entries belong behind those of `target`.

    `inner` are edits inside of the entries that move.
    """

    text: Text
    root: Mapping
    source: Entry
    target: Entry
    inner: tuple[Edit, ...] = ()

    def edits(self, rename: Edit) -> tuple[list[Edit], str]:
        """All edits, and where the entries are then. `rename` makes the source another section `target`."""
        name = self.target.key.text
        if self._inline(self.source) and self._inline(self.target) and not self._source_comments():
            return [*self._cut(), *self._into_braces()], name
        if self._is_block(self.target) and not self.text.is_flow(self.root):
            lines = self._lines()
            if lines is not None:
                return [*self._cut(), self._inserted(lines)], name
        return self._apart(rename), f"a document `{name}` of its own"

    # -------------------------------------------------------------- what there is

    def _is_block(self, entry: Entry) -> bool:
        return isinstance(entry.value, Mapping) and not self.text.is_flow(entry.value)

    def _inline(self, entry: Entry) -> bool:
        """Whether a section is written in braces, and in its place."""
        return isinstance(entry.value, Mapping) and self.text.is_flow(entry.value) and not self.text.alias(entry)

    def _source_comments(self) -> bool:
        """Whether there are comments above, in or behind the source."""
        first, last = self._first(), self._last()
        return any("#" in self.text.line(number) for number in range(first, last + 1))

    def _first(self) -> int:
        """The first line that goes with the source: the comments right above its name, in its column."""
        line = self.source.key.span.line
        where = self.root.entries.index(self.source)
        above = self.text.last_line(self.root.entries[where - 1]) if where else line - 1
        column = self.root.span.column - 1
        while line - 1 > above and self.text.is_comment(line - 1) and self.text.indent(line - 1) == column:
            line -= 1
        return line

    def _last(self) -> int:
        return self.text.section_end(self.root, self.source)

    # -------------------------------------------------------------- taking it away

    def _cut(self) -> list[Edit]:
        """Without the lines of the source, and without the gap above them if there is one below them as well."""
        text, first, last = self.text, self._first(), self._last()
        end = last + 1
        if end > len(text.lines) or text.is_blank(end) or end == text.limit(last):
            while first > 1 and text.is_blank(first - 1):
                first -= 1
        return [Edit(text.start(first), text.start(end), "")]

    # -------------------------------------------------------------- putting it elsewhere

    def _inserted(self, lines: list[str]) -> Edit:
        """Lines at the end of the target."""
        text, last = self.text, self.text.section_end(self.root, self.target)
        at = text.start(last + 1)
        added = "".join(line if line.endswith(("\n", "\r")) else line + text.eol for line in lines)
        if not text.raw[:at].endswith(("\n", "\r")):
            added = text.eol + added
        return Edit(at, at, added)

    def _lines(self) -> list[str] | None:
        """The entries as lines of the target's block; None if they cannot be taken apart."""
        column = self.target.value.span.column - 1
        above = range(self._first(), self.source.key.span.line)
        lines = [" " * column + self.text.lines[number - 1].lstrip(" ") for number in above]
        own = self._block_lines(column) if self._is_block(self.source) else self._brace_lines(" " * column)
        return None if own is None else [*lines, *own]

    def _block_lines(self, column: int) -> list[str] | None:
        text, line = self.text, self.source.key.span.line
        header = _HEADER.match(text.line(line)[self.source.key.span.end_column - 1 :])
        if header is None:
            return None
        lines = [f"{' ' * column}{header[1]}{text.eol}"] if header[1] else []
        body = applied(text.raw, self.inner, text.start(line + 1), text.start(self._last() + 1))
        by = column - (self.source.value.span.column - 1)
        return [*lines, shifted(Text(body).lines, by)]

    def _brace_lines(self, indent: str) -> list[str] | None:
        """Entries in braces, each on a line of its own; a comment on the line of one stays behind it."""
        text, value = self.text, self.source.value
        if not self._inline(self.source) or not isinstance(value, Mapping):
            return None
        lines: list[str] = []
        begin = text.begin(value.span) + 1
        for entry in value.entries:
            for comment in self._comments(begin, text.begin(entry.key.span)):
                lines.append(f"{indent}{comment}{text.eol}")
            behind = text.value_end(entry)
            colon = _TIGHT.match(text.raw, text.end(entry.key.span))
            inner = [*self.inner, Edit(colon.end(), colon.end(), " ")] if colon else self.inner
            said = applied(text.raw, inner, text.begin(entry.key.span), behind).rstrip()
            stop = text.start(text.last_line(entry) + 1)
            comment = _behind(text.raw[behind:stop])
            glued = comment[1:2] not in ("", " ", "\t")  # behind a word it would look like a part of it
            if glued:
                lines.append(f"{indent}{comment}{text.eol}")
            lines.append(f"{indent}{said}{'  ' + comment if comment and not glued else ''}{text.eol}")
            begin = stop if comment else behind
        end = text.end(value.span)
        lines += [f"{indent}{comment}{text.eol}" for comment in self._comments(begin, end - 1)]
        lines += [f"{indent}{comment}{text.eol}" for comment in self._comments(max(begin, end), self._end())]
        return lines

    def _comments(self, start: int, end: int) -> Iterator[str]:
        """The comments between entries in braces, where nothing else stands but commas and braces."""
        yield from (found[0] for found in _COMMENT.finditer(self.text.raw, start, max(start, end)))

    def _end(self) -> int:
        return self.text.start(self._last() + 1)

    def _into_braces(self) -> list[Edit]:
        """Entries in braces, behind those in other braces."""
        target, source, text = self.target.value, self.source.value, self.text
        assert isinstance(target, Mapping) and isinstance(source, Mapping)
        said = ", ".join(
            applied(text.raw, self.inner, text.begin(entry.key.span), text.value_end(entry))
            for entry in source.entries
        )
        at = text.value_end(target.entries[-1]) if target.entries else text.begin(target.span) + 1
        return [Edit(at, at, f", {said}" if target.entries else said)] if said else []

    def _apart(self, rename: Edit) -> list[Edit]:
        """The source as a document of its own, behind this one."""
        text = self.text
        first, end = text.start(self._first()), self._end()
        moved = applied(text.raw, [rename, *self.inner], first, end)
        at = text.start(text.section_end(self.root, self.root.entries[-1]) + 1)
        before = "" if at == end or text.raw[:at].endswith(("\n", "\r")) else text.eol
        ended = moved if moved.endswith(("\n", "\r")) else moved + text.eol
        return [*self._cut(), Edit(at, at, f"{before}---{text.eol}{ended}")]


def _behind(rest: str) -> str:
    """The comment behind an entry on its line, when no other entry follows there."""
    found = re.match(r"[ \t]*,?[ \t]*(#[^\r\n]*)", rest)
    return found[1] if found else ""
