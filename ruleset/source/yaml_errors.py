"""Explain text that is not valid YAML, with one function per cause, tried in order.

PyYAML's two parsers report the same places in different words. These functions use only the place, the text there,
and the few words that both parsers share.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Sequence as AbstractSequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from attrs import define, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.indentation import odd_line
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.nodes import MappingEntry, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.yaml_scalars import Style, YamlText, resolve

# ---- Suggest what to write for a line without a key, which is often an effect that lacks `|`

_OPEN_KEY = re.compile(r"([\w.-]+):[ ]*(?:#.*)?\Z")
_KEY_OR_BLOCK = "write `key: value`; several lines of text need `|` after their key, and deeper indentation"


def with_a_key(text: str, start: int) -> str:
    """Return a hint for the line whose first word is at `start`: it may belong to a key above without a value."""
    line_start = text.rfind("\n", 0, start) + 1
    for line in reversed(text[:line_start].split("\n")):
        lead = len(line) - len(line.lstrip(" -"))
        if line.strip() and lead < start - line_start:
            key = _OPEN_KEY.match(line.strip(" -"))
            return f"several lines of effect need `|` after the key: write `{key[1]}: |`" if key else _KEY_OR_BLOCK
    return _KEY_OR_BLOCK


# ---- The error at which a YAML parser stopped, with its place in the file

class LastResult(NamedTuple):
    """The parser's last result: a scalar, or the end of a `{...}` or `[...]`. Offsets are those of the source."""

    style: Style | Literal["flow"]
    start: int
    end: int


@frozen(repr=False)
class YamlFault(Record):
    """A parser's error: `at` is where reading stopped, `since` is the start of the unfinished part (or `at`)."""

    source: YamlText
    at: int
    since: int
    context: str
    problem: str
    last: LastResult | None

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


# ---- Yaml errors

NO_DIRECTIVES = ("directives (lines that begin with `%`) are not supported", "delete the line")
DEEPEST = 64
"""Maximum depth of mappings and sequences."""
TOO_DEEP = (f"lists and mappings are nested more than {DEEPEST} levels deep", "split the document into several")
_OPEN = re.compile(r":[ ]*(?:#.*)?\Z")
_OPENS = re.compile(r"(?:(?:^|[\s:,])-|[:,]) +\Z|[\[{] *\Z")
"""Text after which a quote begins a text."""
_BLANKS = re.compile(r"[ \t]*")


def syntax_fault(source: YamlText, base: int, error: Any, last: LastResult | None) -> Diagnostic:
    """Return the finding for a parser's error in the document that begins at `base`."""
    since = error.context_mark.index if error.context_mark else None
    at = error.problem_mark.index if error.problem_mark else since or 0
    size = len(source.text)
    fault = YamlFault(
        source,
        min(base + at, size),
        min(base + (at if since is None else since), size),
        error.context or "",
        (error.problem or "").partition(", but found")[0],  # said by only one of the parsers
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
        "invalid YAML: this is not expected here",
        "compare with the line above: indentation, quotes, brackets, and `key: value`",
    )


def _too_deep(fault: YamlFault) -> Diagnostic | None:
    """A scanner may look far ahead, and give up (libyaml since PyYAML 6.0.4) before there is anything to count."""
    if fault.problem != "exceeded maximum nesting depth":
        return None
    return fault.found("RW118", fault.at, fault.at + 1, *TOO_DEEP)


def _wrong_number(fault: YamlFault) -> Diagnostic | None:
    """Only one of the parsers stops at such an escape; the other reads on to the end of the text."""
    double = "quoted scalar" in fault.context and fault.text.startswith('"', fault.since)
    return wrong_number(fault.source, fault.since, fault.at) if double else None


def _directive(fault: YamlFault) -> Diagnostic | None:
    start = fault.line_start(fault.at)
    if "quoted scalar" in fault.context or not fault.text.startswith("%", start):
        return None
    return fault.found("RW125", start, fault.line_end(start), *NO_DIRECTIVES)


def _tab(fault: YamlFault) -> Diagnostic | None:
    if "quoted scalar" in fault.context:
        return None
    start = fault.line_start(fault.at)
    indent = _BLANKS.match(fault.text, start)
    end = indent.end() if indent else start
    if "\t" in fault.text[start:end]:
        return misplaced_tab(fault.source, fault.text.index("\t", start))
    return misplaced_tab(fault.source, fault.at) if fault.char == "\t" else None


