"""Run backends side by side and compare cells, decisions, and rule errors.

Works for any table program: `lockstep(program, games, seed)`. Every stretch of a game is run on each backend, from
the same cells, and the game continues with what one of them leaves, chosen at random: so it hops between them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest import mock

from attrs import Factory, define

from rulewright.interpreter.backends.native.module import NativeBackend
from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.backend import Backend, TableBackend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import answer_address, slot_address
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import NOWHERE, read_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.nodes import (
    ASKED,
    ASKING,
    D_OPTIONS,
    D_STATE,
    FRAME,
    OPEN,
    OVER,
    STATUS,
    TableProgram,
)
from tests.interpreter import compilers


@define
class Tally:
    """What happened in all games: answers, games that ended, rule errors by code, events by kind."""

    answers: int = 0
    ended: int = 0
    errors: Counter[str] = Factory(Counter)
    events: Counter[str] = Factory(Counter)


def backends_of(program: TableProgram) -> list[Backend]:
    """The walker, which is the reference, and the builds that must agree with it."""
    return [Walker(program), *builds_of(program)]


def builds_of(program: TableProgram) -> list[Backend]:
    """Native code, where that is tried."""
    return [NativeBackend(program, by=compilers.quick())] if compilers.WANTED else []


@contextmanager
def played_by(engine: Backend) -> Iterator[None]:
    """Games that are made meanwhile run on a backend, which must narrate, instead of the walker."""
    with mock.patch("rulewright.interpreter.game.game.walker_of", lambda program: engine):
        yield


def lockstep(
    program: TableProgram, games: int, seed: int, backends: Sequence[Backend] = (), limit: int = 400
) -> Tally:
    """Plays games on all backends at once, with the same random answers. Raises AssertionError where one differs
    from the first.
    """
    tally, player, backends = Tally(), RandomPlayer(program), backends or backends_of(program)
    for game in range(games):
        stream = Stream(seed * 1000 + game, 1)
        together = PackSet(program, backends, stream)
        state = together.start(seed, game)
        try:
            for _ in range(limit):
                events: list[RawEvent] = []
                together.run(state, events)
                tally.events.update(event[0] for event in events)
                check_state(program, state)
                if state[STATUS] == OVER:
                    tally.ended += 1
                    break
                tally.answers += _answer(together, state, player, stream)
        except RuleError as error:
            tally.errors[error.code] += 1
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, game {game}: {error}") from error
    return tally


def _answer(backend: Backend, state: array[int], player: RandomPlayer, stream: Stream) -> int:
    """Answers every open decision, in seat order or against it. Gives how many there were."""
    seats = [seat for seat, slot in enumerate(player.slots) if state[slot + D_STATE] == ASKED]
    assert len(seats) == state[OPEN] > 0
    answers = [(seat, player.choose(state, seat, stream)) for seat in seats]
    if stream.below(2):
        answers.reverse()
    for seat, values in answers:
        backend.answer(state, seat, values)
        check_state(backend.program, state)
    return len(answers)


class PackSet(TableBackend):
    """Several builds of a table as one backend: every stretch is run on each of them and compared, and the game
    continues with what one of them leaves. So it hops wherever it is used. The first tells what happens: the
    walker, if none are given, before all builds there are.
    """

    name = "together"

    def __init__(self, program: TableProgram, builds: Sequence[Backend] = (), stream: Stream | None = None) -> None:
        super().__init__(program)
        self._builds = builds or backends_of(program)
        self._stream = stream or Stream(1)

    def run(self, state: array[int], events: list[RawEvent] | None = None) -> None:
        """See `Backend.run`. Raises AssertionError where builds differ.

        The first of them runs the game itself, since who listens to its events may look at its state.
        """
        copies = [state, *(state[:] for _ in self._builds[1:])]
        results = [
            _run(backend, copy, events if copy is state else None)
            for backend, copy in reversed([*zip(self._builds, copies, strict=True)])
        ]
        error = results[-1]
        for backend, copy, other in zip(self._builds, copies, reversed(results), strict=True):
            assert other == error, f"{other} instead of {error} on {backend.name}"
            if error is None and copy != state:
                cells = [cell for cell, pair in enumerate(zip(copy, state, strict=True)) if len({*pair}) > 1]
                raise AssertionError(f"cells {cells} differ on {backend.name}")
        if error is not None:
            raise RuleError(*error)
        state[:] = copies[self._stream.below(len(copies))]


def _run(backend: Backend, state: array[int], events: list[RawEvent] | None) -> tuple[str, int] | None:
    """Runs a copy; gives the rule error, if any."""
    try:
        backend.run(state, events)
    except RuleError as error:
        return error.code, error.at
    return None


def check_state(program: TableProgram, state: Sequence[int]) -> None:
    """What holds between two runs: int32 cells, cards where they say they are, sorted bags, zeros beyond lists."""
    assert len(state) == program.layout.cells
    assert all(-(2**31) <= cell < 2**31 for cell in state)
    lying = 0
    for number, zone in enumerate(program.zones):
        cards = read_list(state, zone.address)
        lying += len(cards)
        assert len(cards) <= zone.capacity
        assert all(state[program.layout.places + card] == number for card in cards)
        assert zone.order != "bag" or cards == sorted(cards)
        _check_tail(state, zone.address, zone.capacity)
    places = state[program.layout.places : program.layout.places + len(program.cards)]
    assert lying == sum(place != NOWHERE for place in places)
    for family in program.state_lists:
        for number in range(family.count):
            _check_tail(state, family.address + number * (family.capacity + 1), family.capacity)
    for seat in range(program.seats):
        slot = slot_address(program.layout, seat)
        _check_tail(state, slot + D_OPTIONS, program.layout.options)
        _check_tail(state, answer_address(program.layout, seat), program.layout.options)
    if state[STATUS] == OVER:
        assert state[FRAME] == NOWHERE and not any(state[program.layout.stack :])
    else:
        assert (state[STATUS] == ASKING) == (state[OPEN] > 0)


def _check_tail(state: Sequence[int], address: int, capacity: int) -> None:
    count = state[address]
    assert 0 <= count <= capacity
    assert not any(state[address + 1 + count : address + 1 + capacity])
