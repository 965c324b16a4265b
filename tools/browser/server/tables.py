"""The tables of the server: made, opened in workers, played, and stored."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from attrs import Factory, define, field, frozen

from rulewright.tools.browser.host.spec import TableSpec, spec_of
from rulewright.tools.browser.server import store as stored
from rulewright.tools.browser.server.store import Store, StoredReader, StoredRules, StoredTable
from rulewright.tools.browser.server.workers import SLOW, ServerWorkers, Worker, WorkerFailure
from rulewright.tools.browser.words import words_of
from rulewright.tools.packs import loading

# ---- One table of the server: who reads it, whose turn it is, and what the store keeps of it

SPECTATOR = -1
TOKEN_BYTES = 18


class RequestRefused(Exception):  # noqa: N818 - for the person who asked
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
class ShownTo:
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
class ServerTable:
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
    """What became of the last save of the pack (`tools.browser.host.requests`), as long as it is shown."""
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
        raise RequestRefused("no such table", 404)

    def players(self) -> list[Reader]:
        """Return the readers who play seats."""
        return [reader for reader in self.readers.values() if reader.seats]

    def shown(self, reader: Reader) -> ShownTo:
        """Return what a reader sees now: with several seats, the one that is asked, behind a curtain at first."""
        if not reader.seats:
            return ShownTo(SPECTATOR)
        if len(reader.seats) == 1:
            return ShownTo(reader.seats[0])
        asked = [seat for seat in self.status.get("asked", ()) if seat in reader.seats]
        if self.over and reader.facing is None:
            return ShownTo(reader.seats[0])
        if reader.facing is not None and (reader.facing in asked or not asked):
            return ShownTo(reader.facing)
        return ShownTo(asked[0] if asked else reader.seats[0], curtain=True)

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


def restored(one: StoredTable) -> ServerTable:
    """Return a table as it was stored. Raises Usage."""
    readers = {kept.token: Reader(kept.token, kept.seats, kept.owner) for kept in one.readers}
    status = {"where": one.place, "over": one.over, "asked": [], "bot": True, "answers": len(one.lines)}
    return ServerTable(one.id, spec_of(one.spec), one.rules, readers, one.epoch, [*one.lines], status)


def stored_form(table: ServerTable) -> StoredTable:
    """Return a table as it is stored."""
    readers = tuple(StoredReader(one.token, one.seats, one.owner) for one in [*table.readers.values()])
    place = str(table.status.get("where", ""))
    lines = tuple(table.lines)
    return StoredTable(table.number, table.spec.data(), table.rules, table.epoch, place, table.over, readers, lines)


def new_token() -> str:
    """Return an address that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


# ---- Tables

MOST_TABLES = 500
MOST_TRIED = 1_000
SLOW_PACK = 4.0
"""A pack that takes so long to compile and open is kept away from the workers of others (in seconds)."""
IDLE = 0.004
"""Seconds between two rounds of bots that play at once, so that others are served."""

T = TypeVar("T")


