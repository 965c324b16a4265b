"""Bots: seats that answer by themselves.

Their answers depend only on the game, the run's seed, and the game's number: random seats and bots of the pack
share one stream per game, and a seat that searches has its own stream for each answer. So game number g of a
simulation is the same as that game played by the same bots in the terminal, and an interrupted game continues as if
it had not been interrupted. Only a seat that searches for some time (`search:0.2s`) depends on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import NoNativeError
from rulewright.interpreter.backends.policies import RankedPlayer, bot_keys
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search.native_tree import grower
from rulewright.interpreter.search.opponents import Listener, Opponents, Weights
from rulewright.interpreter.search.tree_search import TreeSearch
from rulewright.interpreter.state.chance import Stream, seed_state, splitmix
from rulewright.interpreter.views.decision import Decision, keys_of, offered
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import HUMAN, bots_of, effort

# ---- Report that explicitly requested native code cannot be built

@contextmanager
def asked_for(advice: str = "") -> Iterator[None]:
    """Raise Usage if native code cannot be built, with advice after the reason."""
    end = f"; {advice}" if advice else ""
    try:
        yield
    except NoNativeError as error:
        raise Usage(f"native code is not available: {error}{end}") from None
    except BuildError as error:
        raise Usage(f"native code cannot be built: {error}{end}") from None



# ---- Bots

class TableBots(RankedPlayer):
    """The bots of a table whose only state is the position of their stream; `sit` begins a game."""

    def __init__(self, program: TableProgram, seats: Sequence[str] = ()) -> None:
        super().__init__(program, bots_of(seats))
        self.stream = Stream(0)

    def sit(self, seed: int, game: int) -> Stream:
        """Begin a game, and return its stream."""
        self.stream = Stream(splitmix(seed_state(seed, game)))
        return self.stream

    def choose(self, state: Sequence[int], seat: int, stream: Stream | None = None) -> Sequence[int]:
        """Return the answer to a seat's open decision."""
        return super().choose(state, seat, self.stream)

    @property
    def memory(self) -> int:
        """The position of the stream; `recall` returns to it."""
        return self.stream.place

    def recall(self, memory: int) -> None:
        """Move the stream to a position from `memory`."""
        self.stream.place = memory


class SeatedBots:
    """The bots of a table with the given `seats`; `sit` begins a game. Some search."""

    def __init__(self, program: TableProgram, seats: Sequence[str]) -> None:
        self._table = TableBots(program, seats)
        efforts = [effort(seat) for seat in seats]
        trees = {one.flat for one in efforts if one is not None}
        with asked_for("seats that search need it"):
            growers = {flat: grower(program, flat) for flat in trees}
        self.growers = tuple(growers.values())
        """What grows the trees of the seats."""
        self._seats = [None if one is None else TreeSearch(program, one, growers[one.flat]) for one in efforts]
        self._opponents = Opponents(program) if bot_keys(program) and False in trees else None
        self._listeners: dict[int, Listener] = {}
        self._bots = [kind != HUMAN for kind in seats]
        self._seed = 0

    def sit(self, seed: int, game: int) -> None:
        """Begin a game."""
        self._table.sit(seed, game)
        self._seed = splitmix(seed_state(seed, game))
        self._listeners = {}

    def plays(self, seat: int) -> bool:
        """Whether a bot plays this seat."""
        return self._bots[seat]

    def answer(self, game: Game, decision: Decision, answers: int) -> tuple[str, ...]:
        """Return a bot's answer to its open decision. `answers` is the number of answers in the game so far."""
        searching = self._seats[decision.seat]
        if searching is None:
            seat, state = decision.seat, game.state
            return keys_of(offered(game.program, state, seat, game.knowledge), self._table.choose(state, seat))
        chance = Stream(self._seed, 1 + answers)
        weights = None if searching.effort.flat else self._believed(game, decision.seat)
        return searching.choose(game.state, game.knowledge, decision.seat, chance, weights)

    def _believed(self, game: Game, seat: int) -> Weights | None:
        """Return what a seat that searches takes the others for; in a pack without bots, all are random players."""
        if self._opponents is None:
            return None
        listener = self._listeners.setdefault(seat, Listener(self._opponents, seat))
        return listener.weights(game, splitmix(self._seed))

    def passed(self, game: Game, seat: int) -> None:
        """Advance the stream for a bot's answer taken from a journal, as if it had been chosen."""
        if self._bots[seat] and self._seats[seat] is None and any(one.seat == seat for one in game.decisions):
            self._table.choose(game.state, seat)

    @property
    def memory(self) -> int:
        """The position of the bots' chance; `recall` returns to it."""
        return self._table.memory

    def recall(self, memory: int) -> None:
        self._table.recall(memory)
