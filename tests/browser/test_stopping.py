"""A server that is stopped ends its streams, and then itself, without a word."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import httpx
import pytest

from tests.browser.processes import open_table, running
from tools.browser.server.running import PATIENCE

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
