"""Run the application on a socket until a signal ends it."""

from __future__ import annotations

import socket

import uvicorn
from starlette.types import ASGIApp

from tools.browser.server.site import Site

PATIENCE = 3
"""Seconds that a server which is stopped waits for its replies."""


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
        await super().shutdown(sockets)
