"""Run backends side by side and compare cells, decisions, events, and rule errors.

Works for any table program: `lockstep(program, games, seed)`. Each backend plays its own copy of every game; one
more copy hops, running each stretch on a backend chosen at random. All of them get the same random answers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest import mock

from attrs import define

from interpreter.backends.native.backend import NativeBackend
from interpreter.backends.policies.random_player import RandomPlayer
from interpreter.backends.walker.backend import Walker
from interpreter.state.backend_base import TableBackend
from interpreter.state.backend_protocol import Backend
from interpreter.state.chance import Stream
from interpreter.state.decision_slots import answer_address, slot_address
from interpreter.state.events import RawEvent
from interpreter.state.frames import NOWHERE, read_list
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import ASKED, ASKING, D_OPTIONS, D_STATE, FRAME, OPEN, OVER, STATUS, TableProgram
from tests.interpreter import compilers


@define
class Tally:
    """What happened in all games: answers, games that ended, rule errors by code, events by kind."""

    answers: int
    ended: int
    errors: dict[str, int]
    events: dict[str, int]


def backends_of(program: TableProgram) -> list[Backend]:
    """The walker, which is the reference, and the builds that must agree with it."""
    return [Walker(program), *builds_of(program)]


def builds_of(program: TableProgram) -> list[Backend]:
    """Native code, where that is tried."""
    return [NativeBackend(program, by=compilers.quick())] if compilers.WANTED else []


@contextmanager
def played_by(engine: Backend) -> Iterator[None]:
    """Games that are made meanwhile run on a backend, which must narrate, instead of the walker."""
    with mock.patch("interpreter.game.game.walker_of", lambda program: engine):
        yield


def lockstep(
    program: TableProgram, games: int, seed: int, backends: Sequence[Backend] | None = None, limit: int = 400
) -> Tally:
    """Plays games on all backends at once. Raises AssertionError where one differs from the first."""
    backends = backends_of(program) if backends is None else backends
    tally = Tally(0, 0, {}, {})
    for game in range(games):
        _Game(program, backends, seed, game, tally).play(limit)
    return tally


class _Game:
    """One game, as many times as there are backends and once more for the hopper."""

    def __init__(
        self, program: TableProgram, backends: Sequence[Backend], seed: int, game: int, tally: Tally
    ) -> None:
        self.program, self.backends, self.tally = program, backends, tally
        self.what = f"seed {seed}, game {game}"
        self.states = [backend.start(seed, game) for backend in backends]
        self.hopper = backends[0].start(seed, game)
        self.stream = Stream(seed * 1000 + game, 1)
        self.player = RandomPlayer(program)

    def play(self, limit: int) -> None:
        for _ in range(limit):
            if not self.run():
                return
            if self.states[0][STATUS] == OVER:
                self.tally.ended += 1
                return
            self.answer()

    def run(self) -> bool:
        """Runs all copies up to the next decisions; False after a rule error."""
        results = [_told(backend, state) for backend, state in zip(self.backends, self.states, strict=True)]
        hop = self.stream.below(len(self.backends))
        hopped, _ = _told(self.backends[hop], self.hopper)
        error, events = results[0]
        for backend, (other, told) in zip(self.backends, results, strict=True):
            assert other == error, f"{self.what}: {other} instead of {error} on {_title(backend)}"
            if told is not None and error is None:
                assert told == events, f"{self.what}: other events on {_title(backend)}"
        assert hopped == error, f"{self.what}: {hopped} instead of {error} after hopping"
        if error is not None:
            self.tally.errors[error[0]] = self.tally.errors.get(error[0], 0) + 1
            return False
        for event in events or ():
            self.tally.events[event[0]] = self.tally.events.get(event[0], 0) + 1
        self.compare()
        return True

    def answer(self) -> None:
        """Answers every open decision, in seat order or against it."""
        state = self.states[0]
        seats = [seat for seat, slot in enumerate(self.player.slots) if state[slot + D_STATE] == ASKED]
        assert len(seats) == state[OPEN] > 0
        answers = [(seat, self.player.choose(state, seat, self.stream)) for seat in seats]
        if self.stream.below(2):
            answers.reverse()
        for seat, values in answers:
            for backend, copy in zip(self.backends, self.states, strict=True):
                backend.answer(copy, seat, values)
            self.backends[0].answer(self.hopper, seat, values)
            self.tally.answers += 1
            self.compare()

    def compare(self) -> None:
        """All copies hold the same cells, and the cells keep the invariants."""
        reference = self.states[0]
        check_state(self.program, reference)
        for backend, state in zip([*self.backends, None], [*self.states, self.hopper], strict=True):
            if state != reference:
                cells = [i for i, pair in enumerate(zip(reference, state, strict=False)) if len({*pair}) > 1]
                raise AssertionError(f"{self.what}: cells {cells} differ on {_title(backend)}")


def _title(backend: Backend | None) -> str:
    return "the hopper" if backend is None else backend.name


def _run(backend: Backend, state: array[int], events: list[RawEvent] | None = None) -> tuple[str, int] | None:
    """Runs a copy; gives the rule error, if any."""
    try:
        backend.run(state, events)
    except RuleError as error:
        return error.code, error.at
    return None


def _told(backend: Backend, state: array[int]) -> tuple[tuple[str, int] | None, list[RawEvent] | None]:
    """Runs a copy; gives the rule error, if any, and what was told, if the backend tells."""
    events: list[RawEvent] | None = [] if isinstance(backend, Walker) else None
    return _run(backend, state, events), events


class PackSet(TableBackend):
    """Several builds of a table as one backend, which narrates: every stretch is run on each of them and compared,
    and the game goes on with what one of them leaves, chosen at random. So it hops wherever it is used. The first
    is the walker, which narrates; then come `builds`, all there are by default.
    """

    name = "together"

    def __init__(self, program: TableProgram, builds: Sequence[Backend] = ()) -> None:
        super().__init__(program)
        self._builds = (Walker(program), *(builds or builds_of(program)))
        self._stream = Stream(1)

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
            assert other == error, f"{other} instead of {error} on {_title(backend)}"
            if error is None and copy != state:
                cells = [cell for cell, pair in enumerate(zip(copy, state, strict=True)) if len({*pair}) > 1]
                raise AssertionError(f"cells {cells} differ on {_title(backend)}")
        if error is not None:
            raise RuleError(*error)
        state[:] = copies[self._stream.below(len(copies))]


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
