"""`rulewright new` in a pack on top of another: kinds and lists of the game are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tools.scaffolding import SCHEMA
from tests.tools.harness import Run

GAME = """\
pack: wharf
version: 1.0.0
format: 3
players: 2
languages: [en]
kinds:
  boat: {name: {en: boat}, fields: {crew: {type: 1 to 9, default: 2}}, effects: {sail: {}}}
components: {boats: {kind: boat, copies: 1, starts: dock, home: dock}}
zones: {dock: {order: row, name: {en: dock}}}
tracks: {trips: {name: {en: trips}}}
---
boat: gull
name: {en: Gull}
sail: trips += 1
---
round: day
phases: [morning]
until: trips > 3
---
phase: morning
steps: [{id: leave, do: "each b in dock: perform b's sail"}]
---
finish: end
awards: []
---
winner: all
among: players
"""
RULES = 'pack: storms\nversion: 0.1.0\nformat: 3\nextends: {wharf: ">=1"}\nlanguages: [en]\n'


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("wharf", GAME), ("storms", RULES)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yaml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "storms"


@pytest.mark.parametrize("folder", ["", "storms"])
def test_a_card_of_the_game(run: Run, rules: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind is the game's. The file has its fields, and the schema for editors knows the kind."""
    assert run("schema", str(rules), "--editor").code == 0
    game = (rules.parent / "wharf" / "pack.yaml").read_bytes()
    if not folder:
        monkeypatch.chdir(rules)
    ran = run("new", "boat", "heron", *(("--in", folder) if folder else ()))
    assert (ran.code, ran.err) == (0, "")
    written = (rules / "boats" / "heron.yaml").read_text("utf-8")
    assert "boat: heron\n" in written and "crew: 2" in written and "sail: " in written
    assert '"boat"' in (rules / SCHEMA).read_text("utf-8")
    monkeypatch.chdir(rules.parent)
    assert run("validate", "storms").code == 0
    assert '"boat/heron"' in run("show", "--in", "storms", "--json").out
    assert (rules.parent / "wharf" / "pack.yaml").read_bytes() == game
    assert sorted(path.name for path in (rules.parent / "wharf").iterdir()) == ["pack.yaml"]


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("phase", "change: round/day\nadd: {phases: [dusk]}\n"),
        ("award", "change: finish/end\nadd: {awards: [dusk]}\n"),
    ],
)
def test_lists_of_the_game_are_changed(run: Run, rules: Path, what: str, change: str) -> None:
    """A new phase is the last one of the game's round, and a new award the last one of its finish."""
    assert run("new", what, "dusk", "--in", "storms").code == 0
    assert (rules / f"{what}s" / "dusk.yaml").read_text("utf-8").endswith(f"---\n{change}")
    assert run("validate", "storms").code == 0
    (rules / "scenarios").mkdir()
    scenario = "scenario: It ends\nplayers: 2\nthen: [trips is 4]\n"
    (rules / "scenarios" / "all.yaml").write_text(scenario, "utf-8")
    assert run("test", "storms").code == 0


def test_sections_are_those_of_the_house_rules(run: Run, rules: Path) -> None:
    """The game has tracks, too; the new one is declared in the house rules."""
    assert run("new", "track", "waves", "--in", "storms").code == 0
    assert "tracks:\n  waves: " in (rules / "pack.yaml").read_text("utf-8")


def test_unknown_kinds(run: Run, rules: Path) -> None:
    ran = run("new", "boot", "heron", "--in", "storms")
    assert ran.code == 2
    assert "expected a kind of wharf+storms (boat)" in ran.err and "did you mean boat?" in ran.err


def test_a_copy_of_house_rules(run: Run, rules: Path) -> None:
    """The schema of the copy knows the kinds of the game, and its errors are only those of the original."""
    (rules / "pack.yaml").write_text(f"{RULES}---\nchange: boat/gull\nset: {{crew: 3}}\n", "utf-8")
    ran = run("new", "pack", "gales", "--from", "storms")
    assert ran.code == 0 and "same findings" not in ran.out
    assert '"boat"' in (rules.parent / "gales" / SCHEMA).read_text("utf-8")
