"""Bots: seats that answer at random, all from one stream that belongs to the game.

How they play depends on the run's seed and the game's number alone. So game number g of a simulation, and the same
game played by bots in the terminal, are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.chance import Stream, seed_state, splitmix
from interpreter.playout import RandomPlayer
from ruleset.table import TableProgram


class Bots(RandomPlayer):
    """The bots of one table; `sit` begins a game."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self.stream = Stream(0)

    def sit(self, seed: int, game: int) -> Stream:
        """Begins a game: its stream."""
        self.stream = Stream(splitmix(seed_state(seed, game)))
        return self.stream

    def choose(self, state: Sequence[int], seat: int, stream: Stream | None = None) -> Sequence[int]:
        """A random answer to the open decision of a seat."""
        return super().choose(state, seat, self.stream)

    @property
    def memory(self) -> object:
        """Where the stream is; `recall` goes back there."""
        return self.stream.place

    def recall(self, memory: object) -> None:
        self.stream.place = memory
