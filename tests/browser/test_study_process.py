"""The process of a study: its progress, its end, and that it outlives no server."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from rulewright.tools.browser.host import study_process
from rulewright.tools.browser.host.limits import framed, receive
from rulewright.tools.browser.host.study_process import EVERY, Follower, answered
from rulewright.tools.browser.server.studies import COMMAND
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.untrusted import TimeLimitReached
from tests.browser.processes import Server, running, runs
from tests.tools.balance.test_study import QUARRY

REQUEST = {
    "pack": str(QUARRY), "more": [], "players": 2, "options": [], "bot": "random", "kinds": [], "seed": 1,
    "seconds": 600, "versus": False, "free": "", "language": "en",
}  # fmt: skip

PLAYS = 3.0
"""Seconds of the processor after which a study has begun to play: it has imported, checked and compiled."""


def follower(times: list[float], last: bool = False) -> tuple[Follower, list[Any]]:
    """A follower of 100 games whose study is planned to end at 60, with a clock that a test sets."""
    told: list[Any] = []
    made = Follower(told.append, "comparing", 100, 60.0, last, lambda: times[0])
    return made.__enter__(), told


def test_the_time_left_is_what_was_planned_until_the_pace_is_known() -> None:
    now = [10.0]
    games, told = follower(now)
    now[0] = 20.0
    games.done(4)
    now[0] = 30.0
    games.done(10)  # 90 more at this pace take 180 seconds
    now[0] = 40.0
    games.done(90)  # and 10 more take less than what is planned for what follows
    assert [one["left"] for one in told] == [50.0, 40.0, 180.0, 20.0]
    assert [(one["what"], one["done"], one["games"]) for one in told[-1:]] == [("comparing", 90, 100)]


def test_the_last_games_take_as_long_as_their_pace_says() -> None:
    now = [10.0]
    games, told = follower(now, last=True)
    now[0] = 40.0
    games.done(75)
    assert told[-1]["left"] == 10.0


def test_progress_is_told_from_time_to_time_also_if_nothing_has_changed() -> None:
    now = [10.0]
    games, told = follower(now)
    for step in range(9):
        now[0] = 10.0 + EVERY * step / 2
        games.tick()
    assert len(told) == 1 + 4


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Usage("no such table"), "no such table"),
        (TimeLimitReached(), words_of("en")["too-long"]),
        (MemoryError(), words_of("en")["too-much-memory"]),
        (RecursionError(), words_of("en")["too-much-memory"]),
        (KeyboardInterrupt(), words_of("en")["balance-stopped-early"]),
        (ZeroDivisionError("at /secret/place"), words_of("en")["not-done"].format(error="ZeroDivisionError")),
    ],
)
def test_what_goes_wrong_is_a_message(error: BaseException, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(study_process, "reported", fails)
    monkeypatch.delenv("RULEWRIGHT_DEBUG", raising=False)
    assert answered(REQUEST, lambda _: None)["failed"] == said


@pytest.mark.slow
def test_a_process_ends_when_nobody_reads_its_progress() -> None:
    """As when the server was killed. The study would take ten minutes."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(framed(REQUEST))
        process.stdin.flush()
        while receive(process.stdout)["progress"]["what"] != "screening":
            pass
        process.stdout.close()
        process.wait(60)


def below(number: int) -> dict[int, str]:
    """All processes below one, with their command lines."""
    found: dict[int, str] = {}
    children = Path(f"/proc/{number}/task/{number}/children")
    for child in map(int, children.read_text("utf-8").split() if children.exists() else ()):
        line = Path(f"/proc/{child}/cmdline")
        found[child] = line.read_text("utf-8").replace("\0", " ") if line.exists() else ""
        found |= below(child)
    return found


def used_by(number: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def playing(server: Server) -> list[int]:
    """Start a study, wait until it plays, and return the numbers of its processes: one, if native code plays."""
    async with httpx.AsyncClient(base_url=server.address, timeout=60, trust_env=False) as client:
        form = {"pack": "coup", "players": "4", "seconds": "600", "lang": "en"}
        reply = await client.post("/balance/start", data=form)
        assert reply.status_code == 303, reply.text[-2000:]
        for _ in range(600):
            found = [one for one, line in below(server.process.pid).items() if "study_process" in line]
            if sum(map(used_by, found)) > PLAYS:
                return found
            await asyncio.sleep(0.1)
    raise AssertionError("the study does not begin to play")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the processes of a server are found in /proc")
@pytest.mark.parametrize("how", ["terminate", "kill"])
def test_a_study_does_not_outlive_its_server(how: str, tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        numbers = asyncio.run(playing(server))
        getattr(server.process, how)()
        server.process.wait(20)
        for _ in range(300):
            left = [one for one in numbers if runs(one)]
            if not left:
                break
            asyncio.run(asyncio.sleep(0.1))
        assert not left
        if how == "terminate":
            assert server.printed() in ("", "rulewright: interrupted\n")


def test_the_process_is_started_by_its_module() -> None:
    assert (sys.executable, "-m", study_process.__name__) == COMMAND
