"""Choices one by one: what is offered depends on what was chosen before.

Expected values come from `docs/reference/language.md` and from sums by hand.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.refusals import Refusal
from tests.language.gallery import ACT, gallery
from tests.positions import Table, hand, of
from tests.small_packs import started


def no_more(table: Table, choice: str) -> None:
    """Nothing is left to choose. The question is asked, since others do not see which cards are in the hand."""
    assert table.options == []
    table.answer(0, choice)


def test_a_constraint_on_what_is_chosen_together() -> None:
    """Paintings of different colours: after a red one, no red one is offered."""
    table = gallery(others="crate", mine=["red-1", "red-2", "blue-1", "blue-4"])
    table.answer(0, ACT, "contrast")
    assert sorted(table.options) == ["blue-1", "blue-4", "red-1", "red-2"]
    table.answer(0, "turn.act.contrast.hung", "red-2")
    assert sorted(table.options) == ["blue-1", "blue-4"]
    table.answer(0, "turn.act.contrast.hung", "blue-1")
    no_more(table, "turn.act.contrast.hung")
    assert table.cards(of(0, "wall")) == ["red-2", "blue-1"]
    assert table.asked[0] == (1, ACT)


def test_the_player_may_stop_where_no_more_are_needed() -> None:
    table = gallery(others="crate", mine=["red-1", "blue-1", "gold-1"])
    table.answer(0, ACT, "contrast")
    table.answer(0, "turn.act.contrast.hung", "gold-1")
    table.answer(0, "turn.act.contrast.hung")
    assert table.cards(of(0, "wall")) == ["gold-1"]
    assert table.asked[0] == (1, ACT)


def test_one_pays_until_it_is_enough() -> None:
    """The price is 4: after 1 and 2 a third painting is needed, after that no further one is taken."""
    table = gallery(others="crate", mine=["red-1", "blue-2", "gold-3", "gold-4"])
    table.answer(0, ACT, "buy")
    table.answer(0, "turn.act.buy.paid", "red-1")
    table.answer(0, "turn.act.buy.paid", "blue-2")
    assert isinstance(table.game.clone().apply(0, []), Refusal)
    table.answer(0, "turn.act.buy.paid", "gold-3")
    no_more(table, "turn.act.buy.paid")
    assert sorted(table.cards("storage")) == ["blue-2", "gold-3", "red-1"]
    assert table.cards(hand(0)) == ["gold-4"]
    assert table.count(of(0, "wall")) == 1


def test_all_are_taken_if_there_is_not_enough() -> None:
    table = gallery(others="crate", mine=["red-1", "blue-2"])
    table.answer(0, ACT, "buy")
    table.answer(0, "turn.act.buy.paid", "red-1")
    table.answer(0, "turn.act.buy.paid", "blue-2")
    assert sorted(table.cards("storage")) == ["blue-2", "red-1"]
    assert table.count(of(0, "wall")) == 0


def test_nothing_to_choose_from() -> None:
    table = gallery(others="crate")
    table.answer(0, ACT, "contrast")
    no_more(table, "turn.act.contrast.hung")
    assert table.asked[0] == (1, ACT)


STEPS = """\
pack: steps
players: 2
tracks: {height: number, rounds: number}
---
round: turn
turns-from: first of players
until: rounds > 1
steps:
  - id: climb
    do: |
      rounds += 1
      choose 3 numbers from (1 to 6) where path is empty or it > last of path one by one as path
      height = (total it over path) * 10 + count(path)
---
finish: end
---
winner: all
among: players
"""


@pytest.mark.parametrize(
    ("steps", "height"),
    [(["1", "4", "5"], 103), (["1", "2", "3"], 63), (["5"], 112), (["6"], 61), (["2", "6"], 82)],
)
def test_numbers_that_rise(steps: list[str], height: int) -> None:
    """After 5 only 6 is left, which is taken without a question; after 6 nothing is."""
    table = started(STEPS)
    for number in steps:
        table.answer(0, "turn.climb.path", number)
    assert table.number("height") == height
