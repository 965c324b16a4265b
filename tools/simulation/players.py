"""The player of a table's games: whole games or, where a seat searches, decision by decision.

The choice does not change any game. All play a program that notes who began. Which backend plays whole games is
decided in `interpreter.batch.factory`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.policies import AskCount, CountingPlayer
from rulewright.interpreter.batch.batch import ManyGames, OneByOne, Play, Stop, never
from rulewright.interpreter.batch.factory import many_games
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import Folder, GameGrouping, counted, with_starter
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.search.tree_search import TreeGrower
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import offered, resolve
from rulewright.ruleset.table.nodes import D_LEAST, D_MOST, D_OPTIONS, D_SITE, TableProgram
from rulewright.tools.common.bots import SeatedBots
from rulewright.tools.common.seats import RANDOM, bots_of, searches
from rulewright.tools.simulation.columns import CountedTable, columns_of
from rulewright.tools.simulation.output.rows import RowField, RowSchema, fields, track_name, values
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.tally import GameTally

# ------------------------------------------------------------------ The player of a table's games in a simulation

@frozen
class PlayedTable:
    """A table at which many games are played, its seats and the backend. With `grouping`, decisions are counted."""

    program: TableProgram
    seats: tuple[str, ...]
    seed: int
    backend: str = AUTO
    grouping: GameGrouping | None = None


class TablePlayer:
    """Plays the games of a table with `many`."""

    def __init__(self, many: ManyGames, seed: int) -> None:
        self.many = many
        self._seed = seed

    def play(self, first: int, count: int, stop: Stop = never) -> GameResults:
        """Play up to `count` games, starting with game `first`."""
        return self.many.play(self._seed, first, count, stop)


def player(table: PlayedTable, addresses: Sequence[int]) -> TablePlayer:
    """Return the player of a table's games, which reports the cells at `addresses` at the end of each game."""
    program = table.program
    folder = None if table.grouping is None else Folder(counted(program), table.grouping)
    if any(map(searches, table.seats)):
        return stepped(table, addresses, folder)
    seated = bots_of(table.seats)
    return TablePlayer(
        many_games(with_starter(program).program, addresses, table.backend, seated, folder), table.seed
    )


# ---- Play the games of a simulation decision by decision, because a seat searches
#
# A `Game` tracks the knowledge of the seats. The counters of decisions are kept beside it.

def stepped(table: PlayedTable, addresses: Sequence[int], folder: Folder | None) -> TablePlayer:
    """Return the player of a table at which a seat searches. With `folder`, it counts decisions."""
    program = with_starter(table.program).program if folder is None else folder.counted.program
    bots = SeatedBots(program, table.seats)
    slots, asked = [slot_address(program.layout, seat) for seat in range(program.seats)], AskCount(program)
    counters = None if folder is None else Counters(folder)

    def play(seed: int, game: int) -> tuple[Sequence[int], int]:
        playing = Game.start(program, seed, game)
        bots.sit(seed, game)
        asked.begin()
        if counters is not None:
            counters.begin()
        given = answers = together = 0
        """`together`: decisions that were asked at the same time and are still open."""
        while playing.result is None:
            decision, state = playing.decisions[0], playing.state
            if not together:
                together = len(playing.decisions)
                asked.more(state)
            together -= 1
            keys = bots.answer(playing, decision, given)
            answers += _is_decision(state, slots[decision.seat])
            if counters is not None:
                values = resolve(offered(program, state, decision.seat, playing.knowledge), keys)
                assert isinstance(values, tuple), values
                counters.answered(state, decision.seat, slots[decision.seat], values)
            playing.apply(decision.seat, keys)
            given += 1
        return playing.state if counters is None else counters.ended(playing.state), answers

    return TablePlayer(_Searching(_told_by_number(play), addresses, bots.growers, folder), table.seed)


