"""Contests of players: seats are balanced, and games are counted by who won them."""

from __future__ import annotations

import pytest

from rulewright.tools.bench.contest import ContestMatch, line, main, matches, score, shipped
from rulewright.tools.common.errors import Usage
from rulewright.tools.tournament import PairingScore


def test_equal_players_win_equally_often() -> None:
    """With the same games in both arrangements, a bot against itself wins as often as it loses."""
    found = score(ContestMatch("dominion", 2, "big-money", "big-money", 40, 1, "native"))
    assert found.won == found.lost > 20


def test_a_stronger_bot_wins_more() -> None:
    assert score(ContestMatch("dominion", 2, "big-money", "random", 20, 1, "native")) == PairingScore(40, 0, 0)


def test_the_report_names_what_is_below_its_bar() -> None:
    match = ContestMatch("coup", 4, "search", "greedy", 12, 1)
    assert "below 75%" in line(match, PairingScore(74, 26, 0))
    assert "below" not in line(match, PairingScore(75, 25, 3))


def test_each_shipped_game_is_measured() -> None:
    assert [table.rpartition("/")[2] for table in shipped()] == [
        "coup:2", "dominion:2", "rattus-cartus:2", "tutorial:2"
    ]  # fmt: skip


def test_each_table_has_its_opponents() -> None:
    found = [(one.players, one.other) for one in matches(["coup:4", "tutorial:2"], "search", 1, 1)]
    assert found == [(4, "random"), (4, "greedy"), (4, "truthful"), (2, "random"), (2, "greedy")]
    with pytest.raises(Usage, match="for example PACK:4"):
        list(matches(["coup"], "search", 1, 1))
    assert main(["coup"]) == 2
