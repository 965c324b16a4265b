"""Serve the application over HTTP: its connections, the time that each may take, and the end.

A connection holds a file descriptor and memory, also if nothing is sent over it. So their number is
limited, below the limit of file descriptors; while it is reached, new connections wait in the queue of the
system. Half of them can come from one address.

uvicorn has a time limit for connections only between two requests. Here a connection is closed if its
request does not arrive in time, or if nobody takes its reply; so those that wait get their turn.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import h11
import uvicorn
from attrs import define, field
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.common.output import warn

HEAD = 10.0
"""Seconds in which the head of a request must arrive, from the start of the connection or from its first byte."""
BODY = 20.0
"""Seconds in which a body must arrive, from its head on. Every `PIECE` that has come gives it a second more."""
TAKING = 120.0
"""Seconds in which the other side must take a `PIECE` of a reply, or all that is left of it."""
PIECE = 64 * 1024
"""Bytes."""
MOST = 2_000
"""Connections of the whole server, if there are as many file descriptors."""
FEWEST = 16
OTHER_FILES = 128
"""File descriptors for everything but connections: the database, workers, watched folders, files that are sent."""
PAUSE = 1.0
"""Seconds after a connection could not be accepted."""
QUIET = 60.0
"""Seconds in which a warning is not repeated."""
_LATE = b"the request took too long to arrive"
_REPLY: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
    b"connection: close\r\n\r\n%b" % (len(_LATE), _LATE)
)


def most_connections() -> int:
    """Return the limit of connections, after raising the limit of file descriptors as far as it is needed."""
    try:
        import resource
    except ImportError:  # the system has no such limit
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    except (OSError, ValueError):  # the system allows less than `hard`
        more = soft
    return max(FEWEST, more - OTHER_FILES)


class TimedProtocol(H11Protocol):
    """HTTP/1.1 on one connection, with time limits. `left` is called when it is closed."""

    left: Callable[[], None] = staticmethod(lambda: None)
    _timer: asyncio.TimerHandle | None = None
    _until = 0.0
    _in_body = False
    _taker: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Wait for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so that all that waits to be taken is noticed
        self._wait(HEAD)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        self._follow(len(data))

    def on_response_complete(self) -> None:
        """Turn to the next request; some of it may be here already."""
        super().on_response_complete()
        self._follow(0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place of the connection back."""
        self._forget()
        self._taken()
        super().connection_lost(exc)
        self.left()

    def pause_writing(self) -> None:
        """Something waits to be taken."""
        super().pause_writing()
        self._offer()

    def resume_writing(self) -> None:
        """All was taken."""
        self._taken()
        super().resume_writing()

    # -------------------------------------------------------------- requests

    def _follow(self, received: int) -> None:
        """Set the time limit of what is awaited, after this number of bytes has come."""
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            if not self._in_body:
                self._in_body = True
                self._wait(BODY)
            self._until += received / PIECE
        elif state is not h11.IDLE:
            self._forget()
        elif self._in_body or self._timer is None:
            self._forget()
            if self.conn.trailing_data[0]:
                self._wait(HEAD)

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._until = self.loop.time() + seconds
        self._timer = self.loop.call_later(seconds, self._look)

    def _forget(self) -> None:
        self._stop()
        self._in_body = False

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """Close the connection, unless what has come gave it more time."""
        if (left := self._until - self.loop.time()) > 0:
            self._timer = self.loop.call_later(left, self._look)
            return
        replied = self._in_body and self.cycle.response_started
        begun = self._in_body or bool(self.conn.trailing_data[0])
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if begun and not replied:
            self.transport.write(_REPLY)
        self.transport.close()

    # -------------------------------------------------------------- replies

    def _offer(self) -> None:
        waiting = self.transport.get_write_buffer_size()
        self._taker = self.loop.call_later(TAKING, self._check, waiting)

    def _taken(self) -> None:
        if self._taker is not None:
            self._taker.cancel()
            self._taker = None

    def _check(self, before: int) -> None:
        """Close the connection if too little was taken since this number of bytes was waiting."""
        if before - self.transport.get_write_buffer_size() < PIECE:
            self.transport.abort()
        else:
            self._offer()


@define
class Acceptor:
    """Accepts connections of a socket that listens, at most `most` at a time. `protocol` makes their protocols."""

    listening: socket.socket
    protocol: Callable[[], TimedProtocol]
    most: int
    _room: asyncio.Semaphore = field(init=False)
    _open: Counter[str] = field(init=False, factory=Counter)
    """Open connections by addresses."""
    _warned: dict[str, float] = field(init=False, factory=dict)
    """When each sort of warning was printed."""

    def __attrs_post_init__(self) -> None:
        self._room = asyncio.Semaphore(self.most)

    async def run(self) -> None:
        """Accept connections until cancelled."""
        loop = asyncio.get_running_loop()
        self.listening.setblocking(False)
        while True:
            if self._room.locked():
                self._warn("full", f"{self.most:,} connections are open, and no more are allowed; new ones wait")
            await self._room.acquire()
            try:
                connection, peer = await loop.sock_accept(self.listening)
            except OSError as error:
                self._room.release()
                if not isinstance(error, ConnectionError):  # one that was closed before it was accepted
                    why = error.strerror or error
                    self._warn("failed", f"a connection cannot be accepted: {why}; trying again")
                    await asyncio.sleep(PAUSE)
                continue
            await self._begin(connection, _address(peer))

    async def _begin(self, connection: socket.socket, address: str) -> None:
        self._open[address] += 1

        def left() -> None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            self._room.release()

        if self._open[address] > max(1, self.most // 2):
            self._warn("share", f"more than half of all connections are from {address}; its new ones are closed")
            connection.close()
            left()
            return
        protocol = self.protocol()
        protocol.left = left
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, connection)
        except OSError:  # it was closed meanwhile
            connection.close()
            left()

    def _warn(self, sort: str, text: str) -> None:
        now = time.monotonic()
        if now - self._warned.get(sort, -QUIET) >= QUIET:
            self._warned[sort] = now
            warn(text)


def _address(peer: tuple[str, ...]) -> str:
    """Return what counts as one address: of IPv6, a network of 64 bits, since one computer can use all of it."""
    address = ipaddress.ip_address(peer[0].partition("%")[0])
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


# ---- Run the application on a socket until a signal ends it

PATIENCE = 3
"""Seconds that a server which is stopped waits for its replies."""
BUSY = 1
"""Seconds after which it stops workers that are still busy; requests that wait for them get a message."""


def run(app: ASGIApp, site: ServerSite, listening: socket.socket) -> None:
    """Serve the application of a site on a socket that listens."""
    config = uvicorn.Config(
        app, http=TimedProtocol, ws="none", log_level="error", access_log=False, server_header=False,
        timeout_graceful_shutdown=PATIENCE,
    )  # fmt: skip
    _Server(config, site).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that accepts connections by itself, and ends its streams before it waits for its replies."""

    def __init__(self, config: uvicorn.Config, site: ServerSite) -> None:
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
