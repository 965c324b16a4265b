"""Kill a server at random instants; no acknowledged answer may be lost, and none may be there twice.

`python -m tests.browser.kills [N] [SEED]`

People by link and bots play at several tables of a real server. At a random instant it gets SIGKILL. Then its file
must hold, for each seat, every answer that was acknowledged, in order, and at most the one more that was on its
way; the next server goes on from there.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx
from attrs import define, field

from tests.browser.processes import Opened, Server, open_table, start

TABLES = (
    ("coup", ["link", "link", "random"]),
    ("tutorial", ["link", "random", "link"]),
    ("coup", ["link", "link"]),
)
LONGEST = 0.5
"""Seconds from the first acknowledged answer to the kill, at most."""
PATIENCE = 30.0


@define
class Seat:
    """What one person has answered: stamps and keys, and the answer that is on its way."""

    number: int
    path: str
    done: list[tuple[str, tuple[str, ...]]] = field(factory=list)
    sent: tuple[str, tuple[str, ...]] | None = None


@define
class Kills:
    """What happened so far."""

    count: int = 0
    acknowledged: int = 0
    on_the_way: int = 0
    stored: int = 0
    games: int = 0
    starting: float = 0.0
    faults: list[str] = field(factory=list)


@define
class Table:
    """A table of the test. `over` is noticed by its people."""

    opened: Opened
    number: int
    seats: list[Seat]
    over: bool = False


def run(kills: int, seed: int, folder: Path) -> Kills:
    """Play and kill; ended games are followed by new ones."""
    return asyncio.run(_run(kills, random.Random(seed), folder))


async def _run(kills: int, chance: random.Random, folder: Path) -> Kills:
    done, tables, data = Kills(), list[Table](), folder / "data"
    while done.count < kills and not done.faults:
        began = time.monotonic()
        server = start(data)
        try:
            async with httpx.AsyncClient(base_url=server.address, timeout=PATIENCE) as client:
                await client.get("/static/icon.svg")
                done.starting += time.monotonic() - began
                tables = [table for table in tables if not table.over]
                while len(tables) < len(TABLES):
                    tables.append(await _new(client, done, chance))
                await _played(client, server, tables, chance, done)
        finally:
            server.kill()
        done.count += 1
        _compare(data / "tables.sqlite", tables, done)
        if server.printed():
            done.faults.append(server.printed())
    return done


async def _new(client: httpx.AsyncClient, done: Kills, chance: random.Random) -> Table:
    pack, kinds = TABLES[done.games % len(TABLES)]
    done.games += 1
    opened = await open_table(client, pack, kinds, seed=str(chance.randrange(10**6)))
    return Table(opened, done.games, [Seat(seat, path) for seat, path in opened.seats.items()])


async def _played(
    client: httpx.AsyncClient, server: Server, tables: list[Table], chance: random.Random, done: Kills
) -> None:
    """Let people play until the server is killed."""
    first = asyncio.Event()
    people = [
        asyncio.create_task(_person(client, table, seat, random.Random(chance.random()), first, done))
        for table in tables
        for seat in table.seats
    ]
    wait = chance.uniform(0, LONGEST)
    try:
        await asyncio.wait_for(first.wait(), PATIENCE)
        await asyncio.sleep(wait)
    except TimeoutError:
        done.faults.append("no answer was acknowledged after a start")
    server.process.kill()
    await asyncio.gather(*people)


async def _person(
    client: httpx.AsyncClient, table: Table, seat: Seat, chance: random.Random, first: asyncio.Event, done: Kills
) -> None:
    """Answer at random until the server is gone or the game is over."""
    with suppress(httpx.TransportError):
        while not table.over:
            told = (await client.get(f"{seat.path}/state.json")).json()
            table.over = told["result"] is not None
            decision = told["decision"]
            if decision is None:
                await asyncio.sleep(0.01)
                continue
            every = [one["key"] for one in decision["options"] for _ in range(one["count"])]
            keys = chance.sample(every, chance.randint(decision["least"], min(decision["most"], len(every))))
            seat.sent = decision["stamp"], tuple(sorted(keys))
            reply = await client.post(
                f"{seat.path}/answer", data={"stamp": decision["stamp"], "keys": keys},
                headers={"accept": "application/json"},
            )  # fmt: skip
            if reply.status_code == 200 and reply.json() == {"ok": True, "saved": True}:
                seat.done.append(seat.sent)
                done.acknowledged += 1
                first.set()
            elif reply.status_code != 409:
                done.faults.append(f"{reply.status_code}: {reply.text}")
                return
            seat.sent = None


def _compare(file: Path, tables: list[Table], done: Kills) -> None:
    """Compare what is stored with what was acknowledged."""
    connection = sqlite3.connect(file)
    for table in tables:
        rows = connection.execute("SELECT number, line FROM answers WHERE of = ? ORDER BY number", (table.number,))
        lines = [(number, json.loads(line)) for number, line in rows]
        if [number for number, _ in lines] != list(range(len(lines))):
            done.faults.append(f"table {table.number}: the numbers of its answers have gaps")
        done.stored += len(lines)
        for seat in table.seats:
            own = [(digest, tuple(sorted(keys))) for _, (_, at, keys, digest) in lines if at == seat.number]
            expected = [(stamp.rpartition(".")[2], keys) for stamp, keys in seat.done]
            if seat.sent is not None and len(own) == len(expected) + 1:
                done.on_the_way += 1
                seat.done.append(seat.sent)
                expected.append((seat.sent[0].rpartition(".")[2], seat.sent[1]))
            seat.sent = None
            if own != expected:
                done.faults.append(
                    f"table {table.number}, seat {seat.number}: {len(expected)} answers were acknowledged, "
                    f"{len(own)} are stored"
                )
    connection.close()


def main() -> int:
    kills, seed = (int(text) for text in [*sys.argv[1:], *("50", "1")[len(sys.argv) - 1 :]])
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        done = run(kills, seed, Path(folder))
    print(
        f"{done.count} kills in {time.monotonic() - began:.0f} s at {done.games} games: {done.acknowledged} "
        f"answers acknowledged, {done.on_the_way} stored that were on their way; "
        f"{done.starting / max(1, done.count):.2f} s to start"
    )
    print(*done.faults, sep="\n")
    return 1 if done.faults else 0


if __name__ == "__main__":
    sys.exit(main())
