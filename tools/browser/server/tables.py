"""The tables of the server: who reads them, whose turn it is, and what has to be stored."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from attrs import define, field, frozen

from tools.browser.host.spec import TableSpec, spec_of
from tools.browser.server import store as stored
from tools.browser.server.store import Store, StoredReader, StoredTable
from tools.browser.server.workers import WorkerFailure, Workers
from tools.browser.words import words_of

MOST_TABLES = 500
MOST_STREAMS = 24
"""Open streams of one table."""
SPECTATOR = -1
TOKEN_BYTES = 18
SPEEDS = (0, 250, 600, 1500)
"""Milliseconds between two answers of bots that a reader can choose from."""
IDLE = 0.004
"""Seconds between two rounds of bots that play at once, so that others are served."""


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


@frozen
class Shown:
    """What a reader's page shows: a seat (or `SPECTATOR`), or the curtain before it."""

    seat: int
    curtain: bool = False


@define
class Vote:
    """A wish to take back an answer, and the readers who agree."""

    seat: int
    agreed: set[str] = field(factory=set)


@define
class Table:
    """One table. `lines` are those of its journal; `generation` is that of the worker that has it."""

    number: int
    spec: TableSpec
    program: str
    readers: dict[str, Reader]
    epoch: int = 0
    lines: list[str] = field(factory=list)
    status: dict[str, Any] = field(factory=dict)
    generation: int = -1
    paused: bool = False
    trouble: str = ""
    """Why the game cannot go on; empty if it can."""
    vote: Vote | None = None
    overlay: dict[str, Any] | None = None
    """Findings in a saved pack, while the old rules stay in force; or what changed when new ones were adopted."""
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
        if reader.facing is not None and (reader.facing in asked or not asked):
            return Shown(reader.facing)
        return Shown(asked[0] if asked else reader.seats[0], curtain=True)

    def changed(self) -> None:
        """Wake all streams."""
        for listener in self.listeners:
            listener.set()


