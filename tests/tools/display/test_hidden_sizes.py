"""A pile of hidden size, in views and on the terminal: its top card and remembered cards.

On `tests/packs/wells`: all see the top of the heap, nobody counts it. Expected texts follow from who put which
stones there; stones are listed from bottom to top.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import ZoneView
from rulewright.tools.common.output import ASCII
from rulewright.tools.display.table_content import ZoneText
from tests.language.cards.test_pile_ends import ACT, wells
from tests.positions import Table


def heap(table: Table, seat: int) -> ZoneView:
    return table.game.view(seat).zone("heap")


def told(table: Table, seat: int, language: str, form: str = "") -> list[str]:
    text = ZoneText(Narrator(table.program, language, reader=seat), ASCII)
    return text.lines(heap(table, seat), form) if form else text.full(heap(table, seat))


def dropped(mine: str) -> Table:
    """Seat 0 has put its stones on the empty heap, all at once."""
    table = wells("1", mine=mine)
    table.answer(0, ACT, "drop")
    return table


def test_an_empty_heap_is_seen_to_be_empty() -> None:
    table = wells("1", mine="2")
    assert (heap(table, 0).size, heap(table, 0).cards) == (None, ())
    assert told(table, 0, "en") == [ASCII.dash]


def test_who_put_them_there_remembers_them_and_others_see_the_top() -> None:
    """1, 2, 2 and 3 at once: seat 0 knows them all, seat 1 the 3 alone."""
    table = dropped("1223")
    assert (heap(table, 0).cards, heap(table, 0).known) == (("3",), (("1", 1), ("2", 2)))
    assert (heap(table, 1).cards, heap(table, 1).known) == (("3",), ())
    assert told(table, 0, "en") == ["3 on top; under it you remember 1, 2 x 2"]
    assert told(table, 0, "es") == ["3 encima; debajo recuerdas 1, 2 x 2"]
    assert told(table, 1, "en") == told(table, 1, "es") == ["3"]
    assert told(table, 0, "en", "top") == ["3"]
    assert told(table, 0, "en", "count") == told(table, 1, "en", "count") == ["?"]


def test_order_and_cards_in_between_are_not_shown() -> None:
    """Seat 1 has seen a 2, then others that it did not see, under a 4: no word says which lies where."""
    views = set()
    for mine in ("134", "314"):
        table = wells("1", heap="2", mine=mine)
        table.answer(0, ACT, "drop")
        assert told(table, 1, "en") == ["4"]
        views.add(repr(heap(table, 1)))
    assert len(views) == 1


@pytest.mark.parametrize("option", ["spill", "roll"])
def test_what_is_remembered_follows_the_cards(option: str) -> None:
    """`roll` brings two from the bottom to the top; `spill` moves all away, and the heap is seen to be empty."""
    table = dropped("123")
    table.answer(1, ACT, option)
    if option == "spill":
        assert told(table, 0, "en") == [ASCII.dash]
    else:
        assert table.cards("heap") == ["3", "1", "2"]
        assert told(table, 0, "en") == ["2 on top; under it you remember 1, 3"]
        assert told(table, 1, "en") == ["2 on top; under it you remember 3"]


def test_no_size_reaches_a_view() -> None:
    """Two heaps that differ in what lies hidden under a top have one view for who saw none of it."""
    seen = {repr(wells("1", heap=under + "4").game.view(0).zone("heap")) for under in ("", "2", "233")}
    assert len(seen) == 1
    assert wells("1", heap="24").game.view(0).zone("heap").cards == ("4",)
