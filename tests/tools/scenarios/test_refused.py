"""Refused answers in scenarios: options that `when` takes away, and options that do not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

RULES = """\
pack: auction
version: 0.1.0
format: 3
players: 2
tracks: {offer: {scope: player}}
enumerations: {metal: [tin, lead]}
---
round: turn
turns-from: first of players
until: false
steps:
  - id: offer
    options:
      bid: {each: {n: 0 to 3}, when: n is not 2, do: offer = n}
      weigh: {each: {m: metal, n: 1 to 2}, when: m is tin or n is 1, do: offer = n}
      hold: {do: offer = 0}
---
winner: first
among: players
"""


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("bid 2", "auction: 1 passed"),
        ("bid 9", "auction: 1 passed"),
        ("weigh lead 2", "auction: 1 passed"),
        ("bid 3", "expected a refusal, but ann may choose this"),
        ("hold 2", "unknown option `hold 2`"),
    ],
)
def test_numbers_that_when_takes_away_are_refused(run: Run, tmp_path: Path, choice: str, told: str) -> None:
    (tmp_path / "auction" / "scenarios").mkdir(parents=True)
    (tmp_path / "auction" / "pack.yaml").write_text(RULES, "utf-8")
    begin = "scenario: refused\nplayers: [ann, ben]\ngiven: {phase: turn, turn: ann}\n"
    scenario = f"{begin}when: [refuses: {{ann: {{choice: {choice}}}}}]\n"
    (tmp_path / "auction" / "scenarios" / "one.yaml").write_text(scenario, "utf-8")
    assert told in run("test", str(tmp_path / "auction")).out
