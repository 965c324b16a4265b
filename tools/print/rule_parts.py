"""The parts of a rule book: what its template knows how to show."""

from __future__ import annotations

from attrs import frozen

from rulewright.tools.faces.face import Face
from rulewright.tools.print.rulings import Ruling


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
