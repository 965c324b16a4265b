"""The file of the store: its format, the records in it, and the writes that change them.

A write can be carried out twice, and one about a table that is gone does nothing.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from attrs import field, frozen

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
    (`tools.browser.host.kept_files`). Tables of one pack share them.
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
