"""A pack ends a round sooner, and steps that another pack inserted there may run less often."""

from __future__ import annotations

import pytest

from tests.house.strangers import FLIPPED, renamed
from tests.house.together import codes, together

SOONER = "change: round/night\nset: {until: rounds >= 2}"
LATER = "change: round/night\nset: {until: (coins-are-out or rounds > 6) and rounds >= 3}\n---\n"
LATER += "function: coins-are-out\nis: bank is empty"
PHASE = "change: phase/market\nbefore: {id: dew, steps: [{id: fall, do: rounds += 1}]}"
CASES = {
    "a step in a phase": ("change: step/market.count\nbefore: {id: dew, turns: players, do: coins += 1}", True),
    "sentences of an option": ("change: step/market.buy.pass\nafter: coins += 1", True),
    "a step around one": ("change: step/market.count\naround: {id: late, when: rounds > 1}", True),
    "a phase": (PHASE, True),
    "a hook under a condition": ("hook: dew\nbefore: step/market.count\nwhen: rounds is 2\ndo: rounds += 1", True),
    "a hook at every such moment": ("hook: dew\nbefore: step/market.count\ndo: rounds += 1", False),
    "what is set": ("change: step/market.buy.pass\nset: coins += 2", False),
    "the set-up": ("change: step/start.deal\nafter: {id: dew, turns: players, do: coins += 1}", False),
    "a verb": ("change: verb/draw\nafter: coins += 1", False),
}  # fmt: skip
"""What another pack does, and whether it stands in the round."""


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_sooner(case: str, flip: bool) -> None:
    text, inside = CASES[case]
    names = FLIPPED if flip else {"fog": "fog", "rain": "rain"}
    found = together(**{names["fog"]: SOONER, names["rain"]: renamed(text, names)})
    assert codes(found) == ["RW635"] * inside
    for finding in found.findings:
        assert f"`{names['fog']}` sets `until` of `round/night`" in finding.message
        assert finding.message.endswith("may happen less often, or never")
        assert finding.span.path == f"{names['rain']}/rules.yaml"
        assert [label.span.path for label in finding.labels] == [f"{names['fog']}/rules.yaml"]


@pytest.mark.parametrize("case", CASES)
def test_surely_not_sooner(case: str) -> None:
    """The round ends only where it would have ended, too."""
    assert codes(together(fog=LATER, rain=CASES[case][0])) == []


def test_one_of_each_pack() -> None:
    """Several inserts of a pack have one reason, and one finding."""
    rain = f"{CASES['a step in a phase'][0]}\n---\n{CASES['sentences of an option'][0]}"
    assert codes(together(fog=SOONER, rain=rain, snow=CASES["a phase"][0])) == ["RW635", "RW635"]


def test_said_that_it_is_meant() -> None:
    for case, (text, _) in CASES.items():
        assert codes(together(fog=SOONER, rain=f"after: [fog]\n...\n{text}")) == [], case


def test_unless_is_told_as_it_is() -> None:
    """`unless` says when a step does not happen."""
    fog = "change: step/market.buy\nset: {unless: rounds is 1}"
    inside = together(fog=fog, rain="change: step/market.buy.pass\nafter: coins += 1")
    beside = together(fog=fog, rain=CASES["a phase"][0].replace("phase/market", "step/market.buy"))
    assert inside.findings[0].message.endswith("happens only where it does not hold")
    assert beside.findings[0].message.endswith("also happens where it holds")
