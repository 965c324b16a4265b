"""Greedy search: choose the answer with the best random playouts, one step deep.

Each answer is tried in the same worlds (everything unknown to the seat is dealt again, `determinise`) with the same
chance, then the game is played out at random, and the worth of the ends is summed (`evaluation`). The worse half of
the answers is dropped again and again, and the time saved goes to the others (sequential halving). The choice
depends only on what the seat sees and knows, and on the stream; see `possible_world` for hidden tracks.

Packs need not define what is good: an end is worth the seat's share of the victory and, much less, its lead in
points. So if nobody wins, or all playouts are won, scores decide; without scores, chance does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2

from interpreter.search.candidates import Keys, candidates, random_keys
from interpreter.search.evaluation import Moment, Searcher
from interpreter.state.chance import Stream
from interpreter.views.decision import offered
from interpreter.views.knowledge import Knowledge
from ruleset.table.nodes import TableProgram

PLAYOUTS = 10
"""Default number of playouts for each answer."""


class Greedy:
    """The greedy policy for all seats of one program. It keeps nothing of a game."""

    def __init__(self, program: TableProgram, searcher: Searcher, playouts: int = PLAYOUTS) -> None:
        self._program = program
        self._playouts = playouts
        self._searcher = searcher

    def choose(self, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream) -> Keys:
        """Choose the answer to the open decision of a seat, as option keys."""
        decision = offered(self._program, state, seat, knowledge)
        left = list(candidates(decision, stream))
        if len(left) == 1:
            return left[0]
        shuffled(left, stream)
        moment, seed = Moment(state, knowledge, decision), stream.bits() << 32 | stream.bits()
        budget, rounds = self._playouts * len(left), ceil(log2(len(left)))
        total, worlds = dict.fromkeys(left, 0), 0
        while len(left) > 1:
            count = max(1, budget // (rounds * len(left)))
            worth = self._searcher.weigh(moment, left, seed, worlds, count)
            if worth is None:
                return random_keys(decision, stream)
            worlds += count
            for keys, found in zip(left, worth, strict=True):
                total[keys] += found
            left.sort(key=lambda keys: -total[keys])
            del left[ceil(len(left) / 2) :]
        return left[0]


def shuffled(items: list[Keys], stream: Stream) -> None:
    """Shuffle answers, so that among equally good ones none is preferred for its place."""
    for i in range(len(items) - 1, 0, -1):
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]
