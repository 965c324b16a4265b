"""A real server in a process of its own, for tests that stop it or use up its time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from attrs import define, field

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-u", "-m", "rulewright", "serve", "--no-open", "--port", "0"]
ADDRESS = re.compile(r"http://\S+?(?=/)")
LINK = re.compile(r'data-copy="([^"]+)"')


@define
class Server:
    """A running server. `errors` is the file with what it has printed on its standard error stream."""

    process: subprocess.Popen[str]
    address: str
    errors: Path

    def kill(self) -> None:
        """End it without any warning, as a power failure does. Its workers end when they notice."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def printed(self) -> str:
        return self.errors.read_text("utf-8")


def start(
    data: Path,
    *packs: str,
    workers: int = 1,
    before: list[str] | None = None,
    saves: Path | None = None,
    port: int = 0,
) -> Server:
    """Start a server; its address is printed as soon as it listens. `saves` is the folder of the user's games.

    Without a `port` it takes any.
    """
    errors = data.with_suffix(".errors")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    if saves is not None:
        environment["RULEWRIGHT_SAVES"] = str(saves)
    with errors.open("a") as stream:
        process = subprocess.Popen(
            [*(before or []), *COMMAND, f"--port={port}", f"--data={data}", f"--workers={workers}", *packs],
            stdout=subprocess.PIPE, stderr=stream, text=True, cwd=ROOT, env=environment,
        )  # fmt: skip
    assert process.stdout is not None
    found = ADDRESS.search(process.stdout.readline())
    assert found, errors.read_text("utf-8")
    return Server(process, found.group(), errors)


@contextmanager
def running(
    data: Path, *packs: str, workers: int = 1, before: list[str] | None = None, saves: Path | None = None
) -> Iterator[Server]:
    """A server that is killed at the end."""
    server = start(data, *packs, workers=workers, before=before, saves=saves)
    try:
        yield server
    finally:
        server.kill()


def runs(number: int) -> bool:
    """Whether a process runs; one that has ended may still wait for its parent. Only Linux can tell."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@define
class Opened:
    """A table with its addresses: that of its owner, and those of the seats that people play by link."""

    owner: str
    seats: dict[int, str] = field(factory=dict)


async def open_table(client: httpx.AsyncClient, pack: str, kinds: list[str], speed: int = 0, **more: str) -> Opened:
    """Open a table as the form of the lobby does."""
    form = {"pack": pack, "kind": kinds, "name": [""] * len(kinds), "speed": str(speed), **more}
    reply = await client.post("/tables", data=form)
    assert reply.status_code == 303, f"{reply.status_code}: {reply.text[-2000:]}"
    owner = reply.headers["location"]
    links = LINK.findall((await client.get(f"{owner}/links")).text)
    seats = [seat for seat, kind in enumerate(kinds) if kind == "link"]
    places = [httpx.URL(link).path for link in links]
    return Opened(owner, dict(zip(seats, places, strict=False)))
