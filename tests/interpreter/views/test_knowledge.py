"""Knowledge: what seats learn, keep, and forget; they never believe anything false.

Moves of the bottom of a pile, and of whole piles, are tried with packs (`tests/language/cards`), and how a position
begins in `tests/interpreter/state/test_zone_visibility.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.views.knowledge import Folding, Knowledge, decode, initial, zone_contents
from tests.interpreter.cellar import CARDS, COPIES, DECK, DISCARD, EVERYONE, HANDS, VAULTS, cellar
from tests.suites.play import check_knowledge, engine, random_play

PROGRAM = cellar()
RAT, SWORD, TOWER, CROWN = range(4)
ZONES = len(PROGRAM.zones)


def table(
    zones: dict[int, Sequence[int]],
    masks: dict[int, int] | None = None,
    bounds: dict[tuple[int, int, int], int] | None = None,
) -> Folding:
    """A fold in which cards lie as told, with what seats know."""
    contents = [list(zones.get(zone, ())) for zone in range(ZONES)]
    known = tuple((masks or {}).get(card, 0) for card in range(CARDS))
    listed = tuple((*place, count) for place, count in (bounds or {}).items())
    return Folding(PROGRAM, contents, Knowledge(known, listed))


def at_the_start() -> Folding:
    """A fold in which all cards lie in the deck, as all know."""
    return Folding(PROGRAM, [list(range(CARDS)), *[[] for _ in range(ZONES - 1)]], initial(PROGRAM))


def bounds(folding: Folding, zone: int, seat: int) -> dict[int, int]:
    return folding.result().known(zone, seat)


def test_a_shuffle_turns_places_into_bounds() -> None:
    folding = at_the_start()
    folding.add(("shuffled", (DECK,), tuple(reversed(range(CARDS))), EVERYONE, 0, 0))
    assert set(folding.result().masks) == {0}
    for seat in range(3):
        assert bounds(folding, DECK, seat) == dict.fromkeys(range(4), COPIES)


def test_unseen_draws_lower_bounds_and_raise_what_must_have_come() -> None:
    # 5 of 7 cards leave unseen: of the 6 rats at least 6 - 2 = 4 are among them; at least 6 - 5 = 1 stays.
    deck = [RAT + 4 * n for n in range(6)] + [CROWN]
    folding = table({DECK: deck}, bounds={(DECK, 1, RAT): 6, (DECK, 1, CROWN): 1})
    folding.move(DECK, HANDS[0], deck[:1:-1], sees=0b001, manner=0)
    assert bounds(folding, DECK, 1) == {RAT: 1}
    assert bounds(folding, HANDS[0], 1) == {RAT: 4}
    assert bounds(folding, HANDS[0], 0) == {}, "a seat sees its own hand"


def test_all_cards_carry_all_bounds_over() -> None:
    folding = table({HANDS[0]: [RAT, SWORD, CROWN]}, bounds={(HANDS[0], 1, RAT): 1, (HANDS[0], 1, CROWN): 1})
    folding.move(HANDS[0], DECK, [RAT, SWORD, CROWN], sees=0b001, manner=0)
    assert bounds(folding, DECK, 1) == {RAT: 1, CROWN: 1}
    assert bounds(folding, HANDS[0], 1) == {}


def test_a_card_that_leaves_in_sight_lowers_its_own_bound_only() -> None:
    folding = table({HANDS[0]: [RAT, RAT + 4, SWORD]}, bounds={(HANDS[0], 1, RAT): 2, (HANDS[0], 1, SWORD): 1})
    folding.move(HANDS[0], DISCARD, [RAT], sees=EVERYONE, manner=0)
    assert bounds(folding, HANDS[0], 1) == {RAT: 1, SWORD: 1}


def test_a_card_put_in_sight_is_known_where_it_lies() -> None:
    folding = table({DECK: [SWORD, TOWER], HANDS[0]: [RAT]})
    folding.move(HANDS[0], DECK, [RAT], sees=0b011, manner=0)
    assert folding.masks[RAT] == 0b011
    folding.move(DECK, HANDS[2], [RAT], sees=0b100, manner=0)
    assert folding.masks[RAT] == 0
    assert bounds(folding, HANDS[2], 0) == bounds(folding, HANDS[2], 1) == {RAT: 1}, "both saw where it went"


def test_cards_below_stay_known_when_the_top_is_drawn() -> None:
    folding = table({DECK: [SWORD, TOWER, CROWN]}, masks={TOWER: 0b001})
    folding.move(DECK, HANDS[1], [CROWN], sees=0b010, manner=0)
    assert folding.masks[TOWER] == 0b001


def test_a_card_taken_from_inside_a_pile_blurs_its_places() -> None:
    folding = table({DECK: [SWORD, TOWER, CROWN, RAT]}, masks={TOWER: 0b001, RAT: 0b001})
    folding.move(DECK, HANDS[1], [TOWER], sees=0b010, manner=0)
    assert folding.masks == [0] * CARDS
    assert bounds(folding, DECK, 0) == {}, "either of the two may have gone"
    folding = table({DECK: [RAT, RAT + 4, CROWN, SWORD]}, masks={RAT: 0b001, RAT + 4: 0b001})
    folding.move(DECK, HANDS[1], [CROWN], sees=0b010, manner=0)
    assert bounds(folding, DECK, 0) == {RAT: 1}, "at most one of the two has gone"


def test_places_in_a_row_are_there_for_all_to_see() -> None:
    folding = table({VAULTS[0]: [SWORD, TOWER, CROWN]}, masks={TOWER: 0b110, CROWN: 0b100})
    folding.move(VAULTS[0], HANDS[0], [TOWER], sees=0b001, manner=0)
    assert folding.masks[CROWN] == 0b100
    assert bounds(folding, HANDS[0], 1) == bounds(folding, HANDS[0], 2) == {TOWER: 1}


def test_the_visible_top_is_remembered_when_it_is_covered() -> None:
    folding = table({DISCARD: [SWORD], HANDS[0]: [RAT]}, masks={SWORD: EVERYONE})
    folding.move(HANDS[0], DISCARD, [RAT], sees=EVERYONE, manner=0)
    assert folding.masks[RAT] == folding.masks[SWORD] == EVERYONE


def test_a_top_that_comes_to_light_is_learned() -> None:
    folding = table({DISCARD: [SWORD, RAT]}, masks={RAT: EVERYONE}, bounds={(DISCARD, 0, SWORD): 1})
    folding.move(DISCARD, HANDS[0], [RAT], sees=EVERYONE, manner=0)
    assert folding.masks[SWORD] == EVERYONE
    assert bounds(folding, DISCARD, 0) == {}, "it is no longer among the unknown ones"


def test_reveal_marks_places_and_cards_of_bags() -> None:
    folding = table({DECK: [RAT, SWORD], HANDS[1]: [TOWER, TOWER + 4, CROWN]}, bounds={(DECK, 0, SWORD): 1})
    folding.reveal(0b101, [SWORD, TOWER, TOWER + 4])
    assert folding.masks[SWORD] == folding.masks[TOWER] == folding.masks[TOWER + 4] == 0b101
    assert bounds(folding, HANDS[1], 0) == bounds(folding, DECK, 0) == {}
    folding.reveal(0b001, [TOWER])
    assert (folding.masks[TOWER], folding.masks[TOWER + 4]) == (0b101, 0b100)
    assert bounds(folding, HANDS[1], 0) == {TOWER: 1}, "two towers are known, one of which is looked at"


def looked() -> Folding:
    """Seats 0 and 2 look at all cards of the hand of seat 1."""
    folding = table({HANDS[1]: [RAT, TOWER, TOWER + 4, CROWN]})
    folding.reveal(0b101, [RAT, TOWER, TOWER + 4, CROWN])
    return folding


@pytest.mark.parametrize(
    ("event", "seats"),
    [
        (("reached", (1,), (), EVERYONE, EVERYONE, 0), 0),
        (("performed", (1,), (), EVERYONE, EVERYONE, 0), 0),
        (("shuffled", (HANDS[1],), (), EVERYONE, 0, 0), 0),
        (("moved", (HANDS[1], DECK, 1), (RAT,), EVERYONE, 0, 0), 0),
        (("moved", (HANDS[1], DISCARD, 1), (RAT,), EVERYONE, EVERYONE, 0), 0),
        (("revealed", (EVERYONE, HANDS[1]), (RAT,), EVERYONE, EVERYONE, 0), 0),
        (("changed", (0, 0, 1), (), EVERYONE, EVERYONE, 0), 0b101),
        (("moved", (DECK, HANDS[0], 1), (SWORD,), EVERYONE, 1, 0), 0b101),
    ],
)
def test_what_ends_a_look_at_a_bag(event: RawEvent, seats: int) -> None:
    """After the look the numbers are known; a rat that leaves unseen may have been any card."""
    folding = looked()
    folding.contents[DECK], folding.where[SWORD] = [SWORD], DECK
    folding.add(event)
    assert folding.masks[TOWER] == folding.masks[CROWN] == seats
    if not seats and event[0] != "moved":
        assert bounds(folding, HANDS[1], 0)[TOWER] == 2


def test_a_seat_goes_on_looking_at_what_it_does_not_choose() -> None:
    """Seat 0 chooses the rat, and all see it leave. Seat 2 looked, too, and loses sight of the other cards."""
    folding = looked()
    folding.chosen[RAT] = 0b001
    folding.move(HANDS[1], DISCARD, [RAT], sees=EVERYONE, manner=0)
    assert folding.masks[TOWER] == folding.masks[TOWER + 4] == folding.masks[CROWN] == 0b001
    assert bounds(folding, HANDS[1], 0) == {}
    assert bounds(folding, HANDS[1], 2) == {TOWER: 2, CROWN: 1}


def test_a_refill_below_leaves_the_top_known() -> None:
    """What was there stays on top, in order; what comes under it and is shuffled is known by number only."""
    folding = table({DECK: [CROWN], DISCARD: [RAT, SWORD]}, masks={CROWN: 0b001, RAT: 0b111, SWORD: 0b111})
    folding.add(("moved", (DISCARD, DECK, 2, 1), (RAT, SWORD), EVERYONE, 0, 0))
    folding.add(("shuffled", (DECK,), (SWORD, RAT), EVERYONE, 0, 0))
    assert folding.contents[DECK] == [SWORD, RAT, CROWN]
    assert folding.masks[CROWN] == 0b001
    assert folding.masks[RAT] == folding.masks[SWORD] == 0
    assert bounds(folding, DECK, 1) == {RAT: 1, SWORD: 1}


def test_encoding() -> None:
    known = Knowledge(tuple(range(CARDS)), ((0, 1, 2, 3), (4, 0, 1, 2)))
    assert known.encode() == (*range(CARDS), 2, 0, 1, 2, 3, 4, 0, 1, 2)
    assert decode(known.encode(), CARDS) == known
    for wrong in ((), known.encode()[:-1], (*known.encode(), 0)):
        with pytest.raises(ValueError, match="length"):
            decode(wrong, CARDS)


@pytest.mark.parametrize("index", range(12))
def test_nobody_ever_believes_what_is_false(index: int) -> None:
    for game in random_play(engine(PROGRAM, "walker"), 11, index, Stream(11, index)):
        check_knowledge(PROGRAM, game.state, game.knowledge)


def test_the_check_finds_false_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Folding, "_lower", lambda *_: None)
    with pytest.raises(AssertionError, match="believes"):
        for index in range(5):
            for game in random_play(engine(PROGRAM, "walker"), 11, index, Stream(11, index)):
                check_knowledge(PROGRAM, game.state, game.knowledge)


@pytest.mark.parametrize("index", range(4))
def test_events_tell_where_every_card_is(index: int) -> None:
    """Folding all events from the start gives the same knowledge, and the true places of all cards."""
    folding, told = at_the_start(), 0
    for game in random_play(engine(PROGRAM, "walker"), 12, index, Stream(12, index)):
        for event in game.events(since=told):
            folding.add((event.kind, event.numbers, event.cards, event.audience, event.sees, event.at))
        told = len(game.events())
        assert folding.contents == zone_contents(PROGRAM, game.state)
        assert folding.result() == game.knowledge
    assert told > len(Game.start(PROGRAM, 12, index).events())
