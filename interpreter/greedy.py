"""Greedy: the answer whose random playouts end best for the seat that gives it, at one step's depth.

Each answer is tried in the same worlds (what the seat cannot know is dealt anew, `determinise`) with the same
chance, then the game is played out at random, and the ends are averaged. Answers that do worse are dropped on the
way, half of them at a time, and what that saves goes to the others (sequential halving). What is chosen depends on
what the seat sees and knows and on the stream alone: see `possible_world` for what that means of hidden tracks.

No pack has to say what is good: an end is worth the seat's share of the victory and, much less, by how much its
score is ahead. So where nobody wins, or all playouts are won, scores decide; without either, chance does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2

from interpreter.backend import Backend
from interpreter.candidates import Keys, candidates, random_keys
from interpreter.chance import Stream
from interpreter.decision import Decision, offered, resolve
from interpreter.determinise import possible_world
from interpreter.errors import RuleError
from interpreter.knowledge import Knowledge
from interpreter.playout import RandomPlayer, play_out
from interpreter.python_backend import PythonBackend
from interpreter.renaming import World
from interpreter.view import result
from ruleset.table import TableProgram

PLAYOUTS = 10
"""Playouts for each answer, where nobody says another number."""
DEPTH = 1_000
"""So many decisions are played out at most: a game need not end."""
LEAD = 0.25
"""What the lead in points counts at most, against the 1 of a victory."""


class Greedy:
    """The greedy policy for all seats of one program. It keeps nothing of a game."""

    def __init__(self, program: TableProgram, playouts: int = PLAYOUTS, backend: Backend | None = None) -> None:
        self._program = program
        self._playouts = playouts
        self._backend = backend or PythonBackend(program)
        self._player = RandomPlayer(program)

    def choose(self, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream) -> Keys:
        """The answer to the open decision of a seat, as option keys."""
        decision = offered(self._program, state, seat, knowledge)
        left = list(candidates(decision, stream))
        if len(left) == 1:
            return left[0]
        shuffled(left, stream)
        budget, rounds = self._playouts * len(left), ceil(log2(len(left)))
        total = dict.fromkeys(left, 0.0)
        while len(left) > 1:
            for _ in range(max(1, budget // (rounds * len(left)))):
                world = self._world(state, knowledge, seat, stream)
                if world is None:
                    return random_keys(decision, stream)
                seed = stream.bits()
                for keys in left:
                    total[keys] += self._tried(world, seat, keys, Stream(seed))
            left.sort(key=lambda keys: -total[keys])
            del left[ceil(len(left) / 2) :]
        return left[0]

    def _world(self, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream) -> World | None:
        try:
            return possible_world(self._backend, state, knowledge, seat, stream)
        except RuleError:
            return None

    def _tried(self, world: World, seat: int, keys: Keys, stream: Stream) -> float:
        """What an answer is worth in one playout."""
        state = list(world.state)
        values = resolve(self._own(world, seat), keys)
        assert isinstance(values, tuple), values
        self._backend.answer(state, seat, values)
        try:
            play_out(self._backend, state, stream, self._player, DEPTH)
        except RuleError:
            return 1 / self._program.seats
        return outcome(self._program, state, seat)

    def _own(self, world: World, seat: int) -> Decision:
        return offered(self._program, world.state, seat, world.knowledge)


def shuffled(items: list[Keys], stream: Stream) -> None:
    """Puts answers in random order, so that none is preferred for where it stands when nothing tells them apart."""
    for i in range(len(items) - 1, 0, -1):
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]


def outcome(program: TableProgram, state: Sequence[int], seat: int) -> float:
    """What the end of a game is worth to a seat: its share of the victory, and `LEAD` times its lead.

    The lead is the distance to the best other score, as a part of all points: from -1 to 1. A game that was not
    played to its end is worth what it would be if all won.
    """
    ended = result(program, state)
    if ended is None:
        return 1 / program.seats
    share = 1 / len(ended.winners) if seat in ended.winners else 0.0
    points = sum(abs(score) for score in ended.scores)
    others = [score for other, score in enumerate(ended.scores) if other != seat]
    if not points or not others:
        return share
    return share + LEAD * (ended.scores[seat] - max(others)) / points
