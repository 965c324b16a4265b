"""Adding to YAML that somebody wrote: a member to a list, an entry to a mapping; all else stays as it is."""

from __future__ import annotations

from ruleset.common.span import Span
from ruleset.source.reader import Mapping, Node, Sequence


def insert_item(text: str, items: Sequence, word: str) -> str:
    """The text of a file with one more member at the end of a list of it."""
    lines = text.split("\n")
    if _is_flow(lines, items.span):
        return _before_bracket(lines, items, word)
    last = items.items[-1].span
    indent = " " * (items.span.column - 1)
    lines.insert(_last_line(last), f"{indent}- {word}")
    return "\n".join(lines)


def insert_entry(text: str, entries: Mapping, key: str, value: str) -> str:
    """The text of a file with one more entry at the end of a mapping of it; the value takes one line."""
    lines = text.split("\n")
    if _is_flow(lines, entries.span):
        return _before_bracket(lines, entries, f"{key}: {value}")
    indent = " " * (entries.span.column - 1)
    lines.insert(_last_line(entries.span), f"{indent}{key}: {value}")
    return "\n".join(lines)


def append_document(text: str, document: str) -> str:
    """The text of a file with one more document."""
    return f"{text.rstrip()}\n---\n{document}"


def _is_flow(lines: list[str], span: Span) -> bool:
    return lines[span.line - 1][span.column - 1 : span.column] in ("[", "{")


def _before_bracket(lines: list[str], node: Node, more: str) -> str:
    at, line = node.span.end_column - 2, node.span.end_line - 1
    before = lines[line][:at].rstrip()
    comma = "" if before.endswith(("[", "{")) else " " if before.endswith(",") else ", "
    lines[line] = f"{before}{comma}{more}{lines[line][at:]}"
    return "\n".join(lines)


def _last_line(span: Span) -> int:
    """How many lines there are up to the last that a node takes."""
    return span.end_line - (span.end_column == 1)
