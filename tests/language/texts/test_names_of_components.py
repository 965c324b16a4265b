"""The name of a component as a template for all its cards."""

from __future__ import annotations

import pytest

from rulewright.ruleset.lower.lowering import lower
from rulewright.tools.common.display_texts import PackTexts
from tests.small_packs import findings, pack_in

PACK = """\
pack: names
players: 2
languages: [en, es]
name: {en: Names, es: Nombres}
enumerations:
  colour: {red: {en: red, es: rojo}, green: {en: green, es: verde}, blue: {en: blue, es: azul}}
options: {feast: {default: false}}
kinds:
  stage:
    fields:
      price: {per: colour, type: 0 to 7, default: 0}
      glazed: {per: colour, type: boolean, default: false}
      worth: {type: number, cases: [{when: feast, is: 9}, {is: "total price[it] over colour"}]}
      main: {type: colour, is: "first of (colour with most price[it])"}
components:
  stages:
    kind: stage
    copies: 1
    starts: shelf
    name: {en: "%s", es: "%s"}
  others: {kind: stage, copies: 1, starts: shelf}
zones: {shelf: {name: {en: shelf, es: estante}}}
tracks: {rounds: {name: {en: rounds, es: rondas}}}
---
stage: kiln
price: {red: 2, blue: 1}
glazed: {green: true, blue: true}
---
stage: tile
---
stage: vase
name: {en: "Vase {price.red}", es: "Jarra {price.red}"}
price: 3
---
setup: begin
steps: [{id: fill, do: do nothing}]
---
round: turn
turns-from: first of players
until: rounds > 0
steps: [{id: act, do: rounds += 1}]
---
finish: end
---
winner: one
among: players
"""


def _name(template: str, key: str, language: str = "en", **options: str) -> str | None:
    program = pack_in(PACK % (template, template))
    return PackTexts(lower(program, 2, options), program).name(language, "card", key)


@pytest.mark.parametrize(
    ("template", "key", "language", "options", "expected"),
    [
        ("{price} ({worth})", "kiln", "en", {}, "2 red, 1 blue (3)"),
        ("{price} ({worth})", "kiln", "es", {}, "2 rojo, 1 azul (3)"),
        ("{price} ({worth})", "tile", "en", {}, "0 (0)"),
        ("{price} ({worth})", "vase", "es", {}, "Jarra 3"),
        ("{worth}", "kiln", "en", {"feast": "true"}, "9"),
        ("{price.red}-{price.green}", "kiln", "en", {}, "2-0"),
        ("{price.red, plural, one {one red} other {# reds}}", "kiln", "en", {}, "2 reds"),
        ("{main} {glazed}", "kiln", "es", {}, "rojo verde, azul"),
        ("{glazed}", "tile", "en", {}, "0"),
    ],
)
def test_a_name(template: str, key: str, language: str, options: dict[str, str], expected: str) -> None:
    assert _name(template, key, language, **options) == expected


@pytest.mark.parametrize("template", ["{price.purple}", "{main.red}", "{glazed.red}", "{weight}", "{price.}"])
def test_a_wrong_name(template: str) -> None:
    codes = {one.code for one in findings(PACK % (template, template))}
    assert codes == {"RW325" if template == "{price.}" else "RW326"}
