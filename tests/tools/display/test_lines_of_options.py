"""The log uses the pack's own line for an option or for a change of a track."""

from __future__ import annotations

from pathlib import Path

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.tools.harness import gates

PACK = """\
name: {en: Gates, es: Puertas}
languages: [en, es]
zones:
  row: {name: {en: gems of the day, es: gemas del día}, plural: true, order: row, seen-by: all}
  hand: {scope: player, order: bag, seen-by: owner}
tracks:
  steps: {name: {en: Steps, es: Pasos}, at-least: 0, at-most: 99}
  awake: {of: boolean, scope: player, name: {en: awake, es: despierto}}
  open: {of: boolean, name: {en: gate open, es: puerta abierta}}
  guarded:
    of: boolean
    scope: [player, season]
    log:
      en: "{you, select, yes {You are} other {{seat} is}} {on, select, yes {} other {no longer }}safe in {season}"
      es: "{seat} {on, select, yes {} other {ya no }}tiene guardia en {season}"
  weather: {of: season, log: {en: "It is {value}", es: "Es {value}"}}
  quiet: {log: ""}
"""
ROUND = """\
round: day
turns-from: first of players
until: steps > 30
steps:
  - id: go
    options:
      wait: steps += 1
      visit:
        each: {friend: others, far: season}
        log:
          en: "{you, select, yes {You visit} other {{seat} visits}} {friend} in {far}"
          es: "{you, select, yes {Visitas} other {{seat} visita}} a {friend} en {far}"
        do: steps += 10
      hide: {log: "", do: steps += 10}
      call: {do: open bell}
      wake:
        log: ""
        do: |
          awake = true
          open = true
          guarded[autumn] = true
          weather = autumn
          quiet += 1
          shuffle row
      doze:
        log: ""
        do: |
          each p in players: p's awake = false
          guarded[autumn] = false
  - id: rest
    do: |
      may sleep: steps += 1
"""
WORDS = """\
window: bell
asks: others
options:
  ring: steps += 1
  hum:
    log: {en: "{seat} hums", es: "{seat} tararea"}
    do: steps += 2
---
enumerations:
  season: {spring: {en: spring, es: primavera}, autumn: {en: autumn, es: otoño}}
---
prompts:
  day.rest.sleep: {en: Do you sleep?, es: "¿Duermes?"}
  day.rest.sleep.sleep: {en: to sleep, es: dormir}
  day.rest.sleep.sleep.log:
    en: "{you, select, yes {you sleep} other {{seat} sleeps}}"
    es: "{you, select, yes {duermes} other {{seat} duerme}}"
  day.rest.sleep.decline.log: ""
  bell.reaction.pass.log: {en: "{seat} hears nothing", es: "{seat} no oye nada"}
"""


def answered(folder: Path, *answers: tuple[int, str]) -> tuple[list[str], list[str]]:
    """The lines after these answers: for the first seat in English, for the second in Spanish."""
    (folder / "pack.yaml").write_text(gates(PACK, "gem: opal\n", "setup: deal\nsteps: []\n", ROUND, WORDS), "utf-8")
    program = load(folder).program
    assert program is not None
    table = lower(program, 2, {})
    game, texts = Game.start(table, 1), PackTexts(table, program)
    for seat, key in answers:
        outcome = game.apply(seat, [key])
        assert not isinstance(outcome, Refusal), outcome
    told = []
    for language, reader in (("en", 0), ("es", 1)):
        log = Chronicle(table, texts, language, reader)
        told.append([line.text for line in (*log.tell(game.events()), *log.rest()) if line.sort == "text"])
    return told[0], told[1]


def test_an_option_is_told_by_its_own_line(tmp_path: Path) -> None:
    english, spanish = answered(tmp_path, (0, "visit:seat-2,autumn"))
    assert english == ["You visit Player 2 in autumn.", "Steps: 10."]
    assert spanish == ["Jugador 1 visita a Jugador 2 en otoño.", "Pasos: 10."]


def test_an_empty_line_tells_nothing(tmp_path: Path) -> None:
    english, _ = answered(tmp_path, (0, "hide"))
    assert english == ["Steps: 10."]


def test_an_option_without_a_line_is_told_by_its_name(tmp_path: Path) -> None:
    english, _ = answered(tmp_path, (0, "wait"))
    assert english[0] == "You choose wait."


def test_sentences_and_windows_have_their_lines_among_the_questions(tmp_path: Path) -> None:
    english, spanish = answered(tmp_path, (0, "wait"), (0, "sleep"))
    assert english[-2:] == ["You sleep.", "Steps: 2."]
    assert spanish[-2:] == ["Jugador 1 duerme.", "Pasos: 2."]
    assert "hear" not in " ".join(answered(tmp_path, (0, "wait"), (0, "decline"))[0])
    english, spanish = answered(tmp_path, (0, "call"), (1, "hum"))
    assert english == ["You choose call.", "Player 2 hums.", "Steps: 2."]
    assert answered(tmp_path, (0, "call"), (1, "pass"))[0][-1] == "Player 2 hears nothing."


def test_declining_without_a_line_is_silent(tmp_path: Path) -> None:
    assert answered(tmp_path, (0, "wait"), (0, "decline"))[0] == ["You choose wait.", "Steps: 1."]


def test_a_track_is_told_by_its_own_line_or_as_a_sentence(tmp_path: Path) -> None:
    english, spanish = answered(tmp_path, (0, "wake"))
    assert english == [
        "You are awake.",
        "Gate open: yes.",
        "You are safe in autumn.",
        "It is autumn.",
        "The gems of the day are shuffled.",
    ]
    assert spanish == [
        "Jugador 1: despierto.",
        "Puerta abierta: sí.",
        "Jugador 1 tiene guardia en otoño.",
        "Es otoño.",
        "Se barajan las gemas del día.",
    ]
    again = (0, "wake"), (0, "decline"), (1, "doze")
    assert answered(tmp_path, *again)[0][-1] == "You are no longer awake."
