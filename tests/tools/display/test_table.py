"""The table of each seat at several widths, in both languages; the snapshots are meant to be read.

Positions are arranged in small packs, so that what must be seen can be told from the position. What stands in
Rattus Cartus changes with its content, and is only looked at for what must hold anywhere.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import View, ZoneView
from rulewright.ruleset.pipeline import load
from rulewright.tools.common.display_texts import PackTexts, copy_notes
from rulewright.tools.common.output import FULL, PLAIN
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.display.screen import Screen, draw, draw_zone
from rulewright.tools.display.table_content import KERNEL_KEYS, ZoneText, arrange
from rulewright.tools.packs.naming import Naming
from rulewright.tools.packs.source_excerpts import SourceIndex
from rulewright.tools.playing.human_turn import HumanDecision, Person
from tests.positions import Table, hand, of, pack_of, program_of
from tests.tools.harness import CONTENT, ROOT

PACKS = ROOT / "tests" / "packs"
BAZAAR = PACKS / "bazaar"
WHISPERS = ROOT / "tests" / "tools" / "whispers"
WIDTHS = (40, 60, 80, 120)


@cache
def naming_of(pack: Path, seats: int, *options: tuple[str, str]) -> Naming:
    loaded, program = load(pack), pack_of(pack)
    book = SourceIndex(program, loaded.sources)
    notes = {language: copy_notes(program, language) for language in ("en", "es")}
    return Naming(PackTexts(program_of(pack, seats, *options), program), notes, book)


def screen_of(table: Table, pack: Path, seat: int, width: int, language: str, encoding: str = "utf-8") -> Screen:
    naming = naming_of(pack, table.program.seats)
    chronicle = Chronicle(table.program, naming.texts, language, seat)
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=PLAIN)
    return Screen(chronicle.narrator, Console(file=file, width=width, highlight=False, emoji=False, markup=False))


def written(screen: Screen) -> str:
    file = screen.console.file
    assert isinstance(file, io.TextIOWrapper) and isinstance(file.buffer, io.BytesIO)
    file.flush()
    return file.buffer.getvalue().decode(file.encoding)


def seen(
    table: Table, pack: Path, seat: int, width: int = 80, language: str = "en", encoding: str = "utf-8"
) -> str:
    """What a person is shown when it is their turn, or, when it is not, the table alone."""
    screen = screen_of(table, pack, seat, width, language, encoding)
    naming = naming_of(pack, table.program.seats)
    chronicle = Chronicle(table.program, naming.texts, language, seat)
    lines = [*chronicle.tell(table.game.events()), *chronicle.rest()]
    own = next((one for one in table.game.decisions if one.seat == seat), None)
    if own is None:
        draw(screen, table.game.view(seat), naming.layout)
    else:
        screen.console.input = lambda *_, **__: "u"
        Person(screen, naming).ask(HumanDecision(table.game, own, chronicle.position, lines))
    return written(screen)


def bazaar(seats: int = 3) -> Table:
    """Player 2 has fame before Player 1, as high; each has cards of their own."""
    table = Table.start(program_of(BAZAAR, seats))
    table.until("turn.act.choice", seat=0)
    return table.arrange(
        zones={"shelf": ["1-red", "5-blue", "5-blue"], hand(0): ["1-red", "3-blue", "3-blue", "5-red"]},
        tracks={
            ("coins", 0): 4,
            ("coins", 1): 12,
            ("debt", 0): 2,
            ("fame", 1, "red"): 2,
            ("fame", 0, "red"): 2,
            ("fame", 2, "red"): 1,
        },
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_pack_with_a_layout(seat: int, width: int, snapshot: SnapshotAssertion) -> None:
    assert seen(bazaar(), BAZAAR, seat, width) == snapshot


def test_in_spanish(snapshot: SnapshotAssertion) -> None:
    assert seen(bazaar(), BAZAAR, 0, 80, "es") == snapshot


def test_where_only_ascii_can_be_shown(snapshot: SnapshotAssertion) -> None:
    text = seen(bazaar(), BAZAAR, 0, 80, "en", "ascii")
    assert text.isascii()
    assert text.count("?") == 4, "two debts, the legend, the help: every other character has a near one"
    assert text == snapshot


@pytest.mark.parametrize(
    ("name", "choice", "seats"),
    [
        ("bluff", "role.challenge", 3),
        ("crates", "turn.pack.crate", 2),
        ("scry", "turn.act.peek.choice", 2),
        ("sealed", "bidding.offer.extra", 3),
        ("exits", "evening.wait.choice", 3),
    ],
)
def test_packs_without_a_layout(name: str, choice: str, seats: int, snapshot: SnapshotAssertion) -> None:
    table = Table.start(program_of(PACKS / name, seats))
    if name == "bluff":
        table.answer(table.decision.seat, "turn.act.choice", "tax")
    elif name == "crates":
        table.answer(0, "turn.act.choice", "ship")
        table.answer(0, "turn.act.ship.load", *table.options[:2])
    elif name == "scry":
        table.answer(0, "turn.act.choice", "peek")
    else:
        table.until(choice)
    seat = table.game.decisions[0].seat
    assert table.game.decisions[0].choice == choice
    assert seen(table, PACKS / name, seat) == snapshot


# ------------------------------------------------------------------ what must hold

def test_equal_numbers_are_told_with_their_order() -> None:
    """Player 2 was there before Player 1; of Player 3, whose number is another, no order is told."""
    (line,) = (line for line in seen(bazaar(), BAZAAR, 0).split("\n") if line.startswith("Fame (red)"))
    assert line.split() == ["Fame", "(red)", "2", "(2nd)", "2", "(1st)", "1"]


def test_what_only_you_see_is_marked() -> None:
    text = seen(bazaar(), BAZAAR, 0)
    assert "Your hand ◦" in text
    (debt,) = (line for line in text.split("\n") if line.startswith("Debt"))
    assert debt.split() == ["Debt", "2", "◦", "?", "?"]
    (coins,) = (line for line in text.split("\n") if line.startswith("Coins"))
    assert "◦" not in coins


def test_no_card_of_others_is_shown() -> None:
    """Every lamp but those that are arranged lies where Player 1 cannot see it."""
    text = seen(bazaar(), BAZAAR, 0)
    for name in ("blue lamp 1", "red lamp 3"):
        assert name not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.parent.name for path in PACKS.glob("*/pack.yaml")))
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_longer_than_the_terminal(name: str, width: int) -> None:
    pack = pack_of(PACKS / name)
    for seats in {pack.least_players, pack.most_players}:
        table = Table.start(program_of(PACKS / name, seats))
        for number in range(10):
            for line in seen(table, PACKS / name, number % seats, width).split("\n"):
                assert len(line) <= width
                assert line == line.rstrip() or "decision" in line, line
            if table.game.result is not None:  # in some of the packs without an answer
                break
            try:
                table.step()
            except RuleFault:  # some of the packs show what a rule error is
                break


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_shipped_game(language: str, width: int) -> None:
    table = Table.start(program_of(CONTENT, 4))
    for number in range(24):
        text = seen(table, CONTENT, number % 4, width, language)
        assert max(len(line) for line in text.split("\n")) <= width
        assert "{" not in text
        table.step()


def test_a_place_in_full() -> None:
    table = bazaar()
    screen = screen_of(table, BAZAAR, 0, 80, "en")
    assert draw_zone(screen, table.game.view(0), "sh")
    assert written(screen) == "Shelf  1. red lamp 1  2. blue lamp 5  3. blue lamp 5\n"
    screen = screen_of(table, BAZAAR, 0, 80, "en")
    assert not draw_zone(screen, table.game.view(0), "attic")


def test_what_is_hidden_can_still_be_asked_for() -> None:
    text = seen(bazaar(), BAZAAR, 0)
    assert "Turns" not in text


def test_everything_stands_in_one_group() -> None:
    """With a layout or without, all that a view holds is shown once, or hidden; functions are not in views."""
    for path in [*PACKS.iterdir(), CONTENT]:
        pack = pack_of(path)
        program = program_of(path, pack.least_players)
        view: View = Table.start(program).game.view(0)
        there = {zone.zone for zone in view.zones} | {track.key for track in view.tracks}
        there = {key for key in (*there, *(items.key for items in view.lists)) if "/" not in key}
        for layout in (pack.table_layout, None):
            things = [thing for group in arrange(program, layout) for thing in group.things]
            placed = [thing.key for thing in things if thing.sort != "function"]
            hidden = set(layout.hidden) if layout else set()
            assert len(placed) == len(set(placed))
            assert set(placed) | hidden == there - set(KERNEL_KEYS)


def test_a_layout_is_no_part_of_what_is_played() -> None:
    assert "table_layout" not in {field.name for field in program_of(BAZAAR, 2).__attrs_attrs__}


def test_a_size_that_nobody_sees() -> None:
    table = Table.start(program_of(WHISPERS, 2))
    (row,) = (line for line in seen(table, WHISPERS, 0).split("\n") if line.startswith("Vault"))
    assert row.split() == ["Vault", "?", "?"]


def test_what_a_seat_knows_of_a_hidden_row() -> None:
    table = Table.start(program_of(BAZAAR, 2))
    table.until("turn.act.choice", seat=0)
    table.answer(0, "turn.act.choice", "pry")
    own, other = seen(table, BAZAAR, 0), seen(table, BAZAAR, 1)
    key = table.program.cards[table.numbered(of(0, "chest"))[0]].key
    cost, colour = key.split("-")
    assert f"Your chest   a card; you remember place 1: {colour} lamp {cost}" in own
    assert "you remember" not in other


def test_of_hidden_cards_only_their_number_is_told() -> None:
    """The influence of the other stands among the numbers, and has no line of its own."""
    table = Table.start(program_of(PACKS / "bluff", 2))
    seat = table.decision.seat
    table.answer(seat, "turn.act.choice", "tax")
    told = seen(table, PACKS / "bluff", seat)
    assert "Your influence ◦" in told
    assert f"Player {2 - seat}'s influence" not in told, "nothing is known of it"


@pytest.mark.parametrize(
    ("key", "cards", "known", "told"),
    [
        ("deck", (None, None, "3", "0"), (), "4 cards; you remember the top: 0, then 3"),
        ("deck", (None, "2", None, None), (), "4 cards; you remember number 3 from the top: 2"),
        ("deck", (None, None), (("1", 1),), "2 cards; you remember 1"),
        ("buried", (None, None), (("1", 2),), "2 cards; you remember 2 × 1"),
        ("buried", (), (), "–"),
        ("hand/1", ("0", "0", "3"), (), "2 × 0, 3"),
        ("altars", ("altar", "altar"), (), "1. altar|2. altar"),
    ],
)
def test_how_a_zone_is_told(
    key: str, cards: tuple[str | None, ...], known: tuple[tuple[str, int], ...], told: str
) -> None:
    """Of a pile the top is its last card."""
    program = program_of(PACKS / "scry", 2)
    info = next(zone for zone in program.zones if zone.key == key)
    text = ZoneText(Narrator(program, reader=0), FULL)
    zone = ZoneView(key, info.zone, info.owner, len(cards), cards, known, ())
    assert text.lines(zone) == told.split("|")


def test_the_forms_of_a_zone() -> None:
    program = program_of(PACKS / "crates", 2)
    text = ZoneText(Narrator(program, reader=0), FULL)
    zone = ZoneView("dock", "dock", -1, 3, ("1", "3", "1"), (), ())
    assert {form: text.lines(zone, form) for form in ("cards", "line", "places", "top", "count")} == {
        "cards": ["2 × 1, 3"],
        "line": ["1, 3, 1"],
        "places": ["1. 1", "2. 3", "3. 1"],
        "top": ["3 cards, on top 1"],
        "count": ["3 cards"],
    }


def test_a_zone_on_one_line() -> None:
    """In the order of a row, with what the cards carry; equal cards of a bag together; hidden cards as ever."""
    program = program_of(PACKS / "crates", 2)
    text = ZoneText(Narrator(program, reader=0), FULL)
    marks = ((), (("hauls", "2"),), ())
    assert text.lines(ZoneView("dock", "dock", -1, 3, ("1", "3", "1"), (), marks), "line") == ["1, 3 [hauls: 2], 1"]
    assert text.lines(ZoneView("hand/1", "hand", 0, 3, ("1", "3", "1"), (), ()), "line") == ["2 × 1, 3"]
    assert text.lines(ZoneView("yard", "yard", -1, 2, (None, None), (), ()), "line") == ["2 cards"]
    assert text.lines(ZoneView("dock", "dock", -1, 0, (), (), ()), "line") == ["–"]
