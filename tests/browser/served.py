"""The application of a server inside of a test: HTTP without sockets, and workers without processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from attrs import define, field

from rulewright.tools.browser.desk.gallery import Desk
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.server.app import application
from rulewright.tools.browser.server.guards import Guard
from rulewright.tools.browser.server.site import ServerSite, Settings
from rulewright.tools.browser.server.tables import ServerTable
from rulewright.tools.browser.server.workers import LocalWorker, ServerWorkers

ROOT = Path(__file__).parents[2]
ADDRESS = "http://localhost"
SHELF, DESK = PackShelf(), Desk()
"""Packs that a test has compiled, for the tests after it: they are compiled again if their files change."""


@define
class Served:
    """A running application, and a client of it."""

    app: Guard
    client: httpx.AsyncClient
    site: ServerSite

    def worker(self, role: str = "") -> LocalWorker:
        """The worker of tables, or one with a role."""
        workers = self.site.tables.workers
        found = getattr(workers, role) if role else workers.of(1)
        assert isinstance(found, LocalWorker)
        return found

    def hosted(self, table: ServerTable) -> HostedTable:
        """The table of the worker."""
        return self.worker().host.tables[str(table.number)]

    async def open(
        self, pack: str, seats: Iterable[tuple[str, str]], links: Iterable[int] = (), **more: Any
    ) -> ServerTable:
        """A new table, made without the lobby."""
        data = {"pack": pack, "seats": [list(seat) for seat in seats], "seed": 1, "speed": 0, **more}
        return (await self.site.tables.create(data, links))[0]

    async def state(self, token: str, **query: Any) -> dict[str, Any]:
        """What a reader sees."""
        reply = await self.client.get(f"/t/{token}/state.json", params=query)
        assert reply.status_code == 200, reply.text
        found: dict[str, Any] = reply.json()
        return found

    async def answer(self, token: str, stamp: str, keys: Iterable[str], **more: Any) -> httpx.Response:
        """Answer as a program does."""
        form = {"stamp": stamp, "keys": [*keys], **more}
        return await self.client.post(f"/t/{token}/answer", data=form, headers={"accept": "application/json"})


@asynccontextmanager
async def serving(
    store: Path | None = None, packs: Iterable[str | Path] = (), threaded: bool = True, **settings: Any
) -> AsyncIterator[Served]:
    """A server without sockets and worker processes; by default a thread writes its store, as it usually does.

    `packs` are those of its command line.
    """
    site = ServerSite(Settings(tuple(map(str, packs)), store, 0, ("localhost", "127.0.0.1"), **settings))
    site.tables.store.threaded = threaded
    know(site.tables.workers)
    app = application(site)
    inside: Any = app.app
    transport = httpx.ASGITransport(app, raise_app_exceptions=True)
    async with (
        inside.router.lifespan_context(inside),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client,
    ):
        yield Served(app, client, site)


def know(workers: ServerWorkers) -> None:
    """Let workers of a server of one process know the packs that other tests have compiled."""
    for one in (workers.desk, workers.slow, workers.press, workers.of(1)):
        assert isinstance(one, LocalWorker)
        one.host.shelf, one.host.desk = SHELF, DESK


@asynccontextmanager
async def stream(served: Served, path: str, headers: Iterable[tuple[str, str]] = ()) -> AsyncIterator[Stream]:
    """An open stream of events, which httpx could only read to its end."""
    reader = Stream()
    sent = [(b"host", b"localhost"), *((key.encode(), value.encode()) for key, value in headers)]
    place, _, query = path.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": place, "raw_path": place.encode(), "query_string": query.encode(),
        "headers": sent, "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 1),
        "server": ("localhost", 80), "root_path": "",
    }  # fmt: skip
    task = asyncio.create_task(served.app(scope, reader.receive, reader.send))
    try:
        yield reader
    finally:
        reader.gone.set()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(task, 5)


@define
class Stream:
    """What has come in of a stream."""

    status: int = 0
    data: bytes = b""
    gone: asyncio.Event = field(factory=asyncio.Event)
    _asked: bool = False

    async def receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.data += message.get("body", b"")

    async def settled(self) -> bytes:
        """All that has come in once nothing more comes."""
        quiet = 0
        while quiet < 20:
            before = len(self.data)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self.data) == before else 0
        return self.data
