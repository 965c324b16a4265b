"""Explain text that is not valid YAML, with one function per cause, tried in order.

PyYAML's two parsers report the same places in different words. These functions use only the place, the text there,
and the few words that both parsers share.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from attrs import frozen

from ruleset.common.diagnostic import Diagnostic, Label
from ruleset.common.record import Record
from ruleset.source.yaml_scalars import Source, Style

NO_DIRECTIVES = ("directives (lines that begin with `%`) are not supported", "delete the line")
_BLANKS = re.compile(r"[ \t]*")


class Last(NamedTuple):
    """The parser's last result: a scalar, or the end of a `{...}` or `[...]`. Offsets are those of the source."""

    style: Style | Literal["flow"]
    start: int
    end: int


@frozen(repr=False)
class _Fault(Record):
    """A parser's error: `at` is where reading stopped, `since` is the start of the unfinished part (or `at`)."""

    source: Source
    at: int
    since: int
    context: str
    problem: str
    last: Last | None

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def char(self) -> str:
        return self.text[self.at : self.at + 1]

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def line(self, at: int) -> str:
        return self.text[self.line_start(at) : self.line_end(at)]

    def filled(self, at: int) -> int:
        """Return `at`, or the end of the last text before it if there is only white space at `at`."""
        if self.text[at : at + 1].strip():
            return at
        return max(len(self.text[:at].rstrip()) - 1, 0)

    def found(
        self, code: str, start: int, end: int, message: str, hint: str | None, label: Label | None = None
    ) -> Diagnostic:
        span = self.source.span(start, min(max(end, start), len(self.text)))
        return Diagnostic(code, span, message, hint, (label,) if label else ())

    def label(self, start: int, end: int, text: str) -> Label:
        return Label(self.source.span(start, end), text)


def syntax_fault(source: Source, base: int, error: Any, last: Last | None) -> Diagnostic:
    """Return the finding for a parser's error in the document that begins at `base`."""
    since = error.context_mark.index if error.context_mark else None
    at = error.problem_mark.index if error.problem_mark else since or 0
    size = len(source.text)
    fault = _Fault(
        source,
        min(base + at, size),
        min(base + (at if since is None else since), size),
        error.context or "",
        error.problem or "",
        last,
    )
    for cause in _CAUSES:
        finding = cause(fault)
        if finding is not None:
            return finding
    place = fault.filled(fault.at)
    return fault.found(
        "RW100",
        place,
        place + 1,
        "this is not YAML as packs use it: something else must stand before this",
        "compare with the line above: indentation, quotes, brackets and `key: value`",
    )


def _directive(fault: _Fault) -> Diagnostic | None:
    start = fault.line_start(fault.at)
    if not fault.text.startswith("%", start):
        return None
    return fault.found("RW125", start, fault.line_end(start), *NO_DIRECTIVES)


def _tab(fault: _Fault) -> Diagnostic | None:
    if "quoted scalar" in fault.context:
        return None
    start = fault.line_start(fault.at)
    indent = _BLANKS.match(fault.text, start)
    end = indent.end() if indent else start
    if "\t" in fault.text[start:end]:
        return misplaced_tab(fault.source, fault.text.index("\t", start))
    return misplaced_tab(fault.source, fault.at) if fault.char == "\t" else None


def misplaced_tab(source: Source, at: int) -> Diagnostic:
    """Report a tab outside quotes, blocks, and comments. One of the two parsers accepts some of them."""
    start = source.text.rfind("\n", 0, at) + 1
    if source.text[start:at].strip():
        message = "a tab cannot separate words"
        return Diagnostic("RW105", source.span(at, at + 1), message, "write a blank instead")
    hint = "indent with spaces, two for each level; most editors can be told to write spaces for the tab key"
    return Diagnostic("RW105", source.span(at, at + 1), "a tab cannot indent a line", hint)


