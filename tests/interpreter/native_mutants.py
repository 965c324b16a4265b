"""Try all mutants of what writes native code: slips in functions, in the C, and in what was generated.

`python -m tests.interpreter.native_mutants [--part N/M] [--only TEXT]`

Each mutant is tried in a process of its own, since it may crash or never end, which catches it, too. Those that
survive are printed; the exit code is 1 if there are any.
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

from rulewright.interpreter.backends.native import module
from rulewright.interpreter.backends.native.module import CSource
from tests.interpreter.apart import apart
from tests.interpreter.mutating import holders, mutant
from tests.interpreter.native_cases import Case, recorded
from tests.interpreter.native_slips import C_TEXT, GENERATED, GENERATOR, MODULES
from tests.interpreter.programs import PROGRAMS
from tests.interpreter.programs_native import NATIVE
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program

GAMES = {"failures": 60, "failing in order": 120}
"""Of programs by hand whose games are quick to fail; of the others it is fewer."""
RANDOM, RICH = (*range(6), *range(NEWER, NEWER + 2)), (*range(NEWER, NEWER + 4), *range(16))
"""Seeds of the random programs."""
PLACES = 3
"""So many times a pattern is tried, each time at other places."""
SECONDS = 40.0
"""Of the processor's time, after which a mutant that still goes on is caught."""


@cache
def cases() -> tuple[Case, ...]:
    """What native code is held to, from what is quick to what takes longer."""
    found = [recorded(name, program, 5, GAMES.get(name, 6), 40) for name, program in (PROGRAMS | NATIVE).items()]
    found += [recorded(f"rich {seed}", rich_program(seed), seed, 2, 4) for seed in RICH]
    found += [recorded(f"random {seed}", random_program(seed), seed, 2, 4) for seed in RANDOM]
    return tuple(found)


def differs(change: Callable[[str], str] = lambda text: text) -> str:
    """What native code does otherwise than the cases say, made by the generator as it is now, its text changed."""

    def changed(source: CSource) -> CSource:
        return evolve(source, text=change(source.text))

    return next(filter(None, (case.differs(changed) for case in cases())), "")


@frozen
class Mutant:
    """A mutant by its name, and what tries it: it gives what differed first, or nothing."""

    name: str
    tried: Callable[[], str]

    def survives(self) -> bool:
        """Whether nothing shows it."""
        return not apart(self.check, SECONDS)

    def check(self) -> None:
        """Raises AssertionError if something shows it."""
        if found := self.tried():
            raise AssertionError(found)


def mutants() -> Iterator[Mutant]:
    """All of them."""
    for owner, name, old, new in GENERATOR:
        yield _in_function(owner, name, old, new)
    for file, old, new in C_TEXT:
        yield _in_text(file, old, new)
    for pattern, new in GENERATED:
        for seed in range(PLACES):
            yield _in_generated(pattern, new, seed)


def stale() -> list[str]:
    """Those whose place is not there any more."""
    found = [f"{file}: {old!r}" for file, old, _ in C_TEXT if old not in module._text(file)]
    for owner, name, old, new in GENERATOR:
        try:
            mutant(owner, name, old, new)
        except (AssertionError, AttributeError, SyntaxError) as error:
            found.append(f"{name}: {old!r}: {error}")
    return found


def _in_function(owner: Any, name: str, old: str, new: str) -> Mutant:
    def tried() -> str:
        function, mutated = mutant(owner, name, old, new)
        if isinstance(owner, type):
            setattr(owner, name, mutated)
        for held, key in holders(MODULES, function):
            held[key] = mutated
        return differs()

    place = getattr(owner, "__name__", "").rpartition(".")[2]
    return Mutant(f"{place}.{name}: {old!r} -> {new!r}", tried)


def _in_text(file: str, old: str, new: str) -> Mutant:
    def tried() -> str:
        whole = module._text(file)
        changed = whole.replace(old, new, 1)
        return differs(lambda text: text.replace(whole, changed))

    return Mutant(f"{file}: {old!r} -> {new!r}", tried)


def _in_generated(pattern: str, new: str, seed: int) -> Mutant:
    """One place of every program's generated part is changed; it is another one in every program."""

    def tried() -> str:
        chance = Random(seed)

        def change(text: str) -> str:
            start = text.index(module._text("runtime.c")) + len(module._text("runtime.c"))
            places = list(re.compile(pattern).finditer(text, start, text.index(module._text("games.c"))))
            if not places:
                return text
            place = chance.choice(places)
            return text[: place.start()] + place.expand(new) + text[place.end() :]

        return differs(change)

    return Mutant(f"generated, {seed}: {pattern!r} -> {new!r}", tried)


def main(given: Sequence[str]) -> int:
    """Tries mutants, telling how it goes."""
    parser = argparse.ArgumentParser(prog="python -m tests.interpreter.native_mutants", description=__doc__)
    parser.add_argument("--part", default="1/1", help="the part to try: 1/8 tries every eighth mutant")
    parser.add_argument("--only", default="", help="those whose name holds this")
    arguments = parser.parse_args(given)
    number, parts = map(int, arguments.part.split("/"))
    chosen = [one for one in mutants() if arguments.only in one.name][number - 1 :: parts]
    if gone := stale():
        print("not there any more:", *gone, sep="\n  ")
        return 1
    with tempfile.TemporaryDirectory() as place:
        environ["RULEWRIGHT_CACHE"] = place
        # An empty line more, so that no text is taken for one that needs no trial.
        if found := differs() or apart(Mutant("none", lambda: differs(lambda text: text + "\n")).check):
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
