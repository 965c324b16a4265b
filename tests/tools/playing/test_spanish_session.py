"""A session in Spanish: rule errors, `why`, and problems with files."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rulewright.tools.common.player_messages import reason
from rulewright.tools.playing.save_file import SaveFile
from tests.tools.harness import Run

PACK = """\
pack: braziers
version: 0.1.0
format: 3
name: {en: Braziers, es: Braseros}
languages: [en, es]
players: 2
kinds: {coal: {fields: {heat: number, pure: boolean}}}
tracks:
  sparks:
    of: number
    scope: player
    name:
      en: "{count, plural, one {# spark} other {# sparks}}"
      es: "{count, plural, one {# chispa} other {# chispas}}"
  lit: {of: boolean, name: {en: lit, es: encendido}}
components: {coals: {kind: coal, starts: heap}}
zones: {heap: {order: bag, seen-by: all, name: {en: heap, es: montón}}}
---
coal: ember
name: {en: ember, es: ascua}
copies: 3
heat: 2
pure: true
---
round: turn
turns-from: first of players
until: lit
name: {en: turn, es: turno}
steps:
  - id: act
    options:
      feed:
        name: {en: to feed the fire, es: alimentar el fuego}
        do: sparks += 12 div sparks
      blow:
        when: sparks > 3 and not lit
        name: {en: to blow, es: soplar}
        do: sparks += 1
      spin:
        name: {en: to spin, es: girar}
        do: |
          repeat while sparks < 9: lit = false
          sparks += 1
