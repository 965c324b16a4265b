"""Server-sent events for pages of the desk: one each time that the packs of the page were saved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress

from attrs import define, field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tools.browser.server.streams import EVENTS, HEARTBEAT, event
from tools.browser.server.table import Refused
from tools.browser.server.watching import Watching

MOST_STREAMS = 64


@define
class SaveEvents:
    """The streams of the desk's pages. They end when `closing` is set and the watching wakes them."""

    watching: Watching
    closing: asyncio.Event
    _open: int = field(init=False, default=0)

    async def reply(self, request: Request, folders: Callable[[], Awaitable[Sequence[str]]]) -> Response:
        """Return the stream of a page whose packs are in these folders. Raises Refused if there are too many."""
        if self._open >= MOST_STREAMS:
            raise Refused("too many pages of the gallery, scenarios, and printing are open", 429)
        if request.method == "HEAD":
            return Response(media_type=EVENTS)
        events = self._events(await folders())
        return StreamingResponse(events, media_type=EVENTS, headers={"x-accel-buffering": "no"})

    async def _events(self, folders: Sequence[str]) -> AsyncIterator[bytes]:
        self._open += 1
        try:
            with self.watching.listening(folders) as saved:
                yield b"retry: 1000\n\n"
                while not self.closing.is_set():
                    with suppress(TimeoutError):
                        await asyncio.wait_for(saved.wait(), HEARTBEAT)
                    yield event("saved", "now", "saved") if saved.is_set() else b": here\n\n"
                    saved.clear()
        finally:
            self._open -= 1
