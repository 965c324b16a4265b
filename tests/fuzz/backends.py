"""Fuzz the backends with random table programs.

`python -m tests.fuzz.backends [--minutes 5] [--seed N] [--out FOLDER] [FILE…]`

Programs are random and well-typed (`tests.interpreter.programs_rich`); the walker and native code of two compilers,
in steps and in whole games, must agree to the cell. `--packs` tries the tables of all packs instead, again and
again; `--sanitize` has gcc build code that watches its memory and its arithmetic. What fails is made small and
written to files, to be tried again. Ctrl-C ends it early. Exit codes: 0 no failures, 1 failures, 2 wrong use.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from attrs import define, evolve, field

from rulewright.interpreter.backends.native.toolchain import Compiler
from rulewright.ruleset.table.canonical import dumps
from rulewright.ruleset.table.nodes import TableProgram
from tests.canonical import loads
from tests.fuzz.programs import Tried, check, smaller
from tests.fuzz.run import any_seed
from tests.interpreter import compilers
from tests.interpreter.apart import apart
from tests.interpreter.programs_rich import rich_program

ONE_IN = 20
"""Of so many programs one is built by the compiler of this machine, too: that takes it seconds."""
SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
ANSWERS = 400
"""Of a game of a pack in lock-step, at most."""
_INSIDE = "RULEWRIGHT_SANITIZED"
"""Set in the process in which the libraries of the sanitizers are loaded."""
_TOLD = 5.0
"""Seconds between two reports."""


@define
class Fuzz:
    """How far it came, and the programs that failed, by name."""

    sanitize: bool
    packs: bool
    out: Path
    tried: int = 0
    failures: dict[str, str] = field(factory=dict)

    def run(self, programs: Iterator[tuple[str, int, TableProgram]], end: float) -> None:
        """Tries programs until a time is reached."""
        told = 0.0
        for name, number, program in programs:
            self.one(name, number, program)
            if time.monotonic() - told > _TOLD:
                told = time.monotonic()
                print(f"{name}: {self.tried} programs, {len(self.failures)} failures", flush=True)
            if time.monotonic() > end:
                return

    def one(self, name: str, number: int, program: TableProgram) -> None:
        """Tries a program; one that fails is made small and written down."""
        on = self.on(number)
        failed = apart(lambda: check(program, number, on))
        self.tried += 1
        if not failed:
            return
        print(f"{name}: {_last(failed)}", flush=True)
        small = smaller(program, lambda less: _last(apart(lambda: check(less, number, on))) == _last(failed))
        self.out.mkdir(parents=True, exist_ok=True)
        file = self.out / f"{name.replace(' ', '-')}.json"
        file.write_text(dumps(small), "utf-8")
        report = apart(lambda: check(small, number, on))
        file.with_suffix(".txt").write_text(f"{name}\n\n{report or failed}\n", "utf-8")
        self.failures[name] = str(file)

    def on(self, number: int) -> Tried:
        """What a program is tried on."""
        if self.sanitize:
            return Tried((sanitized(),))
        both = tuple(dict.fromkeys((compilers.quick(), compilers.usual())))
        if self.packs:
            return Tried(both, answers=ANSWERS)
        return Tried(both[:1] if number % ONE_IN else both)


def _last(report: str) -> str:
    """How it failed, in one line without numbers of cells."""
    return report.strip().rpartition("\n")[2].partition(": cells")[0][:200]


# ------------------------------------------------------------------ programs

def random_programs(first: int) -> Iterator[tuple[str, int, TableProgram]]:
    """One for each seed, without end."""
    for seed in count(first):
        yield f"seed {seed}", seed, rich_program(seed)


def packs(first: int) -> Iterator[tuple[str, int, TableProgram]]:
    """The tables of all packs, with every number of seats, for each seed, without end."""
    from tests.content.test_packs import PACKS, table_of, tables

    for seed in count(first):
        for pack in PACKS:
            for one, seats in tables(pack):
                yield f"{one.name} {seats} seed {seed}", seed, table_of(one, seats)


def files(paths: Sequence[Path]) -> Iterator[tuple[str, int, TableProgram]]:
    """Programs that have failed."""
    for path in paths:
        number = path.stem.rpartition("-")[2]
        program: TableProgram = loads(path.read_text("utf-8"))
        yield path.stem, int(number) if number.isdecimal() else 1, program


# ------------------------------------------------------------------ sanitizers

def sanitized() -> Compiler:
    """The compiler of this machine, told to watch over memory and arithmetic; it has to be gcc."""
    usual = compilers.usual()
    return evolve(usual, flags=(*usual.flags, *SANITIZERS))


def inside_sanitizers(arguments: Sequence[str]) -> int:
    """Does the same in a process in which the sanitizers' libraries come first, as they want to."""
    gcc = shutil.which("gcc")
    if gcc is None:
        print("--sanitize needs gcc", file=sys.stderr)
        return 2
    names = ("libasan.so", "libubsan.so")
    told = (subprocess.run([gcc, f"-print-file-name={name}"], capture_output=True, text=True) for name in names)
    libraries = [os.path.realpath(one.stdout.strip()) for one in told]
    missing = [name for name, path in zip(names, libraries, strict=True) if not os.path.isabs(path)]
    if missing:
        print(f"--sanitize needs {' and '.join(missing)}, which gcc does not find", file=sys.stderr)
        return 2
    more = {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0", _INSIDE: "1", "RULEWRIGHT_CC": gcc}
    command = [sys.executable, "-m", "tests.fuzz.backends", *arguments]
    return subprocess.run(command, env={**os.environ, **more}).returncode


# ------------------------------------------------------------------ the command

def main(arguments: Sequence[str]) -> int:
    """Tries programs until the time is up, telling how it goes."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.backends", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, help="of the first program; each has the next")
    parser.add_argument("--packs", action="store_true", help="the tables of all packs instead of random programs")
    parser.add_argument("--sanitize", action="store_true", help="native code that watches itself; needs gcc")
    parser.add_argument("--out", type=Path, default=Path("fuzz-failures"), help="where failures are written")
    parser.add_argument("again", nargs="*", type=Path, metavar="FILE", help="failing programs to try again instead")
    given = parser.parse_args(arguments)
    if not compilers.WANTED:
        parser.error("RULEWRIGHT_CC is none: there is no native code to compare with")
    if given.sanitize and _INSIDE not in os.environ:
        return inside_sanitizers(arguments)
    fuzz = Fuzz(given.sanitize, given.packs, given.out)
    first = any_seed() if given.seed is None else given.seed
    programs = files(given.again) if given.again else packs(first) if given.packs else random_programs(first)
    end = time.monotonic() + 60 * given.minutes if not given.again else float("inf")
    try:
        with tempfile.TemporaryDirectory() as cache:
            os.environ["RULEWRIGHT_CACHE"] = cache
            fuzz.run(programs, end)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    print(f"{fuzz.tried} programs, {len(fuzz.failures)} failures")
    for name, file in fuzz.failures.items():
        print(f"{name}: try `python -m tests.fuzz.backends {file}`")
    return 1 if fuzz.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
