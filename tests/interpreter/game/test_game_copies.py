"""Games can be copied and pickled, and sent to other processes, without side effects."""

from __future__ import annotations

import copy
import pickle
from array import array

import pytest

from interpreter import Game
from interpreter.game.game import RuleFault
from interpreter.state.chance import Stream
from interpreter.views.decision import decisions
from ruleset.common.span import Span
from ruleset.table.nodes import Source
from tests.interpreter.cellar import cellar
from tests.suites.play import random_answer, random_decision

PROGRAM = cellar()


def played(answers: int, seed: int = 6) -> Game:
    """A game after so many answers."""
    game, stream = Game.start(PROGRAM, seed), Stream(seed)
    for _ in range(answers):
        go_on(game, stream)
    return game


def go_on(game: Game, stream: Stream) -> None:
    decision = random_decision(game, stream)
    game.apply(decision.seat, random_answer(decision, stream))


def told(game: Game) -> tuple[object, ...]:
    return game.hash, game.events(), game.knowledge, game.decisions, game.journal.entries


def test_decisions_hold_no_card_numbers() -> None:
    game, stream = Game.start(PROGRAM, 6), Stream(6)
    seen = 0
    while game.result is None:
        raw = decisions(PROGRAM, game.state, game.knowledge)
        assert any(option.values for decision in raw for option in decision.options)
        assert game.decisions == raw, "keys, counts and bounds are the same"
        for decision in game.decisions:
            assert [option.values for option in decision.options] == [()] * len(decision.options)
            assert game.view(decision.seat).decision == decision
            seen += len(decision.options)
        go_on(game, stream)
    assert seen > 20


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_a_pickled_game_goes_on(protocol: int) -> None:
    game = played(5)
    again = pickle.loads(pickle.dumps(game, protocol))
    assert told(again) == told(game)
    one, other = Stream(2), Stream(2)
    while game.result is None:
        go_on(game, one)
        go_on(again, other)
    assert told(again) == told(game)
    while again.undo():
        pass
    assert told(again) == told(Game.start(PROGRAM, 6))


def test_a_long_game_can_be_pickled() -> None:
    """The history is a linked list: pickled link by link it would go deeper than Python allows."""
    game = played(1)
    assert game._last is not None
    for _ in range(5_000):
        game._last = type(game._last)(game._last, game._last.state, game._last.knowledge, game._last.entry, (), 0)
    assert len(pickle.loads(pickle.dumps(game)).journal.entries) == 5_001


@pytest.mark.parametrize("copied", [Game.clone, copy.copy, copy.deepcopy])
def test_copies_are_independent(copied: type) -> None:
    game = played(4)
    before = told(game)
    other = copied(game)
    assert told(other) == before
    go_on(other, Stream(1))
    go_on(other, Stream(1))
    assert told(game) == before and told(other) != before
    assert len(other.journal.entries) == 6
    game.undo()
    game.undo()
    assert len(other.journal.entries) == 6 and len(game.journal.entries) == 2
    assert game.events() == played(2).events()


def test_two_copies_may_go_different_ways() -> None:
    game = played(3)
    one, other = game.clone(), game.clone()
    go_on(one, Stream(1))
    go_on(other, Stream(7))
    assert one.events()[: len(game.events())] == game.events() == other.events()[: len(game.events())]
    assert one.journal.entries[:3] == other.journal.entries[:3] == game.journal.entries


def test_a_clone_shares_the_history() -> None:
    """Its cost is that of the state, however long the game has been."""
    game = played(6)
    other = game.clone()
    assert other._last is game._last and other._opening is game._opening


def test_events_from_each_number_on() -> None:
    game = played(6)
    everything = game.events()
    assert [game.events(since=n) for n in range(len(everything) + 2)] == [
        everything[n:] for n in range(len(everything) + 2)
    ]


def test_a_fault_of_the_rules_can_be_passed_on() -> None:
    """Pools of processes pickle what a worker raises; a pool whose worker raises anything else breaks."""
    fault = RuleFault("fuel", Source("turn/bury", Span("cellar.yaml", 3, 1, 3, 4), "some"))
    fault.again, fault.program = lambda: array("i", [1]), PROGRAM
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.code, again.source) == (str(fault), "fuel", fault.source)
    assert again.told() == str(fault), "the game is not passed on"
