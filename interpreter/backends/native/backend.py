"""The native backend: C generated for a table program, compiled, and loaded by ctypes.

`NativeBackend` runs states like every backend: for each run, the cells are copied to the library's memory and back.
That takes longer than most runs, so only whole games are fast (`batch.native_batch`).
"""

from __future__ import annotations

import ctypes
from typing import Any

from interpreter.backends.native.compiler.library import load
from interpreter.backends.native.compiler.toolchain import Compiler, NoCompiler, find_compiler
from interpreter.backends.native.module import Source, generate_stepping
from interpreter.state.backend_base import TableBackend
from interpreter.state.events import RawEvent
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import RUNNING, STATUS, TableProgram


class NoNativeError(Exception):
    """Native code cannot be made here; the message is the reason."""


def compiler() -> Compiler:
    """Return the compiler of this machine. Raises NoNativeError."""
    found = find_compiler()
    if isinstance(found, NoCompiler):
        raise NoNativeError(found.reason)
    return found


class NativeBackend(TableBackend):
    """A backend of native code. Raises NoNativeError or `library.BuildError` if it cannot be made.

    Tests pass another compiler or another source text.
    """

    name = "native"

    def __init__(self, program: TableProgram, source: Source | None = None, by: Compiler | None = None) -> None:
        super().__init__(program)
        self.source = source or generate_stepping(program)
        self.library: Any = load(self.source.text, by or compiler())
        self._game = ctypes.create_string_buffer(self.library.rw_size_of_game())
        self._cells = (ctypes.c_int * program.layout.cells)()

    def run(self, state: list[int], events: list[RawEvent] | None = None) -> None:
        """See `Backend.run`. It does not narrate."""
        if events is not None:
            raise ValueError("native code does not narrate")
        if state[STATUS] != RUNNING:
            return
        self._cells[:] = state  # type: ignore[assignment]  # a slice of ints
        self.library.rw_load(self._game, self._cells)
        fault = self.library.rw_run(self._game)
        if fault:
            raise RuleError(self.source.codes[fault - 1], self.library.rw_fault_at(self._game))
        self.library.rw_store(self._game, self._cells)
        state[:] = list(self._cells)
