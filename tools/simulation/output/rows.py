"""Rows about games, stored as columns with the same fields for all games of a run."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Literal

from attrs import frozen

from tools.common.output import harmless
from tools.simulation.columns import Column, Columns, Games

Type = Literal["int32", "int64", "uint64", "bool", "text"]
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


Values = Sequence[int | None] | Sequence[str | None] | Same
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

    def page(self, count: int, known: dict[str, Values]) -> Page | str:
        """Return a page of `count` rows; values of unknown fields are missing."""
        columns = tuple(known.get(field.name, Same(None)) for field in self.fields)
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


def _cell_text(value: int | str | None) -> int | str | None:
    """Return a value that no spreadsheet evaluates: text that looks like a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def _cell(column: Values) -> str:
    """Format the cell of a column with the same value in each row."""
    return written(1, (column, Same(None))).removesuffix(",\n")


# ------------------------------------------------------------------ what rows say


def fields(
    seats: int, before: Sequence[str] = (), tracks: Iterable[str] = (), results: bool = False
) -> tuple[Field, ...]:
    """Return the fields of rows about games with at most `seats` seats.

    `before` names text fields that distinguish games, `tracks` fields of tracks. `results`: results have names.
    """
    return (
        Field("game", "int64"),
        Field("seed", "uint64"),
        Field("players", "int32"),
        *(Field(name, "text") for name in before),
        Field("fault", "text"),
        Field("rule", "text"),
        Field("place", "text"),
        Field("decisions", "int32"),
        *((Field("result", "text"),) if results else ()),
        *(Field(f"winner.{seat + 1}", "bool") for seat in range(seats)),
        *(Field(f"score.{seat + 1}", "int32") for seat in range(seats)),
        *(Field(name, "int32") for name in tracks),
    )


def track_name(column: Column) -> str:
    """Return the name of a column: track, the members that also index it, and seat (`coins.1`, `coins.sea.2`)."""
    return ".".join((column.track, *column.members, str(column.seat + 1)))


def values(columns: Columns, games: Games, seed: int) -> dict[str, Values]:
    """Return the values of games by field. A failed game has only its rule error."""
    results = games.results
    everything = columns.all(results)
    found: dict[str, Values] = {
        "game": array("q", range(results.first, results.first + results.count)),
        "seed": Same(seed),
        "players": Same(columns.seats),
    }
    numbers: dict[str, Sequence[int]] = {"decisions": everything.decisions}
    for seat, (won, scores) in enumerate(zip(everything.winners, everything.scores, strict=True)):
        numbers |= {f"winner.{seat + 1}": won, f"score.{seat + 1}": scores}
    numbers |= zip(map(track_name, columns.columns), everything.tracks, strict=True)
    failed = dict(columns.failed(results))
    if everything.outcomes:
        games_with_fault = zip(everything.outcomes, results.faults, strict=True)
        found["result"] = [None if fault else columns.result(number) for number, fault in games_with_fault]
    if not failed:
        return found | numbers
    faults = [failed.get(game) for game in range(results.first, results.first + results.count)]
    found |= {
        "fault": [fault.code if fault else None for fault in faults],
        "rule": [(fault and fault.rule) or None for fault in faults],
        "place": [(fault and fault.place) or None for fault in faults],
    }
    for name, column in numbers.items():
        found[name] = [value if fault is None else None for value, fault in zip(column, faults, strict=True)]
    return found


def interleaved(one: dict[str, Values], other: dict[str, Values], count: int) -> dict[str, Values]:
    """Interleave the rows of two pages of `count` rows; fields that only one page has are missing in the other."""

    def of(page: dict[str, Values], name: str) -> Iterable[int | str | None]:
        column = page.get(name, Same(None))
        return repeat(column.value, count) if isinstance(column, Same) else column

    found: dict[str, Values] = {}
    for name in dict.fromkeys((*one, *other)):
        pairs = zip(of(one, name), of(other, name), strict=True)
        found[name] = [value for pair in pairs for value in pair]  # type: ignore[assignment]  # both of one sort
    return found


def refused(first: int, count: int, players: int, seed: int, reason: str) -> dict[str, Values]:
    """Return the values of games at a table that does not exist."""
    return {
        "game": array("q", range(first, first + count)),
        "seed": Same(seed),
        "players": Same(players),
        "fault": Same(REFUSED),
        "rule": Same(reason),
    }
