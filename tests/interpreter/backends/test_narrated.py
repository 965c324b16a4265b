"""What only narration reads fails on every backend, or on none: most builds leave it out."""

from __future__ import annotations

import pytest

from tests.interpreter.lockstep import lockstep
from tests.small_packs import lowered

PACK = """\
pack: narrated
version: 0.1.0
format: 3
name: {en: Narrated}
players: 2
languages: [en]
kinds:
  gem: {fields: {worth: 1 to 3}}
components:
  gems: {kind: gem, each: {worth: all}, starts: sack, home: sack, name: {en: "gem {worth}"}}
zones:
  sack: {name: {en: sack}, order: pile, seen-by: nobody}
  heap: {name: {en: heap}, order: pile, seen-by: all}
tracks:
  boss: {name: {en: boss}, of: player, starts: none}
  prize: {name: {en: prize}, of: gem card, starts: none}
  turns: {name: {en: turns}}
messages:
  priced: {en: "{seat} asks for {price}"}
  sorted: {en: "{seat} has {wares}"}
  billed: {en: "{prize's worth}"}
---
function: price
gives: number
is: PRICE
---
function: wares
gives: list of card
is: sack where worth > 6 div turns
---
round: turn
turns-from: first of players
until: turns >= 4
steps:
  - id: act
    name: {en: NAME}
    do: EFFECT
  - id: count
    do: turns += 1
---
winner: best
among: players
order: [most turns]
"""
DIVISION = "6 div turns"
CASES: dict[str, tuple[dict[str, str], str]] = {
    "an order that nobody chooses": ({"EFFECT": "boss moves heap to sack in any order"}, "absent"),
    "a number in a message": ({"EFFECT": "announce priced", "PRICE": DIVISION}, "zero-division"),
    "a number out of bounds in a message": (
        {"EFFECT": "announce priced", "PRICE": "2000000000 + 2000000000 * (turns + 1)"}, "overflow"
    ),
    "cards in a message": ({"EFFECT": "announce sorted"}, "zero-division"),
    "the name of a step": ({"NAME": '"{price}"', "PRICE": DIVISION}, "zero-division"),
    "a field of no card": ({"EFFECT": "announce billed"}, "absent"),
}
"""What the pack has in these places, and the rule error of every game."""
PLAIN = {"EFFECT": "move top of sack to heap", "PRICE": "1", "NAME": "act"}


@pytest.mark.parametrize("name", CASES)
def test_a_part_that_fails(name: str) -> None:
    changes, error = CASES[name]
    text = PACK
    for place, words in {**PLAIN, **changes}.items():
        text = text.replace(place, words)
    assert lockstep(lowered(text), 2, 1).errors == {error: 2}
