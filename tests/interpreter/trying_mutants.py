"""Try mutants of what makes native code: slips in functions that write it, and in its C.

Each mutant is tried in a process of its own, since it may crash or never end, which catches it, too.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import environ
from types import ModuleType
from typing import Any

from attrs import evolve, frozen

from interpreter.backends.native import module
from interpreter.backends.native.module import Source
from tests.interpreter.apart import apart
from tests.interpreter.mutating import holders, mutant

SECONDS = 40.0
"""Of the processor's time, after which a mutant that still goes on is caught."""
Change = Callable[[Source], Source]
"""What becomes of a text that was made."""
Differs = Callable[[Change], str]
"""What differs first from what is right, where all texts are changed so; or nothing."""


def unchanged(source: Source) -> Source:
    """A text as it was made."""
    return source


def _longer(source: Source) -> Source:
    """The same text with an empty line, so that it is not taken for one that needs no trial."""
    return evolve(source, text=source.text + "\n")


@frozen
class Mutant:
    """A mutant by its name, and what tries it: it gives what differed first."""

    name: str
    differs: Callable[[], str]

    def check(self) -> None:
        """Raises AssertionError if something shows it."""
        found = self.differs()
        if found:
            raise AssertionError(found)

    def survives(self) -> bool:
        """Whether nothing shows it."""
        return not apart(self.check, SECONDS)


@frozen
class Slips:
    """Slips, each with where it is, what stands there, and what it becomes (the first occurrence)."""

    functions: Sequence[tuple[Any, str, str, str]]
    texts: Sequence[tuple[str, str, str]]
    """Those in texts in C, by the name of the file."""
    modules: Sequence[ModuleType]
    """Where the functions are used."""

    def mutants(self, differs: Differs) -> Iterator[Mutant]:
        """All of them."""
        for owner, name, old, new in self.functions:
            place = getattr(owner, "__name__", "").rpartition(".")[2]
            slip = _Slip(owner, name, old, new, self.modules, differs)
            yield Mutant(f"{place}.{name}: {old!r} -> {new!r}", slip)
        for file, old, new in self.texts:
            yield Mutant(f"{file}: {old!r} -> {new!r}", _TextSlip(file, old, new, differs))

    def stale(self) -> list[str]:
        """Those whose place is not there any more."""
        found = [f"{file}: {old!r}" for file, old, _ in self.texts if old not in module._text(file)]
        for owner, name, old, new in self.functions:
            try:
                mutant(owner, name, old, new)
            except (AssertionError, AttributeError, SyntaxError) as error:
                found.append(f"{name}: {old!r}: {error}")
        return found


@frozen
class _Slip:
    """One in a function."""

    owner: Any
    name: str
    old: str
    new: str
    modules: Sequence[ModuleType]
    differs: Differs

    def __call__(self) -> str:
        function, mutated = mutant(self.owner, self.name, self.old, self.new)
        if isinstance(self.owner, type):
            setattr(self.owner, self.name, mutated)
        for held, key in holders(self.modules, function):
            held[key] = mutated
        return self.differs(unchanged)


@frozen
class _TextSlip:
    """One in a text in C."""

    file: str
    old: str
    new: str
    differs: Differs

    def __call__(self) -> str:
        whole = module._text(self.file)
        changed = whole.replace(self.old, self.new, 1)
        return self.differs(lambda source: evolve(source, text=source.text.replace(whole, changed)))


def try_all(
    name: str,
    about: str | None,
    mutants: Iterable[Mutant],
    stale: list[str],
    differs: Differs,
    given: Sequence[str],
) -> int:
    """The command of a module that lists mutants: tries them, telling how it goes. Gives the exit code."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.interpreter.{name}", description=about)
    parser.add_argument("--part", default="1/1", help="the part to try: 1/8 tries every eighth mutant")
    parser.add_argument("--only", default="", help="those whose name holds this")
    arguments = parser.parse_args(given)
    number, parts = map(int, arguments.part.split("/"))
    chosen = [one for one in mutants if arguments.only in one.name][number - 1 :: parts]
    if stale:
        print("not there any more:", *stale, sep="\n  ")
        return 1
    with tempfile.TemporaryDirectory() as place:
        environ["RULEWRIGHT_CACHE"] = place
        if found := differs(unchanged) or apart(Mutant("none", lambda: differs(_longer)).check):
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
