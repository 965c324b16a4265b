"""Build nodes from YAML events, within limits and without recursion.

PyYAML's two parsers give different marks at the end of a file and after blocks. Ranges are therefore computed from
the first and last children, and from the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from typing import Any, NoReturn

import yaml
from attrs import define, field
from yaml import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    MarkedYAMLError,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.scanner import ScannerError
from yaml.tokens import ScalarToken, TagToken

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.limits import FILE_VALUES
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, plain
from rulewright.ruleset.source.yaml_errors import (
    DEEPEST,
    MOST_PROBLEMS,
    TOO_DEEP,
    LastResult,
    Problems,
    beside_header,
    glued_colon,
    lost_dash,
    lost_quote,
    lost_text,
    misplaced_tab,
    no_key,
    no_pair,
    no_separator,
    repeated_key,
    syntax_fault,
    text_to_quote,
)
from rulewright.ruleset.source.yaml_scalars import Places, Style, YamlText, resolve

MOST_EXPANDED = 20_000
"""Maximum number of nodes of a file that exist only as aliases."""

FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
"""Control characters, unusual line ends, byte order marks, direction marks, and surrogates."""

_HEADER = re.compile(r"[|>][-+0-9]*(#[^\n]*)")
"""A block's first line with a `#` that follows its sign directly, which is no comment in YAML 1.2."""
_GLUED = re.compile(r":[,\[\]{}]")
_COMMENT = re.compile(r"(?:^|(?<=[ \t\n]))#", re.MULTILINE)
_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_PROPERTY = re.compile(r"(?:[ \t\n]|(?<=[ \t\n])#[^\n]*)+")


@define(repr=False)
class FileBudget(Record):
    """The remaining budget of a file."""

    nodes: int = FILE_VALUES
    expanded: int = MOST_EXPANDED


class _BoundError(Exception):
    """A bound was exceeded: the rest of the document is skipped."""


class _NextDocument(Exception):  # noqa: N818  (not an error: the entries before it are complete)
    """The rest of the text is another document."""


@define(eq=False, repr=False)
class _Frame(Record):
    """A mapping or sequence whose end has not been read."""

    mapping: bool
    flow: bool
    start: int
    anchor: str | None
    items: list[Node] = field(factory=list)
    entries: list[MappingEntry] = field(factory=list)
    seen: dict[str, ScalarNode] = field(factory=dict)
    key: ScalarNode | None = None
    waiting: bool = False
    """Whether a key was read and its value is next; `key` is that key if it is usable."""
    bare: ScalarNode | None = None
    """The first part of a `{...}` without a colon."""
    tail: Span | None = None
    """The place of the last part."""
    size: int = 1
    depth: int = 1


