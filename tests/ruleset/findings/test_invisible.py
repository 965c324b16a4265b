"""Invisible characters in rules are named, and texts for players may contain them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles

LANTERNS = (Path(__file__).parents[2] / "docs" / "lanterns.yaml").read_text("utf-8")
CHARACTERS = {
    "\u00a0": "U+00A0 (no-break space)",
    "\u00ad": "U+00AD (soft hyphen)",
    "\u200b": "U+200B (zero width space)",
    "\u200d": "U+200D (zero width joiner)",
    "\u200e": "U+200E (left-to-right mark)",
    "\u2009": "U+2009 (thin space)",
    "\u2060": "U+2060 (word joiner)",
    "\u3000": "U+3000 (ideographic space)",
}
PLACES = (
    "verb: sweep(s)\ndo: draw@1\n",
    "verb: sweep(s)\ndo: move ha@nd to discard\n",
    "verb: sweep(s)\ndo: |\n  draw 1\n  @draw 1\n",
    "verb: sweep(s)\ndo:@draw 1\n",
    "verb@: sweep(s)\ndo: draw 1\n",
    "verb: sweep(s)\ndo@: draw 1\n",
    "zones:\n  cup@: {}\n",
    "zones:\n  cup: {accepts: [charm@]}\n",
    "zones:\n  cup: {seen-by: @nobody}\n",
    "charm: horn\ncost: 1@\n",
    "scenario: A coin\nplayers: [ann, ben]\ngiven: {ann: {hand: [be@ll]}}\n",
)


def loaded(text: str) -> Loaded:
    files = (("pack.yaml", LANTERNS.encode()), ("scenarios/more.yaml", text.encode()))
    name = "scenarios/more.yaml" if text.startswith("scenario") else "more.yaml"
    return load_files(PackFiles(Path(), (files[0], (name, files[1][1]))))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("character", CHARACTERS)
def test_a_character_in_rules_is_named(character: str, place: str) -> None:
    found = [one for one in loaded(place.replace("@", character)).findings if is_error(one)]
    assert found[0].code == "RW120", found
    assert CHARACTERS[character] in found[0].message
    line = place[: place.index("@")].count("\n") + 1
    assert (found[0].span.line, found[0].span.column) == (
        line,
        len(place.split("\n")[line - 1].partition("@")[0]) + 1,
    )
    assert len(found) == 1, found


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_text_for_players_may_contain_it(character: str) -> None:
    text = f"charm: horn\nname: A{character}horn\ntext: Blow{character}it\ncost: 1\n"
    assert not [one for one in loaded(text).findings if one.code == "RW120"]
