"""Servers and clients for `tools.bench.serve`: plain HTTP, since a library's time would be measured."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from attrs import define, field, frozen

ROOT = Path(__file__).parents[2]
_ADDRESS = re.compile(r"http://[^/\s]+:(\d+)")
IDLE = 3.0
"""Seconds after which a connection is not used again: servers close those that are idle for five."""
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

async def reply(request):
    if request.method == "POST":
        await request.form()
    return HTMLResponse("x" * int(request.query_params["size"]))

app = Starlette(routes=[Route("/", reply), Route("/answer", reply, methods=["POST"])])
config = uvicorn.Config(app, log_level="warning", access_log=False, port=0)
server = uvicorn.Server(config)
made = config.bind_socket()
print(f"http://127.0.0.1:{made.getsockname()[1]}/", flush=True)
server.run(sockets=[made])
"""


class Unexpected(Exception):  # noqa: N818 - about a reply
    """A reply that there should not be."""


@define
class Server:
    """A running server. `errors` is the file with what it has printed on its standard error stream."""

    process: subprocess.Popen[str]
    port: int
    errors: Path

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self.process.pid

    def complaints(self) -> list[str]:
        """Return what it has printed as errors."""
        return [line for line in self.errors.read_text("utf-8").splitlines() if line.strip()]

    def stop(self) -> None:
        """End it, and wait."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def started(folder: Path) -> Iterator[tuple[Server, Server]]:
    """Start our server with its data in a folder, and a bare one."""
    words = ["-m", "rulewright", "serve", "--no-open", "--port", "0", "--data"]
    ours = _start([*words, str(folder / "data")], folder / "errors")
    try:
        bare = _start(["-c", BARE], folder / "bare")
        try:
            yield ours, bare
        finally:
            bare.stop()
    finally:
        ours.stop()


def _start(words: Sequence[str], errors: Path) -> Server:
    with errors.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-u", *words], stdout=subprocess.PIPE, stderr=stream, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )  # fmt: skip
    assert process.stdout is not None
    found = _ADDRESS.search(process.stdout.readline())
    if found is None:
        raise Unexpected(errors.read_text("utf-8"))
    return Server(process, int(found[1]), errors)


def memory(pid: int) -> int:
    """Return the bytes in memory of a process and of those that it has started; 0 where /proc is missing."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return (int(found[1]) * 1024 if found else 0) + sum(memory(int(child)) for child in children)


@frozen
class Reply:
    """A reply of a server."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON data. Raises Unexpected if it is an error."""
        if self.status != 200:
            raise Unexpected(f"status {self.status}: {self.body[:200]!r}")
        return json.loads(self.body)


@define
class Client:
    """A connection that is kept open."""

    port: int
    _used: float = field(init=False, default=0.0)
    _reader: asyncio.StreamReader | None = field(init=False, default=None)
    _writer: asyncio.StreamWriter | None = field(init=False, default=None)

    async def get(self, path: str) -> Reply:
        """Fetch a page."""
        return await self._asked("GET", path, b"")

    async def post(self, path: str, form: Sequence[tuple[str, str]]) -> Reply:
        """Send a form."""
        return await self._asked("POST", path, urlencode(form).encode())

    async def _asked(self, method: str, path: str, body: bytes) -> Reply:
        reader = await self._sent(method, path, body)
        status, headers = await _head(reader)
        return Reply(status, headers, await reader.readexactly(int(headers.get("content-length", "0"))))

    async def stream(self, path: str, until: float) -> AsyncIterator[bytes]:
        """Yield the chunks of a reply until a time of the loop's clock."""
        reader = await self._sent("GET", path, b"")
        status, _ = await _head(reader)
        if status != 200:
            raise Unexpected(f"status {status}")
        clock = asyncio.get_running_loop()
        try:
            while (left := until - clock.time()) > 0:
                try:
                    size = int(await asyncio.wait_for(reader.readline(), left) or b"0", 16)
                except TimeoutError:
                    return
                if not size:
                    raise Unexpected("the stream has ended")
                yield (await reader.readexactly(size + 2))[:-2]
        finally:
            self.close()

    async def _sent(self, method: str, path: str, body: bytes) -> asyncio.StreamReader:
        now = asyncio.get_running_loop().time()
        if now > self._used + IDLE:
            self.close()  # the server may be closing it at this moment
        self._used = now
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        if body:
            lines.append("Content-Type: application/x-www-form-urlencoded")
        head = "\r\n".join([*lines, "", ""])
        self._writer.write(head.encode() + body)
        await self._writer.drain()
        return self._reader

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return int(first.split(" ")[1]), {key.lower(): value.strip() for key, _, value in pairs}
