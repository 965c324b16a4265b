"""`rulewright doctor PACK`: how a table keeps its cards, in which forms zones are kept, and why."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tools.harness import ROOT, Run

FIRST_GAME = ("dominion", "--option", "kingdom=first-games", "--option", "treasures=all")
BAZAAR = str(ROOT / "tests" / "packs" / "bazaar")
"""Its cards are worked out from numbers."""
RANDOM = ("dominion", "--option", "kingdom=random")
ORDER = "a list of classes, because a rule observes its order"
SET = "a count of each class, because it has no order"
PILE = "a count of each class, because no rule observes its order"
EQUAL = "only a number, because its cards are all equal"
NONE_APART = "\nNo rule tells equal cards apart.\n"


def told(run: Run, *given: str) -> str:
    ran = run("doctor", *given)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def examined(run: Run, *given: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(told(run, *given, "--json"))
    return report


def zones(text: str) -> dict[str, str]:
    """The lines of zones: each is a name and, after two spaces, a form."""
    parts = (line.rsplit("  ", 1) for line in text.split("\n\n")[1].splitlines())
    return {name.strip(): form for name, form in parts}


def test_a_table_without_individual_cards(run: Run) -> None:
    text = told(run, *FIRST_GAME)
    assert text.startswith("dominion 1.0.0: 2 players, kingdom=first-games")
    assert "\n270 cards in 17 classes: whole games keep equal cards of a class together.\n" in text
    assert zones(text) == {
        "supply (17 of 32 zones)": EQUAL,
        "supply (15 of 32 zones)": "always empty",
        "box": SET,
        "trash": ORDER,
        "deck of each player": ORDER,
        "hand of each player": SET,
        "discard of each player": PILE,
        "in-play of each player": PILE,
        "aside of each player": "always empty",
    }
    assert text.endswith(NONE_APART)


def test_individual_cards_are_grouped_by_reason(run: Run) -> None:
    text = told(run, *RANDOM)
    assert "\n418 cards in 168 classes" in text
    found = zones(text)
    assert found["supply/copper, supply/silver, supply/gold, supply/feast"] == ORDER
    assert found["supply (28 of 32 zones)"] == EQUAL
    _, _, apart = text.partition("Rules tell some equal cards apart, so each of these is a class of its own:\n")
    lines = apart.splitlines()
    assert lines[0].startswith("  thief.attack ") and lines[0].endswith(":")
    assert lines[1] == "    Copper (60), Silver (40), Gold (30)"
    assert lines[2].startswith("  feast.play ") and lines[2].endswith(":")
    assert lines[3:] == ["    Feast (10)"]


def test_names_are_in_the_language_asked_for(run: Run) -> None:
    assert "\n    Cobre (60), Plata (40), Oro (30)\n" in told(run, *RANDOM, "--lang", "es")


def test_the_number_of_players(run: Run) -> None:
    assert examined(run, "coup")["players"] == 2
    report = examined(run, "rattus-cartus", "--table", "3")
    assert report["players"] == 3
    [hand] = [zone for zone in report["zones"] if zone["zone"] == "hand"]
    assert hand["instances"] == ["hand/1", "hand/2", "hand/3"]
    assert report["told_apart"] == []
    assert run("doctor", "coup", "--table", "40").code == 2


def test_influence_is_counted(run: Run) -> None:
    text = told(run, "coup")
    found = zones(text)
    assert (found["court"], found["influence of each player"]) == (ORDER, SET)
    assert found["lost of each player"] == PILE
    assert text.endswith(NONE_APART)


def test_a_table_that_keeps_every_card(run: Run) -> None:
    text = told(run, BAZAAR)
    assert "\n24 cards, each kept by itself: " in text
    report = examined(run, BAZAAR)
    assert (report["by_class"], report["classes"], report["zones"]) == (False, None, [])
    assert text.endswith(f": {report['why_not']}.\n")


def test_a_deck_without_equal_cards(run: Run) -> None:
    assert "\n52 cards, all different: each is a class of its own.\n" in told(run, "tutorial")


def test_as_data(run: Run) -> None:
    report = examined(run, *RANDOM)
    assert (report["version"], report["pack"], report["by_class"], report["why_not"]) == (1, "dominion", True, None)
    assert (report["cards"], report["classes"]) == (418, 168)
    assert report["options"]["kingdom"] == "random"
    assert "program" not in report
    thief, feast = report["told_apart"]
    assert feast["cards"] == [{"card": "feast", "name": "Feast", "copies": 10}]
    assert sum(card["copies"] for card in thief["cards"]) == 130
    [deck] = [zone for zone in report["zones"] if zone["zone"] == "deck"]
    assert deck == {
        "zone": "deck", "instances": ["deck/1", "deck/2"], "of": 2, "owned": True,
        "order": "pile", "form": "order", "most_classes": 168,
    }  # fmt: skip


@pytest.mark.parametrize("pack", ["coup", BAZAAR])
def test_the_program(run: Run, pack: str) -> None:
    text, report = told(run, pack, "--program"), examined(run, pack, "--program")
    lines = report["program"]
    assert any(line.endswith("(the game begins here)") for line in lines)
    assert text == told(run, pack) + "\n" + "".join(f"{line}\n" for line in lines)
    assert ("classes" in lines) == report["by_class"]


@pytest.mark.parametrize("given", [("--table", "2"), ("--program",), ("--option", "a=b"), ("--with", "x")])
def test_a_table_needs_a_pack(run: Run, given: tuple[str, ...]) -> None:
    ran = run("doctor", *given)
    assert (ran.code, ran.out) == (2, "")
    assert "name its PACK" in ran.err


def test_the_page_on_speed_shows_what_is_printed(run: Run) -> None:
    page = (ROOT / "docs" / "explanation" / "speed.md").read_text("utf-8")
    assert f"$ rulewright doctor {' '.join(RANDOM)}\n{told(run, *RANDOM)}```\n" in page
