"""Windows and claims: cancelling, order, nesting, cards from the hand, and proofs of claims.

Expected values come from the text of that pack, read with `docs/reference/language.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.views.view import View
from tests.positions import Table, hand, of, program_of

WARDS = Path(__file__).parents[2] / "packs" / "wards"
ACT, GUST, CALL, RACE, BELL, DOUBT = (
    "turn.act.choice", "gust.reaction", "call.reaction", "race.reaction", "bell.reaction", "light.challenge",
)  # fmt: skip


def wards(*hands: list[str], shelf: list[str] | None = None) -> Table:
    """Seat 0's turn among three, who hold these charms; three drops of oil each."""
    zones = {hand(seat): hands[seat] if seat < len(hands) else [] for seat in range(3)}
    if shelf is not None:
        zones[of(0, "shelf")] = shelf
    return Table.start(program_of(WARDS, 3)).arrange(zones=zones, rest={"charm": "chest"})


def values(table: Table, track: str) -> list[int]:
    return [table.number(track, seat) for seat in range(3)]


def blown(*hands: list[str]) -> Table:
    table = wards(*hands)
    table.answer(0, ACT, "blow")
    return table


def react(table: Table, choice: str, *answers: tuple[int, str]) -> None:
    """Each answers in turn, and nobody else is asked meanwhile."""
    for seat, option in answers:
        assert table.asked == [(seat, choice)]
        table.answer(seat, choice, option)


# ------------------------------------------------------------------ cancelling

