"""The header of a game names the options that differ from their defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.screen import settings
from tests.tools.harness import gates

PACK = """\
name: {en: Gates, es: Puertas}
languages: [en, es]
zones: {row: {order: row, seen-by: all}}
tracks: {steps: {at-least: 0}}
enumerations:
  season: {spring: {en: spring, es: primavera}, autumn: {en: autumn, es: otoño}}
options:
  fair: {name: {en: the fair is in, es: la feria es en}, one-of: season, default: spring}
  large-fair: {default: false}
  stalls: {number: 1 to 9, default: 3}
"""
ROUND = "round: day\nturns-from: first of players\nuntil: steps > 3\nsteps: [{id: go, do: steps += stalls}]\n"


@pytest.mark.parametrize(
    ("options", "english", "spanish"),
    [
        ({}, [], []),
        ({"fair": "spring", "stalls": "3"}, [], []),
        (
            {"fair": "autumn", "large-fair": "true", "stalls": "4"},
            ["the fair is in: autumn", "large fair: yes", "stalls: 4"],
            ["la feria es en: otoño", "large fair: sí", "stalls: 4"],
        ),
    ],
)
def test_settings(tmp_path: Path, options: dict[str, str], english: list[str], spanish: list[str]) -> None:
    setup = "setup: deal\nsteps: [{id: look, when: large-fair or fair is autumn, do: steps += 1}]\n"
    (tmp_path / "pack.yaml").write_text(gates(PACK, "gem: opal\n", setup, ROUND), "utf-8")
    program = load(tmp_path).program
    assert program is not None
    table = lower(program, 2, options)
    for language, told in (("en", english), ("es", spanish)):
        assert settings(Narrator(table, language, PackTexts(table, program)), program) == told
    assert len(settings(Narrator(table), None)) == 3, "without the pack nothing is known of its defaults"
