"""Verbs of two packs that pass on the rest of an amount: when both orders give the same result."""

from __future__ import annotations

import pytest

from tests.house.test_weaving import codes, game

FETCH = """---
tracks: {{pot: {{of: 0 to 20, starts: 9}}}}
---
verb: fetch(es) <n>
do: |
  let some = min(n, pot)
  {taken}
  {given}
"""


@pytest.mark.parametrize(
    ("taken", "given", "expected"),
    [
        ("pot -= some", "coins += some", []),
        ("pot -= some", "coins += n", ["RW626"]),
        ("pot -= n", "coins += some", ["RW626"]),
        ("pot -= some", "coins = some", ["RW626"]),
        ("pot = some", "coins += some", ["RW626"]),
    ],
)
def test_what_is_left_is_handed_on(taken: str, given: str, expected: list[str]) -> None:
    more = FETCH.format(taken=taken, given=given)
    for numbers in ((1, 2), (2, 1)):
        one, two = (f"change: verb/draw\nafter: fetch {number}" for number in numbers)
        assert codes(game({}, more, fog=one, rain=two)) == expected
