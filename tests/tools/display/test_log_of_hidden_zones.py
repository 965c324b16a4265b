"""What the log says about zones that a layout hides or leaves untold: docs/reference/language.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

PACK = """\
pack: gems
version: 0.1.0
format: 3
players: 2
kinds: {gem: {}}
components: {gems: {kind: gem, starts: deck}}
zones:
  deck: {order: pile, seen-by: nobody}
  rack: {name: rack}
  crate: {name: crate}
tracks: {depth: {starts: 5}}
---
gem: opal
copies: 4
---
round: turn
turns-from: first of players
until: crate is not empty
steps:
  - id: act
    do: |
      move top 2 of deck to rack
      move 1 gem from rack to crate
      move top of deck to crate
      depth += 1
---
winner: all
among: players
---
"""
COME, LEAVE = "2 × opal go from the deck to the rack.", "Opal goes from the rack to the crate."
AWAY, DEPTH = "Opal goes from the deck to the crate.", "Depth: 6."


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        ("", [COME, LEAVE, AWAY, DEPTH]),
        ("hidden: [deck, crate, depth]", [COME, LEAVE]),
        ("hidden: [deck, crate]\nuntold: [crate]", [COME, DEPTH]),
    ],
)
def test_moves_between_a_hidden_zone_and_a_shown_one_are_told(
    run: Run, tmp_path: Path, layout: str, told: list[str]
) -> None:
    (tmp_path / "gems").mkdir()
    text = f"{PACK}layout: table\ngroups: [{{show: [rack]}}]\n{layout}\n"
    (tmp_path / "gems" / "pack.yaml").write_text(text, "utf-8")
    log = run("play", str(tmp_path / "gems"), "--seats", "random,random", "--seed", "1").out
    assert [line.strip() for line in log.splitlines() if "opal" in line.lower() or "Depth:" in line] == told
