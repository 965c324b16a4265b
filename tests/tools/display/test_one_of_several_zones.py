"""Lines about one of several zones name the member or the definition that it belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.packs import loading

PACK = """\
pack: kiln
version: 0.1.0
format: 3
players: 2
languages: [en, es]
enumerations:
  colour: {red: {en: red, es: rojo}, blue: {en: blue, es: azul}}
kinds:
  pot: {fields: {glaze: colour}}
  sign: {}
components:
  pots:
    kind: pot
    each: {glaze: all}
    copies: 3
    starts: "heap[glaze]"
    name: {en: "{glaze} pot", es: "tarro {glaze}"}
  signs: {kind: sign, copies: 3, starts: stall}
zones:
  heap: {name: {en: heap, es: el montón}, scope: colour, order: pile, seen-by: nobody}
  stall: {name: {en: stall, es: el puesto}, scope: sign, order: pile, seen-by: nobody}
  chest: {name: {en: chest, es: el cofre}, order: pile, seen-by: nobody}
tracks: {rounds: number}
---
sign: moon
name: {en: Moon, es: Luna}
---
sign: sun
name: {en: Sun, es: Sol}
---
round: turn
turns-from: first of players
until: true
steps:
  - id: act
    do: |
      shuffle heap[blue]
      shuffle stall[moon]
      shuffle stall[sun]
      move heap[red] to chest
      shuffle chest
      move top of heap[blue] to heap[red]
---
finish: end
---
winner: all
among: players
"""


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "The heap (blue) is shuffled.",
                "The stall (Moon) is shuffled.",
                "The stall (Sun) is shuffled.",
                "3 cards go from the heap to the chest.",
                "The chest is shuffled.",
                "A card goes from the heap (blue) to the heap (red).",
            ],
        ),
        (
            "es",
            [
                "Se baraja el montón (azul).",
                "Se baraja el puesto (Luna).",
                "Se baraja el puesto (Sol).",
                "3 cartas van del montón al cofre.",
                "Se baraja el cofre.",
                "Una carta va del montón (azul) al montón (rojo).",
            ],
        ),
    ],
)
def test_which_zone(tmp_path: Path, language: str, lines: list[str]) -> None:
    (tmp_path / "pack.yaml").write_text(PACK, "utf-8")
    program = loading.compile_pack(str(tmp_path)).program
    game = Game.start(loading.table(program, 2, ()), 1)
    chronicle = Chronicle(game.program, PackTexts(game.program, program), language, 0)
    told = [*chronicle.tell(game.events()), *chronicle.rest()]
    assert [line.text for line in told if line.sort == "text"][: len(lines)] == lines
