"""What people type at a decision."""

from __future__ import annotations

import pytest

from interpreter.views.decision import Decision
from interpreter.views.options import Option
from tools.playing.answer_parser import Unclear, understand

OPTIONS = tuple(
    Option(key, (), count) for key, count in (("sword", 2), ("shield", 1), ("crown", 1), ("none-such", 1))
)
LABELS = ["Sword", "Shield", "Crown", "None such"]


def decision(least: int = 0, most: int = 4) -> Decision:
    return Decision(0, 0, "choice", least, most, OPTIONS, 0)


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("1", ["sword"]),
        ("  2 ", ["shield"]),
        ("1 1 3", ["sword", "sword", "crown"]),
        ("1,1, 3", ["sword", "sword", "crown"]),
        ("2-4", ["shield", "crown", "none-such"]),
        ("2 - 3 1", ["shield", "crown", "sword"]),
        ("all", ["sword", "sword", "shield", "crown", "none-such"]),
        ("", []),
        ("none", []),
        ("cro", ["crown"]),
        ("CROWN", ["crown"]),
        ("none-such", ["none-such"]),
    ],
)
def test_understood(typed: str, keys: list[str]) -> None:
    assert understand(typed, decision(), LABELS, "en") == keys


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("0", "0: there are options 1 to 4"),
        ("5", "5: there are options 1 to 4"),
        ("3-2", "3-2: a range goes from a smaller number to a greater one"),
        ("1-", "1-: type the number of an option"),
        ("s", "s: that could be Sword, Shield"),
        ("axe", "axe: type the number of an option"),
        ("99999999999999999999", "there are options 1 to 4"),
        ("1-99999999999999999999", "there are options 1 to 4"),
    ],
)
def test_unclear(typed: str, message: str) -> None:
    with pytest.raises(Unclear, match=message):
        understand(typed, decision(), LABELS, "en")


def test_nothing_where_something_must_be_chosen() -> None:
    with pytest.raises(Unclear):
        understand("", decision(1), LABELS, "en")


def test_spanish() -> None:
    assert understand("todas", decision(), LABELS, "es") == understand("all", decision(), LABELS, "es")
    with pytest.raises(Unclear, match="hay opciones de la 1 a la 4"):
        understand("9", decision(), LABELS, "es")
