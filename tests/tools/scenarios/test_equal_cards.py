"""Equal copies of cards with values of their own, and cards that a track holds, in scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

PACK = """\
pack: crew
version: 0.1.0
format: 3
players: 2 to 4
enumerations: {colour: [pink, blue]}
kinds: {crew-card: {fields: {colour: colour, value: 0 to 2}}, young: {}, old: {}}
components:
  crew: {kind: crew-card, starts: box, home: box, each: {colour: all, value: all}, name: "{colour}-{value}"}
  children: {kind: young, copies: 1, starts: box, home: box}
  elders: {kind: old, copies: 3, starts: box, home: box}
zones: {box: {}, hand: {scope: player}, row: {order: row}}
tracks:
  told: {of: crew-card card, scope: player, starts: none}
  eldest: {of: old card, scope: player, starts: none}
  child-age: {scope: young card}
  age: {scope: old card}
  fame: {scope: old}
  child-fame: {scope: young}
  favourite: {of: old, starts: none}
  pupil: {of: young, starts: none}
lists:
  years: {of: number, scope: old card, at-most: 5}
  titles: {of: number, scope: old, at-most: 5}
  met: {of: old card, scope: player, at-most: 3}
---
setup: begin
steps: [{id: deal, do: "each p in players: move 1 crew-card from box to p's hand"}]
---
round: day
phases: [work]
---
phase: work
steps:
  - id: act
    turns: players
    steps:
      - id: choose
        options:
          play: {each: {card: hand}, do: move card to row}
          promote: {each: {card: hand where it is old}, when: "card's age > 1", do: move card to row}
          tell: {each: {card: hand where it is crew-card}, do: told = card}
          wait: |
            each c in (box where it is old):
              c's age += 1
              add 1 to c's years
            each c in (box where it is young): c's child-age += 1
            each c in every old:
              c's fame += 1
              add 1 to c's titles
            each c in every young: c's child-fame += 1
---
winner: all
among: players
"""
HAND = "given: {phase: work.act.choose, turn: ben, ben: {hand: [pink-2, blue-1], told: pink-2}}\n"
ELDERS = "given: {phase: work.act.choose, turn: ben, ben: {hand: [2 old], eldest: old}}\n"


def given(more: str) -> str:
    return f"given: {{phase: work.act.choose, turn: ben, {more}}}\n"


GOOD = {
    "a card that a track holds is named as any other": HAND
    + """\
when:
  - offers: {ben: [play pink-2, play blue-1, tell pink-2, tell blue-1, wait]}
  - refuses: {ben: {choice: play pink-1}}
  - ben: {choice: play pink-2}
then: ["ben's told is pink-2 and count(row) is 1"]
""",
    "or with its mark": HAND
    + """\
when:
  - ben: {choice: play pink-2+told/ben=it}
then: ["ben's told is pink-2 and count(row) is 1"]
""",
    "of two equal cards, the one that is held has a mark": ELDERS
    + """\
when:
  - offers: {ben: [play old, play old+eldest/ben=it, wait]}
  - ben: {choice: play old}
  - then: ["count(row where it is not ben's eldest) is 1"]
""",
    "and the mark names it": ELDERS
    + """\
when:
  - ben: {choice: play old+eldest/ben=it}
  - then: ["count(row where it is ben's eldest) is 1"]
""",
    "one value for all equal cards": given("age: {old: 4}")
    + """\
then: ["(total age over (box where it is old)) is 12"]
""",
    "values for the only copy": given("child-age: {young: 4}, child-fame: {young: 5}")
    + """\
then: ["(total child-age over (box where it is young)) is 4", "(total child-fame over every young) is 5"]
""",
    "a value for a definition with equal copies": given("fame: {old: 3}")
    + """\
then: ["(total fame over every old) is 3"]
""",
    "values for the copies in the order of the position": given(
        "ann: {hand: [old]}, row: [old, old], age: {old: [7, 5, 6]}"
    )
    + """\
then: ["row[1]'s age is 5", "row[2]'s age is 6", "(total age over ann's hand) is 7"]
""",
    "fewer values than copies": given("row: [old, old], age: {old: [7, 5]}")
    + """\
then: ["row[1]'s age is 7", "row[2]'s age is 5", "(total age over box) is 0 or count(box) > 0"]
""",
    "a definition, which a track holds": given("favourite: old, pupil: young")
    + """\
then: [favourite is old, pupil is young]
""",
    "a card of the player's own": given("ann: {hand: [old], eldest: old}, ben: {hand: [old], eldest: old}")
    + """\
then: ["ann's eldest in ann's hand", "ben's eldest in ben's hand"]
""",
    "different copies in a list": given("ben: {met: [old, old]}")
    + """\
then: ["count(ben's met) is 2"]
""",
    "an option for each copy that differs": """\
given: {phase: work.act.choose, turn: ben, ben: {hand: [3 old]}, age: {old: [0, 2, 2]}}
when:
  - offers: {ben: [play old, play old+age=2, promote old+age=2, wait]}
  - ben: {choice: promote old}
then: ["(total age over ben's hand) is 2 and count(row) is 1"]
""",
    "lists of copies and definitions": given("years: {old: [3, 4]}, titles: {old: [8]}")
    + """\
then: ["(total (count(it's years)) over (box where it is old)) is 6", "(total count(titles) over every old) is 1"]
""",
}
BAD = {
    "fame: {old: 3, odl: 4}": ("there is no `old` called `odl`", "odl", "did you mean `old`?"),
    "age: {young: 4}": ("there is no `old` called `young`", "young", "there are: `old`"),
    "age: {old: [1, 2, 3, 4]}": ("there are 3 cards old, but 4 values", "[1, 2, 3, 4]", ""),
    "fame: {old: [1, 2]}": ("`fame` takes one value here", "[1, 2]", "write, for example, `fame: 3`"),
    "age: {old: [1, many]}": ("`age` cannot be `many`", "many", "expected a number from"),
    "titles: {odl: [1]}": ("there is no `old` called `odl`", "odl", "did you mean `old`?"),
    "favourite: young": ("`favourite` cannot be `young`", "young", "expected `old` or `none`"),
    "ann: {told: odl}": ("`told` cannot be `odl`", "odl", "expected"),
    "ann: {hand: [old]}, ben: {eldest: young}": ("`eldest` cannot be `young`", "young", "expected `old` or `none`"),
}


def outcome(run: Run, tmp_path: Path, scenario: str, *options: str) -> str:
    folder = tmp_path / "crew"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    (folder / "scenarios" / "one.yaml").write_text(f"scenario: One\nplayers: [ann, ben]\n{scenario}", "utf-8")
    ran = run("test", str(folder), *options)
    return ran.out + ran.err


@pytest.mark.parametrize("what", GOOD)
def test_equal_cards_and_held_cards(run: Run, tmp_path: Path, what: str) -> None:
    out = outcome(run, tmp_path, GOOD[what])
    assert "crew: 1 passed" in out, out


@pytest.mark.parametrize("more", BAD)
def test_values_that_no_card_can_have(run: Run, tmp_path: Path, more: str) -> None:
    """The place that is wrong is marked, and not the title."""
    message, marked, hint = BAD[more]
    out = outcome(run, tmp_path, given(more) + "then: [count(row) is 0]\n")
    assert message in out and hint in out, out
    lines = out.splitlines()
    source = next(number for number, line in enumerate(lines) if "given:" in line)
    at = lines[source + 1].index("^")
    assert lines[source][at : at + lines[source + 1].count("^")] == marked, out
