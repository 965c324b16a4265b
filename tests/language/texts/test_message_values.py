"""Messages that take values: what readers see of them, on all backends.

Expected lines come from the texts of `tests/packs/gallery` and from `docs/reference/language.md`.
"""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.events import BACK, Event, redact
from rulewright.interpreter.views.narration import narrate
from rulewright.interpreter.views.view import for_spectator, for_witness
from rulewright.ruleset.lower.lowering import lower
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.language.gallery import ACT, GALLERY, gallery
from tests.positions import Table, of, pack_of, program_of
from tests.small_packs import pack_in


def lines(table: Table, language: str, reader: int) -> tuple[str, ...]:
    events = [event for event in table.game.events(reader) if event.kind == "announced"]
    texts = PackTexts(table.program, pack_of(GALLERY))
    return narrate(table.program, events, language, texts, reader)


@pytest.mark.parametrize(
    ("language", "reader", "line"),
    [
        ("en", 0, "Player 2 praises red 1 and gold 4 for 2 points."),
        ("en", 1, "You praise red 1 and gold 4 for 2 points."),
        ("es", 0, "Jugador 2 elogia roja 1 y dorada 4 por 2 puntos."),
    ],
)
def test_values_are_passed_under_other_names(language: str, reader: int, line: str) -> None:
    table = gallery(others="crate", wall=["red-1", "gold-4"])
    table.answer(0, ACT, "rehang:seat-2")
    assert lines(table, language, reader) == (line,)


def test_one_card_stands_for_a_list() -> None:
    table = gallery(others="crate", mine=["blue-3"])
    table.answer(0, ACT, "sell")
    if table.asked[0] == (0, "turn.act.sell.sold"):
        table.answer(0, "turn.act.sell.sold", "blue-3")
    assert lines(table, "en", 0) == ("Player 2 praises blue 3 for 3 points.",)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_message_that_would_show_no_card_is_not_written(language: str) -> None:
    """The wall is empty, so there is nothing to praise."""
    table = gallery(others="crate", mine=["red-1"])
    table.answer(0, ACT, "rehang:seat-2")
    assert lines(table, language, 0) == lines(table, language, 1) == ()


def test_the_log_keeps_the_answer_before_a_message_that_is_not_written() -> None:
    table = gallery(others="crate")
    chronicle = Chronicle(table.program, PackTexts(table.program, pack_of(GALLERY)), "en", 0)
    chronicle.tell(table.game.events())
    chronicle.rest()
    before = len(table.game.events())
    table.answer(0, ACT, "rehang:seat-2")
    told = [line.text for line in [*chronicle.tell(table.game.events()[before:]), *chronicle.rest()]]
    assert any("rehang" in line.lower() for line in told), told
    assert not any("praise" in line for line in told)


STAY = "stay open for red, blue and gold"


@pytest.mark.parametrize(
    ("language", "late", "wall", "line"),
    [
        ("en", 2, ["red-1", "gold-2"], f"Player 1 and Player 2 {STAY} of 1 and 2: red 1 and gold 2."),
        ("en", 3, ["red-1"], f"Player 1, Player 2 and Player 3 {STAY} of 1: red 1."),
        ("en", 1, ["red-1"], f"Player 1 {STAY} of 1: red 1."),
        ("es", 2, ["gold-4"], "Jugador 1 y Jugador 2 no cierran por roja, azul y dorada de 1: dorada 4."),
        ("en", 0, ["red-1"], None),  # nobody stays open
        ("en", 2, [], None),
    ],
)
def test_lists_are_joined(language: str, late: int, wall: list[str], line: str | None) -> None:
    """The acting player is the last one who decides to stay open."""
    actor = 0
    table = Table.start(program_of(GALLERY, 3))
    table.arrange(
        zones={of(0, "wall"): wall},
        tracks={("open-late", seat): int(seat < late) for seat in range(3)} | {("open-late", actor): int(not late)},
    )
    table.answer(actor, ACT, "stay")
    for reader in range(3):
        assert lines(table, language, reader) == (() if line is None else (line,))


SHY = """\
pack: shy
players: 2
kinds: {mask: {fields: {worth: 1 to 3}}}
components: {masks: {kind: mask, each: {worth: all}, starts: "bag", name: "mask {worth}"}}
zones:
  bag: {order: pile, seen-by: nobody}
  held: {scope: player, seen-by: owner}
tracks: {rounds: number}
messages:
  shy: {takes: {what: list of card, who: player}, text: "{who} has {what}"}
---
setup: deal
steps:
  - {id: deal, do: "each p in players: move top of bag to p's held"}
---
round: turn
turns-from: first of players
until: rounds > 1
steps:
  - id: tell
    do: |
      rounds += 1
      announce shy with what = next(you)'s held, who = next(you)
      choose one:
        wait: do nothing
        go: do nothing
---
finish: end
---
winner: all
among: players
"""


