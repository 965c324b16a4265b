"""Collect findings about the text of a file, including valid YAML that is probably a mistake."""

from __future__ import annotations

import re
from collections.abc import Sequence as AbstractSequence
from itertools import pairwise

from attrs import define

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.indentation import odd_line
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.source.nodes import Entry, Node, Scalar, Sequence
from rulewright.ruleset.source.yaml_scalars import Source, resolve

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


def lost_text(source: Source, text: str, start: int, end: int) -> Diagnostic | None:
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


def lost_quote(source: Source, start: int, end: int) -> Diagnostic | None:
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


def lost_dash(source: Source, start: int, end: int) -> Diagnostic | None:
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
    if alias is not None or not isinstance(node, Scalar):
        what = "an alias" if alias else ("a list" if isinstance(node, Sequence) else "`{...}`")
        message = f"expected a word as key, found {what}"
        hint = "write `key: value`; put a text that begins with `*`, `[`, or `{` in quotes"
        return Diagnostic("RW116", alias or node.span, message, hint)
    if not node.text:
        return Diagnostic("RW116", node.span, "the key before `:` is missing", "write `key: value`")
    message = "`<<` (merge) is not supported"
    hint = "write the entries out, or name a whole value with `&name` and repeat it with `*name`"
    return Diagnostic("RW112", node.span, message, hint)


def repeated_key(key: Scalar, before: Scalar) -> Diagnostic:
    """Report a duplicate key."""
    label = Label(before.span, f"the first `{key.text}`")
    message = f"the key `{key.text}` appears twice; only one of its values could count"
    return Diagnostic("RW110", key.span, message, "remove or rename one of them", (label,))


def no_separator(key: Scalar) -> Diagnostic:
    """Report the first key of a document that nothing separates from the one above."""
    message = f"another document begins with `{key.text}` here, but no `---` ends the one above"
    return Diagnostic("RW127", key.span, message, "write `---` on a line of its own before it")


def no_pair(bare: Scalar, entries: AbstractSequence[Entry], span: Span) -> Diagnostic:
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
    if cut is not None and isinstance(cut.value, Scalar) and cut.value.style == "plain" and cut.value.text:
        place = bare.span
        message = f"the comma before `{bare.text}` ends the text of `{cut.key.text}`"
        hint = f'quote the whole text: `{cut.key.text}: "{cut.value.text}, {bare.text}"`'
    elif any(not _empty(entry.value) for entry in entries):
        place = bare.span
    return Diagnostic("RW107", place, message, hint)


def _empty(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.text
