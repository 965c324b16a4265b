"""Trees grown in native code: one call goes down the tree in many worlds, and plays them out."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Sequence
from typing import Any

from rulewright.interpreter.backends.native.backend import compiler
from rulewright.interpreter.backends.native.compiler.library import load
from rulewright.interpreter.backends.native.compiler.toolchain import Compiler
from rulewright.interpreter.backends.native.interruptible import beside
from rulewright.interpreter.backends.policies.policies import bot_keys, policies
from rulewright.interpreter.batch.native_calls import PATIENCE
from rulewright.interpreter.search.evaluation import DEPTH, Moment
from rulewright.interpreter.search.native_module import generate_searching
from rulewright.interpreter.search.native_worlds import NativeWorlds
from rulewright.interpreter.search.opponents import Weights, pack_bots
from rulewright.interpreter.search.tree_search import KEYS, MOST_NODES, TreeGrower, Tried
from rulewright.ruleset.table.nodes import TableProgram

MASK_64 = 2**64 - 1
SHORT_SECONDS = 0.02
"""A call that is probably shorter is made by this thread, with little patience."""


class NativeGrower(TreeGrower):
    """A grower on a library of the searching module. In flat trees, all players are random."""

    name = "native"

    def __init__(
        self,
        program: TableProgram,
        library: Any,
        codes: Sequence[str],
        depth: int = DEPTH,
        nodes: int = MOST_NODES,
        flat: bool = False,
    ) -> None:
        self._program = program
        self.worlds = NativeWorlds(program, library, codes)
        self._library, self._depth, self._flat = library, depth, flat
        self._tree = ctypes.create_string_buffer(library.rw_size_of_tree())
        self._node_memory = ctypes.create_string_buffer(nodes * library.rw_size_of_node())
        self._nodes = nodes
        self._keys = (ctypes.c_uint64 * (KEYS * nodes + program.layout.options))()
        bots = () if flat else bot_keys(program)
        found = (policies(program, (key,) * program.seats)[0] for key in bots)
        self._kept = [(ctypes.c_int * len(policy)).from_buffer(policy) for policy in found if policy is not None]
        self._policies = (ctypes.c_void_p * max(1, len(self._kept)))(*map(ctypes.addressof, self._kept))
        self._weights = self._as_numbers(None)
        self._moment: Moment | None = None
        self._seed = self._grown = 0
        self._pace = SHORT_SECONDS
        """Seconds per world in the last call."""

    def plant(self, moment: Moment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._weights = self._as_numbers(weights)
        self._moment, self._seed = moment, seed & MASK_64
        self.worlds.look(moment)
        self._begin()

    def _begin(self) -> None:
        """Begin the tree, or begin it again."""
        self._grown = 0
        self._library.rw_plant(
            self.worlds.memory,
            self._tree,
            self._node_memory,
            self._nodes,
            self._keys,
            len(self._keys),
            self._policies,
            len(self._kept),
            self._weights,
        )

    def _as_numbers(self, weights: Weights | None) -> ctypes.Array[ctypes.c_int]:
        numbers = [number for seat in weights or pack_bots(self._program) for number in seat]
        return (ctypes.c_int * len(numbers))(*numbers)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`. Long calls are made in another thread, while this one handles signals."""
        wanted = self._grown + worlds
        if seconds is None and self._pace * worlds < SHORT_SECONDS:
            if not self._call(worlds):
                return False
            if self._grown == wanted:
                return True
            self._begin()  # it ended in the middle of a world

        def call(halt: Any) -> bool:
            return self._call(wanted - self._grown, halt)

        return beside(call) if seconds is None else beside(call, seconds=seconds)

    def _call(self, worlds: int, halt: Any = None) -> bool:
        """Grow with one call; without `halt`, it may end early. Returns False if there is no world."""
        began = time.perf_counter()
        grown = int(
            self._library.rw_grow(
                self.worlds.memory,
                self._tree,
                ctypes.c_uint64(self._seed),
                ctypes.c_uint64(self._grown),
                worlds,
                self._depth,
                int(self._flat),
                ctypes.c_longlong(PATIENCE),
                None if halt is None else ctypes.byref(halt),
            )
        )
        self._pace = (time.perf_counter() - began) / max(grown, 1)
        self._grown += max(grown, 0)
        return grown >= 0

    def tried(self) -> tuple[Tried, ...]:
        """See `TreeGrower.tried`."""
        assert self._moment is not None
        options = self._moment.decision.options
        width = self._library.rw_width(self._tree)
        visits, totals, picks = (array(size, bytes(8 * width)) for size in "iqi")
        count = self._library.rw_tried(self._tree, *(_address(numbers) for numbers in (visits, totals, picks)))
        found, at = [], 0
        for number in range(count):
            end = at + 1 + picks[at]
            keys = tuple(options[one].key for one in picks[at + 1 : end])
            found.append(Tried(keys, visits[number], totals[number]))
            at = end
        return tuple(found)


def native_grower(
    program: TableProgram,
    by: Compiler | None = None,
    depth: int = DEPTH,
    nodes: int = MOST_NODES,
    flat: bool = False,
) -> NativeGrower:
    """Make a native grower with this machine's compiler; wait for it. Raises NoNativeError or BuildError.

    Tests pass another compiler.
    """
    source, maker = generate_searching(program), by or compiler()
    return NativeGrower(program, load(source.text, maker), source.codes, depth, nodes, flat)


def _address(numbers: array[int]) -> ctypes.c_void_p:
    return ctypes.c_void_p(numbers.buffer_info()[0])
