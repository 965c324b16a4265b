"""Cards moved in any order: their player chooses it, and the others do not learn it.

Expected values come from `docs/reference/language.md`: paintings are listed from bottom to top, and a pile gets its
cards one on top of the other, in the order of the answers.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state import events
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.knowledge import Folding
from rulewright.interpreter.views.narration import narrate
from rulewright.tools.common.display_texts import PackTexts
from tests.language.gallery import ACT, GALLERY, gallery
from tests.positions import Table, hand, pack_of, program_of


def order(table: Table, option: str, *keys: str) -> Table:
    """Chooses an option of seat 0, then gives the order of the cards, except the last."""
    table.answer(0, ACT, option)
    for key in keys:
        (choice,) = [choice for seat, choice in table.asked if seat == 0]
        assert choice.endswith(".order")
        table.answer(0, choice, next(one for one in table.options if one.split("@")[0] == key))
    return table


@pytest.mark.parametrize("keys", list(permutations(["red-1", "red-2", "red-3"])))
def test_the_last_card_is_on_top(keys: tuple[str, ...]) -> None:
    table = order(gallery(crate=["gold-1"], mine=["red-1", "red-2", "red-3"]), "arrange", *keys[:2])
    assert table.cards("crate") == ["gold-1", *keys]
    assert table.cards(hand(0)) == []


def test_cards_that_are_put_under_a_pile_go_under_each_other() -> None:
    table = gallery(crate=["red-4", "red-1", "red-2", "red-3"])
    order(table, "sink", "red-1", "red-3")
    assert table.cards("crate") == ["red-2", "red-3", "red-1", "red-4"]


def test_one_card_and_none_are_not_asked_about() -> None:
    table = order(gallery(crate=["gold-1"], mine=["red-1"]), "arrange")
    assert table.cards("crate") == ["gold-1", "red-1"]
    assert order(gallery(crate=["gold-1"]), "arrange").cards("crate") == ["gold-1"]


def test_equal_cards_are_one_option() -> None:
    table = gallery(crate=["red-1", "red-1", "red-2"])
    table.answer(0, ACT, "sink")
    assert sorted(table.options) == ["red-1", "red-1", "red-2"]
    assert [option.count for option in table.decision.options] == [2, 1]


def test_all_cards_move_after_the_last_answer() -> None:
    table = gallery(crate=[], mine=["red-1", "red-2", "red-3"])
    order(table, "arrange", "red-2")
    assert (table.cards("crate"), len(table.cards(hand(0)))) == ([], 3)


def after(option: str, keys: tuple[str, ...], **zones: list[str]) -> Game:
    return order(gallery(3, **zones), option, *keys).game


def told(game: Game, seat: int) -> list[Event]:
    return [event for event in game.events(seat) if event is not None]


CASES = {
    "arrange": {"crate": ["gold-1"], "mine": ["red-1", "red-2", "red-3"]},
    "pack-up": {"crate": ["gold-1"], "wall": ["red-1", "red-2", "red-3"]},
    "sink": {"crate": ["gold-1", "red-1", "red-2", "red-3"]},
}
ORDERS = [("red-1", "red-2"), ("red-3", "red-1"), ("red-2", "red-1")]


@pytest.mark.parametrize("option", CASES)
def test_the_others_learn_nothing_of_the_order(option: str) -> None:
    """Games that differ in the order alone look alike to the others: events, views, and what they know."""
    games = [after(option, keys, **CASES[option]) for keys in ORDERS]
    for seat in (1, 2):
        assert all(told(game, seat) == told(games[0], seat) for game in games)
        assert all(game.view(seat) == games[0].view(seat) for game in games)
    assert len({tuple(game.state) for game in games}) == 3


def tell_the_order(event: Event, seat: int) -> Event:
    return event


def test_an_order_that_is_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_unordered", tell_the_order)
    games = [after("pack-up", keys, **CASES["pack-up"]) for keys in ORDERS]
    assert told(games[0], 1) != told(games[1], 1)


def test_knowledge_of_the_order_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All have seen these cards; who learned the order would know each in its place."""
    follow = Folding._follow

    def learning(self: Folding, *rest: Any) -> None:
        follow(self, *rest[:-1], True)

    monkeypatch.setattr(Folding, "_follow", learning)
    games = [after("sink", keys, **CASES["sink"]) for keys in ORDERS]
    assert games[0].view(1) != games[1].view(1)


@pytest.mark.parametrize("option", CASES)
def test_its_player_knows_the_order(option: str) -> None:
    game = after(option, ("red-3", "red-1"), **CASES[option])
    seen = [card for card in game.view(0).zone("crate").cards if card]
    if option == "arrange":
        assert seen == ["red-3", "red-1", "red-2"]
    else:  # each goes under the one before
        assert seen[:3] == ["red-2", "red-1", "red-3"]


def test_who_knew_the_cards_still_knows_that_they_are_there() -> None:
    """Seat 1 saw the paintings on the wall; now it knows that they are in the crate, not where."""
    game = after("pack-up", ("red-3", "red-1"), **CASES["pack-up"])
    crate = game.view(1).zone("crate")
    assert not any(crate.cards)
    faces = {card.key: card.face for card in game.program.cards}
    zone = next(n for n, one in enumerate(game.program.zones) if one.key == "crate")
    known = game.knowledge.known(zone, 1)
    assert all(known[faces[key]] == 1 for key in ("red-1", "red-2", "red-3"))


@pytest.mark.parametrize(
    ("language", "reader", "line"),
    [
        ("en", 0, "You put red 1, red 2 and red 3 from your wall under the crate, in an order of your choice."),
        ("en", 1, "3 from their wall under the crate, in an order of their choice."),
        ("es", 0, "Pones roja 1, roja 2 y roja 3 de tu pared debajo de la caja, en el orden que quieres."),
        ("es", 1, "Jugador 1 pone roja 1, roja 2 y roja 3 de su pared debajo de la caja, en el orden que quiere."),
    ],
)
def test_the_log_says_that_the_order_was_chosen(language: str, reader: int, line: str) -> None:
    program = program_of(GALLERY, 3)
    texts = PackTexts(program, pack_of(GALLERY))
    game = after("pack-up", ("red-1", "red-2"), **CASES["pack-up"])
    lines = narrate(program, told(game, reader), language, texts, reader)
    assert any(line in one for one in lines), lines
