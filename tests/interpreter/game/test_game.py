"""The facade: answers, refusals, faults, undo, clones, logs."""

from __future__ import annotations

import pytest
from attrs import evolve

from interpreter.game.game import Game, RuleFault
from interpreter.state.chance import Stream
from interpreter.state.events import Event, from_raw, redact
from interpreter.views.refusals import Refusal
from ruleset.table.nodes import Fail, TableProgram
from tests.interpreter.cellar import cellar
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


def test_refusals_change_nothing() -> None:
    game = Game.start(PROGRAM, 4)
    before = (game.hash, game.events(), game.knowledge, game.decisions)
    for seat, answer, reason in (
        (1, (), "not-your-decision"),
        (7, (), "not-your-decision"),
        (-1, (), "not-your-decision"),
        (0, ("dragon",), "unknown-option"),
        (0, (game.decisions[0].options[0].key,) * 9, "too-many-of-option"),
    ):
        refusal = game.apply(seat, answer)
        assert isinstance(refusal, Refusal) and refusal.reason == reason
        assert before == (game.hash, game.events(), game.knowledge, game.decisions)
    assert not game.undo(), "a refused answer is not taken back"


def test_a_refusal_says_who_is_asked() -> None:
    refusal = Game.start(PROGRAM, 4).apply(1, ())
    assert isinstance(refusal, Refusal)
    assert refusal.message == "seat-2 is not asked now; seat-1 is asked"
    assert refusal.spoken({"seat-2": "Eva", "seat-1": "Ana"}).text("es") == "Ahora no decide Eva; decide Ana"


def test_an_ended_game_takes_no_answers() -> None:
    *_, game = random_play(engine(PROGRAM, "walker"), 3, 0, Stream(3))
    refusal = game.apply(0, ())
    assert isinstance(refusal, Refusal) and refusal.reason == "over"
    assert game.decisions == ()


def test_a_rule_fault_restores_the_game() -> None:
    game = Game.start(failing(3), 4)
    before = (game.state, game.events(), game.knowledge, game.decisions, game.journal.entries)
    with pytest.raises(RuleFault, match=r"rule error broken in turn/bury \(cellar.yaml:3:1\)") as caught:
        game.apply(*first_answer(game))
    assert caught.value.code == "broken"
    assert caught.value.source is not None and caught.value.source.name == "turn/bury"
    assert before == (game.state, game.events(), game.knowledge, game.decisions, game.journal.entries)
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


def test_undo_goes_back_to_the_start_and_forth_again() -> None:
    stream = Stream(9)
    game = Game.start(PROGRAM, 4)
    trail = []
    while game.result is None:
        decision = random_decision(game, stream)
        trail.append((game.hash, game.events(), game.knowledge, game.decisions, game.journal))
        game.apply(decision.seat, random_answer(decision, stream))
    end, journal = game.hash, game.journal
    for expected in reversed(trail):
        assert game.undo()
        assert (game.hash, game.events(), game.knowledge, game.decisions, game.journal) == expected
    assert not game.undo()
    for entry in journal.entries:
        game.apply(entry.seat, entry.keys)
    assert (game.hash, game.journal) == (end, journal)


def test_clones_are_independent() -> None:
    game = Game.start(PROGRAM, 4)
    game.apply(*first_answer(game))
    clone = game.clone()
    before = game.hash
    clone.apply(*first_answer(clone))
    assert game.hash == before != clone.hash
    assert clone.undo() and clone.undo()
    assert game.hash == before


def test_the_state_is_a_copy() -> None:
    game = Game.start(PROGRAM, 4)
    before = game.hash
    game.state[0] += 1
    assert game.hash == before


# ------------------------------------------------------------------ logs


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


def test_from_raw() -> None:
    assert from_raw(("shuffled", (0,), (), 7, 0, 2)) == Event("shuffled", (0,), (), 7, 0, 2)


def test_a_seats_log_shows_no_card_that_it_does_not_see() -> None:
    """Cards drawn by others are backs; the order of a shuffled deck is told to nobody."""
    *_, game = random_play(engine(PROGRAM, "walker"), 2, 0, Stream(2))
    for seat in range(3):
        for event in game.events(seat):
            if event.kind == "shuffled":
                assert set(event.cards) <= {-1}
            elif event.kind == "moved" and event.numbers[0] == 0 and event.numbers[1] != 2 + seat:
                assert set(event.cards) == {-1}
            elif event.kind == "moved" and event.numbers[0] == 0:
                assert -1 not in event.cards


def test_choosing_a_card_unseen_does_not_tell_which() -> None:
    """One who pulls a card out of a row of backs learns it when it comes, not when it is chosen."""
    for index in range(20):
        for game in random_play(engine(PROGRAM, "walker"), 2, index, Stream(2, index)):
            pulled = [e for e in game.journal.entries if e.keys and e.keys[0].startswith("pull:place-")]
            if not pulled:
                continue
            seat = pulled[0].seat
            told = [e for e in game.events(seat) if e.kind == "answered" and e.numbers[:2] == (seat, 1)]
            values = {e.cards for e in told if e.cards[0] == -1}
            assert values == {(-1,)}
            return
    raise AssertionError("nobody pulled a card")
