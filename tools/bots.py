"""Bots: seats that answer at random, each from a stream of its own.

How a bot plays depends on the run's seed, the game's number and its seat alone. So game number g of a
simulation, and the same game played in the terminal, are the same.
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
        self.streams: tuple[Stream, ...] = ()

    def sit(self, seed: int, game: int) -> Stream:
        """Gives every seat its stream for a game; the first of them is returned."""
        own = splitmix(seed_state(seed, game))
        self.streams = tuple(Stream(splitmix(own ^ seat), seat) for seat in range(len(self.slots)))
        return self.streams[0]

    def choose(self, state: Sequence[int], seat: int, stream: Stream | None = None) -> Sequence[int]:
        """A random answer to the open decision of a seat, from the seat's own stream."""
        return super().choose(state, seat, self.streams[seat])

    @property
    def memory(self) -> tuple[int, ...]:
        """Where the streams are; `recall` goes back there."""
        return tuple(stream.generator for stream in self.streams)

    def recall(self, memory: Sequence[int]) -> None:
        for stream, generator in zip(self.streams, memory, strict=True):
            stream.generator = generator
