"""Many games between bots, in this process or in several, with one tally.

Which process plays a game changes nothing about it, so the totals do not depend on their number. A process takes
the next few numbers, plays them, and sends what it has counted some times a second. Being stopped, it finishes
the game that it is in; what was counted is never lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from attrs import frozen

from interpreter import playout
from interpreter.backend import make
from interpreter.errors import RuleError
from interpreter.python_playing import PlayingBackend
from ruleset.table import TableProgram
from tools.bots import Bots
from tools.tally import Columns, Tally

_SEND_EVERY = 0.2
_TAKE_FOR = 0.05
"""Seconds of play that a process takes numbers for; it takes at least one and at most `_MOST_TAKEN`."""
_MOST_TAKEN = 256


@frozen
class Batch:
    """Games 0 to `games` - 1 of a seed at one table."""

    program: TableProgram
    games: int
    seed: int
    backend: str = "python"


Play = Callable[[int], tuple[list[int], int]]
"""Plays a game by its number: how its state is at the end, and how many decisions there were."""
Take = Callable[[int], tuple[int, int]]
"""Gives the next numbers, at most so many: the first, and the one behind the last."""
Send = Callable[[Tally], None]
Stopped = Callable[[], bool]


def play_batch(batch: Batch, jobs: int, told: Send) -> tuple[Tally, bool]:
    """Plays a batch; `told` gets the tally so far. Gives the tally and whether it was stopped by an interrupt."""
    whole = Tally(batch.program.seats)

    def counted(part: Tally) -> None:
        whole.merge(part)
        told(whole)

    if min(jobs, batch.games) == 1:
        with _interrupts() as stopped:
            _play(batch, _counter(batch.games), stopped.is_set, counted)
    else:
        with _interrupts() as stopped:
            _share_out(batch, min(jobs, batch.games), stopped.is_set, counted)
    whole.failed.sort()
    return whole, stopped.is_set() and whole.games < batch.games


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Ctrl-C sets the event, however often; a game is short, and whoever plays looks at the event after each."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    before = signal.getsignal(signal.SIGINT)

    signal.signal(signal.SIGINT, lambda *_: event.set())
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)


def _counter(games: int) -> Take:
    following = 0

    def take(most: int) -> tuple[int, int]:
        nonlocal following
        first, following = following, min(following + most, games)
        return first, following

    return take


# ------------------------------------------------------------------ playing


def _play(batch: Batch, take: Take, stopped: Stopped, send: Send) -> None:
    """Plays games until there are none left or it is stopped; sends parts of the tally."""
    play = _player(batch)
    columns = Columns(batch.program)
    part, since, most = Tally(batch.program.seats), time.monotonic(), 1
    while not stopped():
        first, end = take(most)
        if first == end:
            break
        began = time.monotonic()
        for game in range(first, end):
            _play_one(play, columns, game, part)
            if stopped():
                break
        now = time.monotonic()
        each = (now - began) / (end - first)
        most = max(1, min(_MOST_TAKEN, int(_TAKE_FOR / each) if each else _MOST_TAKEN))
        if now - since > _SEND_EVERY:
            send(part)
            part, since = Tally(batch.program.seats), now
    send(part)


def _player(batch: Batch) -> Play:
    """How games are played: generated Python does not stop for the bots, which changes nothing else."""
    bots = Bots(batch.program)
    if batch.backend == "python":
        playing = PlayingBackend(batch.program)

        def whole(game: int) -> tuple[list[int], int]:
            state = playing.start(batch.seed, game)
            return state, playing.play(state, bots.sit(batch.seed, game))

        return whole
    backend = make(batch.program, batch.backend)

    def stepwise(game: int) -> tuple[list[int], int]:
        stream, state = bots.sit(batch.seed, game), backend.start(batch.seed, game)
        return state, playout.play_out(backend, state, stream, bots)

    return stepwise


def _play_one(play: Play, columns: Columns, game: int, part: Tally) -> None:
    try:
        state, decisions = play(game)
    except RuleError as error:
        part.fail(game, error.code, error.at)
    else:
        part.add(columns, state, decisions)


# ------------------------------------------------------------------ several processes


def _share_out(batch: Batch, jobs: int, stopped: Stopped, counted: Send) -> None:
    """Plays a batch in several processes and takes in what they count."""
    alone = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if alone and os.name == "posix" else "spawn")
    following, stop = context.Value("q", 0), context.Event()
    processes, ends = [], []
    for _ in range(jobs):
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(batch, following, stop, there), daemon=True)
        process.start()
        there.close()
        processes.append(process)
        ends.append(here)
    try:
        _take_in(ends, stop, stopped, counted)
    finally:
        stop.set()
        for process in processes:
            process.join(timeout=5)
            if process.is_alive():
                process.terminate()


def _take_in(ends: list[Connection], stop: Any, stopped: Stopped, counted: Send) -> None:
    while ends:
        for end in wait(ends, timeout=_SEND_EVERY):
            assert isinstance(end, Connection)
            try:
                kind, what = end.recv()
            except EOFError:
                raise RuntimeError("a process that played games has died") from None
            if kind == "part":
                counted(what)
            elif kind == "failed":
                raise RuntimeError(f"a process that played games has failed: {what}")
            else:
                ends.remove(end)
        if stopped():
            stop.set()


def _work(batch: Batch, following: Any, stop: Any, end: Connection) -> None:
    """One of several processes. An interrupt reaches it through the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def take(most: int) -> tuple[int, int]:
        with following.get_lock():
            first = following.value
            following.value = min(first + most, batch.games)
            return first, following.value

    with suppress(BrokenPipeError):  # nobody waits for the result any more
        try:
            _play(batch, take, stop.is_set, lambda part: end.send(("part", part)))
        except BrokenPipeError:
            raise
        except Exception as error:
            end.send(("failed", f"{type(error).__name__}: {error}"))
        else:
            end.send(("done", None))
