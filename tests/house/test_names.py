"""Packs that know nothing of each other may use one word for two things: each means its own.

A pack is written with the words `dusk`, `dim` and `glow`. Two strangers that both use them, and a third pack that
builds on the first, make the game that one gets where each says its own words: `fog-dusk`, `rain-dusk`.
"""

from __future__ import annotations

import re

import pytest

from ruleset.canonical import program_hash
from ruleset.load import Loaded
from ruleset.lower import lower
from tests.house.together import codes, together

CASES: dict[str, tuple[str, str, str]] = {
    "a zone": (
        "zones: {dusk: {order: pile, accepts: [lantern, charm], seen-by: nobody}}",
        "move top 1 of deck to dusk",
        "move top 1 of dusk to discard",
    ),
    "a track": ("tracks: {dusk: {scope: player, at-least: 0, starts: 2}}", "dusk += 1", "dusk += coins"),
    "a list": ("lists: {dusk: {of: player}}", "add you to dusk", "if you in dusk: coins += 1"),
    "a value": ("values: {dusk: 2}", "coins += dusk", "coins -= dusk"),
    "an option": ("options: {dusk: {default: false}}", "if dusk: coins += 1", "if not dusk: coins += 2"),
    "an enumeration": (
        "enumerations: {dusk: [dim, glow]}\n---\ntracks: {NAME-seen: {scope: [player, dusk], at-least: 0}}",
        "NAME-seen[dim] += 1 then NAME-seen[glow] += 2",
        "each x in dusk: fog-seen[x] += 1",
    ),
    "a kind": (
        "kinds: {dusk: {cards: false, fields: {weight: 0 to 9}}}\n---\ndusk: dim\nweight: 3\n---\ndusk: glow\nweight: 2",
        "coins += dim's weight",
        "coins += glow's weight",
    ),
    "a function": ("function: dusk\ntakes: {dim: number}\ngives: number\nis: dim + 1", "coins += dusk(1)", "coins -= dusk(0)"),
    "a message": ("messages: {dusk: {en: It is late., es: Es tarde.}}", "announce dusk", "announce dusk"),
    "a hook that waits": (
        "hook: dusk\nbefore: verb/discard-card\nwaits: true\ndo: coins += times",
        "await dusk",
        "await dusk",
    ),
    "a modifier": (
        "modifier: dusk\nchanges: price\nis: max(0, result - 1)",
        "start dusk until the turn ends",
        "start dusk until the turn ends",
    ),
    "a window": (
        "window: dusk\ntakes: {dim: player}\nasks: players where it is dim\noptions: {glow: coins -= 1}",
        "open dusk with dim = you",
        "open dusk with dim = you",
    ),
    "a claim": (
        "claim: dusk\ntakes: {dim: charm}\nproof: hand where it is dim\nchallenge: {asks: others}\n"
        "when-true: challenger discards 1 card\nwhen-false: claimant discards 1 card",
        "claim dusk with dim = bell",
        "claim dusk with dim = feather",
    ),
    "a phase": (
        "phase: dusk\nsteps: [{id: dim, do: rounds += 0}]\n---\nchange: round/night\nadd: {phases: [dusk]}",
        "coins += 1",
        "coins += 2",
    ),
    "a phase that is put somewhere": (
        "change: phase/market\nafter: {id: dusk, steps: [{id: dim, do: rounds += 0}]}",
        "coins += 1",
        "coins += 2",
    ),
    "a step that is put somewhere": (
        "change: step/market.count\nbefore: {id: dusk, turns: players, do: draw 1}",
        "coins += 1",
        "coins += 2",
    ),
    "an award": (
        "award: dusk\nsum: coins\n---\nchange: finish/dawn\nadd: {awards: [dusk]}",
        "coins += 1",
        "coins += 2",
    ),
    "a field and an effect of a kind": (
        "change: kind/charm\nadd: {fields: {dusk: {type: 0 to 9, default: 1}}}\n---\n"
        "change: charm/feather\nset: {dusk: 4}",
        "coins += feather's dusk",
        "coins += bell's dusk",
    ),
}  # fmt: skip
"""What a pack declares, a sentence with it, and one of the pack that builds on it; `NAME` is the pack's name."""


def packs(case: str, apart: bool) -> Loaded:
    """Two strangers with the same declarations and a third pack that requires one; `apart`: each has its own words."""
    declared, said, built = CASES[case]
    fog = f"{declared}\n---\nchange: verb/draw\nafter: {said}\n"
    rain = f"{declared}\n---\nchange: verb/rest\nafter: {said}\n"
    moon = f'requires: {{fog: "*"}}\n...\nchange: verb/draw\nbefore: {built}\n'
    texts = {"fog": fog.replace("NAME", "fog"), "rain": rain.replace("NAME", "rain"), "moon": moon}
    if apart:
        owner = {"fog": "fog", "rain": "rain", "moon": "fog"}
        texts = {pack: re.sub(r"\b(dusk|dim|glow)\b", rf"{owner[pack]}-\1", text) for pack, text in texts.items()}
    return together(**texts)


@pytest.mark.parametrize("case", CASES)
def test_each_means_its_own(case: str) -> None:
    one, other = packs(case, False), packs(case, True)
    assert codes(one) == codes(other) == []
    assert one.program is not None and other.program is not None
    assert program_hash(lower(one.program, 2)) == program_hash(lower(other.program, 2))
