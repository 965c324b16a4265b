"""The factory of backends by name."""

from __future__ import annotations

from interpreter.state.backend_protocol import Backend
from ruleset.table.nodes import TableProgram

NAMES: tuple[str, ...] = ("python", "walker", "native")


def make(program: TableProgram, backend: str = "python", narrating: bool = False) -> Backend:
    """Make a backend by name. Only one made for narration reports events.

    Raises ValueError for an unknown name, and TypeError if `program` is not a table program.
    """
    if not isinstance(program, TableProgram):
        raise TypeError(f"`program` must be a TableProgram (from `lower_program`), not {type(program).__name__}")
    if backend == "walker":
        from interpreter.backends.walker.backend import Walker

        return Walker(program)
    if backend == "python" or (backend == "native" and narrating):
        from interpreter.backends.python.backend import PythonBackend

        return PythonBackend(program, narrating)
    if backend == "native":
        from interpreter.backends.native.backend import NativeBackend

        return NativeBackend(program)
    raise ValueError(f"unknown backend {backend!r}; there are {', '.join(NAMES)}")
