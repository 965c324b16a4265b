"""The facade: answers, refusals, faults, what seats read of events, copies, wrong arguments.

That refusals change nothing, and that clones and undo work anywhere in games, is the contract
(`tests/suites/contract.py`).
"""

from __future__ import annotations

import copy
import pickle
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import Event, redact
from rulewright.interpreter.views.decision import decisions
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.table.nodes import Fail, Source, TableProgram
from tests.interpreter.cellar import ACT, cellar
from tests.suites.play import engine, random_answer, random_decision, random_play

PROGRAM = cellar()


def failing(segment: int) -> TableProgram:
    """The game with a rule that fails in one of its segments."""
    segments = list(PROGRAM.segments)
    tree = segments[segment].tree
    segments[segment] = evolve(segments[segment], tree=evolve(tree, body=(*tree.body, Fail("broken", 2))))
    return evolve(PROGRAM, segments=tuple(segments))


def first_answer(game: Game) -> tuple[int, list[str]]:
    decision = game.decisions[0]
    return decision.seat, [option.key for option in decision.options][: decision.least]


def told(game: Game) -> tuple[object, ...]:
    return game.hash, game.events(), game.knowledge, game.decisions, game.journal.entries


def test_the_facade_is_small() -> None:
    verbs = {name for name in vars(Game) if not name.startswith("_")}
    nouns = {name for name in verbs if isinstance(vars(Game)[name], property)}
    assert verbs - nouns == {"start", "load", "replay", "save", "clone", "apply", "undo", "view", "events"}
    whole = {"state", "knowledge", "journal", "turns", "event_count"}
    assert nouns == {"program", "decisions", "result", "hash", *whole}


def test_the_same_seed_is_the_same_game() -> None:
    assert Game.start(PROGRAM, 4).hash == Game.start(PROGRAM, 4).hash
    hashes = {Game.start(PROGRAM, seed, index).hash for seed in range(5) for index in range(5)}
    assert len(hashes) == 25


def test_apply_gives_what_happened() -> None:
    game = Game.start(PROGRAM, 4)
    said = len(game.events())
    events = game.apply(0, [])
    assert not isinstance(events, Refusal)
    assert events == game.events()[said:] == game.events(since=said)
    assert events[0].kind == "answered"


def test_a_refusal_says_who_is_asked() -> None:
    refusal = Game.start(PROGRAM, 4).apply(1, ())
    assert isinstance(refusal, Refusal)
    assert refusal.message == "seat-2 is not asked now; seat-1 is asked"
    assert refusal.spoken({"seat-2": "Eva", "seat-1": "Ana"}).text("es") == "Ahora no decide Eva; decide Ana"


def test_a_rule_fault_restores_the_game() -> None:
    game = Game.start(failing(3), 4)
    before = told(game)
    with pytest.raises(RuleFault, match=r"rule error broken in turn/bury \(cellar.yaml:3:1\)") as caught:
        game.apply(*first_answer(game))
    assert caught.value.code == "broken"
    assert caught.value.source is not None and caught.value.source.name == "turn/bury"
    assert before == told(game)
    assert not game.undo()
    with pytest.raises(RuleFault):
        game.apply(*first_answer(game))


def test_a_rule_fault_after_earlier_answers() -> None:
    """The third of three sealed answers makes the rules fail: the first two stay."""
    game = Game.start(failing(7), 4)
    while len(game.decisions) < 3:
        game.apply(*first_answer(game))
    for _ in range(2):
        game.apply(*first_answer(game))
    before = game.state
    with pytest.raises(RuleFault):
        game.apply(*first_answer(game))
    assert game.state == before
    assert [decision.seat for decision in game.decisions] == [2]


def test_a_fault_in_the_setup() -> None:
    with pytest.raises(RuleFault):
        Game.start(failing(0), 4)


def test_the_state_is_a_copy() -> None:
    game = Game.start(PROGRAM, 4)
    before = game.hash
    game.state[0] += 1
    assert game.hash == before


def test_redaction() -> None:
    event = Event("moved", (0, 2, 2, 0), (5, 9), audience=0b011, sees=0b001, at=1)
    assert redact(event, 0) == event
    assert redact(event, 1) == evolve(event, cards=(-1, -1))
    assert redact(event, 2) is None
    token = Event("changed", (3, 17, 2), (17,), audience=0b111, sees=0b100, at=1)
    assert redact(token, 2) == token
    hidden = redact(token, 0)
    assert hidden is not None and 17 not in (*hidden.numbers, *hidden.cards)
    shown = Event("revealed", (0b100, 3, 5), (17, 19), audience=0b111, sees=0b100, at=1)
    assert redact(shown, 2) == shown
    assert redact(shown, 0) == evolve(shown, numbers=(0b100, -1, -1), cards=(-1, -1))


def test_choosing_a_card_unseen_does_not_tell_which() -> None:
    """One who pulls a card out of a row of backs learns it when it comes, not when it is chosen."""
    *_, game = random_play(engine(PROGRAM, "walker"), 2, 0, Stream(2, 0))
    pulled = next(one for one in game.journal.entries if one.keys and one.keys[0].startswith("pull:place-"))
    answers = [one for one in game.events(pulled.seat) if one.kind == "answered"]
    assert (-1,) in [one.cards for one in answers if one.numbers[:2] == (pulled.seat, ACT)]


