"""The pack's own line for a change of a number that the reader does not see."""

from __future__ import annotations

import pytest

from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.small_packs import pack_in, started

PACK = """\
pack: cellar
version: 0.1.0
format: 3
players: 2
languages: [en, es]
enumerations: {colour: {red: {en: red, es: rojo}, blue: {en: blue, es: azul}}}
tracks:
  debts:
    name: {en: debts, es: deudas}
    scope: player
    seen-by: owner
    changes-seen-by: all
    log:
      en: "{seat} {rises, select, yes {borrows} other {pays}} {amount, plural, one {# coin} other {# coins}}"
      es: "{seat} {rises, select, yes {pide} other {paga}} {amount, plural, one {# moneda} other {# monedas}}"
  wine:
    name: {en: wine, es: vino}
    scope: [player, colour]
    seen-by: owner
    changes-seen-by: all
    log: {en: "{seat} stores {amount} {colour} wine", es: "{seat} guarda {amount} de vino {colour}"}
  notes: {name: {en: notes, es: notas}, scope: player, seen-by: owner, changes-seen-by: all, log: ""}
  luck:
    name: {en: luck, es: suerte}
    scope: player
    seen-by: owner
    changes-seen-by: all
    log: {en: "{seat} has {count} luck", es: "{seat} tiene {count} de suerte"}
---
round: turn
turns-from: first of players
until: true
steps:
  - id: act
    do: |
      debts += 3
      debts -= 1
      wine[blue] += 2
      notes += 5
      luck += 4
---
finish: end
---
winner: one
among: players
"""
OWN = {
    "en": "Player 1 borrows 3 coins · pays 1 coin · stores 2 blue wine",
    "es": "Jugador 1 pide 3 monedas · paga 1 moneda · guarda 2 de vino azul",
}
"""What all read."""
LUCK = {
    ("en", 0): "has 4 luck.",
    ("es", 0): "tiene 4 de suerte.",
    ("en", 1): "gains 4 luck.",
    ("es", 1): "gana 4 suerte.",
}
"""The pack's own words show the number, so only its owner reads them."""


@pytest.mark.parametrize(("language", "reader"), LUCK)
def test_lines_that_do_not_show_the_number(language: str, reader: int) -> None:
    table = started(PACK)
    chronicle = Chronicle(table.program, PackTexts(table.program, pack_in(PACK)), language, reader)
    told = [*chronicle.tell(table.game.events()), *chronicle.rest()]
    (line, *_) = [one.text for one in told if one.sort == "text"]
    assert line.startswith(OWN[language]), line
    assert LUCK[language, reader] in line
