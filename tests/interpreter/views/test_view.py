"""Views: the contents for each seat and for spectators, and the secrets that never enter one."""

from __future__ import annotations

from array import array

import pytest
from attrs import evolve

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import Event, redact
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import (
    Result,
    View,
    for_spectator,
    result,
    spectator_view,
    view,
    with_spectator,
)
from rulewright.ruleset.table.nodes import ORDERED, OVER, STATUS
from rulewright.tools.packs import loading
from tests.interpreter.cellar import CARDS, DECK, EVERYONE, HANDS, cellar
from tests.suites.play import engine, random_play

PROGRAM = cellar()
RAT, SWORD, TOWER, CROWN = range(4)


def game_at(answers: int, index: int = 0) -> Game:
    """A random game after so many answers."""
    for number, game in enumerate(random_play(engine(PROGRAM, "walker"), 21, index, Stream(21, index))):
        if number == answers:
            return game
    raise AssertionError("the game was shorter")


def test_zones_at_the_start() -> None:
    game = Game.start(PROGRAM, 3)
    own, other = game.view(0), game.view(1)
    # Three cards each, and two for the first turn: 24 - 9 - 2 = 13 lie in the deck.
    assert (own.zone("deck").cards, own.zone("deck").size) == ((None,) * 13, 13)
    assert None not in own.zone("hand.seat-1").cards and len(own.zone("hand.seat-1").cards) == 5
    assert other.zone("hand.seat-1").cards == (None,) * 5
    faces = {"rat": 0, "sword": 1, "tower": 2, "crown": 3}
    ranks = [faces[key or ""] for key in own.zone("hand.seat-1").cards]
    assert ranks == sorted(ranks), "a bag is shown by face, not by card number"


def test_own_decision_and_who_is_asked() -> None:
    game = Game.start(PROGRAM, 3)
    own, other = game.view(0), game.view(1)
    assert own.decision is not None and own.decision.choice == "turn.bury.cards"
    assert other.decision is None
    assert own.asked == other.asked
    assert [(one.seat, one.choice, one.answered) for one in own.asked] == [(0, "turn.bury.cards", False)]


def test_sealed_answers_stay_sealed() -> None:
    game = next(g for g in random_play(engine(PROGRAM, "walker"), 5, 0, Stream(5, 0)) if len(g.decisions) == 3)
    offered = game.decisions[1].options
    assert len(offered) > 1
    seen: set[View] = set()
    for option in offered:
        clone = game.clone()
        clone.apply(1, option.key)
        seen.add(clone.view(0))
    assert len(seen) == 1
    assert [one.answered for one in seen.pop().asked] == [False, True, False]


def test_equal_views_are_one_key() -> None:
    game = game_at(7)
    assert hash(game.view(1)) == hash(game.clone().view(1))
    assert game.view(1).digest == game.clone().view(1).digest
    assert game.view(0) != game.view(1)
    assert game.view(0).digest != game.view(1).digest


def test_known_elements_and_bounds_are_shown() -> None:
    game = game_at(0)
    state = game.state
    top = state[PROGRAM.zones[DECK].address + state[PROGRAM.zones[DECK].address]]
    masks = tuple(0b010 if card == top else 0 for card in range(CARDS))
    knows = Knowledge(masks, ((HANDS[0], 1, CROWN, 2),))
    shown = view(PROGRAM, state, knows, 1)
    assert shown.zone("deck").cards[-1] == PROGRAM.cards[top].key
    assert set(shown.zone("deck").cards[:-1]) == {None}
    assert shown.zone("hand.seat-1").known == (("crown", 2),)
    assert view(PROGRAM, state, knows, 2).zone("deck").cards[-1] is None
    assert view(PROGRAM, state, knows, 2).zone("hand.seat-1").known == ()


def test_tracks() -> None:
    tracks = list(PROGRAM.tracks)
    number = next(n for n, track in enumerate(tracks) if track.key == "score")
    tracks[number] = evolve(tracks[number], seen=(EVERYONE, 0b010, 0b100))
    program = evolve(PROGRAM, tracks=tuple(tracks))
    game = game_at(20)
    state, track = game.state, program.tracks[number]
    state[track.address : track.address + 3] = array("i", [5, 6, 7])
    state[track.arrival : track.arrival + 3] = array("i", [30, 10, 20])
    views = [view(one, state, game.knowledge, seat) for one, seat in ((program, 0), (program, 1), (PROGRAM, 1))]
    assert [one.track("score").values for one in views] == [(5, None, None), (5, 6, None), (5, 6, 7)]
    assert [one.track("score").arrival for one in views] == [(0, None, None), (1, 0, None), (2, 0, 1)]
    assert views[1].track("in-game").values == ("yes",) * 3