@define(eq=False, repr=False)
class Builder(Record):
    """Build the nodes of the document that begins at `base` in the source."""

    source: YamlText
    base: int
    problems: Problems
    budget: FileBudget
    _lines: int = 0
    _stack: list[_Frame] = field(factory=list, init=False)
    _anchors: dict[str, tuple[Node, int, int]] = field(factory=dict, init=False)
    _root: Node | None = field(default=None, init=False)
    _last: LastResult | None = field(default=None, init=False)
    _anchored: dict[str, int] = field(factory=dict, init=False)
    """The names of texts that no alias has repeated so far, and where their `&` is."""
    rest: int | None = field(default=None, init=False)
    """Where another document begins, if the line of `---` before it is missing."""
    _quoted: list[tuple[int, int]] = field(factory=list, init=False)
    """Ranges of quoted texts and blocks, which may contain tabs."""

    def build(self, text: str, loader: Any) -> Node | None:
        """Return the root of the document; after an error, the entries read so far, or None."""
        self._lines = self.source.position(self.base)[0]
        try:
            self._events(loader(text))
            self._tabs(text)
            self._unused_anchors()
            return self._root
        except MarkedYAMLError as error:
            self.problems.add(syntax_fault(self.source, self.base, error, self._last))
        except (_BoundError, _NextDocument):
            pass
        bottom = self._stack[0] if self._stack else None
        return self._close(bottom, None) if bottom and bottom.entries else None

    # -------------------------------------------------------------- events

    def _events(self, parser: Any) -> None:
        """Handle all events of a document. Calls PyYAML once per event; `yaml.parse` would call it twice."""
        try:
            while (event := parser.get_event()) is not None:
                if type(event) is ScalarEvent:
                    self._scalar(event)
                else:
                    self._event(event)
        finally:
            parser.dispose()

    def _event(self, event: Any) -> None:
        kind = type(event)
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            start = self._properties(event)
            if event.flow_style:
                self._no_question_mark(start)
            if len(self._stack) >= DEEPEST:
                self._error("RW118", start, start + 1, *TOO_DEEP)
                raise _BoundError
            self._stack.append(_Frame(kind is MappingStartEvent, bool(event.flow_style), start, event.anchor))
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            frame = self._stack[-1]
            node = self._close(frame, event)
            self._stack.pop()
            self._last = LastResult("flow", frame.start, self.base + event.end_mark.index) if frame.flow else None
            self._attach(node, frame.size, frame.depth, frame.anchor)
        elif kind is AliasEvent:
            self._alias(event)

    def _scalar(self, event: Any) -> None:
        text: str = event.value
        style = _STYLES.get(event.style, "plain")
        first, last = event.start_mark, event.end_mark
        start, end = self.base + first.index, self.base + last.index
        raw = self.source.text
        if event.anchor is not None or event.tag is not None:
            start = min(self._properties(event), end)
            span = self.source.span(start, end)
        elif style == "literal" or style == "folded":
            header = _HEADER.match(raw, start)
            if header is not None:
                self.problems.add(beside_header(self.source, start, header.start(1), header.end(1)))
            while raw[end - 1] in " \t\n":
                end -= 1
            span = self.source.span(start, end)
            end = self.base + last.index
        elif start == end:  # no value: directly after the previous text
            while start > self.base and raw[start - 1] in " \t\n":
                start -= 1
            end = start
            span = self.source.span(start, end)
        else:
            lines = self._lines
            path = self.source.path
            span = Span(path, first.line + lines, first.column + 1, last.line + lines, last.column + 1)
        if text or style != "plain":
            self._last = LastResult(style, start, end)
        if style != "plain":
            self._quoted.append((start, end))
        frame = self._stack[-1] if self._stack else None
        is_key = frame is not None and frame.mapping and not frame.waiting
        if style == "double":
            hidden = FORBIDDEN.search(text) if "\\" in raw[start:end] else None
            if hidden is not None:
                message = f"the invisible character U+{ord(hidden[0]):04X} is not allowed in a text"
                self._error("RW120", start, end, message, "remove the escape")
        elif style == "plain" and not is_key:
            self._plain(text, start, end, event.anchor)
        value = text if is_key or style != "plain" else resolve(text)
        node = ScalarNode(value, text, span, style, Places(self.source, start, end))
        self._attach(node, 1, 0, event.anchor)

    def _plain(self, text: str, start: int, end: int, anchor: str | None) -> None:
        """Report what the author of a text without quotes probably did not mean."""
        sign = self.source.text.rfind("&", 0, start)
        if anchor is not None and text and "\n" not in self.source.text[sign:start]:
            self._anchored[anchor] = sign
        for doubt in (
            lost_text(self.source, text, start, end),
            lost_quote(self.source, start, end),
            lost_dash(self.source, start, end),
        ):
            if doubt is not None:
                self.problems.add(doubt, serious=False)

    def _unused_anchors(self) -> None:
        """Report texts that begin with an `&`, which YAML takes for a name that nothing repeats."""
        for at in self._anchored.values():
            self.problems.add(text_to_quote(self.source, at))

    def _no_question_mark(self, at: int) -> None:
        """Stop at a `?` that begins a key in brackets: the author meant a text, and the two parsers disagree."""
        if self.source.text.startswith("?", at):
            self.problems.add(text_to_quote(self.source, at))
            raise _BoundError

    def _tabs(self, text: str) -> None:
        """Report the first tab outside quotes, blocks, and comments."""
        at = text.find("\t")
        while at >= 0:
            place = self.base + at
            # The ranges are sorted and do not overlap.
            last = bisect_right(self._quoted, (place, len(self.source.text))) - 1
            inside = last >= 0 and place < self._quoted[last][1]
            before = self._quoted[last][1] if last >= 0 else 0
            line = max(self.source.text.rfind("\n", 0, place) + 1, before)
            if not inside and not _COMMENT.search(self.source.text, line, place):
                self.problems.add(misplaced_tab(self.source, place))
                return
            at = text.find("\t", at + 1)

    def _properties(self, event: Any) -> int:
        """Return the start of the node after its anchor and tag; report tags."""
        at: int = self.base + event.start_mark.index
        if event.anchor is None and event.tag is None:
            return at
        raw = self.source.text
        scalar = isinstance(event, ScalarEvent) and event.end_mark is not None
        behind: int = self.base + event.end_mark.index if scalar else len(raw)
        begin = at
        for _ in range(2):
            if raw.startswith("&", at) and event.anchor is not None:
                at += 1 + len(event.anchor)
            elif raw.startswith("!", at) and event.tag is not None:
                end = at
                while end < behind and not raw[end].isspace():
                    end += 1
                message = f"`{raw[at:end]}` is a YAML tag; tags are not supported"
                hint = "remove it; to write a number or a word as text, put it in quotes"
                self._error("RW113", at, end, message, hint, serious=False)
                at = end
            else:
                break
            blank = _PROPERTY.match(raw, at)
            at = blank.end() if blank else at
        return begin if at > behind else at

    def _line_from(self, start: int, end: int) -> str:
        """Return a range and, outside brackets, the rest of its line."""
        flow = any(frame.flow for frame in self._stack)
        stop = self.source.text.find("\n", end)
        line = self.source.text[start : end if flow else stop if stop >= 0 else None]
        return re.split(r"[ \t]+#", line, maxsplit=1)[0].rstrip()

    def _alias(self, event: Any) -> None:
        start, end = self.base + event.start_mark.index, self.base + event.end_mark.index
        name: str = event.anchor
        self._anchored.pop(name, None)
        self._last = None
        known = self._anchors.get(name)
        if known is None:
            self._anchored.clear()
            if any(frame.anchor == name for frame in self._stack):
                message = f"`*{name}` is inside the value that `&{name}` names"
                hint = "write out the value"
            else:
                near = nearest(name, self._anchors)
                message = f"unknown alias: there is no `&{name}` above it in this document"
                text = self._line_from(start, end)
                hint = f"did you mean `*{near}`?" if near else f'to write a text, quote it: "{text}"'
                if start + len(text) > end:  # the rest of the line cannot be parsed
                    self._error("RW114", start, end, message, hint)
                    raise _BoundError
            self._error("RW114", start, end, message, hint)
            self._attach(ScalarNode(name, name, self.source.span(start, end)), 1, 0, None, (start, end))
            return
        node, size, depth = known
        self.budget.expanded -= size
        if self.budget.expanded < 0:
            message = f"the aliases of this file expand to more than {MOST_EXPANDED:,} values"
            self._error("RW115", start, end, message, "use fewer aliases, or aliases of smaller values")
            raise _BoundError
        if len(self._stack) + depth > DEEPEST:
            self._error("RW118", start, end, *TOO_DEEP)
            raise _BoundError
        self._attach(node, size, depth, None, (start, end))

    # -------------------------------------------------------------- nodes

    def _attach(
        self, node: Node, size: int, depth: int, anchor: str | None, alias: tuple[int, int] | None = None
    ) -> None:
        """Add a complete node to its parent as key, value, or item, or make it the root."""
        self.budget.nodes -= 1
        if self.budget.nodes < 0:
            message = f"this file has more than {FILE_VALUES:,} values, the limit for one file"
            self.problems.add(Diagnostic("RW119", node.span, message, "split it into several files"))
            raise _BoundError
        if anchor is not None:
            self._anchors[anchor] = (node, size, depth)
        if not self._stack:
            self._root = node
            return
        frame = self._stack[-1]
        frame.size += size
        frame.tail = self.source.span(*alias) if alias else node.span
        if frame.depth <= depth:
            frame.depth = depth + 1
        if not frame.mapping:
            frame.items.append(node)
        elif not frame.waiting:
            frame.waiting = True
            frame.key = self._key(node, alias)
        else:
            frame.waiting = False
            self._value(frame, node)

    def _key(self, node: Node, alias: tuple[int, int] | None) -> ScalarNode | None:
        """Return the key, or report it and return None if it is unusable."""
        usable = alias is None and isinstance(node, ScalarNode) and node.text
        if usable and isinstance(node, ScalarNode) and (node.text != "<<" or node.style != "plain"):
            return node
        self.problems.add(no_key(node, self.source.span(*alias) if alias else None))
        return None

    def _value(self, frame: _Frame, node: Node) -> None:
        key = frame.key
        if key is None:
            return
        before = frame.seen.setdefault(key.text, key)
        if before is not key:
            self._next_document(frame, key, node)
            self.problems.add(repeated_key(key, before), serious=False)
            return
        if frame.flow and key.places is not None:
            colon = key.places.end
            if key.style == "plain":
                self._no_question_mark(key.places.start - 1)
            if key.style == "plain" and _GLUED.match(self.source.text, colon):
                self.problems.add(glued_colon(self.source, colon))
                raise _BoundError
            if frame.bare is None and isinstance(node, ScalarNode) and self._colonless(key, node):
                frame.bare = key
        frame.entries.append(MappingEntry(key, node))

    def _next_document(self, frame: _Frame, key: ScalarNode, node: Node) -> None:
        """Stop before another document: it begins with the first key of this one, or continues with its second."""
        entries = frame.entries
        if len(self._stack) > 1 or frame.flow or len(self.problems.items) >= MOST_PROBLEMS // 2:
            return
        if len(entries) > 1 and key.text == entries[0].key.text:
            new = key
            named = isinstance(node, ScalarNode) and isinstance(entries[0].value, ScalarNode)
            if named and plain(node) == plain(entries[0].value):
                return
        elif len(entries) > 2 and key.text == entries[1].key.text and _is_name(entries[-1].value):
            new = entries.pop().key
        else:
            return
        frame.tail = entries[-1].value.span
        if new.places is not None:
            self.problems.add(no_separator(new), serious=False)
            self.rest = new.places.start
            raise _NextDocument

    def _colonless(self, key: ScalarNode, node: ScalarNode) -> bool:
        if node.text or node.style != "plain" or key.places is None or node.places is None:
            return False
        return ":" not in self.source.text[key.places.end : node.places.end]

    def _close(self, frame: _Frame, event: Any) -> MappingNode | SequenceNode:
        """Finish a mapping or sequence; without an event, an error cut it short."""
        start = self.source.position(frame.start)
        end = (frame.tail.end_line, frame.tail.end_column) if frame.tail else start
        if frame.flow and event is not None:
            end = self.source.position(self.base + event.end_mark.index)
        span = Span(self.source.path, *start, *end)
        if frame.bare is not None and event is not None:
            self.problems.add(no_pair(frame.bare, frame.entries, span))
        return MappingNode(tuple(frame.entries), span) if frame.mapping else SequenceNode(tuple(frame.items), span)

    def _error(self, code: str, start: int, end: int, message: str, hint: str, serious: bool = True) -> None:
        self.problems.add(Diagnostic(code, self.source.span(start, end), message, hint), serious)


def _is_name(node: Node) -> bool:
    return isinstance(node, ScalarNode) and re.fullmatch(r"[a-z][a-z0-9-]*", node.text) is not None


# ---- PyYAML's two parsers, made to read the same language
#
# libyaml is the fast one; a PyYAML that was built without it has only its own parser. That one ends a text
# inside `{...}` and `[...]` at every `?`, as YAML 1.1 says, so that `{hand of ben: 3 ?}` would be an error.
# It also stops at tabs where libyaml reads on, and would hide what follows. `PlainLoader` replaces its rules
# for these with libyaml's.

_BREAK = "\0\n"
_BLANK = "\0\n \t"
_BRACKETS = ",[]{}"
_TAG = re.compile(r"(?P<handle>![\w-]*!|!)<?[\w;/?:@&=+$.!~*'()%-]*>?", re.ASCII)

_BLOCK_HEADER = re.compile("[-+][1-9]?|[1-9]?[-+]?")


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
        found = _BLOCK_HEADER.match(self.buffer, self.pointer)
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
