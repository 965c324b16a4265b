"""Server-sent events for pages of the desk: one each time that the packs of the page were saved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress

from attrs import define
from starlette.requests import Request
from starlette.responses import Response

from rulewright.tools.browser.server.streams import EVENTS, HEARTBEAT, Stream, Streams, event
from rulewright.tools.browser.server.watching import Watching

MOST_STREAMS = 64


@define
class SaveEvents:
    """The streams of the desk's pages. They end when the streams of the server do, and the watching wakes them."""

    watching: Watching
    streams: Streams

    async def reply(self, request: Request, folders: Callable[[], Awaitable[Sequence[str]]]) -> Response:
        """Return the stream of a page whose packs are in these folders. Raises Refused if there are too many."""
        if request.method == "HEAD":
            return Response(media_type=EVENTS)
        full = "too many pages of the gallery, scenarios, and printing are open"
        left = self.streams.take("saves", MOST_STREAMS, full)
        try:
            events = self._events(await folders())
        except BaseException:
            left()
            raise
        return Stream(events, left)

    async def _events(self, folders: Sequence[str]) -> AsyncIterator[bytes]:
        with self.watching.listening(folders) as saved:
            yield b"retry: 1000\n\n"
            while not self.streams.closing.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(saved.wait(), HEARTBEAT)
                yield event("saved", "now", "saved") if saved.is_set() else b": here\n\n"
                saved.clear()
