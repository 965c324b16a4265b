"""Compare native search with the reference: worlds, and flat trees of answers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random as Generator

from attrs import field, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search.determinise import SearchMoment, World, possible_world
from rulewright.interpreter.search.native_tree import NativeGrower
from rulewright.interpreter.search.opponents import Weights
from rulewright.interpreter.search.tree_search import TreeGrower, TriedAnswer
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import decision, only_answer
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_STATE, STATUS, TableProgram
from tests.interpreter.programs_secret import furnish, some_knowledge
from tests.interpreter.search.reference_search import ReferenceGrower
from tests.suites.play import random_answer

Found = World | tuple[str, int] | tuple[TriedAnswer, ...] | None
"""A world, or the code and place of a rule error; the answers of a flat tree; None where no world was found."""


@frozen
class Question:
    """For a world that a seat could be in; with `each`, for a flat tree with so many worlds for each answer."""

    state: Sequence[int]
    knowledge: Knowledge
    seat: int
    key: int
    each: int = 0


@frozen
class Reference:
    """Who answers in Python; playouts are `depth` decisions deep."""

    program: TableProgram
    depth: int
    backend: Backend = field(init=False)
    _grower: ReferenceGrower = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "backend", make(self.program))
        object.__setattr__(self, "_grower", ReferenceGrower(self.program, self.backend, self.depth, flat=True))

    def says(self, one: Question) -> Found:
        if one.each:
            return grown(self._grower, moment_of(self.program, one), one.key, one.each)
        try:
            return possible_world(self.backend, one.state, one.knowledge, one.seat, Stream(one.key))
        except RuleError as error:
            return error.code, error.at


def native_says(program: TableProgram, grower: NativeGrower, one: Question) -> Found:
    """The same, by a native grower of flat trees."""
    if one.each:
        return grown(grower, moment_of(program, one), one.key, one.each)
    try:
        return grower.worlds.possible_world(one.state, one.knowledge, one.seat, one.key)
    except RuleError as error:
        return error.code, error.at


def grown(
    grower: TreeGrower, moment: SearchMoment, seed: int, worlds: int, weights: Weights | None = None
) -> tuple[TriedAnswer, ...] | None:
    """The answers of a tree; None if there is no world."""
    grower.plant(moment, seed, weights)
    return grower.tried() if grower.grow(worlds) else None


def moment_of(program: TableProgram, one: Question) -> SearchMoment:
    own = decision(program, one.state, one.seat, one.knowledge)
    assert own is not None
    return SearchMoment(one.state, one.knowledge, own)


def same(reference: Reference, native: NativeGrower, one: Question, tally: Counter[str]) -> Found:
    """What both say. Raises AssertionError where they differ."""
    expected, found = reference.says(one), native_says(reference.program, native, one)
    if isinstance(expected, World) and isinstance(found, World):
        cells = [i for i, pair in enumerate(zip(expected.state, found.state, strict=True)) if len({*pair}) > 1]
        assert not cells, f"cells {cells} differ"
    assert found == expected
    tally[_sort(reference.program, one, expected)] += 1
    return expected


def _sort(program: TableProgram, one: Question, found: Found) -> str:
    if found is None:
        return "nothing"
    if isinstance(found, World):
        return "same" if found.state == one.state else "moved"
    return program.sites[moment_of(program, one).decision.site].of if one.each else "fault"


def weighed(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int, key: int, each: int = 1
) -> Iterator[Question]:
    """For a flat tree, if the seat has a decision with several answers."""
    own = decision(program, state, seat, knowledge)
    if own is not None and only_answer(own) is None:
        yield Question(state, knowledge, seat, key, each)


# ------------------------------------------------------------------ moments

def secrets(reference: Reference, seed: int, most: int) -> Iterator[Question]:
    """Questions at some moments of the random games of a program of `programs_secret`."""
    program, player = reference.program, RandomPlayer(reference.program)
    chance = Generator(seed)
    for number, state in enumerate(_asking(reference, seed)):
        if number == most:
            return
        furnish(program, state, chance)
        knowledge = some_knowledge(program, state, chance)
        open_ = [seat for seat, slot in enumerate(player.slots) if state[slot + D_STATE] == ASKED]
        if len(open_) > 1:
            seat = chance.choice(open_)
            reference.backend.answer(state, seat, player.choose(state, seat, Stream(seed, number)))
        for seat in range(program.seats):
            yield Question(state, knowledge, seat, chance.randrange(2**32))
            if chance.random() < 0.4:
                yield from weighed(program, state, knowledge, seat, chance.randrange(2**64), 2)


def _asking(reference: Reference, seed: int, games: int = 4) -> Iterator[array[int]]:
    """Copies of the states in which games ask."""
    backend, player = reference.backend, RandomPlayer(reference.program)
    for game in range(games):
        state, stream = backend.start(seed, game), Stream(seed, game)
        try:
            backend.run(state)
            while state[STATUS] == ASKING:
                yield state[:]
                for seat, slot in enumerate(player.slots):
                    if state[slot + D_STATE] == ASKED:
                        backend.answer(state, seat, player.choose(state, seat, stream))
                backend.run(state)
        except RuleError:
            continue


def played(program: TableProgram, seed: int, game: int, one_in: int) -> Iterator[Game]:
    """A random game at some of its moments and at its end."""
    playing, stream = Game.start(program, seed, game=game), Stream(seed, game)
    while playing.result is None:
        if not stream.below(one_in):
            yield playing
        own = playing.decisions[stream.below(len(playing.decisions))]
        playing.apply(own.seat, random_answer(own, stream))
    yield playing
