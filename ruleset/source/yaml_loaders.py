"""PyYAML's two parsers, made to read the same language.

libyaml is the fast one; a PyYAML that was built without it has only its own parser. That one ends a text inside
`{...}` and `[...]` at every `?`, as YAML 1.1 says, so that `{hand of ben: 3 ?}` would be an error. It also stops at
tabs where libyaml reads on, and would hide what follows. `PlainLoader` replaces its rules for these with libyaml's.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, NoReturn

import yaml
from yaml.scanner import ScannerError
from yaml.tokens import ScalarToken, TagToken

_BREAK = "\0\n"
_BLANK = "\0\n \t"
_BRACKETS = ",[]{}"
_TAG = re.compile(r"(?P<handle>![\w-]*!|!)<?[\w;/?:@&=+$.!~*'()%-]*>?", re.ASCII)

_HEADER = re.compile("[-+][1-9]?|[1-9]?[-+]?")


class PlainLoader(yaml.SafeLoader):
    """PyYAML's own parser with libyaml's rules. Its text has no line ends other than `\\n`."""

    def scan_to_next_token(self) -> None:
        """Skip blanks, line ends, and comments."""
        while True:
            while self.peek() == " " or (self.peek() == "\t" and (self.flow_level or not self.allow_simple_key)):
                self.forward()
            if self.peek() == "#":
                while self.peek() not in _BREAK:
                    self.forward()
            if self.peek() != "\n":
                return
            self.forward()
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_block_scalar_indicators(self, start_mark: Any) -> tuple[bool | None, int | None]:
        """Read what follows a block's `|`: whether its last line end is kept, and its indentation."""
        found = _HEADER.match(self.buffer, self.pointer)
        assert found is not None
        self.forward(len(found[0]))
        digit = found[0].strip("+-")
        return {"+": True, "-": False}.get(found[0].strip("123456789")), int(digit) if digit else None

    def scan_block_scalar_ignored_line(self, start_mark: Any) -> None:
        """Skip the rest of the line of a block's `|`."""
        while self.peek() in " \t":
            self.forward()
        super().scan_block_scalar_ignored_line(start_mark)

    def scan_block_scalar_indentation(self) -> Any:
        """Find the indentation of a block's first line."""
        found = super().scan_block_scalar_indentation()
        self._no_tab(True)
        return found

    def scan_block_scalar_breaks(self, indent: int) -> Any:
        """Skip the indentation of a block's next line."""
        found = super().scan_block_scalar_breaks(indent)
        self._no_tab(self.column < indent)
        return found

    def _no_tab(self, indents: bool) -> None:
        if indents and self.peek() == "\t":
            self._fail("while scanning a block scalar", "found a tab character where a space is expected")

    def scan_flow_scalar(self, style: str) -> Any:
        """Read a text in quotes, whose escapes are numbers of characters."""
        start_mark = self.get_mark()
        token = None
        with suppress(ValueError, OverflowError):  # of a number beyond Unicode
            token = super().scan_flow_scalar(style)
        if token is None or any("\ud800" <= char <= "\udfff" for char in token.value):
            self._fail("while scanning a quoted scalar", "found an invalid escape", start_mark)
        return token

    def fetch_directive(self) -> None:
        """Refuse directives, which the reader reports."""
        self._fail("while scanning a directive", "found a directive")

    def _fail(self, context: str, problem: str, start_mark: Any = None) -> NoReturn:
        raise ScannerError(context, start_mark, problem, self.get_mark())

    def fetch_stream_end(self) -> None:
        """End the text. A last line without a line end has ended, too."""
        if self.column:
            self.line, self.column = self.line + 1, 0
        self.stale_possible_simple_keys()
        super().fetch_stream_end()

    def scan_tag(self) -> Any:
        """Read a tag, which the reader will report."""
        start_mark = self.get_mark()
        found = _TAG.match(self.buffer, self.pointer)
        assert found is not None
        self.forward(len(found[0]))
        ends = self.peek() in _BLANK or (self.flow_level and self.peek() == ",")
        if not ends or re.search("%(?![0-9a-fA-F]{2})", found[0]):
            self._fail("while scanning a tag", "did not find expected whitespace or line break", start_mark)
        handle = found["handle"]
        return TagToken((handle, found[0][len(handle) :]), start_mark, self.get_mark())

    def scan_plain(self) -> Any:
        """Read a text without quotes."""
        start_mark = end_mark = self.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        blanks, broken = "", False
        while self.peek() != "#" and not (self.column == 0 and self._ends_document()):
            length = self._word(start_mark)
            if length:
                chunks += blanks, self.prefix(length)
                self.allow_simple_key = broken = False
                self.forward(length)
                end_mark = self.get_mark()
            if self.peek() not in " \t\n":
                break
            blanks, broken = self._blanks(start_mark, indent)
            if not self.flow_level and self.column < indent:
                break
        if broken:
            self.allow_simple_key = True
        return ScalarToken("".join(chunks), True, start_mark, end_mark)

    def _ends_document(self) -> bool:
        return self.prefix(3) in ("---", "...") and self.peek(3) in _BLANK

    def _word(self, start_mark: Any) -> int:
        """Return the length of the part up to the next blank or sign that ends the text."""
        length = 0
        while (char := self.peek(length)) not in _BLANK and not (self.flow_level and char in _BRACKETS):
            if char == ":":
                after = self.peek(length + 1)
                if self.flow_level and (after in _BRACKETS or after == "?"):
                    self.forward(length)
                    self._fail("while scanning a plain scalar", "found unexpected ':'", start_mark)
                if after in _BLANK:
                    break
            length += 1
        return length

    def _blanks(self, start_mark: Any, indent: int) -> tuple[str, bool]:
        """Skip blanks and line ends. Return the text that they mean, and whether there was a line end."""
        spaces, breaks = "", 0
        while (char := self.peek()) in " \t\n":
            if breaks and char == "\t" and self.column < indent:
                self._fail("while scanning a plain scalar", "found a tab that violates indentation", start_mark)
            breaks += char == "\n"
            spaces += char
            self.forward()
        return (spaces, False) if not breaks else ("\n" * (breaks - 1) or " ", True)


LOADERS: tuple[Any, ...] = (*((yaml.CSafeLoader,) if hasattr(yaml, "CSafeLoader") else ()), PlainLoader)
"""The parsers that this PyYAML has, the fastest first."""
