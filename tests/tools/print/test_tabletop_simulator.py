"""Images and the saved object for Tabletop Simulator; ids are worked out by hand."""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.tools.faces import emblem_of
from rulewright.tools.print.card_pages import MOST, Grid, PrintedBack, _grid, resolution, saved_object
from rulewright.tools.print.deck import PrintedCard
from rulewright.tools.print.imposition import CARD
from tests.tools.harness import Run
from tests.tools.print.test_fitting import FACE


def test_a_deck(run: Run) -> None:
    """Five characters and the hidden face are six places in one row; the game has three of each."""
    ran = run("print", "coup", "--tabletop-simulator", "-o", "coup.png")
    assert ran.out == "coup.json: 15 cards from 1 image\n"
    saved = json.loads(Path("coup.json").read_text("utf-8"))
    [deck] = saved["ObjectStates"]
    assert deck["Name"] == "DeckCustom"
    assert deck["DeckIDs"] == [100 + place for place in range(5) for _ in range(3)]
    assert list(deck["CustomDeck"]) == ["1"]
    assert (deck["CustomDeck"]["1"]["NumWidth"], deck["CustomDeck"]["1"]["NumHeight"]) == (6, 2)
    assert deck["CustomDeck"]["1"]["FaceURL"] == Path("coup.png").resolve().as_uri()
    assert deck["CustomDeck"]["1"]["BackURL"] == Path("coup-back.png").resolve().as_uri()
    cards = deck["ContainedObjects"]
    assert [card["CardID"] for card in cards] == deck["DeckIDs"]
    assert Counter(card["Nickname"] for card in cards) == dict.fromkeys(
        ("Duke", "Assassin", "Captain", "Ambassador", "Contessa"), 3
    )
    assert cards[0]["Description"] == "Tax: take 3 coins. Blocks Foreign Aid."


def test_images(run: Run) -> None:
    """Six cards of 63 mm at 150 dots an inch: 378 mm are 2232 dots; every row is there."""
    run("print", "coup", "--tabletop-simulator", "-o", "coup.png")
    for name, wide, high in (("coup.png", 6 * 63, 2 * 88), ("coup-back.png", 63, 88)):
        data = Path(name).read_bytes()
        width, height, depth, colours = struct.unpack(">IIBB", data[16:26])
        assert abs(width - wide / 25.4 * 150) <= 1.5
        assert abs(height - high / 25.4 * 150) <= 1.5
        assert (depth, colours) == (8, 2)
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at : at + 8])
            body = data[at + 8 : at + 8 + length]
            assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
            packed += body if kind == b"IDAT" else b""
            at += 12 + length
        assert len(zlib.decompress(packed)) == height * (1 + 3 * width)


@pytest.mark.slow
def test_several_sheets(run: Run) -> None:
    """35 different cards in hands, one token, and 60 buildings have backs of their own."""
    ran = run("print", "rattus-cartus", "--tabletop-simulator", "-o", "deck.png")
    assert ran.out == "deck.json: 230 cards from 3 images\n"
    saved = json.loads(Path("deck.json").read_text("utf-8"))
    numbers = [len(one["DeckIDs"]) for one in saved["ObjectStates"]]
    assert numbers == [84 + 15 + 51, 20, 60]
    names = [one["Nickname"] for one in saved["ObjectStates"]]
    assert names == ["Rattus Cartus", "Victory point token", "Building"]
    assert saved["ObjectStates"][2]["DeckIDs"][:6] == [300, 301, 302, 303, 304, 305]
    assert Path("deck-3-back.png").exists()


def test_no_sheet_has_more_than_69_cards() -> None:
    back = PrintedBack("Gates", "1", emblem_of("gates"))
    items = [PrintedCard(evolve(FACE, definition=f"gem-{n}"), 1) for n in range(MOST)]
    full = _grid(back, CARD, items)
    assert (MOST, full.columns, full.rows) == (69, 10, 7)
    assert resolution([full]) == 150  # 630 mm are 3720 dots, 616 mm 3638; at most 4096
    big = evolve(full, size=evolve(CARD, width=150))
    assert resolution([big]) == 69  # 1500 mm are 59.06 inches; 4096 / 59.06 = 69.4
    one = _grid(back, CARD, items[:1])
    assert (one.columns, one.rows) == (2, 2)


