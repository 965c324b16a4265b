"""Sessions in a language that the pack does not have: everything is in the first language of the pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import Run

PACK = """\
pack: gems
version: 0.1.0
format: 3
{languages}name: {name}
players: 2
kinds: {{gem: {{}}}}
components: {{gems: {{kind: gem, starts: bag}}}}
zones:
  bag: {{order: pile, seen-by: nobody}}
  hand: {{scope: player, seen-by: owner}}
---
gem: opal
copies: 4
---
setup: deal
steps: [{{id: shuffle, do: shuffle bag}}]
---
round: turn
turns-from: first of players
until: bag is empty
steps:
  - id: act
    options:
      dig: {{do: move top of bag to hand}}
      wait: {{do: move top of bag to hand}}
---
winner: all
among: players
order: [most count(hand)]
"""
ONE = {"en": ("", "Gems"), "es": ("languages: [es]\n", "Gemas")}
PLAY = ("--seats", "human,random", "--seed", "1", "--save", "game.journal")


@pytest.fixture
def gems(tmp_path: Path) -> Path:
    return tmp_path / "gems"


def write(gems: Path, languages: str, name: str) -> None:
    gems.mkdir(exist_ok=True)
    (gems / "pack.yaml").write_text(PACK.format(languages=languages, name=name), "utf-8")


@pytest.mark.parametrize(("own", "other"), [("en", "es"), ("es", "en")])
def test_a_pack_with_one_language_mixes_in_no_other(run: Run, gems: Path, own: str, other: str) -> None:
    """Prompts, help, log, table and result, and the log of a replay, are the same in both languages."""
    write(gems, *ONE[own])
    asked = run("play", str(gems), *PLAY, "--lang", other, typed="?\nhelp\n9\n1\n1\n1\n1\nq\n")
    Path("game.journal").unlink()
    assert asked == run("play", str(gems), *PLAY, "--lang", own, typed="?\nhelp\n9\n1\n1\n1\n1\nq\n")
    assert ("semilla 1" if own == "es" else "seed 1") in asked.out
    replayed = [run("replay", "game.journal", "--pack", str(gems), "--lang", one) for one in (own, other)]
    assert replayed[0] == replayed[1]
    shown = [run("show", "zone/hand", "--in", str(gems), "--lang", one) for one in (own, other)]
    assert shown[0] == shown[1]


def test_a_sheet_of_differences_is_in_the_language_of_the_pack(run: Run, gems: Path, tmp_path: Path) -> None:
    write(gems, *ONE["en"])
    other = tmp_path / "more"
    write(other, *ONE["en"])
    (other / "pack.yaml").write_text((gems / "pack.yaml").read_text("utf-8").replace("copies: 4", "copies: 5"))
    sheets = [run("diff", str(gems), str(other), "--lang", one) for one in ("en", "es")]
    assert sheets[0] == sheets[1] and "5" in sheets[0].out


def test_a_pack_with_several_languages_or_without_built_in_words(run: Run, gems: Path) -> None:
    """The first language that rulewright speaks is used; if it speaks none of them, its words are as asked for."""
    write(gems, "languages: [fr, es]\n", "{fr: Gemmes, es: Gemas}")
    assert "semilla 1" in run("play", str(gems), "--seats", "random,random", "--seed", "1").out
    write(gems, "languages: [fr]\n", "Gemmes")
    assert "semilla 1" in run("play", str(gems), "--seats", "random,random", "--seed", "1", "--lang", "es").out