class Counters:
    """The counters of the decisions of a game, which the game itself does not keep."""

    def __init__(self, folder: Folder) -> None:
        self._counting = CountingPlayer(folder.counted)
        self._range = slice(folder.counted.things_at, folder.counted.end)
        self.begin()

    def begin(self) -> None:
        """Begin a game."""
        self._cells = [0] * (self._range.stop - self._range.start)

    def answered(self, state: Sequence[int], seat: int, slot: int, values: Sequence[int]) -> None:
        """Count a seat's answer to its open decision, before it is given."""
        cells = self.ended(state)
        if self._counting.decides(cells, seat):
            first, fixed = slot + D_OPTIONS + 1, state[slot + D_LEAST] == state[slot + D_MOST]
            options = cells[first : first + state[slot + D_OPTIONS]]
            self._counting.count(cells, seat, state[slot + D_SITE], options, values, fixed)
            self._cells = cells[self._range]

    def ended(self, state: Sequence[int]) -> list[int]:
        cells = list(state)
        cells[self._range] = self._cells
        return cells


class _Searching(OneByOne):
    """Plays games in which seats search; the search takes nearly all of the time."""

    def __init__(
        self,
        play: Play,
        addresses: Sequence[int],
        growers: Sequence[TreeGrower],
        folder: Folder | None,
    ) -> None:
        super().__init__(growers[0].name, play, addresses, folder)
        self._growers = growers

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> GameResults:
        """See `ManyGames.play`."""
        results = super().play(seed, first, count, stop)
        self.name = self._growers[0].name
        return results

    def prepare(self) -> bool:
        """See `ManyGames.prepare`."""
        return True in [grower.prepare() for grower in self._growers]


def _told_by_number(
    play: Callable[[int, int], tuple[Sequence[int], int]],
) -> Callable[[int, int], tuple[Sequence[int], int]]:
    """Raise the rule error that caused a fault of a `Game`."""

    def played(seed: int, game: int) -> tuple[Sequence[int], int]:
        try:
            return play(seed, game)
        except RuleFault as fault:
            error = fault.__cause__
            assert isinstance(error, RuleError)
            raise error from fault

    return played


def _is_decision(state: Sequence[int], slot: int) -> bool:
    """Return whether the open decision of a slot has more than one possible answer."""
    return bool(state[slot + D_MOST]) and state[slot + D_LEAST] != state[slot + D_OPTIONS]


# ------------------------------------------------------------------ Many games at one table, with their tally

@frozen
class Batch:
    """Games 0 to `games` - 1 of a seed at one table; all seats are random unless `seats` is set."""

    program: TableProgram
    games: int
    seed: int
    backend: str = AUTO
    seats: tuple[str, ...] = ()
    usage: bool = False
    sheet: RowSchema | None = None

    @property
    def slow(self) -> bool:
        return any(map(searches, self.seats))

    @property
    def counted(self) -> CountedTable:
        """The table and its counted cells, as the report names them."""
        program = self.program
        series = program.next_game is not None
        columns = columns_of(program, starter=True)
        return CountedTable(program.pack, program.version, program.options, columns, series)

    def empty(self) -> GameTally:
        return GameTally(self.program.seats)

    def on(self, sheet: RowSchema) -> Batch:
        """Return the same work with pages for a sheet."""
        return evolve(self, sheet=sheet)

    def fields(self) -> tuple[RowField, ...]:
        """Return the fields of a row about a game."""
        columns = columns_of(self.program)
        return fields((), map(track_name, columns.columns), bool(columns.results))

    def table(self) -> PlayedTable:
        """Return the table at which the games are played."""
        seats = self.seats or (RANDOM,) * self.program.seats
        grouping = GameGrouping(0, self.games) if self.usage else None
        return PlayedTable(self.program, seats, self.seed, self.backend, grouping)

    def player(self) -> BatchPlayer:
        return BatchPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)


class BatchPlayer:
    """Plays and counts the games of a batch."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._columns = columns_of(batch.program, starter=True)
        self._player = player(batch.table(), self._columns.addresses)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[GameTally]:
        sheet, seed = self._batch.sheet, self._batch.seed
        results = self._player.play(first, end - first, stop)
        tally = self._batch.empty()
        tally.take(self._columns, results)
        if results.counts is not None:
            tally.usage.take(counted(self._batch.program), results.counts)
        pages = () if sheet is None else (sheet.page(values(self._columns, results, seed)),)
        return BatchResult(first, first + results.count, tally, self._player.many.name, pages)

    def prepare(self) -> bool:
        return self._player.many.prepare()
