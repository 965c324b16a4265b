"""One table of the server: who reads it, whose turn it is, and what the store keeps of it."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterable
from typing import Any

from attrs import Factory, define, field, frozen

from rulewright.tools.browser.host.spec import TableSpec, spec_of
from rulewright.tools.browser.server.rows import StoredReader, StoredRules, StoredTable
from rulewright.tools.browser.words import words_of

SPECTATOR = -1
TOKEN_BYTES = 18


class Refused(Exception):  # noqa: N818 - for the person who asked
    """A request that is refused; the message says why, `status` is that of HTTP."""

    def __init__(self, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.status = status


@define
class Reader:
    """Somebody with a link: the seats that they play (none: a spectator), and the one at the screen."""

    token: str
    seats: tuple[int, ...]
    owner: bool = False
    facing: int | None = None
    whole_log: bool = False
    """Whether the log is shown from the start of the game."""


@frozen
class Shown:
    """What a reader's page shows: a seat (or `SPECTATOR`), or the curtain before it."""

    seat: int
    curtain: bool = False


@define
class Vote:
    """A wish to take back an answer, and the readers who agree.

    `wish` names it: it is that of a seat after so many answers of an epoch.
    """

    seat: int
    wish: str
    agreed: set[str] = field(factory=set)


@frozen
class Sought:
    """A card that a table was opened for: its name, and the options of seat 1 that play it, after its answers."""

    name: str
    keys: tuple[str, ...]
    answers: int


@define
class Table:
    """One table. `lines` are those of its journal; `generation` is that of the worker that has it.

    `slow`: it would keep others waiting, so it is with the worker for slow tables. `lock` is held while a worker
    opens it.
    """

    number: int
    spec: TableSpec
    rules: StoredRules
    readers: dict[str, Reader]
    epoch: int = 0
    lines: list[str] = field(factory=list)
    status: dict[str, Any] = field(factory=dict)
    generation: int = -1
    slow: bool = False
    paused: bool = False
    speed: int = field(default=Factory(lambda table: table.spec.speed, takes_self=True))
    """Milliseconds between two answers of bots; at first those of the specification."""
    trouble: str = ""
    """Why the game cannot go on; empty if it can."""
    vote: Vote | None = None
    saved: dict[str, Any] | None = None
    """What became of the last save of the pack (`tools.browser.host.renewing`), as long as it is shown."""
    sought: Sought | None = None
    folders: tuple[str, ...] = ()
    """The folders of the packs; empty until the table is opened."""
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    listeners: set[asyncio.Event] = field(factory=set)
    bots: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.status.get("over"))

    @property
    def words(self) -> dict[str, str]:
        """The words of the table's language."""
        return words_of(self.spec.language)

    @property
    def found(self) -> Sought | None:
        """The card that the table was opened for, while it is at the moment in which that can be played."""
        at = self.sought is not None and own_answers(self.lines, 0) == self.sought.answers
        return self.sought if at and 0 in self.status.get("asked", ()) else None

    def reader(self, token: str) -> Reader:
        """Return the reader with a token. Raises Refused."""
        for known, reader in self.readers.items():
            if secrets.compare_digest(known, token):
                return reader
        raise Refused("no such table", 404)

    def players(self) -> list[Reader]:
        """Return the readers who play seats."""
        return [reader for reader in self.readers.values() if reader.seats]

    def shown(self, reader: Reader) -> Shown:
        """Return what a reader sees now: with several seats, the one that is asked, behind a curtain at first."""
        if not reader.seats:
            return Shown(SPECTATOR)
        if len(reader.seats) == 1:
            return Shown(reader.seats[0])
        asked = [seat for seat in self.status.get("asked", ()) if seat in reader.seats]
        if self.over and reader.facing is None:
            return Shown(reader.seats[0])
        if reader.facing is not None and (reader.facing in asked or not asked):
            return Shown(reader.facing)
        return Shown(asked[0] if asked else reader.seats[0], curtain=True)

    def changed(self) -> None:
        """Wake all streams."""
        for listener in self.listeners:
            listener.set()


def seat_of(line: str) -> int:
    """Return the seat of a line of a journal."""
    return int(json.loads(line)[1])


def own_answers(lines: Iterable[str], seat: int) -> int:
    """Return how many lines of a journal are answers of a seat."""
    return sum(1 for line in lines if seat_of(line) == seat)


def restored(one: StoredTable) -> Table:
    """Return a table as it was stored. Raises Usage."""
    readers = {kept.token: Reader(kept.token, kept.seats, kept.owner) for kept in one.readers}
    status = {"where": one.place, "over": one.over, "asked": [], "bot": True, "answers": len(one.lines)}
    return Table(one.id, spec_of(one.spec), one.rules, readers, one.epoch, [*one.lines], status)


def stored_form(table: Table) -> StoredTable:
    """Return a table as it is stored."""
    readers = tuple(StoredReader(one.token, one.seats, one.owner) for one in [*table.readers.values()])
    place = str(table.status.get("where", ""))
    lines = tuple(table.lines)
    return StoredTable(table.number, table.spec.data(), table.rules, table.epoch, place, table.over, readers, lines)


def new_token() -> str:
    """Return an address that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)