def test_a_window_lists_who_cancelled_it_each_for_themselves() -> None:
    """Seat 1 shows a ward, whose effect cancels; seat 2 is asked nevertheless, and loses a drop."""
    table = blown([], ["ward", "pebble"], ["ward"])
    assert table.options == ["show:ward", "answer-back", "pass"], "not the pebble, which has no answer"
    react(table, GUST, (1, "show:ward"), (2, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([3, 3, 2], [0, 1, 0])
    assert table.asked == [(1, ACT)]


def test_a_reaction_that_does_not_cancel_is_not_listed() -> None:
    """An ember gives a drop, which the gust takes."""
    table = blown([], ["ember"], [])
    react(table, GUST, (1, "show:ember"), (2, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([3, 3, 2], [0, 0, 0])


def test_who_cannot_react_is_asked_all_the_same() -> None:
    """`pass` alone, where the options depend on a hand that not everybody sees."""
    table = blown([], [], [])
    react(table, GUST, (1, "answer-back"), (2, "answer-back"))
    assert (table.asked, table.options) == ([(0, GUST)], ["pass"])


def test_a_list_is_empty_again_the_next_time() -> None:
    table = blown([], ["ward"], [])
    react(table, GUST, (1, "show:ward"), (2, "pass"))
    table.answer(1, ACT, "blow")
    react(table, GUST, (2, "pass"), (0, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([2, 3, 1], [0, 1, 0])


# ------------------------------------------------------------------ nesting

def test_a_window_may_be_opened_while_it_is_open() -> None:
    """Seat 2 answers back: the others of seat 2 are asked, clockwise from it; as nobody cancels, it is safe."""
    table = blown(["ward"], ["ward"], [])
    react(table, GUST, (1, "show:ward"), (2, "answer-back"), (0, "pass"), (1, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([3, 3, 3], [0, 1, 1])


def test_what_is_cancelled_inside_does_not_touch_the_list_outside() -> None:
    """Seat 0 cancels what seat 2 opened: seat 2 is not safe, seat 1 still is, and seat 0 is on no list outside."""
    table = blown(["ward"], ["ward"], [])
    react(table, GUST, (1, "show:ward"), (2, "answer-back"), (0, "show:ward"), (1, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([3, 3, 2], [0, 1, 0])


def test_three_windows_inside_of_each_other() -> None:
    """Seat 1 answers seat 0, seat 2 seat 1; seat 0 cancels that: seat 1's answer holds, seat 2's does not.

    The third may not be answered by a fourth (`when: depth < 2`).
    """
    table = blown(["ward"], [], [])
    react(table, GUST, (1, "answer-back"), (2, "answer-back"))
    assert (table.asked, table.options) == ([(0, GUST)], ["show:ward", "pass"])
    react(table, GUST, (0, "show:ward"), (1, "pass"), (0, "pass"), (2, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([3, 3, 2], [0, 1, 0])


# ------------------------------------------------------------------ sealed windows

def test_a_window_together_asks_all_at_once() -> None:
    """Both are listed: two for each of two."""
    table = wards()
    table.answer(0, ACT, "call")
    assert table.asked == [(1, CALL), (2, CALL)]
    one, both = table.clone(), table
    both.answer(2, CALL, "hush")
    both.answer(1, CALL, "hush")
    one.answer(1, CALL, "hush")
    one.answer(2, CALL, "sing")
    assert (values(both, "calm"), values(both, "marks")) == ([0, 2, 2], [0, 0, 0])
    assert (values(one, "calm"), values(one, "marks")) == ([0, 1, 0], [0, 0, 1])


def test_a_window_together_keeps_answers_sealed() -> None:
    table = wards()
    table.answer(0, ACT, "call")
    views: set[View] = set()
    for option in ("hush", "sing", "pass"):
        copy = table.clone()
        copy.answer(1, CALL, option)
        assert copy.asked == [(2, CALL)]
        views |= {copy.game.view(seat).digest for seat in (0, 2)}
    assert len(views) == 2, "one of seat 0 and one of seat 2, whatever seat 1 answered"


@pytest.mark.parametrize(
    ("runs", "first"), [((1, 2), 1), ((1,), 1), ((2,), 2), ((), None)]
)  # fmt: skip
def test_of_those_who_react_at_once_the_first_in_order_does(
    runs: tuple[int, ...], first: int | None
) -> None:
    """`order: together` and `first: true`: the others have reacted in vain."""
    table = wards()
    table.answer(0, ACT, "race")
    for seat in (2, 1):
        table.answer(seat, RACE, "run" if seat in runs else "pass")
    expected = [int(seat == first) for seat in range(3)]
    assert (values(table, "marks"), values(table, "calm")) == (expected, expected)


def test_the_order_begins_behind_who_opens() -> None:
    """Seat 1 opens: seat 2 stands before seat 0."""
    table = wards()
    table.answer(0, ACT, "boast")
    table.answer(1, DOUBT, "pass")
    table.answer(2, DOUBT, "pass")
    table.answer(1, ACT, "race")
    table.answer(0, RACE, "run")
    table.answer(2, RACE, "run")
    assert values(table, "marks") == [0, 0, 1]


# ------------------------------------------------------------------ a window with its block

@pytest.mark.parametrize(
    ("answers", "oil", "calm", "marks"),
    [
        (["pass", "pass"], 8, 0, [100, 0, 0]),  # nobody reacts: the block
        (["cough"], 8, 0, [100, 1, 0]),  # somebody reacts, and does not cancel: the block; nobody else is asked
        (["muffle"], 2, 1, [100, 10, 0]),  # otherwise
        (["pass", "muffle"], 2, 1, [100, 0, 10]),  # who cancels it twice is listed once
    ],
)
def test_the_block_happens_unless_somebody_cancels(
    answers: list[str], oil: int, calm: int, marks: list[int]
) -> None:
    """The name is known in both parts, and what follows the block happens either way."""
    table = wards()
    table.answer(0, ACT, "ring")
    react(table, BELL, *enumerate(answers, 1))
    assert table.asked == [(1, ACT)]
    assert (table.number("oil", 0), table.number("calm", 0), values(table, "marks")) == (oil, calm, marks)


def rung(table: Table, seat: int, *reactions: tuple[int, str]) -> int:
    """Rings the bell: the drops that it brings."""
    before = table.number("oil", seat)
    table.answer(seat, ACT, "ring")
    react(table, BELL, *reactions)
    return table.number("oil", seat) - before


def test_what_is_cancelled_while_it_is_not_open_is_not_cancelled_later() -> None:
    """A ward is performed and a bell cancelled in a turn; a window that is opened later knows nothing of it."""
    table = wards(["ward"], [], [])
    table.answer(0, ACT, "practise")
    assert rung(table, 1, (2, "pass"), (0, "pass")) == 5
    table.answer(2, ACT, "blow")
    react(table, GUST, (0, "pass"), (1, "pass"))
    assert (values(table, "oil"), values(table, "calm")) == ([2, 7, 3], [0, 0, 0])


# ------------------------------------------------------------------ claims

@pytest.mark.parametrize(
    ("shelf", "shown"), [(["pebble", "ward", "ember"], "ward"), (["ember", "pebble", "ward"], "ember")]
)  # fmt: skip
def test_the_first_card_of_the_proof_is_shown_and_nobody_is_asked_which(
    shelf: list[str], shown: str
) -> None:
    table = wards(shelf=shelf)
    table.answer(0, ACT, "boast")
    assert table.asked == [(1, DOUBT), (2, DOUBT)]
    table.answer(1, DOUBT, "challenge")
    table.answer(2, DOUBT, "challenge")
    assert table.asked == [(1, ACT)], "no choice of what is shown"
    assert table.cards("shown-to-all") == [shown]
    assert table.cards(of(0, "shelf")) == [one for one in shelf if one != shown]
    assert table.number("oil", 0) == 3 + 2


def test_a_claim_that_is_doubted_and_false() -> None:
    table = wards(shelf=["pebble"])
    table.answer(0, ACT, "boast")
    table.answer(2, DOUBT, "challenge")
    table.answer(1, DOUBT, "pass")
    assert (table.number("oil", 0), table.cards("shown-to-all")) == (3 - 1, [])


def test_a_claim_that_nobody_doubts_shows_nothing() -> None:
    for shelf in (["pebble"], ["ward"]):
        table = wards(shelf=shelf)
        table.answer(0, ACT, "boast")
        table.answer(2, DOUBT, "pass")
        table.answer(1, DOUBT, "pass")
        assert (table.number("oil", 0), table.cards("shown-to-all")) == (3 + 2, [])
