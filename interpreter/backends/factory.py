"""What every backend offers, and the one place that makes one by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from interpreter.state.events import RawEvent
from ruleset.table.nodes import TableProgram

BackendName = Literal["python", "walker", "native"]
NAMES: tuple[str, ...] = ("python", "walker", "native")


class Backend(Protocol):
    """Runs the games of one table program. All of a game is in its state; a backend keeps nothing of it.

    States are interchangeable: a game begun on one backend may go on with any other.
    """

    @property
    def name(self) -> str:
        """`walker`, `python` or `native`."""
        ...

    @property
    def program(self) -> TableProgram: ...

    def start(self, seed: int, game: int = 0) -> list[int]:
        """The state in which game number `game` of the run with this seed begins, before it runs."""
        ...

    def run(self, state: list[int], events: list[RawEvent] | None = None) -> None:
        """Runs until decisions are open (STATUS is ASKING) or the game is over (OVER); then it does nothing.

        With a list, appends what happened, in order; a backend that was not made for narration raises
        ValueError. Raises RuleError, which leaves the state half changed: keep a copy if you go on.
        """
        ...

    def answer(self, state: list[int], seat: int, values: Sequence[int]) -> None:
        """Answers the open decision of a seat with legal values in the order of its options.

        After the last open decision the state can run on. Answers may come in any order.
        """
        ...


def make(program: TableProgram, backend: str = "python", narrating: bool = False) -> Backend:
    """A backend by name; only one made for narration tells events.

    Raises ValueError for an unknown name, and TypeError if `program` is no table program.
    """
    if not isinstance(program, TableProgram):
        raise TypeError(f"`program` is a TableProgram (from `lower_program`), not {type(program).__name__}")
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
