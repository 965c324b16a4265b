"""Hooks and inserts of two packs under exclusive conditions: when their order matters.

It matters only where one of them makes the condition of the other true. The expected numbers are worked out by
hand beside each case.
"""

from __future__ import annotations

import pytest

from tests.house.strangers import FLIPPED, renamed
from tests.house.together import codes, together

OVER = "when: rounds > 6\ndo: rounds += 2"
APART = {
    "5 becomes 6, which is not more than 6": ("when: rounds is 5\ndo: rounds += 1", OVER),
    "more than 7 becomes 3, less than 3 at most 3": (
        "when: rounds > 7\ndo: rounds = 3", "when: rounds < 3\ndo: rounds += 1"
    ),
    "by a verb": ("when: rounds is 5\ndo: pass 1 rounds", "when: rounds > 6\ndo: pass 2 rounds"),
    "by a verb that takes what there is": (
        "when: rounds is 5\ndo: pass up to 1 rounds", OVER
    ),
    "twice, and back": (
        "when: rounds < 3\ndo: |\n  rounds += 9\n  rounds -= 8", "when: rounds > 3\ndo: rounds += 1"
    ),
    "other tracks too": (
        "when: rounds is 5 and count(row) > 2\ndo: |\n  rounds += 1\n  move row to discard", OVER
    ),
}  # fmt: skip
MEETING = {
    "5 becomes 6, which is more than 5": (
        "when: rounds is 5\ndo: rounds += 1", "when: rounds > 5\ndo: rounds += 2"
    ),
    "more than 7 becomes 2, which is less than 3": (
        "when: rounds > 7\ndo: rounds = 2", "when: rounds < 3\ndo: rounds += 1"
    ),
    "2 may become any number": ("when: rounds is 2\ndo: rounds += count(row)", OVER),
    "by a verb": ("when: rounds is 5\ndo: pass 2 rounds", "when: rounds > 6\ndo: pass 2 rounds"),
    "by a verb that takes what there is": (
        "when: rounds is 5\ndo: pass up to 2 rounds", OVER
    ),
    "in a branch": (
        "when: rounds is 5\ndo: |\n  rounds += 1\n  each p in players: rounds += 1", OVER
    ),
    "of whom it is said changes": (
        "when: starting-player's coins is 5\n"
        "do: |\n  starting-player = first of players\n  starting-player's coins += 1",
        "when: starting-player's coins > 6\ndo: rounds += 2",
    ),
    "conditions that do not exclude each other": (
        "when: rounds > 5\ndo: rounds = 1", OVER
    ),
}  # fmt: skip
VERBS = "verb: pass(es) <n> rounds\ndo: rounds += n\n---\nverb: pass(es) up to <n> rounds\n"
VERBS += "do: |\n  let gone = min(n, left)\n  left -= gone\n  rounds += gone\n"
VERBS += "---\ntracks: {left: {at-least: 0, starts: 9}}\n"


def found(one: str, two: str, flip: bool) -> list[str]:
    names = FLIPPED if flip else {"fog": "fog", "rain": "rain"}
    needs = 'requires: {base: "*"}\n...\nhook: NAME\nafter: step/market.count\n'
    texts = {names[name]: renamed(f"{needs.replace('NAME', name)}{text}", names)
             for name, text in (("fog", one), ("rain", two))}  # fmt: skip
    return codes(together(base=VERBS, **texts))


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", APART)
def test_never_both(case: str, flip: bool) -> None:
    assert found(*APART[case], flip) == []


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", MEETING)
def test_one_leads_to_the_other(case: str, flip: bool) -> None:
    assert found(*MEETING[case], flip) == ["RW626"]
