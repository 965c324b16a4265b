"""Rows about seats in games, stored as columns with the same fields for all games of a run."""

from __future__ import annotations

import csv
import io
import os
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Protocol, Self, TypeVar

from attrs import frozen

from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import MEASURES
from rulewright.tools.common.errors import Usage, check_replaceable
from rulewright.tools.common.output import harmless
from rulewright.tools.simulation.columns import Column, Columns
from rulewright.tools.simulation.output.simulate_report import Report

T = TypeVar("T")
Type = Literal["int32", "int64", "uint64", "float64", "bool", "text"]
REFUSED = "refused"
"""The entry in the column of rule errors for a table that does not exist."""


_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters, after spaces, of cells that spreadsheets evaluate; full-width characters included."""


@frozen
class RowField:
    """A field of a row: its name and the type of its values, each of which may be missing (None)."""

    name: str
    type: Type


@frozen
class ConstantColumn:
    """A column with the same value for each game."""

    value: int | str | None


Values = Sequence[int | None] | Sequence[float | None] | Sequence[str | None] | ConstantColumn
"""A column of a page. Values of type `bool` are 1 and 0."""


@frozen
class RowPage:
    """Rows as columns, in the order of the fields."""

    count: int
    columns: tuple[Values, ...]


@frozen
class RowSchema:
    """The fields of the rows of a run, in order. Worker processes make pages with it: text if `text` is true."""

    fields: tuple[RowField, ...]
    text: bool

    def page(self, known: dict[str, Values], count: int | None = None) -> RowPage | str:
        """Return a page of `count` rows, by default one for each `game`; values of unknown fields are missing."""
        columns = tuple(known.get(field.name, ConstantColumn(None)) for field in self.fields)
        if count is None:
            games = known["game"]
            assert not isinstance(games, ConstantColumn), "each row has its game"
            count = len(games)
        return written(count, columns) if self.text else RowPage(count, columns)


def written(count: int, columns: Sequence[Values]) -> str:
    """Format rows as lines of CSV; if only numbers differ, one pattern formats all lines."""
    numbers = [column for column in columns if isinstance(column, array)]
    if numbers and all(isinstance(column, ConstantColumn | array) for column in columns):
        cells = ["%d" if isinstance(one, array) else _cell(one).replace("%", "%%") for one in columns]
        return "".join(map(f"{','.join(cells)}\n".__mod__, zip(*numbers, strict=True)))
    each = [
        repeat(_cell_text(column.value), count)
        if isinstance(column, ConstantColumn)
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
    return written(1, (column, ConstantColumn(None))).removesuffix(",\n")


# ------------------------------------------------------------------ what rows say

def fields(before: Sequence[str] = (), tracks: Iterable[str] = (), results: bool = False) -> tuple[RowField, ...]:
    """Return the fields of rows about a seat in a game.

    `before` names text fields that distinguish games, `tracks` fields of tracks. `results`: results have names.
    """
    return (
        RowField("game", "int64"),
        RowField("seed", "uint64"),
        RowField("players", "int32"),
        *(RowField(name, "text") for name in before),
        RowField("seat", "int32"),
        RowField("fault", "text"),
        RowField("rule", "text"),
        RowField("place", "text"),
        RowField("decisions", "int32"),
        *((RowField("result", "text"),) if results else ()),
        RowField("began", "bool"),
        RowField("winner", "bool"),
        RowField("score", "int32"),
        *(RowField(name, "int32") for name in dict.fromkeys(tracks)),
    )


def track_name(column: Column) -> str:
    """Return the name of a column: track, and the members that also index it (`coins`, `coins.sea`)."""
    return ".".join((column.track, *column.members))


def values(columns: Columns, results: GameResults, seed: int) -> dict[str, Values]:
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
    return {
        "game": _interleaved([games] * seats),
        "seed": ConstantColumn(seed),
        "players": ConstantColumn(seats),
        "seat": each,
    }


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
    assert not isinstance(games, ConstantColumn), "each row has its game"

    def of(page: dict[str, Values], name: str) -> Sequence[float | str | None]:
        column = page.get(name, ConstantColumn(None))
        return [column.value] * len(games) if isinstance(column, ConstantColumn) else column

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
    return {
        **_numbered(first, count, players, seed),
        "fault": ConstantColumn(REFUSED),
        "rule": ConstantColumn(reason),
    }


# ---- Write a file with a row for each seat of each game, as CSV or Parquet
#
# The file is byte for byte the same for any number of processes. It has a temporary name until it is
# complete. The file of an interrupted run ends before the first missing game.

CSV, PARQUET = ".csv", ".parquet"
GROUP = 65_536
"""Rows in a row group of Parquet, for pages of any size."""


GAMES = "game,seed,players,"
"""How each CSV file of games begins."""


def checked(path: str) -> Path:
    """Return the file named by `--out`, if it can be written. Raises Usage."""
    file = Path(path)
    if file.suffix.lower() not in (CSV, PARQUET):
        raise Usage(f"--out requires a file name that ends in {CSV} or {PARQUET}, not {path!r}")
    if file.is_dir():
        raise Usage(f"--out {path} is a folder; name a file")
    if not file.parent.is_dir():
        raise Usage(f"--out {path}: folder {file.parent} not found")
    if file.suffix.lower() == PARQUET and find_spec("pyarrow") is None:
        raise Usage(
            f"--out {path} requires the package pyarrow; install it with: pip install 'rulewright[parquet]', or "
            f"name a {CSV} file"
        )
    replaceable(file, GAMES)
    return file


def replaceable(file: Path, beginning: str) -> None:
    """Raise Usage if there is a file that is neither Parquet nor CSV that begins with these columns."""
    check_replaceable(file, "--out", b"PAR1" if file.suffix.lower() == PARQUET else re.escape(beginning).encode())


class _Format(Protocol):
    def write(self, page: object) -> None: ...

    def close(self) -> None: ...


class Out:
    """A file being written, as a context manager.

    It gets its name when it is finished, or at the end of the block. After an exception it is removed, and an
    existing file stays. Raises Usage if the file cannot be created or written completely.
    """

    def __init__(self, path: Path, fields: tuple[RowField, ...]) -> None:
        self.path = path
        text = path.suffix.lower() == CSV
        self.there = self._done = False
        self.sheet = RowSchema(fields, text)
        self._making = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            self._file = self._making.open("wb")
        except OSError as error:
            raise Usage(
                f"--out {path}: cannot create a file in {path.parent}: {error.strerror or error}; name a folder "
                "that you can write to"
            ) from None
        self._format: _Format | None = None
        try:
            self._format = _Csv(self._file, fields) if text else _Parquet(self._file, fields)
        except BaseException:
            self.leave()
            raise

    def write(self, page: object) -> None:
        """Add the rows of a page that the sheet made."""
        assert self._format is not None
        with self._or_nothing():
            self._format.write(page)

    def finish(self) -> None:
        """Complete the file and give it its name."""
        assert self._format is not None
        with self._or_nothing():
            self._format.close()
            self._file.close()
            os.replace(self._making, self.path)
        self.there = self._done = True

    def leave(self) -> None:
        """Remove the file."""
        self._done = True
        for part in (self._format, self._file):
            if part is not None:
                with suppress(Exception):  # what is still to be written need not be
                    part.close()
        self._making.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self._done:
            return
        if kind is None:
            self.finish()
        else:
            self.leave()

    @contextmanager
    def _or_nothing(self) -> Iterator[None]:
        """Remove the file if writing fails. Raises Usage."""
        try:
            yield
        except OSError as error:
            self.leave()
            raise Usage(
                f"--out {self.path}: cannot write: {error.strerror or error}; the partial file was removed. Name a "
                "file on a disk with more space, or play fewer games"
            ) from None
        except BaseException:
            self.leave()
            raise


class _Csv:
    """CSV lines in UTF-8 after a line with the names; missing values are empty."""

    def __init__(self, file: IO[bytes], fields: tuple[RowField, ...]) -> None:
        self._file = file
        self.write(written(1, [ConstantColumn(field.name) for field in fields]))

    def write(self, page: object) -> None:
        assert isinstance(page, str)
        self._file.write(page.encode("utf-8"))

    def close(self) -> None: ...


class _Parquet:
    """Parquet row groups of `GROUP` rows; the last can be smaller."""

    def __init__(self, file: IO[bytes], fields: tuple[RowField, ...]) -> None:
        import pyarrow
        from pyarrow import parquet

        self._arrow: Any = pyarrow
        types = {"text": pyarrow.string(), "bool": pyarrow.bool_()}
        self._schema = pyarrow.schema(
            [(field.name, types.get(field.type) or getattr(pyarrow, field.type)()) for field in fields]
        )
        self._writer = parquet.ParquetWriter(file, self._schema)
        self._waiting = self._schema.empty_table()

    def write(self, page: object) -> None:
        assert isinstance(page, RowPage)
        columns = [
            self._column(column, field.type, page.count)
            for column, field in zip(page.columns, self._schema, strict=True)
        ]
        more = self._arrow.Table.from_arrays(columns, schema=self._schema)
        self._waiting = self._arrow.concat_tables([self._waiting, more])
        while self._waiting.num_rows >= GROUP:
            self._group(GROUP)

    def close(self) -> None:
        if self._waiting.num_rows:
            self._group(self._waiting.num_rows)
        self._writer.close()

    def _group(self, count: int) -> None:
        group = self._waiting.slice(0, count).combine_chunks()  # else its pages would tell how it came
        self._writer.write_table(group, row_group_size=GROUP)
        self._waiting = self._waiting.slice(count)

    def _column(self, column: Values, kind: Any, count: int) -> Any:
        arrow = self._arrow
        if isinstance(column, ConstantColumn):
            return arrow.repeat(arrow.scalar(column.value, kind), count)
        if isinstance(column, array):
            whole = arrow.int32() if column.typecode == "i" else arrow.int64()
            return arrow.Array.from_buffers(whole, count, [None, arrow.py_buffer(column)]).cast(kind)
        if kind == arrow.bool_():
            return arrow.array(column, arrow.int32()).cast(kind)
        return arrow.array(column, kind)


# ---- The second file of `--out`, with `--usage`: a row for each thing and each decision about it
#
# `games.csv` comes with `games.definitions.csv`. It holds what `usage_report` says, as columns.

SUFFIX = ".definitions"
COUNTS = ("games", "offered", "chosen", "times", "points", "owned")
_EFFECT: dict[str, Type] = {"": "float64", "_low": "float64", "_high": "float64", "_p": "float64"}
FIELDS = (
    RowField("name", "text"),
    RowField("kind", "text"),
    RowField("decision", "text"),
    *(RowField(name, "int64") for name in COUNTS),
    RowField("share", "float64"),
    *(
        field
        for measure in MEASURES
        for field in (
            *(RowField(f"{measure}{part}", kind) for part, kind in _EFFECT.items()),
            RowField(f"{measure}_significant", "bool"),
        )
    ),
)


def definitions_path(path: Path) -> Path:
    """Return the name of the file that belongs to a file of games."""
    return path.with_name(f"{path.stem}{SUFFIX}{path.suffix}")


def check_definitions(path: Path) -> None:
    """Raise Usage if the file that belongs to a file of games exists and is of another sort."""
    replaceable(definitions_path(path), ",".join(field.name for field in FIELDS[:3]))


def write_definitions(path: Path, usage: Report) -> None:
    """Write the file that belongs to a file of games. Raises Usage if it cannot be written."""
    rows = list(_rows(usage))
    with Out(definitions_path(path), FIELDS) as out:
        columns: dict[str, Values] = {field.name: [row.get(field.name) for row in rows] for field in FIELDS}
        out.write(out.sheet.page(columns, len(rows)))


def _rows(usage: Report) -> Iterator[dict[str, Any]]:
    """Iterate over the rows: choices, then effects and steps, awards, and definitions with what was owned."""
    for entry in usage["choices"]:
        kind = "definition" if entry["definition"] else "option"
        row = {"kind": kind, **{name: entry[name] for name in ("name", "decision", "offered", "chosen", "share")}}
        for measure in MEASURES:
            for name, value in (entry[measure] or {}).items():
                number = int(value) if name == "significant" else value
                row[measure if name == "mean" else f"{measure}_{name}"] = number
        yield row
    for entry in usage["performed"]:
        kind = entry["name"].partition("/")[0]
        yield {"kind": kind, **{name: entry[name] for name in ("name", "times", "games")}}
    for entry in usage["awards"]:
        yield {"kind": "award", "name": entry["name"], "points": entry["points"]}
    for entry in usage["owned"]:
        yield {"kind": "definition", "name": entry["name"], "owned": entry["copies"], "times": entry["used"]}
