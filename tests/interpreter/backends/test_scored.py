"""Bots that score options: the best above 0, on every backend, and only by what a seat sees.

What is expected is worked out by hand from the scores in the pack `medals`.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.chance import Stream
from tests.interpreter.backends.test_ranked import MEDALS, Table, alike, nothing_drawn, table

SULK, BOAST, REST = 0, 1, 2


def lay(at: Table, zone: str, *names: str) -> list[int]:
    """Lay out medals by worth and colour (`2 red`), and sashes."""
    return at.lay(zone, *(name.replace(" ", "-") for name in names))


# ------------------------------------------------------------------ what is chosen

def test_the_best_above_0_is_taken_and_nothing_drawn() -> None:
    at = Table("judge", "", path=MEDALS)
    at.set("fame", 4, 0)
    at.set("fame", 2, 1)
    assert at.answer("day.choose.friend", [0, 1]) == [1], "10 - 4 and 10 - 2"
    assert at.answer("day.choose.bid", [7, 3, 1]) == [1]
    assert at.answer("day.choose.hue", [0, 1, 2]) == [2], "a condition is 1 or 0"
    definitions = dict(at.program.definitions)["definition"]
    orders = [definitions.index(name) for name in ("garter", "thistle")]
    assert at.answer("day.choose.chosen", orders) == [orders[1]], "ranks 3 and 7"
    assert nothing_drawn(at)


def test_as_many_as_may_be_the_best_first_and_equal_ones_as_they_are_offered() -> None:
    at = Table("judge", "", path=MEDALS)
    cards = lay(at, "hand/1", "3 red", "1 red", "sash", "3 blue")
    assert at.answer("day.show.laid", cards, 0, 4) == [cards[0], cards[2], cards[3]], "worth > 2, or a ribbon"
    assert at.answer("day.show.laid", cards, 0, 2) == [cards[0], cards[2]]


def test_what_is_0_or_less_is_left_to_the_next_answer() -> None:
    at = Table("careful", "", path=MEDALS)
    assert at.answer("day.choose.choice", [SULK, BOAST, REST]) == [REST], "4 div (0 - 3) is -2"
    at.set("fame", 4)
    assert at.answer("day.choose.choice", [SULK, BOAST, REST]) == [BOAST], "4 div 1 is 4"
    at.set("fame", 3)
    assert at.answer("day.choose.choice", [SULK, BOAST, REST]) == [REST], "4 div 0 cannot be worked out"
    at.set("doubt", 0)
    cards = lay(at, "hand/1", "1 red", "1 blue")
    assert at.answer("day.show.laid", cards, 0, 2) == [], "worth - 1 is 0, and `otherwise` is none"
    assert nothing_drawn(at)


def test_an_option_that_cannot_be_worked_out_is_0() -> None:
    at = Table("careful", "", path=MEDALS)
    assert at.answer("day.choose.bid", [1, 3, 7]) == [7], "12 div -2, 12 div 0, and 12 div 4"
    first, second = lay(at, "tray", "2 red", "1 red")
    wait = 2
    assert at.answer("day.trade.choice", [3 * first, 3 * second, wait]) == [3 * second], "twice that is too much"
    assert at.answer("day.trade.choice", [3 * first, wait]) == [wait]
    assert nothing_drawn(at)


def test_options_of_a_menu_are_compared_with_each_other() -> None:
    at = Table("judge", "", "", path=MEDALS)
    at.set("doubt", 3)
    assert at.answer("day.choose.choice", [SULK, BOAST, REST]) == [SULK], "3, -2 and 2"
    at.set("fame", 9)
    assert at.answer("day.choose.choice", [SULK, BOAST, REST]) == [BOAST], "3, 7 and 2"
    (tray,) = lay(at, "tray", "2 red")
    (held,) = lay(at, "hand/1", "3 blue")
    at.set("fame", 5, 1)

    def swap(card: int, seat: int) -> int:
        return 1 + 3 * (card + len(at.program.cards) * seat)

    options = [3 * tray, swap(held, 1), swap(held, 2), 2]
    assert at.answer("day.trade.choice", options) == [swap(held, 2)], "2, 6 - 5, 6 - 0 and 1"
    at.set("fame", 5, 2)
    assert at.answer("day.trade.choice", options) == [3 * tray], "2, 1, 1 and 1"
    assert nothing_drawn(at)


def test_functions_take_the_seat_and_what_is_offered() -> None:
    at = Table("judge", "judge", path=MEDALS)
    cards = lay(at, "hand/2", "1 red", "2 red")
    assert at.answer("day.secret.shown", cards, 0, 1, seat=1) == [cards[1]], "1 * 2 + 2 is 4, and 2 * 2 + 2 is 6"


def test_equal_cards_of_a_bag_are_one_option_whatever_their_scores() -> None:
    at = Table("judge", "", path=MEDALS)
    first, second, other = lay(at, "hand/1", "2 red", "2 red", "3 blue")
    at.set("wear", 8, first)
    at.set("wear", 9, other)
    assert at.answer("day.show.worn", [first, second, other], 1, 1) == [first], "the second is the best"
    at.set("wear", 7, other)
    assert at.answer("day.show.worn", [first, second, other], 1, 2) == [first, other]


# ------------------------------------------------------------------ what is not seen

def test_cards_that_are_not_seen_have_no_score() -> None:
    at = Table("judge", "", path=MEDALS)
    pile = lay(at, "box", "1 red", "2 red", "3 red")
    expected = at.at_random("day.show.blind", pile)
    assert at.answer("day.show.blind", pile) == expected
    at.stream = Stream(3)
    tower = lay(at, "tower", "1 red", "1 blue", "2 red")
    assert at.answer("day.show.lifted", tower) == [tower[2]], "only the top is seen: 3 - 2"
    hand = lay(at, "hand/2", "2 red", "3 red")
    expected = at.at_random("day.secret.shown", hand)
    assert at.answer("day.secret.shown", hand) == expected, "the hand of another"


# ------------------------------------------------------------------ every backend

PAIRS = [("judge", "careful"), ("shy", "judge"), ("careful", "careful")]


@pytest.mark.parametrize("seated", [*PAIRS, ("", "judge", "shy"), ("judge", "careful", "shy")])
def test_every_backend_plays_alike(seated: tuple[str, ...]) -> None:
    alike(table(MEDALS, len(seated)), seated, 12)
