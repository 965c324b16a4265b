"""What the log says of awards: the class, the place, and the number that was counted."""

from __future__ import annotations

import pytest

from rulewright.interpreter.views.narration import narrate
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.positions import Table
from tests.small_packs import pack_in, started

PACK = """\
pack: fair
players: 3
languages: [en, es]
enumerations:
  sign: {sun: {en: Sun, es: Sol}, moon: {en: Moon, es: Luna}}
tracks:
  shine: {of: number, scope: [player, sign], arrival: kept}
  coins: {scope: player}
---
setup: begin
steps:
  - id: shine
    do: |
      let ann = first of players
      let cam = last of players
      let ben = next(ann)
      ann's shine[sun] += 4
      ben's shine[sun] += 4
      cam's shine[moon] += 2
      ann's coins += 7
      ben's coins += 7
      cam's coins += 9
---
round: turn
turns-from: first of players
until: true
steps: [{id: rest, do: do nothing}]
---
finish: close
awards: [light, purse, richest, again]
---
award: light
name: {en: Light, es: Luz}
for-each: {sign: sign}
rank: shine[sign]
at-least: 1
ties: earlier arrival
prizes: [5, 2, 1]
---
award: purse
name: {en: Purse, es: Bolsa}
sum: coins div 7
---
award: richest
name: {en: Richest, es: Más riqueza}
majority: coins
prize: {alone: 3}
---
award: again
name: {en: Most points, es: Más puntos}
rank: score
prizes: [10, 6, 1]
---
winner: most
among: players
order: [most score]
"""


def _end(text: str = PACK) -> tuple[Table, PackTexts]:
    """A finished game, in which no player has a choice."""
    table = started(text, seats=3)
    return table, PackTexts(table.program, pack_in(text))


EN = [
    "Light (Sun): 5 points for Player 1 (first with 4) and 2 points for you (second with 4).",
    "Light (Moon): 5 points for Player 3 (first with 2).",
    "Purse: 1 point for Player 1, 1 point for you and 1 point for Player 3.",
    "Richest: 3 points for Player 3 (with 9).",
    "Most points: 10 points for Player 3 (first with 9), 6 points for Player 1 (second with 6) and "
    "1 point for you (third with 3).",
]
ES = [
    "Luz (Sol): 5 puntos para Jugador 1 (1.º con 4) y 2 puntos para ti (2.º con 4).",
    "Luz (Luna): 5 puntos para Jugador 3 (1.º con 2).",
    "Bolsa: 1 punto para Jugador 1, 1 punto para ti y 1 punto para Jugador 3.",
    "Más riqueza: 3 puntos para Jugador 3 (con 9).",
    "Más puntos: 10 puntos para Jugador 3 (1.º con 9), 6 puntos para Jugador 1 (2.º con 6) y "
    "1 punto para ti (3.º con 3).",
]


@pytest.mark.parametrize(("language", "lines"), [("en", EN), ("es", ES)])
def test_an_award_tells_places_and_numbers(language: str, lines: list[str]) -> None:
    table, texts = _end()
    log = Chronicle(table.program, texts, language, 1)
    shown = [line.text for line in [*log.tell(table.game.events(1)), *log.rest()]]
    first = shown.index(lines[0])
    assert shown[first : first + len(lines)] == lines


def test_a_narrated_award_is_a_sentence() -> None:
    table, texts = _end()
    lines = narrate(table.program, table.game.events(1), "en", texts, 1)
    assert "You score 2 points for Light (Sun) (second with 4)." in lines
    assert "Player 3 scores 3 points for Richest (with 9)." in lines
    assert "You score 1 point for Purse." in lines


@pytest.mark.parametrize(
    ("ties", "points"),
    [
        ("each", [10 + 9, 10 + 9, 1 + 5]),  # equals have the first place both; the third place has the third prize
        ("split", [8 + 9, 8 + 9, 1 + 5]),  # 10 and 6, shared by two
    ],
)
def test_payments_change_no_place_of_an_award_that_counts_points(
    ties: str, points: list[int]
) -> None:
    start = PACK.index("awards: [")
    award = f"award: most\nrank: score\nprizes: [10, 6, 1]\nties: {ties}\n"
    text = PACK[:start] + f"awards: [most]\n---\n{award}---\nwinner: most\namong: players\n"
    text = text.replace("cam's coins += 9", "ann's score += 9\n      ben's score += 9\n      cam's score += 5")
    table, _ = _end(text)
    assert table.game.result is not None and list(table.game.result.scores) == points
