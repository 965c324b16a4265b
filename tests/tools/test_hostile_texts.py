"""Texts of a pack cannot look like output of ours, act on a terminal, or be computed by a spreadsheet."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ruleset.schema_files import read_schema
from tests.tools.harness import Run
from tools.rows import Same, written

ATTACK = "::error title=forged::first\\n::error title=forged::forged\\e[31mred\\r::warning::more"
"""As it is written in YAML's double quotes."""
PACK = f"""\
pack: gates
version: 1.0.0
format: 2
name: "{ATTACK}"
text: "{ATTACK}"
players: 2
kinds: {{gem: {{}}}}
components: {{gems: {{kind: gem, copies: 4, starts: row, name: "{ATTACK}"}}}}
zones: {{row: {{name: "{ATTACK}", order: row, seen-by: all}}}}
tracks: {{steps: {{name: "{ATTACK}", at-least: 0, at-most: 9}}}}
"{ATTACK}": {{}}
---
gem: opal
name: "{ATTACK}"
---
setup: start
steps: [{{id: begin, do: "steps += 1 {ATTACK}"}}]
---
"{ATTACK}": kind
---
scenario: "{ATTACK}"
players: ["{ATTACK}", ben]
then: ["{ATTACK} > 0"]
"""


def forged(text: str) -> list[str]:
    """Lines that GitHub would take for commands, and lines with characters that act on a terminal."""
    acts = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
    return [line for line in text.split("\n") if re.match(r"\s*::[a-z]", line) or acts.search(line)]


@pytest.mark.parametrize("command", ["validate", "test"])
@pytest.mark.parametrize("form", ["full", "concise", "json", "junit", "sarif", "github"])
def test_findings_forge_no_lines(run: Run, tmp_path: Path, form: str, command: str) -> None:
    folder = tmp_path / "gates"
    folder.mkdir()
    source = PACK if command == "validate" else SOUND.replace("then: [steps is 1]", "then: [steps is 2]")
    (folder / "pack.yaml").write_text(source, "utf-8")
    ran = run(command, str(folder), "--format", form)
    assert ran.code == 1
    lines = forged(ran.out) + forged(ran.err)
    if form == "github":  # commands of ours, each with its code, and nothing after a character that ends one
        ours = re.compile(r"::(error|warning) file=[^,]*,line=\d+,.*title=RW\d+ ")
        assert lines and all(ours.match(line) for line in lines)
        assert not any("\x1b" in line or "\r" in line for line in lines)
    else:
        assert lines == []
    if form == "json":
        json.loads(ran.out)


def test_names_forge_no_lines(run: Run, tmp_path: Path) -> None:
    """A sound pack with such texts, played to its end, and its scenarios listed."""
    folder = tmp_path / "gates"
    folder.mkdir()
    (folder / "pack.yaml").write_text(SOUND, "utf-8")
    played = run("play", str(folder), "--seats", "random,random")
    tested = run("test", str(folder), "-v", "--coverage", "-n", "2")
    assert (played.code, tested.code) == (0, 0)
    assert "forged" in played.out and "forged" in tested.out
    assert forged(played.out + tested.out) == []


SOUND = f"""\
pack: gates
version: 1.0.0
format: 2
name: "{ATTACK}"
text: "{ATTACK}"
players: 2
kinds: {{gem: {{}}}}
components: {{gems: {{kind: gem, copies: 4, starts: row}}}}
zones:
  row: {{name: "{ATTACK}", order: row, seen-by: all}}
  hand: {{name: "{ATTACK}", scope: player, order: bag, seen-by: all}}
tracks: {{steps: {{name: "{ATTACK}", at-least: 0, at-most: 9}}}}
---
gem: opal
name: "{ATTACK}"
---
setup: start
steps: [{{id: begin, name: "{ATTACK}", do: steps += 1}}]
---
round: day
name: "{ATTACK}"
turns-from: first of players
until: steps > 3
steps:
  - id: go
    options:
      take:
        name: "{ATTACK}"
        do: move 1 gem from row to hand
      stay: do nothing
  - id: rest
    do: steps += 1
---
finish: end
awards: []
---
winner: first
among: players
order: [most score]
---
scenario: "{ATTACK}"
players: 2
then: [steps is 1]
""".replace("\\e[31m", "").replace("\\r", "\\n")  # control characters are refused, but for line ends


def test_no_cell_is_a_formula() -> None:
    said = ["=1+1", "+1", "-1", "@cell", "\tx", "\rx", "plain", "", None]
    lines = written(9, [said, Same("=cmd")]).replace("\r", "<CR>").splitlines()
    assert lines == [
        *("'=1+1,'=cmd", "'+1,'=cmd", "'-1,'=cmd", "'@cell,'=cmd", "'\tx,'=cmd", "'<CR>x,'=cmd"),
        *("plain,'=cmd", ",'=cmd", ",'=cmd"),
    ]
    assert written(1, [Same(-5), Same("=x")]) == "-5,'=x\n"


@pytest.mark.parametrize("name", ["words", "pack", "options", "scenario", "texts", "hook", "change", "values"])
def test_no_pattern_takes_a_line_end(name: str) -> None:
    """In Python `$` also stands before a line end that ends the text."""
    found = re.findall(r'"((?:[^"\\\\]|\\\\.)*)\$"', json.dumps(read_schema(name)))
    assert [pattern for pattern in found if pattern.startswith("^")] == []
