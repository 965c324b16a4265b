"""How one game of a simulation is played, as quickly as what is asked of it allows.

Where random bots play and nothing is watched, generated Python plays whole games without stopping. Where use is
counted the narrating build is stepped through. Where a seat is greedy, a `Game` keeps what seats know. Which of
them it is changes nothing about a game.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from interpreter import playout
from interpreter.backend import make
from interpreter.decision import resolve
from interpreter.event import RawEvent
from interpreter.game import Game
from interpreter.python_playing import PlayingBackend
from ruleset.table import ASKED, ASKING, D_LEAST, D_MOST, D_OPTIONS, D_STATE, STATUS, TableProgram
from tools.bots import Bots, RandomBots
from tools.seats import RANDOM
from tools.usage import GameUse, Watcher


@frozen
class Table:
    """A table at which many games are played: who sits there, by what, and whether use is counted."""

    program: TableProgram
    seats: tuple[str, ...]
    seed: int
    backend: str = "python"
    usage: bool = False


@frozen
class Played:
    """A game that has ended: its state, how many decisions there were, and what was used if that was watched."""

    state: list[int]
    decisions: int
    use: GameUse | None = None


Play = Callable[[int], Played]
"""Plays a game by its number. Raises RuleError or RuleFault where a rule fails."""


def player(table: Table) -> Play:
    """What plays the games of a table."""
    if any(seat != RANDOM for seat in table.seats):
        return _with_knowledge(table)
    if table.usage:
        return _watched(table)
    return _whole(table) if table.backend == "python" else _stepwise(table)


def _whole(table: Table) -> Play:
    bots, playing = RandomBots(table.program), PlayingBackend(table.program)

    def play(game: int) -> Played:
        state = playing.start(table.seed, game)
        return Played(state, playing.play(state, bots.sit(table.seed, game)))

    return play


def _stepwise(table: Table) -> Play:
    bots, backend = RandomBots(table.program), make(table.program, table.backend)

    def play(game: int) -> Played:
        state = backend.start(table.seed, game)
        return Played(state, playout.play_out(backend, state, bots.sit(table.seed, game), bots))

    return play


def _watched(table: Table) -> Play:
    bots, watcher = RandomBots(table.program), Watcher(table.program)
    backend = make(table.program, table.backend, narrating=True)

    def play(game: int) -> Played:
        state, events, answers = backend.start(table.seed, game), list[RawEvent](), 0
        bots.sit(table.seed, game)
        watcher.begin()
        backend.run(state, events)
        while state[STATUS] == ASKING:
            for seat, slot in enumerate(bots.slots):
                if state[slot + D_STATE] == ASKED:
                    values = bots.choose(state, seat)
                    answers += _is_decision(state, slot)
                    watcher.answered(state, seat, values)
                    backend.answer(state, seat, values)
            backend.run(state, events)
        use = watcher.ended((event[0], event[1], event[2], event[5]) for event in events)
        return Played(state, answers, use)

    return play


def _with_knowledge(table: Table) -> Play:
    bots, watcher = Bots(table.program, table.seats), Watcher(table.program)
    slots = RandomBots(table.program).slots

    def play(game: int) -> Played:
        playing = Game.start(table.program, table.seed, table.backend, game)
        bots.sit(table.seed, game)
        watcher.begin()
        given = answers = 0
        while playing.result is None:
            decision, state = playing.decisions[0], playing.state
            keys = bots.answer(playing, decision, given)
            answers += _is_decision(state, slots[decision.seat])
            if table.usage:
                values = resolve(decision, keys)
                assert isinstance(values, tuple), values
                watcher.answered(state, decision.seat, values)
            playing.apply(decision.seat, keys)
            given += 1
        use = watcher.ended((one.kind, one.numbers, one.cards, one.at) for one in playing.events())
        return Played(playing.state, answers, use if table.usage else None)

    return play


def _is_decision(state: list[int], slot: int) -> bool:
    """Whether an answer has an alternative."""
    return bool(state[slot + D_MOST]) and state[slot + D_LEAST] != state[slot + D_OPTIONS]
