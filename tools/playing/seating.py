"""Who sits where in a game at the terminal."""

from __future__ import annotations

import sys

from attrs import define

from interpreter.batch.factory import AUTO


@define
class Seating:
    """Who sits where (`tools.common.seats`), in which language, and how all of it is asked for again."""

    seats: tuple[str, ...]
    language: str
    seed: int
    game: int
    pack: str | None = None
    searching: str = AUTO
    """The backend by which greedy seats search."""

    @property
    def humans(self) -> list[int]:
        return [seat for seat, kind in enumerate(self.seats) if kind == "human"]

    @property
    def person_there(self) -> bool:
        """Whether somebody can be asked before the game begins: a person plays, and types at a terminal."""
        return bool(self.humans) and sys.stdin.isatty()
