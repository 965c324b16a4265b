"""Determinising: dealing the cards that a seat does not know.

That a seat sees the same in every world, that what points at cards follows them, and that games go on there, is
tried in `test_native_worlds` and by `tests/suites/secrecy.py`.
"""

from __future__ import annotations

from array import array
from collections import Counter

from attrs import evolve

from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.search.determinise import determinise, shuffle_hidden
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.frames import fresh_state, read_list, write_list
from rulewright.interpreter.views.decision import asked
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import ANSWERED, HEAD
from tests.interpreter.cellar import BID, CARDS, DECK, HANDS, VAULTS, cellar
from tests.suites.play import engine, random_play

PROGRAM = cellar()
NOTHING = Knowledge((0,) * CARDS, ())
RAT, SWORD, TOWER, CROWN = range(4)


def zone(state: array[int], number: int) -> list[int]:
    return read_list(state, PROGRAM.zones[number].address)


def deal_state(contents: dict[int, list[int]]) -> array[int]:
    state = fresh_state(PROGRAM, 1)
    write_list(state, PROGRAM.zones[DECK].address, ())
    for number, cards in contents.items():
        write_list(state, PROGRAM.zones[number].address, cards)
        for card in cards:
            state[PROGRAM.layout.places + card] = number
    return state


def test_hidden_cards_are_dealt_uniformly() -> None:
    """Four different cards in the deck: each on top about 500 times in 2000 (five standard deviations: 97)."""
    state, stream = deal_state({DECK: [RAT, SWORD, TOWER, CROWN]}), Stream(7)
    deals = [shuffle_hidden(PROGRAM, state, NOTHING, 0, stream) for _ in range(2000)]
    tops = Counter(deal[CROWN] for deal in deals)
    assert set(tops) == {RAT, SWORD, TOWER, CROWN}
    assert all(abs(count - 500) < 97 for count in tops.values())
    assert len({tuple(deal[:4]) for deal in deals}) == 24


def test_bounds_hold() -> None:
    state = deal_state({HANDS[1]: [RAT, RAT + 4, SWORD], HANDS[2]: [RAT + 8, SWORD + 4, TOWER, CROWN]})
    knows = Knowledge((0,) * CARDS, ((HANDS[1], 0, RAT, 1), (HANDS[2], 0, SWORD, 1)))
    seen: Counter[int] = Counter()
    stream = Stream(8)
    for _ in range(400):
        deal = shuffle_hidden(PROGRAM, state, knows, 0, stream)
        mine = [PROGRAM.cards[deal[card]].face for card in zone(state, HANDS[1])]
        yours = [PROGRAM.cards[deal[card]].face for card in zone(state, HANDS[2])]
        assert RAT in mine and SWORD in yours
        seen[mine.count(RAT)] += 1
    # Of the 35 deals of three places, those with a rat in them and a sword left: 1, 2 or 3 rats.
    # 1 rat: 3 * (C(4,2) - 1) = 15; 2 rats: 3 * 4 = 12; 3 rats: 1. Together 28.
    for rats, ways in ((1, 15), (2, 12), (3, 1)):
        assert abs(seen[rats] - 400 * ways / 28) < 5 * (400 * ways / 28) ** 0.5 + 5


def test_zones_get_only_what_they_accept() -> None:
    zones = list(PROGRAM.zones)
    zones[VAULTS[1]] = evolve(zones[VAULTS[1]], accepts=(RAT, SWORD, RAT + 4))
    program = evolve(PROGRAM, zones=tuple(zones))
    state = deal_state({VAULTS[1]: [RAT, SWORD], HANDS[1]: [RAT + 4, TOWER, CROWN]})
    stream = Stream(10)
    for _ in range(200):
        deal = shuffle_hidden(program, state, NOTHING, 0, stream)
        assert {deal[RAT], deal[SWORD]} <= {RAT, SWORD, RAT + 4}


def test_secret_answers_are_drawn_anew() -> None:
    game = next(g for g in random_play(engine(PROGRAM, "walker"), 5, 0, Stream(5, 0)) if len(g.decisions) == 3)
    game.apply(0, game.decisions[0].options[-1].key)
    game.apply(1, game.decisions[0].options[0].key)
    stream = Stream(3)
    own, others = set[int](), set[int]()
    for _ in range(60):
        state = determinise(Walker(PROGRAM), game.state, game.knowledge, 0, stream)
        assert asked(PROGRAM, state) == ((0, BID, True), (1, BID, True), (2, BID, False))
        for seat, answers in ((0, own), (1, others)):
            slot = HEAD + seat * PROGRAM.layout.decision
            assert state[slot] == ANSWERED
            card = state[slot + 4 + PROGRAM.layout.options + 2]
            assert card in zone(state, HANDS[seat])
            answers.add(PROGRAM.cards[card].face)
    assert len(own) == 1
    assert len(others) > 1
