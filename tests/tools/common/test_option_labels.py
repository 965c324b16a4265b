"""Labels of options: names from the pack, also where it uses a key of the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.tools.common.display_texts import PackTexts, labels
from tests.positions import Table
from tests.tools.harness import gates

PACK = gates(
    """\
name: {en: Gates, es: Puertas}
languages: [en, es]
zones: {row: {order: row, seen-by: all}}
tracks: {steps: {at-least: 0, at-most: 9}}
""",
    "gem: opal\n",
    "gem: ruby\n",
    "setup: start\nsteps: [{id: begin, do: do nothing}]\n",
    """\
round: day
turns-from: first of players
until: steps > 3
steps:
  - id: go
    options:
      pass:
        name: {en: to go through the gate, es: cruzar la puerta}
        do: steps += 1
      stay:
        name: {en: to stay, es: quedarse}
        do: steps += 2
  - id: rest
    do: |
      may sleep: steps += 1
""",
    """\
prompts:
  day.rest.sleep: {en: Do you sleep?, es: "¿Duermes?"}
  day.rest.sleep.sleep: {en: to sleep, es: dormir}
  day.rest.sleep.decline: {en: to lie awake, es: seguir en vela}
""",
)


@pytest.mark.parametrize(("language", "going", "resting"), [
    ("en", ["Go through the gate", "Stay"], ["Sleep", "Lie awake"]),
    ("es", ["Cruzar la puerta", "Quedarse"], ["Dormir", "Seguir en vela"]),
])  # fmt: skip
def test_a_pack_names_what_the_kernel_has_words_for(
    tmp_path: Path, language: str, going: list[str], resting: list[str]
) -> None:
    (tmp_path / "pack.yaml").write_text(PACK, "utf-8")
    program = load(tmp_path).program
    assert program is not None
    table = Table.start(lower(program, 2, {}))
    narrator = Narrator(table.program, language, PackTexts(table.program, program), 0)
    assert labels(table.decision, narrator, {}) == going
    table.answer(0, "day.go.choice", "stay")
    assert labels(table.decision, narrator, {}) == resting
