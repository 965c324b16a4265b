"""The workers of the server: which one has a table, and what happens if one stops.

A worker is a process or, in a server of one process, this one (`LocalWorker`): without other processes, threads and
sockets, as in a test or where the system has none of them. There a request keeps all others waiting, and nothing
bounds its memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field

from rulewright.tools.browser.host.limits import HEAD, framed, patience_of
from rulewright.tools.browser.words import words_of

if TYPE_CHECKING:
    from rulewright.tools.browser.host.requests import Host

SLOW = 1.0
"""A table with a request of more than this processor time goes to the worker for slow tables (in seconds)."""


class WorkerFailure(Exception):  # noqa: N818 - the message is for players
    """A request could not be carried out: the rules or the pack are at fault, or the worker was stopped.

    `code` is `refused`, `rule-error`, `journal`, `limit`, `fault`, `closed` (the worker does not have the table),
    or `stopped` (its process has ended); `report` are rendered findings.
    """

    def __init__(self, message: str, code: str, report: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.report = report

    def naming(self, packs: Iterable[str]) -> WorkerFailure:
        """Return the failure with the names of packs in place of their paths."""
        message = str(self)
        for path in sorted(packs, key=len, reverse=True):
            message = message.replace(path, PurePath(path).name)
        return WorkerFailure(message, self.code, self.report)


class Worker(Protocol):
    """What answers requests about tables and pages."""

    @property
    def generation(self) -> int:
        """How often it was started: tables of an earlier time are gone."""

    async def ask(self, request: dict[str, Any]) -> Any:
        """Return the result of a request. Raises WorkerFailure."""

    async def timed(self, request: dict[str, Any]) -> tuple[Any, float]:
        """Return the result of a request, and the processor time that it took. Raises WorkerFailure."""

    async def start(self) -> None:
        """Make it ready, if it is not."""

    async def stop(self) -> None:
        """End it at once, also in the middle of a request."""


@define
class LocalWorker:
    """A worker that is this process. Requests are JSON here, too, so that nothing is shared with the server.

    It never says that a request took long: no other worker would keep fewer waiting.
    """

    host: Host
    generation: int = 1

    async def ask(self, request: dict[str, Any]) -> Any:
        """See `Worker.ask`."""
        return (await self.timed(request))[0]

    async def timed(self, request: dict[str, Any]) -> tuple[Any, float]:
        """See `Worker.timed`. Others get their turn before it."""
        from rulewright.tools.browser.host.worker import answered

        await asyncio.sleep(0)
        reply = json.loads(json.dumps(answered(self.host, json.loads(json.dumps(request)))))
        return _result(reply), 0.0

    async def start(self) -> None:
        """See `Worker.start`. It runs."""

    async def stop(self) -> None:
        """See `Worker.stop`. It ends with the server."""


@define
class WorkerProcess:
    """One process. Requests wait for each other; the process is started again after it has stopped.

    `most` bounds the real time of a request of any kind.
    """

    most: float | None = None
    generation: int = field(init=False, default=0)
    """How often the process was started: tables of an earlier one are gone."""
    _process: asyncio.subprocess.Process | None = field(init=False, default=None)
    _lock: asyncio.Lock = field(init=False, factory=asyncio.Lock)
    _closed: bool = field(init=False, default=False)

    @property
    def pid(self) -> int | None:
        """The number of the process, if it runs."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def ask(self, request: dict[str, Any]) -> Any:
        """See `Worker.ask`."""
        return (await self.timed(request))[0]

    async def timed(self, request: dict[str, Any]) -> tuple[Any, float]:
        """See `Worker.timed`.

        If the caller is cancelled, the request is carried out all the same: the next one would get its reply.
        """
        task = asyncio.create_task(self._ask(request))
        task.add_done_callback(_noticed)
        reply = await asyncio.shield(task)
        return _result(reply), float(reply.get("took", 0.0))

    async def start(self) -> None:
        """See `Worker.start`."""
        if self._process is None or self._process.returncode is not None:
            async with self._lock:
                await self._running(words_of("en"))

    async def stop(self) -> None:
        """See `Worker.stop`."""
        self._closed = True
        await self._kill()

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        patience = min(filter(None, (self.most, patience_of(str(request["do"])))))
        words = words_of(str(request.get("language", "en")))
        async with self._lock:
            process = await self._running(words)
            try:
                return await asyncio.wait_for(_exchange(process, request), patience)
            except TimeoutError:
                await self._kill()
                raise WorkerFailure(words["too-long"], "limit") from None
            except (asyncio.IncompleteReadError, ConnectionError, ValueError):
                await self._kill()
                raise WorkerFailure(words["worker-stopped"], "stopped") from None

    async def _running(self, words: Mapping[str, str]) -> asyncio.subprocess.Process:
        if self._closed:
            raise WorkerFailure(words["server-stops"], "refused")
        if self._process is None or self._process.returncode is not None:
            self.generation += 1
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "rulewright.tools.browser.host.worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 26, env=dict(os.environ),
            )  # fmt: skip
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _result(reply: Mapping[str, Any]) -> Any:
    """Return the result in a reply. Raises WorkerFailure."""
    if "failed" in reply:
        raise WorkerFailure(reply["failed"], reply.get("code", "fault"), reply.get("report", ""))
    return reply["result"]


def _noticed(task: asyncio.Task[Any]) -> None:
    """Look at the outcome of a request whose caller may be gone: an unseen error would be logged."""
    if not task.cancelled():
        task.exception()


async def _exchange(process: asyncio.subprocess.Process, request: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(framed(request))
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
    reply: dict[str, Any] = json.loads(await process.stdout.readexactly(size))
    return reply


@define
class ServerWorkers:
    """A fixed number of processes for tables; each table stays with one of them. With none, all is in this process.

    Three more are started when they are needed. `desk` compiles what nobody has played so far, and draws the lobby;
    `slow` has the tables that would keep others waiting; `press` prints cards and rules.
    """

    count: int
    most: float | None = None
    desk: Worker = field(init=False)
    slow: Worker = field(init=False)
    press: Worker = field(init=False)
    _all: Sequence[Worker] = field(init=False)

    def __attrs_post_init__(self) -> None:
        made: list[Worker] = (
            [WorkerProcess(self.most) for _ in range(self.count + 3)] if self.count else _local_workers(4)
        )
        self.desk, self.slow, self.press, *self._all = made

    def of(self, number: int) -> Worker:
        """Return the worker of a table, by the table's number."""
        return self._all[number % len(self._all)]

    async def start(self) -> None:
        """Start the processes that are always there."""
        await asyncio.gather(*(worker.start() for worker in self._all))

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.stop() for worker in (*self._all, self.desk, self.slow, self.press)))


def _local_workers(count: int) -> list[Worker]:
    """Return workers that are this process. Each has tables of its own, and all know the same packs."""
    from rulewright.tools.browser.host.requests import Host

    first = Host()
    return [LocalWorker(Host(first.shelf, desk=first.desk)) for _ in range(count)]
