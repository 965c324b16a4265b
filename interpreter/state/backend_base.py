"""The base class of backends in Python."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.interpreter.state import chance, decision_slots
from rulewright.interpreter.state.frames import fresh_state
from rulewright.ruleset.table.nodes import ASKING, SEGMENT, STATUS, TableProgram


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
