"""The random player for `pyminion`: its policy and, with the package installed, whole games."""

from __future__ import annotations

import logging
import random
import sys
from collections import Counter
from importlib.util import find_spec

import pytest

from . import dominion_pyminion as driver
from .dominion import playouts
from .dominion_pyminion import RandomDecider
from .summary import standard_errors, summarise

TRIES = 3000


def answers(ask: object) -> Counter[object]:
    """What is answered in many tries."""
    random.seed(1)
    assert callable(ask)
    return Counter(ask() for _ in range(TRIES))


def near(times: int, share: float) -> bool:
    """Whether a count is within four standard deviations of what is expected."""
    return bool(abs(times - TRIES * share) < 4 * (TRIES * share * (1 - share)) ** 0.5)


def test_kinds_are_alike_not_cards() -> None:
    decider = RandomDecider()
    hand = ["smithy", "smithy", "smithy", "village"]
    played = answers(lambda: decider.action_phase_decision(hand, None, None))
    assert set(played) == {"smithy", "village", None}
    assert all(near(times, 1 / 3) for times in played.values())
    trashed = answers(lambda: tuple(decider.trash_decision("", None, hand, None, None, 0, 1)))
    assert set(trashed) == {("smithy",), ("village",)}
    assert near(trashed["village",], 1 / 2)
    assert decider.decisions == 2 * TRIES


def test_what_is_no_choice_is_not_counted() -> None:
    decider = RandomDecider()
    assert decider.buy_phase_decision([], None, None) is None
    assert decider.trash_decision("", None, ["copper", "copper"], None, None, 1, 1) == ["copper"]
    assert decider.gain_decision("", None, ["copper"], None, None, 1, 1) == ["copper"]
    assert decider.discard_decision("", None, [], None, None) == []
    assert len(decider.discard_decision("", None, ["copper", "gold"], None, None, 2, 2)) == 2
    assert decider.discard_decision("", None, ["copper", "copper"], None, None, 1, 1) == ["copper"]
    assert decider.treasure_phase_decision(["copper", "gold"], None, None) == ["copper", "gold"]
    assert decider.decisions == 0


def test_discarding_draws_the_number_first() -> None:
    decider = RandomDecider()
    hand = ["copper", "silver", "gold"]
    numbers = answers(lambda: len(decider.discard_decision("", None, hand, None, None)))
    assert set(numbers) == {0, 1, 2, 3}
    assert all(near(times, 1 / 4) for times in numbers.values())
    taken = answers(lambda: frozenset(decider.discard_decision("", None, hand, None, None, 2, 2)))
    assert all(len(cards) == 2 and near(times, 1 / 3) for cards, times in taken.items())
    assert decider.decisions == 2 * TRIES
    assert hand == ["copper", "silver", "gold"]


if find_spec("pyminion"):  # it comes with the extra `bench`, which the suite does without

    def test_whole_games_are_those_of_the_hand_written_one(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(logging.getLogger(), "level", logging.ERROR)
        theirs, mine = driver.playouts(2, 100, 1), playouts(2, 400, 1)
        assert logging.getLogger().level == logging.ERROR
        for place in (0, 1):
            one, other = (summarise([{"": float(game[place])} for game in games])[""] for games in (theirs, mine))
            assert abs(standard_errors(one, other)) < 5

    def test_remodel_alone_and_moats() -> None:
        seat, kingdom = driver._seat(), {card.name: card for card in driver._kingdom()}
        assert sorted(kingdom) == sorted(
            [
                "Cellar",
                "Market",
                "Militia",
                "Mine",
                "Moat",
                "Remodel",
                "Smithy",
                "Village",
                "Woodcutter",
                "Workshop",
            ]
        )
        decider = RandomDecider()
        player = seat(decider)
        player.hand.cards = [kingdom["Remodel"]]
        kingdom["Remodel"].play(player, None)
        assert player.playmat.cards == [kingdom["Remodel"]]
        player.hand.cards, player.state.actions = [kingdom["Woodcutter"]], 1
        kingdom["Woodcutter"].play(player, None)
        assert (player.state.actions, player.state.buys, player.state.money) == (0, 2, 2)
        player.hand.cards = [kingdom["Moat"]] * 2
        assert decider.decisions == 0
        player.is_attacked(player, kingdom["Militia"], None)
        assert decider.decisions == 1
        player.hand.cards = [kingdom["Smithy"]]
        assert all(player.is_attacked(player, kingdom["Militia"], None) for _ in range(20))
        assert decider.decisions == 1


def test_without_the_package_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyminion", None)
    with pytest.raises(ImportError, match="pyminion"):
        driver.playouts(2, 1, 1)
