"""`stop` outside a loop ends only its own effect."""

from __future__ import annotations

import pytest

from tests.small_packs import started

PACK = """\
pack: well
players: 2
tracks: {drawn: number}
---
round: turn
turns-from: first of players
until: drawn > 5
steps:
  - id: draw
    options:
      once: drawn += 1
      twice:
        do: |
          drawn += 1
          if drawn > 0: stop
          drawn += 100
  - id: rest
    do: |
      drawn += 1
      if drawn > 0: stop
      drawn += 100
  - id: last
    do: drawn += 1
---
finish: end
---
winner: one
among: players
"""


@pytest.mark.parametrize("option", ["once", "twice"])
def test_stop_ends_the_effect_and_not_the_game(option: str) -> None:
    table = started(PACK)
    table.answer(0, "turn.draw.choice", option)
    assert (table.number("drawn"), table.asked) == (3, [(1, "turn.draw.choice")])
