"""Optional packs whose names are misspelt: `after`, `conflicts`, `only-with`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

HEAD = 'pack: {name}\nversion: 1.0.0\nformat: 3\nextends: {{tutorial: "*"}}\nlanguages: [en, es]\n'
RULES = "change: value/renewals\nset: 3\n"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def house(name: str, more: str = "", rules: str = RULES, folder: str = "") -> None:
    place = Path(folder, name)
    place.mkdir(parents=True)
    (place / "pack.yaml").write_text(HEAD.format(name=name) + more, "utf-8")
    (place / "rules.yaml").write_text(rules, "utf-8")


def told(run: Run, *arguments: str) -> list[str]:
    ran = run("validate", *arguments, "--format", "concise")
    assert ran.code == 0
    return ran.out.splitlines()


@pytest.mark.parametrize(("more", "place", "follows"), [
    ("after: [fogg-rules]", "6:9", "so this line has no effect"),
    ('after: {fogg-rules: ">=1"}', "6:9", "so this line has no effect"),
    ("conflicts: [fogg-rules]", "6:13", "so this line has no effect"),
])  # fmt: skip
def test_a_misspelt_pack(run: Run, more: str, place: str, follows: str) -> None:
    """Found beside the pack, though it is not used."""
    house("fog-rules")
    house("night", f"{more}\n")
    (line,) = told(run, "night")
    assert line == f"night/pack.yaml:{place}: warning RW638 pack `fogg-rules` not found, {follows}"
    assert "hint: did you mean `fog-rules`?" in run("validate", "night").out


def test_a_misspelt_pack_of_a_change(run: Run) -> None:
    house("fog-rules")
    house("night", rules=f'{RULES}---\nchange: option/penalty\nonly-with: {{fog-rule: "*"}}\nset: {{default: 2}}\n')
    assert told(run, "night") == [
        "night/rules.yaml:5:13: warning RW638 pack `fog-rule` not found, so this change is never applied"
    ]


def test_packs_are_known_from_all_places(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shipped pack, one of RULEWRIGHT_PACKS, and one that is named on the command line."""
    house("night", "after: [short-gmae, mist-rulse, dew-rulse]\n")
    assert len(told(run, "night")) == 1
    house("mist-rules", folder="far")
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(Path("far").absolute()))
    assert len(told(run, "night")) == 2
    house("dew-rules", folder="elsewhere")
    assert len(told(run, "night", "--with", "elsewhere/dew-rules")) == 3
    assert len(told(run, "night")) == 2, "not kept from before"


def test_absent_packs_are_silent(run: Run) -> None:
    """No pack has nearly that name; or the pack is there, used or not; or its near one is named beside it."""
    house("fog-rules")
    house("river-2")
    house("night", "after: [fog-rules, sun-dance, river, river-2]\nconflicts: [snow]\n",
          f'{RULES}---\nchange: option/penalty\nonly-with: {{frost: "*"}}\nset: {{default: 2}}\n')  # fmt: skip
    assert run("validate", "night", "--strict").code == 0


def test_it_can_be_allowed(run: Run) -> None:
    house("fog-rules")
    house("night", "after: [fogg-rules]  # rulewright: allow RW638: fogg-rules is a pack\n")
    assert run("validate", "night", "--strict").code == 0


def test_not_its_own_name(run: Run) -> None:
    house("night-1", "after: [night-2]\n")
    assert run("validate", "night-1", "--strict").code == 0
