"""Games to replay: tables in which bots play, and their journals as uploaded files."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.interpreter.game.journal import write
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.host.replay import ReplayedGame
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.host.worker import answered

CONTENT = Path(__file__).parents[2] / "content"
GAMES = sorted(
    place.parent.name for place in CONTENT.glob("*/pack.yaml") if "\nextends:" not in place.read_text("utf-8")
)
"""The shipped packs that are games, not house rules."""
SEED = 3


@cache
def shelf() -> PackShelf:
    return PackShelf()


def seated(pack: str, players: int = 0, kind: str = "random", **more: Any) -> TableSpec:
    """The spec of a table at which all seats are of one kind; by default with the fewest players."""
    count = players or shelf().compiled(str(CONTENT / pack), ()).program.least_players
    return TableSpec(str(CONTENT / pack), seats=(SeatSpec(kind),) * count, seed=SEED, **more)


def table(pack: str, answers: int, players: int = 0) -> HostedTable:
    """A table after some answers of bots, or at the end of its game."""
    spec = seated(pack, players)
    made = HostedTable(spec, shelf().rules(spec))
    for _ in range(answers):
        if not made.bots(1):
            break
    return made


def replayed(of: HostedTable) -> ReplayedGame:
    """The replay of a table as it is now."""
    return ReplayedGame(of.rules, of.course.game.clone(), of.spec.names, of.spec.kinds)


def journal(of: HostedTable) -> bytes:
    """The journal of a table, as it is downloaded."""
    return write(of.course.game.journal).encode()


def opening(data: bytes, file: str = "game.journal") -> dict[str, Any]:
    """The request with which a server gives an uploaded journal to a worker."""
    return {
        "do": "replay_open", "replay": "upload", "file": file, "language": "en", "packs": [],
        "data": b64encode(data).decode(),
    }  # fmt: skip


def opened(data: bytes) -> tuple[Host, dict[str, Any]]:
    """A worker that was given a journal, and its reply."""
    host = Host()
    return host, answered(host, opening(data))


def asking(do: str, view: int = -2, at: int = 0, **more: Any) -> dict[str, Any]:
    """A request about an uploaded journal that may be seen with all eyes."""
    return {
        "do": do, "replay": "upload", "file": "game.journal", "language": "en", "packs": [], "view": view, "at": at,
        "views": [-2, -1, 0, 1], "address": "/replay/upload", **more,
    }  # fmt: skip
