"""Fuzz journals: `replay` and `play --resume` end with 0, 1 or 2, within limits of time and memory.

A mutant is a good journal in which nodes, numbers, lengths or texts of the header, the program and the entries were
changed; its hash is then made right again, since anybody who writes a hostile journal does that. Each is tried in a
worker process. A failure is an exit code that is not 0, 1 or 2, a traceback, output with control characters, more
than `SECONDS`, or more than `BYTES`.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attrs import define, field

from interpreter.game import journal as journals
from interpreter.game.game import Game
from ruleset.program.series import whole_series
from ruleset.table.canonical import CanonicalError, from_json, program_hash
from tests.tools.harness import ROOT

SECONDS = 5.0
"""Of the processor, for one command."""
LONGEST = 60.0
"""Of the processor, for a mutant: then its worker is ended."""
PATIENCE = 20
"""Times as many seconds of the clock before a silent worker is given up: other work may slow it down."""
BYTES = 500 * 1024 * 1024
ROOM = 100 * 1024 * 1024
"""Bytes beyond what a worker has already, where that is more: tests that ran before may have left it much."""
PACKS = ("bazaar", "bluff", "orchard", "wards", "crates", "piles", "sealed", "hooks", "rubber")
SHIPPED = ("coup",)
ENTRIES = 12
"""Answers in each good journal."""
DEEP = 50_000
"""Python's recursion limit for changes: one may copy what another has nested 400 levels deep."""
NUMBERS = (-1, 0, 1, 2, 3, 63, 64, 65, 255, 1000, 32767, 65536, 999_999, 2**31 - 1, -(2**31), 2**31, 2**62, 10**18)
TEXTS = ("", "x", "\x1b[31mred\x1b[0m", "a\nb\n::error file=x::y", "\u202e", "\x00", "é" * 3000, "../../x", "card")


@cache
def bases() -> tuple[list[Any], ...]:
    """Good journals as data: the header, the program, the entries."""
    from tools.packs import loading as packs

    found = []
    for name in (*(str(ROOT / "tests" / "packs" / pack) for pack in PACKS), *SHIPPED):
        program = packs.compile_pack(name).program
        if program.series is not None:
            program = whole_series(program)
        table = packs.table(program, program.least_players, ())
        game = Game.start(table, 7, "walker")
        while game.result is None and len(game.journal.entries) < ENTRIES:
            decision = game.decisions[0]
            keys = [key for option in decision.options for key in [option.key] * option.count]
            game.apply(decision.seat, keys[: max(decision.least, min(1, decision.most))])
        found.append([json.loads(line) for line in journals.write(game.journal).splitlines()])
    return tuple(found)


# ------------------------------------------------------------------ mutants