def test_lists_point_at_backs() -> None:
    game = game_at(0)
    state, marked = game.state, PROGRAM.state_lists[0]
    deck = PROGRAM.zones[DECK].address
    own = state[PROGRAM.zones[HANDS[0]].address + 1]
    state[marked.address : marked.address + 3] = array("i", [2, state[deck + 1], own])
    face = PROGRAM.cards[own].key
    for seat, named in ((0, face), (1, "unseen")):
        expected = ("unseen@deck/place-1", f"{named}@hand.seat-1")
        assert view(PROGRAM, state, game.knowledge, seat).lists[0].items == (expected,)


@pytest.mark.parametrize("index", range(3))
def test_the_result(index: int) -> None:
    *_, game = random_play(engine(PROGRAM, "walker"), 8, index, Stream(8, index))
    scores = game.view(0).track("score").values
    best = max(score for score in scores if isinstance(score, int))
    assert game.result == game.view(1).result
    winners = tuple(seat for seat in range(3) if scores[seat] == best)
    assert game.result == Result(scores=result_scores(game.state), alive=(True,) * 3, winners=winners)


def test_no_result_before_the_end() -> None:
    game = game_at(3)
    assert game.result is None and game.view(0).result is None
    state = game.state
    state[STATUS] = OVER
    assert result(PROGRAM, state) == Result(result_scores(state), (True,) * 3, ())


def result_scores(state: array[int]) -> tuple[int, ...]:
    track = PROGRAM.tracks[0]
    return tuple(state[track.address : track.address + 3])


# ------------------------------------------------------------------ spectators

@pytest.mark.parametrize("pack", ["coup", "dominion", "rattus-cartus", "tutorial"])
def test_all_that_a_spectator_sees_is_seen_by_every_seat(pack: str) -> None:
    program = loading.table(loading.compile_pack(pack).program, 3, [])
    for moment, game in enumerate(random_play(engine(program, "walker"), 3, 0, Stream(3, 0))):
        if moment % 7:
            continue
        seen = spectator_view(with_spectator(program), game.state, game.knowledge)
        views = [game.view(seat) for seat in range(program.seats)]
        assert seen.decision is None
        for number, zone in enumerate(seen.zones):
            others = [view.zones[number] for view in views]
            if zone.size is not None:
                assert {other.size for other in others} == {zone.size}
            known = [set(filter(None, other.cards)) | {key for key, _ in other.known} for other in others]
            assert all(set(filter(None, zone.cards)) <= each for each in known), zone.key
        for number, track in enumerate(seen.tracks):
            for index, value in enumerate(track.values):
                if value is not None:
                    assert all(view.tracks[number].values[index] == value for view in views), track.key


@pytest.mark.parametrize(
    ("event", "cards"),
    [
        (Event("moved", (0, 1, 2), (7, 3), audience=0b111, sees=0b011, at=0), (-1, -1)),
        (Event("moved", (0, 1, 2), (7, 3), audience=0b111, sees=0b111, at=0), (7, 3)),
        (Event("moved", (0, 1, 2, ORDERED, 0, 0b001), (7, 3), audience=0b111, sees=0b111, at=0), (3, 7)),
        (Event("announced", (0,), (), 0b011, 0b011, 0), None),
    ],
    ids=["only some see the cards", "all see them", "not all learn their order", "not all hear of it"],
)
def test_an_event_is_told_to_a_spectator_as_far_as_all_seats_read_it(
    event: Event, cards: tuple[int, ...] | None
) -> None:
    read = redact(for_spectator(event, 3), 3)
    assert (read.cards if read is not None else None) == cards


def test_a_shuffle_does_not_tell_how_many_cards_there_are() -> None:
    """A zone may hide its size (`size-seen-by`)."""
    shuffled = Event("shuffled", (DECK,), (RAT, SWORD, TOWER), EVERYONE, sees=0b001, at=0)
    read = redact(shuffled, 1)
    assert read is not None and (read.numbers, read.cards) == ((DECK,), ())
    told = redact(shuffled, 0)
    assert told is not None and told.cards == (RAT, SWORD, TOWER)
