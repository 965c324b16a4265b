"""Map each character of a decoded YAML scalar to its place in the file, and interpret plain scalars.

The parser gives the decoded text of a scalar and the range it was read from. To find the place of a word in a
folded, quoted, or indented scalar, `Places` decodes that range again and records the source characters of each
decoded character. It does so only when a place is needed.

Invariant: in the maps, starts and ends never decrease from one character to the next. A line break (and the space
or break that replaces a folded one) has no width: a range that ends with it ends at the end of its line.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import Literal, TypeAlias

from attrs import define, field

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record

Style: TypeAlias = Literal["plain", "single", "double", "literal", "folded"]
Value: TypeAlias = str | int | bool | float | None


@define(eq=False, repr=False)
class YamlText(Record):
    """The text of a file, with `\\n` line ends and without a byte order mark."""

    path: str
    text: str
    _starts: list[int] | None = field(default=None, init=False)

    def position(self, index: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        starts = self._starts
        if starts is None:
            starts = [0, *(found.end() for found in re.finditer("\n", self.text))]
            self._starts = starts
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """Return the range between two offsets."""
        return Span(self.path, *self.position(start), *self.position(end))


@define(eq=False, repr=False)
class Places(Record):
    """The offsets of a scalar in its source; `start` and `end` include quotes or the `|` header."""

    source: YamlText
    start: int
    end: int
    _maps: tuple[array[int], array[int]] | None = field(default=None, init=False)
    _lines: tuple[int, int, array[int]] | None = field(default=None, init=False)

    def span(self, text: str, style: Style, start: int, end: int) -> Span:
        """Return the place of `text[start:end]`; offsets outside the text are clamped."""
        start = min(max(start, 0), len(text))
        end = min(max(end, start), len(text))
        if not text:
            inside = self.start + (style in ("single", "double"))
            return self.source.span(inside, inside)
        shift = self._shift(text, style)
        if shift is not None:
            line, column = self.source.position(shift + start)
            return Span(self.source.path, line, column, line, column + end - start)
        if style == "literal" and self._literal(text):
            first = self._placed(text, start) if start < len(text) else self._behind(text, len(text))
            return self.source.span(first, self._behind(text, end) if end > start else first)
        starts, ends = self._decoded(text, style)
        first = starts[start] if start < len(text) else ends[-1]
        return self.source.span(first, ends[end - 1] if end > start else first)

    def _shift(self, text: str, style: Style) -> int | None:
        """Return the offset of the text if the file contains it literally on one line."""
        quote = 1 if style in ("single", "double") else 0
        begin = self.start + quote
        if style in ("literal", "folded") or self.end - begin - quote != len(text):
            return None
        return begin if self.source.text.startswith(text, begin) and "\n" not in text else None

    def _literal(self, text: str) -> bool:
        """Whether this is a `|` block with the same indentation on every line, so that places can be computed."""
        if self._lines is None:
            raw = self.source.text
            body = raw.find("\n", self.start, self.end) + 1
            lines = raw[body : self.end].split("\n") if body else []
            indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")), default=0)
            same = bool(body) and "\n".join(line[indent:] for line in lines)[: len(text)] == text
            starts = array("L", [0])
            for line in lines:
                starts.append(starts[-1] + len(line) + 1)
            self._lines = (body if same else -1), indent, starts
        return self._lines[0] >= 0

    def _placed(self, text: str, place: int) -> int:
        """Return the source offset of a character of such a block."""
        assert self._lines is not None
        body, indent, starts = self._lines
        line = text.count("\n", 0, place)
        raw = body + starts[line] + indent + place - (text.rfind("\n", 0, place) + 1)
        return min(raw, body + starts[line + 1] - 1)

    def _behind(self, text: str, place: int) -> int:
        """Return the end of the character before a place; a line break has no width."""
        return self._placed(text, place - 1) + (text[place - 1] != "\n")

    def _decoded(self, text: str, style: Style) -> tuple[array[int], array[int]]:
        if self._maps is None:
            read = _block if style in ("literal", "folded") else _flow
            decoded = read(self.source.text, self.start, self.end, style, text)
            if "".join(decoded.chars[: len(text)]) == text:
                self._maps = decoded.starts, decoded.ends
            else:  # not known to happen; the range of the whole scalar is still correct
                self._maps = array("L", [self.start] * len(text)), array("L", [self.end] * len(text))
        return self._maps


@define(eq=False, repr=False)
class _Decoded(Record):
    """Decoded characters with their source ranges. May end with line breaks that chomping removes."""

    chars: list[str]
    starts: array[int]
    ends: array[int]

    def put(self, char: str, start: int, end: int) -> None:
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def cut(self, length: int) -> None:
        del self.chars[length:], self.starts[length:], self.ends[length:]


_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028",
    "P": "\u2029",
}  # fmt: skip
_DIGITS = {"x": 2, "u": 4, "U": 8}


def _flow(raw: str, start: int, end: int, style: Style, text: str) -> _Decoded:
    """Decode plain and quoted scalars: trim blanks at breaks, fold one break to a space, drop one of several."""
    out = _Decoded([], array("L"), array("L"))
    if style != "plain":
        start, end = start + 1, end - 1
    at = start
    while at < end:
        char = raw[at]
        if char in " \t\n":
            behind = at
            while behind < end and raw[behind] in " \t":
                behind += 1
            if behind < end and raw[behind] == "\n":
                breaks, behind = _breaks(raw, behind + 1, end)
                if not breaks:
                    out.put(" ", at, at)
                for place in breaks:
                    out.put("\n", place, place)
            else:
                for place in range(at, behind):
                    out.put(raw[place], place, place + 1)
            at = behind
        elif char == "'" and style == "single":
            out.put("'", at, at + 2)
            at += 2
        elif char == "\\" and style == "double":
            escape = raw[at + 1]
            if escape == "\n":
                breaks, at = _breaks(raw, at + 2, end)
                for place in breaks:
                    out.put("\n", place, place)
                continue
            width = 2 + _DIGITS.get(escape, 0)
            code = raw[at + 2 : at + width]
            out.put(chr(int(code, 16)) if code else _ESCAPES.get(escape, escape), at, at + width)
            at += width
        else:
            out.put(char, at, at + 1)
            at += 1
    return out


def _breaks(raw: str, at: int, end: int) -> tuple[list[int], int]:
    """Return the breaks of empty lines from `at` (just after a break), and the start of the next text."""
    breaks: list[int] = []
    while True:
        while at < end and raw[at] in " \t":
            at += 1
        if at >= end or raw[at] != "\n":
            return breaks, at
        breaks.append(at)
        at += 1


def _block(raw: str, start: int, end: int, style: Style, text: str) -> _Decoded:
    """Decode literal and folded scalars. The indentation is the one that reproduces the parser's text."""
    body = raw.find("\n", start, end) + 1
    if body == 0:
        return _Decoded([], array("L"), array("L"))
    filled = next((line for line in raw[body:end].split("\n") if line.strip(" ")), None)
    if filled is None:
        candidates = list(range(max(map(len, raw[body:end].split("\n"))), -1, -1))
    else:
        wanted = next((line for line in text.split("\n") if line.strip(" ")), "")
        candidates = [max(_indent(filled) - _indent(wanted), 0)]
    for indent in candidates:
        out = _block_lines(raw, body, end, indent, style == "folded")
        out.cut(len(text))
        if "".join(out.chars) == text:
            break
    return out


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _block_lines(raw: str, body: int, end: int, indent: int, folded: bool) -> _Decoded:
    out = _Decoded([], array("L"), array("L"))
    pending: list[int] = []  # breaks since the last line with text: its own, then those of empty lines
    flush = False  # whether the last line with text may be joined to the next
    seen = False
    at = body
    while at < end:
        stop = raw.find("\n", at, end)
        stop = end if stop < 0 else stop
        if stop - at > indent:
            begin = at + indent
            joins = folded and flush and raw[begin] not in " \t"
            if seen and joins and len(pending) == 1:
                out.put(" ", pending[0], pending[0])
            else:
                for place in pending[1:] if seen and joins else pending:
                    out.put("\n", place, place)
            for place in range(begin, stop):
                out.put(raw[place], place, place + 1)
            pending, seen, flush = [], True, raw[begin] not in " \t"
        if stop < end:
            pending.append(stop)
        at = stop + 1
    for place in pending:
        out.put("\n", place, place)
    return out


_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z|0x[0-9a-fA-F]+\Z|0o[0-7]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_LONGEST_NUMBER = 40


def resolve(text: str) -> Value:
    """Interpret a plain scalar by YAML 1.2's core schema. `on`, `no`, `1:30`, `012`, and `.inf` are text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-+.0123456789" or len(text) > _LONGEST_NUMBER:
        return text
    if _INTEGER.match(text):
        return int(text, 0)
    if _FLOAT.match(text):
        number = float(text)
        if number - number == 0:  # finite
            return number
    return text