@define
class Tables:
    """All tables, their workers, and the store."""

    workers: Workers
    store: Store
    _tables: dict[int, Table] = field(init=False, factory=dict)
    _tokens: dict[str, Table] = field(init=False, factory=dict)
    _next: int = field(init=False, default=1)

    def load(self) -> None:
        """Take over the tables of the store; they are opened when somebody reads them."""
        for one in self.store.open():
            table = _restored(one)
            self._add(table)
            self._next = max(self._next, table.number + 1)

    def __iter__(self) -> Iterator[Table]:
        return iter(sorted(self._tables.values(), key=lambda table: -table.number))

    def find(self, token: str) -> tuple[Table, Reader]:
        """Return the table and the reader of a token. Raises Refused."""
        table = self._tokens.get(token)
        if table is None:
            raise Refused("no such table", 404)
        return table, table.reader(token)

    # -------------------------------------------------------------- making

    async def create(self, data: dict[str, Any], links: Iterable[int] = ()) -> tuple[Table, Reader]:
        """Make a table. `links` are the seats that people play by a link of their own. Raises Refused."""
        if len(self._tables) >= MOST_TABLES:
            raise Refused(f"there are {MOST_TABLES} tables; remove one in the lobby", 429)
        spec = spec_of(data)
        by_link = [seat for seat in spec.persons if seat in set(links)]
        here = tuple(seat for seat in spec.persons if seat not in by_link)
        readers = [Reader(_token(), here, owner=True)]
        readers += [Reader(_token(), (seat,)) for seat in by_link]
        if here:
            readers.append(Reader(_token(), ()))
        table = Table(self._next, spec, "", {reader.token: reader for reader in readers})
        self._next += 1
        await self._open(table)
        self._add(table)
        await self.store.write(
            stored.add_table(
                table.number, spec.data(), (str(table.status["program"]), table.program),
                [StoredReader(one.token, one.seats, one.owner) for one in readers],
            )
        )  # fmt: skip
        self.drive(table)
        return table, readers[0]

    async def remove(self, table: Table) -> None:
        """Remove a table for good."""
        if table.bots is not None:
            table.bots.cancel()
        self._tables.pop(table.number, None)
        for token in table.readers:
            self._tokens.pop(token, None)
        table.changed()
        with suppress(WorkerFailure):
            await self.workers.of(table.number).ask({"do": "close", "table": str(table.number)})
        await self.store.write(stored.remove_table(table.number))

    # -------------------------------------------------------------- asking the worker

    async def ask(self, table: Table, do: str, **more: Any) -> Any:
        """Ask a table's worker, which opens the table first if it does not have it. Raises WorkerFailure."""
        worker = self.workers.of(table.number)
        await worker.start()
        if table.generation != worker.generation:
            async with table.lock:
                if table.generation != worker.generation:
                    await self._open(table)
        return await worker.ask(
            {"do": do, "table": str(table.number), "language": table.spec.language, **more}
        )

    async def _open(self, table: Table) -> None:
        worker = self.workers.of(table.number)
        await worker.start()
        found = await worker.ask(
            {
                "do": "open", "table": str(table.number), "spec": table.spec.data(), "entries": table.lines,
                "epoch": table.epoch, "program": table.program, "language": table.spec.language,
            }
        )  # fmt: skip
        table.generation = worker.generation
        table.program = found.pop("text", "") or table.program
        table.status = found

    # -------------------------------------------------------------- playing

    async def answer(self, table: Table, reader: Reader, seat: int, stamp: str, keys: list[str]) -> str:
        """Answer for a seat of a reader. Returns why it was refused; empty once the answer is stored."""
        if seat not in reader.seats:
            raise Refused("this link does not play that seat", 403)
        try:
            found = await self.ask(table, "answer", seat=seat, stamp=stamp, keys=keys)
        except WorkerFailure as failure:
            return str(failure)
        if "refused" in found:
            return str(found["refused"])
        table.vote = None
        await self._taken(table, found)
        self.drive(table)
        return ""

    async def _taken(self, table: Table, found: dict[str, Any]) -> None:
        """Store new answers, then tell everybody."""
        first = len(table.lines)
        table.lines += found["entries"]
        table.status = found["status"]
        writes = [stored.add_answers(table.number, first, found["entries"])]
        writes.append(stored.set_place(table.number, str(table.status["where"]), table.over))
        await self.store.write(*writes)
        table.changed()

    def drive(self, table: Table) -> None:
        """Let bots play in the background, if it is their turn."""
        running = table.bots is not None and not table.bots.done()
        if not running and not table.paused and not table.over and not table.trouble:
            table.bots = asyncio.create_task(self._bots(table))

    async def _bots(self, table: Table) -> None:
        try:
            while not table.paused and not table.over:
                if table.generation >= 0 and not table.status.get("bot"):
                    return
                if table.spec.speed:
                    await asyncio.sleep(table.spec.speed / 1000)
                    if table.paused:
                        return
                if not await self.step(table, 1 if table.spec.speed else 40):
                    return
                await asyncio.sleep(IDLE)
        except WorkerFailure as failure:
            table.trouble = str(failure)
            table.changed()

    async def step(self, table: Table, most: int = 1) -> int:
        """Let bots give some answers; return how many. Raises WorkerFailure."""
        found = await self.ask(table, "bots", most=most)
        if found["entries"]:
            await self._taken(table, found)
        else:
            table.status = found["status"]
        return len(found["entries"])

    async def undo(self, table: Table, reader: Reader) -> str:
        """Take back a reader's last answer if all players agree, else ask them. Returns a message, if any."""
        seat = self._seat(table, reader)
        others = [one for one in table.players() if one.token != reader.token]
        if others:
            table.vote = Vote(seat, {reader.token})
            table.changed()
            return ""
        return await self._undone(table, seat)

    async def agree(self, table: Table, reader: Reader, agrees: bool) -> str:
        """Agree to take back an answer, or not."""
        if table.vote is None or not reader.seats:
            return ""
        if not agrees:
            table.vote = None
            table.changed()
            return ""
        table.vote.agreed.add(reader.token)
        if all(one.token in table.vote.agreed for one in table.players()):
            return await self._undone(table, table.vote.seat)
        table.changed()
        return ""

    async def _undone(self, table: Table, seat: int) -> str:
        table.vote = None
        try:
            found = await self.ask(table, "undo", seat=seat)
        except WorkerFailure as failure:
            return str(failure)
        if not found["undone"]:
            return table.words["nothing-to-undo"]
        table.status, table.trouble = found["status"], ""
        table.epoch = int(table.status["epoch"])
        del table.lines[int(table.status["answers"]) :]
        writes = [stored.cut_answers(table.number, len(table.lines), table.epoch)]
        writes.append(stored.set_place(table.number, str(table.status["where"]), table.over))
        await self.store.write(*writes)
        table.changed()
        self.drive(table)
        return ""

    def _seat(self, table: Table, reader: Reader) -> int:
        """Return the seat at a reader's screen. Raises Refused for spectators."""
        if not reader.seats:
            raise Refused("spectators do not play", 403)
        return table.shown(reader).seat

    def _add(self, table: Table) -> None:
        self._tables[table.number] = table
        for token in table.readers:
            self._tokens[token] = table


def _restored(one: StoredTable) -> Table:
    readers = {kept.token: Reader(kept.token, kept.seats, kept.owner) for kept in one.readers}
    status = {"where": one.place, "over": one.over, "asked": [], "bot": True, "answers": len(one.lines)}
    return Table(one.id, spec_of(one.spec), one.program, readers, one.epoch, [*one.lines], status)


def _token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)
