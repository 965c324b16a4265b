"""A server that is stopped ends its streams and its workers, and then itself, without a word."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import httpx
import pytest

from rulewright.tools.browser.server.connections import PATIENCE
from tests.browser.processes import Server, open_table, running
from tests.browser.test_hostile_packs import workers_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the server is ended by a signal")


@pytest.mark.slow
@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM))
def test_open_streams_do_not_keep_a_server_alive(tmp_path: Path, number: signal.Signals) -> None:
    """Streams end of their own accord: a stream that is cut off is an error in the log of the server."""

    async def read(client: httpx.AsyncClient, path: str, begun: asyncio.Event) -> bytes:
        async with client.stream("GET", path) as reply:
            data = b""
            async for part in reply.aiter_bytes():
                begun.set()
                data += part
            return data

    async def whole(address: str) -> list[bytes]:
        async with httpx.AsyncClient(base_url=address, timeout=30, trust_env=False) as client:
            table = await open_table(client, "tutorial", ["human", "random"])
            paths = (f"{table.owner}/events", f"{table.owner}/events", "/gallery/events?pack=tutorial")
            begun = [asyncio.Event() for _ in paths]
            reading = [asyncio.create_task(read(client, *one)) for one in zip(paths, begun, strict=True)]
            await asyncio.gather(*(one.wait() for one in begun))
            server.process.send_signal(number)
            return await asyncio.wait_for(asyncio.gather(*reading), PATIENCE)

    with running(tmp_path / "data") as server:
        told = asyncio.run(whole(server.address))
        assert all(data.startswith(b"retry: ") for data in told)
        server.process.wait(20)
        assert server.printed() in ("", "rulewright: interrupted\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the processes of a server are found in /proc")
def test_a_busy_worker_does_not_keep_a_server_alive(tmp_path: Path) -> None:
    """Whoever waits for the worker gets a reply: a request that is cut off is an error in the log of the server."""

    async def whole(server: Server) -> httpx.Response:
        async with httpx.AsyncClient(base_url=server.address, timeout=30, trust_env=False) as client:
            table = await open_table(client, "tutorial", ["link", "link"])
            for number in workers_of(server):
                os.kill(number, signal.SIGSTOP)
            waiting = asyncio.create_task(client.get(table.owner))
            await asyncio.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            return await asyncio.wait_for(waiting, PATIENCE)

    with running(tmp_path / "data") as server:
        assert asyncio.run(whole(server)).status_code == 422
        server.process.wait(20)
        assert server.printed() in ("", "rulewright: interrupted\n")
