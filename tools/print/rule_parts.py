"""The parts of a rule book: what its template knows how to show."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from attrs import frozen

from rulewright.ruleset.common.regular_files import TooLarge, read_regular
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.common.errors import Usage
from rulewright.tools.faces.face import Face

# ---- The rulings of a pack: the tables of its `rulings.md`, as questions and answers for players
#
# Other text of that file is for authors. So are asides in parentheses with code.

FILE = "rulings.md"
MOST_BYTES = 300_000
MOST_RULINGS = 1_000
LONGEST_CELL = 4_000
"""Limit of characters of a question, an answer, or a reason."""
_ROW = re.compile(r"\|(.*)\|\s*")
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")
_ASIDE = re.compile(r" ?\([^()]*\)")
_MARK = re.compile(r"\*\*?|(?<![^\W_])__?|__?(?![^\W_])|`")
"""A mark of Markdown. An underscore inside a word is none."""


@frozen
class Ruling:
    """A question, its answer, and the reason."""

    number: str
    question: str
    answer: str
    reason: str


def rulings_of(root: Path, language: str) -> tuple[Ruling, ...]:
    """Read the rulings of a pack, from `rulings.es.md` if the language is es and there is one.

    Raises Usage for a file, a cell, or a number of rulings beyond the limits.
    """
    for name in (f"rulings.{language}.md", FILE):
        text = _read(root, name)
        if text:
            found = _rulings(name, text)
            if len(found) > MOST_RULINGS:
                raise Usage(f"{name}: {len(found):,} rulings are too many (at most {MOST_RULINGS:,}); remove some")
            return tuple(found)
    return ()


def _read(root: Path, name: str) -> str:
    """Return the text of a file in the pack's folder; "" if it is not there, or leads out of it."""
    path = root / name
    try:
        if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
            return ""
        data = read_regular(path, MOST_BYTES)
    except TooLarge:
        raise Usage(f"{name}: the file is larger than {MOST_BYTES:,} bytes; shorten it") from None
    except OSError:
        return ""
    return data.decode("utf-8", "replace")


def _rulings(name: str, text: str) -> list[Ruling]:
    found: list[Ruling] = []
    rows: list[list[str]] = []
    for number, line in enumerate((*text.split("\n"), ""), 1):
        row = _ROW.fullmatch(line.strip())
        if row is not None:
            cells = _CELLS.split(row[1])
            longest = max(map(len, cells))
            if longest > LONGEST_CELL:
                limit = f"{longest:,} characters (at most {LONGEST_CELL:,})"
                raise Usage(f"{name}:{number}: a cell has {limit}; make it shorter, or divide it")
            rows.append([plain(cell) for cell in cells])
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


def plain(cell: str) -> str:
    """Return the words of a cell, without the marks of Markdown and without asides for authors."""
    words = " ".join(cell.replace("\\|", "|").split())
    return harmless(" ".join(_unmarked(_ASIDE.sub(_without_code, words)).split()))


def _without_code(aside: re.Match[str]) -> str:
    return "" if aside[0].count("`") > 1 else aside[0]


def _unmarked(text: str) -> str:
    """Remove pairs of marks around words, in one pass: a mark closes the last equal one that is open."""
    removed = {(0, 0)}
    opened: list[re.Match[str]] = []
    waiting: Counter[str] = Counter()
    for mark in _MARK.finditer(text):
        before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
        if waiting[mark[0]] and before.strip():
            while (last := opened.pop())[0] != mark[0]:
                waiting[last[0]] -= 1
            waiting[mark[0]] -= 1
            removed |= {last.span(), mark.span()}
        elif after.strip():
            opened.append(mark)
            waiting[mark[0]] += 1
    places = sorted(removed)
    ends = [start for start, _ in places[1:]] + [len(text)]
    return "".join(text[end:start] for (_, end), start in zip(places, ends, strict=True))


# ------------------------------------------------------------------ rule parts: the rest

@frozen
class Item:
    """An entry of a list: a name, what is said about it, and entries below it."""

    name: str
    text: str = ""
    below: tuple[Item, ...] = ()


@frozen
class Entry:
    """A definition in the list of cards, with its number of copies (0: it is no card)."""

    face: Face
    copies: int
    notes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@frozen
class Table:
    """Rows of cells below a row of headings."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Block:
    """A heading, and what is below it; all parts are optional.

    `steps` are numbered, `items` are not.
    """

    heading: str = ""
    texts: tuple[str, ...] = ()
    steps: tuple[Item, ...] = ()
    items: tuple[Item, ...] = ()
    table: Table | None = None
    cards: tuple[Entry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    note: str = ""

    def __bool__(self) -> bool:
        parts = (self.texts, self.steps, self.items, self.cards, self.rulings)
        return any(parts) or self.table is not None


@frozen
class Section:
    """A section of the book, with the id that its table of contents refers to."""

    id: str
    heading: str
    blocks: tuple[Block, ...]


def section(id: str, heading: str, *blocks: Block) -> Section:
    """Return a section of the blocks that are not empty."""
    return Section(id, heading, tuple(block for block in blocks if block))


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
