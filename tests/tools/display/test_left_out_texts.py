"""Reasons built from what a condition compares, in both languages: only from parts with names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.views.narration import Narrator
from rulewright.tools.display.decision_texts import LeftOutTexts
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.naming import naming
from tests.positions import Table
from tests.small_packs import pack_in, started

PACK = """\
pack: pier
version: 0.1.0
format: 3
name: {en: Pier, es: Muelle}
languages: [en, es]
players: 2
enumerations:
  colour: {red: {en: red, es: rojo}, blue: {en: blue, es: azul}}
  shape: [round, square]
kinds:
  crate:
    fields:
      colour: {type: colour, default: red}
      shape: {type: shape, default: round}
      weight: {type: 0 to 9, default: 2}
components: {crates: {kind: crate, starts: quay, home: quay}}
zones:
  quay: {order: row, seen-by: all, name: {en: quay, es: el muelle}}
  hold: {order: bag, scope: player, seen-by: all, name: {en: hold, es: la bodega}}
  ditch: {order: bag, seen-by: all}
tracks:
  coins:
    name: {en: "{count, plural, one {coin} other {coins}}", es: "{count, plural, one {moneda} other {monedas}}"}
    scope: player
    starts: 3
  tide: {name: {en: tide, es: marea}, of: number, starts: 1}
  wanted: {name: {en: wanted colour, es: color pedido}, of: colour, starts: blue}
  ready: {name: {en: ready, es: listo}, of: boolean, scope: player}
  open: {name: {en: open, es: abierto}, of: boolean}
  depth: {of: number, starts: 1}
  secret: {name: {en: secret, es: secreto}, of: number, scope: player, seen-by: owner}
---
crate: chest
name: {en: chest, es: cofre}
copies: 1
---
crate: barrel
name: {en: barrel, es: barril}
copies: 1
---
function: rich
takes: {p: player}
is: p's coins > 9
---
round: turn
name: {en: turn, es: turno}
turns-from: first of players
until: tide > 9
steps:
  - id: act
    options:
      stay: do nothing
      wait: do nothing
      OPTION
---
winner: all
among: players
order: [most coins]
"""

EXPECTED = [
    ("when: coins >= 5", "You have 3 coins; at least 5 needed.", "Tienes 3 monedas; se necesita un mínimo de 5."),
    ("when: 5 <= coins", "You have 3 coins; at least 5 needed.", "Tienes 3 monedas; se necesita un mínimo de 5."),
    ("when: coins > 3", "You have 3 coins; more than 3 needed.", "Tienes 3 monedas; se necesita más de 3."),
    ("when: coins < 3", "You have 3 coins; fewer than 3 allowed.", "Tienes 3 monedas; se permite menos de 3."),
    ("when: not coins > 2", "You have 3 coins; at most 2 allowed.", "Tienes 3 monedas; se permite un máximo de 2."),
    ("unless: coins > 2", "You have 3 coins; at most 2 allowed.", "Tienes 3 monedas; se permite un máximo de 2."),
    ("when: coins is 1", "You have 3 coins; exactly 1 needed.", "Tienes 3 monedas; se necesita exactamente 1."),
    ("when: coins is not 3", "You have 3 coins; any other number needed.",
     "Tienes 3 monedas; se necesita otro número."),
    ("when: not (coins is 3 or open)", "You have 3 coins; any other number needed.",
     "Tienes 3 monedas; se necesita otro número."),
    ("when: rich(you)", "You have 3 coins; more than 9 needed.", "Tienes 3 monedas; se necesita más de 9."),
    ("when: not rich(you) and rich(you)", "You have 3 coins; more than 9 needed.",
     "Tienes 3 monedas; se necesita más de 9."),
    ("when: tide > 1 and coins > 9", "Tide: 1; more than 1 needed.", "Marea: 1; se necesita más de 1."),
    ("when: coins > 1 and tide > coins", "Tide: 1; more than 3 needed.", "Marea: 1; se necesita más de 3."),
    ("each: {p: others where it's coins > 3}", "Player 2 has 3 coins; more than 3 needed.",
     "Jugador 2 tiene 3 monedas; se necesita más de 3."),
    ("when: wanted is red", "Wanted colour: blue.", "Color pedido: azul."),
    ("when: ready", "You are not ready.", "Tú: no listo."),
    ("each: {p: others where it's ready}", "Player 2 is not ready.", "Jugador 2: no listo."),
    ("when: open", "Open: no.", "Abierto: no."),
    ("when: hold is not empty", "There are no cards in your hold.", "No hay cartas en tu bodega."),
    ("when: quay is empty", "There are cards in the quay.", "Hay cartas en el muelle."),
    ("each: {crate: quay where it is barrel}", "Needed: barrel.", "Se necesita: barril."),
    ("each: {crate: quay where colour is blue}", "Needed: blue.", "Se necesita: azul."),
    ("each: {p: others where it's secret > 3}", "Something that you do not see decides.",
     "Decide algo que no ves."),
]  # fmt: skip
NAMELESS = [
    "when: depth > 1", "when: ditch is not empty",
    "when: coins > 9 or tide > 9", "each: {crate: quay where weight > 5}", "when: count(quay) > 9",
    "each: {crate: quay where shape is square}", "when: any crate in quay where weight > 5",
]  # fmt: skip


def told(condition: str) -> list[tuple[str, str]]:
    """The reasons for the option with this condition, in English and Spanish."""
    text = PACK.replace("OPTION", f"go:\n        {condition}\n        do: do nothing")
    table: Table = started(text)
    names = naming(table.program, Compiled(Path("small"), pack_in(text), {}))
    texts = [
        LeftOutTexts(Narrator(table.program, language, names.texts, 0), names, table.game, table.decision)
        for language in ("en", "es")
    ]
    return [(texts[0].text(one), texts[1].text(one)) for one in texts[0].found() or ()]


@pytest.mark.parametrize(("condition", "english", "spanish"), EXPECTED, ids=[one[0] for one in EXPECTED])
def test_reasons_of_parts_with_names(condition: str, english: str, spanish: str) -> None:
    assert {*told(condition)} == {(english, spanish)}


@pytest.mark.parametrize("condition", NAMELESS)
def test_without_names_there_is_no_reason(condition: str) -> None:
    assert {*told(condition)} == {("", "")}
