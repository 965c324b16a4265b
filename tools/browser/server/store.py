"""The store: tables, their readers, and their answers, in one SQLite file.

An answer is committed before it is acknowledged. One thread writes; what waits is committed together. If the file
cannot be written, the server goes on in memory and says so. As soon as that is possible (without a thread: with the
next write), the tables that have changed are written as they are in memory. One server at a time has the file: it
locks it as long as it runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define, field, frozen

from rulewright.tools.common.errors import Usage

# ---- The file of the store: its format, the records in it, and the writes that change them
#
# A write can be carried out twice, and one about a table that is gone does nothing.

FORMAT = 3
_SCHEMA = """
CREATE TABLE tables (
  id INTEGER PRIMARY KEY, spec TEXT NOT NULL, program TEXT NOT NULL, epoch INTEGER NOT NULL DEFAULT 0,
  place TEXT NOT NULL DEFAULT '', over INTEGER NOT NULL DEFAULT 0, files TEXT NOT NULL DEFAULT ''
);
CREATE TABLE files (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE readers (
  token TEXT PRIMARY KEY, of INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seats TEXT NOT NULL,
  owner INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE answers (
  of INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY (of, number)
) WITHOUT ROWID;
"""
_CHANGES = (
    """
ALTER TABLE tables ADD COLUMN files TEXT NOT NULL DEFAULT '';
CREATE TABLE files (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
""",
    "DROP TABLE programs",
)
"""Make a file of one format one of the next: format 2 has the files of packs, format 3 no table programs."""
Write: TypeAlias = Callable[[sqlite3.Connection], None]


@frozen
class StoredReader:
    """A reader's token, its seats (none: a spectator), and whether it is the one who opened the table."""

    token: str
    seats: tuple[int, ...]
    owner: bool


@frozen
class StoredRules:
    """The rules of a table as they are stored: the hash of its table program, and the files of its packs
    (`tools.browser.host.spec`). Tables of one pack share them.
    """

    hash: str
    files: str = field(default="", converter=sys.intern, repr=False)


@frozen
class StoredTable:
    """A table as it was stored. `lines` are those of its journal."""

    id: int
    spec: dict[str, Any]
    rules: StoredRules
    epoch: int
    place: str
    over: bool
    readers: tuple[StoredReader, ...]
    lines: tuple[str, ...]


class Foreign(sqlite3.DatabaseError):
    """The file is not one that this version writes."""


def check_format(connection: sqlite3.Connection) -> int:
    """Return the format of a file, 0 for a new one; raise sqlite3.Error for the files of others."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in range(FORMAT + 1):
        raise Foreign(f"the file has format {version}, but this program reads format {FORMAT}")
    if not version and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise Foreign("the file is the database of another program")
    return version


def prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Set a connection up: the file is locked, has a write-ahead log, and is synced at every commit."""
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        known = check_format(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("BEGIN IMMEDIATE")
        if known < FORMAT:
            for statement in ";".join(_CHANGES[known - 1 :] if known else (_SCHEMA,)).split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def tables_in(connection: sqlite3.Connection) -> list[StoredTable]:
    readers: dict[int, list[StoredReader]] = {}
    every = connection.execute("SELECT token, of, seats, owner FROM readers ORDER BY owner DESC, seats DESC")
    for token, of, seats, owner in every:
        readers.setdefault(of, []).append(StoredReader(token, tuple(json.loads(seats)), bool(owner)))
    lines: dict[int, list[str]] = {}
    for of, number, line in connection.execute("SELECT of, number, line FROM answers ORDER BY of, number"):
        if number == len(lines.setdefault(of, [])):
            lines[of].append(line)
    kept = {"": ""}
    kept_in = "''"
    if check_format(connection) > 1:  # a file that cannot be written keeps its format
        kept |= dict(connection.execute("SELECT hash, text FROM files"))
        kept_in = "files"
    rows = connection.execute(f"SELECT id, spec, program, epoch, place, over, {kept_in} FROM tables ORDER BY id")
    return [
        StoredTable(
            id_, json.loads(spec), StoredRules(name, kept.get(files, "")), epoch, place, bool(over),
            tuple(readers.get(id_, ())), tuple(lines.get(id_, ())),
        )
        for id_, spec, name, epoch, place, over, files in rows
    ]  # fmt: skip


# ------------------------------------------------------------------ writes

def add_table(table: StoredTable) -> Write:
    """Store a new table."""
    return lambda connection: write_whole(connection, table.id, table)


def write_whole(connection: sqlite3.Connection, id_: int, table: StoredTable | None) -> None:
    """Store a table as it is; None removes it."""
    connection.execute("DELETE FROM tables WHERE id = ?", (id_,))
    if table is None:
        _drop_files(connection)
        return
    _keep_rules(connection, table.rules)
    connection.execute(
        "INSERT INTO tables (id, spec, program, epoch, place, over, files) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            id_, json.dumps(table.spec), table.rules.hash, table.epoch, table.place, table.over,
            _hash(table.rules.files),
        ),
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO readers VALUES (?, ?, ?, ?)",
        [(one.token, id_, json.dumps(one.seats), one.owner) for one in table.readers],
    )
    add_answers(id_, 0, table.lines)(connection)


def add_answers(of: int, first: int, lines: Sequence[str]) -> Write:
    """Store answers from number `first`."""
    rows = [(of, number, line, of) for number, line in enumerate(lines, first)]
    statement = "INSERT OR REPLACE INTO answers SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
    return lambda connection: _many(connection, statement, rows)


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


def set_program(of: int, rules: StoredRules) -> Write:
    """Store new rules of a table, or other files of its packs."""

    def write(connection: sqlite3.Connection) -> None:
        _keep_rules(connection, rules)
        values = rules.hash, _hash(rules.files), of
        connection.execute("UPDATE tables SET program = ?, files = ? WHERE id = ?", values)
        _drop_files(connection)

    return write


def remove_table(of: int) -> Write:
    """Remove a table with its readers and answers, and files that no table needs any more."""
    return lambda connection: write_whole(connection, of, None)


def _keep_rules(connection: sqlite3.Connection, rules: StoredRules) -> None:
    if rules.files:
        connection.execute("INSERT OR IGNORE INTO files VALUES (?, ?)", (_hash(rules.files), rules.files))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest() if text else ""


def _drop_files(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM files WHERE hash NOT IN (SELECT files FROM tables)")


def _many(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    connection.executemany(statement, rows)


# ---- Store

WAIT = 0.5
"""Seconds to wait for a file that another server may be about to leave."""
RETRY = 2.0
"""Seconds until a failed write is tried again."""
LOCKED, NO_DATABASE, DAMAGED = sqlite3.SQLITE_BUSY, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT
Connect: TypeAlias = Callable[[Path], sqlite3.Connection]


@frozen
class _Job:
    """Writes about one table, and who waits for them."""

    table: int
    writes: Sequence[Write]
    done: Future[bool]


def connected(path: Path) -> sqlite3.Connection:
    """Open or make a file."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return sqlite3.connect(path, isolation_level=None, timeout=WAIT)


@define
class Store:
    """A file with tables; without a path, nothing is kept. `trouble` says why writing fails, if it does.

    `whole` returns a table as it is in memory; None if it was removed. `told` is called when `trouble` changes.
    """

    path: Path | None
    connect: Connect = connected
    threaded: bool = True
    """Whether a thread writes. Without one, each write waits for the disk."""
    whole: Callable[[int], StoredTable | None] = field(init=False, default=lambda _: None)
    told: Callable[[], None] = field(init=False, default=lambda: None)
    trouble: str = field(init=False, default="")
    _connection: sqlite3.Connection | None = field(init=False, default=None)
    _unsaved: set[int] = field(init=False, factory=set)
    _again: float = field(init=False, default=0.0)
    _waiting: queue.Queue[_Job | None] = field(init=False, factory=queue.Queue)
    _thread: threading.Thread | None = field(init=False, default=None)
    _opened: Future[list[StoredTable]] = field(init=False, factory=Future)

    def open(self) -> list[StoredTable]:
        """Open the file, and return the tables in it.

        Raises Usage if another server has the file, or if it is none of ours. It is left as it was.
        """
        if self.path is None or not self.threaded:
            return self._open()
        self._thread = threading.Thread(target=self._work, name="rulewright-store", daemon=True)
        self._thread.start()
        return self._opened.result()

    async def write(self, table: int, *writes: Write) -> bool:
        """Carry out writes about a table together; return whether they are on disk. If not, they are made later."""
        if self.path is None:
            return False
        if self._thread is None:
            self._carry_out([job := _Job(table, writes, Future())], last=False)
            return job.done.result()
        done: Future[bool] = Future()
        done.set_running_or_notify_cancel()  # who waits may be cancelled, but not the write
        self._waiting.put(_Job(table, writes, done))
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Finish what waits, and close the file."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        elif self._connection is not None:
            self._carry_out((), last=True)
            self._connection.close()

    # -------------------------------------------------------------- the thread

    def _work(self) -> None:
        try:
            found = self._open()
        except Exception as error:  # for whoever opens the store
            self._opened.set_exception(error)
            return
        self._opened.set_result(found)
        while True:
            batch = self._next()
            self._carry_out([job for job in batch if job is not None], last=None in batch)
            if None in batch:
                if self._connection is not None:
                    self._connection.close()
                return

    def _next(self) -> list[_Job | None]:
        """Wait for work, and return all that is there; nothing if it is time to write what could not be written."""
        batch: list[_Job | None] = []
        with suppress(queue.Empty):
            batch.append(self._waiting.get(timeout=RETRY if self._unsaved else None))
            while True:
                batch.append(self._waiting.get_nowait())
        return batch

    def _carry_out(self, jobs: Sequence[_Job], last: bool) -> None:
        if not jobs and not self._unsaved:
            return
        if self._unsaved and not last and time.monotonic() < self._again:
            self._unsaved.update(job.table for job in jobs)
            self._reply(jobs, False)
            return
        try:
            self._commit(jobs)
        except (sqlite3.Error, OSError) as error:
            self._failed(error, jobs)
            self._reply(jobs, False)
            return
        self._unsaved.clear()
        self._say("")
        self._reply(jobs, True)

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Write in one transaction, beginning with the tables that could not be written before."""
        connection = self._connection or self._connect_late()
        try:
            connection.execute("BEGIN IMMEDIATE")
            for table in self._unsaved:
                write_whole(connection, table, self.whole(table))
            for job in jobs:
                for write in job.writes:
                    write(connection)
            connection.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                connection.rollback()
            raise

    def _failed(self, error: Exception, jobs: Sequence[_Job]) -> None:
        self._unsaved.update(job.table for job in jobs)
        self._again = time.monotonic() + RETRY
        self._say(_reason(error))

    def _say(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self.told()

    @staticmethod
    def _reply(jobs: Sequence[_Job], saved: bool) -> None:
        for job in jobs:
            job.done.set_result(saved)

    # -------------------------------------------------------------- the file

    def _open(self) -> list[StoredTable]:
        """Open the file, and return what is in it; if that fails for want of room or rights, go on without it."""
        if self.path is None:
            return []
        try:
            self._connection = prepared(self.connect(self.path))
            return tables_in(self._connection)
        except (sqlite3.Error, OSError) as error:
            _check_ours(error, self.path)
            self.trouble = _reason(error)
            return self._without_writing(self.path)

    def _without_writing(self, path: Path) -> list[StoredTable]:
        """Read a file that cannot be written."""
        if not path.exists() or not path.stat().st_size:
            return []
        try:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            try:
                check_format(connection)
                return tables_in(connection)
            finally:
                connection.close()
        except sqlite3.Error as error:
            _check_ours(error, path)
            raise Usage(
                f"{path} cannot be read ({error}); make it readable, or name another folder with --data"
            ) from None

    def _connect_late(self) -> sqlite3.Connection:
        """Open the file after it could not be opened for writing. Raises sqlite3.Error or OSError."""
        assert self.path is not None
        connection = prepared(self.connect(self.path))
        self._connection = connection
        return connection


def _check_ours(error: Exception, path: Path) -> None:
    """Raise Usage if the file is in use, damaged, or none of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    if primary == LOCKED:
        raise Usage(
            f"another server uses {path}; open its address, stop it, or name another folder with --data"
        ) from None
    if primary in (NO_DATABASE, DAMAGED) or isinstance(error, Foreign):
        raise Usage(
            f"{path} cannot be used: {error}. It is left as it is; move it away, or name another folder with --data"
        ) from None


def _reason(error: Exception) -> str:
    """Return why a file cannot be used, without its path: guests read it."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
