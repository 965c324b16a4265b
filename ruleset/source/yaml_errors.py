"""Explain text that is not valid YAML, with one function per cause, tried in order.

PyYAML's two parsers report the same places in different words. These functions use only the place, the text there,
and the few words that both parsers share.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.indentation import odd_line
from rulewright.ruleset.source.missing_block import with_a_key
from rulewright.ruleset.source.yaml_fault import Fault, Last
from rulewright.ruleset.source.yaml_scalars import Source

NO_DIRECTIVES = ("directives (lines that begin with `%`) are not supported", "delete the line")
DEEPEST = 64
"""Maximum depth of mappings and sequences."""
TOO_DEEP = (f"lists and mappings are nested more than {DEEPEST} levels deep", "split the document into several")
_OPEN = re.compile(r":[ ]*(?:#.*)?\Z")
_OPENS = re.compile(r"(?:(?:^|[\s:,])-|[:,]) +\Z|[\[{] *\Z")
"""Text after which a quote begins a text."""
_BLANKS = re.compile(r"[ \t]*")


def syntax_fault(source: Source, base: int, error: Any, last: Last | None) -> Diagnostic:
    """Return the finding for a parser's error in the document that begins at `base`."""
    since = error.context_mark.index if error.context_mark else None
    at = error.problem_mark.index if error.problem_mark else since or 0
    size = len(source.text)
    fault = Fault(
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


def _too_deep(fault: Fault) -> Diagnostic | None:
    """A scanner may look far ahead, and give up (libyaml since PyYAML 6.0.4) before there is anything to count."""
    if fault.problem != "exceeded maximum nesting depth":
        return None
    return fault.found("RW118", fault.at, fault.at + 1, *TOO_DEEP)


def _wrong_number(fault: Fault) -> Diagnostic | None:
    """Only one of the parsers stops at such an escape; the other reads on to the end of the text."""
    double = "quoted scalar" in fault.context and fault.text.startswith('"', fault.since)
    return wrong_number(fault.source, fault.since, fault.at) if double else None


def _directive(fault: Fault) -> Diagnostic | None:
    start = fault.line_start(fault.at)
    if "quoted scalar" in fault.context or not fault.text.startswith("%", start):
        return None
    return fault.found("RW125", start, fault.line_end(start), *NO_DIRECTIVES)


def _tab(fault: Fault) -> Diagnostic | None:
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
        return Diagnostic("RW105", source.span(at, at + 1), message, "write a space instead")
    hint = "indent with spaces, two for each level; most editors have a setting for this"
    return Diagnostic("RW105", source.span(at, at + 1), "a tab cannot indent a line", hint)


def _quote_ends_early(fault: Fault) -> Diagnostic | None:
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


def _unclosed_quote(fault: Fault) -> Diagnostic | None:
    ended = "end of stream" in fault.problem or "document" in fault.problem
    if "quoted scalar" not in fault.context or not ended:
        return None
    quote = fault.text[fault.since]
    hint = f"add `{quote}` at the end of the text"
    if quote == "'":
        hint += "; a text that begins with an apostrophe needs double quotes"
    message = "this quote is never closed"
    return fault.found("RW103", fault.since, fault.since + 1, message, hint)


def _escape(fault: Fault) -> Diagnostic | None:
    if "quoted scalar" not in fault.context or not re.search("escape|hexa?decimal", fault.problem):
        return None
    start = fault.text.rfind("\\", fault.since, fault.at + 1)
    start = fault.at if start < 0 else start
    return wrong_number(fault.source, fault.since) or _unknown_escape(fault, start)


def _unknown_escape(fault: Fault, start: int) -> Diagnostic:
    shown = fault.text[start : start + 2]
    hint = "write `\\\\` for a backslash in double quotes; in single quotes `\\` is an ordinary character"
    return fault.found("RW122", start, start + 2, f"unknown escape `{shown}`", hint)


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)", re.DOTALL)


def wrong_number(source: Source, since: int, until: int | None = None) -> Diagnostic | None:
    """Report the first `\\u` or `\\U` escape of an invalid code point. One of the two parsers accepts some."""
    for found in _ESCAPE.finditer(source.text, since, len(source.text) if until is None else until):
        code = int(found[1] or found[2] or "0", 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            span = source.span(found.start(), found.end())
            return Diagnostic("RW122", span, "no character has this number", "write the character itself")
    return None


def _colon(fault: Fault) -> Diagnostic | None:
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


def _joined_line(fault: Fault, above: int, start: int) -> Diagnostic:
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


def _odd_line(fault: Fault, at: int) -> Diagnostic | None:
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


def _glued_colon(fault: Fault) -> Diagnostic | None:
    if "unexpected ':'" not in fault.problem:
        return None
    at = fault.at
    while at > fault.since and fault.text[at] != ":":
        at -= 1
    return glued_colon(fault.source, at)


def glued_colon(source: Source, at: int) -> Diagnostic:
    """Report a `:` in `{...}` or `[...]` without a space after it. One of the two parsers accepts it."""
    message = "expected a space after this `:`"
    return Diagnostic("RW101", source.span(at, at + 1), message, "write `key: value`, or put the text in quotes")


def _list_on_key_line(fault: Fault) -> Diagnostic | None:
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


def _reserved_start(fault: Fault) -> Diagnostic | None:
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


def text_to_quote(source: Source, at: int) -> Diagnostic:
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


def _block_header(fault: Fault) -> Diagnostic | None:
    if "block scalar" not in fault.context:
        return None
    if fault.text.startswith(">=", fault.since):
        return text_to_quote(fault.source, fault.since)
    end = fault.line_end(fault.since)
    return beside_header(fault.source, fault.since, min(fault.at, max(end - 1, fault.since)), end)


def beside_header(source: Source, header: int, start: int, end: int) -> Diagnostic:
    """Report text on the line of the `|` or `>` at `header`. Both parsers ignore a `#` right after it."""
    sign = source.text[header]
    message = f"nothing may follow `{sign}` on its line; the text begins on the next line"
    hint = f"begin a new line after `{sign}`, indented deeper than the key"
    return Diagnostic("RW123", source.span(start, end), message, hint)


def _bracket(fault: Fault) -> Diagnostic | None:
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


def _missing_colon(fault: Fault) -> Diagnostic | None:
    if "could not find expected ':'" not in fault.problem:
        return None
    start, end = fault.since, fault.line_end(fault.since)
    text = fault.text[start:end].rstrip()
    if re.match(r"-\S", text):
        return fault.found("RW108", start, start + 1, "expected a space after this `-`", f"write `- {text[1:]}`")
    return fault.found("RW108", start, start + len(text), "expected `key: value`", with_a_key(fault.text, start))


def _indentation(fault: Fault) -> Diagnostic | None:
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


def _first_item(fault: Fault) -> Diagnostic | None:
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


def _glued_dash(fault: Fault, start: int) -> Diagnostic | None:
    """Report that the line at `start` begins with `-` and no space."""
    glued = re.compile(r" *(-)[^\s-]").match(fault.text, start)
    if glued is None:
        return None
    hint = f"write `- {fault.text[glued.end(1) : fault.line_end(start)]}`"
    return fault.found("RW108", glued.start(1), glued.end(1), "expected a space after this `-`", hint)


_CAUSES: tuple[Callable[[Fault], Diagnostic | None], ...] = (
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
