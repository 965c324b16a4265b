"""Watch the folders of packs: a save redraws galleries, and running tables go on under the new rules."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import define, field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from rulewright.ruleset.source.pack_files import is_yaml
from rulewright.tools.browser.server import store as stored
from rulewright.tools.browser.server.store import StoredRules
from rulewright.tools.browser.server.tables import RequestRefused, ServerTable, Tables
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.browser.words import digest

# ---- Server-sent events: a reader's table, each time it looks different (HTML Living Standard, 9.2)
#
# The id of an event is a hash of what it shows. A page names the one that it shows, so that nothing is lost
# between its request and the first event, and nothing is sent twice.

EVENTS = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds after which a comment is sent, so that a connection that is gone is noticed."""
MOST_OPEN = 1_500
"""Open streams of the whole server, of all sorts."""
MOST_STREAMS = 24
"""Open streams of one reader of a table, so that whoever has one link cannot keep others from theirs."""


@define
class Streams:
    """The open streams of a server."""

    closing: asyncio.Event
    _most: int = field(init=False, factory=lambda: MOST_OPEN)
    _open: Counter[str] = field(init=False, factory=Counter)
    """The number of streams of each reader of a table, by tokens, and of each sort of other pages."""

    def allow(self, connections: int) -> None:
        """Leave a quarter of all connections of the server to requests that end."""
        self._most = min(self._most, connections * 3 // 4)

    def take(self, whose: str, most: int, full: str) -> Callable[[], None]:
        """Take the place of one more stream, and return what gives it back. Raises Refused with `full`."""
        if self._open[whose] >= most or self._open.total() >= self._most:
            raise RequestRefused(full, 429)
        self._open[whose] += 1

        def left() -> None:
            self._open[whose] -= 1
            if not self._open[whose]:
                del self._open[whose]

        return left

    def open(self, table: ServerTable, token: str, draw: Callable[[], Awaitable[str]], last: str) -> EventStream:
        """Return the reply that is a stream of what `draw` returns to the reader with a token.

        `last` is what is shown now. Raises Refused.
        """
        give_back = self.take(token, MOST_STREAMS, "too many pages of this table are open")
        listener = asyncio.Event()
        listener.set()
        table.listeners.add(listener)

        def left() -> None:
            give_back()
            table.listeners.discard(listener)

        return EventStream(self._events(listener, draw, last), left)

    async def _events(
        self, listener: asyncio.Event, draw: Callable[[], Awaitable[str]], last: str
    ) -> AsyncIterator[bytes]:
        """Yield an event whenever the digest of what is drawn differs from the last one."""
        yield b"retry: 1000\n\n"
        with suppress(
            WorkerFailure, RequestRefused
        ):  # the page connects again, and hears what is wrong when it is loaded
            while not self.closing.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(listener.wait(), HEARTBEAT)
                if not listener.is_set():
                    yield b": here\n\n"
                    continue
                listener.clear()
                now = await draw()
                if (name := digest(now)) != last:
                    last = name
                    yield event("table", now, name)


class EventStream(StreamingResponse):
    """A stream that gives its place back, also if it never began."""

    def __init__(self, events: AsyncIterator[bytes], left: Callable[[], None]) -> None:
        super().__init__(events, media_type=EVENTS, headers={"x-accel-buffering": "no"})
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._left()


def event(name: str, text: str, id_: str) -> bytes:
    """Return one event; every line of its text is a line of data."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    data = "".join(f"data: {line}\n" for line in lines)
    return f"event: {name}\nid: {id_}\n{data}\n".encode()



# ---- Tables whose packs were saved, and those that step through a scenario

async def renew(tables: Tables, table: ServerTable, program: str = "") -> None:
    """Go on by the pack as it is now, if it can be played; else keep the rules, and say why.

    `program` is the hash of rules that the owner accepts though not all answers fit them.
    """
    known = [seat for reader in table.readers.values() if reader.owner for seat in reader.seats]
    try:
        found = await tables.ask(table, "renew", known=known, program=program)
    except WorkerFailure as failure:
        found = {"state": "unread", "lines": [str(failure)]}
    if "status" in found:
        writes = _adopted(tables, table, found)
        if writes:
            await tables.store.write(table.number, *writes)
    table.saved = found if found["lines"] else None
    table.changed()
    tables.drive(table)


def _adopted(tables: Tables, table: ServerTable, found: dict[str, Any]) -> list[stored.Write]:
    """Take over the state of a table under new rules; return what has to be stored."""
    table.status, table.trouble = found["status"], ""
    table.folders = tuple(found.pop("folders"))
    tables.opened(table)
    before = table.rules
    table.rules = StoredRules(str(found.pop("program")), found.pop("files"))
    program = [stored.set_program(table.number, table.rules)]
    if found["state"] not in ("fits", "gone-on"):
        return program if table.rules != before else []
    table.epoch, table.vote = int(table.status["epoch"]), None
    del table.lines[int(table.status["answers"]) :]
    return [
        *program,
        stored.cut_answers(table.number, len(table.lines), table.epoch),
        stored.set_place(table.number, str(table.status["where"]), table.over),
    ]


async def next_step(tables: Tables, table: ServerTable) -> None:
    """Give the next answers of the scenario that a table was opened with. Raises WorkerFailure."""
    await tables.taken(table, await tables.ask(table, "next-step"))


# ---- Watching

MOST_FOLDERS = 48
"""Folders that are watched; the ones asked for last."""
QUIET = 80
"""Milliseconds without changes after which an editor is considered finished."""
LATEST = 800
"""Milliseconds after which changes are looked at even if they do not end."""
CHECK = 500
"""Milliseconds between checks whether a folder was removed or replaced."""
MOST_FILES = 4_000
"""Files of a folder that are looked at."""
MOST_LOOKED = 40_000
"""Files and folders that a look may find, also those that are not shown: a pack may be in a huge folder."""
BESIDE = (".md", ".png", ".jpg", ".jpeg", ".svg")
"""Other files of packs that pages show."""


Stamp = frozenset[tuple[str, int, int]]
"""Path, time, and size of each file of a folder."""


@define
class FolderWatch:
    """The watched folders. `start` begins, `stop` ends it. With `polling` they are looked at from time to time,
    which needs no thread.
    """

    tables: Tables
    polling: bool = False
    _folders: dict[str, Stamp] = field(init=False, factory=dict)
    """The state of each folder that has been told to all."""
    _galleries: dict[asyncio.Event, frozenset[str]] = field(init=False, factory=dict)
    _changed: asyncio.Event = field(init=False, factory=asyncio.Event)
    _stopped: bool = field(init=False, default=False)
    _task: asyncio.Task[None] | None = field(init=False, default=None)

    def start(self) -> None:
        """Watch from now on, in the background."""
        self.tables.opened = lambda table: self.add(table.folders)
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """End watching."""
        self._stopped = True
        self._changed.set()
        if self._task is not None:
            with suppress(asyncio.CancelledError):
                await self._task

    def add(self, folders: Iterable[str]) -> None:
        """Watch more folders."""
        for folder in folders:
            known = self._folders.pop(folder, None)
            self._folders[folder] = _stamp(folder) if known is None else known
            if known is None:
                self._changed.set()
        while len(self._folders) > MOST_FOLDERS:
            del self._folders[next(iter(self._folders))]

    @contextmanager
    def listening(self, folders: Iterable[str]) -> Iterator[asyncio.Event]:
        """Return an event that is set whenever something in these folders was saved."""
        event = asyncio.Event()
        self._galleries[event] = frozenset(folders)
        self.add(self._galleries[event])
        try:
            yield event
        finally:
            del self._galleries[event]

    def close(self) -> None:
        """Wake all listeners."""
        for listener in self._galleries:
            listener.set()

    # -------------------------------------------------------------- inside

    async def _watch(self) -> None:
        while not self._stopped:
            self._changed.clear()
            if not self._folders:
                await self._changed.wait()
                continue
            async for _ in self._ticks():
                await self._tell(self._saved())
                if self._stopped or self._changed.is_set():
                    break

    async def _ticks(self) -> AsyncIterator[None]:
        """Yield after changes, and from time to time, until other folders have to be watched.

        A folder that does not exist, or was replaced, is found by looking at it.
        """
        there = [folder for folder in self._folders if Path(folder).is_dir()]
        if self.polling or not there:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), CHECK / 1000)
            yield
            return
        import watchfiles

        identities = {folder: _identity(folder) for folder in self._folders}
        try:
            async for _ in watchfiles.awatch(
                *there, watch_filter=lambda _, path: _shown(path), stop_event=self._changed, debounce=LATEST,
                step=QUIET, rust_timeout=CHECK, yield_on_timeout=True, ignore_permission_denied=True,
            ):  # fmt: skip
                yield
                if any(_identity(folder) != identity for folder, identity in identities.items()):
                    return
        except (OSError, RuntimeError):  # the system cannot watch so much, or a folder has just gone
            await asyncio.sleep(CHECK / 1000)
            yield

    def _saved(self) -> set[str]:
        """Return the folders that are not as they were at the last look."""
        saved = set()
        for folder, before in [*self._folders.items()]:
            now = _stamp(folder)
            if now != before:
                self._folders[folder] = now
                saved.add(folder)
        return saved

    async def _tell(self, saved: set[str]) -> None:
        """Redraw galleries, and let tables go on by the saved packs."""
        if not saved:
            return
        for listener, folders in self._galleries.items():
            if folders & saved:
                listener.set()
        renewed = [table for table in self.tables if not table.over and saved & {*table.folders}]
        await asyncio.gather(*(renew(self.tables, table) for table in renewed))


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        about = os.stat(folder)
    except OSError:
        return None
    return about.st_dev, about.st_ino


def _stamp(folder: str) -> Stamp:
    found, looked = list[tuple[str, int, int]](), 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in filter(_shown, sorted(files)):
            path = os.path.join(place, name)
            with suppress(OSError):  # it is being replaced
                about = os.stat(path)
                found.append((path, about.st_mtime_ns, about.st_size))
        looked += 1 + len(files)
        if len(found) > MOST_FILES or looked > MOST_LOOKED:
            break
    return frozenset(found)


def _shown(path: str) -> bool:
    """Whether a file of this name is shown somewhere."""
    return is_yaml(path) or path.lower().endswith(BESIDE)


# ---- Server-sent events for pages of the desk: one each time that the packs of the page were saved

MOST_SAVE_STREAMS = 64


@define
class SaveEvents:
    """The streams of the desk's pages. They end when the streams of the server do, and the watching wakes them."""

    watching: FolderWatch
    streams: Streams

    async def reply(self, request: Request, folders: Callable[[], Awaitable[Sequence[str]]]) -> Response:
        """Return the stream of a page whose packs are in these folders. Raises Refused if there are too many."""
        if request.method == "HEAD":
            return Response(media_type=EVENTS)
        full = "too many pages of the gallery, scenarios, and printing are open"
        left = self.streams.take("saves", MOST_SAVE_STREAMS, full)
        try:
            events = self._events(await folders())
        except BaseException:
            left()
            raise
        return EventStream(events, left)

    async def _events(self, folders: Sequence[str]) -> AsyncIterator[bytes]:
        with self.watching.listening(folders) as saved:
            yield b"retry: 1000\n\n"
            while not self.streams.closing.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(saved.wait(), HEARTBEAT)
                yield event("saved", "now", "saved") if saved.is_set() else b": here\n\n"
                saved.clear()
