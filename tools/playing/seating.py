"""The seats of a game at the terminal."""

from __future__ import annotations

import sys

from attrs import define


@define
class Seating:
    """The seats (`tools.common.seats`), the language, and what is needed to start the same game again."""

    seats: tuple[str, ...]
    language: str
    seed: int
    game: int
    memory: bool = True
    """Whether the table shows cards that a seat does not see but remembers."""

    @property
    def humans(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat, kind in enumerate(self.seats) if kind == "human"]

    @property
    def person_there(self) -> bool:
        """Whether a person plays at a terminal, so that questions can be asked before the game begins."""
        return bool(self.humans) and sys.stdin.isatty()
