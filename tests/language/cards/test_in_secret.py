"""Cards shown in secret: only the player who sees them learns that they were shown."""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.narration import narrate
from rulewright.ruleset.lower.lowering import lower
from rulewright.tools.common.display_texts import PackTexts
from tests.positions import Table
from tests.small_packs import pack_in

PACK = """\
pack: whispers
players: 3
kinds: {role: {}}
components: {roles: {kind: role, copies: 1, starts: deck}}
zones:
  deck: {order: pile, seen-by: nobody}
  held: {scope: player, order: bag, seen-by: nobody}
tracks: {rounds: number}
---
role: spy
name: Spy
---
role: guard
name: Guard
---
role: clerk
name: Clerk
---
setup: begin
steps:
  - id: deal
    do: |
      each p in players: move top of deck to p's held
---
round: turn
turns-from: first of players
until: rounds > 2
steps:
  - id: show
    do: |
      rounds += 1
      choose one:
        whisper: reveal next(you)'s held to you%s
        look: look at held%s
---
finish: end
---
winner: one
among: players
"""


def _table(adverb: str) -> tuple[Table, PackTexts]:
    pack = pack_in(PACK % (adverb, adverb))
    program = lower(pack, 3, {})
    return Table.start(program), PackTexts(program, pack)


@pytest.mark.parametrize("what", ["whisper", "look"])
def test_the_others_learn_nothing(what: str) -> None:
    table, texts = _table(" in secret")
    before = [len(table.game.events(seat)) for seat in range(3)]
    views = [table.game.view(seat) for seat in (1, 2)]
    table.answer(0, "turn.show.choice", what)
    events = [table.game.events(seat)[before[seat] :] for seat in range(3)]
    shown = table.cards("held/2" if what == "whisper" else "held/1")[0].capitalize()
    assert any(shown in line for line in narrate(table.program, events[0], "en", texts, 0))
    assert [any(one.kind == "revealed" for one in seen) for seen in events] == [True, False, False]
    assert [one.zones for one in views] == [table.game.view(seat).zones for seat in (1, 2)]


@pytest.mark.parametrize("what", ["whisper", "look"])
def test_without_the_adverb_they_learn_that_cards_were_shown(what: str) -> None:
    table, texts = _table("")
    before = len(table.game.events(2))
    table.answer(0, "turn.show.choice", what)
    lines = narrate(table.program, table.game.events(2)[before:], "en", texts, 2)
    assert any("a card" in line for line in lines), lines
