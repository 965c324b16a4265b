"""Each pack is asked for texts in its own languages, also in the texts about itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles

LANTERNS = (Path(__file__).parents[2] / "docs" / "lanterns.yaml").read_text("utf-8")


def findings(rules: str) -> list[Diagnostic]:
    """The findings of a house rule for the little game in two languages, in the file of the house rule."""
    game = PackFiles(Path(), (("game/pack.yaml", LANTERNS.encode()),))
    house = PackFiles(Path(), (("house/pack.yaml", rules.encode()),))
    found = load_files(game, more=(house,), lints=True).findings
    return [one for one in found if one.span.path.startswith("house")]


HOUSE = "pack: house\nversion: 1.0.0\nextends: {lanterns: '>=0'}\n"
CHARM = "---\ncharm: horn\nname: {en: Horn}\ncost: 1\n"


def test_a_pack_in_one_language_is_not_asked_for_another() -> None:
    assert not [one for one in findings(f"{HOUSE}languages: [en]\n{CHARM}") if one.code == "RW327"]


def test_a_pack_without_languages_has_those_of_the_game() -> None:
    assert [one.hint for one in findings(f"{HOUSE}{CHARM}") if one.code == "RW327"] == [
        "add `es: …`; without it, players of that language see the text in another"
    ]


@pytest.mark.parametrize("key", ["name", "text"])
def test_texts_of_a_pack_about_itself(key: str) -> None:
    (found,) = (one for one in findings(f"{HOUSE}{key}: {{en: A rule}}\n") if one.code == "RW327")
    assert (found.span.line, found.message) == (4, "this text is missing in `es`")