def misplaced_tab(source: YamlText, at: int) -> Diagnostic:
    """Report a tab outside quotes, blocks, and comments. One of the two parsers accepts some of them."""
    start = source.text.rfind("\n", 0, at) + 1
    if source.text[start:at].strip():
        message = "a tab cannot separate words"
        return Diagnostic("RW105", source.span(at, at + 1), message, "write a space instead")
    hint = "indent with spaces, two for each level; most editors have a setting for this"
    return Diagnostic("RW105", source.span(at, at + 1), "a tab cannot indent a line", hint)


def _quote_ends_early(fault: YamlFault) -> Diagnostic | None:
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
        message = "this apostrophe ends the quoted text; nothing may follow it"
        hint = "write `''` for an apostrophe inside `'...'`, or use double quotes"
    else:
        message = f"this `{quote}` ends the quoted text; nothing may follow it"
        hint = "put the whole text in quotes, or none of it"
        if quote == '"':
            hint += '; a `"` inside `"..."` is written `\\"`'
    if _OPENS.search(fault.line(last.end)[: last.end - 1 - fault.line_start(last.end)]):
        other = fault.label(last.end - 1, last.end, "the text continues to this quote")
        hint = f"add `{quote}` where the text ends"
        return fault.found("RW103", last.start, last.start + 1, "this quote is never closed", hint, other)
    if opened != closed:
        hint = f"is a closing quote missing on line {opened}? {hint}"
    return fault.found("RW102", last.end - 1, last.end, message, hint, label)


def _unclosed_quote(fault: YamlFault) -> Diagnostic | None:
    ended = "end of stream" in fault.problem or "document" in fault.problem
    if "quoted scalar" not in fault.context or not ended:
        return None
    quote = fault.text[fault.since]
    hint = f"add `{quote}` at the end of the text"
    if quote == "'":
        hint += "; a text that begins with an apostrophe needs double quotes"
    message = "this quote is never closed"
    return fault.found("RW103", fault.since, fault.since + 1, message, hint)


def _escape(fault: YamlFault) -> Diagnostic | None:
    if "quoted scalar" not in fault.context or not re.search("escape|hexa?decimal", fault.problem):
        return None
    start = fault.text.rfind("\\", fault.since, fault.at + 1)
    start = fault.at if start < 0 else start
    return wrong_number(fault.source, fault.since) or _unknown_escape(fault, start)


def _unknown_escape(fault: YamlFault, start: int) -> Diagnostic:
    shown = fault.text[start : start + 2]
    hint = "write `\\\\` for a backslash in double quotes; in single quotes `\\` is an ordinary character"
    return fault.found("RW122", start, start + 2, f"unknown escape `{shown}`", hint)


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)", re.DOTALL)


