"""The rule named by a failed expectation is the last one that changed that value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

RULES = """\
pack: tolls
version: 0.1.0
format: 3
players: 2
kinds: {sign: {fields: {price: 0 to 9}}}
zones:
  heap: {order: row}
  hand: {scope: player, order: bag}
tracks: {coins: {scope: player, starts: 3}, left: {starts: 3}}
components:
  signs: {kind: sign, copies: 3, starts: heap}
---
sign: moon
price: 1
---
sign: sun
price: 2
---
function: wealth
takes: {who: player}
gives: number
is: who's coins * 2
---
round: turn
turns-from: first of players
until: left is 0
steps:
  - id: act
    options:
      pay: {do: "coins -= 1"}
      take: {do: "choose 1 sign from heap as sign-taken then move sign-taken to hand"}
      wait: {do: left -= 1}
"""
SCENARIO = "scenario: One\nplayers: [ann, ben]\ngiven: {phase: turn, turn: ann}\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "tolls"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(RULES, "utf-8")
    return folder


def told(run: Run, pack: Path, scenario: str) -> str:
    (pack / "scenarios" / "one.yaml").write_text(f"{SCENARIO}{scenario}\n", "utf-8")
    return run("test", str(pack)).out


TAKE = "[{ann: {choice: take}}, {ann: {sign-taken: 1 moon}}]"
PAY, WAIT = "{ann: {choice: pay}}", "{ben: {choice: wait}}"


@pytest.mark.parametrize(
    ("steps", "fact", "rule"),
    [
        (f"[{PAY}, {WAIT}]", "ann's coins is 3", "coins -= 1"),
        (f"[{PAY}, {WAIT}]", "ben's coins is 2", ""),
        (f"[{PAY}, {WAIT}]", "left is 3", "left -= 1"),
        (f"[{PAY}]", "left is 2", ""),
        (f"[{PAY}, {WAIT}]", "wealth(ann) is 6", "coins -= 1"),
        (f"[{PAY}, {WAIT}]", "wealth(ben) is 5", ""),
        (TAKE, "count(ann's hand) is 0", "move sign-taken to hand"),
        (TAKE, "count(ben's hand) is 1", ""),
        (f"[{PAY}, {WAIT}]", "{sees: {ann: {coins of ann: 3}}}", "coins -= 1"),
        (f"[{PAY}, {WAIT}]", "{sees: {ann: {coins of ben: 2}}}", ""),
        (TAKE, "{sees: {ann: {hand of ben: 1 moon}}}", ""),
    ],
)
def test_a_rule_is_named_only_for_the_value_that_it_changed(
    run: Run, pack: Path, steps: str, fact: str, rule: str
) -> None:
    out = told(run, pack, f"when: {steps}\nthen: [{fact}]")
    assert "RW711" in out, out
    assert ("by this rule" in out) == bool(rule), out
    assert rule in out


def test_equal_cards_in_a_row_are_told_apart_by_their_places(run: Run, pack: Path) -> None:
    out = told(run, pack, "when: [{ann: {choice: take}}, {ann: {sign-taken: moon}}]")
    assert "error[RW711 scenario-fails]: several cards `moon` are in this row" in out
    assert "hint: write the place, such as `place-1`, or `1 moon` for any" in out
    for name in ("place-1", "1 moon", "any 1"):
        assert run_of(run, pack, name) == 0, name


def run_of(run: Run, pack: Path, name: str) -> int:
    scenario = f"when: [{{ann: {{choice: take}}}}, {{ann: {{sign-taken: {name}}}}}]\nthen: [count(ann's hand) is 1]"
    (pack / "scenarios" / "one.yaml").write_text(f"{SCENARIO}{scenario}\n", "utf-8")
    return run("test", str(pack)).code
