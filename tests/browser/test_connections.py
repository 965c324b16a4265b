"""Connections: how long each may take, how many there may be, and what happens beyond that."""

from __future__ import annotations

import asyncio
import errno
import re
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from rulewright.tools.browser.server import connections, watching
from rulewright.tools.browser.server.connections import Acceptor, TimedProtocol, most_connections
from rulewright.tools.browser.server.tables import ServerTable
from tests.browser.processes import running
from tests.browser.served import Served, stream
from tests.browser.test_security import at_a_table

GET = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n"
HUGE = 1_200_000
SOON = 10.0
"""Seconds for what must happen."""


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads a whole request; it replies with its length, or at /huge with many bytes."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    body = bytes(HUGE) if scope["path"] == "/huge" else str(size).encode()
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def accepting(most: int = 20) -> AsyncIterator[tuple[str, int]]:
    """A server of that application; yields its address."""
    config = uvicorn.Config(reading, http=TimedProtocol, lifespan="off", log_level="warning")
    config.load()
    state = uvicorn.server.ServerState()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64_000)  # so that little is on the way
        task = asyncio.create_task(Acceptor(listening, lambda: TimedProtocol(config, state, {}), most).run())
        try:
            yield listening.getsockname()
        finally:
            task.cancel()
            for one in [*state.connections]:
                one.transport.abort()  # type: ignore[union-attr]  # of uvicorn: H11 and WebSocket connections have it
            await asyncio.sleep(0)


async def sent(address: tuple[str, int], *parts: bytes) -> bytes:
    """Send the parts of a request one by one, with pauses; return all that is replied until the connection ends."""
    reader, writer = await asyncio.open_connection(*address)
    replied: list[bytes] = []

    async def read() -> None:
        with suppress(ConnectionResetError):  # a part that comes when the server has closed the connection
            while piece := await reader.read(10_000):
                replied.append(piece)

    reading = asyncio.create_task(read())
    try:
        for part in parts:
            writer.write(part)
            await asyncio.sleep(0.05)
        await asyncio.wait_for(reading, SOON)
        return b"".join(replied)
    finally:
        writer.close()


def short(patch: pytest.MonkeyPatch, **seconds: float) -> None:
    """Change limits; those of time that are not named are far away."""
    for name, value in {"HEAD": 60.0, "BODY": 60.0, "TAKING": 60.0, **seconds}.items():
        patch.setattr(connections, name, value)


