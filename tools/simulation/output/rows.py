"""Rows about seats in games, stored as columns with the same fields for all games of a run."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Literal, TypeVar

from attrs import frozen

from rulewright.interpreter.batch.batch import Results
from rulewright.tools.common.output import harmless
from rulewright.tools.simulation.columns import Column, Columns

T = TypeVar("T")
Type = Literal["int32", "int64", "uint64", "float64", "bool", "text"]
REFUSED = "refused"
"""The entry in the column of rule errors for a table that does not exist."""


_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters, after spaces, of cells that spreadsheets evaluate; full-width characters included."""


@frozen
class Field:
    """A field of a row: its name and the type of its values, each of which may be missing (None)."""

    name: str
    type: Type


@frozen
class Same:
    """A column with the same value for each game."""

    value: int | str | None


Values = Sequence[int | None] | Sequence[float | None] | Sequence[str | None] | Same
"""A column of a page. Values of type `bool` are 1 and 0."""


@frozen
class Page:
    """Rows as columns, in the order of the fields."""

    count: int
    columns: tuple[Values, ...]


@frozen
class Sheet:
    """The fields of the rows of a run, in order. Worker processes make pages with it: text if `text` is true."""

    fields: tuple[Field, ...]
    text: bool

    def page(self, known: dict[str, Values], count: int | None = None) -> Page | str:
        """Return a page of `count` rows, by default one for each `game`; values of unknown fields are missing."""
        columns = tuple(known.get(field.name, Same(None)) for field in self.fields)
        if count is None:
            games = known["game"]
            assert not isinstance(games, Same), "each row has its game"
            count = len(games)
        return written(count, columns) if self.text else Page(count, columns)


def written(count: int, columns: Sequence[Values]) -> str:
    """Format rows as lines of CSV; if only numbers differ, one pattern formats all lines."""
    numbers = [column for column in columns if isinstance(column, array)]
    if numbers and all(isinstance(column, Same | array) for column in columns):
        cells = ["%d" if isinstance(one, array) else _cell(one).replace("%", "%%") for one in columns]
        return "".join(map(f"{','.join(cells)}\n".__mod__, zip(*numbers, strict=True)))
    each = [
        repeat(_cell_text(column.value), count)
        if isinstance(column, Same)
        else column
        if isinstance(column, array)
        else map(_cell_text, column)
        for column in columns
    ]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(zip(*each, strict=True))
    return file.getvalue()


def _cell_text(value: float | str | None) -> float | str | None:
    """Return a value that no spreadsheet evaluates: text that looks like a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def _cell(column: Values) -> str:
    """Format the cell of a column with the same value in each row."""
    return written(1, (column, Same(None))).removesuffix(",\n")


# ------------------------------------------------------------------ what rows say

def fields(before: Sequence[str] = (), tracks: Iterable[str] = (), results: bool = False) -> tuple[Field, ...]:
    """Return the fields of rows about a seat in a game.

    `before` names text fields that distinguish games, `tracks` fields of tracks. `results`: results have names.
    """
    return (
        Field("game", "int64"),
        Field("seed", "uint64"),
        Field("players", "int32"),
        *(Field(name, "text") for name in before),
        Field("seat", "int32"),
        Field("fault", "text"),
        Field("rule", "text"),
        Field("place", "text"),
        Field("decisions", "int32"),
        *((Field("result", "text"),) if results else ()),
        Field("began", "bool"),
        Field("winner", "bool"),
        Field("score", "int32"),
        *(Field(name, "int32") for name in dict.fromkeys(tracks)),
    )


def track_name(column: Column) -> str:
    """Return the name of a column: track, and the members that also index it (`coins`, `coins.sea`)."""
    return ".".join((column.track, *column.members))


def values(columns: Columns, results: Results, seed: int) -> dict[str, Values]:
    """Return the values of games by field, a row for each seat. A failed game has only its rule error."""
    everything, seats = columns.all(results), columns.seats
    found = _numbered(results.first, results.count, seats, seed)
    nothing = array("i", bytes(4 * results.count))
    numbers: dict[str, list[array[int]]] = {"decisions": [everything.decisions] * seats}
    if everything.starters:
        began = [array("i", [int(one == seat + 1) for one in everything.starters]) for seat in range(seats)]
        numbers["began"] = began
    numbers |= {"winner": list(everything.winners), "score": list(everything.scores)}
    for column, track in zip(columns.columns, everything.tracks, strict=True):
        numbers.setdefault(track_name(column), [nothing] * seats)[column.seat] = track
    by_seat = {name: _interleaved(each) for name, each in numbers.items()}
    failed = dict(columns.failed(results))
    if everything.outcomes:
        games_with_fault = zip(everything.outcomes, results.faults, strict=True)
        outcomes = [None if fault else columns.result(number) for number, fault in games_with_fault]
        found["result"] = _repeated(outcomes, seats)
    if not failed:
        return found | by_seat
    games = range(results.first, results.first + results.count)
    faults = _repeated([failed.get(game) for game in games], seats)
    found |= {
        "fault": [fault.code if fault else None for fault in faults],
        "rule": [(fault and fault.rule) or None for fault in faults],
        "place": [(fault and fault.place) or None for fault in faults],
    }
    for name, each in by_seat.items():
        found[name] = [value if fault is None else None for value, fault in zip(each, faults, strict=True)]
    return found


def _numbered(first: int, count: int, seats: int, seed: int) -> dict[str, Values]:
    """Return the fields that number the rows of games."""
    games = array("q", range(first, first + count))
    each = array("i", range(1, seats + 1)) * count
    return {"game": _interleaved([games] * seats), "seed": Same(seed), "players": Same(seats), "seat": each}


def _interleaved(columns: Sequence[array[int]]) -> array[int]:
    """Return a column with the values of one column for each seat, game after game."""
    found = array(columns[0].typecode, bytes(columns[0].itemsize * len(columns[0]) * len(columns)))
    for seat, column in enumerate(columns):
        found[seat :: len(columns)] = column
    return found


def _repeated(values: Sequence[T], times: int) -> list[T]:
    return [value for value in values for _ in range(times)]


def interleaved(one: dict[str, Values], other: dict[str, Values], seats: int) -> dict[str, Values]:
    """Interleave the rows of two pages by game; fields that only one page has are missing in the other."""
    games = one["game"]
    assert not isinstance(games, Same), "each row has its game"

    def of(page: dict[str, Values], name: str) -> Sequence[float | str | None]:
        column = page.get(name, Same(None))
        return [column.value] * len(games) if isinstance(column, Same) else column

    found: dict[str, Values] = {}
    for name in dict.fromkeys((*one, *other)):
        mixed: list[float | str | None] = []
        first, second = of(one, name), of(other, name)
        for start in range(0, len(games), seats):
            mixed += first[start : start + seats]
            mixed += second[start : start + seats]
        found[name] = mixed  # type: ignore[assignment]  # both of one sort
    return found


def refused(first: int, count: int, players: int, seed: int, reason: str) -> dict[str, Values]:
    """Return the values of games at a table that does not exist."""
    return {**_numbered(first, count, players, seed), "fault": Same(REFUSED), "rule": Same(reason)}
