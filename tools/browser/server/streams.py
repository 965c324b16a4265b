"""Server-sent events: a reader's table, each time it looks different (HTML Living Standard, 9.2).

The id of an event is a hash of what it shows. A page names the one that it shows, so that nothing is lost between
its request and the first event, and nothing is sent twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from attrs import define, field
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rulewright.tools.browser.server.tables import RequestRefused, ServerTable
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.browser.words import digest

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
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._left()


def event(name: str, text: str, id_: str) -> bytes:
    """Return one event; every line of its text is a line of data."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    data = "".join(f"data: {line}\n" for line in lines)
    return f"event: {name}\nid: {id_}\n{data}\n".encode()