def _quote_ends_early(fault: _Fault) -> Diagnostic | None:
    last = fault.last
    if last is None or last.style not in ("single", "double"):
        return None
    between = fault.text[last.end : fault.at]
    if between.strip(" \t") or not fault.char.strip() or fault.char in ",]}":
        return None
    if "mapping values" in fault.problem or "simple key" in fault.context:
        return None
    quote = fault.text[last.start]
    opened, closed = fault.source.position(last.start)[0], fault.source.position(last.end)[0]
    label = fault.label(last.start, last.start + 1, "the text begins here")
    if quote == "'" and not between:
        message = "this apostrophe ends the text that a `'` began; nothing may follow it"
        hint = "write `''` for an apostrophe inside of `'...'`, or write the text between `\"` and `\"`"
    else:
        message = f"this `{quote}` ends the quoted text; nothing may follow it"
        hint = "put the whole text in quotes, or none of it"
        if quote == '"':
            hint += '; a `"` inside of `"..."` is written `\\"`'
    if opened != closed:
        hint = f"was the quote of line {opened} left open? {hint}"
    return fault.found("RW102", last.end - 1, last.end, message, hint, label)


def _unclosed_quote(fault: _Fault) -> Diagnostic | None:
    ended = "end of stream" in fault.problem or "document" in fault.problem
    if "quoted scalar" not in fault.context or not ended:
        return None
    quote = fault.text[fault.since]
    hint = f"write {quote} at its end"
    if quote == "'":
        hint += '; a text that begins with an apostrophe goes between `"` and `"`'
    message = "the text that this quote begins has no end in this document"
    return fault.found("RW103", fault.since, fault.since + 1, message, hint)


def _escape(fault: _Fault) -> Diagnostic | None:
    if "escape" not in fault.problem and "hexadecimal" not in fault.problem:
        return None
    start = fault.text.rfind("\\", fault.since, fault.at + 1)
    start = fault.at if start < 0 else start
    return wrong_number(fault.source, fault.since) or _unknown_escape(fault, start)


def _unknown_escape(fault: _Fault, start: int) -> Diagnostic:
    shown = fault.text[start : start + 2]
    hint = "between `'` and `'` a `\\` is an ordinary character; between `\"` and `\"` write `\\\\`"
    return fault.found("RW122", start, start + 2, f"`{shown}` is no escape that YAML knows", hint)


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)", re.DOTALL)


