"""Cards that `look at` and `reveal` name stay in place; `top n of` lists them from the top down.

Expected values come from `docs/reference/language.md`: paintings are listed from bottom to top.
"""

from __future__ import annotations

import pytest

from tests.language.gallery import ACT, gallery
from tests.positions import hand, of


def test_a_card_that_was_looked_at_can_be_chosen_and_moved() -> None:
    table = gallery(crate=["red-1", "red-2", "red-3", "red-4"])
    table.answer(0, ACT, "sample")
    assert table.decision.options[0].key.startswith("red-")
    table.answer(0, "turn.act.sample.kept", next(key for key in table.options if key.startswith("red-3")))
    assert table.cards("crate") == ["red-1", "red-2", "red-4"]
    assert table.cards(hand(0)) == ["red-3"]


def test_the_pool_is_what_was_looked_at() -> None:
    table = gallery(crate=["red-1", "red-2", "red-3", "red-4"])
    table.answer(0, ACT, "sample")
    assert sorted(key[:5] for key in table.options) == ["red-2", "red-3", "red-4"]


def test_the_name_lists_them_from_the_top_down() -> None:
    """The store room is a pile: what is moved first lies lowest. So the old top card lies below the other."""
    table = gallery(crate=["red-1", "blue-1", "gold-1"])
    table.answer(0, ACT, "unpack")
    table.answer(0, "turn.act.unpack.hung")
    assert table.cards("crate") == ["red-1"]
    assert table.cards("storage") == ["gold-1", "blue-1"]


def test_what_has_gone_is_not_moved_again() -> None:
    table = gallery(crate=["red-1", "blue-3", "gold-1"])
    table.answer(0, ACT, "unpack")
    table.answer(0, "turn.act.unpack.hung", table.options[0])
    assert table.cards(of(0, "wall")) == ["blue-3"]
    assert table.cards("storage") == ["gold-1"]


def test_a_pile_is_filled_before_it_is_named() -> None:
    table = gallery(crate=["gold-1"], storage=["red-2", "red-2"])
    table.answer(0, ACT, "unpack")
    table.answer(0, "turn.act.unpack.hung")
    assert table.cards("crate") == ["red-2"]
    assert table.cards("storage") == ["gold-1", "red-2"]


def test_there_may_be_fewer_or_none() -> None:
    table = gallery(crate=["gold-1"])
    table.answer(0, ACT, "unpack")
    if table.asked[0] == (0, "turn.act.unpack.hung"):
        table.answer(0, "turn.act.unpack.hung")
    assert (table.cards("crate"), table.cards("storage")) == ([], ["gold-1"])
    table = gallery(crate=[])
    table.answer(0, ACT, "peek")
    if table.asked[0] == (0, "turn.act.peek.store"):
        table.answer(0, "turn.act.peek.store", "store")
    assert table.cards("storage") == []


def test_one_card_of_the_bottom_has_a_name_and_the_others_learn_nothing() -> None:
    table = gallery(crate=["red-1", "blue-1", "gold-1"])
    before = len(table.game.events(1))
    table.answer(0, ACT, "peek")
    assert table.game.view(0).zone("crate").cards[0] == "red-1"
    assert not any(event.kind == "revealed" for event in table.game.events(1)[before:])
    table.answer(0, "turn.act.peek.store", "store")
    assert (table.cards("crate"), table.cards("storage")) == (["blue-1", "gold-1"], ["red-1"])


@pytest.mark.parametrize(
    ("choice", "sees"), [("sample", ["red-2", "red-3", "red-4"]), ("unpack", ["red-3", "red-4"])]
)
def test_who_sees_them(choice: str, sees: list[str]) -> None:
    table = gallery(crate=["red-1", "red-2", "red-3", "red-4"])
    table.answer(0, ACT, choice)
    assert [one for one in table.game.view(0).zone("crate").cards if one] == sees
    others = [one for one in table.game.view(1).zone("crate").cards if one]
    assert others == (sees if choice == "unpack" else [])


def test_who_takes_a_known_card_from_among_others_still_knows_the_others() -> None:
    """Seat 0 takes the middle one of three that it looked at; seat 1 cannot tell which one it was."""
    table = gallery(crate=["red-1", "red-2", "red-3", "red-4"])
    table.answer(0, ACT, "sample")
    table.answer(0, "turn.act.sample.kept", next(key for key in table.options if key.startswith("red-3")))
    assert table.asked[0] == (0, "turn.act.sample.order")
    assert sorted(table.options) == ["red-2", "red-4"]
    assert list(table.game.view(0).zone("crate").cards) == [None, "red-2", "red-4"]
    assert not any(table.game.view(1).zone("crate").cards)
