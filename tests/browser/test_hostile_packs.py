"""A hostile pack cannot stop the server: there is a message at its table, and others go on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from rulewright.interpreter.game.game import Game
from rulewright.tools.browser.host import limits
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.words import words_of
from tests.browser.ponds import POND
from tests.browser.processes import Opened, Server, open_table, running
from tests.browser.served import ROOT, Served, serving
from tests.browser.test_nothing_lost import asked, first_keys

WORDS = words_of("en")
STALL = (ROOT / "tests" / "docs" / "stall" / "pack.yaml").read_text("utf-8")
BASE = STALL.replace("pack: stall", "pack: {name}")
IN_SET_UP = ("      if mode is rich:", "      repeat while turns >= 0:")
AT_ANSWER = (
    "        do: |\n          move gem to purse",
    "        do: |\n          repeat while turns >= 0: turns += 0\n          move gem to purse",
)


def pack(folder: Path, name: str, *change: str) -> str:
    """The pack of a stall with a change."""
    text = BASE.replace("{name}", name)
    if change:
        assert change[0] in text
        text = text.replace(*change)
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "pack.yaml").write_text(text, "utf-8")
    return str(folder / name)


# ------------------------------------------------------------------ in this process

def spinning(*_: object) -> None:
    while True:
        pass


def hoarding(*_: object) -> None:
    kept = [bytearray(1 << 20)]
    while True:
        kept.append(bytearray(len(kept[-1]) * 2))


Case = Callable[[Served], Coroutine[Any, Any, None]]


def served(case: Case, *packs: str) -> None:
    async def whole() -> None:
        async with serving(packs=packs) as server:
            await case(server)

    asyncio.run(whole())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of processor time")
@pytest.mark.parametrize(("does", "said"), [(spinning, "too-long"), (hoarding, "too-much-memory")])
def test_an_answer_without_end_is_refused(does: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def case(server: Served) -> None:
        table = await server.open("tutorial", [("human", ""), ("human", "")], (0, 1))
        _, token, decision = await asked(server, table)
        monkeypatch.setitem(limits.KINDS, "answer", 0.3 if said == "too-long" else limits.ANSWERING)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Game, "apply", does)
            began = time.process_time()
            reply = await server.answer(token, decision["stamp"], first_keys(decision))
        assert (reply.status_code, reply.json()) == (409, {"refused": WORDS[said]})
        assert time.process_time() - began < limits.ANSWERING
        assert table.slow
        again = await server.answer(token, decision["stamp"], first_keys(decision))
        assert again.status_code == 200
        assert len(table.lines) == 1
        assert str(table.number) in server.worker("slow").host.tables

    served(case)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of processor time")
def test_a_bot_without_end_stops_its_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def case(server: Served) -> None:
        monkeypatch.setitem(limits.KINDS, "bots", 0.2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(HostedTable, "bots", spinning)
            table = await server.open("tutorial", [("random", ""), ("random", "")])
            for _ in range(200):
                await asyncio.sleep(0.01)
                if table.trouble:
                    break
        owner = next(iter(table.readers))
        assert WORDS["too-long"] in (await server.client.get(f"/t/{owner}")).text
        other = await server.open("tutorial", [("human", ""), ("human", "")], (0, 1))
        _, token, decision = await asked(server, other)
        assert (await server.answer(token, decision["stamp"], first_keys(decision))).status_code == 200

    served(case)


def test_endless_rules_are_a_message(tmp_path: Path) -> None:
    at_once = pack(tmp_path, "at-once", *IN_SET_UP)

    async def case(server: Served) -> None:
        people = {"kind": ["human", "human"]}
        reply = await server.client.post("/tables", data={"pack": at_once, **people})
        assert reply.status_code == 422
        assert "rule error fuel" in reply.text
        table = await server.open(pack(tmp_path, "later", *AT_ANSWER), [("human", "")] * 2, (0, 1))
        _, token, decision = await asked(server, table)
        taking = next(one["key"] for one in decision["options"] if one["key"] != "pass")
        told = await server.answer(token, decision["stamp"], [taking])
        assert told.status_code == 409
        assert "rule error fuel" in told.json()["refused"]
        assert (await server.answer(token, decision["stamp"], ["pass"])).status_code == 200

    served(case, at_once)


@pytest.mark.parametrize(
    "text",
    ["", "pack: [", "pack: x\n" * 3_000, "a: &a [x]\nb: [" + "*a, " * 50_000 + "*a]", "x" * 2_000_000, "\x00"],
    ids=["empty", "torn", "repeated", "aliases", "too-large", "binary"],
)
def test_a_file_that_is_no_pack_is_a_message(text: str, tmp_path: Path) -> None:
    folder = Path(pack(tmp_path, "broken"))
    (folder / "pack.yaml").write_text(text, "utf-8")

    async def case(server: Served) -> None:
        reply = await server.client.post("/tables", data={"pack": str(folder), "kind": ["human"] * 2})
        assert reply.status_code == 422
        assert len(reply.content) < 500_000
        assert (await server.client.get("/", params={"pack": str(folder)})).status_code == 200

    served(case)


# ------------------------------------------------------------------ real processes

def workers_of(server: Server) -> list[int]:
    """The worker processes of a server."""
    number = server.process.pid
    text = Path(f"/proc/{number}/task/{number}/children").read_text("utf-8")
    return [int(word) for word in text.split()]


async def answer(client: httpx.AsyncClient, opened: Opened) -> float:
    """Answer once at a table, whoever is asked, and return the seconds that it took."""
    for path in opened.seats.values():
        told = (await client.get(f"{path}/state.json")).json()
        if told["decision"] is not None:
            form = {"stamp": told["decision"]["stamp"], "keys": first_keys(told["decision"])}
            began = time.monotonic()
            reply = await client.post(f"{path}/answer", data=form, headers={"accept": "application/json"})
            assert reply.json() == {"ok": True, "saved": True}, reply.text
            return time.monotonic() - began
    raise AssertionError("no player is asked")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the processes of a server are found in /proc")
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGSTOP])
def test_others_go_on_when_a_worker_stops(stop: signal.Signals, tmp_path: Path) -> None:
    """A worker that ends is started again; one that hangs is stopped after its patience."""

    async def whole(server: Server) -> None:
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:
            tables = [await open_table(client, "tutorial", ["link", "link"]) for _ in range(3)]
            for opened in tables:
                await answer(client, opened)
            for round_ in range(3):
                for number in workers_of(server):
                    os.kill(number, stop)
                if stop == signal.SIGSTOP:
                    first, *others = [(await client.get(opened.owner)).status_code for opened in tables]
                    assert first == 422 and {*others} <= {200, 422}  # the others may be on that worker or not
                await asyncio.gather(*(answer(client, opened) for opened in tables))
                if stop == signal.SIGSTOP:
                    return
                assert round_ < 3

    with running(tmp_path / "data") as server:
        asyncio.run(whole(server))
        assert "Traceback" not in server.printed()


@pytest.mark.slow
def test_others_play_on_beside_hostile_packs(tmp_path: Path) -> None:
    """On one worker, somebody plays while endless and broken packs are opened and played."""
    at_once, later = pack(tmp_path, "at-once", *IN_SET_UP), pack(tmp_path, "later", *AT_ANSWER)
    broken = Path(pack(tmp_path, "broken"))
    (broken / "pack.yaml").write_text("pack: x\n" * 100_000, "utf-8")
    answers = 0

    async def whole(address: str) -> None:
        nonlocal answers
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            opened = await open_table(client, "coup", ["link", "link"])
            done = asyncio.Event()

            async def playing() -> None:
                nonlocal answers
                while not done.is_set():
                    told = (await client.get(f"{opened.seats[0]}/state.json")).json()
                    if told["result"] is not None:
                        return
                    await answer(client, opened)
                    answers += 1

            task = asyncio.create_task(playing())
            for source in (at_once, str(broken), at_once):
                reply = await client.post("/tables", data={"pack": source, "kind": ["human"] * 2})
                assert reply.status_code == 422
            table = await open_table(client, later, ["random", "random"])
            for _ in range(100):
                await asyncio.sleep(0.05)
                if "rule error" in (await client.get(table.owner)).text:
                    break
            else:
                raise AssertionError("the table of the hostile pack has no message")
            done.set()
            await task

    with running(tmp_path / "data", at_once, later, str(broken)) as server:
        asyncio.run(whole(server.address))
        assert "Traceback" not in server.printed()
    assert answers > 3


# ------------------------------------------------------------------ packs that are gone or unreadable

def test_a_given_pack_that_is_gone_closes_no_lobby(tmp_path: Path) -> None:
    """The others can be played, and the one that is gone is there again when its folder is."""
    gone, fifo = tmp_path / "gone-pond", tmp_path / "a-pipe"
    gone.mkdir()
    fifo.mkdir()
    os.mkfifo(fifo / "pack.yaml")
    (gone / "pack.yaml").write_text(POND, "utf-8")

    async def whole() -> None:
        async with serving(packs=[gone, fifo]) as served:
            assert str(gone) in (await served.client.get("/")).text
            gone.rename(tmp_path / "aside")
            page = await served.client.get("/")
            assert page.status_code == 200 and str(gone) not in page.text
            form = {"pack": "tutorial", "kind": ["human", "human"], "seed": "1"}
            assert (await served.client.post("/tables", data=form)).status_code == 303
            (tmp_path / "aside").rename(gone)
            assert str(gone) in (await served.client.get("/")).text

    asyncio.run(whole())


def test_only_the_head_of_a_stream_ends_at_once() -> None:
    async def whole() -> None:
        async with serving() as served:
            table = await served.open("tutorial", [("human", ""), ("human", "")])
            for path in (f"/t/{next(iter(table.readers))}/events", "/gallery/events?pack=tutorial"):
                reply = await asyncio.wait_for(served.client.head(path), 10)
                assert reply.status_code == 200 and reply.headers["content-type"].startswith("text/event-stream")
            assert not table.listeners

    asyncio.run(whole())
