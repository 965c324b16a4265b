"""Dominion: the order of cards discarded together, and what other players learn (D6, D30).

All players see the top card of a discard pile. It is drawn by lot among those discarded, so that it tells others
nothing about the rest. Expected figures are those of a uniform lot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.interpreter.state.events import BACK
from tests.positions import Table, hand, of, program_of

DOMINION = Path(__file__).parents[2] / "content" / "dominion"
FIVE = ["copper", "estate", "gold", "province", "silver"]
GAMES = 100
LEAST, MOST = 4, 36
"""Each of five cards is on top in 20 of 100 games; the standard deviation is sqrt(100 * 0.2 * 0.8) = 4."""


def table_of(seed: int, mine: list[str], theirs: list[str]) -> tuple[Table, int]:
    """The first choice of the first turn, with these hands; and whose turn it is."""
    table = Table.start(program_of(DOMINION, 2, ("kingdom", "first-games")), seed)
    seat = table.asked[0][0]
    return table.arrange(zones={hand(seat): mine, hand(1 - seat): theirs}), seat


def on_top(table: Table, discarding: int, since: int) -> str:
    """The top of a seat's discard pile. Others have been told of no other card that went there since then."""
    pile = of(discarding, "discard")
    top = table.cards(pile)[-1]
    number = next(number for number, zone in enumerate(table.program.zones) if zone.key == pile)
    told = [
        table.program.cards[card].key
        for event in table.game.events(1 - discarding, since)
        if event.kind == "moved" and event.numbers[1] == number
        for card in event.cards
        if card != BACK
    ]
    assert told == [top]
    assert table.game.view(1 - discarding).zone(pile).cards == (top,)
    return top


def clean_up(seed: int) -> str:
    """Nothing is played or bought: the whole hand is discarded."""
    table, seat = table_of(seed, FIVE, ["copper"] * 5)
    since = len(table.game.events())
    table.answer(seat, "action.play.choice", "done")
    table.answer(seat, "buy.treasures.played")
    table.answer(seat, "buy.buy.choice", "done")
    return on_top(table, seat, since)


def cellar(seed: int) -> str:
    """Five cards are discarded for five others."""
    table, seat = table_of(seed, ["cellar", *FIVE], ["copper"] * 5)
    table.answer(seat, "action.play.choice", "play:cellar")
    since = len(table.game.events())
    table.answer(seat, "cellar.play.dropped", *FIVE)
    return on_top(table, seat, since)


def militia(seed: int) -> str:
    """The other player, with eight cards, keeps three and discards five."""
    table, seat = table_of(seed, ["militia"], [*FIVE, "curse", "curse", "curse"])
    table.answer(seat, "action.play.choice", "play:militia")
    if table.asked[0][1] != "militia.attack.dropped":
        table.until("militia.attack.dropped")
    since = len(table.game.events())
    table.answer(1 - seat, "militia.attack.dropped", *FIVE)
    return on_top(table, 1 - seat, since)


@pytest.mark.slow
@pytest.mark.parametrize("discarded", [clean_up, cellar, militia])
def test_each_card_is_on_top_as_often_as_any_other(discarded: Callable[[int], str]) -> None:
    tops = Counter(discarded(seed) for seed in range(GAMES))
    assert sorted(tops) == FIVE
    assert all(LEAST <= times <= MOST for times in tops.values()), tops


def test_hands_of_no_card_or_of_one_are_discarded() -> None:
    for mine in (["gold"], []):
        table, seat = table_of(1, mine, ["copper"] * 5)
        while table.asked[0][0] == seat:
            table.answer(seat, table.asked[0][1], *(["done"] if table.asked[0][1].endswith("choice") else []))
        assert table.cards(of(seat, "discard")) == mine
