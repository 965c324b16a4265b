"""Names defined by an effect, in the inserts of other packs before, after, and around it."""

from __future__ import annotations

import pytest

from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.knowledge import initial
from rulewright.interpreter.views.view import view
from rulewright.ruleset.lower.lowering import lower
from tests.house.test_weaving import BELL, game, same
from tests.house.together import codes, together
from tests.interpreter.lockstep import backends_of
from tests.interpreter.many_beside import same_many

DISCARD = "  choose n cards from hand as given-up\n  move given-up to discard\n"
TWICE = "play: |\n  let first = coins\n  draw 1\n  if coins > 2:\n    let second = coins\n    coins = second\n"


def test_after() -> None:
    house = "change: verb/discard-card\nafter: coins += 10 + count(given-up)\n"
    assert same(game({}, first=house), game({DISCARD: DISCARD + "  coins += 10 + count(given-up)\n"}))


def test_after_by_two_packs() -> None:
    house = "change: verb/discard-card\nafter: coins += count(given-up)\n"
    by_hand = DISCARD + "  coins += count(given-up)\n  coins += count(given-up)\n"
    assert same(game({}, first=house, late=house), game({DISCARD: by_hand}))


def test_after_proceed() -> None:
    house = "change: verb/discard-card\naround: |\n  coins += 1\n  proceed\n  coins += count(given-up)\n"
    by_hand = "  coins += 1\n" + DISCARD + "  coins += count(given-up)\n"
    assert same(game({}, first=house), game({DISCARD: by_hand}))


def test_after_an_around_that_always_proceeds() -> None:
    around = "change: verb/discard-card\naround: |\n  coins += 1\n  proceed\n"
    house = "change: verb/discard-card\nafter: coins += count(given-up)\n"
    by_hand = "  coins += 1\n" + DISCARD + "  coins += count(given-up)\n"
    assert same(game({}, first=around, late=house), game({DISCARD: by_hand}))


def test_inside_of_a_branch_that_proceeds() -> None:
    house = "change: verb/discard-card\naround: |\n  if coins > 1:\n    proceed\n    coins += count(given-up)\n"
    inner = "".join(f"  {line}\n" for line in DISCARD.splitlines())
    by_hand = "  if coins > 1:\n" + inner + "    coins += count(given-up)\n"
    assert same(game({}, first=house), game({DISCARD: by_hand}))


def test_a_name_of_ones_own_comes_first() -> None:
    """The author of a house rule need not know the names of the effect."""
    house = "change: verb/discard-card\nafter: |\n  let given-up = 7\n  coins += given-up\n"
    assert same(game({}, first=house), game({DISCARD: DISCARD + "  let mine = 7\n  coins += mine\n"}))
    house = "change: verb/discard-card\naround: |\n  let given-up = 7\n  proceed\n  coins += given-up\n"
    assert same(game({}, first=house), game({DISCARD: "  let mine = 7\n" + DISCARD + "  coins += mine\n"}))


def test_a_declared_name_comes_first() -> None:
    """A name of the effect hides nothing that is declared: elsewhere `price` goes on being the function."""
    bell = "cost: 3\nplay: |\n  let price = 1\n  coins += price\n"
    by_hand = "cost: 3\nplay: |\n  let one = 1\n  coins += one\n  coins += price\n"
    house = "change: charm/bell.play\nafter: coins += price\n"
    assert same(game({BELL: bell}, first=house), game({BELL: by_hand}))


@pytest.mark.parametrize(
    "house",
    [
        "change: verb/discard-card\nbefore: coins += count(given-up)\n",
        "change: verb/discard-card\naround: |\n  coins += count(given-up)\n  proceed\n",
        "change: verb/discard-card\naround: |\n  if coins > 1: proceed\n  coins += count(given-up)\n",
        "change: verb/discard-card\naround: |\n  if given-up is empty: coins += 1\n  proceed\n",
        "change: verb/discard-card\naround:\n  steps:\n"
        "  - {id: rest, do: proceed}\n  - {id: more, do: coins += count(given-up)}\n",
    ],
)
def test_where_it_may_have_no_value(house: str) -> None:
    assert codes(together(house=house)) == ["RW444"]


def test_a_name_of_a_branch() -> None:
    house = "change: charm/bell.play\nafter: coins += {}\n"
    assert codes(game({BELL: "cost: 3\n" + TWICE}, first=house.format("first"))) == []
    assert codes(game({BELL: "cost: 3\n" + TWICE}, first=house.format("second"))) == ["RW444"]
    assert codes(game({BELL: "cost: 3\n" + TWICE}, first=house.format("third"))) == ["RW420"]


def test_after_another_packs_branch() -> None:
    """One pack perhaps leaves the effect out: then its names may have no value for others either."""
    around = "change: verb/discard-card\naround: |\n  if coins > 1: proceed\n"
    house = "change: verb/discard-card\nafter: coins += count(given-up)\n"
    assert codes(together(first=around, second=house)) == ["RW444"]


def test_one_mistake_is_one_finding() -> None:
    broken = {DISCARD: "  shoose n cards from hand as given-up\n  move given-up to discard\n"}
    assert codes(game(broken, first="change: verb/discard-card\nafter: coins += count(given-up)\n")) == ["RW425"]


GATHER = """---
verb: gather(s)
do: |
  let seen = count(row)
  move top 2 of deck to hand as taken
---
setup: warm
steps:
  - {id: warm, do: "each p in players: p gathers"}
"""


@pytest.mark.parametrize(
    ("house", "coins"),
    [
        ("after: coins += 10 * seen + count(taken)", 35),
        ("around: |\n  proceed\n  coins += 10 * seen + count(taken)", 35),
        ("before: move top of row to discard\nafter: coins += 10 * seen + count(taken)", 25),
    ],
)
def test_values_on_all_backends(house: str, coins: int) -> None:
    """Everybody has 3 coins; 3 cards lie in the row, of which the first player to gather may discard one."""
    loaded = game({}, GATHER, first=f"change: verb/gather\n{house}\n")
    assert codes(loaded) == []
    assert loaded.program is not None
    table = lower(loaded.program, 2)
    ends = []
    for backend in backends_of(table):
        state = backend.start(1, 0)
        backend.run(state)
        (track,) = [one for one in view(table, state, initial(table), 0).tracks if one.key == "coins"]
        assert track.values[0] == coins
        play_out(backend, state, Stream(1))
        ends.append(state)
    assert all(end == ends[0] for end in ends)
    same_many(table, 1, 1)
