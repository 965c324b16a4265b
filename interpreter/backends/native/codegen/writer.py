"""The text of a C module while it is written: lines, blocks, unique names, constant arrays.

All names that the text declares for the whole module begin with `rw_`. The text contains no text of a pack:
everything in it is numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

INDENT = "  "
LOWEST = "(-2147483647 - 1)"
"""The lowest int32. Its digits alone would be the negation of a number that is too large."""


def literal(value: int) -> str:
    """Write an integer as an atomic expression."""
    if value == -(2**31):
        return LOWEST
    return str(value) if value >= 0 else f"({value})"


class CText:
    """Lines of C, indented."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.indent = 0
        self._names = 0
        self.arrays: dict[tuple[int, ...], str] = {}
        """Constant arrays of the module, by their values."""
        self.bit_sets: dict[tuple[int, ...], str] = {}
        """Constant sets of the module, by their words of 64 bits."""

    def line(self, text: str) -> None:
        """Add one line."""
        self.lines.append(INDENT * self.indent + text)

    def name(self, letter: str = "t") -> str:
        """Return a name that is unique in the module."""
        self._names += 1
        return f"{letter}{self._names}"

    @contextmanager
    def block(self, head: str = "") -> Iterator[None]:
        """Put braces around the lines written inside."""
        self.line(f"{head} {{" if head else "{")
        self.indent += 1
        yield
        self.indent -= 1
        self.line("}")

    @contextmanager
    def aside(self, lines: list[str]) -> Iterator[None]:
        """Collect the lines written inside in a list of their own, one level deeper."""
        kept, self.lines = self.lines, lines
        self.indent += 1
        yield
        self.indent -= 1
        self.lines = kept

    def array(self, values: Sequence[int]) -> str:
        """Return the name of a constant array of int with these values."""
        key = tuple(values)
        if key not in self.arrays:
            self.arrays[key] = f"rw_K{len(self.arrays)}"
        return self.arrays[key]


def table(name: str, values: Sequence[int], kind: str = "") -> str:
    """Define a constant table, of the smallest type for its values unless one is given."""
    return f"static const {kind or shortest(values)} {name}[] = {{{', '.join(map(literal, values)) or '0'}}};"


def shortest(values: Sequence[int]) -> str:
    """Return the smallest C type that holds these values."""
    low, high = min(values, default=0), max(values, default=0)
    if low >= -128 and high <= 127:
        return "signed char"
    return "short" if low >= -(2**15) and high < 2**15 else "int"


def bit_set(name: str, words: Sequence[int]) -> str:
    """Define a constant set as words of 64 bits."""
    return f"static const rw_u64 {name}[] = {{{', '.join(f'{word:#x}ull' for word in words)}}};"
