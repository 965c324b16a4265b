"""A small pack that tests change, and its server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from rulewright.tools.browser.server.app import application
from rulewright.tools.browser.server.site import ServerSite, Settings

POND = """\
pack: pond
players: 2
languages: [en, es]
name: {en: Pond, es: Charca}
tracks: {coins: {scope: player}, fish: {scope: player}, turns: number}
---
verb: gain(s) <n> coin(s)
do: coins += n
---
round: turn
turns-from: first of players
until: turns >= 8
steps:
  - id: act
    options:
      work: gain 2 coins
      angle: fish += 1
      rest: do nothing
  - id: count
    do: turns += 1
"""
LANGUAGE = {"accept-language": "en"}


@contextmanager
def serving(
    *packs: Path, store: Path | None = None, key: str = "", sites: list[ServerSite] | None = None
) -> Iterator[httpx.Client]:
    """Serve packs, beside those that are found, on a port of this computer. `sites` gets the server's inside."""
    listening = socket.create_server(("127.0.0.1", 0))
    site = ServerSite(Settings(tuple(map(str, packs)), store, 2, (), key))
    app = application(site)
    if sites is not None:
        sites.append(site)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        with httpx.Client(base_url=address, headers=LANGUAGE, timeout=60, trust_env=False) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def opened(client: httpx.Client, pack: str, kinds: tuple[str, ...] = ("human", "human"), **more: Any) -> str:
    """Open a table, and return the address of its owner."""
    form = {"pack": pack, "kind": [*kinds], "name": ["" for _ in kinds], "seed": "1", "language": "en", **more}
    reply = client.post("/tables", data=form, follow_redirects=False)
    assert reply.status_code == 303, reply.text
    return reply.headers["location"]


def soon(get: Callable[[], httpx.Response], *parts: str, without: str = "\0") -> str:
    """Read a page until it contains some texts, and not another; some seconds at most."""
    until = time.monotonic() + 15
    while True:
        text = get().text
        if all(part in text for part in parts) and without not in text:
            return text
        shown = text[text.find("<main") :][:3000]
        assert time.monotonic() < until, f"waited for {parts}, without {without!r}, in:\n{shown}"
        time.sleep(0.1)
