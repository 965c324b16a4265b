"""A player that counts what its decisions offer and what it chooses.

The counts are in the cells of `counting.counted_program`. It answers like `ranking_player.RankedPlayer`. Only
decisions whose answers differ count, and not those in which a seat must choose a given number of equal cards. Cards
that the seat does not see are not counted: as for bots, only the declared visibility of zones matters.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import cast

from rulewright.interpreter.backends.policies.policies import Seated
from rulewright.interpreter.backends.policies.ranking_player import RankedPlayer
from rulewright.interpreter.counting.counted_program import Counted
from rulewright.interpreter.counting.uses import NO_USE, Uses
from rulewright.interpreter.state.chance import Stream


class CountingPlayer(RankedPlayer):
    """A player for the seats of a program that counts. It keeps nothing of a game."""

    def __init__(self, counted: Counted, seated: Seated = ()) -> None:
        super().__init__(counted.program, seated)
        assert counted.uses is not None, "a program that counts decisions"
        self._uses: Uses = counted.uses
        self._counted = counted
        self._about: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}

    def among(
        self,
        state: Sequence[int],
        seat: int,
        site: int,
        options: Sequence[int],
        least: int,
        most: int,
        stream: Stream,
    ) -> Sequence[int]:
        """See `RandomPlayer.among`."""
        answer = super().among(state, seat, site, options, least, most, stream)
        if self.differ(state, site, options, least, most):
            self.count(state, seat, site, options, answer, least == most)
        return answer

    def count(
        self,
        state: Sequence[int],
        seat: int,
        site: int,
        options: Sequence[int],
        answer: Sequence[int],
        fixed: bool,
    ) -> None:
        """Count a decision. `fixed`: the number of chosen options was given."""
        if fixed and self._of_cards[site] and len(self.unlike(state, options)) == 1:
            return
        cells, counted = cast("array[int]", state), self._counted
        at = counted.uses_at + 2 * seat * len(self._uses.uses)
        for use in self.found(state, seat, site, options):
            cells[at + 2 * use] += 1
        for use in self.found(state, seat, site, answer):
            cells[at + 2 * use + 1] += 1
            cells[counted.things_at + self._uses.thing_of[use]] += 1

    def found(self, state: Sequence[int], seat: int, site: int, values: Sequence[int]) -> set[int]:
        """Return the uses that values are about, without those of cards that the seat does not see."""
        found: set[int] = set()
        for value in values:
            about = self._about.get((site, value))
            if about is None:
                about = self._about[site, value] = tuple(self._decoded(site, value))
            found.update(use for use, card in about if card < 0 or self._sees(state, seat, card))
        return found

    def _decoded(self, site: int, value: int) -> list[tuple[int, int]]:
        """Return the uses that a value is about, each with the card that must be seen, or -1."""
        branch, parts = self._uses.parts(site, value)
        found = [(branch.use, -1)]
        for part, this in parts:
            use = part.use(self.faces[this] if part.cards and this >= 0 else this)
            found.append((use, this if part.cards else -1))
        return [(use, card) for use, card in found if use != NO_USE]
