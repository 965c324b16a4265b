"""Bots: seats that answer by themselves.

How they play depends on the game, the run's seed and the game's number alone: random seats and bots of the pack
draw from one stream of the game, a greedy seat has a stream of its own for each answer. So game number g of a
simulation, and the same game played by the same bots in the terminal, are the same; and a game that was left goes
on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.policies.ranking_player import RankedPlayer
from interpreter.batch.factory import AUTO
from interpreter.game.game import Game
from interpreter.search.factory import searcher
from interpreter.search.greedy import Greedy
from interpreter.state.chance import Stream, seed_state, splitmix
from interpreter.views.decision import Decision, keys_of, offered
from ruleset.table.nodes import TableProgram
from tools.common.seats import HUMAN, bots_of, playouts


class TableBots(RankedPlayer):
    """The bots of one table that keep nothing of a game but where its stream is; `sit` begins a game."""

    def __init__(self, program: TableProgram, seats: Sequence[str] = ()) -> None:
        super().__init__(program, bots_of(seats))
        self.stream = Stream(0)

    def sit(self, seed: int, game: int) -> Stream:
        """Begins a game: its stream."""
        self.stream = Stream(splitmix(seed_state(seed, game)))
        return self.stream

    def choose(self, state: Sequence[int], seat: int, stream: Stream | None = None) -> Sequence[int]:
        """The answer to the open decision of a seat."""
        return super().choose(state, seat, self.stream)

    @property
    def memory(self) -> int:
        """Where the stream is; `recall` goes back there."""
        return self.stream.place

    def recall(self, memory: int) -> None:
        self.stream.place = memory


class Bots:
    """The bots of one table, where `seats` says who sits; `sit` begins a game. Greedy ones search by `backend`."""

    def __init__(self, program: TableProgram, seats: Sequence[str], backend: str = AUTO) -> None:
        self._table = TableBots(program, seats)
        wanted = {seat: number for seat in seats if (number := playouts(seat)) is not None}
        self.searcher = searcher(program, backend) if wanted else None
        """What weighs the answers of greedy seats, if there are any."""
        greedy = {kind: Greedy(program, number, self.searcher) for kind, number in wanted.items()}
        self._seats = [greedy.get(kind) for kind in seats]
        self._bots = [kind != HUMAN for kind in seats]
        self._seed = 0

    def sit(self, seed: int, game: int) -> None:
        """Begins a game."""
        self._table.sit(seed, game)
        self._seed = splitmix(seed_state(seed, game))

    def plays(self, seat: int) -> bool:
        """Whether a bot sits there."""
        return self._bots[seat]

    def answer(self, game: Game, decision: Decision, answers: int) -> tuple[str, ...]:
        """What a bot answers to an open decision of its seat. `answers` were given in the game before."""
        greedy = self._seats[decision.seat]
        if greedy is None:
            seat, state = decision.seat, game.state
            return keys_of(offered(game.program, state, seat, game.knowledge), self._table.choose(state, seat))
        return greedy.choose(game.state, game.knowledge, decision.seat, Stream(self._seed, 1 + answers))

    def passed(self, game: Game, seat: int) -> None:
        """A bot's answer is taken from a journal: the stream goes on as if it had been chosen."""
        if self._bots[seat] and self._seats[seat] is None and any(one.seat == seat for one in game.decisions):
            self._table.choose(game.state, seat)

    @property
    def memory(self) -> int:
        """Where the bots are in their chance; `recall` goes back there."""
        return self._table.memory

    def recall(self, memory: int) -> None:
        self._table.recall(memory)
