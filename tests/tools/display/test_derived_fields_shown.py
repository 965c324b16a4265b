"""`? CARD` and `rulewright show` tell derived fields, and fill in names that show fields."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.harness import Run

WARES = """\
pack: wares
format: 3
players: 2 to 3
enumerations: {colour: {red: {en: red, es: rojo}, blue: {en: blue, es: azul}}}
options: {share: {number: 0 to 9, default: 2}, dull: {default: false}}
kinds:
  ware:
    fields:
      price: {type: number, default: 1}
      toll: {per: colour, type: 0 to 4, default: 0}
      worth: {type: number, is: "price * share + count(all-players)"}
      main: {type: colour, is: "first of (colour with most toll[it])"}
      dear: {type: boolean, is: worth > 5}
      cheaper: {type: list of ware, is: every ware where it's price < ware's price}
components:
  wares:
    kind: ware
    copies: 2
    starts: bag
    name: {en: "Ware for {toll} ({worth})", es: "Cosa por {toll} ({worth})"}
zones:
  bag: {order: bag, accepts: [ware]}
  hand: {scope: player, order: bag}
tracks: {rounds: number}
---
ware: rug
price: 3
toll: {red: 2, blue: 1}
---
ware: bowl
toll: {blue: 1}
---
ware: shell
when: dull
---
round: turn
turns-from: first of players
until: rounds is 3
steps:
  - id: act
    options:
      take: {each: {one: bag}, do: move one to hand}
      rest: rounds += 1
---
finish: end
---
winner: most
among: players
"""


@pytest.fixture
def wares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wares"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_show(run: Run, wares: Path) -> None:
    """With two players and a share of 2, the rug is worth 3 * 2 + 2, and the bowl 1 * 2 + 2."""
    (wares / "pack.yaml").write_text(WARES, "utf-8")
    for key, name, worth, dear, cheaper, main in (
        ("rug", "Ware for 2 red, 1 blue (8)", "8", "true", "bowl", "red"),
        ("bowl", "Ware for 1 blue (4)", "4", "false", "none", "blue"),
    ):
        told = json.loads(run("show", key, "--json").out)
        assert told["names"]["en"] == name
        fields = {one["key"]: (one["written"], one["from"]) for one in told["fields"]}
        expected = {"worth": worth, "dear": dear, "cheaper": cheaper, "main": main}
        assert {key: fields[key] for key in expected} == {
            key: (value, "kind/ware") for key, value in expected.items()
        }
    assert json.loads(run("show", "rug", "--json").out)["names"]["es"] == "Cosa por 2 rojo, 1 azul (8)"


def test_show_what_is_not_in_the_game(run: Run, wares: Path) -> None:
    """The shell is not in games with the usual options, so its derived fields have no value there."""
    (wares / "pack.yaml").write_text(WARES, "utf-8")
    told = json.loads(run("show", "shell", "--json").out)
    fields = {one["key"]: one["written"] for one in told["fields"]}
    assert fields["dear"] == "{type: boolean, is: worth > 5}"


def test_show_by_name(run: Run, wares: Path) -> None:
    (wares / "pack.yaml").write_text(WARES, "utf-8")
    assert "ware/rug" in run("show", "Ware for 2 red, 1 blue (8)").out
    assert "Ware for 1 blue (4)" in run("show", "--lang", "en").out


@pytest.mark.parametrize(
    ("right", "wrong"), [("rounds is 3", "laps is 3"), ("price * share", "price div (share - 2)")]
)
def test_show_with_errors(run: Run, wares: Path, right: str, wrong: str) -> None:
    """The share is 2 by default, so the division has no value, which is an error of the kind."""
    (wares / "pack.yaml").write_text(WARES.replace(right, wrong), "utf-8")
    told = json.loads(run("show", "rug", "--json").out)
    assert {one["key"]: one["written"] for one in told["fields"]}["dear"] == "{type: boolean, is: worth > 5}"


def test_the_question_for_a_card(run: Run, wares: Path) -> None:
    """With three players and a share of 1, the rug is worth 3 * 1 + 3, and the bowl 1 * 1 + 3."""
    (wares / "pack.yaml").write_text(WARES, "utf-8")
    asked = ("play", ".", "--players", "3", "--seats", "human,random,random", "--option", "share=1", "--seed", "1")
    out = run(*asked, typed="? Ware for 2\n? bowl\nq\n").out
    rug = "price: 3\n  toll: 2 red, 1 blue\n  worth: 6\n  main: red\n  dear: true\n  cheaper: Ware for 1 blue (4)\n"
    assert "Ware for 2 red, 1 blue (6) (ware)\n" in out and rug in out
    assert "toll: 1 blue\n  worth: 4\n  main: blue\n" in out
