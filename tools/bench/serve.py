"""How long people wait for `rulewright serve` while many tables are played.

    python -m rulewright.tools.bench.serve [PACK …] [--tables 200] [--seconds 60] [--people 8] [--pages 5]
        [--streams 40]

First, tables with four bots each play at their normal speed for the given time. At a few more tables people answer,
others load pages and keep streams of events open; each answer and page is measured in turn with one of the same
size from a bare starlette application. Then as many tables with bots that play at once are played to their ends.
All of it goes over HTTP to a server in a process of its own, by httpx (`pip install 'rulewright[bench]'`), whose
time is in both figures. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import quantiles

from attrs import define, field
from httpx import AsyncClient, HTTPError, Limits, Response

from rulewright.ruleset.source.pack_files import PACK_FILE
from rulewright.tools.bench import command
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import say
from rulewright.tools.packs import loading

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


def _client(server: Server) -> AsyncClient:
    limits = Limits(keepalive_expiry=IDLE)
    return AsyncClient(base_url=f"http://127.0.0.1:{server.port}", limits=limits, timeout=None)


def _expect(reply: Response, status: int, what: str) -> Response:
    """Return a reply. Raises Unexpected if it is another than there should be."""
    if reply.status_code != status:
        raise Unexpected(f"{what}: {reply.status_code} {reply.text[:200]!r}")
    return reply


THINKING = 0.2
"""Mean seconds between two answers of a person."""
BOTS = 4


@define
class Waits:
    """Seconds that somebody waited: for the server, and for the bare application."""

    ours: list[float] = field(factory=list)
    bare: list[float] = field(factory=list)

    def line(self, name: str) -> str:
        """Return the figures in milliseconds."""
        parts = [f"{name:<12}{len(self.ours):>7}"]
        for waits in (self.ours, self.bare):
            points = quantiles([1000 * wait for wait in waits], n=100) if len(waits) > 1 else [0.0] * 99
            parts.append("".join(f"{points[at - 1]:>9.1f}" for at in (50, 95, 99)))
        return "   ".join(parts)


@define
class Load:
    """What was done so far."""

    packs: Sequence[str]
    chance: random.Random
    answers: Waits = field(factory=Waits)
    pages: Waits = field(factory=Waits)
    events: int = 0
    faults: list[str] = field(factory=list)
    tables: list[str] = field(factory=list)
    """The addresses of the tables with four bots, as their owner."""


def main(arguments: Sequence[str]) -> int:
    """Print the figures; return 1 if anything failed."""
    first_line = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m rulewright.tools.bench.serve", description=first_line)
    parser.add_argument("packs", nargs="*", metavar="PACK")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--pages", type=float, default=5.0, help="pages a second")
    parser.add_argument("--streams", type=int, default=40)
    given = parser.parse_args(arguments)
    return command.ended(lambda: _measured(given))


def _measured(given: argparse.Namespace) -> bool:
    if given.tables < 1 or not given.seconds > 0:
        raise Usage("there is nothing to measure without a table and some seconds")
    load = Load(given.packs or _some_games(), random.Random(1))
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as (server, bare):
        try:
            asyncio.run(_run(given, load, server, bare))
        except (OSError, ValueError, HTTPError, Unexpected) as error:
            load.faults.append(repr(error))
        load.faults += server.complaints()
        server.stop()
        _throughput(Path(folder) / "data" / "tables.sqlite", given, load)
    for fault in load.faults[:20]:
        say(fault)
    say(f"{len(load.faults)} errors")
    return not load.faults


def _some_games() -> tuple[str, ...]:
    """Return the first and the last of the games that come with the program."""
    packs = loading.shipped().items()
    games = [name for name, root in packs if b"\nextends:" not in (root / PACK_FILE).read_bytes()]
    return games[0], games[-1]


async def _run(given: argparse.Namespace, load: Load, server: Server, bare: Server) -> None:
    async with _client(server) as client, _client(bare) as plain:
        for pack in load.packs:  # so that rules are compiled, and count for no table
            await _opened(client, pack, ["random"] * BOTS, 10_000)
        await asyncio.sleep(1)
        before = memory(server.pid)
        began = time.monotonic()
        for number in range(given.tables):
            load.tables.append(await _opened(client, load.packs[number % len(load.packs)], ["random"] * BOTS))
        opening = time.monotonic() - began
        grown = memory(server.pid) - before
        say(f"{given.tables} tables opened in {opening:.1f} s ({1000 * opening / given.tables:.0f} ms each)")
        say(f"memory: {before / 2**20:.0f} MiB without them, {grown / given.tables / 2**10:.0f} KiB for each")
        packs = (load.packs[number % len(load.packs)] for number in range(given.people))
        tables = (load.tables[number % len(load.tables)] for number in range(given.streams))
        until = time.monotonic() + given.seconds
        await asyncio.gather(
            *(_noted(load, "a person", _person(load, client, plain, pack, until)) for pack in packs),
            *(_noted(load, "a stream", _stream(load, client, table, until)) for table in tables),
            _noted(load, "a page", _pages(load, client, plain, given.pages, until)),
        )
        kib = (memory(server.pid) - before) / given.tables / 2**10
        say(f"after {given.seconds:.0f} s: {kib:.0f} KiB for each, {load.events} events sent")
        say(f"{'ms':<12}{'count':>7}   {'p50':>9}{'p95':>9}{'p99':>9}   {'bare p50':>9}{'p95':>9}{'p99':>9}")
        say(load.answers.line("answers"))
        say(load.pages.line("first page"))
        await _at_once(given, load, client)


async def _noted(load: Load, who: str, doing: Coroutine[None, None, None]) -> None:
    """Do something, and note why it could not go on."""
    try:
        await doing
    except (OSError, ValueError, HTTPError, Unexpected) as error:
        load.faults.append(f"{who}: {error!r}")


async def _opened(client: AsyncClient, pack: str, kinds: Sequence[str], speed: int = 600) -> str:
    """Open a table, and return the address of its owner."""
    reply = await client.post("/tables", data={"pack": pack, "speed": str(speed), "kind": list(kinds)})
    return str(_expect(reply, 303, f"a table of {pack} was not opened").headers["location"])


async def _person(load: Load, client: AsyncClient, bare: AsyncClient, pack: str, until: float) -> None:
    """Answer at a table with three bots, again and again; a finished game is followed by another."""
    chance, kinds = random.Random(load.chance.random()), ["human", *["random"] * (BOTS - 1)]
    table = await _opened(client, pack, kinds, 100)
    while time.monotonic() < until:
        told = _expect(await client.get(f"{table}/state.json"), 200, "a state").json()
        if told["result"] is not None:
            await client.post(f"{table}/remove")  # a server has a limited number of tables
            table = await _opened(client, pack, kinds, 100)
        elif (decision := told["decision"]) is not None:
            every = [one["key"] for one in decision["options"] for _ in range(one["count"])]
            keys = chance.sample(every, chance.randint(decision["least"], min(decision["most"], len(every))))
            form = {"stamp": decision["stamp"], "keys": keys}
            began = time.perf_counter()
            reply = await client.post(f"{table}/answer", data=form)
            load.answers.ours.append(time.perf_counter() - began)
            _expect(reply, 200, "an answer")
            began = time.perf_counter()
            await bare.post(f"/answer?size={len(reply.content)}", data=form)
            load.answers.bare.append(time.perf_counter() - began)
        await asyncio.sleep(chance.uniform(0, 2 * THINKING))


async def _pages(load: Load, client: AsyncClient, bare: AsyncClient, rate: float, until: float) -> None:
    """Load pages of tables."""
    while time.monotonic() < until:
        began = time.perf_counter()
        reply = await client.get(load.chance.choice(load.tables))
        load.pages.ours.append(time.perf_counter() - began)
        _expect(reply, 200, "a page")
        began = time.perf_counter()
        await bare.get(f"/?size={len(reply.content)}")
        load.pages.bare.append(time.perf_counter() - began)
        await asyncio.sleep(1 / rate)


async def _stream(load: Load, client: AsyncClient, table: str, until: float) -> None:
    """Read the events of a table."""
    with suppress(TimeoutError):
        async with asyncio.timeout(until - time.monotonic()), client.stream("GET", f"{table}/events") as reply:
            async for line in reply.aiter_lines():
                load.events += line.startswith("event: table")
            raise Unexpected(f"it has ended, with status {reply.status_code}")


async def _at_once(given: argparse.Namespace, load: Load, client: AsyncClient) -> None:
    """Let bots play whole games at once."""
    began = time.monotonic()
    tables = [
        await _opened(client, load.packs[number % len(load.packs)], ["random"] * BOTS, 0)
        for number in range(given.tables)
    ]
    for table in tables:
        while (await client.get(f"{table}/state.json")).json()["result"] is None:
            page = (await client.get(table)).text
            if "data-bad" in page or time.monotonic() > began + 10 * given.seconds:
                load.faults.append("a game at once does not end")
                break
            await asyncio.sleep(0.05)
    took = time.monotonic() - began
    say(f"at once: {given.tables} games of {BOTS} bots opened and played in {took:.1f} s")


def _throughput(file: Path, given: argparse.Namespace, load: Load) -> None:
    """Count the answers that were stored, and look for gaps in them."""
    connection = sqlite3.connect(file)
    rows = [*connection.execute("SELECT of, count(*), max(number) FROM answers GROUP BY of")]
    connection.close()
    first = len(load.packs) + 1
    normal = sum(count for of, count, _ in rows if first <= of < first + given.tables)
    gaps = [(of, count, last) for of, count, last in rows if last != count - 1]
    load.faults += [f"table {of} has {count} answers, and the last has number {last}" for of, count, last in gaps]
    say(f"{sum(count for _, count, _ in rows)} answers stored; bots at normal speed gave {normal}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
