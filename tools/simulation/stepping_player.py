"""Play the games of a simulation decision by decision.

To count use, a narrating backend reports events. If a seat searches, a `Game` tracks the knowledge of the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.backends.factory import make
from interpreter.backends.policies.random_player import AskCount
from interpreter.batch.batch import OneByOne, Play, Stop, never
from interpreter.batch.factory import AUTO
from interpreter.batch.results import Results
from interpreter.game.game import Game, RuleFault
from interpreter.search.evaluation import Searcher
from interpreter.search.tree_search import TreeGrower
from interpreter.state.events import RawEvent
from interpreter.state.rule_errors import RuleError
from interpreter.views.decision import offered, resolve
from ruleset.table.nodes import ASKED, ASKING, D_LEAST, D_MOST, D_OPTIONS, D_STATE, STATUS
from tools.common.bots import Bots, TableBots
from tools.common.seats import searches
from tools.simulation.player import Player, Table
from tools.simulation.usage import GameUse
from tools.simulation.usage_watch import Watcher


def stepped(table: Table, addresses: Sequence[int]) -> Player:
    """Return the player of a table at which use is counted or a seat searches."""
    return (_with_knowledge if any(map(searches, table.seats)) else _watched)(table, addresses)


def _watched(table: Table, addresses: Sequence[int]) -> Player:
    bots, watcher = TableBots(table.program, table.seats), Watcher(table.program)
    backend = make(table.program, _stepping(table), narrating=True)
    asked = AskCount(table.program)
    uses: dict[int, GameUse] = {}

    def play(seed: int, game: int) -> tuple[Sequence[int], int]:
        state, events, answers = backend.start(seed, game), list[RawEvent](), 0
        bots.sit(seed, game)
        watcher.begin()
        asked.begin()
        backend.run(state, events)
        while state[STATUS] == ASKING:
            asked.more(state)
            for seat, slot in enumerate(bots.slots):
                if state[slot + D_STATE] == ASKED:
                    values = bots.choose(state, seat)
                    answers += _is_decision(state, slot)
                    watcher.answered(state, seat, values)
                    backend.answer(state, seat, values)
            backend.run(state, events)
        uses[game] = watcher.ended((event[0], event[1], event[2], event[5]) for event in events)
        return state, answers

    return Player(OneByOne(backend.name, play, addresses), table.seed, uses)


def _with_knowledge(table: Table, addresses: Sequence[int]) -> Player:
    bots, watcher = Bots(table.program, table.seats, table.backend), Watcher(table.program)
    slots, asked = TableBots(table.program).slots, AskCount(table.program)
    backend = make(table.program, _stepping(table), narrating=True)
    uses: dict[int, GameUse] | None = {} if table.usage else None

    def play(seed: int, game: int) -> tuple[Sequence[int], int]:
        playing = Game.start(table.program, seed, backend, game)
        bots.sit(seed, game)
        watcher.begin()
        asked.begin()
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
            if uses is not None:
                values = resolve(offered(table.program, state, decision.seat, playing.knowledge), keys)
                assert isinstance(values, tuple), values
                watcher.answered(state, decision.seat, values)
            playing.apply(decision.seat, keys)
            given += 1
        if uses is not None:
            uses[game] = watcher.ended((one.kind, one.numbers, one.cards, one.at) for one in playing.events())
        return playing.state, answers

    return Player(_Searching(_told_by_number(play), addresses, bots.engines), table.seed, uses)


class _Searching(OneByOne):
    """Plays games in which seats search; the search takes nearly all of the time."""

    def __init__(self, play: Play, addresses: Sequence[int], engines: Sequence[Searcher | TreeGrower]) -> None:
        super().__init__(engines[0].name, play, addresses)
        self._engines = engines

    def play(self, seed: int, first: int, count: int, stop: Stop = never) -> Results:
        """See `ManyGames.play`."""
        results = super().play(seed, first, count, stop)
        self.name = self._engines[0].name
        return results

    def prepare(self) -> bool:
        """See `ManyGames.prepare`."""
        return True in [engine.prepare() for engine in self._engines]

    def close(self) -> None:
        """See `ManyGames.close`."""
        for engine in self._engines:
            engine.close()


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


def _stepping(table: Table) -> str:
    """Return the backend for watched games, which not all backends can play."""
    return "python" if table.backend == AUTO else table.backend


def _is_decision(state: Sequence[int], slot: int) -> bool:
    """Return whether the open decision of a slot has more than one possible answer."""
    return bool(state[slot + D_MOST]) and state[slot + D_LEAST] != state[slot + D_OPTIONS]
