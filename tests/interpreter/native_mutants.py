"""Try all mutants of the native code generator and its C.

`python -m tests.interpreter.native_mutants [--part N/M] [--only TEXT]`

Each mutant is tried in a process of its own, since it may crash or never end, which catches it, too. Those that
survive are told; the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from os import environ
from random import Random
from typing import Any

from attrs import evolve, frozen

from interpreter.backends.native import module
from interpreter.backends.native.module import Source
from tests.interpreter.apart import apart
from tests.interpreter.expressions import VALUES
from tests.interpreter.mutating import holders, mutant
from tests.interpreter.native_cases import Case, recorded
from tests.interpreter.native_slips import C_TEXT, GENERATED, GENERATOR, MODULES
from tests.interpreter.programs import PROGRAMS, calculator
from tests.interpreter.programs_native import NATIVE
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program
from tests.interpreter.programs_shaped import beside

SECONDS = 40.0
"""Of the processor's time, after which a mutant that still goes on is caught."""
GAMES = {"failures": 60, "failing in order": 120}
"""Of programs by hand whose games are quick to fail; of the others it is fewer."""
RANDOM, RICH = (*range(6), *range(NEWER, NEWER + 2)), (*range(NEWER, NEWER + 4), *range(16))
"""Seeds of the random programs."""
PLACES = 3
"""So many times a pattern is tried, each time at other places."""


@cache
def cases() -> tuple[Case, ...]:
    """What native code is held to, from what is quick to what takes longer."""
    first = [("expressions", calculator(*(expression for expression, _ in VALUES))[0]), *PROGRAMS.items()]
    first += [*NATIVE.items(), *((f"beside {number}", program) for number, program in enumerate(beside()))]
    found = [recorded(name, program, 5, GAMES.get(name, 6), 40) for name, program in first]
    found += [recorded(f"rich {seed}", rich_program(seed), seed, 2, 4) for seed in RICH]
    found += [recorded(f"random {seed}", random_program(seed), seed, 2, 4) for seed in RANDOM]
    return tuple(found)


@frozen
class Mutant:
    """A mutant by its name, and what tries it: it gives what differed first."""

    name: str
    differs: Callable[[], str]

    def survives(self) -> bool:
        """Whether nothing shows it."""

        def check() -> None:
            found = self.differs()
            if found:
                raise AssertionError(found)

        return not apart(check, SECONDS)


def mutants() -> Iterator[Mutant]:
    """All of them."""
    for owner, name, old, new in GENERATOR:
        place = getattr(owner, "__name__", "").rpartition(".")[2]
        yield Mutant(f"{place}.{name}: {old!r} -> {new!r}", _Slip(owner, name, old, new))
    for file, old, new in C_TEXT:
        yield Mutant(f"{file}: {old!r} -> {new!r}", _TextSlip(file, old, new))
    for pattern, new in GENERATED:
        for seed in range(PLACES):
            yield Mutant(f"generated, {seed}: {pattern!r} -> {new!r}", _Faults(pattern, new, seed))


def differs(change: Callable[[Source], Source] = lambda source: source) -> str:
    """What native code does otherwise than the cases say, made by the generator as it is now."""
    return next(filter(None, (case.differs(change) for case in cases())), "")


@frozen
class _Slip:
    """One in a function of the generator."""

    owner: Any
    name: str
    old: str
    new: str

    def __call__(self) -> str:
        function, mutated = mutant(self.owner, self.name, self.old, self.new)
        if isinstance(self.owner, type):
            setattr(self.owner, self.name, mutated)
        for held, key in holders(MODULES, function):
            held[key] = mutated
        return differs()


@frozen
class _TextSlip:
    """One in a text in C."""

    file: str
    old: str
    new: str

    def __call__(self) -> str:
        whole = module._text(self.file)
        changed = whole.replace(self.old, self.new, 1)
        return differs(lambda source: evolve(source, text=source.text.replace(whole, changed)))


@frozen
class _Faults:
    """One place of every program's generated part is changed; it is another one in every program."""

    pattern: str
    new: str
    seed: int

    def __call__(self) -> str:
        chance = Random(self.seed)

        def change(source: Source) -> Source:
            start = source.text.index(module._text("runtime.c")) + len(module._text("runtime.c"))
            end = source.text.index(module._text("games.c"))
            places = list(re.compile(self.pattern).finditer(source.text, start, end))
            if not places:
                return source
            place = chance.choice(places)
            return evolve(
                source, text=source.text[: place.start()] + place.expand(self.new) + source.text[place.end() :]
            )

        return differs(change)


def stale() -> list[str]:
    """Mutants whose place is not there any more."""
    found = [f"{file}: {old!r}" for file, old, _ in C_TEXT if old not in module._text(file)]
    for owner, name, old, new in GENERATOR:
        try:
            mutant(owner, name, old, new)
        except (AssertionError, AttributeError, SyntaxError) as error:
            found.append(f"{name}: {old!r}: {error}")
    return found


def main(arguments: Sequence[str]) -> int:
    """Tries mutants, telling how it goes."""
    parser = argparse.ArgumentParser(prog="python -m tests.interpreter.native_mutants", description=__doc__)
    parser.add_argument("--part", default="1/1", help="of so many parts one: 1/8 tries every eighth mutant")
    parser.add_argument("--only", default="", help="those whose name holds this")
    given = parser.parse_args(arguments)
    number, parts = map(int, given.part.split("/"))
    chosen = [one for one in mutants() if given.only in one.name][number - 1 :: parts]
    if found := stale():
        print("not there any more:", *found, sep="\n  ")
        return 1
    with tempfile.TemporaryDirectory() as place:
        environ["RULEWRIGHT_CACHE"] = place
        if found := differs():
            print(f"without a mutation: {found}")
            return 1
        survivors = []
        for one in chosen:
            began = time.monotonic()
            if one.survives():
                survivors.append(one.name)
                print(f"survives: {one.name} ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{len(chosen)} mutants, {len(survivors)} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
