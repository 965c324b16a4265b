"""A broken `pack.yaml` hides consequences such as missing packs, but no other mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from tests.house.test_catalogue_examples import game

RULES = """
change: charm/bell
set: {cost: 4}
---
change: step/market.count
set: {do: rounds += 2}
---
charm: gong
cost: 2
play: coins += 1
"""
HEAD = 'pack: fog\nversion: 1.0.0\nformat: 3\nextends: {lanterns: "*"}\n'


def loaded(head: str, rules: str = RULES) -> Loaded:
    files = PackFiles(Path("fog"), (("fog/pack.yaml", head.encode()), ("fog/rules.yaml", rules.encode())))
    return load_files(files, find=lambda name: game() if name == "lanterns" else None)


def test_the_rules_are_sound() -> None:
    assert [str(one) for one in loaded(HEAD).findings] == []


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("extends", "extnds", ["RW201"]),
        ("format: ", "", ["RW108"]),
        ("version: ", "", ["RW108"]),
        ("pack: ", "", ["RW108"]),
        ("pack: fog", "pack:", ["RW203"]),
        ("pack: fog\n", "", ["RW605"]),
        ('{lanterns: "*"}', "plenty", ["RW610", "RW203"]),
        ('extends: {lanterns: "*"}', "extends", ["RW108"]),
        ('extends: {lanterns: "*"}\n', "", ["RW202"]),
    ],
)
def test_only_the_head_is_reported(old: str, new: str, codes: list[str]) -> None:
    assert old in HEAD
    found = loaded(HEAD.replace(old, new))
    assert [(one.code, one.span.path) for one in found.findings] == [(code, "fog/pack.yaml") for code in codes]
    assert found.program is None


def test_a_misspelt_key_of_the_head_hides_no_other_mistake() -> None:
    wrong = RULES.replace("coins += 1", "coinz += 1")
    codes = {one.code for one in loaded(HEAD.replace("extends", "extnds"), wrong).findings}
    assert codes == {"RW201", "RW420"}


def test_what_is_left_out_is_counted() -> None:
    assert loaded(HEAD.replace("format: ", "")).unchecked == (("document", 3),)


def test_a_game_with_a_broken_head_is_checked() -> None:
    """A pack that changes nothing and has no kinds of others may be a game: its rules are checked."""
    rules = "verb: wait(s)\ndo: coins += 1\n"
    codes = {one.code for one in loaded('pack: fog\n"1.0.0"\n', rules).findings}
    assert {"RW108", "RW420"} <= codes


def test_a_game_without_players_hides_no_other_mistake() -> None:
    """Only a pack that changes something, or has documents of kinds that it does not declare, needs a game."""
    found = loaded("pack: fog\nversion: 1.0.0\nformat: 3\n", "verb: sing(s)\ndo: hum")
    assert [one.code for one in found.findings] == ["RW202", "RW425"]
