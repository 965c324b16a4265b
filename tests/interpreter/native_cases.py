"""Programs with recorded results of the reference, for tests of native code.

Stretches between decisions of random games, whole games, and games played on from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from rulewright.interpreter.backends.native.library import load
from rulewright.interpreter.backends.native.module import (
    CSource,
    NativeBackend,
    generate_playing,
    generate_playing_on,
    generate_stepping,
)
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import NativeMany
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter import compilers
from tests.interpreter.many_beside import Moment, becomes, compare, played_on, playing_on_differs, states

ANSWERS = 30
"""Of a recorded game, at most."""
FIRST = 3
"""Number of the first whole game."""


@frozen
class Case:
    """A program and what is right. The texts are those of the generator that is right."""

    name: str
    program: TableProgram
    seed: int
    stretches: tuple[Moment, ...]
    on: tuple[Moment, ...]
    games: GameResults
    stepping: CSource
    playing: CSource
    playing_on: CSource

    def differs(self, change: Callable[[CSource], CSource] = lambda source: source) -> str:
        """What native code does otherwise, made by the generator as it is now, its text changed; or nothing."""
        program = evolve(self.program)  # a program's reduced form is remembered by its identity
        for made, right, tried in (
            (generate_stepping(program), self.stepping, self._steps),
            (generate_playing(program), self.playing, self._plays),
            (generate_playing_on(program), self.playing_on, self._goes_on),
        ):
            changed = change(made)
            if changed != right and (found := tried(changed)):
                return f"{self.name}: {found}"
        return ""

    def _steps(self, source: CSource) -> str:
        backend = NativeBackend(self.program, source, compilers.quick())
        for number, one in enumerate(self.stretches):
            if becomes(backend.run, one.before, one.number) != one:
                return f"stretch {number}"
        return self._goes_on(source) or self._plays(source)

    def _goes_on(self, source: CSource) -> str:
        return playing_on_differs(source, self.on, compilers.quick())

    def _plays(self, source: CSource) -> str:
        library = load(source.text, compilers.quick())
        native = NativeMany(library, source.codes, range(self.program.layout.cells))
        try:
            compare(native.play(self.seed, FIRST, self.games.count), self.games)
        except AssertionError as error:
            return str(error)
        return ""


def recorded(name: str, program: TableProgram, seed: int, games: int, whole: int) -> Case:
    """What the walker does with a program in so many games, of its decisions, and in so many whole ones."""
    run = Walker(program).run
    return Case(
        name,
        program,
        seed,
        tuple(becomes(run, state, number) for state, number in states(program, seed, games, ANSWERS)),
        tuple(played_on(program, seed, 1)),
        stepping_many(program, range(program.layout.cells), "walker").play(seed, FIRST, whole),
        generate_stepping(program),
        generate_playing(program),
        generate_playing_on(program),
    )
