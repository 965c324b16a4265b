"""Two players at one table: how they share its seats, and who of them won a game."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import product

from attrs import frozen

from rulewright.tools.simulation.sums import wilson

NOBODY, WON, LOST, SHARED, FAILED = range(5)
"""How a game ended for the first of two players: nobody won, it won, the other won, both won, or a rule failed."""


@frozen
class Score:
    """Decided games that the first player won and lost, and games that were shared, failed, or did not end."""

    won: int
    lost: int
    undecided: int

    @property
    def share(self) -> float:
        """The share of the decided games that the first player won; 0 without any."""
        return self.won / (self.won + self.lost) if self.won + self.lost else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        return wilson(self.won, self.won + self.lost)

    def __add__(self, other: Score) -> Score:
        return Score(self.won + other.won, self.lost + other.lost, self.undecided + other.undecided)


def arrangements(players: int) -> Iterator[tuple[bool, ...]]:
    """Iterate over the seats of the first player: half of them; if their number is odd, one more or less."""
    for seats in product((True, False), repeat=players):
        if abs(2 * sum(seats) - players) <= players % 2:
            yield seats


def endings(seats: Sequence[bool], winners: Sequence[Sequence[int]], failed: Sequence[int]) -> bytes:
    """Return how each game ended, as a byte.

    `seats` are those of the first player. `winners` has 1 or 0 for each seat and game, `failed` is not 0 for games
    that a rule ended. A game is won if all its winners are on one side.
    """
    ours = theirs = 0
    for own, column in zip(seats, winners, strict=True):
        bits = int.from_bytes(array("B", column).tobytes(), "little")
        ours, theirs = (ours | bits, theirs) if own else (ours, theirs | bits)
    found = bytearray((ours * WON | theirs * LOST).to_bytes(len(failed), "little"))
    if any(failed):
        for game, fault in enumerate(failed):
            if fault:
                found[game] = FAILED
    return bytes(found)


def counted(found: bytes) -> Score:
    """Count endings."""
    won, lost = found.count(WON), found.count(LOST)
    return Score(won, lost, len(found) - won - lost)
