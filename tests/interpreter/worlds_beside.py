"""Worlds and weighed answers of native code beside those of the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random as Generator

from attrs import frozen

from interpreter.backend import Backend, make
from interpreter.candidates import candidates
from interpreter.chance import Stream
from interpreter.decision import decision
from interpreter.determinise import possible_world
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.knowledge import Knowledge
from interpreter.native.searching import NativeSearcher
from interpreter.playout import RandomPlayer
from interpreter.renaming import World
from interpreter.weighing import Moment, PythonSearcher
from ruleset.table import ASKED, ASKING, D_STATE, STATUS, TableProgram
from tests.interpreter.programs_secret import furnish, some_knowledge
from tests.suites.play import random_answer

Found = World | tuple[str, int] | None
"""A world; the code and place of a rule error; None where none was found."""


@frozen
class Beside:
    """Both ways to search in one program, and what came of it so far."""

    program: TableProgram
    backend: Backend
    native: NativeSearcher
    reference: PythonSearcher
    found: Counter[str]

    @classmethod
    def of(cls, program: TableProgram, native: NativeSearcher, depth: int, found: Counter[str]) -> Beside:
        """Playouts of both are so many decisions deep."""
        backend = make(program, "python")
        return cls(program, backend, native, PythonSearcher(program, backend, depth), found)

    def world(self, state: Sequence[int], knowledge: Knowledge, seat: int, key: int) -> Found:
        """What both find by the stream of a key. Raises AssertionError where they differ."""
        expected = attempted(
            lambda: possible_world(self.backend, state, knowledge, seat, Stream(key))
        )
        found = attempted(lambda: self.native.possible_world(state, knowledge, seat, key))
        if isinstance(expected, World) and isinstance(found, World):
            cells = [i for i, pair in enumerate(zip(expected.state, found.state, strict=True)) if len({*pair}) > 1]
            assert not cells, f"cells {cells} differ"
        assert found == expected
        what = "moved" if isinstance(expected, World) and expected.state != state else "same"
        self.found["none" if expected is None else "fault" if isinstance(expected, tuple) else what] += 1
        return expected

    def worth(self, state: Sequence[int], knowledge: Knowledge, seat: int, key: int, worlds: int) -> None:
        """What answers are worth to a seat, if it is asked. Raises AssertionError where they differ."""
        own = decision(self.program, state, seat, knowledge)
        if own is None:
            return
        answers = candidates(own, Stream(key))
        moment = Moment(state, knowledge, own)
        expected = self.reference.weigh(moment, answers, key, 0, worlds)
        assert self.native.weigh(moment, answers, key, 0, worlds) == expected
        self.found["no worth" if expected is None else f"worth {self.program.sites[own.site].of}"] += 1


def attempted(find: Callable[[], World | None]) -> Found:
    """A rule error as what it says."""
    try:
        return find()
    except RuleError as error:
        return error.code, error.at


def same_secrets(beside: Beside, seed: int, most: int = 8, worlds: int = 2) -> None:
    """Compares at random moments of the random games of a program of `programs_secret`."""
    program, backend, player = beside.program, beside.backend, RandomPlayer(beside.program)
    chance = Generator(seed)
    for number, state in enumerate(_moments(beside, seed)):
        if number == most:
            return
        furnish(program, state, chance)
        knowledge = some_knowledge(program, state, chance)
        open_ = [seat for seat, slot in enumerate(player.slots) if state[slot + D_STATE] == ASKED]
        if len(open_) > 1:
            seat = chance.choice(open_)
            backend.answer(state, seat, player.choose(state, seat, Stream(seed, number)))
        for seat in range(program.seats):
            beside.world(state, knowledge, seat, chance.randrange(2**32))
            if chance.random() < 0.4:
                beside.worth(state, knowledge, seat, chance.randrange(2**64), worlds)


def _moments(beside: Beside, seed: int, games: int = 4) -> Iterator[list[int]]:
    """Copies of the states in which games ask."""
    player = RandomPlayer(beside.program)
    for game in range(games):
        state, stream = beside.backend.start(seed, game), Stream(seed, game)
        try:
            beside.backend.run(state)
            while state[STATUS] == ASKING:
                yield list(state)
                for seat, slot in enumerate(player.slots):
                    if state[slot + D_STATE] == ASKED:
                        beside.backend.answer(state, seat, player.choose(state, seat, stream))
                beside.backend.run(state)
        except RuleError:
            continue


def played(program: TableProgram, seed: int, game: int, one_in: int, most: int = 10_000) -> Iterator[Game]:
    """A random game at some of its moments, whose seats know what they may."""
    playing, stream = Game.start(program, seed, game=game), Stream(seed, game)
    for _ in range(most):
        if playing.result is not None:
            yield playing
            return
        if not stream.below(one_in):
            yield playing
        own = playing.decisions[stream.below(len(playing.decisions))]
        playing.apply(own.seat, random_answer(own, stream))
