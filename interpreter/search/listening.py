"""What a seat that searches hears of in a game, and what it takes the other seats for."""

from __future__ import annotations

from attrs import define, field, frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.turns import Turn
from rulewright.interpreter.search.opponents import Heard, Likelihoods, Opponents, Weights, pack_bots
from rulewright.interpreter.state.chance import Stream

MEMORY = 32
"""How many answers of each other seat count, the last ones."""


@frozen
class _Understood:
    """A turn, and how likely each kind of player is to give its answer."""

    turn: Turn
    likelihoods: Likelihoods | None
    """None if it tells nothing."""


@define
class Listener:
    """One seat in a game. What it takes others for depends only on the game's answers and a seed.

    It follows the game by itself, also if answers are taken back, and keeps what it has understood.
    """

    opponents: Opponents
    seat: int
    _understood: dict[int, _Understood] = field(init=False, factory=dict)
    """By the identity of the turn."""

    def weights(self, game: Game, seed: int) -> Weights:
        """Return what the seat takes the others for."""
        if self.opponents.random_is_no_match:
            return pack_bots(game.program)
        evidence: dict[int, list[Likelihoods]] = {
            other: [] for other in range(game.program.seats) if other != self.seat
        }
        kept = {}
        for turn in game.turns:
            found = kept[id(turn)] = self._understood.get(id(turn)) or self._understand(turn, seed)
            other = turn.entry.seat
            if found.likelihoods is not None and len(evidence[other]) < MEMORY:
                evidence[other].append(found.likelihoods)
            if all(len(one) == MEMORY for one in evidence.values()):
                break
        self._understood = kept
        return self.opponents.weights(self.seat, evidence)

    def _understand(self, turn: Turn, seed: int) -> _Understood:
        heard = heard_in(turn, self.seat)
        if heard is None:
            return _Understood(turn, None)
        return _Understood(turn, self.opponents.likelihoods(heard, self.seat, Stream(seed, turn.first)))


def heard_in(turn: Turn, seat: int) -> Heard | None:
    """Return the answer of a turn, if it is another seat's, and a seat has heard of it in full.

    What seats choose at the same time, nobody hears: only what follows from it is seen.
    """
    other = turn.entry.seat
    if other == seat:
        return None
    # Questions that have no answer, or only one, may follow in the same turn: they are answered at once.
    event = next((one for one in turn.events if one.kind == "answered" and one.numbers[0] == other), None)
    if event is None or not event.audience & event.sees & 1 << seat:
        return None
    return Heard(turn.state, turn.knowledge, other, event.cards)
