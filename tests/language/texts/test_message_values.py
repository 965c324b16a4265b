"""Messages that take values: what readers see of them, on all backends.

Expected lines come from the texts of `tests/packs/gallery` and from `docs/reference/language.md`.
"""

from __future__ import annotations

import pytest

from interpreter.views.narration import narrate
from ruleset.lower.lowering import lower
from tests.language.gallery import ACT, GALLERY, gallery
from tests.positions import Table, of, pack_of, program_of
from tests.small_packs import pack_in
from tools.common.display_texts import PackTexts
from tools.display.game_log import Chronicle


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
def test_values_are_passed_under_other_names(backend: str, language: str, reader: int, line: str) -> None:
    table = gallery(backend, others="crate", wall=["red-1", "gold-4"])
    table.answer(0, ACT, "rehang:seat-2")
    assert lines(table, language, reader) == (line,)


def test_one_card_stands_for_a_list(backend: str) -> None:
    table = gallery(backend, others="crate", mine=["blue-3"])
    table.answer(0, ACT, "sell")
    if table.asked[0] == (0, "turn.act.sell.sold"):
        table.answer(0, "turn.act.sell.sold", "blue-3")
    assert lines(table, "en", 0) == ("Player 2 praises blue 3 for 3 points.",)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_message_that_would_show_no_card_is_not_written(backend: str, language: str) -> None:
    """The wall is empty, so there is nothing to praise."""
    table = gallery(backend, others="crate", mine=["red-1"])
    table.answer(0, ACT, "rehang:seat-2")
    assert lines(table, language, 0) == lines(table, language, 1) == ()


def test_the_log_keeps_the_answer_before_a_message_that_is_not_written() -> None:
    table = gallery("walker", others="crate")
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
def test_lists_are_joined(backend: str, language: str, late: int, wall: list[str], line: str | None) -> None:
    """The acting player is the last one who decides to stay open."""
    actor = 0
    table = Table.start(program_of(GALLERY, 3), backend)
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


def test_only_what_a_message_shows_counts(backend: str) -> None:
    """Other words for an empty list are a line; a text that does not show the list is one, too."""
    text = "{n, plural, =0 {{who} has nothing} other {{who} has {what}}}"
    shy = SHY.replace("who: player}", "who: player, n: number}").replace('"{who} has {what}"', f'"{text}"')
    shy = shy.replace("what = next(you)'s held", "what = none, n = 0")
    pack = pack_in(shy)
    game = Table.start(lower(pack, 2, {}), backend).game
    told = [event for event in game.events(0) if event.kind == "announced"]
    assert narrate(game.program, told, "en", PackTexts(game.program, pack), 0) == ("Player 2 has nothing.",)


def test_a_message_shows_no_card_that_its_reader_does_not_see(backend: str) -> None:
    pack = pack_in(SHY)
    program = lower(pack, 2, {})
    game = Table.start(program, backend).game
    texts = PackTexts(program, pack)
    told = [
        narrate(program, [one for one in game.events(seat) if one.kind == "announced"], "en", texts, seat)
        for seat in (0, 1)
    ]
    assert told[0] == ("Player 2 has a card.",)
    assert told[1] == ("Player 2 has mask 2.",)