def cards(count: int, copies: int = 1, **changes: Any) -> list[PrintedCard]:
    return [
        PrintedCard(evolve(FACE, definition=f"gem-{n}", name=f"Gem {n}", **changes), copies) for n in range(count)
    ]


BACK = PrintedBack("Gates", "1", emblem_of("gates"))
OTHER = PrintedBack("Bells", "2", emblem_of("bells"))


def saved(*found: Grid) -> dict[str, Any]:
    files = [(f"https://x/{n}.png", f"https://x/{n}-back.png") for n in range(1, len(found) + 1)]
    about: Any = None  # the game itself is not named in a saved object
    return saved_object(about, found, files)


def test_the_format_of_a_saved_object() -> None:
    """Names and types are those of the pages that `tools/print/card_pages.py` cites, and of saved games.

    Each sheet is `CustomDeck[N]`. Place p of sheet N has the id 100 × N + p, and every card names its sheet again.
    """
    made = saved(_grid(BACK, CARD, cards(69)), _grid(BACK, CARD, cards(3, copies=2)), _grid(OTHER, CARD, cards(1)))
    outer = {"SaveName", "GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn"}
    assert {key for key, value in made.items() if value == ""} == outer
    assert made.keys() == {*outer, "ObjectStates"}
    deck, single = made["ObjectStates"]
    assert deck["Name"] == "DeckCustom"
    assert deck["DeckIDs"] == [*range(100, 169), 200, 200, 201, 201, 202, 202]
    assert deck["CustomDeck"] == {
        "1": {
            "FaceURL": "https://x/1.png", "BackURL": "https://x/1-back.png", "NumWidth": 10, "NumHeight": 7,
            "BackIsHidden": True, "UniqueBack": False, "Type": 0,
        },
        "2": {
            "FaceURL": "https://x/2.png", "BackURL": "https://x/2-back.png", "NumWidth": 4, "NumHeight": 2,
            "BackIsHidden": True, "UniqueBack": False, "Type": 0,
        },
    }  # fmt: skip
    for number, one in zip(deck["DeckIDs"], deck["ContainedObjects"], strict=True):
        assert (one["Name"], one["CardID"], one["SidewaysCard"]) == ("Card", number, False)
        sheet = str(number // 100)
        assert one["CustomDeck"] == {sheet: deck["CustomDeck"][sheet]}
    assert (single["Name"], single["CardID"], [*single["CustomDeck"]]) == ("Card", 300, ["3"])
    places = {"posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ"}
    for one in (deck, single, *deck["ContainedObjects"]):
        assert {key: type(value) for key, value in one["Transform"].items()} == dict.fromkeys(places, float)
        assert one["Transform"]["rotZ"] == 180, "cards are face down"


@pytest.mark.parametrize("count", [1, 2, 9, 10, 19, 68, 69])
def test_a_sheet_has_at_most_ten_columns_and_seven_rows_and_a_place_to_spare(count: int) -> None:
    grid = _grid(BACK, CARD, cards(count))
    assert 2 <= grid.columns <= 10
    assert 2 <= grid.rows <= 7
    assert count < grid.columns * grid.rows, "the last place is not for a card"
    assert (grid.rows - 1) * grid.columns < max(count + 1, 2 * grid.columns), "no row is empty without need"


def test_wide_cards_are_sideways_and_sizes_are_not_mixed() -> None:
    made = saved(_grid(BACK, CARD, cards(2)), _grid(BACK, CARD.turned, cards(2)))
    assert [one["SidewaysCard"] for one in made["ObjectStates"]] == [False, True]
    assert [one["DeckIDs"] for one in made["ObjectStates"]] == [[100, 101], [200, 201]]
