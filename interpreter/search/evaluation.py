"""Evaluate answers by playouts in worlds that the seat cannot tell from the true one.

World number n of a seed is dealt from a stream of its own. All answers are played out in it with the draws of one
other stream, so they have the same chance. Sums are of whole numbers, equal on every machine and backend.
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
from interpreter.views.view import result, scores_so_far
from ruleset.table.nodes import TableProgram

DEPTH = 1_000
"""Maximum number of questions in a playout, since a game need not end."""
VICTORY = 1_000_000_000
"""The worth of a victory."""
LEAD = VICTORY // 4
"""The most that the lead in points counts."""


@frozen
class Moment:
    """A state, the knowledge of its seats, and the open decision of one of them as that seat sees it."""

    state: Sequence[int]
    knowledge: Knowledge
    decision: Decision


class Searcher(ABC):
    """A way to weigh answers in the games of one table. Results depend on the arguments alone, not on the searcher.

    `name` is the backend that plays games out now: `python`, `walker` or `native`.
    """

    name: str

    @abstractmethod
    def weigh(self, moment: Moment, answers: Sequence[Keys], seed: int, first: int, count: int) -> list[int] | None:
        """Return each answer's worth summed over worlds `first` to `first + count - 1`; None if one is missing."""

    def prepare(self) -> bool:
        """Start preparing a faster way, because much will be weighed. Returns whether one is being prepared."""
        return False

    def close(self) -> None:  # noqa: B027 - most make nothing
        """Abandon preparations, because no more will be weighed."""


class PythonSearcher(Searcher):
    """A searcher on a backend that is stepped from decision to decision: the reference."""

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
        """Return the worth of an answer in one playout."""
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
    """Return the worth of a game's end to a seat: its share of the victory, and `LEAD` times its lead.

    The lead is the distance to the best other score, as a fraction of all points: from -1 to 1. In a game that was
    not played to its end, the share is that of a victory of all seats, and the scores are those so far.
    """
    ended = result(program, state)
    share, scores = VICTORY // program.seats, scores_so_far(program, state)
    if ended is not None:
        share = VICTORY // len(ended.winners) if seat in ended.winners else 0
    points = sum(map(abs, scores))
    others = [score for other, score in enumerate(scores) if other != seat]
    if not points or not others:
        return share
    return share + LEAD * (scores[seat] - max(others)) // points
