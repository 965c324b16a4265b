"""Facts about missing values in scenarios, and positions that only set the top of a pile.

The pack has three copies of each sign on a pile of its own, an empty heap, and a deck that refills.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

RULES = """\
pack: signs
version: 0.1.0
format: 3
players: 2
kinds:
  sign: {fields: {price: 0 to 9}}
zones:
  stall: {scope: sign, order: pile, accepts: own}
  heap: {order: pile}
  deck: {order: pile, seen-by: nobody, refill: {from: heap}}
tracks: {left: {at-least: 0, at-most: 2000000000, starts: 3}}
lists: {bids: {of: number}}
components:
  signs: {kind: sign, copies: 3, starts: stall}
---
sign: moon
price: 1
---
sign: sun
price: 2
---
round: turn
turns-from: first of players
until: left is 0
steps:
  - id: act
    options:
      is: {do: "if top of heap is moon: left -= 1"}
      is-not: {do: "if top of heap is not sun: left -= 1"}
      is-kind: {do: "if bottom of heap is sign: left -= 1"}
      among: {do: "if top of heap in stall[sun]: left -= 1"}
      other: {do: add left to bids}
"""
BEGIN = "scenario: One\nplayers: [one, two]\ngiven: {phase: turn, turn: one"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "signs"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(RULES, "utf-8")
    return folder


def outcome(run: Run, pack: Path, scenario: str) -> tuple[int, str]:
    (pack / "scenarios" / "one.yaml").write_text(scenario, "utf-8")
    ran = run("test", str(pack))
    assert not ran.err, ran.err
    return ran.code, ran.out


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("top of heap is moon", "`top of heap` is none"),
        ("bottom of deck is moon", "`bottom of deck` is none"),
        ("moon is bottom of heap", "`bottom of heap` is none"),
        ("top of heap is sign", "`top of heap` is none"),
        ("top of heap in stall[moon]", "`top of heap` is none"),
        ("(top of heap)'s price is 2", "no card or player is there"),
        ("3 div count(heap) is 1", "it divides by 0; `count(heap)`"),
        ("left * 1000000 * 1000000 > 3", "a number in it is too large"),
    ],
)
def test_a_fact_that_reads_what_is_not_there_fails_with_the_reason(
    run: Run, pack: Path, fact: str, told: str
) -> None:
    code, out = outcome(run, pack, f"{BEGIN}}}\nthen: ['{fact.replace(chr(39), chr(39) * 2)}']\n")
    assert code == 1
    assert f"error[RW711 scenario-fails]: expected: {fact}" in out
    assert told.partition(";")[0] in out


def test_facts_about_an_empty_pile_that_hold(run: Run, pack: Path) -> None:
    facts = "top of heap is none, top of heap is not moon, bottom of heap is not sign, top of deck is none"
    code, out = outcome(run, pack, f"{BEGIN}}}\nthen: [{facts}]\n")
    assert (code, out) == (0, "signs: 1 passed\n")


@pytest.mark.parametrize(("option", "left"), [("is", 3), ("is-not", 2), ("is-kind", 3), ("among", 3)])
def test_a_rule_that_compares_the_end_of_an_empty_pile(
    run: Run, pack: Path, option: str, left: int
) -> None:
    """No card is neither a moon nor a sun, whatever lies elsewhere."""
    text = f"{BEGIN}}}\nwhen: [{{one: {{choice: {option}}}}}]\nthen: [left is {left}]\n"
    assert outcome(run, pack, text)[0] == 0


def test_the_top_of_the_pile_of_a_definition(run: Run, pack: Path) -> None:
    """`top` says what is on top of the three that are there; it empties nothing."""
    text = f"{BEGIN}, stall: {{moon: {{top: [moon]}}}}}}\nthen: count(stall[moon]) is 3 and count(stall[sun]) is 3"
    code, out = outcome(run, pack, text)
    assert code == 0, out


@pytest.mark.parametrize(
    "given",
    [
        "stall: {moon: {under: [moon]}}",
        "heap: [{moon: 1}]",
        "bids: {one: 3}",
        "two: {heap: {moon: 1}}",
        "bids: ['many']",
        "bids: ['4x']",
        "bids: ['--1']",
    ],
)
def test_what_no_position_can_mean_is_a_finding(run: Run, pack: Path, given: str) -> None:
    (pack / "scenarios" / "one.yaml").write_text(f"{BEGIN}, {given}}}\nthen: [left is 3]\n", "utf-8")
    ran = run("validate", str(pack))
    assert ran.code == 1 and "RW704" in ran.out + ran.err


@pytest.mark.parametrize(
    ("fact", "found"),
    [
        ("heap is not empty", "`heap` is empty"),
        ("stall[moon] is empty", "`stall[moon]` holds 3 moon"),
        ("stall[moon] has sun", "`stall[moon]` holds 3 moon"),
    ],
)
def test_a_fact_about_a_zone_lists_what_it_holds(run: Run, pack: Path, fact: str, found: str) -> None:
    code, out = outcome(run, pack, f"{BEGIN}}}\nthen: ['{fact}']\n")
    assert code == 1
    assert f"hint: found: {found}\n" in out


def test_a_rule_that_changed_nothing_in_a_fact_is_not_named(run: Run, pack: Path) -> None:
    text = f"{BEGIN}, heap: [moon]}}\nwhen: [{{one: {{choice: is}}}}]\nthen: [count(heap) is 2, left is 3]\n"
    _, out = outcome(run, pack, text)
    heap, left = out.split("error[")[1:]
    assert "by this rule" not in heap
    assert "left -= 1" in left and "changed by this rule" in left