# ------------------------------------------------------------------ copies

def played(answers: int, seed: int = 6) -> Game:
    """A game after so many answers."""
    game, stream = Game.start(PROGRAM, seed), Stream(seed)
    for _ in range(answers):
        go_on(game, stream)
    return game


def go_on(game: Game, stream: Stream) -> None:
    decision = random_decision(game, stream)
    game.apply(decision.seat, random_answer(decision, stream))


def test_decisions_hold_no_card_numbers() -> None:
    game, stream, seen = Game.start(PROGRAM, 6), Stream(6), 0
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


def test_a_clone_shares_the_history() -> None:
    """Its cost is that of the state, however long the game has been."""
    game = played(6)
    other = game.clone()
    assert other._last is game._last and other._opening is game._opening


def test_events_from_each_number_on() -> None:
    game = played(6)
    everything = game.events()
    for first in range(len(everything) + 2):
        assert game.events(since=first) == everything[first:]


def test_a_fault_of_the_rules_can_be_passed_on() -> None:
    """Pools of processes pickle what a worker raises; a pool whose worker raises anything else breaks."""
    fault = RuleFault("fuel", Source("turn/bury", Span("cellar.yaml", 3, 1, 3, 4), "some"))
    fault.again, fault.program = lambda: array("i", [1]), PROGRAM
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.code, again.source) == (str(fault), "fuel", fault.source)
    assert again.told() == str(fault), "the game is not passed on"


# ------------------------------------------------------------------ wrong answers, seats, and programs

@pytest.mark.parametrize(
    "answer",
    [None, 3, 2.5, b"gem", [1], [["gem"]], {"gem": "one"}, {"gem": 1.5}, {"gem": True}, {1: 1}, {"gem"}],
    ids=repr,
)
def test_what_is_no_answer_is_refused(answer: Any) -> None:
    game = Game.start(PROGRAM, 4)
    before = told(game)
    refusal = game.apply(0, answer)
    assert isinstance(refusal, Refusal) and refusal.reason == "malformed-answer"
    assert refusal.message.startswith("an answer is a key, a list of keys, or a mapping from keys to counts, not ")
    assert before == told(game)


@pytest.mark.parametrize("seat", [None, "0", 0.0, False, -1, 3, 10**30, [0]], ids=repr)
def test_an_answer_of_no_seat_is_refused(seat: Any) -> None:
    refusal = Game.start(PROGRAM, 4).apply(seat, ())
    assert isinstance(refusal, Refusal) and refusal.reason == "not-your-decision"
    assert refusal.message == f"there is no seat {seat!r}; seats are 0 to 2"


@pytest.mark.parametrize("asked", [Game.view, Game.events])
@pytest.mark.parametrize(
    ("seat", "says"),
    [
        (-1, "from 0 to 2, not -1"), (3, "from 0 to 2, not 3"), (10**30, f"from 0 to 2, not {10**30}"),
        ("1", "a whole number, not a str"), (1.0, "a whole number, not a float"),
        (True, "a whole number, not a bool"),
    ],
)  # fmt: skip
def test_there_is_no_view_of_a_seat_that_does_not_exist(asked: Callable[..., object], seat: Any, says: str) -> None:
    with pytest.raises(TypeError if "whole" in says else ValueError, match=f"^`seat` must be {says}$"):
        asked(Game.start(PROGRAM, 4), seat)


def test_events_begin_at_a_number_that_is_not_negative() -> None:
    game = Game.start(PROGRAM, 4)
    with pytest.raises(ValueError, match="`since`"):
        game.events(since=-1)
    assert game.events(since=10**9) == ()


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((None, 1), TypeError, "`program` must be a TableProgram .from `lower_program`., not None"),
        (("content/tutorial", 1), TypeError, "`program` must be a TableProgram .from `lower_program`., not a str"),
        ((PROGRAM, "1"), TypeError, "`seed` must be a whole number, not a str"),
        ((PROGRAM, None), TypeError, "`seed` must be a whole number, not None"),
        ((PROGRAM, -1), ValueError, "`seed` must be from 0 to 18446744073709551615, not -1"),
        ((PROGRAM, 2**64), ValueError, "`seed` must be from 0 to 18446744073709551615"),
        ((PROGRAM, 1, -1), ValueError, "`game` must be from 0"),
        ((PROGRAM, 1, "x"), TypeError, "`game` must be a whole number, not a str"),
    ],
)
def test_a_game_that_cannot_be_started(arguments: tuple[Any, ...], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Game.start(*arguments)


@pytest.mark.parametrize("program", [None, 3, "tutorial"], ids=repr)
@pytest.mark.parametrize("backend", ["walker", "native"])
def test_a_backend_is_made_of_a_table_program(program: Any, backend: str) -> None:
    with pytest.raises(TypeError, match=r"^`program` must be a TableProgram"):
        make(program, backend)