def test_only_what_a_message_shows_counts() -> None:
    """Other words for an empty list are a line; a text that does not show the list is one, too."""
    text = "{n, plural, =0 {{who} has nothing} other {{who} has {what}}}"
    shy = SHY.replace("who: player}", "who: player, n: number}").replace('"{who} has {what}"', f'"{text}"')
    shy = shy.replace("what = next(you)'s held", "what = none, n = 0")
    pack = pack_in(shy)
    game = Table.start(lower(pack, 2, {})).game
    told = [event for event in game.events(0) if event.kind == "announced"]
    assert narrate(game.program, told, "en", PackTexts(game.program, pack), 0) == ("Player 2 has nothing.",)


def test_a_message_shows_no_card_that_its_reader_does_not_see() -> None:
    pack = pack_in(SHY)
    program = lower(pack, 2, {})
    game = Table.start(program).game
    texts = PackTexts(program, pack)
    told = [
        narrate(program, [one for one in game.events(seat) if one.kind == "announced"], "en", texts, seat)
        for seat in (0, 1)
    ]
    assert told[0] == ("Player 2 has a card.",)
    assert told[1] == ("Player 2 has mask 2.",)



PAIR = """\
pack: pair
players: 2
kinds: {mask: {fields: {worth: 1 to 6}}}
components: {masks: {kind: mask, each: {worth: all}, starts: "bag", name: "mask {worth}"}}
zones:
  bag: {order: pile, seen-by: nobody}
  held: {scope: player, seen-by: owner}
  tower: {order: pile, seen-by: nobody, top-seen-by: all}
  shelf: {order: row}
tracks: {rounds: number}
messages:
  beats: {takes: {one: card, two: card}, text: "{one} beats {two}"}
  all-of: {takes: {what: list of card}, text: "here: {what}"}
---
setup: deal
steps:
  - id: deal
    do: |
      shuffle bag
      move top of bag to tower
      move top 2 of bag to bottom of tower
      move top of bag to shelf
      each p in players: move top of bag to p's held
---
round: turn
turns-from: first of players
until: rounds > 1
steps:
  - id: tell
    do: |
      rounds += 1
      choose exactly 2 masks from tower as both
      announce beats with one = first of held, two = first of shelf
      announce all-of with what = both
---
finish: end
---
winner: all
among: players
"""


def test_a_hidden_card_hides_no_others_beside_it() -> None:
    """Of a tower all see the top; player 1 holds a card that player 2 does not see, and all see the shelf."""
    pack = pack_in(PAIR)
    program = lower(pack, 2, {})
    table, texts = Table.start(program), PackTexts(program, pack)
    table.answer(0, "turn.tell.both", table.options[0], table.options[2])
    held, open_one, top = (f"mask {table.cards(zone)[-1]}" for zone in ("held/1", "shelf", "tower"))
    told = [narrate(program, table.game.events(seat), "en", texts, seat) for seat in (0, 1)]
    mixed = f"Here: {top} and a card."
    assert {f"You choose {top} and a card.", f"{held.capitalize()} beats {open_one}.", mixed} <= {*told[0]}
    assert {f"Player 1 chooses {top} and a card.", f"A card beats {open_one}.", mixed} <= {*told[1]}


def test_a_spectator_reads_of_a_message_what_all_read() -> None:
    """Of three cards all see the second, and player 1 the first two; a witness reads what any player reads."""
    said = Event("announced", (0, 1, 2), (7, 3, 5), 0b11, 0, 0, ((0b01,), (0b11, 0)))
    assert [redact(said, seat).cards for seat in (0, 1)] == [(7, 3, BACK), (BACK, 3, BACK)]
    assert redact(for_spectator(said, 2), 2).cards == (BACK, 3, BACK)
    assert for_witness(said).cards == (7, 3, BACK)


def test_backs_come_last_among_the_cards_of_a_value() -> None:
    """The place of a hidden card among others says nothing about it."""
    ways = [((7, 3), ((0b01, 0b11),)), ((3, 7), ((0b11, 0b01),))]
    read = [redact(Event("announced", (0, 2), cards, 0b11, 0, 0, each), 1) for cards, each in ways]
    assert [one.cards for one in read] == [(3, BACK), (3, BACK)]
