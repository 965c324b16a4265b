"""Several processes that play what is left of some work.

A process is given numbers and answers with what it counted in one message, so that of a process that is killed all
of an interval was counted, or nothing; then others play it. Nothing is shared that has a lock: who is killed while
it holds one would stop all others.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic

from attrs import define

from tools.common.errors import OURS, Failure
from tools.simulation.execution.collector import Whole
from tools.simulation.execution.pacing import following, portion
from tools.simulation.execution.stopping import Stop
from tools.simulation.execution.work_queue import DeadlyError, Interval, Intervals
from tools.simulation.protocol import C, Part, Player, Work

_TAKE_FOR = 0.2
"""Seconds of play that a process is given numbers for."""
_LOOK_EVERY = 0.2


@define
class _Member:
    """A process that plays: our end of the line to it, what it was given, and how much it is given at a time."""

    process: Any
    end: Connection
    most: int
    given: Interval | None = None
    since: float = 0.0


class Team(Generic[C]):
    """Processes that play what is left, so many at a time; where they are forked, with this player."""

    def __init__(
        self,
        work: Work[C],
        player: Player[C],
        intervals: Intervals,
        jobs: int,
        stop: Stop,
        whole: Whole[C],
        method: str,
    ) -> None:
        self._work, self._intervals, self._jobs = work, intervals, jobs
        self._stop, self._whole = stop, whole
        self._player = player if method == "fork" else None
        self._context: Any = multiprocessing.get_context(method)
        self._halt = self._context.RawValue("b", 0)
        self._members: list[_Member] = []
        self._deadly: Failure | None = None

    def play(self) -> None:
        """Plays until all is done or it is stopped.

        Raises Failure where the same games kill again and again, when those in play are finished and counted.
        """
        try:
            for _ in range(self._jobs):
                self._hire()
            while not (self._intervals.over or self._stop.again):
                if self._stopping:
                    self._halt.value = 1
                else:
                    self._give()
                if not any(member.given for member in self._members) and self._stopping:
                    break
                for end in wait([member.end for member in self._members], timeout=_LOOK_EVERY):
                    self._hear(next(member for member in self._members if member.end is end))
                self._whole.progress.tick()
            if self._deadly is not None:
                raise self._deadly
        finally:
            self._dismiss()

    @property
    def _stopping(self) -> bool:
        """Whether nothing more is to be begun."""
        return self._stop.asked() or self._deadly is not None

    def _hire(self) -> None:
        here, there = self._context.Pipe()
        arguments = (self._work, self._player, self._halt, there, here if self._player else None)
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        there.close()
        self._members.append(_Member(process, here, 1))

    def _give(self) -> None:
        """Gives numbers to those who have none."""
        ahead = not self._whole.crowded
        for member in [member for member in self._members if member.given is None]:
            most = portion(member.most, self._intervals.left, self._jobs)
            member.given = self._intervals.take(most, ahead)
            if member.given is None:
                return
            member.since = time.monotonic()
            try:
                member.end.send((member.given.first, member.given.end))
            except OSError:
                self._bury(member)

    def _hear(self, member: _Member) -> None:
        try:
            kind, what = member.end.recv()
        except (EOFError, OSError):
            self._bury(member)
            return
        if kind == "failed":
            raise RuntimeError(f"a process that played games has failed: {what}")
        assert member.given is not None
        part: Part[C] = what
        self._intervals.done(member.given, part.end)
        if part.end > part.first:
            seconds = time.monotonic() - member.since
            member.most = following(member.most, part.end - part.first, seconds, _TAKE_FOR)
        member.given = None
        self._whole.take(part)

    def _bury(self, member: _Member) -> None:
        """A process has died: others play what it had, and another takes its place."""
        self._members.remove(member)
        member.end.close()
        member.process.join()
        how = _how(member.process.exitcode)
        try:
            self._intervals.lost(member.given)
        except DeadlyError as error:
            what = error.interval or "games"
            self._deadly = self._deadly or Failure(
                f"who plays {what} dies again and again; the last process {how}. If memory is short, fewer --jobs "
                "may help; else it is a fault of rulewright: please report it, with the command and the pack",
                OURS,
            )
        if self._stopping:
            return
        lost = f"; {member.given} will be played again" if member.given else ""
        self._whole.progress.note(f"a process that played games {how}{lost}")
        self._hire()

    def _dismiss(self) -> None:
        self._halt.value = 1
        for member in self._members:
            with suppress(OSError):
                member.end.send(None)
        for member in self._members:
            member.process.join(timeout=0 if self._stop.again else 5)
            if member.process.is_alive():
                member.process.kill()
                member.process.join()
            member.end.close()


def _how(code: int) -> str:
    """How a process has ended, by its exit code."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed ({name})"


def _work(
    work: Work[Any], player: Player[Any] | None, halt: Any, end: Connection, other: Connection | None
) -> None:
    """One of several processes. An interrupt reaches it through the one that started it, at the `other` end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if other is not None:
        other.close()
    with suppress(BrokenPipeError, EOFError):  # nobody waits for the result any more
        try:
            player = player or work.player()
            while numbers := end.recv():
                first, behind = numbers
                end.send(("part", player.play(first, behind, lambda: bool(halt.value))))
        except (BrokenPipeError, EOFError):
            raise
        except Exception as error:
            end.send(("failed", f"{type(error).__name__}: {error}"))
        finally:
            if player is not None:
                player.close()
