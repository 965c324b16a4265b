"""The studies of a server, with processes that say what a test wants, stop, or break."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.tools.browser.server import studies as module
from rulewright.tools.browser.server.studies import MOST_KEPT, RunningError, ServerStudy, Studies
from rulewright.tools.browser.words import words_of
from tests.browser.processes import runs

WORDS = words_of("en")
REQUEST = {"language": "en", "seconds": 20, "pack": "/quarry", "more": []}
HELPERS = """\
import json, os, signal, sys, time
def say(data):
    text = json.dumps(data).encode()
    sys.stdout.buffer.write(len(text).to_bytes(4, "big") + text)
    sys.stdout.buffer.flush()
def progress(what, done=0, games=0, left=None):
    say({"progress": {"what": what, "done": done, "games": games, "left": left}})
size = int.from_bytes(sys.stdin.buffer.read(4), "big")
request = json.loads(sys.stdin.buffer.read(size))
"""
PLAYING = """\
progress("preparing")
try:
    progress("screening", 3, 12, 9.0)
    time.sleep(60)
except KeyboardInterrupt:
    say({"report": {"fragment": "stopped", "asked": request}})
"""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the processes of these tests end by signals")
Case = Callable[[Studies], Awaitable[None]]


def played(script: str, case: Case, folder: Path) -> None:
    """Run a case with studies whose processes run a script. No process outlives it."""
    file = folder / "process.py"
    file.write_text(HELPERS + script, encoding="utf-8")

    async def whole() -> None:
        studies = Studies((sys.executable, str(file)))
        try:
            await case(studies)
        finally:
            studies.close()
            await studies.ended()
        assert studies.running is None

    asyncio.run(whole())


async def until(said: Callable[[], bool], study: ServerStudy) -> None:
    """Wait until something is so, as a page waits for a study."""
    with study.listening() as changed:
        while not said():
            await asyncio.wait_for(changed.wait(), 30)
            changed.clear()


async def end_of(study: ServerStudy) -> ServerStudy:
    await until(lambda: not study.open, study)
    return study


def test_a_study_tells_how_far_it_is_and_then_its_report(tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        study = studies.start(REQUEST)
        assert (study.state, study.what, study.left, study.share) == ("running", "preparing", None, 0.0)
        seen: list[Any] = []
        with study.listening() as changed:
            while study.open:
                await asyncio.wait_for(changed.wait(), 30)
                changed.clear()
                seen.append((study.what, study.counted))
        assert ("comparing", (5, 10)) in seen
        assert (study.state, study.report) == ("done", {"fragment": "whole", "asked": REQUEST})
        assert studies.running is None and studies.get(study.number) is study

    script = """\
progress("comparing", 5, 10, 3.0)
time.sleep(0.3)
say({"report": {"fragment": "whole", "asked": request}})
"""
    played(script, case, tmp_path)


def test_the_share_of_the_time_never_shrinks() -> None:
    study = ServerStudy(1, REQUEST)
    study.follow({"what": "screening", "done": 1, "games": 10, "left": 0.0})
    assert study.share == pytest.approx(1.0)
    study.follow({"what": "screening", "done": 2, "games": 10, "left": 1000.0})
    assert study.share == pytest.approx(1.0)
    assert study.left == pytest.approx(1000, abs=5)


def test_a_study_that_is_stopped_reports_what_was_played(tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        study = studies.start(REQUEST)
        await until(lambda: study.what == "screening", study)
        studies.stop(study)
        studies.stop(study)
        assert study.state == "stopping" and studies.running is study
        assert (await end_of(study)).report["fragment"] == "stopped"

    played(PLAYING, case, tmp_path)


def test_only_one_study_runs_at_a_time(tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        study = studies.start(REQUEST)
        with pytest.raises(RunningError) as caught:
            studies.start(REQUEST)
        assert caught.value.study is study
        await until(lambda: study.what == "screening", study)
        studies.stop(study)
        await end_of(study)
        again = studies.start(REQUEST)
        assert [one.number for one in studies] == [again.number, study.number] == [2, 1]
        await until(lambda: again.what == "screening", again)
        await asyncio.sleep(0.2)
        assert again.state == "running", "the end of a process does not end the next one"

    played(PLAYING, case, tmp_path)


def test_the_last_studies_are_kept(tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        for _ in range(MOST_KEPT + 2):
            await end_of(studies.start(REQUEST))
        assert [one.number for one in studies] == [*range(MOST_KEPT + 2, 2, -1)]
        assert studies.get(2) is None

    played('say({"failed": "no"})\n', case, tmp_path)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("", WORDS["balance-broken"]),
        ('progress("screening")\nos.kill(os.getpid(), 9)\n', WORDS["balance-broken"]),
        ('sys.stdout.buffer.write(b"no frame at all")\n', WORDS["balance-broken"]),
        ('sys.stdout.buffer.write(b"\\xff" * 8); sys.stdout.flush(); time.sleep(60)\n', WORDS["balance-broken"]),
        ('say(["a list"])\n', WORDS["balance-broken"]),
        ('say({"progress": {"what": "screening"}})\n', WORDS["balance-broken"]),
        ('say({"failed": "the pack has errors", "details": "line 3"})\n', "the pack has errors"),
    ],
)
def test_a_process_that_breaks_is_a_message(script: str, said: str, tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        study = await end_of(studies.start(REQUEST))
        assert (study.state, study.failed) == ("failed", said)

    played(script, case, tmp_path)


def test_a_stop_before_the_first_game_ends_the_process_at_once(tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        study = studies.start({**REQUEST, "language": "es"})
        studies.stop(study)
        assert (await end_of(study)).failed == words_of("es")["balance-stopped-early"]

    played("time.sleep(60)\n", case, tmp_path)


DEAF = """\
signal.signal(signal.SIGINT, signal.SIG_IGN)
progress("screening")
time.sleep(60)
"""


def test_a_process_that_does_not_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEEPING", 0.3)

    async def case(studies: Studies) -> None:
        study = studies.start(REQUEST)
        await until(lambda: study.what == "screening", study)
        studies.stop(study)
        assert (await end_of(study)).failed == WORDS["balance-broken"]

    played(DEAF, case, tmp_path)


def test_a_study_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGER", 1.5)

    async def case(studies: Studies) -> None:
        study = studies.start({**REQUEST, "seconds": 0})
        assert (await end_of(study)).report["fragment"] == "stopped"

    played(PLAYING, case, tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_closing_ends_the_process_with_all_that_it_has_started(tmp_path: Path) -> None:
    async def case(studies: Studies) -> None:
        study = studies.start(REQUEST)
        await until(lambda: study.what == "screening", study)
        child = study.counted[0]
        assert runs(child)
        studies.close()
        await asyncio.wait_for(studies.ended(), 20)  # the child has the pipe of its parent, and sleeps longer
        assert study.state == "failed"
        for _ in range(100):  # a killed process is there for a moment
            if not runs(child):
                break
            await asyncio.sleep(0.05)
        assert not runs(child)

    script = """\
child = os.fork()
if not child:
    time.sleep(60)
    os._exit(0)
progress("screening", child, 9)
time.sleep(60)
"""
    played(script, case, tmp_path)
