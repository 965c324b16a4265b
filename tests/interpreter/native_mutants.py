"""Try all mutants of the native code generator and its C.

`python -m tests.interpreter.native_mutants [--part N/M] [--only TEXT]`

Each mutant is tried in a process of its own, since it may crash or never end, which catches it, too. Those that
survive are printed; the exit code is 1 if there are any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from attrs import evolve, frozen

from interpreter.backends.native import module
from interpreter.backends.native.module import Source
from tests.interpreter.native_cases import Case, recorded
from tests.interpreter.native_slips import C_TEXT, GENERATED, GENERATOR, MODULES
from tests.interpreter.programs import PROGRAMS
from tests.interpreter.programs_native import NATIVE
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program
from tests.interpreter.programs_shaped import beside
from tests.interpreter.trying_mutants import Change, Mutant, Slips, try_all

GAMES = {"failures": 60, "failing in order": 120}
"""Of programs by hand whose games are quick to fail; of the others it is fewer."""
RANDOM, RICH = (*range(6), *range(NEWER, NEWER + 2)), (*range(NEWER, NEWER + 4), *range(16))
"""Seeds of the random programs."""
PLACES = 3
"""So many times a pattern is tried, each time at other places."""
SLIPS = Slips(GENERATOR, C_TEXT, MODULES)


@cache
def cases() -> tuple[Case, ...]:
    """What native code is held to, from what is quick to what takes longer."""
    first = {**PROGRAMS, **NATIVE, **{f"beside {number}": program for number, program in enumerate(beside())}}
    found = [recorded(name, program, 5, GAMES.get(name, 6), 40) for name, program in first.items()]
    found += [recorded(f"rich {seed}", rich_program(seed), seed, 2, 4) for seed in RICH]
    found += [recorded(f"random {seed}", random_program(seed), seed, 2, 4) for seed in RANDOM]
    return tuple(found)


def mutants() -> Iterator[Mutant]:
    """All of them."""
    yield from SLIPS.mutants(differs)
    for pattern, new in GENERATED:
        for seed in range(PLACES):
            yield Mutant(f"generated, {seed}: {pattern!r} -> {new!r}", _Faults(pattern, new, seed))


def differs(change: Change) -> str:
    """What native code does otherwise than the cases say, made by the generator as it is now."""
    return next(filter(None, (case.differs(change) for case in cases())), "")


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


def main(arguments: Sequence[str]) -> int:
    """Tries mutants, telling how it goes."""
    return try_all("native_mutants", __doc__, mutants(), SLIPS.stale(), differs, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
