"""The rulings of a pack: the tables of its `rulings.md`, as questions and answers for players.

Other text of that file is for authors. So are asides in parentheses with code.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from ruleset.common.terminal_text import harmless

FILE = "rulings.md"
MOST_BYTES = 300_000
MOST_RULINGS = 1_000
_ROW = re.compile(r"\|(.*)\|\s*")
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")
_ASIDE = re.compile(r"\s*\([^()]*`[^()`]*`[^()]*\)")
_MARKS = re.compile(r"(\*\*?|__?|`)(?=\S)(.+?)(?<=\S)\1")


@frozen
class Ruling:
    """A question, its answer, and the reason."""

    number: str
    question: str
    answer: str
    reason: str


def rulings_of(root: Path, language: str) -> tuple[Ruling, ...]:
    """Read the rulings of a pack, from `rulings.es.md` if the language is es and there is one."""
    for name in (f"rulings.{language}.md", FILE):
        text = _read(root, name)
        if text:
            return tuple(_rulings(text))[:MOST_RULINGS]
    return ()


def _read(root: Path, name: str) -> str:
    """Return the text of a file in the pack's folder; "" if it is not there, is too big, or leads out of it."""
    path = root / name
    try:
        if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
            return ""
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError:
        return ""
    return data.decode("utf-8", "replace") if len(data) <= MOST_BYTES else ""


def _rulings(text: str) -> list[Ruling]:
    found: list[Ruling] = []
    rows: list[list[str]] = []
    for line in (*text.split("\n"), ""):
        row = _ROW.fullmatch(line.strip())
        if row is not None:
            rows.append([_plain(cell) for cell in _CELLS.split(row[1])])
        elif rows:
            found += _of_table(rows)
            rows = []
    return found


def _of_table(rows: list[list[str]]) -> list[Ruling]:
    """Return the rulings of a table with a number, a question, an answer, and possibly a reason."""
    if len(rows) < 3 or not all(_RULE.fullmatch(cell) for cell in rows[1] if cell):
        return []
    cells = ([*row, "", "", ""] for row in rows[2:])
    return [Ruling(*row[:4]) for row in cells if row[1] and row[2]]


def _plain(cell: str) -> str:
    """Return the words of a cell, without the marks of Markdown and without asides for authors."""
    text = _ASIDE.sub("", cell.replace("\\|", "|"))
    while (shorter := _MARKS.sub(r"\2", text)) != text:
        text = shorter
    return harmless(" ".join(text.split()))