@pytest.mark.parametrize(
    ("limit", "parts", "status"),
    (
        ("HEAD", [b""], b""),  # a browser that connects in advance gets no reply to what it did not send
        ("HEAD", [b"GET / HTTP/1.1\r\n", b"host: localhost\r\n"], b"408"),
        ("HEAD", [b"G"], b"408"),
        ("HEAD", [GET, b"GET / HT"], b"200.*408"),
        ("HEAD", [GET + b"GET / HT"], b"200.*408"),
        ("BODY", [POST], b"408"),
        ("BODY", [POST, b"1", b"2"], b"408"),
        ("BODY", [GET + POST, b"1"], b"200.*408"),
        ("BODY", [POST.replace(b"content-length: 9", b"transfer-encoding: chunked"), b"1\r\n1"], b"408"),
    ),
)
def test_a_request_must_arrive_in_time(
    limit: str, parts: list[bytes], status: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    short(monkeypatch, **{limit: 0.2})

    async def whole() -> None:
        async with accepting() as address:
            reply = await sent(address, *parts)
            found = re.findall(rb"HTTP/1.1 (\d+)", reply)
            assert found == re.findall(rb"\d+", status), reply

    asyncio.run(whole())


def test_what_arrives_gives_a_body_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large upload over a slow line goes on while it comes in."""
    short(monkeypatch, BODY=0.2, PIECE=10)

    async def whole() -> None:
        async with accepting() as address:
            head = POST.replace(b"content-length: 9", b"connection: close\r\ncontent-length: 90")
            reply = await sent(address, head, *[b"123456789"] * 10)
            assert reply.startswith(b"HTTP/1.1 200") and reply.endswith(b"90")

    asyncio.run(whole())


def test_the_next_request_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that is used again and again is older than any limit."""
    short(monkeypatch, HEAD=0.3, BODY=0.3)

    async def whole() -> None:
        async with accepting() as address:
            reply = await sent(address, *[GET, POST, b"123456789"] * 5, LAST)
            assert re.findall(rb"HTTP/1.1 (\d+)", reply) == [b"200"] * 11

    asyncio.run(whole())


def test_a_reply_must_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for much and reads nothing is cut off; whoever reads slowly is not."""
    short(monkeypatch, TAKING=0.4, PIECE=8_000)
    huge = LAST.replace(b"/ ", b"/huge ", 1)

    async def read(address: tuple[str, int], first: float, pause: float) -> int:
        with socket.socket() as own:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32_000)
            own.setblocking(False)
            await asyncio.get_running_loop().sock_connect(own, address)
            reader, writer = await asyncio.open_connection(sock=own, limit=16_000)
            writer.write(huge)
            await asyncio.sleep(first)
            size = 0
            try:
                while data := await asyncio.wait_for(reader.read(32_000), SOON):
                    size += len(data)
                    await asyncio.sleep(pause)
            except ConnectionError:
                return 0
            finally:
                writer.close()
            return size

    async def whole() -> None:
        async with accepting() as address:
            assert await read(address, 1.5, 0) < HUGE
            assert await read(address, 0, 0.01) > HUGE

    asyncio.run(whole())


def test_connections_beyond_the_limit_wait(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short(monkeypatch)
    monkeypatch.setattr(connections, "_address", lambda peer: str(peer[1]))  # all from different computers

    async def whole() -> None:
        async with accepting(4) as address:
            waiting = [await asyncio.open_connection(*address) for _ in range(4)]
            more = [asyncio.create_task(sent(address, LAST)) for _ in "ab"]
            done, _ = await asyncio.wait(more, timeout=0.3)
            assert not done
            waiting[0][1].close()
            assert all(reply.startswith(b"HTTP/1.1 200") for reply in await asyncio.gather(*more))
            for _, writer in waiting:
                writer.close()

    asyncio.run(whole())
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "rulewright: 4 connections are open, and no more are allowed; new ones wait"


def test_one_address_has_half_of_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    short(monkeypatch)
    other = iter((False, False, False, False, True))
    monkeypatch.setattr(connections, "_address", lambda peer: "10.0.0.2" if next(other) else "10.0.0.1")

    async def whole() -> None:
        async with accepting(4) as address:
            waiting = [await asyncio.open_connection(*address) for _ in range(2)]
            for _ in range(2):
                reader, writer = await asyncio.open_connection(*address)
                assert await asyncio.wait_for(reader.read(), SOON) == b""
                writer.close()
            reply = await sent(address, LAST)
            assert reply.startswith(b"HTTP/1.1 200")
            for _, writer in waiting:
                writer.close()

    asyncio.run(whole())
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "rulewright: more than half of all connections are from 10.0.0.1; its new ones are closed"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    (
        (("192.0.2.1", 1), ("192.0.2.1", 2), True),
        (("192.0.2.1", 1), ("192.0.2.2", 1), False),
        (("2001:db8:1:2::3", 1, 0, 0), ("2001:db8:1:2:ffff::", 1, 0, 0), True),  # a network of one home
        (("2001:db8:1:2::3", 1, 0, 0), ("2001:db8:1:3::3", 1, 0, 0), False),
        (("::ffff:192.0.2.1", 1, 0, 0), ("192.0.2.1", 1), True),
        (("::ffff:192.0.2.1", 1, 0, 0), ("::ffff:192.0.2.2", 1, 0, 0), False),
        (("fe80::1%eth0", 1, 0, 2), ("fe80::1%eth0", 2, 0, 2), True),
    ),
)
def test_what_counts_as_one_address(one: Any, other: Any, same: bool) -> None:
    assert (connections._address(one) == connections._address(other)) is same


def test_a_failed_accept_is_told_once_and_followed_by_a_pause(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried, paused = list[int](), list[float]()
    real = asyncio.sleep

    async def pause(seconds: float) -> None:
        paused.append(seconds)
        await real(0)

    async def whole() -> None:
        loop = asyncio.get_running_loop()
        accept = loop.sock_accept

        async def fails(listening: socket.socket) -> Any:
            tried.append(1)
            if len(tried) <= 3:
                raise OSError(errno.EMFILE, "Too many open files")
            if len(tried) == 4:
                raise ConnectionAbortedError(errno.ECONNABORTED, "gone")
            return await accept(listening)

        monkeypatch.setattr(loop, "sock_accept", fails)
        monkeypatch.setattr(connections.asyncio, "sleep", pause)
        async with accepting() as address:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(LAST)
            assert (await asyncio.wait_for(reader.read(), SOON)).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(whole())
    assert paused[:3] == [connections.PAUSE] * 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "rulewright: a connection cannot be accepted: Too many open files; trying again"


@pytest.mark.parametrize(
    ("soft", "hard", "most", "raised"),
    (
        (1024, 4096, 2000, 2128),
        (256, -1, 2000, 2128),
        (256, 600, 472, 600),
        (4096, 4096, 2000, None),
        (-1, -1, 2000, None),
        (64, 64, 16, 64),
    ),
)
def test_there_are_files_for_all_connections(
    soft: int, hard: int, most: int, raised: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    asked = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    assert most_connections() == most
    assert asked == ([(raised, hard)] if raised else [])


# ------------------------------------------------------------------ streams

async def _all_sorts(served: Served, table: ServerTable) -> None:
    """Two streams of different pages, and no more of any page."""
    token = next(iter(table.readers))
    paths = (f"/t/{token}/events", "/gallery/events?pack=tutorial", "/print/events?pack=tutorial")
    async with stream(served, paths[0]) as one, stream(served, paths[1]) as other:
        await one.settled()
        while not other.data:
            await asyncio.sleep(0.01)
        for path in paths:
            assert (await served.client.get(path)).status_code == 429
    for path in paths:
        async with stream(served, path) as again:
            while not again.data:
                await asyncio.sleep(0.01)
            assert again.status == 200


def test_streams_of_all_pages_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_OPEN", 2)
    at_a_table(_all_sorts)


async def _at_once(served: Served, _table: ServerTable) -> None:
    """The bound holds while the worker still looks for the folders of each page."""
    async with AsyncExitStack() as crowd:
        path = "/gallery/events?pack=tutorial"
        opened = [await crowd.enter_async_context(stream(served, path)) for _ in range(6)]
        while not all(one.status for one in opened):
            await asyncio.sleep(0.01)
        assert sorted(one.status for one in opened) == [200, 200, 429, 429, 429, 429]


def test_streams_that_are_opened_at_once_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_SAVE_STREAMS", 2)
    at_a_table(_at_once)


def test_a_stream_that_fails_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_SAVE_STREAMS", 1)

    async def failing(served: Served, _table: ServerTable) -> None:
        for _ in range(2):
            assert (await served.client.get("/gallery/events?pack=no-such-pack")).status_code == 422
        async with stream(served, "/gallery/events?pack=tutorial") as one:
            while not one.data:
                await asyncio.sleep(0.01)
            assert one.status == 200

    at_a_table(failing)


# ------------------------------------------------------------------ a real server

@pytest.mark.slow
@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit sets the limit of files")
def test_a_server_without_files_says_so_once_and_goes_on(tmp_path: Path) -> None:
    """More connections than it may have files: it serves once they are gone, and its log has a few lines."""

    async def whole(url: str) -> None:
        place = httpx.URL(url)
        crowd = [await asyncio.open_connection(place.host, place.port) for _ in range(200)]
        for _, writer in crowd:
            writer.write(POST)
        await asyncio.sleep(3)
        for _, writer in crowd:
            writer.close()
        async with httpx.AsyncClient(base_url=url, timeout=30, trust_env=False) as client:
            assert (await client.get("/static/table.js")).status_code == 200

    with running(tmp_path / "data", before=["prlimit", "--nofile=180:180"]) as server:
        asyncio.run(whole(server.address))
        lines = server.printed().splitlines()
        assert 1 <= len(lines) <= 2 and all(line.startswith("rulewright: ") for line in lines), lines
