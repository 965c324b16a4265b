"""The interface of every backend."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Protocol

from rulewright.interpreter.state import chance, decision_slots
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import fresh_state
from rulewright.ruleset.table.nodes import ASKING, SEGMENT, STATUS, TableProgram


class Backend(Protocol):
    """A way to run the games of one table program. A backend keeps no part of a game: all of it is in the state.

    States are interchangeable: a game begun on one backend can continue on any other.
    """

    @property
    def name(self) -> str:
        """`walker` or `native`."""
        ...

    @property
    def program(self) -> TableProgram: ...

    def start(self, seed: int, game: int = 0) -> array[int]:
        """Return the state in which game number `game` of the run with this seed begins, before it runs."""
        ...

    def run(self, state: array[int], events: list[RawEvent] | None = None) -> None:
        """Run until decisions are open (STATUS is ASKING) or the game is over (OVER). In those states it does
        nothing.

        Events are appended to the list in order, if one is given; a backend that does not narrate then raises
        ValueError. Raises RuleError, which leaves the state half changed: keep a copy to go on from.
        """
        ...

    def answer(self, state: array[int], seat: int, values: Sequence[int]) -> None:
        """Answer the open decision of a seat with legal values in the order of its options.

        Decisions may be answered in any order. After the last one the state can run on.
        """
        ...


# ------------------------------------------------------------------ The base class of backends in Python

class TableBackend:
    """The common part of backends in Python: starting games and storing answers."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self._asking = decision_slots.asking_segments(program)
        self._fresh = fresh_state(program, 0)

    def start(self, seed: int, game: int = 0) -> array[int]:
        """See `Backend.start`."""
        state = self._fresh[:]
        chance.store(state, chance.seed_state(seed, game))
        return state

    def answer(self, state: array[int], seat: int, values: Sequence[int]) -> None:
        """See `Backend.answer`. Raises ValueError if no decision is open."""
        if state[STATUS] != ASKING:
            raise ValueError("no decision is open")
        decision_slots.answer(state, self.program.layout, self._asking[state[SEGMENT]], seat, values)
