"""Search in native code: one call finds worlds and plays out whole rounds."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from interpreter.backends.native.backend import compiler
from interpreter.backends.native.compiler.library import load
from interpreter.backends.native.compiler.toolchain import Compiler
from interpreter.backends.native.interruptible import beside
from interpreter.batch.native_calls import PATIENCE
from interpreter.search.candidates import Keys
from interpreter.search.card_renaming import World
from interpreter.search.evaluation import DEPTH, Moment, Searcher
from interpreter.search.native_module import generate_searching
from interpreter.state.chance import seed_state
from interpreter.state.decision_slots import slot_address
from interpreter.state.rule_errors import RuleError
from interpreter.views.decision import Decision, offered, slot_values
from interpreter.views.knowledge import Knowledge
from ruleset.table.nodes import ASKING, D_STATE, NOT_ASKED, STATUS, TableProgram

T = TypeVar("T")
MASK_64 = 2**64 - 1
CALL_SECONDS = 0.1
"""Approximate target duration of a call, in seconds."""
SHORT_SECONDS = 0.002
"""A call that is probably shorter is made by this thread, with little patience."""
LEFT = -1
"""Result of a call that ended early."""
_GROWTH = 8


class NativeSearcher(Searcher):
    """A searcher on a library of the searching module."""

    name = "native"

    def __init__(
        self,
        program: TableProgram,
        library: Any,
        codes: Sequence[str],
        depth: int = DEPTH,
    ) -> None:
        self._program = program
        self._library = library
        self._codes = tuple(codes)
        self._depth = depth
        self.memory = ctypes.create_string_buffer(library.rw_size_of_search())
        self._worlds = 1
        """Of the next call."""
        self._pace = 0.0
        """Seconds per world in the last call."""
        self._moment: Moment | None = None
        """The moment loaded into the library."""

    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """See `Searcher.weigh`."""
        numbers = {option.key: number for number, option in enumerate(moment.decision.options)}
        picks = _ints(number for keys in answers for number in (len(keys), *(numbers[key] for key in keys)))
        totals = array("q", bytes(8 * len(answers)))
        self.look(moment)
        done = 0
        while done < count:
            worlds = min(self._worlds, count - done)
            began = time.perf_counter()
            found = self._call(picks, len(answers), seed, first + done, worlds, totals)
            if not found:
                return None
            done += worlds
            seconds = time.perf_counter() - began
            self._pace = seconds / worlds
            self._worlds = max(1, int(worlds * min(CALL_SECONDS / max(seconds, 1e-9), _GROWTH)))
        return list(totals)

    def look(self, moment: Moment) -> None:
        """Load a moment into the library, unless it is there."""
        if moment is not self._moment:
            self._look(moment.state, moment.knowledge, moment.decision.seat, moment.decision)
            self._moment = moment

    def _call(self, picks: array[int], answers: int, seed: int, first: int, worlds: int, totals: array[int]) -> int:
        """Weigh answers in some worlds with one call. Returns 0 if no world was found.

        Long calls are made in another thread, while this thread handles signals.
        """

        def weigh(halt: Any = None) -> int:
            return int(
                self._library.rw_weigh(
                    self.memory,
                    ctypes.c_uint64(seed & MASK_64),
                    ctypes.c_uint64(first),
                    worlds,
                    _address(picks),
                    answers,
                    self._depth,
                    ctypes.c_longlong(PATIENCE),
                    None if halt is None else ctypes.byref(halt),
                    _address(totals),
                )
            )

        before = array("q", totals)
        found = weigh() if self._pace * worlds < SHORT_SECONDS else LEFT
        if found == LEFT:
            totals[:] = before
            found = beside(weigh)
        return found

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


def native_searcher(program: TableProgram, depth: int = DEPTH, by: Compiler | None = None) -> NativeSearcher:
    """Make a native searcher with this machine's compiler; wait for it. Raises NoNativeError or BuildError.

    Tests pass another compiler.
    """
    source, maker = generate_searching(program), by or compiler()
    return NativeSearcher(program, load(source.text, maker), source.codes, depth)


def _bounds(knowledge: Knowledge) -> array[int]:
    return _ints(number for bound in knowledge.bounds for number in bound)


def _ints(numbers: Iterable[int]) -> array[int]:
    return array("i", numbers)


def _address(numbers: array[int]) -> ctypes.c_void_p:
    """Return the address of the numbers, valid until they are changed."""
    return ctypes.c_void_p(numbers.buffer_info()[0])
