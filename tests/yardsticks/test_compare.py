"""The engine's game is the hand-written one, as far as a few hundred random games can tell.

`python -m tests.yardsticks.compare` takes 20,000. The seeds are fixed, so the test gives the same answer every
time; five standard errors leave chance out.
"""

from __future__ import annotations

import pytest

from tests.yardsticks.compare import compare

GAMES = 600


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_statistics_agree(players: int) -> None:
    apart = [row for row in compare(players, GAMES, 1) if abs(row.distance) > 5]
    assert not apart
