"""What every backend offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from interpreter.state.events import RawEvent
from ruleset.table.nodes import TableProgram


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
