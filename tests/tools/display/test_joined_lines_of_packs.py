"""Lines of a pack's own about one seat are joined: the subject is said once, to every reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.packs import loading

PACK = """\
pack: beach
version: 0.1.0
format: 3
players: 2
languages: [en, es]
tracks: {shells: {scope: player, name: {en: shells, es: conchas}}}
---
round: turn
name: {en: Turn, es: Turno}
turns-from: first of players
until: shells > 0
steps:
  - id: act
    do: |
      announce crabs
      announce gulls
      shells += 1
      announce rests
      announce sleeps
---
messages:
  crabs:
    en: "{you, select, yes {You score} other {{seat} scores}} 6 for crabs"
    es: "{you, select, yes {Ganas} other {{seat} gana}} 6 por los cangrejos"
  gulls:
    en: "{you, select, yes {You score} other {{seat} scores}} 6 for most gulls"
    es: "{you, select, yes {Tú ganas} other {{seat} gana}} 6 por las gaviotas"
  rests: {en: "{seat} rests", es: "{seat} descansa"}
  sleeps: {en: "{seat} sleeps", es: "{seat} duerme"}
---
winner: all
among: players
"""


@pytest.mark.parametrize(
    ("language", "reader", "lines"),
    [
        (
            "en",
            0,
            ["You score 6 for crabs · score 6 for most gulls · gain 1 shells.", "Player 1 rests · sleeps."],
        ),
        (
            "en",
            1,
            [
                "Player 1 scores 6 for crabs · scores 6 for most gulls · gains 1 shells · rests · sleeps.",
                "You and Player 1 win the game.",
            ],
        ),
        (
            "es",
            0,
            [
                "Ganas 6 por los cangrejos · ganas 6 por las gaviotas · ganas 1 conchas.",
                "Jugador 1 descansa · duerme.",
            ],
        ),
    ],
)
def test_the_subject_is_said_once(tmp_path: Path, language: str, reader: int, lines: list[str]) -> None:
    """A line that names its reader by the seat is not joined to one that says "you"."""
    (tmp_path / "pack.yaml").write_text(PACK, "utf-8")
    program = loading.compile_pack(str(tmp_path)).program
    game = Game.start(loading.table(program, 2, ()), 1)
    chronicle = Chronicle(game.program, PackTexts(game.program, program), language, reader)
    told = [*chronicle.tell(game.events()), *chronicle.rest()]
    assert [line.text for line in told if line.sort == "text"][: len(lines)] == lines
