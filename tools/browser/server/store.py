"""The store: tables, their readers, and their answers, in one SQLite file.

An answer is committed before it is acknowledged. One thread writes; what waits is committed together. If the file
cannot be written, the server goes on in memory and says so; what is missing is written as soon as that is possible.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define, field, frozen

FORMAT = 1
RETRY = 2.0
"""Seconds until a failed write is tried again."""
MOST_WAITING = 100_000
"""Writes that are kept in memory while the file cannot be written."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
  id INTEGER PRIMARY KEY, spec TEXT NOT NULL, program TEXT NOT NULL, epoch INTEGER NOT NULL DEFAULT 0,
  place TEXT NOT NULL DEFAULT '', over INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS programs (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS readers (
  token TEXT PRIMARY KEY, of INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seats TEXT NOT NULL,
  owner INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
  of INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY (of, number)
) WITHOUT ROWID;
"""
Write: TypeAlias = Callable[[sqlite3.Connection], None]


@frozen
class StoredReader:
    """A reader's token, its seats (none: a spectator), and whether it is the one who opened the table."""

    token: str
    seats: tuple[int, ...]
    owner: bool


@frozen
class StoredTable:
    """A table as it was stored. `lines` are those of its journal, `program` is its table program as JSON."""

    id: int
    spec: dict[str, Any]
    program: str
    epoch: int
    place: str
    over: bool
    readers: tuple[StoredReader, ...]
    lines: tuple[str, ...]


@define
class Store:
    """A file with tables; without a path, nothing is kept. `trouble` says why writing fails, if it does."""

    path: Path | None
    trouble: str = field(init=False, default="")
    _waiting: queue.Queue[tuple[Write, Future[bool]] | None] = field(init=False, factory=queue.Queue)
    _late: list[Write] = field(init=False, factory=list)
    _thread: threading.Thread = field(init=False)
    _opened: threading.Event = field(init=False, factory=threading.Event)
    _found: list[StoredTable] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._thread = threading.Thread(target=self._work, name="rulewright-store", daemon=True)

    def open(self) -> list[StoredTable]:
        """Open the file, and return the tables in it."""
        self._thread.start()
        self._opened.wait()
        return self._found

    async def write(self, *writes: Write) -> bool:
        """Carry out writes together; return whether they are on disk. They are not lost if they fail."""
        done: Future[bool] = Future()
        self._waiting.put((_together(writes), done))
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Finish what waits, and close the file."""
        self._waiting.put(None)
        self._thread.join()

    # -------------------------------------------------------------- the thread

    def _work(self) -> None:
        connection = self._connected()
        self._opened.set()
        while True:
            try:
                first = self._waiting.get(timeout=RETRY if self._late else None)
            except queue.Empty:
                self._commit(connection, [])
                continue
            batch = [first]
            with suppress(queue.Empty):
                while True:
                    batch.append(self._waiting.get_nowait())
            jobs = [one for one in batch if one is not None]
            try:
                saved = self._commit(connection, [write for write, _ in jobs])
            except sqlite3.IntegrityError as error:  # our own fault: nothing of it is written, and all are told
                for _, done in jobs:
                    done.set_exception(error)
            else:
                for _, done in jobs:
                    done.set_result(saved)
            if None in batch:
                connection.close()
                return

    def _commit(self, connection: sqlite3.Connection, writes: Sequence[Write]) -> bool:
        """Write in one transaction, beginning with what could not be written before."""
        todo = [*self._late, *writes]
        try:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                for write in todo:
                    write(connection)
        except sqlite3.IntegrityError:
            connection.rollback()
            raise
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.rollback()
            self._late = todo[-MOST_WAITING:]
            self.trouble = str(error)
            return False
        self._late = []
        if self.path is not None:
            self.trouble = ""
        return self.path is not None

    def _connected(self) -> sqlite3.Connection:
        if self.path is None:
            return _prepared(sqlite3.connect(":memory:", isolation_level=None))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = _prepared(sqlite3.connect(self.path, isolation_level=None, timeout=5))
            self._found = list(_tables(connection))
            return connection
        except (sqlite3.Error, OSError) as error:
            self.trouble, self.path = str(error), None
            return _prepared(sqlite3.connect(":memory:", isolation_level=None))


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Set a connection up: write-ahead log, and a sync of the disk at every commit."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, FORMAT):
        raise sqlite3.DatabaseError(f"the file has format {version}, but this program writes format {FORMAT}")
    connection.executescript(_SCHEMA)
    connection.execute(f"PRAGMA user_version={FORMAT}")
    return connection


def _together(writes: Sequence[Write]) -> Write:
    def write(connection: sqlite3.Connection) -> None:
        for one in writes:
            one(connection)

    return write


def _tables(connection: sqlite3.Connection) -> list[StoredTable]:
    readers: dict[int, list[StoredReader]] = {}
    for token, of, seats, owner in connection.execute("SELECT token, of, seats, owner FROM readers"):
        readers.setdefault(of, []).append(StoredReader(token, tuple(json.loads(seats)), bool(owner)))
    lines: dict[int, list[str]] = {}
    for of, line in connection.execute("SELECT of, line FROM answers ORDER BY of, number"):
        lines.setdefault(of, []).append(line)
    rows = connection.execute(
        "SELECT id, spec, programs.text, epoch, place, over FROM tables JOIN programs ON hash = program ORDER BY id"
    )
    return [
        StoredTable(
            id_, json.loads(spec), text, epoch, place, bool(over),
            tuple(readers.get(id_, ())), tuple(lines.get(id_, ())),
        )
        for id_, spec, text, epoch, place, over in rows
    ]  # fmt: skip


# ------------------------------------------------------------------ writes


def add_table(id_: int, spec: dict[str, Any], program: tuple[str, str], readers: Sequence[StoredReader]) -> Write:
    """Store a new table; `program` is the hash and the text of its table program."""

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR IGNORE INTO programs VALUES (?, ?)", program)
        connection.execute(
            "INSERT INTO tables (id, spec, program) VALUES (?, ?, ?)", (id_, json.dumps(spec), program[0])
        )
        connection.executemany(
            "INSERT INTO readers VALUES (?, ?, ?, ?)",
            [(one.token, id_, json.dumps(one.seats), one.owner) for one in readers],
        )

    return write


def add_answers(of: int, first: int, lines: Sequence[str]) -> Write:
    """Store answers from number `first`."""
    rows = [(of, number, line) for number, line in enumerate(lines, first)]
    return lambda connection: _many(connection, "INSERT INTO answers VALUES (?, ?, ?)", rows)


def cut_answers(of: int, keep: int, epoch: int) -> Write:
    """Keep only the first answers of a table."""

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM answers WHERE of = ? AND number >= ?", (of, keep))
        connection.execute("UPDATE tables SET epoch = ? WHERE id = ?", (epoch, of))

    return write


def set_place(of: int, place: str, over: bool) -> Write:
    """Store where a game is, for the list of tables."""
    return lambda connection: _many(
        connection, "UPDATE tables SET place = ?, over = ? WHERE id = ?", [(place, over, of)]
    )


def set_program(of: int, program: tuple[str, str]) -> Write:
    """Store new rules of a table."""

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR IGNORE INTO programs VALUES (?, ?)", program)
        connection.execute("UPDATE tables SET program = ? WHERE id = ?", (program[0], of))

    return write


def remove_table(of: int) -> Write:
    """Remove a table with its readers and answers, and programs that no table needs any more."""

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM tables WHERE id = ?", (of,))
        connection.execute("DELETE FROM programs WHERE hash NOT IN (SELECT program FROM tables)")

    return write


def _many(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    connection.executemany(statement, rows)
