"""What answers are worth to the seat that gives them: each is tried in worlds that the seat cannot tell from the
true one, and the games are played out at random.

World number n of a seed is dealt by a stream of its own, and in it all answers are played out with the draws of
another: they have the same chance. What is added up are whole numbers, equal on every machine and backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from attrs import frozen

from interpreter.backends.policies.random_player import RandomPlayer, play_out
from interpreter.backends.python.backend import PythonBackend
from interpreter.search.candidates import Keys
from interpreter.search.card_renaming import World
from interpreter.search.determinise import possible_world
from interpreter.state.backend_protocol import Backend
from interpreter.state.chance import Stream
from interpreter.state.rule_errors import RuleError
from interpreter.views.decision import Decision, offered, resolve
from interpreter.views.knowledge import Knowledge
from interpreter.views.view import result
from ruleset.table.nodes import TableProgram

DEPTH = 1_000
"""So many times something is asked in a playout at most: a game need not end."""
VICTORY = 1_000_000_000
"""What a victory is worth."""
LEAD = VICTORY // 4
"""What the lead in points counts at most."""


@frozen
class Moment:
    """A state, what its seats know, and the open decision of one of them as that seat sees it."""

    state: Sequence[int]
    knowledge: Knowledge
    decision: Decision


class Searcher(ABC):
    """Weighs answers in the games of one table. What it gives depends on its arguments alone, whichever it is.

    `name` is that of the backend which plays games out now: `python`, `walker` or `native`.
    """

    name: str

    @abstractmethod
    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """What each answer is worth in worlds `first` to `first + count - 1` of a seed, summed up; None where no
        world was found.
        """

    def prepare(self) -> bool:
        """Much is to be weighed: what makes it quicker may be made meanwhile. Whether that is being done now."""
        return False

    def close(self) -> None:  # noqa: B027 - most make nothing
        """No more is to be weighed: what is in the making is left."""


class PythonSearcher(Searcher):
    """Searches by a backend that is stepped through from decision to decision: the reference."""

    def __init__(self, program: TableProgram, backend: Backend | None = None, depth: int = DEPTH) -> None:
        self._program = program
        self._backend = backend or PythonBackend(program)
        self.name = self._backend.name
        self._player = RandomPlayer(program)
        self._depth = depth

    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """See `Searcher.weigh`."""
        totals = [0] * len(answers)
        for number in range(first, first + count):
            world = self._world(moment, Stream(seed, 2 * number))
            if world is None:
                return None
            own = offered(self._program, world.state, moment.decision.seat, world.knowledge)
            for place, keys in enumerate(answers):
                totals[place] += self._tried(world, own, keys, Stream(seed, 2 * number + 1))
        return totals

    def _world(self, moment: Moment, stream: Stream) -> World | None:
        try:
            return possible_world(self._backend, moment.state, moment.knowledge, moment.decision.seat, stream)
        except RuleError:
            return None

    def _tried(self, world: World, own: Decision, keys: Keys, stream: Stream) -> int:
        """What an answer is worth in one playout."""
        state = list(world.state)
        values = resolve(own, keys)
        assert isinstance(values, tuple), values
        self._backend.answer(state, own.seat, values)
        try:
            play_out(self._backend, state, stream, self._player, self._depth)
        except RuleError:
            return VICTORY // self._program.seats
        return outcome(self._program, state, own.seat)


def outcome(program: TableProgram, state: Sequence[int], seat: int) -> int:
    """What the end of a game is worth to a seat: its share of the victory, and `LEAD` times its lead.

    The lead is the distance to the best other score, as a part of all points: from -1 to 1. A game that was not
    played to its end is worth what it would be if all won.
    """
    ended = result(program, state)
    if ended is None:
        return VICTORY // program.seats
    share = VICTORY // len(ended.winners) if seat in ended.winners else 0
    points = sum(abs(score) for score in ended.scores)
    others = [score for other, score in enumerate(ended.scores) if other != seat]
    if not points or not others:
        return share
    return share + LEAD * (ended.scores[seat] - max(others)) // points
