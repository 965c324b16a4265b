"""Pairs of changes by independent packs: names do not affect the verdict or the game.

By default each change meets a few others; `RULEWRIGHT_ALL_PAIRS=1` compares all of them (some minutes).
"""

from __future__ import annotations

import os
from itertools import combinations_with_replacement

import pytest

from tests.house.strangers import FLIPPED, renamed, verdict
from tests.house.together import together

CHANGES = (
    "change: charm/bell\nset: {cost: 4}",
    "change: charm/bell\nset: {cost: {was: 3, to: 5}}",
    "change: charm/bell\nset: {play: draw 2}",
    "change: charm/bell.play\nset: {was: draw 1, to: draw (2)}",
    "change: charm/bell.play\nafter: draw 1",
    "change: every charm where cost is 3\nset: {cost: 4}",
    "change: every charm where cost > 3\nset: {play: draw 3}",
    "change: every charm where cost < 3\nmatches: 1\nset: {play: draw 3}",
    "change: every charm where it is feather\nremove: true",
    "change: charm/feather\nremove: true",
    "change: charm/feather\nremove: [attack]",
    "change: charm/feather.attack\nremove: true",
    "change: charm/feather.attack\nbefore: draw 1",
    "change: charm/feather\nset: {attack: victim discards 2 cards, cost: 2}",
    "change: every charm\nset: {attack: victim discards 2 cards}",
    "charm: gong\ncost: 3\nplay: draw 1",
    "charm: gong\ncost: 3\nplay: draw 1\n---\nchange: charm/gong\nset: {cost: 4}",
    "change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}",
    "change: kind/charm\nadd: {fields: {weight: {default: 1, type: 0 to 9}}}\n---\n"
    "change: charm/bell\nset: {weight: 2}",
    "change: every charm where weight is 1\nset: {cost: 2}",
    "change: kind/charm\nset: {fields.cost: 0 to 5}",
    "change: value/hand-size\nset: 5",
    "change: value/hand-size\nset: {by-players.2: 4}",
    "change: value/hand-size\nadd: {by-players: {3: 4}}",
    "change: zone/bank\nadd: {accepts: [charm]}",
    "change: zone/bank\nset: {accepts: [coin, charm]}",
    "change: enumeration/colour\nadd: [violet]",
    "change: enumeration/colour\nset: [red, green, blue, violet]",
    "change: phase/market\nset: {steps: [{id: buy, turns: players, do: coins += 1}, {id: count, do: rounds += 1}]}",
    "change: phase/market\nremove: {steps: [count]}",
    "change: step/market.count\nremove: true",
    "change: step/market.count\nset: {when: rounds > 2}",
    "change: step/market.count\nset: {when: (rounds > 2)}",
    "change: step/market.count\nbefore: {id: alms, turns: players, do: coins += 1}",
    "change: step/market.count\naround: {id: late, when: rounds < 9}",
    "change: phase/market\naround: {id: open, when: rounds < 9}",
    "change: phase/market\nset: {steps.count.when: rounds > 2}",
    "change: step/market.count\nset: {to: {id: count, do: rounds += 2}}",
    "change: phase/market\nadd: {steps: [{id: more, do: rounds += 1}]}",
    "change: phase/market\nafter: {id: dusk, steps: [{id: fade, do: do nothing}]}",
    "change: every phase where it is dusk\nset: {source: by hand}",
    "change: function/price\naround: proceed + 1",
    "change: function/price.is\naround: 2 * proceed",
    "change: function/price\nset: {is: 4}",
    "change: function/price\nset: {is: {was: 3, to: 5}}",
    "change: function/price\nremove: true",
    "change: round/night.until\naround: proceed or deck is empty",
    "change: step/market.count\nset: {when: rounds < 8}\n---\nchange: step/market.count.when\naround: not proceed",
    "change: award/light\nremove: true",
    "change: award/light\nbefore: {id: presence, sum: 3}",
    "change: zone/hand\nset: {name: {en: fist, es: mano}}",
    "change: zone/hand\nset: {name.en: 'fist # 1'}",
    "change: pack/lanterns\nset: {name: Lamps}",
    "change: pack/lanterns\nset: {name.en: Lamps}",
    "change: option/long-night\nremove: true",
    "change: option/long-night\nset: {default: true}",
    "values: {dusk: 2}\n---\nchange: verb/rest\nset: {do: coins += dusk}",
)  # fmt: skip
PAIRS = tuple(combinations_with_replacement(CHANGES, 2))
STEP = 1 if os.environ.get("RULEWRIGHT_ALL_PAIRS") else 23
"""Which pairs are compared: one in so many."""
ORDERED = ("before:", "after:", "around:", "add: [", "add: {steps", "add: {accepts", "add: {fields", "charm: gong",
           "values:")  # fmt: skip
"""Where both packs put something beside other things, that stands in some order, which the hash shows."""


def compared(one: str, two: str) -> None:
    first = together(fog=one, rain=two)
    second = together(zephyr=renamed(one, FLIPPED), breeze=renamed(two, FLIPPED))
    mine, yours = verdict(first), verdict(second)
    assert mine[0] == yours[0], (first.findings, second.findings)
    if not all(any(word in text for word in ORDERED) for text in (one, two)):
        assert mine == yours


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_names_make_no_difference(part: int) -> None:
    for one, two in PAIRS[::STEP][part::8]:
        compared(one, two)
