"""Worlds that a seat cannot tell from the true one, in native code."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.interpreter.search.card_renaming import World
from rulewright.interpreter.search.evaluation import Moment
from rulewright.interpreter.state.chance import seed_state
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import Decision, offered, slot_values
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import ASKING, D_STATE, NOT_ASKED, STATUS, TableProgram


class NativeWorlds:
    """Finds worlds with a library of the searching module."""

    def __init__(self, program: TableProgram, library: Any, codes: Sequence[str]) -> None:
        self._program = program
        self._library = library
        self._codes = tuple(codes)
        self.memory = ctypes.create_string_buffer(library.rw_size_of_search())
        self._moment: Moment | None = None
        """The moment loaded into the library."""

    def look(self, moment: Moment) -> None:
        """Load a moment into the library, unless it is there."""
        if moment is not self._moment:
            self._look(moment.state, moment.knowledge, moment.decision.seat, moment.decision)
            self._moment = moment

    def possible_world(
        self, state: Sequence[int], knowledge: Knowledge, seat: int, seed: int, sequence: int = 0
    ) -> World | None:
        """See `determinise.possible_world`, with `Stream(seed, sequence)`. Raises RuleError."""
        self._look(state, knowledge, seat, self._decision(state, knowledge, seat))
        found = self._library.rw_imagine(self.memory, ctypes.c_uint64(seed_state(seed, sequence)))
        if found < 0:
            code = self._codes[self._library.rw_imagined_fault(self.memory) - 1]
            raise RuleError(code, self._library.rw_imagined_fault_at(self.memory))
        if not found:
            return None
        cells, masks = array("i", state), array("i", knowledge.masks)
        bounds = _bounds(knowledge)
        left = array("i", bounds)
        self._library.rw_imagined(self.memory, _address(cells), _address(masks))
        kept = self._library.rw_imagined_bounds(
            self.memory, _address(bounds), len(knowledge.bounds), _address(left)
        )
        rows = tuple(zip(*(left[column : 4 * kept : 4] for column in range(4)), strict=True))
        return World(cells, Knowledge(tuple(masks), rows))

    def _decision(self, state: Sequence[int], knowledge: Knowledge, seat: int) -> Decision | None:
        """Return the decision of a seat, even if it has answered."""
        if state[STATUS] != ASKING or state[slot_address(self._program.layout, seat) + D_STATE] == NOT_ASKED:
            return None
        return offered(self._program, state, seat, knowledge)

    def _look(self, state: Sequence[int], knowledge: Knowledge, seat: int, own: Decision | None) -> None:
        """Start searching for a seat. Raises ValueError for knowledge that no game leads to."""
        self._moment = None
        options = () if own is None else own.options
        numbers = {value: number for number, option in enumerate(options) for value in option.values}
        own_values = slot_values(self._program, state, seat) if options else ()
        option_of = _ints(numbers[value] for value in own_values)
        cells, masks, bounds = array("i", state), array("i", knowledge.masks), _bounds(knowledge)
        if not self._library.rw_look(
            self.memory,
            _address(cells),
            _address(masks),
            _address(bounds),
            len(knowledge.bounds),
            seat,
            _address(option_of),
            len(options),
        ):
            raise ValueError("no game leads to this knowledge")


def _bounds(knowledge: Knowledge) -> array[int]:
    return _ints(number for bound in knowledge.bounds for number in bound)


def _ints(numbers: Iterable[int]) -> array[int]:
    return array("i", numbers)


def _address(numbers: array[int]) -> ctypes.c_void_p:
    """Return the address of the numbers, valid until they are changed."""
    return ctypes.c_void_p(numbers.buffer_info()[0])
