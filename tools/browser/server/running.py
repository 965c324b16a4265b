"""Run the application on a socket until a signal ends it."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from starlette.types import ASGIApp

from tools.browser.server.site import Site

PATIENCE = 3
"""Seconds that a server which is stopped waits for its replies."""
BUSY = 1
"""Seconds after which it stops workers that are still busy; requests that wait for them get a message."""


def run(app: ASGIApp, site: Site, listening: socket.socket) -> None:
    """Serve the application of a site on a socket that listens."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=PATIENCE, server_header=False
    )
    _Server(config, site).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that ends its streams before it waits for its replies."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        self._site.close()
        busy = asyncio.create_task(self._stop_workers())
        await super().shutdown(sockets)
        busy.cancel()

    async def _stop_workers(self) -> None:
        await asyncio.sleep(BUSY)
        await self._site.tables.workers.stop()