@cache
def pool() -> tuple[Any, ...]:
    """Nodes of all programs, to be put elsewhere."""
    found = []
    for base in bases():
        places = [place for place in _places(base[1]) if isinstance(place[0][place[1]], dict)]
        found += [place[0][place[1]] for place in places[:: max(1, len(places) // 150)]]
    return tuple(found)


def _places(data: Any) -> list[tuple[Any, Any]]:
    """All places in some data: where each value is kept, and under which key."""
    found, waiting = [], [data]
    while waiting:
        thing = waiting.pop()
        keys: Any = range(len(thing)) if isinstance(thing, list) else list(thing) if isinstance(thing, dict) else ()
        for key in keys:
            found.append((thing, key))
            waiting.append(thing[key])
    return found


def mutant(chance: random.Random) -> str:
    """A journal that is not as it was."""
    base = bases()[chance.randrange(len(bases()))]
    # All bases are made of JSON; most of a program is shared between mutants, so only what changes is copied.
    data = copy.deepcopy(base)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        line = chance.choices((0, 1, 2), (1, 12, 2))[0]
        target = data[0] if line == 0 else data[1] if line == 1 else data[chance.randrange(2, len(data))]
        with _nesting():
            _change(target, chance)
    if chance.random() < 0.9:
        _hashed(data)
    with _nesting():
        lines = [json.dumps(line) for line in data]
    if chance.random() < 0.05:
        _broken(lines, chance)
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def _nesting() -> Iterator[None]:
    """Within it, Python goes as deep as changes nest."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _change(data: Any, chance: random.Random) -> None:
    places = _places(data)
    if not places:
        return
    where, key = places[chance.randrange(len(places))]
    value = where[key]
    kind = chance.randrange(10)
    if isinstance(value, bool):
        where[key] = not value
    elif isinstance(value, int) and kind < 8:
        where[key] = chance.choice((value + 1, value - 1, -value, value * 2, chance.choice(NUMBERS)))
    elif isinstance(value, str) and kind < 8:
        where[key] = chance.choice(TEXTS)
    elif isinstance(value, list) and kind < 8:
        _change_list(value, chance)
    elif kind < 6 and isinstance(value, dict):
        where[key] = copy.deepcopy(chance.choice(pool()))
    elif kind == 6 and isinstance(value, dict) and len(value) == 1:
        (name,) = value
        other = next(iter(chance.choice(pool())))
        where[key] = {other: value[name]}
    elif kind == 7:
        other_where, other_key = places[chance.randrange(len(places))]
        where[key] = copy.deepcopy(other_where[other_key])
    elif kind == 8:
        where[key] = chance.choice((None, True, "x", 1.5, [], {}, -1, [value], {"Const": [value]}))
    else:
        deep: Any = copy.deepcopy(value)
        for _ in range(chance.choice((5, 50, 120, 400))):
            deep = {"Not": [deep]} if isinstance(value, dict) else [deep]
        where[key] = deep


def _change_list(items: list[Any], chance: random.Random) -> None:
    kind = chance.randrange(5)
    if kind == 0 and items:
        del items[chance.randrange(len(items))]
    elif kind == 1 and items:
        items.insert(chance.randrange(len(items) + 1), copy.deepcopy(chance.choice(items)))
    elif kind == 2 and len(items) > 1:
        one, other = chance.randrange(len(items)), chance.randrange(len(items))
        items[one], items[other] = items[other], items[one]
    elif kind == 3 and items:
        items[:] = items * chance.choice((2, 10, 300 if len(json.dumps(items[:3])) < 300 else 2))
    else:
        items.clear()


def _hashed(data: list[Any]) -> None:
    """Makes the header fit the program again, where there still is one."""
    try:
        program = from_json(data[1])
        data[0]["program"] = program_hash(program)
        data[0] |= {"pack": program.pack, "version": program.version, "semantics": program.semantics}
        data[0] |= {"seats": program.seats, "options": [list(option) for option in program.options]}
    except (CanonicalError, ValueError, TypeError, KeyError, RecursionError):
        return


def _broken(lines: list[str], chance: random.Random) -> None:
    """Lines that are not what they were as texts: cut off, twice, none, endless brackets."""
    at = chance.randrange(len(lines))
    lines[at] = chance.choice(
        ("", lines[at][: chance.randrange(len(lines[at]) + 1)], "[" * 100_000, "1" * 10_000, lines[at] * 2, "\x00")
    )


# ------------------------------------------------------------------ trying


@define
class Tried:
    """How the mutants ended, and what failed: the journal and what it did, by the place."""

    ends: Counter[str] = field(factory=Counter)
    failures: dict[str, tuple[str, str]] = field(factory=dict)
    slowest: float = 0.0
    largest: int = 0
    """Bytes of memory beyond what a worker has."""


def attempt(text: str) -> tuple[str, str]:
    """Replays a journal, and goes on with it: how that ended, and what is wrong with it, if anything is."""
    from tools import cli

    ends = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "x.journal")
        for arguments in (["replay", str(file)], ["play", "--resume", str(file), "--without-names"]):
            file.write_text(text, "utf-8")
            shown = io.StringIO()
            before = resource.getrusage(resource.RUSAGE_SELF)
            with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
                sys.stdin = io.StringIO("1\n?\nv\nwhy\nl\n? 1\nu\n1\nall\nq\n")
                code = cli.run(arguments)
            after = resource.getrusage(resource.RUSAGE_SELF)
            said = shown.getvalue()
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            if code not in (0, 1, 2) or "Traceback" in said:
                return "failed", f"exit code {code} of {arguments[0]}: {said[-1500:]}"
            if "\x1b" in said or "\u202e" in said or "\n::error" in said:
                return "failed", f"control characters in the output of {arguments[0]}: {said[-1500:]!r}"
            if seconds > SECONDS:
                return "failed", f"{arguments[0]} took {seconds:.1f} s: {said[-300:]}"
            ends.append(f"{code}" if code < 2 else _sort(said))
            if code == 2 and ": line " in said:
                break  # it cannot be read, by whatever command
    return " then ".join(ends), ""


def _sort(said: str) -> str:
    """The sort of a refusal."""
    for words in ("takes too long", "too much memory", "cannot be run"):
        if words in said:
            return f"2 ({words})"
    return "2"


def made_apart(seed: int) -> str:
    """The mutant of a seed, made by a process of its own: a worker's memory is measured, and making takes much."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mutant")
        maker = os.fork()
        if maker == 0:
            try:
                file.write_text(mutant(random.Random(seed)), "utf-8")
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(maker, 0)
        assert status == 0, f"mutant {seed} could not be made"
        return file.read_text("utf-8")


def _work(task: tuple[int, int]) -> tuple[int, str, str, float, int]:
    seed, _ = task
    os.environ["RULEWRIGHT_NO_CACHE"] = os.environ["RULEWRIGHT_NO_SAVES"] = "1"
    text = made_apart(seed)
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        end, fault = attempt(text)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    if memory > max(BYTES, base + ROOM):
        end, fault = "failed", f"{memory >> 20} MiB, before {base >> 20} MiB"
    return seed, end, fault, time.process_time() - began, memory


def fuzz(
    first: int, count: int, tried: Tried, jobs: int = 2, tell: Callable[[str], None] = lambda text: None
) -> Iterator[int]:
    """Tries mutants `first` to `first + count - 1`, and gives the number tried so far after each."""
    bases(), pool()  # made before the workers, which share them
    # A worker that dies ends its pool: `imap` would wait for ever, so each task is waited for with patience.
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=200) as workers:
        tasks = [(seed, 0) for seed in range(first, first + count)]
        results = workers.imap(_work, tasks, chunksize=1)
        for number, (seed, _) in enumerate(tasks, 1):
            try:
                _, end, fault, seconds, memory = results.next(timeout=LONGEST * PATIENCE)
            except multiprocessing.TimeoutError:
                end, fault, seconds, memory = "failed", "a worker hung or died", LONGEST * PATIENCE, 0
            tried.ends[end] += 1
            tried.slowest, tried.largest = max(tried.slowest, seconds), max(tried.largest, memory)
            if fault:
                tell(f"seed {seed}: {fault}")
                tried.failures.setdefault(fault[-160:], (mutant(random.Random(seed)), f"seed {seed}: {fault}"))
            yield number


def write(tried: Tried, out: Path) -> list[Path]:
    """Writes what failed."""
    files = []
    for number, (text, fault) in enumerate(tried.failures.values(), 1):
        file = out / f"journal-{number}.journal"
        out.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.with_suffix(".txt").write_text(fault, "utf-8")
        files.append(file)
    return files
