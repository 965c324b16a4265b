"""Write a file with a row for each seat of each game, as CSV or Parquet.

The file is byte for byte the same for any number of processes. It has a temporary name until it is complete. The
file of an interrupted run ends before the first missing game.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self

from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output_files import check_replaceable
from rulewright.tools.simulation.output.rows import Field, Page, Same, Sheet, Values, written

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

    def __init__(self, path: Path, fields: tuple[Field, ...]) -> None:
        self.path = path
        text = path.suffix.lower() == CSV
        self.there = self._done = False
        self.sheet = Sheet(fields, text)
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

    def __init__(self, file: IO[bytes], fields: tuple[Field, ...]) -> None:
        self._file = file
        self.write(written(1, [Same(field.name) for field in fields]))

    def write(self, page: object) -> None:
        assert isinstance(page, str)
        self._file.write(page.encode("utf-8"))

    def close(self) -> None: ...


class _Parquet:
    """Parquet row groups of `GROUP` rows; the last can be smaller."""

    def __init__(self, file: IO[bytes], fields: tuple[Field, ...]) -> None:
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
        assert isinstance(page, Page)
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
        if isinstance(column, Same):
            return arrow.repeat(arrow.scalar(column.value, kind), count)
        if isinstance(column, array):
            whole = arrow.int32() if column.typecode == "i" else arrow.int64()
            return arrow.Array.from_buffers(whole, count, [None, arrow.py_buffer(column)]).cast(kind)
        if kind == arrow.bool_():
            return arrow.array(column, arrow.int32()).cast(kind)
        return arrow.array(column, kind)
