"""Run the application on a socket until a signal ends it."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp

from rulewright.tools.browser.server.connections import Acceptor, TimedProtocol, most_connections
from rulewright.tools.browser.server.site import Site

PATIENCE = 3
"""Seconds that a server which is stopped waits for its replies."""
BUSY = 1
"""Seconds after which it stops workers that are still busy; requests that wait for them get a message."""


def run(app: ASGIApp, site: Site, listening: socket.socket) -> None:
    """Serve the application of a site on a socket that listens."""
    config = uvicorn.Config(
        app, http=TimedProtocol, ws="none", log_level="error", access_log=False, server_header=False,
        timeout_graceful_shutdown=PATIENCE,
    )  # fmt: skip
    _Server(config, site).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that accepts connections by itself, and ends its streams before it waits for its replies."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site
        self._accepting = list[asyncio.Task[None]]()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        await super().startup(sockets=[])
        most = most_connections()
        self._site.streams.allow(most)
        for one in sockets or ():
            task = asyncio.create_task(Acceptor(one, self._protocol, most).run())
            task.add_done_callback(self._ended)
            self._accepting.append(task)

    def _protocol(self) -> TimedProtocol:
        return TimedProtocol(self.config, self.server_state, self.lifespan.state)

    def _ended(self, _task: asyncio.Task[None]) -> None:
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        for task in self._accepting:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._site.close()
        busy = asyncio.create_task(self._stop_workers())
        await super().shutdown(sockets)
        busy.cancel()

    async def _stop_workers(self) -> None:
        await asyncio.sleep(BUSY)
        await self._site.tables.workers.stop()
