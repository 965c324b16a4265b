"""Images and the saved object for Tabletop Simulator; ids are worked out by hand."""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from tests.tools.harness import Run
from tests.tools.print.test_fitting import FACE
from tools.faces.emblem import emblem_of
from tools.print.backs import Back
from tools.print.deck import Item
from tools.print.measures import CARD
from tools.print.tabletop_simulator import MOST, _grid, resolution


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
    back = Back("Gates", "1", emblem_of("gates"))
    items = [Item(evolve(FACE, definition=f"gem-{n}"), 1) for n in range(MOST)]
    full = _grid(back, CARD, items)
    assert (MOST, full.columns, full.rows) == (69, 10, 7)
    assert resolution([full]) == 150  # 630 mm are 3720 dots, 616 mm 3638; at most 4096
    big = evolve(full, size=evolve(CARD, width=150))
    assert resolution([big]) == 69  # 1500 mm are 59.06 inches; 4096 / 59.06 = 69.4
    one = _grid(back, CARD, items[:1])
    assert (one.columns, one.rows) == (2, 2)
