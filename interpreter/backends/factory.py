"""The factory of backends by name."""

from __future__ import annotations

from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import NativeBackend, NoNativeError
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.backend import Backend
from rulewright.ruleset.table.nodes import TableProgram

AUTO = "auto"
"""Native code where it can be made, else the walker."""
NAMES: tuple[str, ...] = (AUTO, "native", "walker")


def make(program: TableProgram, backend: str = AUTO) -> Backend:
    """Make a backend by name. Only the walker reports events.

    Raises ValueError for an unknown name, TypeError if `program` is not a table program, and for `native`
    NoNativeError or BuildError (`backends.native.module`).
    """
    if not isinstance(program, TableProgram):
        raise TypeError(f"`program` must be a TableProgram (from `lower_program`), not {type(program).__name__}")
    if backend not in NAMES:
        raise ValueError(f"unknown backend {backend!r}; there are {', '.join(NAMES)}")
    if backend != "walker":
        try:
            return NativeBackend(program)
        except (NoNativeError, BuildError):
            if backend == "native":
                raise
    return Walker(program)