@define
class Tables:
    """All tables, their workers, and the store."""

    workers: ServerWorkers
    store: Store
    _tables: dict[int, ServerTable] = field(init=False, factory=dict)
    _tokens: dict[str, ServerTable] = field(init=False, factory=dict)
    _next: int = field(init=False, default=1)
    _tried: dict[tuple[str, ...], bool] = field(init=False, factory=dict)
    """The packs that were played so far, with whether they are slow."""
    _changes: set[asyncio.Task[Any]] = field(init=False, factory=set)
    _making: int = field(init=False, default=0)
    opened: Callable[[ServerTable], None] = field(init=False, default=lambda table: None)
    """Called when a worker has opened a table, whose folders are then known."""

    def load(self) -> None:
        """Take over the tables of the store; they are opened when somebody reads them. Raises Usage."""
        for one in self.store.open():
            table = restored(one)
            self._add(table)
            self._next = max(self._next, table.number + 1)
        self.store.whole = self._whole

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tell all readers when the store fails, and when it works again."""

        def told() -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._all_changed)

        self.store.told = told

    def _all_changed(self) -> None:
        for table in self._tables.values():
            table.changed()

    def _whole(self, number: int) -> StoredTable | None:
        """Return a table for the store, whose thread calls this."""
        table = self._tables.get(number)
        return stored_form(table) if table is not None else None

    def __iter__(self) -> Iterator[ServerTable]:
        return iter(sorted(self._tables.values(), key=lambda table: -table.number))

    def find(self, token: str) -> tuple[ServerTable, Reader]:
        """Return the table and the reader of a token. Raises Refused."""
        table = self._tokens.get(token)
        if table is None:
            raise RequestRefused("no such table", 404)
        return table, table.reader(token)

    # -------------------------------------------------------------- making

    async def create(
        self, data: dict[str, Any], links: Iterable[int] = (), rules: StoredRules | None = None,
        lines: Sequence[str] = (),
    ) -> tuple[ServerTable, Reader]:  # fmt: skip
        """Make a table. `links` are the seats that people play by a link of their own. Raises Refused.

        It begins after the answers of `lines`, under these rules, if given.
        """
        if len(self._tables) + self._making >= MOST_TABLES:
            raise RequestRefused(f"there are {MOST_TABLES} tables; remove one in the lobby", 429)
        spec = spec_of(data)
        by_link = [seat for seat in spec.persons if seat in set(links)]
        here = tuple(seat for seat in spec.persons if seat not in by_link)
        readers = [Reader(new_token(), here, owner=True)]
        readers += [Reader(new_token(), (seat,)) for seat in by_link]
        if here:
            readers.append(Reader(new_token(), ()))
        known = {reader.token: reader for reader in readers}
        table = ServerTable(self._next, spec, rules or StoredRules(""), known, 0, [*lines])
        self._next += 1
        self._making += 1
        try:
            await self._open(table)
        finally:
            self._making -= 1
        self._add(table)
        await self.store.write(table.number, stored.add_table(stored_form(table)))
        self.drive(table)
        return table, readers[0]

    async def remove(self, table: ServerTable) -> None:
        """Remove a table for good."""
        if table.bots is not None:
            table.bots.cancel()
        self._tables.pop(table.number, None)
        for token in table.readers:
            self._tokens.pop(token, None)
        table.changed()
        self._forget(self._worker(table), table)
        await self.store.write(table.number, stored.remove_table(table.number))

    # -------------------------------------------------------------- asking the worker

    async def ask(self, table: ServerTable, do: str, **more: Any) -> Any:
        """Ask a table's worker, which opens the table first if it does not have it. Raises WorkerFailure.

        Raises Refused for a table that was removed: no worker opens it again. A failure names the packs without the
        folders of this computer, since guests read it.
        """
        try:
            return await self._asked_again(table, do, more)
        except WorkerFailure as failure:
            raise failure.naming((table.spec.pack, *table.spec.more)) from failure

    async def _asked_again(self, table: ServerTable, do: str, more: dict[str, Any]) -> Any:
        """Ask a second time if the worker has lost the table: answers that it did not report are not there."""
        try:
            return await self._asked(table, do, more)
        except WorkerFailure as failure:
            if failure.code not in ("closed", "stopped"):
                raise
        return await self._asked(table, do, more)

    async def _asked(self, table: ServerTable, do: str, more: dict[str, Any]) -> Any:
        async with table.lock:
            if self._tables.get(table.number) is not table:
                raise RequestRefused("no such table", 404)
            if table.generation != self._worker(table).generation:
                await self._open(table)
                self.drive(table)
        worker = self._worker(table)
        request = {"do": do, "table": str(table.number), "language": table.spec.language, **more}
        try:
            found, seconds = await worker.timed(request)
        except WorkerFailure as failure:
            if failure.code != "refused" and (failure.code, do) != ("rule-error", "answer"):
                table.generation = -1  # the worker has forgotten it
            if failure.code == "limit":
                table.slow = True
            raise
        if seconds > SLOW and not table.slow:
            table.slow, table.generation = True, -1
            self._forget(worker, table)
        return found

    def _forget(self, worker: Worker, table: ServerTable) -> None:
        """Let a worker forget a table, without waiting for it: what it has just answered is not stored yet."""

        async def forget() -> None:
            with suppress(WorkerFailure):
                await worker.ask({"do": "close", "table": str(table.number)})

        task = asyncio.create_task(forget())
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)

    def _worker(self, table: ServerTable) -> Worker:
        return self.workers.slow if table.slow else self.workers.of(table.number)

    async def _open(self, table: ServerTable) -> None:
        """Open a table in its worker. Packs that nobody has played so far are tried where they delay no table."""
        spec = table.spec
        request = {
            "do": "open", "table": str(table.number), "spec": spec.data(), "entries": [*table.lines],
            "epoch": table.epoch, "program": table.rules.hash, "files": table.rules.files,
            "language": spec.language,
        }  # fmt: skip
        pack = spec.pack, *spec.more, *spec.options
        if pack not in self._tried and not _shipped(spec.pack, *spec.more):
            _, seconds = await self.workers.desk.timed(request)
            self._forget(self.workers.desk, table)
            if len(self._tried) >= MOST_TRIED:
                self._tried.clear()
            self._tried[pack] = seconds > SLOW_PACK
        table.slow = table.slow or self._tried.get(pack, False)
        worker = self._worker(table)
        await worker.start()
        generation = worker.generation
        found = await worker.ask(request)
        table.generation = generation
        files = found.pop("files", "")
        table.rules = StoredRules(str(found["program"]), files or table.rules.files)
        if files and self._tables.get(table.number) is table:
            await self.store.write(table.number, stored.set_program(table.number, table.rules))
        table.folders = tuple(found.pop("folders", ()))
        table.status = found
        if table.folders:
            self.opened(table)

    # -------------------------------------------------------------- playing

    async def _to_its_end(self, change: Coroutine[Any, Any, T]) -> T:
        """Carry out a change also if whoever asked for it goes away: worker, memory, and store must agree."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    async def answer(self, table: ServerTable, reader: Reader, seat: int, stamp: str, keys: list[str]) -> str:
        """Answer for a seat of a reader. Returns why it was refused; empty once the answer is stored."""
        if seat not in reader.seats:
            raise RequestRefused("this link does not play that seat", 403)
        return await self._to_its_end(self._answer(table, seat, stamp, keys))

    async def _answer(self, table: ServerTable, seat: int, stamp: str, keys: list[str]) -> str:
        try:
            found = await self.ask(table, "answer", seat=seat, stamp=stamp, keys=keys)
        except WorkerFailure as failure:
            return str(failure)
        if "refused" in found:
            return str(found["refused"])
        if found["entries"]:
            table.vote = None
        if table.saved is not None and "status" in table.saved:
            table.saved = None  # what was adopted is shown until the next answer
        await self.taken(table, found)
        self.drive(table)
        return ""

    async def taken(self, table: ServerTable, found: dict[str, Any]) -> None:
        """Store new answers, then tell everybody."""
        first = len(table.lines)
        table.lines += found["entries"]
        table.status = found["status"]
        if table.over:
            table.vote = None
        writes = [stored.add_answers(table.number, first, found["entries"])]
        writes.append(stored.set_place(table.number, str(table.status["where"]), table.over))
        await self.store.write(table.number, *writes)
        table.changed()

    def drive(self, table: ServerTable) -> None:
        """Let bots play in the background, if it is their turn."""
        running = table.bots is not None and not table.bots.done()
        if not running and not table.paused and not table.over and not table.trouble:
            table.bots = asyncio.create_task(self._bots(table))

    async def _bots(self, table: ServerTable) -> None:
        try:
            while not table.paused and not table.over:
                if table.generation >= 0 and not table.status.get("bot"):
                    return
                if table.speed:
                    await asyncio.sleep(table.speed / 1000)
                    if table.paused:
                        return
                if not await self.step(table, 1 if table.speed else 40):
                    return
                await asyncio.sleep(IDLE)
        except RequestRefused:  # the table was removed
            return
        except WorkerFailure as failure:
            table.trouble = str(failure)
            table.changed()

    async def step(self, table: ServerTable, most: int = 1) -> int:
        """Let bots give some answers; return how many. Raises WorkerFailure."""
        return await self._to_its_end(self._step(table, most))

    async def _step(self, table: ServerTable, most: int) -> int:
        found = await self.ask(table, "bots", most=most)
        table.trouble = ""
        if found["entries"]:
            await self.taken(table, found)
        else:
            table.status = found["status"]
        return len(found["entries"])

    async def undo(self, table: ServerTable, reader: Reader) -> str:
        """Take back a reader's last answer if all players agree, else ask them. Returns a message, if any."""
        seat = self._seat(table, reader)
        if table.over:
            return table.words["undo-over"]
        if table.spec.scenario is not None:  # whoever steps through a scenario takes back its last step
            seat = next((one for one in map(seat_of, reversed(table.lines)) if one in reader.seats), seat)
            reader.facing = seat
        others = [one for one in table.players() if one.token != reader.token]
        if others:
            table.vote = Vote(seat, f"{table.epoch}.{len(table.lines)}.{seat}", {reader.token})
            table.changed()
            return ""
        return await self._to_its_end(self._undone(table, seat))

    async def agree(self, table: ServerTable, reader: Reader, wish: str, agrees: bool) -> str:
        """Agree to take back an answer, or not. Returns a message, if any: a wish may be withdrawn or replaced."""
        if not reader.seats:
            raise RequestRefused("spectators do not play", 403)
        if table.vote is None or table.vote.wish != wish:
            return table.words["undo-gone"]
        if not agrees:
            table.vote = None
            table.changed()
            return ""
        table.vote.agreed.add(reader.token)
        if all(one.token in table.vote.agreed for one in table.players()):
            return await self._to_its_end(self._undone(table, table.vote.seat))
        table.changed()
        return ""

    async def _undone(self, table: ServerTable, seat: int) -> str:
        table.vote = None
        if table.over:  # a replay has shown all hands
            return table.words["undo-over"]
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
        await self.store.write(table.number, *writes)
        table.changed()
        self.drive(table)
        return ""

    def _seat(self, table: ServerTable, reader: Reader) -> int:
        """Return the seat at a reader's screen. Raises Refused for spectators."""
        if not reader.seats:
            raise RequestRefused("spectators do not play", 403)
        return table.shown(reader).seat

    def _add(self, table: ServerTable) -> None:
        self._tables[table.number] = table
        for token in table.readers:
            self._tokens[token] = table


def _shipped(*packs: str) -> bool:
    """Return whether packs, by path or name, are among those that come with the program."""
    known = loading.shipped()
    return {*known, *map(str, known.values())}.issuperset(packs)
