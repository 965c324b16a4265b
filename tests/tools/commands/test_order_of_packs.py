"""In which order packs are named changes no finding, also where a file of the game cannot be read."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from shutil import copytree

import pytest

from tests.tools.harness import ROOT, Run

RULES = """
extends: {tutorial: "*"}
---
change: value/hand-size
set: NUMBER
---
change: step/turn.play
before: [{id: NAME, do: "renewals2 += 1"}]
"""
BROKEN = {
    "nothing": ("rules.yaml", "", ""),
    "a list that is not closed": ("rules.yaml", "    do: |", "    do: ["),
    "a key without a colon": ("rules.yaml", "steps:", "steps"),
    "a misspelt key": ("scoring.yaml", "winner:", "winer:"),
    "a list before the first document's end": ("cards.yaml", "kinds:", "kinds: {"),
    "a name of the game that cannot be read": ("pack.yaml", "pack: tutorial", "pack: [tutorial"),
    "no name of the game": ("pack.yaml", "pack: tutorial", "pack tutorial"),
    "a head that is not closed": ("pack.yaml", "languages: [en, es]", "languages: [en, es"),
    "a value that a house rule changes": ("pack.yaml", "  hand-size: {", "  hand-size {"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_the_order_of_names_changes_no_finding(run: Run, tmp_path: Path, what: str) -> None:
    copytree(ROOT / "content" / "tutorial", tmp_path / "tutorial")
    for name, number in (("one", "5"), ("two", "6")):
        (tmp_path / name).mkdir()
        rules = RULES.replace("NUMBER", number).replace("NAME", name)
        (tmp_path / name / "pack.yaml").write_text(f"pack: {name}\nversion: 1.0.0{rules}", "utf-8")
    file, good, bad = BROKEN[what]
    path = tmp_path / "tutorial" / file
    text = path.read_text("utf-8")
    assert good in text
    path.write_text(text.replace(good, bad, 1), "utf-8")
    found = []
    for order in permutations(("tutorial", "one", "two")):
        ran = run("validate", *(str(tmp_path / name) for name in order), "--format", "json")
        found.append((ran.code, sorted(map(json.dumps, json.loads(ran.out)["findings"]))))
    assert found[0][0] == 1 and len(found[0][1]) >= 2
    assert all(one == found[0] for one in found)
