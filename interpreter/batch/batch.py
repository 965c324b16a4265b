"""Many games of one table between bots, with their results as columns.

Game number g of a seed is the same on every player and in every batch: see `chance.seed_state`. Nothing here knows
the meaning of the numbers; callers give the addresses of the cells they want from each game's end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import CountingPlayer, RandomPlayer, Seated, play_out
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import Counts, Folder
from rulewright.interpreter.state.chance import Stream, seed_state, splitmix
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table.nodes import TableProgram

Stop = Callable[[], bool]
"""Called between games; true to skip the rest."""


def never() -> bool:
    """Return False: do not stop."""
    return False


class GivenUp(BaseException):
    """Raised by a signal handler to give up the game in play. `ManyGames.play` returns the games before it."""


class ManyGames(ABC):
    """A player of games of one table. `name` is the backend in use now: `walker` or `native`."""

    name: str

    @abstractmethod
    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> GameResults:
        """Play games `first` to `first + count - 1`; fewer if it was stopped, or GivenUp was raised in it."""

    def prepare(self) -> bool:
        """Start preparing a faster way, because many games will follow. Returns whether one is being prepared."""
        return False


Play = Callable[[int, int], tuple[Sequence[int], int]]
"""Plays the game of a seed and a number. Returns its final state and its number of decisions. Raises RuleError."""


class OneByOne(ManyGames):
    """A player of one game after the other, with a function that plays one."""

    def __init__(self, name: str, play: Play, addresses: Sequence[int], folder: Folder | None = None) -> None:
        self.name = name
        self._play = play
        self._addresses = tuple(addresses)
        self._folder = folder

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> GameResults:
        """See `ManyGames.play`."""
        rows: list[tuple[int, ...]] = []
        codes: dict[str, int] = {}
        nothing = (0,) * (1 + len(self._addresses))
        try:
            for game in range(first, first + count):
                try:
                    state, decisions = self._play(seed, game)
                except RuleError as error:
                    rows.append((codes.setdefault(error.code, len(codes) + 1), error.at, *nothing))
                else:
                    rows.append((0, 0, decisions, *[state[address] for address in self._addresses]))
                    if self._folder is not None:
                        self._folder.add(game, state)
                if stop():
                    break
        except GivenUp:
            pass
        counts = self._folder.taken() if self._folder is not None else None
        return _results(first, rows, tuple(codes), len(self._addresses), counts)


def _results(
    first: int, rows: Sequence[tuple[int, ...]], codes: tuple[str, ...], cells: int, counts: Counts | None
) -> GameResults:
    columns = [array("i", column) for column in zip(*rows, strict=True)] or [array("i") for _ in range(3 + cells)]
    faults, places, decisions, *rest = columns
    return GameResults(first, faults, places, decisions, tuple(rest), codes, counts)


def stepping_many(
    program: TableProgram,
    addresses: Sequence[int],
    backend: str,
    seated: Seated = (),
    folder: Folder | None = None,
) -> ManyGames:
    """Make a player that steps a backend from decision to decision.

    With `folder`, it plays the program of that instead, and counts.
    """
    if folder is not None:
        program = folder.counted.program
    player = player_of(program, seated) if folder is None else CountingPlayer(folder.counted, seated)
    stepping = make(program, backend)

    def play(seed: int, game: int) -> tuple[Sequence[int], int]:
        state = stepping.start(seed, game)
        return state, play_out(stepping, state, bots_stream(seed, game), player)

    return OneByOne(stepping.name, play, addresses, folder)


def player_of(program: TableProgram, seated: Seated = ()) -> RandomPlayer:
    """Make the player that answers for all seats."""
    if not seated:
        return RandomPlayer(program)
    from rulewright.interpreter.backends.policies import RankedPlayer

    return RankedPlayer(program, seated)


def bots_stream(seed: int, game: int) -> Stream:
    """Return the stream from which the bots of a game draw."""
    return Stream(splitmix(seed_state(seed, game)))