def wrong_number(source: YamlText, since: int, until: int | None = None) -> Diagnostic | None:
    """Report the first `\\u` or `\\U` escape of an invalid code point. One of the two parsers accepts some."""
    for found in _ESCAPE.finditer(source.text, since, len(source.text) if until is None else until):
        code = int(found[1] or found[2] or "0", 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            span = source.span(found.start(), found.end())
            return Diagnostic("RW122", span, "no character has this number", "write the character itself")
    return None


def _colon(fault: YamlFault) -> Diagnostic | None:
    if "mapping values are not allowed" not in fault.problem:
        return None
    at, last = fault.at, fault.last
    start = fault.line_start(at)
    before = fault.text[start:at]
    if last is not None and last.style == "plain" and last.start < start:
        return _joined_line(fault, last.start, start)
    value = re.match(r"(\s*(?:-\s+)*)([^\s:][^:]*:)\s+(?=\S)", before)
    if value is None:
        message = "unexpected `:`: the text before it cannot be a key"
        return fault.found("RW101", at, at + 1, message, "put a text that contains `: ` in quotes")
    if not fault.text[at + 1 : fault.line_end(at)].strip():
        hint = f"several lines of effect need `|` after the key: write `{value[2]} |`, and begin on the next line"
        return fault.found("RW101", at, at + 1, f"`{value[2]}` already has a value on this line", hint)
    text = fault.line(at)[value.end() :].strip()
    message = f"`{value[2]}` already has a value on this line; `: ` inside it reads like a second key"
    indent = " " * (len(value[1]) + 2)
    quoted = text.replace("'", "''")
    hint = f"quote it: `{value[2]} '{quoted}'`, or put it in a block:\n{value[1]}{value[2]} |\n{indent}{text}"
    return fault.found("RW101", at, at + 1, message, hint)


def _joined_line(fault: YamlFault, above: int, start: int) -> Diagnostic:
    """Report a `key:` on a line that YAML reads as a continuation of the text above."""
    indent = re.compile(r" *").match(fault.text, start)
    begin = indent.end() if indent else start
    upper = fault.text[above : fault.line_end(above)]
    label = fault.label(above, fault.line_end(above), "YAML reads this line as more of this text")
    glued = re.match(r"[\w-]+:(?=\S)", upper)
    if glued and above == fault.line_start(above) + len(fault.line(above)) - len(fault.line(above).lstrip()):
        colon = above + glued.end() - 1
        message = "expected a space after this `:`"
        return fault.found("RW101", colon, colon + 1, message, f"write `{glued[0]} {upper[glued.end() :]}`")
    key = fault.line(above)[: above - fault.line_start(above)]
    if not key.strip(" -"):
        hint = with_a_key(fault.text, above)
        return fault.found("RW108", above, fault.line_end(above), "expected `key: value`", hint)
    odd = _glued_dash(fault, fault.line_start(above)) or _odd_line(fault, begin)
    if odd is not None:
        return odd
    message = "this line is indented deeper than the key above, which already has a value"
    hint = "indent it like that key, or remove the value above if these lines are the value"
    return fault.found("RW109", begin, fault.at + 1, message, hint, label)


def _odd_line(fault: YamlFault, at: int) -> Diagnostic | None:
    """Report the line above that the line at `at` does not match, if that one is the odd one."""
    odd = odd_line(fault.text, at)
    if odd is None:
        return None
    label = fault.label(at, fault.line_end(at), "this line has the usual indentation")
    message, hint = "this line's indentation does not match the lines below it", "indent it exactly like those"
    if fault.last is not None and fault.last.style in ("literal", "folded"):
        hint = "the first line of a block sets its indentation: indent it like the lines below it"
    start = fault.line_start(odd[0])
    return fault.found("RW109", *((start, odd[0]) if start < odd[0] else odd), message, hint, label)


def _glued_colon(fault: YamlFault) -> Diagnostic | None:
    if "unexpected ':'" not in fault.problem:
        return None
    at = fault.at
    while at > fault.since and fault.text[at] != ":":
        at -= 1
    return glued_colon(fault.source, at)


def glued_colon(source: YamlText, at: int) -> Diagnostic:
    """Report a `:` in `{...}` or `[...]` without a space after it. One of the two parsers accepts it."""
    message = "expected a space after this `:`"
    return Diagnostic("RW101", source.span(at, at + 1), message, "write `key: value`, or put the text in quotes")


def _list_on_key_line(fault: YamlFault) -> Diagnostic | None:
    if "sequence entries are not allowed" not in fault.problem:
        return None
    message = "a list cannot begin with `- ` on the line of its key"
    hint = "begin the list on the next line, or write it in one line: `[one, two]`"
    return fault.found("RW124", fault.at, fault.at + 1, message, hint)


_STARTS = {
    "@": "`@` is reserved in YAML",
    "`": "a backquote is reserved in YAML",
    "%": "`%` is reserved in YAML",
    "*": "`*` names an alias in YAML",
    "&": "`&` names an anchor in YAML",
    "!": "`!` begins a tag in YAML",
    "?": "`?` begins a key in YAML",
    ">": "`>` begins a text of several lines in YAML",
    "|": "`|` begins a text of several lines in YAML",
}


def _reserved_start(fault: YamlFault) -> Diagnostic | None:
    at = fault.at
    if fault.char == "?" and "flow" in fault.context:
        return text_to_quote(fault.source, at)
    if "mapping keys are not allowed" not in fault.problem and "cannot start any token" not in fault.problem:
        if not any(word in fault.context + fault.problem for word in ("alias", "anchor", "tag")):
            return None
        at = fault.since
    char = fault.text[at : at + 1]
    if char not in _STARTS:
        return None
    return text_to_quote(fault.source, at)


def text_to_quote(source: YamlText, at: int) -> Diagnostic:
    """Report a text whose first character has another meaning in YAML."""
    start, end = source.text.rfind("\n", 0, at) + 1, source.text.find("\n", at)
    text = _value(source.text[start:at], source.text[at : end if end >= 0 else None]).strip()
    hint = f"put it in quotes: '{text.replace(chr(39), chr(39) * 2)}'"
    message = f"{_STARTS[source.text[at]]}, so a text cannot begin with it"
    return Diagnostic("RW106", source.span(at, at + 1), message, hint)


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


def _block_header(fault: YamlFault) -> Diagnostic | None:
    if "block scalar" not in fault.context:
        return None
    if fault.text.startswith(">=", fault.since):
        return text_to_quote(fault.source, fault.since)
    end = fault.line_end(fault.since)
    return beside_header(fault.source, fault.since, min(fault.at, max(end - 1, fault.since)), end)


def beside_header(source: YamlText, header: int, start: int, end: int) -> Diagnostic:
    """Report text on the line of the `|` or `>` at `header`. Both parsers ignore a `#` right after it."""
    sign = source.text[header]
    message = f"nothing may follow `{sign}` on its line; the text begins on the next line"
    hint = f"begin a new line after `{sign}`, indented deeper than the key"
    return Diagnostic("RW123", source.span(start, end), message, hint)


def _bracket(fault: YamlFault) -> Diagnostic | None:
    opening = fault.text[fault.since : fault.since + 1]
    if "flow" not in fault.context or opening not in ("[", "{"):
        if fault.char in (",", "]", "}") or (fault.char == ":" and "flow" in fault.context):
            message = f"unexpected `{fault.char}`"
            hint = "remove it; put a text that begins with it in quotes"
            return fault.found("RW104", fault.at, fault.at + 1, message, hint)
        return None
    closing = "]" if opening == "[" else "}"
    what = "list" if opening == "[" else "mapping"
    label = fault.label(fault.since, fault.since + 1, f"the {what} begins here")
    same_line = "\n" not in fault.text[fault.since : fault.at] and fault.char.strip()
    if not same_line:
        message = f"this `{opening}` has no matching `{closing}`"
        hint = f"add `{closing}` at the end of the {what}"
        return fault.found("RW104", fault.since, fault.since + 1, message, hint)
    if fault.char in "]}":
        message = f"expected `{closing}`, found `{fault.char}`"
        return fault.found("RW104", fault.at, fault.at + 1, message, f"write `{closing}`", label)
    if fault.char == ":":
        message = f"unexpected second `:` in one part of `{opening}...{closing}`"
        return fault.found("RW101", fault.at, fault.at + 1, message, "put the text in quotes", label)
    message = f"expected `,` or `{closing}` before this"
    hint = f"separate the parts of `{opening}...{closing}` with `,`; quote a text that contains brackets or commas"
    return fault.found("RW104", fault.at, fault.at + 1, message, hint, label)


def _missing_colon(fault: YamlFault) -> Diagnostic | None:
    if "could not find expected ':'" not in fault.problem:
        return None
    start, end = fault.since, fault.line_end(fault.since)
    text = fault.text[start:end].rstrip()
    if re.match(r"-\S", text):
        return fault.found("RW108", start, start + 1, "expected a space after this `-`", f"write `- {text[1:]}`")
    return fault.found("RW108", start, start + len(text), "expected `key: value`", with_a_key(fault.text, start))


def _indentation(fault: YamlFault) -> Diagnostic | None:
    if "block" not in fault.context and "document start" not in fault.problem:
        return None
    at, last = fault.at, fault.last
    behind = last is not None and "\n" not in fault.text[last.end : at] and fault.char.strip()
    if last is not None and last.style == "flow" and behind:
        message = f"nothing may follow this `{fault.text[last.end - 1]}`"
        hint = "put a text that begins with `[` or `{` in quotes"
        return fault.found("RW104", last.end - 1, last.end, message, hint)
    start = fault.line_start(at)
    end = fault.line_end(at)
    lead = fault.text[start:at]
    if fault.text.startswith("- ", at) or fault.line(at).strip() == "-":
        first = _first_item(fault)
        if first is not None:
            return first
        message = "expected `key: value`, found a list item"
        hint = "indent the list deeper than its key, and give that key no other value"
        return fault.found("RW109", at, at + 1, message, hint)
    if lead.strip():
        message, hint = "this is not expected on the same line", "put the whole text in quotes"
        return fault.found("RW100", at, at + 1, message, hint)
    if fault.char == ":":
        return fault.found("RW116", at, at + 1, "the key before `:` is missing", "write `key: value`")
    if last is not None and last.style == "plain" and fault.text[fault.line_start(last.start) : last.start] == lead:
        hint = with_a_key(fault.text, last.start)
        return fault.found("RW108", last.start, last.end, "expected `key: value`", hint)
    label = None
    odd = _glued_dash(fault, fault.line_start(fault.since)) or _odd_line(fault, at)
    if odd is not None:
        return odd
    message = "this line's indentation matches no line above it"
    hint = "indent it exactly like the lines that it belongs to"
    if last is not None and last.style in ("literal", "folded"):
        message = "this line is indented less than the text above it, and more than that text's key"
        hint = "the first line of a block sets its indentation: indent all its lines at least as deep"
        label = fault.label(last.start, last.start + 1, "the text begins here")
    return fault.found("RW109", start if lead else at, at if lead else end, message, hint, label)


def _first_item(fault: YamlFault) -> Diagnostic | None:
    """Report that the first item of a list has no `- `, where the next one, at which the parser stopped, has it."""
    column = fault.at - fault.line_start(fault.at)
    first = fault.line_start(fault.at)
    while first:
        above = fault.line_start(first - 1)
        line = fault.line(above)
        lead = len(line) - len(line.lstrip(" "))
        if line.strip() and line.strip()[0] != "#" and lead <= column:
            break
        first = above
    else:
        return None
    label = fault.label(fault.at, fault.at + 1, "the next item of the list")
    glued = _glued_dash(fault, above) if lead == column else None
    if glued is not None:
        return glued
    line = fault.line(first)
    if not line.strip() or line.lstrip()[0] in "-#" or not _OPEN.search(fault.line(above)):
        return None
    start, end = first + len(line) - len(line.lstrip()), first + len(line)
    message = "this line begins a list, so it needs a `- ` like the items below it"
    return fault.found("RW109", start, end, message, f"write `- {line.strip()}`", label)


def _glued_dash(fault: YamlFault, start: int) -> Diagnostic | None:
    """Report that the line at `start` begins with `-` and no space."""
    glued = re.compile(r" *(-)[^\s-]").match(fault.text, start)
    if glued is None:
        return None
    hint = f"write `- {fault.text[glued.end(1) : fault.line_end(start)]}`"
    return fault.found("RW108", glued.start(1), glued.end(1), "expected a space after this `-`", hint)


_CAUSES: tuple[Callable[[YamlFault], Diagnostic | None], ...] = (
    _too_deep,
    _wrong_number,
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


# ---- Collect findings about the text of a file, including valid YAML that is probably a mistake

MOST_PROBLEMS = 200
"""Most findings about the text of one file."""

_LOST = re.compile(r"[ \t]+(#[^\s#=-][^\n]*)")
_ITEM = re.compile(r"\n *-(?= )")
_COLON_INSIDE = re.compile(r"(?<=\w):(?=\w)")


@define(repr=False)
class Problems(Record):
    """Findings so far; `serious` counts those that leave a document incomplete, `twice` counts repeated keys.

    At most `MOST_PROBLEMS` are kept; `more` counts the others.
    """

    items: list[Diagnostic]
    serious: int = 0
    twice: int = 0
    more: int = 0

    def add(self, problem: Diagnostic, serious: bool = True) -> None:
        """Add a finding, or count it if the limit is reached."""
        if len(self.items) < MOST_PROBLEMS:
            self.items.append(problem)
        else:
            self.more += 1
        self.serious += serious
        self.twice += problem.code == "RW110"


def lost_text(source: YamlText, text: str, start: int, end: int) -> Diagnostic | None:
    """Report a comment after a text if the author may have meant it as part of the text."""
    if source.text[end : end + 1] not in (" ", "\t"):
        return None
    lost = _LOST.match(source.text, end)
    if lost is None or not isinstance(resolve(text), str | None):
        return None
    whole = f"{text} {lost[1]}".strip()
    if "\n" in source.text[start:end]:
        whole = f"... {lost[1]}"
    quoted = "'" + whole.replace("'", "''") + "'" if '"' in whole or "\\" in whole else f'"{whole}"'
    message = f"`{lost[1]}` is not part of the text: a `#` after a space begins a comment"
    hint = f"to keep it, quote the whole text: {quoted}; to make it a comment, write a space after the `#`"
    return Diagnostic("RW111", source.span(lost.start(1), lost.end(1)), message, hint)


def lost_quote(source: YamlText, start: int, end: int) -> Diagnostic | None:
    """Report a text without quotes that ends with one, except after a number: `12"` are inches."""
    text = source.text
    if (
        start == end
        or text[end - 1] != '"'
        or text.count('"', start, end) % 2 == 0
        or text[end - 2 : end - 1].isdigit()
    ):
        return None
    message = "this quote ends a text that begins without one"
    hint = "add a quote at the beginning of the text, or put the whole text in `'...'` if the quote belongs to it"
    label = Label(source.span(start, start + 1), "the text begins here")
    return Diagnostic("RW128", source.span(end - 1, end), message, hint, (label,))


def lost_dash(source: YamlText, start: int, end: int) -> Diagnostic | None:
    """Report a text of several lines that begins on a line of its own, or after a `-`, and contains `- ` lines."""
    text = source.text
    inner = _ITEM.search(text, start, end) if "\n" in text[start:end] else None
    if inner is None:
        return None
    begin = text.rfind("\n", 0, start) + 1
    if text[begin:start].strip(" -"):
        return None
    item = inner.end() - 1
    label = Label(source.span(item, item + 1), "YAML joins this line to the one above")
    stop = text.find("\n", start, end)
    if not text[begin:start].strip():
        message = "this line begins a list, so it needs a `- ` like the items below it"
        return Diagnostic("RW109", source.span(start, stop), message, f"write `- {text[start:stop]}`", (label,))
    odd = odd_line(text, item)
    message = "this item is indented less than the next one, which YAML therefore joins to it"
    span = source.span(*odd) if odd is not None else label.span
    return Diagnostic("RW109", span, message, "indent all items of a list alike", (label,))


def no_key(node: Node, alias: Span | None) -> Diagnostic:
    """Report a node that cannot be a key; `alias` is the place of the alias if the key is one."""
    if alias is not None or not isinstance(node, ScalarNode):
        what = "an alias" if alias else ("a list" if isinstance(node, SequenceNode) else "`{...}`")
        message = f"expected a word as key, found {what}"
        hint = "write `key: value`; put a text that begins with `*`, `[`, or `{` in quotes"
        return Diagnostic("RW116", alias or node.span, message, hint)
    if not node.text:
        return Diagnostic("RW116", node.span, "the key before `:` is missing", "write `key: value`")
    message = "`<<` (merge) is not supported"
    hint = "write the entries out, or name a whole value with `&name` and repeat it with `*name`"
    return Diagnostic("RW112", node.span, message, hint)


def repeated_key(key: ScalarNode, before: ScalarNode) -> Diagnostic:
    """Report a duplicate key."""
    label = Label(before.span, f"the first `{key.text}`")
    message = f"the key `{key.text}` appears twice; only one of its values could count"
    return Diagnostic("RW110", key.span, message, "remove or rename one of them", (label,))


def no_separator(key: ScalarNode) -> Diagnostic:
    """Report the first key of a document that nothing separates from the one above."""
    message = f"another document begins with `{key.text}` here, but no `---` ends the one above"
    return Diagnostic("RW127", key.span, message, "write `---` on a line of its own before it")


def no_pair(bare: ScalarNode, entries: AbstractSequence[MappingEntry], span: Span) -> Diagnostic:
    """Report a part without a colon in the `{...}` at `span`."""
    words = [entry.key.text for entry in entries]
    message = f"`{bare.text}` has no value: `{{...}}` holds `key: value` pairs"
    hint = f"write a list as `[{', '.join(words)}]`, or several effects as `{' then '.join(words)}`"
    if len(entries) > 1 and any(not _empty(entry.value) for entry in entries):
        hint = f"write `{bare.text.split()[0]}: value`"
    if _COLON_INSIDE.search(bare.text):
        hint = f"write a space after the `:`: `{_COLON_INSIDE.sub(': ', bare.text, count=1)}`"
    place = span
    cut = next((one for one, two in pairwise(entries) if two.key is bare), None)
    if cut is not None and isinstance(cut.value, ScalarNode) and cut.value.style == "plain" and cut.value.text:
        place = bare.span
        message = f"the comma before `{bare.text}` ends the text of `{cut.key.text}`"
        hint = f'quote the whole text: `{cut.key.text}: "{cut.value.text}, {bare.text}"`'
    elif any(not _empty(entry.value) for entry in entries):
        place = bare.span
    return Diagnostic("RW107", place, message, hint)


def _empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and not node.text
