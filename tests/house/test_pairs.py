"""Pairs of house rules: findings agree with the verdicts, in any order and under any names.

`python -m tests.house.catalogue` tries all pairs in all three ways; here each is tried in one, which all get.
"""

from __future__ import annotations

import os

import pytest

from tests.house.catalogue import Pair, found, pairs

ALL = tuple(pairs())
NOT_FOUND = {
    "coup-every-and-new-value": "`every` also finds what strangers bring, and both authors may want that",
    "rattus-swords-never-come": "nothing is unread: a card takes nothing from a supply that is still there",
}
"""Conflicts without a finding, with the reason."""
ALARMS: dict[str, str] = {}
"""Findings where the order makes no difference, with the reason."""


@pytest.mark.slow
@pytest.mark.parametrize(("number", "pair"), list(enumerate(ALL)), ids=[pair.name for pair in ALL])
def test_verdict(number: int, pair: Pair) -> None:
    ways = (pair, pair.turned(), pair.renamed())
    wanted = (pair.conflicts or pair.name in ALARMS) and pair.name not in NOT_FOUND
    for one in ways if os.environ.get("RULEWRIGHT_ALL_PAIRS") else (ways[number % 3],):
        assert bool(found(one)) == wanted


def test_bars() -> None:
    """At least 30 pairs of each verdict; 95 % of conflicts are found, at most 5 % of the others are alarms."""
    conflicts = [pair for pair in ALL if pair.conflicts]
    others = [pair for pair in ALL if not pair.conflicts]
    assert min(len(conflicts), len(others)) >= 30
    assert len(NOT_FOUND) <= 0.05 * len(conflicts)
    assert len(ALARMS) <= 0.05 * len(others)
    assert NOT_FOUND.keys() <= {pair.name for pair in conflicts}
    assert ALARMS.keys() <= {pair.name for pair in others}
    assert {pair.game for pair in ALL} == {"coup", "dominion", "rattus-cartus", "tutorial"}
