"""Check spliced packs and play those that pass: lock-step, whole games, scenarios, bots.

Each runs in a process that may use so much time and memory. What fails is made small as other failures are.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
import traceback
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import Expr, TableProgram
from rulewright.tools.common.bots import SeatedBots
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages
from tests.fuzz.oracle import Files, packs_of, rendered, spans_lie_within
from tests.fuzz.run import Failing, Tally, place_of, smaller
from tests.fuzz.splice import spliced
from tests.interpreter.lockstep import lockstep

MOST_SECONDS: float = 10
"""Of the processor's time, for one pack."""
MOST_BYTES = 1 << 30
"""Of memory, for the process that checks packs."""
GAMES, ANSWERS, WHOLE = 2, 40, 200
"""Games in lock-step, and answers in each; answers of a game on the fast build."""
STEPS = 1_000_000
"""Expressions that the walker evaluates for one pack, in about 2 seconds. Then play ends as `enough`.

Fuel allows 20,000 turns of loops for each answer. If each turn does much, the walker needs more than
`MOST_SECONDS`: it is the reference and not made for speed. Generated code stays far below.
Counting steps rather than time makes a number end alike on every machine.
"""
MOST_SCENARIOS, MOST_BOTS = 3, 2
MOST_TRIES = 300
"""How often a failing pack is tried with less in it, where that is quick."""


class TooLongError(BaseException):
    """A pack took more than its time."""


class EnoughError(Exception):
    """The walker has done its steps for a pack."""


class _Counting(Statements):
    """Counts the values that a walker works out."""

    steps = 0

    def number(self, node: Expr, scope: Environment) -> int:
        self.steps += 1
        if self.steps > STEPS:
            raise EnoughError
        return super().number(node, scope)


def _walker(table: TableProgram) -> Walker:
    walker = Walker(table)
    walker.code = _Counting(table)
    return walker


def check(files: Files) -> str:
    """Raises whatever is raised; else a word for how far the pack came."""
    game, *more = packs_of(files)
    loaded = load_files(game, more=more)
    spans_lie_within(loaded, files)
    rendered(loaded, files)
    if loaded.program is None:
        assert loaded.errors, "no program and no error"
        return "errors"
    return _played(loaded.program, sum(len(data) for _, data in files) % 2 == 0)


def _played(program: Program, most: bool) -> str:
    """Plays with as few or as many players as the pack allows."""
    end = _table(program, program.most_players if most else program.least_players)
    stages = Stages(program, program.scenarios[:MOST_SCENARIOS])
    for scenario in stages.scenarios:
        perform(stages, scenario)
    return end


def _table(program: Program, seats: int) -> str:
    try:
        table = lower(program, seats)
    except TableError:
        return "no table"
    tally = None
    with suppress(EnoughError):
        tally = lockstep(table, GAMES, 1, [_walker(table), make(table)], ANSWERS)
    backend = make(table)
    try:
        play_out(backend, backend.start(2), Stream(2), most=WHOLE)
        for bot in (table.bots.bots if table.bots is not None else ())[:MOST_BOTS]:
            _bot(table, bot.key)
    except (RuleError, RuleFault):
        return "rule error"
    if tally is None:
        return "enough"
    return "rule error" if tally.errors else "result" if tally.ended else "stopped"


def _bot(table: TableProgram, key: str) -> None:
    """Some answers of a bot in all seats; views and knowledge come with them."""
    bots = SeatedBots(table, (key,) * table.seats)
    game = Game.start(table, 1)
    bots.sit(1, 0)
    for given in range(ANSWERS):
        if game.result is not None:
            return
        decision = game.decisions[0]
        game.apply(decision.seat, bots.answer(game, decision, given))


# ------------------------------------------------------------------ bounds

def bounded(files: Files) -> str:
    """`check` within its time; raises TooLongError."""

    def late(*_: object) -> None:
        raise TooLongError(f"more than {MOST_SECONDS} seconds")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        return check(files)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


PATIENCE = 20
"""Times as many seconds of the clock as of the processor before a silent process is ended."""


@define
class Splicing:
    """A run over the numbers of packs; the tally grows as a process reports them."""

    tally: Tally = field(factory=Tally)

    def run(self, first: int, packs: int) -> Iterator[int]:
        """Tries packs, and gives the number of each when it is done. One that ends its process is a failure."""
        number = first
        while number < first + packs:
            for done in self._process(number, first + packs):
                yield done
                number = done + 1

    def _process(self, first: int, end: int) -> Iterator[int]:
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            _work(writing, first, end)
        os.close(writing)
        number, how = first, ""
        with os.fdopen(reading, "rb") as lines:
            while True:
                if not select.select([lines], [], [], MOST_SECONDS * PATIENCE)[0]:
                    os.kill(process, signal.SIGKILL)
                    how = "it hung"
                    break
                line = lines.readline()
                if not line.endswith(b"\n"):
                    break
                self._take(json.loads(line))
                yield number
                number += 1
        _, status = os.waitpid(process, 0)
        if number < end:
            how = how or f"it ended with {os.waitstatus_to_exitcode(status)}"
            self.tally.failures.setdefault(f"process: {how}", Failing(spliced(number), f"pack {number}: {how}"))
            self.tally.ends["failure"] += 1
            yield number

    def _take(self, said: dict[str, Any]) -> None:
        self.tally.ends[said["end"]] += 1
        if said["end"] == "failure" and said["files"]:
            files = tuple((name, b64decode(data)) for name, data in said["files"])
            self.tally.failures.setdefault(said["place"], Failing(files, said["report"]))


def _work(writing: int, first: int, end: int) -> None:
    """What the new process does: a line for each pack."""
    try:
        most = MOST_BYTES + _in_use()
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        known: set[str] = set()
        for number in range(first, end):
            os.write(writing, json.dumps(_one(number, known)).encode() + b"\n")
    finally:
        os._exit(0)


def _one(number: int, known: set[str]) -> dict[str, Any]:
    files = spliced(number)
    began = time.process_time()
    try:
        return {"end": bounded(files)}
    except (Exception, TooLongError) as error:
        place, report = place_of(error), traceback.format_exc()
    if place in known:
        return {"end": "failure", "files": []}
    known.add(place)
    tries = int(min(MOST_TRIES, 60 / max(time.process_time() - began, 0.1)))
    failing = smaller(files, place, bounded, tries)
    named = [(name, b64encode(data).decode()) for name, data in failing.files]
    return {"end": "failure", "files": named, "place": place,
            "report": f"pack {number}\n\n{failing.report or report}"}  # fmt: skip


def _in_use() -> int:
    """The address space that this process uses already: earlier tests may have loaded large libraries."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[0]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()
