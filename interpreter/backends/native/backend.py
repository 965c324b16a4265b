"""The native backend: C generated for a table program, compiled, and loaded by ctypes.

`NativeBackend` runs a state where it is: the library gets the address of its cells.
"""

from __future__ import annotations

import ctypes
from array import array

from rulewright.interpreter.backends.native.library import load
from rulewright.interpreter.backends.native.module import CSource, generate_stepping
from rulewright.interpreter.backends.native.toolchain import (
    Compiler,
    NoCompiler,
    find_compiler,
    find_quick_compiler,
)
from rulewright.interpreter.state.backend import TableBackend
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.nodes import TableProgram


class NoNativeError(Exception):
    """Native code cannot be made here; the message is the reason."""


def compiler() -> Compiler:
    """Return the compiler of this machine, which optimises. Raises NoNativeError."""
    return _found(find_compiler())


def quick_compiler() -> Compiler:
    """Return the compiler that takes the least time. Raises NoNativeError."""
    return _found(find_quick_compiler())


def _found(found: Compiler | NoCompiler) -> Compiler:
    if isinstance(found, NoCompiler):
        raise NoNativeError(found.reason)
    return found


class NativeBackend(TableBackend):
    """A backend of native code. Raises NoNativeError or `library.BuildError` if it cannot be made.

    Tests pass another compiler or another source text.
    """

    name = "native"

    def __init__(self, program: TableProgram, source: CSource | None = None, by: Compiler | None = None) -> None:
        super().__init__(program)
        self.source = source or generate_stepping(program)
        self.library = load(self.source.text, by or quick_compiler())
        self.game = ctypes.create_string_buffer(self.library.rw_size_of_game())
        self._run, self._at = self.library.rw_run, ctypes.addressof(self.game)
        self._run.argtypes = ctypes.c_void_p, ctypes.c_void_p

    def run(self, state: array[int], events: list[RawEvent] | None = None) -> None:
        """See `Backend.run`. It does not narrate."""
        if events is not None:
            raise ValueError("native code does not narrate")
        fault = self._run(self._at, state.buffer_info()[0])
        if fault:
            raise RuleError(self.source.codes[fault - 1], self.library.rw_fault_at(self.game))
