"""Parsing the answers that people type at a decision."""

from __future__ import annotations

import re

import pytest
from attrs import evolve

from rulewright.interpreter.views.decision import Decision, Option
from rulewright.tools.playing.answer_parser import Unclear, numbers_of, understand

OPTIONS = tuple(
    Option(key, (), count) for key, count in (("sword", 2), ("shield", 1), ("crown", 1), ("none-such", 1))
)
LABELS = ["Sword", "Shield", "Crown", "None such"]


def decision(least: int = 0, most: int = 5) -> Decision:
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
        ("such", ["none-such"]),
        ("none-such", ["none-such"]),
        ("suc", ["none-such"]),
    ],
)
def test_understood(typed: str, keys: list[str]) -> None:
    assert understand(typed, decision(), LABELS, "en") == keys


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("0", "0 is not an option; type 1 to 4"),
        ("5", "5 is not an option; type 1 to 4"),
        ("3-2", "3-2: in a range the smaller number comes first"),
        ("1-", "1- is not an option; type the number of one"),
        ("s", r"s could be 1 \(Sword\) or 2 \(Shield\); type the number"),
        ("uch", "uch is not an option; type the number of one"),
        ("axe", "axe is not an option; type the number of one"),
        ("99999999999999999999", "is not an option; type 1 to 4"),
        ("1-99999999999999999999", "is not an option; type 1 to 4"),
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
    with pytest.raises(Unclear, match="9 no es una opción; escribe de 1 a 4"):
        understand("9", decision(), LABELS, "es")


@pytest.mark.parametrize(
    ("least", "most", "typed", "english", "spanish"),
    [
        (1, 1, "", "Choose 1; you chose none", "Elige 1; no has elegido ninguna"),
        (1, 2, "", "Choose at least 1; you chose none", "Elige al menos 1; no has elegido ninguna"),
        (3, 3, "1", "Choose 3; you chose 1", "Elige 3; has elegido 1"),
        (2, 3, "1", "Choose at least 2; you chose 1", "Elige al menos 2; has elegido 1"),
        (0, 1, "1 2", "Choose at most 1; you chose 2", "Elige 1 como máximo; has elegido 2"),
        (0, 3, "2 2", "Shield twice, but there is only one", "Shield dos veces, pero solo hay una"),
        (0, 3, "1 1 1", "You chose Sword 3 times, but there are only 2", "3 veces, pero solo hay 2"),
    ],
)
def test_how_many(least: int, most: int, typed: str, english: str, spanish: str) -> None:
    for language, message in (("en", english), ("es", spanish)):
        with pytest.raises(Unclear, match=message):
            understand(typed, evolve(decision(least), most=most), LABELS, language)


BIDS = ["Bid 0", "Bid 1", "Bid 3", "Bid 4"]


def bids(*keys: str) -> Decision:
    return Decision(0, 0, "choice", 1, 1, tuple(Option(key, (), 1) for key in keys), 0)


def test_options_that_offer_numbers_have_these_numbers() -> None:
    """Typing 1 bids 1, and the missing 2 is not an option."""
    offered = bids("bid:0", "bid:1", "bid:3", "bid:4")
    assert numbers_of(offered.options, BIDS) == [0, 1, 3, 4]
    assert [understand(typed, offered, BIDS, "en") for typed in ("0", "1", "4", "bid 3")] == [
        ["bid:0"], ["bid:1"], ["bid:4"], ["bid:3"]
    ]  # fmt: skip
    for typed, told in (("2", "one of the numbers shown"), ("5", "one of the numbers shown"), ("bid", "0 (Bid 0)")):
        with pytest.raises(Unclear, match=re.escape(told)):
            understand(typed, offered, BIDS, "en")
    with pytest.raises(Unclear, match="7 is not an option; type 2 to 4"):
        understand("7", bids("2", "3", "4"), ["2", "3", "4"], "en")


@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        (["bid:0", "bid:1", "pass"], ["Bid 0", "Bid 1", "Pass"]),
        (["red-5", "red-7"], ["Red 5", "Red 7"]),
        (["bid:2", "raise:2"], ["Bid 2", "Raise to 2"]),
        (["bid:2", "bid:3"], ["2 coins", "3 coins"]),
        (["buy:red,4", "buy:blue,5"], ["Buy red for 4", "Buy blue for 5"]),
    ],
)
def test_other_options_are_counted_from_1(keys: list[str], labels: list[str]) -> None:
    assert numbers_of(bids(*keys).options, labels) == list(range(1, len(keys) + 1))
