"""The balance studies of a server: one process at a time, and the last reports in memory."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, TypeAlias

from attrs import define, field

from rulewright.tools.browser.host.limits import HEAD, framed
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.browser.words import words_of

COMMAND = (sys.executable, "-m", "rulewright.tools.browser.host.study_process")
MOST_KEPT = 8
"""Studies that are kept, with the running one."""
LARGEST = 48 * 1024 * 1024
"""Bytes of one frame of a process: of a report in all its forms."""
LONGER = 60.0
"""Seconds that a study may take longer than half as much again as its time, before it is stopped."""
FREE = 300.0
"""Seconds more for a study that also weighs definitions at no cost."""
KEEPING = 20.0
"""Seconds after a stop in which a process can report what was played; then it is killed."""
if sys.platform == "win32":
    _STOP, _FLAGS = signal.CTRL_BREAK_EVENT, subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _STOP, _FLAGS = signal.SIGINT, 0
State: TypeAlias = Literal["running", "stopping", "done", "failed"]


@define(eq=False)
class ServerStudy:
    """A study: what was asked for (`tools.browser.host.balance_requests`), how far it is, and how it has ended.

    `report` has the report as `data`, `file`, and `fragment`; `failed` says why there is none.
    """

    number: int
    request: Mapping[str, Any]
    state: State = "running"
    report: Mapping[str, Any] = field(factory=dict)
    failed: str = ""
    details: str = ""
    what: str = "preparing"
    counted: tuple[int, int] = (0, 0)
    """How many of the games that are being played are done; (0, 0) where games are not counted."""
    stopped: asyncio.Event = field(init=False, factory=asyncio.Event)
    _listeners: set[asyncio.Event] = field(init=False, factory=set)
    _share: float = field(init=False, default=0.0)
    _left: float | None = field(init=False, default=None)
    _told: float = field(init=False, factory=time.monotonic)
    _began: float = field(init=False, factory=time.monotonic)

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return self.state in ("running", "stopping")

    @property
    def seconds(self) -> float:
        """Its time."""
        return float(self.request["seconds"])

    @property
    def left(self) -> float | None:
        """The seconds that it will still take, as far as that is known."""
        return None if self._left is None else max(0.0, self._left - (time.monotonic() - self._told))

    @property
    def share(self) -> float:
        """The share of its time that has passed; it never shrinks."""
        left, passed = self.left, time.monotonic() - self._began
        if left is not None and passed + left > 0:
            self._share = max(self._share, passed / (passed + left))
        return self._share

    def follow(self, progress: Mapping[str, Any]) -> None:
        """Take in a report of progress."""
        left = progress.get("left")
        self._left = None if left is None else float(left)
        self._told = time.monotonic()
        self.what, self.counted = str(progress["what"]), (int(progress["done"]), int(progress["games"]))
        self.changed()

    def end(
        self, state: State, report: Mapping[str, Any] | None = None, failed: str = "", details: str = ""
    ) -> None:
        """Note how it has ended."""
        self.state, self.report, self.failed, self.details = state, report or {}, failed, details
        self.changed()

    def changed(self) -> None:
        """Wake all pages that show it."""
        for listener in self._listeners:
            listener.set()

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """Return an event that is set whenever it has changed."""
        event = asyncio.Event()
        self._listeners.add(event)
        try:
            yield event
        finally:
            self._listeners.discard(event)


class RunningError(Exception):
    """A study was to be started while another one runs: `study`."""

    def __init__(self, study: ServerStudy) -> None:
        super().__init__(f"study {study.number} is running")
        self.study = study


@define
class Studies:
    """The studies of a server, the last ones. `command` starts the process of one; None if there can be none."""

    command: Sequence[str] | None = COMMAND
    _known: dict[int, ServerStudy] = field(init=False, factory=dict)
    _last: int = field(init=False, default=0)
    _process: asyncio.subprocess.Process | None = field(init=False, default=None)
    """That of the running study."""
    _tasks: set[asyncio.Task[None]] = field(init=False, factory=set)
    _closed: bool = field(init=False, default=False)

    def __iter__(self) -> Iterator[ServerStudy]:
        """Iterate over the studies, the last one first."""
        return iter(sorted(self._known.values(), key=lambda one: -one.number))

    def get(self, number: int) -> ServerStudy | None:
        """Return a study; None if there is none, or none any more."""
        return self._known.get(number)

    @property
    def running(self) -> ServerStudy | None:
        """The study that has not ended."""
        return next((one for one in self if one.open), None)

    def start(self, request: Mapping[str, Any]) -> ServerStudy:
        """Start a study. Raises RunningError, and WorkerFailure if no process can be started."""
        if self.command is None:
            raise WorkerFailure(words_of(str(request["language"]))["balance-no-process"], "refused")
        if self.running is not None:
            raise RunningError(self.running)
        self._last += 1
        study = self._known[self._last] = ServerStudy(self._last, request)
        for number in sorted(self._known)[:-MOST_KEPT]:
            del self._known[number]
        task = asyncio.create_task(self._run(study))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return study

    def stop(self, study: ServerStudy) -> None:
        """Ask a study to report what was played. One that has not begun to play has nothing to report."""
        if study.state != "running":
            return
        study.state = "stopping"
        study.stopped.set()
        if study.what == "preparing":
            _kill(self._process)
        elif self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(_STOP)
        study.changed()

    def close(self) -> None:
        """Kill what runs, and wake all pages."""
        self._closed = True
        _kill(self._process)
        for study in self:
            study.changed()

    async def ended(self) -> None:
        """Wait until nothing runs any more."""
        await asyncio.gather(*self._tasks)

    # -------------------------------------------------------------- inside

    async def _run(self, study: ServerStudy) -> None:
        assert self.command is not None, "asked when it was started"
        words = words_of(str(study.request["language"]))
        process = None
        try:
            process = self._process = await asyncio.create_subprocess_exec(
                *self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=1 << 26, env=dict(os.environ),
                start_new_session=True, creationflags=_FLAGS,
            )  # fmt: skip
            if self._closed or study.stopped.is_set():
                _kill(process)
            await self._play(study, process)
        except (
            asyncio.IncompleteReadError,
            OSError,
            ValueError,
            KeyError,
            TypeError,
        ):  # it has ended, or is broken
            early = study.stopped.is_set() and study.what in ("preparing", "watching")
            study.end("failed", failed=words["balance-stopped-early" if early else "balance-broken"])
        finally:
            _kill(process)
            if process is not None:
                await process.wait()

    async def _play(self, study: ServerStudy, process: asyncio.subprocess.Process) -> None:
        """Send the request, and take in frames until the process has reported. Raises what breaks that."""
        assert process.stdin is not None
        process.stdin.write(framed(study.request))
        await process.stdin.drain()
        process.stdin.close()
        reading = asyncio.create_task(_follow(study, process))
        stopped = asyncio.create_task(study.stopped.wait())
        try:
            longest = 1.5 * study.seconds + LONGER + (FREE if study.request.get("free") else 0.0)
            await asyncio.wait({reading, stopped}, timeout=longest, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                self.stop(study)
                await asyncio.wait({reading}, timeout=KEEPING)
            if not reading.done():
                _kill(process)
            await reading
        finally:
            stopped.cancel()
            reading.cancel()


async def _follow(study: ServerStudy, process: asyncio.subprocess.Process) -> None:
    """Take in frames until the study has ended."""
    while study.open:
        frame = await _frame(process)
        if "report" in frame:
            study.end("done", report=frame["report"])
        elif "failed" in frame:
            study.end("failed", failed=str(frame["failed"]), details=str(frame.get("details", "")))
        else:
            study.follow(frame["progress"])


async def _frame(process: asyncio.subprocess.Process) -> dict[str, Any]:
    """Read a frame. Raises ValueError for what is none."""
    assert process.stdout is not None
    size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
    if size > LARGEST:
        raise ValueError(f"a frame of {size} bytes")
    found: dict[str, Any] = json.loads(await process.stdout.readexactly(size))
    return found


def _kill(process: asyncio.subprocess.Process | None) -> None:
    """End a process at once, with all processes that it has started."""
    if process is None or process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
