"""Programs with recorded results of the reference, for tests of native code.

Stretches between decisions of random games, whole games, and games played on from anywhere.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from interpreter.backends.native.backend import NativeBackend
from interpreter.backends.native.compiler.library import load
from interpreter.backends.native.module import Source, generate_playing, generate_playing_on, generate_stepping
from interpreter.backends.policies.random_player import RandomPlayer
from interpreter.backends.walker.backend import Walker
from interpreter.batch.batch import stepping_many
from interpreter.batch.native_batch import NativeMany
from interpreter.batch.results import Results
from interpreter.state.backend_protocol import Backend
from interpreter.state.chance import Stream
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import ASKED, D_STATE, OVER, STATUS, TableProgram
from tests.interpreter import compilers
from tests.interpreter.many_beside import PlayedOn, compare, moments, playing_on_differs

ANSWERS = 30
"""Of a recorded game, at most."""
FIRST = 3
"""Number of the first whole game."""
GAMES_ON = 1
"""Games that are played on."""


@frozen
class Stretch:
    """What becomes of a state: the next one, or a rule error."""

    before: array[int]
    after: array[int] | None
    fault: tuple[str, int] | None


@frozen
class Case:
    """A program and what is right. The texts are those of the generator that is right."""

    name: str
    program: TableProgram
    seed: int
    stretches: tuple[Stretch, ...]
    on: tuple[PlayedOn, ...]
    games: Results
    stepping: Source
    playing: Source
    playing_on: Source

    def differs(self, change: Callable[[Source], Source] = lambda source: source) -> str:
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

    def _steps(self, source: Source) -> str:
        backend = NativeBackend(self.program, source, compilers.quick())
        for number, stretch in enumerate(self.stretches):
            state = stretch.before[:]
            fault = None
            try:
                backend.run(state)
            except RuleError as error:
                fault = error.code, error.at
            if fault != stretch.fault or (stretch.after is not None and state != stretch.after):
                return f"stretch {number}"
        return self._goes_on(source) or self._plays(source)

    def _goes_on(self, source: Source) -> str:
        return playing_on_differs(source, self.on, compilers.quick())

    def _plays(self, source: Source) -> str:
        library = load(source.text, compilers.quick())
        native = NativeMany(library, source.codes, range(self.program.layout.cells))
        try:
            compare(native.play(self.seed, FIRST, self.games.count), self.games)
        except AssertionError as error:
            return str(error)
        return ""


def recorded(name: str, program: TableProgram, seed: int, games: int, whole: int) -> Case:
    """What the walker does with a program in so many games, of its decisions, and in so many whole ones."""
    backend, player = Walker(program), RandomPlayer(program)
    stretches: list[Stretch] = []
    for game in range(games):
        stretches += _game(backend, player, seed, game)
    return Case(
        name,
        program,
        seed,
        tuple(stretches),
        tuple(moments(program, seed, GAMES_ON)),
        stepping_many(program, range(program.layout.cells), "walker").play(seed, FIRST, whole),
        generate_stepping(program),
        generate_playing(program),
        generate_playing_on(program),
    )


def _game(backend: Backend, player: RandomPlayer, seed: int, game: int) -> Iterator[Stretch]:
    state, stream = backend.start(seed, game), Stream(seed, game)
    for _ in range(ANSWERS):
        before = state[:]
        try:
            backend.run(state)
        except RuleError as error:
            yield Stretch(before, None, (error.code, error.at))
            return
        yield Stretch(before, state[:], None)
        if state[STATUS] == OVER:
            return
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                backend.answer(state, seat, player.choose(state, seat, stream))