def wrong_number(source: Source, since: int) -> Diagnostic | None:
    """Report the first `\\u` or `\\U` escape of an invalid code point. One of the two parsers accepts some."""
    for found in _ESCAPE.finditer(source.text, since):
        code = int(found[1] or found[2] or "0", 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            span = source.span(found.start(), found.end())
            return Diagnostic("RW122", span, "no character has this number", "write the character itself")
    return None


def _colon(fault: _Fault) -> Diagnostic | None:
    if "mapping values are not allowed" not in fault.problem:
        return None
    at, last = fault.at, fault.last
    start = fault.line_start(at)
    before = fault.text[start:at]
    if last is not None and last.style == "plain" and last.start < start:
        return _joined_line(fault, last.start, start)
    value = re.match(r"(\s*(?:-\s+)*)([^\s:][^:]*:)\s+(?=\S)", before)
    if value is None:
        message = "this `:` begins a value, but what stands before it cannot be a key"
        return fault.found("RW101", at, at + 1, message, "a text that holds `: ` must be quoted")
    text = fault.line(at)[value.end() :].strip()
    message = f"`{value[2]}` already has a value on this line; a `: ` inside of it reads like a second key"
    indent = " " * (len(value[1]) + 2)
    quoted = text.replace("'", "''")
    hint = f"quote it: `{value[2]} '{quoted}'`, or put it in a block:\n{value[1]}{value[2]} |\n{indent}{text}"
    return fault.found("RW101", at, at + 1, message, hint)


def _joined_line(fault: _Fault, above: int, start: int) -> Diagnostic:
    """Report a `key:` on a line that YAML reads as a continuation of the text above."""
    indent = re.compile(r" *").match(fault.text, start)
    begin = indent.end() if indent else start
    upper = fault.text[above : fault.line_end(above)]
    label = fault.label(above, fault.line_end(above), "the text that it would continue")
    glued = re.match(r"[\w-]+:(?=\S)", upper)
    if glued and above == fault.line_start(above) + len(fault.line(above)) - len(fault.line(above).lstrip()):
        colon = above + glued.end() - 1
        message = "a blank is missing behind this `:`"
        return fault.found("RW101", colon, colon + 1, message, f"write `{glued[0]} {upper[glued.end() :]}`")
    key = fault.line(above)[: above - fault.line_start(above)]
    if not key.strip(" -"):
        return fault.found(
            "RW108", above, fault.line_end(above), "this line is no `key: value`", "write `:` behind the key"
        )
    message = "this line is indented deeper than the key above, which already has a value"
    hint = "indent it like that key; or leave the value above out, if these lines are the value"
    return fault.found("RW109", begin, fault.at + 1, message, hint, label)


def _glued_colon(fault: _Fault) -> Diagnostic | None:
    if "unexpected ':'" not in fault.problem:
        return None
    at = fault.at
    while at > fault.since and fault.text[at] != ":":
        at -= 1
    return glued_colon(fault.source, at)


def glued_colon(source: Source, at: int) -> Diagnostic:
    """Report a `:` in `{...}` or `[...]` without a space after it. One of the two parsers accepts it."""
    message = "a blank is missing behind this `:`"
    return Diagnostic("RW101", source.span(at, at + 1), message, "write `key: value`, or put the text in quotes")


def _list_on_key_line(fault: _Fault) -> Diagnostic | None:
    if "sequence entries are not allowed" not in fault.problem:
        return None
    message = "a list cannot begin with `- ` on the line of its key"
    hint = "begin it on the next line, indented, or write it in one line: `[one, two]`"
    return fault.found("RW124", fault.at, fault.at + 1, message, hint)


_STARTS = {
    "@": "`@` is reserved in YAML",
    "`": "a backquote is reserved in YAML",
    "%": "`%` is reserved in YAML",
    "*": "`*` names an alias in YAML",
    "&": "`&` names an anchor in YAML",
    "!": "`!` begins a tag in YAML",
    "?": "`? ` begins a key in YAML",
    ">": "`>` begins a text of several lines in YAML",
    "|": "`|` begins a text of several lines in YAML",
}


def _reserved_start(fault: _Fault) -> Diagnostic | None:
    at = fault.at
    if "mapping keys are not allowed" not in fault.problem and "cannot start any token" not in fault.problem:
        if not any(word in fault.context + fault.problem for word in ("alias", "anchor", "tag")):
            return None
        at = fault.since
    char = fault.text[at : at + 1]
    if char not in _STARTS:
        return None
    return _to_quote(fault, at)


def _to_quote(fault: _Fault, at: int) -> Diagnostic:
    """Report a text whose first character has another meaning in YAML."""
    text = _value(fault.text[fault.line_start(at) : at], fault.text[at : fault.line_end(at)]).strip()
    hint = f"put it in quotes: '{text.replace(chr(39), chr(39) * 2)}'"
    return fault.found("RW106", at, at + 1, f"{_STARTS[fault.text[at]]}, so a text cannot begin with it", hint)


def _value(before: str, text: str) -> str:
    """Return the part of `text` that is one value: inside `{...}` and `[...]` it ends early."""
    depth = 0
    if not any(before.count(one) > before.count(other) for one, other in ("{}", "[]")):
        return text
    for place, char in enumerate(text):
        depth += (char in "{[") - (char in "}]")
        if depth < 0 or (not depth and text.startswith(", ", place)):
            return text[:place]
    return text


def _block_header(fault: _Fault) -> Diagnostic | None:
    if "block scalar" not in fault.context:
        return None
    header = fault.text[fault.since : fault.since + 1]
    if fault.text.startswith(">=", fault.since):
        return _to_quote(fault, fault.since)
    message = f"nothing may follow `{header}` on its line; the text begins on the next line"
    end = fault.line_end(fault.since)
    hint = f"begin a new line behind `{header}`, indented deeper than the key"
    return fault.found("RW123", min(fault.at, max(end - 1, fault.since)), end, message, hint)


def _bracket(fault: _Fault) -> Diagnostic | None:
    opening = fault.text[fault.since : fault.since + 1]
    if "flow" not in fault.context or opening not in ("[", "{"):
        if fault.char in (",", "]", "}") or (fault.char == ":" and "flow" in fault.context):
            message = f"this `{fault.char}` has nothing before it that it could end"
            hint = "remove it; a text that begins with it must be quoted"
            return fault.found("RW104", fault.at, fault.at + 1, message, hint)
        return None
    closing = "]" if opening == "[" else "}"
    what = "list" if opening == "[" else "mapping"
    label = fault.label(fault.since, fault.since + 1, f"the {what} begins here")
    same_line = "\n" not in fault.text[fault.since : fault.at] and fault.char.strip()
    if not same_line:
        message = f"this `{opening}` has no `{closing}`"
        hint = f"write `{closing}` where the {what} ends"
        return fault.found("RW104", fault.since, fault.since + 1, message, hint)
    if fault.char in "]}":
        message = f"`{fault.char}` cannot end the {what} that a `{opening}` began"
        return fault.found("RW104", fault.at, fault.at + 1, message, f"write `{closing}`", label)
    if fault.char == ":":
        message = f"this `:` begins a second value inside of one part of `{opening}...{closing}`"
        return fault.found("RW101", fault.at, fault.at + 1, message, "put the text in quotes", label)
    message = f"a `,` or `{closing}` is missing before this"
    hint = f"a `,` separates the parts of `{opening}...{closing}`; quote a text that holds brackets or commas"
    return fault.found("RW104", fault.at, fault.at + 1, message, hint, label)


def _missing_colon(fault: _Fault) -> Diagnostic | None:
    if "could not find expected ':'" not in fault.problem:
        return None
    start, end = fault.since, fault.line_end(fault.since)
    text = fault.text[start:end].rstrip()
    if re.match(r"-\S", text):
        return fault.found("RW108", start, start + 1, "a blank is missing behind this `-`", f"write `- {text[1:]}`")
    hint = "write `key: value`; a text of several lines goes in a `|` block, indented deeper than its key"
    return fault.found("RW108", start, start + len(text), "this line is no `key: value`", hint)


def _indentation(fault: _Fault) -> Diagnostic | None:
    if "block" not in fault.context and "document start" not in fault.problem:
        return None
    at, last = fault.at, fault.last
    behind = last is not None and "\n" not in fault.text[last.end : at] and fault.char.strip()
    if last is not None and last.style == "flow" and behind:
        message = f"nothing may follow this `{fault.text[last.end - 1]}`"
        hint = "a text that begins with `[` or `{` must be quoted"
        return fault.found("RW104", last.end - 1, last.end, message, hint)
    start = fault.line_start(at)
    end = fault.line_end(at)
    lead = fault.text[start:at]
    if fault.text.startswith("- ", at) or fault.line(at).strip() == "-":
        message = "a list item stands where a `key: value` is expected"
        hint = "indent it deeper than the key that the list belongs to, and give that key no other value"
        return fault.found("RW109", at, at + 1, message, hint)
    if lead.strip():
        message, hint = "this cannot follow here on the same line", "put the whole text in quotes"
        return fault.found("RW100", at, at + 1, message, hint)
    if fault.char == ":":
        return fault.found("RW116", at, at + 1, "the key before `:` is missing", "write `key: value`")
    label = None
    message = "this line's indentation fits no line above it"
    hint = "indent it exactly like the lines that it belongs with"
    if last is not None and last.style in ("literal", "folded"):
        message = "this line is indented less than the text above it, and more than that text's key"
        hint = "the first line of a block sets its indentation: indent all its lines at least as deep"
        label = fault.label(last.start, last.start + 1, "the text begins here")
    return fault.found("RW109", start if lead else at, at if lead else end, message, hint, label)


_CAUSES: tuple[Callable[[_Fault], Diagnostic | None], ...] = (
    _directive,
    _tab,
    _quote_ends_early,
    _unclosed_quote,
    _escape,
    _colon,
    _glued_colon,
    _list_on_key_line,
    _reserved_start,
    _block_header,
    _bracket,
    _missing_colon,
    _indentation,
)
