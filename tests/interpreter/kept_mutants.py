"""Try all mutants of how cards are kept by class: the analysis, what writes the code, and its C.

`python -m tests.interpreter.kept_mutants [--part N/M] [--only TEXT]`

Each mutant is tried in a process of its own, since it may crash or never end, which catches it, too. Those that
survive are printed; the exit code is 1 if there are any.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from attrs import evolve, frozen

from interpreter.backends.native.compiler.library import load
from interpreter.backends.native.module import Source, generate_playing, generate_playouts
from interpreter.batch.batch import stepping_many
from interpreter.batch.native_batch import NativeMany
from interpreter.batch.results import Results
from interpreter.optimiser.canonical_states import CanonicalStates
from ruleset.table.nodes import TableProgram
from tests.interpreter import compilers
from tests.interpreter.kept_slips import ANALYSIS, C_TEXT, GENERATOR, MODULES
from tests.interpreter.many_beside import compare
from tests.interpreter.optimiser.test_class_views import programs
from tests.interpreter.optimiser.test_identity import by_hand
from tests.interpreter.played_on import On, differing, moments
from tests.interpreter.programs_cards import card_program
from tests.interpreter.trying_mutants import Change, Mutant, Slips, try_all
from tests.positions import program_of

CONTENT = Path(__file__).parents[2] / "content"
CARDS, FIRST_OF_CARDS = range(40), 6
"""Seeds of the random programs, and how many of these come first: most faults of the C show in them."""
PACKS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("coup", ()),
    ("dominion", (("kingdom", "first-games"), ("treasures", "all"))),
    ("dominion", (("kingdom", "random"),)),
    ("rattus-cartus", ()),
)
GAMES, OF_PACKS = 20, 6
FIRST = 3
"""Number of the first game."""
SLIPS = Slips((*ANALYSIS, *GENERATOR), C_TEXT, MODULES)


@frozen
class KeptCase:
    """A program and what is right. The texts, and the canonical form of states, are those of the right analysis."""

    name: str
    program: TableProgram
    seed: int
    games: Results
    on: tuple[On, ...]
    states: CanonicalStates
    playing: Source
    playouts: Source | None

    def differs(self, change: Change) -> str:
        """What native code does otherwise, made as it is now, its text changed; or nothing."""
        program = evolve(self.program)  # the choice for a program is remembered by its identity
        playing = change(generate_playing(program))
        found = self._plays(playing) if playing != self.playing else ""
        if found or not self.on:
            return found
        playouts = generate_playouts(program)
        changed = None if playouts is None else change(playouts)
        if changed is None or changed == self.playouts:
            return ""
        found = differing(self.program, changed, self.on)
        return found and f"{self.name}, played on: {found}"

    def _plays(self, source: Source) -> str:
        library = load(source.text, compilers.quick())
        native = NativeMany(library, source.codes, range(self.program.layout.cells))
        try:
            compare(native.play(self.seed, FIRST, self.games.count), self.games, self.states)
        except AssertionError as error:
            return f"{self.name}: {error}"
        return ""


def recorded(name: str, program: TableProgram, seed: int, games: int, on: int) -> KeptCase:
    """Records `games` games of a program in generated Python, and games played on from some of them."""
    return KeptCase(
        name,
        program,
        seed,
        stepping_many(program, range(program.layout.cells), "python").play(seed, FIRST, games),
        tuple(moments(program, seed, on)),
        CanonicalStates(program),
        generate_playing(program),
        generate_playouts(program),
    )


@cache
def cases() -> tuple[KeptCase, ...]:
    """What native code is held to, from what is quick to what takes longer."""
    cards = [recorded(f"cards {seed}", card_program(seed), seed, GAMES, 2) for seed in CARDS]
    found = cards[:FIRST_OF_CARDS]
    found += [recorded(name, program, 5, GAMES, 6) for name, program in (*programs(), *by_hand())]
    found += cards[FIRST_OF_CARDS:]
    found += [recorded(name, program_of(CONTENT / name, 2, *chosen), 3, OF_PACKS, 2) for name, chosen in PACKS]
    return tuple(found)


def differs(change: Change) -> str:
    """What native code does otherwise than the cases say, made as it is now."""
    return next(filter(None, (case.differs(change) for case in cases())), "")


def mutants() -> Iterator[Mutant]:
    """All of them."""
    return SLIPS.mutants(differs)


def main(arguments: Sequence[str]) -> int:
    """Tries mutants, telling how it goes."""
    return try_all("kept_mutants", __doc__, mutants(), SLIPS.stale(), differs, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
