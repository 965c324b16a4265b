"""Information-set Monte Carlo tree search: choose an answer by a tree of answers in many worlds.

The algorithm is that of P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search" (2012),
with one tree for the seat that searches. In each world (`determinise`) it goes down the tree by answers that are
possible there, adds one node, lets bots play on to the end, and notes what the end is worth to each node's seat.
Seats choose what is best for themselves, by UCB1, in which a node counts as often as it could have been chosen. In
half of the worlds the other seats follow bots instead: in the tree they would know the cards of the seat that
searches. The bots are those of the pack, or random players (`opponents`).

Answers have keys that do not depend on the world: a seat names a card by its face where it sees it, else by its
place. A node gets more answers the more often it is visited (progressive widening), since there may be very many
where several things are chosen at once. The answers of the pack's bots come first.

A *flat* tree has depth one: the answers of its decision, after which random players play on. All answers are tried
in the same worlds with the same chance. Then the worse half is dropped, and the time saved goes to the others,
again and again (sequential halving: Z. Karnin, T. Koren and O. Somekh, "Almost Optimal Exploration in Multi-Armed
Bandits", 2013). With UCB1 it was weaker, also where each answer met the same worlds one after the other, since
answers that were tried less often met only some of them. What is chosen depends only on what the seat sees and
knows, and on the seed; see `possible_world` for hidden tracks.

Numbers are whole, so that equal seeds lead to equal trees on every machine and backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import isqrt

from attrs import frozen

from rulewright.interpreter.search.determinise import VICTORY, Keys, SearchMoment, random_keys
from rulewright.interpreter.search.opponents import Weights
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import offered, only_answer
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import TableProgram

EXPLORED = VICTORY // 2
"""The weight, at the root, of what was tried less often than others."""
EXPLORED_BELOW = VICTORY // 4
"""The same below the root. What is tried there makes an answer at the root look worse than it is."""
WIDENING, WIDENING_BELOW = 16, 1
"""A node with n visits has at most 1 + sqrt(`WIDENING` n / 4) answers: at the root, and below it."""
RIPE = 8
"""How often a node below the root was visited before others are added below it."""
RIVALS = 4
"""In how many of 8 worlds the other seats choose by the tree; in the others, they follow their bots."""
DRAWS = 8
"""How often an answer that is not there yet is drawn."""
DEEPEST = 200
"""How many decisions are answered in the tree, in one world."""
MOST_NODES = 1 << 17
"""The most nodes of a tree; in a full one, numbers still improve."""
KEYS = 2
"""How many things the answers of a full tree choose, for each node."""
ITERATIONS = 1_000
"""Default number of worlds for each decision."""
PLAYOUTS = 10
"""Default number of worlds for each answer, in a flat tree."""
WEIGHED = 24
"""The most answers of a flat tree if several things can be chosen at once; if only one, all are tried."""


@frozen
class TriedAnswer:
    """An answer at the root: in how many worlds it was tried, and what their ends were worth in all."""

    keys: Keys
    visits: int
    worth: int


class TreeGrower(ABC):
    """A way to grow trees in the games of one table. `name` is the backend that plays now."""

    name: str

    @abstractmethod
    def plant(self, moment: SearchMoment, seed: int, weights: Weights | None = None) -> None:
        """Begin a tree for a decision with several answers. Worlds come from streams of the seed.

        `weights` say which bots the seats are taken for; without them, those of the pack.
        """

    @abstractmethod
    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """Grow in more worlds, at most for some seconds. Returns whether it grew: there may be no world.

        A flat tree grows once, in `worlds` worlds for each of its answers on average; it ignores seconds.
        """

    @abstractmethod
    def tried(self) -> tuple[TriedAnswer, ...]:
        """Return the answers of the root, in the order in which they were tried first.

        If the time was up in its first world, the last answer has no visits.
        """

    def prepare(self) -> bool:
        """Start preparing a faster way. Returns whether one is being prepared."""
        return False


@frozen
class Effort:
    """How long to search for an answer: a number of worlds, or of seconds.

    With `flat`, in a flat tree; `worlds` is then the average number for each of its answers.
    """

    worlds: int = ITERATIONS
    seconds: float | None = None
    flat: bool = False


class TreeSearch:
    """The policy of a seat that searches. It keeps nothing of a game."""

    def __init__(self, program: TableProgram, effort: Effort, grower: TreeGrower) -> None:
        self._program = program
        self.effort = effort
        self._grower = grower

    def choose(
        self,
        state: Sequence[int],
        knowledge: Knowledge,
        seat: int,
        stream: Stream,
        weights: Weights | None = None,
    ) -> Keys:
        """Choose the answer to the open decision of a seat, as option keys."""
        decision = offered(self._program, state, seat, knowledge)
        only = only_answer(decision)
        if only is not None:
            return tuple(only)
        self._grower.plant(SearchMoment(state, knowledge, decision), stream.bits() << 32 | stream.bits(), weights)
        grown = self._grower.grow(self.effort.worlds, self.effort.seconds)
        tried = [one for one in self._grower.tried() if one.visits] if grown else []
        best = lasting if self.effort.flat else surely
        return max(tried, key=best).keys if tried else random_keys(decision, stream)


def surely(tried: TriedAnswer) -> int:
    """Return what an answer is worth at least, very likely: its mean, and less if it was tried rarely."""
    return tried.worth // tried.visits - (VICTORY << 10) // isqrt(tried.visits << 20)


def lasting(tried: TriedAnswer) -> tuple[int, int]:
    """Return how often an answer was tried, and its worth: those that were tried as often met the same worlds."""
    return tried.visits, tried.worth
