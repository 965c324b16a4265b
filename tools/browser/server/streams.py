"""Server-sent events: a reader's table, each time it looks different (HTML Living Standard, 9.2)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from tools.browser.server.tables import MOST_STREAMS, Refused, Table

HEARTBEAT = 15.0
"""Seconds after which a comment is sent, so that a connection that is gone is noticed."""
MOST_OPEN = 2_000
"""Open streams of the whole server."""
_open_streams = 0


async def fragments(
    table: Table, draw: Callable[[], Awaitable[str]], closing: asyncio.Event
) -> AsyncIterator[bytes]:
    """Yield the events of one stream: what `draw` returns, whenever it differs from the last one."""
    global _open_streams
    listener = asyncio.Event()
    table.listeners.add(listener)
    _open_streams += 1
    last = await draw()
    try:
        yield b"retry: 1000\n\n"
        while not closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(listener.wait(), HEARTBEAT)
            if not listener.is_set():
                yield b": here\n\n"
                continue
            listener.clear()
            now = await draw()
            if now != last:
                last = now
                yield event("table", now)
    finally:
        _open_streams -= 1
        table.listeners.discard(listener)


def check_room(table: Table) -> None:
    """Raise Refused if there are too many streams."""
    if len(table.listeners) >= MOST_STREAMS or _open_streams >= MOST_OPEN:
        raise Refused("too many pages of this table are open", 429)


def event(name: str, text: str) -> bytes:
    """Return one event; every line of its text is a line of data."""
    data = "".join(f"data: {line}\n" for line in text.split("\n"))
    return f"event: {name}\n{data}\n".encode()
