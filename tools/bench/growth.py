"""`python -m rulewright.tools.bench.growth`: measure how the work of each pass grows with the pack.

For each dimension (definitions, cards, nested loops, …) packs are generated at half a size, that size, and twice
that size. All go through all passes, from the text of the pack to C. The work of a pass is the
number of executed lines of Python, which is the same on every machine.

The first figure after the lines is the growth from a size to twice that size. For linear work it is at most 2,
since part of the work is the same for every pack. The second figure excludes that part: it is the growth of the
work added by doubling, 2 if linear and 4 if quadratic. A pass is reported if one of the figures is above 2.5.
`--seconds` measures processor time instead, which includes C code, and gives only the first figure; it is
meaningful only for large sizes (`--times 16`) on an idle machine.

Exit codes: 0 no pass grows too fast, 1 a pass does, 2 wrong usage, or packs that cannot be compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from attrs import define, field, frozen

from rulewright.interpreter.backends.native import module as native_module
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.ruleset.check import bots as check_bots
from rulewright.ruleset.check import checker
from rulewright.ruleset.check import scenarios as check_scenarios
from rulewright.ruleset.check import texts as check_texts
from rulewright.ruleset.check.house_rules import insert_overlap
from rulewright.ruleset.compose import composer, namespaces
from rulewright.ruleset.declare import declare, kind_schemas
from rulewright.ruleset.findings import render, suppressions
from rulewright.ruleset.language import parser as parse
from rulewright.ruleset.lower import liveness, lowering
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program import nesting
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.schema import check_documents
from rulewright.ruleset.source import reader
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table import canonical
from rulewright.tools.bench import command
from rulewright.tools.bench.growth_dimensions import DIMENSIONS
from rulewright.tools.common.errors import USAGE, Failure, Usage

LIMIT = 2.5
"""Largest acceptable growth for twice the size."""
LEAST_LINES, LEAST_SECONDS = 2000, 0.02
"""Least work of a pass that is compared; in less, the constant part is too large."""

PASSES: tuple[tuple[str, Any], ...] = (
    ("read", reader.read),
    ("shape", check_documents.check_shapes),
    ("scope", namespaces.scoped),
    ("compose", composer.compose),
    ("recheck", composer.recheck),
    ("declare", declare.declare),
    ("instance shape", kind_schemas.check_instances),
    ("texts", check_texts.check_texts),
    ("check", checker.check),
    ("parse", parse._parse.__wrapped__),
    ("scenarios", check_scenarios.check_scenarios),
    ("bots", check_bots.check_bots),
    ("depth", nesting.too_deep),
    ("overlap", insert_overlap.overlaps),
    ("suppress", suppressions.suppress),
    ("render", render.render),
    ("lower", lowering.lower),
    ("liveness", liveness.live_slots),
    ("canonical", canonical.dumps),
    ("walker", Walker.__init__),
    ("native", native_module.generate_stepping),
    ("native", native_module.generate_playing),
)
"""The passes with their entry functions. Work belongs to the innermost active pass."""


@define
class Meter:
    """Counts the work of passes with a trace function: lines, or nanoseconds of processor time."""

    seconds: bool
    work: Counter[str] = field(factory=Counter)
    _names: dict[CodeType, str] = field(init=False)
    _inside: list[str] = field(factory=lambda: ["rest"])
    _since: int = 0

    def __attrs_post_init__(self) -> None:
        self._names = {function.__code__: name for name, function in PASSES}

    def measure(self, run: Callable[[], object]) -> None:
        """Run a function, and count its work."""
        before = sys.gettrace()
        self._since = time.process_time_ns()
        sys.settrace(self._call)
        try:
            run()
        finally:
            sys.settrace(before)
            self._switch()

    def _call(self, frame: FrameType, event: str, _: object) -> Any:
        name = self._names.get(frame.f_code)
        if name is None:
            return None if self.seconds else self._line
        self._switch()
        self._inside.append(name)
        return self._pass

    def _line(self, frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            self.work[self._inside[-1]] += 1
        return self._line

    def _pass(self, frame: FrameType, event: str, _: object) -> Any:
        if event == "line" and not self.seconds:
            self.work[self._inside[-1]] += 1
        elif event == "return":
            self._switch()
            self._inside.pop()
        return self._pass

    def _switch(self) -> None:
        if self.seconds:
            now = time.process_time_ns()
            self.work[self._inside[-1]] += now - self._since
            self._since = now


@frozen
class Growth:
    """The work of a pass for a pack and one of twice its size, in lines or nanoseconds."""

    dimension: str
    size: int
    name: str
    once: int
    twice: int
    half: int | None = None
    """The work for a pack of half the size, if it has the same findings."""

    @property
    def ratio(self) -> float:
        return self.twice / self.once if self.once else float("inf")

    @property
    def added(self) -> float:
        """The growth of the added work; 0 if there is too little to compare."""
        if self.half is None or self.twice - self.once < LEAST_LINES or self.once <= self.half:
            return 0.0
        by_half, by_all = self.size - self.size // 2, self.size
        return 2 * (self.twice - self.once) / by_all / ((self.once - self.half) / by_half)

    @property
    def too_fast(self) -> bool:
        return max(self.ratio, self.added) > LIMIT


def growths(dimension: str, times: int = 1, seconds: bool = False) -> list[Growth]:
    """Return the growth of all passes with enough work, for `times` the usual size of a dimension."""
    grown = DIMENSIONS[dimension]
    size = grown.size(times)
    for texts in (grown.texts(2), DIMENSIONS["findings"].texts(2)):
        passes(texts)  # warms up what is read or generated once per process
    sizes = (size,) if seconds else (size // 2, size)
    *smaller, twice = (_measured(grown.texts(number), seconds) for number in (*sizes, 2 * size))
    once, half = smaller[-1], smaller[0]
    if once.codes != twice.codes:
        told = (", ".join(sorted(one.codes)) or "nothing" for one in (once, twice))
        message = "{}, {} and {}: the findings are {} and {}, so that the work is not the same"
        raise Failure(message.format(dimension, size, 2 * size, *told), USAGE)
    least = int(LEAST_SECONDS * 1e9) if seconds else LEAST_LINES
    comparable = not seconds and half.codes == once.codes
    return [
        Growth(dimension, size, name, once.work[name], work, half.work[name] if comparable else None)
        for name, work in twice.work.items()
        if work >= least
    ]


@frozen
class _Measured:
    work: Counter[str]
    codes: frozenset[str]
    """Codes of the findings."""


def _measured(texts: tuple[str, ...], seconds: bool) -> _Measured:
    meter = Meter(seconds)
    parse._parse.cache_clear()
    codes: list[frozenset[str]] = []
    meter.measure(lambda: codes.append(passes(texts)))
    return _Measured(meter.work, codes[0])


def passes(texts: tuple[str, ...]) -> frozenset[str]:
    """Run all passes on packs of one file each. Return the codes of their findings."""
    named = [(f"pack-{number}", text.encode()) for number, text in enumerate(texts)]
    game, *more = (PackFiles(Path(name), ((f"{name}.yaml", text),)) for name, text in named)
    loaded = load_files(game, more=more)
    render.render(loaded.findings, loaded.sources)
    if loaded.program is not None:
        _generate(loaded.program)
    return frozenset(one.code for one in loaded.findings)


def _generate(program: Program) -> None:
    table = lowering.lower(program, program.least_players)
    canonical.dumps(table)
    Walker(table)
    native_module.generate_stepping(table)
    native_module.generate_playing(table)


# ------------------------------------------------------------------ the command

def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of passes for each dimension; return 1 if a pass grows too fast."""
    prog = "python -m rulewright.tools.bench.growth"
    parser = argparse.ArgumentParser(prog=prog, description="How each pass's work grows.")
    parser.add_argument("dimensions", nargs="*", metavar="DIMENSION", help="all by default")
    parser.add_argument("--times", type=int, default=2, help="the size, in times of the smallest that is worth it")
    parser.add_argument("--seconds", action="store_true", help="processor time instead of lines")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _compare(given))


def _compare(given: argparse.Namespace) -> bool:
    unknown = [name for name in given.dimensions if name not in DIMENSIONS]
    if unknown or given.times < 1:
        raise Usage(f"unknown dimension {unknown[0]!r}" if unknown else "--times must be at least 1")
    fast = 0
    for dimension in given.dimensions or DIMENSIONS:
        found = growths(dimension, given.times, given.seconds)
        print(f"{dimension}, {DIMENSIONS[dimension].size(given.times)} and twice as many", flush=True)
        for one in sorted(found, key=lambda one: -one.ratio):
            added = f"{one.added:8.2f}" if one.added else " " * 8
            mark = "  too fast" if one.too_fast else ""
            print(f"  {one.name:<16}{_told(one.once, given.seconds)}{_told(one.twice, given.seconds)}"
                  f"{one.ratio:8.2f}{added}{mark}".rstrip(), flush=True)  # fmt: skip
            fast += one.too_fast
    print(f"{fast} passes grow by more than {LIMIT} times" if fast else "no pass grows too fast")
    return not fast


def _told(work: int, seconds: bool) -> str:
    return f"{work / 1e9:12.3f} s" if seconds else f"{work:14,}"


if __name__ == "__main__":
    sys.exit(main())
