"""The worker processes of the server: which one has a table, and what happens if one stops."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any

from attrs import define, field

HEAD = 4
PATIENCE = 30.0
"""Seconds of real time for one request; rules have much shorter limits of their own."""


class WorkerFailure(Exception):  # noqa: N818 - the message is for players
    """A request could not be carried out: the rules or the pack are at fault, or the worker was stopped.

    `code` is `refused`, `rule-error`, `journal`, `limit`, `fault`, or `stopped`; `report` are rendered findings.
    """

    def __init__(self, message: str, code: str, report: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.report = report


@define
class Worker:
    """One process. Requests wait for each other; the process is started again after it has stopped."""

    patience: float = PATIENCE
    _process: asyncio.subprocess.Process | None = field(init=False, default=None)
    _lock: asyncio.Lock = field(init=False, factory=asyncio.Lock)
    generation: int = field(init=False, default=0)
    """How often the process was started: tables of an earlier one are gone."""

    async def ask(self, request: dict[str, Any]) -> Any:
        """Return the result of a request. Raises WorkerFailure."""
        async with self._lock:
            process = await self._running()
            try:
                reply = await asyncio.wait_for(_exchange(process, request), self.patience)
            except (TimeoutError, asyncio.IncompleteReadError, ConnectionError, BrokenPipeError, ValueError):
                await self._kill()
                raise WorkerFailure("the rules took too long, or used too much memory", "stopped") from None
            except asyncio.CancelledError:  # the reply would be taken for that of the next request
                await self._kill()
                raise
        if "failed" in reply:
            raise WorkerFailure(reply["failed"], reply.get("code", "fault"), reply.get("report", ""))
        return reply["result"]

    async def start(self) -> None:
        """Start the process, if it is not running."""
        async with self._lock:
            await self._running()

    async def stop(self) -> None:
        """End the process."""
        async with self._lock:
            await self._kill()

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self.generation += 1
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tools.browser.host.worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 26, env=dict(os.environ),
            )  # fmt: skip
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _exchange(process: asyncio.subprocess.Process, request: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None and process.stdout is not None
    text = json.dumps(request, separators=(",", ":")).encode()
    process.stdin.write(len(text).to_bytes(HEAD, "big") + text)
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
    reply: dict[str, Any] = json.loads(await process.stdout.readexactly(size))
    return reply


@define
class Workers:
    """A fixed number of processes; each table stays with one of them."""

    count: int
    patience: float = PATIENCE
    _all: list[Worker] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._all = [Worker(self.patience) for _ in range(self.count)]

    def of(self, number: int) -> Worker:
        """Return the worker of a table, by the table's number."""
        return self._all[number % self.count]

    async def start(self) -> None:
        """Start all processes."""
        await asyncio.gather(*(worker.start() for worker in self._all))

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.stop() for worker in self._all))
