"""Rows about games, as columns that are the same for all games of a run."""

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
"""What stands in the place of a rule error where there is no such table."""


_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""So begin cells that spreadsheets compute, after spaces: also in the width of East Asian letters."""


@frozen
class Field:
    """A column: what it is called, and what its values are; all may be missing (None)."""

    name: str
    type: Type


@frozen
class Same:
    """A column in which one value stands for each game."""

    value: int | str | None


Values = Sequence[int | None] | Sequence[str | None] | Same
"""A column of a page; of type `bool` 1 and 0."""


@frozen
class Page:
    """So many rows by columns, in the order of the fields."""

    count: int
    columns: tuple[Values, ...]


@frozen
class Sheet:
    """What rows of a run have, in order. Processes that play make pages of them: text where `text` is true."""

    fields: tuple[Field, ...]
    text: bool

    def page(self, count: int, known: dict[str, Values]) -> Page | str:
        """So many rows; what is not known is missing."""
        columns = tuple(known.get(field.name, Same(None)) for field in self.fields)
        return written(count, columns) if self.text else Page(count, columns)


def written(count: int, columns: Sequence[Values]) -> str:
    """Rows as lines of CSV; where all that differs is numbers, by one pattern for all lines."""
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
    """A value that no spreadsheet takes for a formula: text that begins like one has an apostrophe before it."""
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def _cell(column: Values) -> str:
    """A cell of a column that is the same in each row, as it stands in a line."""
    return written(1, (column, Same(None))).removesuffix(",\n")


# ------------------------------------------------------------------ what rows say


def fields(seats: int, before: Sequence[str] = (), tracks: Iterable[str] = ()) -> tuple[Field, ...]:
    """The fields of games with at most so many seats. `before` names those of text that tell games apart, `tracks`
    those of tracks.
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
        *(Field(f"winner.{seat + 1}", "bool") for seat in range(seats)),
        *(Field(f"score.{seat + 1}", "int32") for seat in range(seats)),
        *(Field(name, "int32") for name in tracks),
    )


def track_name(column: Column) -> str:
    """`coins.1`, `coins.sea.2`: a track, the members that also index it, and the seat."""
    return ".".join((column.track, *column.members, str(column.seat + 1)))


def values(columns: Columns, games: Games, seed: int) -> dict[str, Values]:
    """What is known of games, by the names of fields. Of a game that failed there is but the fault."""
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
    """The rows of two pages of so many rows, in turns; what only one has is missing in the other."""

    def of(page: dict[str, Values], name: str) -> Iterable[int | str | None]:
        column = page.get(name, Same(None))
        return repeat(column.value, count) if isinstance(column, Same) else column

    found: dict[str, Values] = {}
    for name in dict.fromkeys((*one, *other)):
        pairs = zip(of(one, name), of(other, name), strict=True)
        found[name] = [value for pair in pairs for value in pair]  # type: ignore[assignment]  # both of one sort
    return found


def refused(first: int, count: int, players: int, seed: int, reason: str) -> dict[str, Values]:
    """What is known of games for which there is no table."""
    return {
        "game": array("q", range(first, first + count)),
        "seed": Same(seed),
        "players": Same(players),
        "fault": Same(REFUSED),
        "rule": Same(reason),
    }
