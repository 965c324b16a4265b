"""How two players share the seats of a table, and who of them won."""

from __future__ import annotations

import pytest

from rulewright.tools.tournament import (
    FAILED,
    LOST,
    NOBODY,
    SHARED,
    WON,
    PairingScore,
    arrangements,
    counted,
    endings,
)


@pytest.mark.parametrize(("players", "count"), [(2, 2), (3, 6), (4, 6), (5, 20)])
def test_both_players_have_each_seat_equally_often(players: int, count: int) -> None:
    """There are 2, 3 + 3, 6 and 10 + 10 ways to give one player half of the seats, rounded down or up."""
    found = list(arrangements(players))
    assert len(found) == len({*found}) == count
    for seat in range(players):
        assert sum(seats[seat] for seats in found) == count // 2


def test_a_game_is_decided_if_its_winners_are_on_one_side() -> None:
    """Won; won by both seats; shared; lost; nobody won; a rule failed."""
    winners = ((1, 1, 1, 0, 0, 1), (0, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0))
    found = endings((True, True, False), winners, (0, 0, 0, 0, 0, 3))
    assert list(found) == [WON, WON, SHARED, LOST, NOBODY, FAILED]
    assert counted(found) == PairingScore(2, 1, 3)


def test_a_score_is_a_share_of_the_decided_games() -> None:
    """Wilson's interval of 3 of 4 is 30 % to 95 %."""
    score = PairingScore(1, 1, 90) + PairingScore(2, 0, 4)
    assert score == PairingScore(3, 1, 94) and score.share == 0.75
    assert [round(bound, 2) for bound in score.interval] == [0.30, 0.95]
    assert PairingScore(0, 0, 5).interval == (0.0, 1.0)