---
winner: all
among: players
"""
"""Two options raise a rule error, and one is not offered. All players have 0 sparks."""
FAULTS = {
    "en": ("rule error zero-division (", "rule error fuel (", "the loop ran 20,000 times and no player was asked; "
           "`sparks` of player 1 stayed 0"),
    "es": ("error de regla zero-division (", "error de regla fuel (", "el bucle se ha repetido 20 000 veces sin "
           "preguntar a nadie; `sparks` (jugador 1) ha seguido valiendo 0"),
}  # fmt: skip
"""The answer itself costs no fuel: all 20,000 units are for the loop."""
WHY = {
    "en": ("Not offered: Blow", "You have 0 sparks; more than 3 needed.", "Blow is offered"),
    "es": ("No se ofrece: Soplar", "Tienes 0 chispas; se necesita más de 3.", "Soplar se ofrece"),
}
LANGUAGES = ["en", "es"]


@pytest.fixture
def braziers(tmp_path: Path) -> str:
    folder = tmp_path / "braziers"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    return str(folder)


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_error_at_the_table(run: Run, braziers: str, language: str) -> None:
    """It is shown after each of the two answers, and not again when another command was typed after it."""
    typed = "1\n2\ns here.journal\nq\n"
    ran = run("play", braziers, "--seats", "human,random", "--seed", "1", "--lang", language, typed=typed)
    out = flat(ran.out)
    assert ran.code == 0
    for told in FAULTS[language]:
        assert out.count(told) == 1
    other = next(one for one in LANGUAGES if one != language)
    assert not [told for told in FAULTS[other] if told in out]


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_something_is_not_offered(run: Run, braziers: str, language: str) -> None:
    command = {"en": "why", "es": "¿por qué?"}[language]
    arguments = ("play", braziers, "--seats", "human,random", "--seed", "1", "--lang", language)
    out = flat(run(*arguments, typed=f"{command}\nq\n").out)
    left_out, values, offered = WHY[language]
    assert left_out in out and values in out and offered not in out
    other = WHY[next(one for one in LANGUAGES if one != language)]
    assert other[0] not in out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["coup", pytest.param("dominion", marks=pytest.mark.slow), "tutorial"])
def test_why_at_shipped_games(run: Run, game: str, language: str) -> None:
    """It is asked at several decisions. Names of options may show numbers that are not chosen yet."""
    typed = "why\n1\nwhy\n\n1\n" * 8
    ran = run("play", game, "--seats", "human,random", "--seed", "5", "--lang", language, typed=typed)
    assert (ran.code, ran.err) == (0, "")
    assert {"en": "Not offered:", "es": "No se ofrece:"}[language] in ran.out
    assert {"es": "Not offered:", "en": "No se ofrece:"}[language] not in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_error_between_bots_ends_the_game(run: Run, braziers: str, language: str) -> None:
    ran = run("play", braziers, "--seats", "random,random", "--seed", "1", "--lang", language)
    cannot = {
        "en": "rulewright: the game cannot go on: rule error ",
        "es": "rulewright: la partida no puede continuar: error de regla ",
    }
    assert ran.code == 1
    assert ran.err.startswith(cannot[language])


def test_the_values_of_a_card(run: Run, braziers: str) -> None:
    out = run("play", braziers, "--seats", "human,random", "--seed", "1", "--lang", "es", typed="? ascua\nq\n").out
    assert "heat: 2\n" in out and "pure: sí\n" in out


# ------------------------------------------------------------------ files

DAMAGES = {
    "not there": (lambda text: None, "no se puede leer x: no existe"),
    "cut off": (lambda text: text[:100], "no se puede reproducir x: un diario tiene una cabecera y sus paquetes; "),
    "not text": (lambda text: text.replace("turn", "b\udcff"), "x no es un diario: no es texto UTF-8"),
    "changed": (lambda text: text.replace('"eN', '"eM'), "no se puede reproducir x: línea 2: "),
    "another format": (lambda text: text.replace('"journal":2', '"journal":7'),
                       "no se puede reproducir x: línea 1: formato de diario 7 desconocido; se esperaba 2"),
    "another answer": (lambda text: text.replace('["feed"]', '["blow"]'),
                       ": entrada 0, turn.act.choice de seat-1: 'blow' no se ofrece (regla "),
    "another seat": (lambda text: text.replace('act.choice",0,', 'act.choice",9,'),
                     "no se puede reproducir x: línea 3: el asiento 9 no existe"),
}  # fmt: skip


def saved(run: Run, pack: str) -> None:
    """Save a game with one answer in the file `x`, by rules without the first error."""
    Path(pack, "pack.yaml").write_text(PACK.replace("12 div sparks", "1"), encoding="utf-8")
    run("play", pack, "--seats", "human,human", "--seed", "1", "--save", "x", typed="\n1\nq\n")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_saved_game_that_cannot_be_read(run: Run, braziers: str, damage: str) -> None:
    saved(run, braziers)
    change, told = DAMAGES[damage]
    changed = change(Path("x").read_text("utf-8"))
    if changed is None:
        os.unlink("x")
    else:
        Path("x").write_bytes(changed.encode("utf-8", "surrogateescape"))
    for command in (("replay", "x"), ("play", braziers, "--resume", "x")):
        ran = run(*command, "--lang", "es", typed="q\n")
        assert ran.code in (1, 2)
        assert ran.err.startswith("rulewright: ") and told in ran.err
        assert " cannot " not in ran.err and "line " not in ran.err


def test_a_game_that_another_process_plays(run: Run, braziers: str) -> None:
    run("play", braziers, "--seats", "human,random", "--seed", "1", "--save", "x", typed="q\n")
    used = SaveFile("x")
    Path("x").touch()
    assert used.lock()
    try:
        ran = run("play", braziers, "--resume", "x", "--lang", "es")
    finally:
        used.close()
    assert ran.err.startswith("rulewright: otro proceso que juega esta partida está usando x; ")



@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.ENOENT, errno.EROFS, errno.EISDIR])
def test_what_the_system_says_of_a_file(number: int) -> None:
    error = OSError(number, os.strerror(number))
    assert str(reason(error)) == os.strerror(number)
    assert reason(error).text("es") != os.strerror(number)


def test_an_error_without_a_translation_is_shown_as_the_system_says_it() -> None:
    assert reason(OSError(9999, "Strange")).text("es") == "Strange"
