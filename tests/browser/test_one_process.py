"""The application in one process, without subprocesses, threads, sockets, and what few systems have."""

from __future__ import annotations

import _thread
import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.ponds import POND
from tests.browser.served import Served, serving

NOT_THERE = ("uvicorn", "h11", "watchfiles", "multiprocessing.pool", "concurrent.futures.process")
"""Modules that the application needs only for a real server, for saved files, or for studies."""


def refuse(error: Exception) -> Any:
    def refused(*_: object, **__: object) -> None:
        raise error

    return refused


@contextmanager
def bare() -> Iterator[None]:
    """Take away what one process must not need, with the errors of a system that lacks it.

    The event loop is there already: it has sockets of its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        for place in ((threading.Thread, "start"), (_thread, "start_new_thread")):
            patch.setattr(*place, refuse(RuntimeError("can't start new thread")))
        processes = (subprocess.Popen, "__init__"), (asyncio, "create_subprocess_exec")
        for place in (*processes, (socket.socket, "__init__")):
            patch.setattr(*place, refuse(OSError(138, "not supported")))
        for module, name in ((os, "geteuid"), (os, "fork"), (signal, "setitimer"), (signal, "pthread_sigmask")):
            patch.delattr(module, name, raising=False)
        for name in NOT_THERE:
            patch.setitem(sys.modules, name, None)
        yield


async def pages(served: Served, pack: Path) -> dict[str, int]:
    """The status of each page, by its address."""
    found = {}
    for path in (
        "/", f"/form?pack={pack}", f"/gallery?pack={pack}", f"/gallery/cards?pack={pack}&find=a", "/scenarios",
        "/scenarios/outcomes?pack=tutorial&n=0.1", "/print", f"/print/form?pack={pack}", "/replay", "/balance",
        "/static/table.css", "/static/fonts/inter-latin-400-normal.woff2", "/static/nothing", "/nothing",
    ):  # fmt: skip
        found[path] = (await served.client.get(path)).status_code
    return found


async def game(served: Served) -> None:
    """A whole game against bots, by the page for programs, and its replay, which is then uploaded."""
    seats = {"kind": ["human", "truthful", "random"], "name": ["", "", ""]}
    reply = await served.client.post("/tables", data={"pack": "coup", "speed": "0", "seed": "1", **seats})
    assert reply.status_code == 303, reply.text
    token = reply.headers["location"].removeprefix("/t/")
    for _ in range(200):
        seen = await served.state(token)
        if seen["result"] is not None:
            break
        decision = seen["decision"]
        if decision is None:
            await asyncio.sleep(0.01)  # the bot's turn
            continue
        keys = [option["key"] for option in decision["options"]][: max(1, decision["least"])]
        assert (await served.answer(token, decision["stamp"], keys)).status_code == 200
    assert seen["result"] is not None
    assert (await served.client.get(f"/t/{token}/replay?at=3&view=all")).status_code == 200
    text = await served.client.get(f"/t/{token}/journal")
    kept = await served.client.post("/replay", files={"journal": ("game.journal", text.content)})
    assert (await served.client.get(kept.headers["location"])).status_code == 200


def test_pages_and_a_game(tmp_path: Path) -> None:
    store, pack = tmp_path / "tables.sqlite", tmp_path / "pond"
    pack.mkdir()
    file = pack / "pack.yaml"
    file.write_text(POND, "utf-8")

    async def first() -> None:
        async with serving(store, [pack], threaded=False) as served:
            with bare():
                found = await pages(served, pack)
                assert {path for path, status in found.items() if status != 200} == {"/static/nothing", "/nothing"}
                await game(served)
                large = {"journal": ("large.journal", b"no journal " * 200_000)}
                assert (await served.client.post("/replay", files=large)).status_code == 422
                study = {"pack": "tutorial", "lang": "en", "players": "2"}
                refused = await served.client.post("/balance/start", data=study)
                assert refused.status_code == 422
                assert "rulewright balance" in refused.text
                file.write_text(f"{POND}---\nnonsense: 1\n", "utf-8")
                assert "nonsense" in (await served.client.get(f"/gallery?pack={pack}")).text

    async def second() -> None:
        async with serving(store, threaded=False) as served:
            (kept,) = served.site.tables
            assert kept.over and kept.lines

    asyncio.run(first())
    asyncio.run(second())


def test_it_is_imported_without_them() -> None:
    without = f"import sys; sys.modules.update(dict.fromkeys({NOT_THERE}))"
    script = f"{without}; import rulewright.tools.browser.server.app"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_browser_that_has_a_file_is_not_sent_it_again() -> None:
    async def whole() -> None:
        async with serving() as served:
            reply = await served.client.get("/static/table.js")
            assert reply.headers["content-type"].startswith("text/javascript")
            again = {"if-none-match": reply.headers["etag"]}
            same = await served.client.get("/static/table.js", headers=again)
            assert (same.status_code, same.content) == (304, b"")
            other = await served.client.get("/static/table.css", headers=again)
            assert other.status_code == 200

    asyncio.run(whole())
