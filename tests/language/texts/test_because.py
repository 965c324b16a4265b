"""Reasons that a pack gives for what is not offered: of a function, of an option, and of a choice."""

from __future__ import annotations

from pathlib import Path

from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.display.decision_texts import LeftOutTexts
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.naming import naming
from tests.positions import Table
from tests.small_packs import lowered, pack_in, started

PACK = """\
pack: kiln
version: 0.1.0
format: 3
name: {en: Kiln, es: Horno}
languages: [en, es]
players: 2
kinds: {pot: {fields: {cost: 0 to 9, glazed: {type: boolean, default: false}}}}
components: {pots: {kind: pot, copies: 2, starts: shelf, home: shelf}}
zones:
  hand: {order: bag, scope: player, seen-by: owner, name: {en: hand, es: la mano}}
  shelf: {order: bag, seen-by: all, name: {en: shelf, es: el estante}}
tracks:
  coins:
    name: {en: "{count, plural, one {coin} other {coins}}", es: "{count, plural, one {moneda} other {monedas}}"}
    scope: player
    starts: 3
  debt: {scope: player, seen-by: owner, starts: 1}
  rounds: {of: number}
---
pot: jug
name: {en: jug, es: jarra}
cost: 2
---
pot: vase
name: {en: vase, es: jarrón}
cost: 5
glazed: true
---
function: payable
takes: {what: pot, by: player}
because:
  en: "{what} costs {what's cost}; {by, select, you {you have} other {{by} has}} {by's coins}"
  es: "{what} cuesta {what's cost}; {by, select, you {tienes} other {{by} tiene}} {by's coins}"
is: what's cost <= by's coins
---
function: fit
takes: {what: pot, by: player}
is: payable(what, by) and by's coins > 2
---
verb: fire(s) a pot at <heat number>
do: |
  let smoke = coins + 4
  choose up to 1 pot from shelf where cost < heat and fit(it, you) as fired
  move fired to hand
---
round: turn
turns-from: first of players
until: rounds > 5
steps:
  - id: act
    options:
      buy:
        each: {pot: shelf}
        when: fit(pot, you)
        because: {en: Not for sale, es: No se vende}
        do: coins -= pot's cost
      glaze:
        each: {pot: shelf}
        when: pot's glazed
        because: {en: "{pot} has no glaze; you have {coins}", es: "{pot} no tiene esmalte; tienes {coins}"}
        do: do nothing
      rob:
        each: {p: others where it's debt > 3}
        because: {en: Nobody owes enough, es: Nadie debe bastante}
        do: do nothing
      lend:
        when: coins > 8
        because: {en: "debt: {debt}", es: "deuda: {debt}"}
        do: do nothing
      save:
        when: coins > 9
        do: do nothing
      fire: fire a pot at 3
      wait: do nothing
---
prompts:
  fire-a-pot-at.fired.because:
    en: "{it} ({it's cost}) is not under {heat}; smoke {smoke}"
    es: "{it} ({cost}) no baja de {heat}; humo {smoke}"
---
finish: end
awards: []
---
winner: best
among: players
order: [most coins]
"""


def told(table: Table, seat: int = 0) -> dict[str, tuple[str, str]]:
    """The reasons in English and Spanish, by what is not offered."""
    names = naming(table.program, Compiled(Path("small"), pack_in(PACK), {}))
    texts = [
        LeftOutTexts(Narrator(table.program, language, names.texts, seat), names, table.game, table.decision)
        for language in ("en", "es")
    ]
    return {texts[0].name(one): (texts[0].text(one), texts[1].text(one)) for one in texts[0].found() or ()}


def test_the_function_that_fails_before_the_option_and_the_option_before_what_is_built() -> None:
    """`payable` fails inside `fit`; the option `buy` has a reason of its own, which is less exact."""
    found = told(started(PACK))
    assert found == {
        "Buy: vase": ("Vase costs 5; you have 3.", "Jarrón cuesta 5; tienes 3."),
        "Glaze: jug": ("Jug has no glaze; you have 3.", "Jarra no tiene esmalte; tienes 3."),
        "Rob: Player 2": ("Something that you do not see decides.", "Decide algo que no ves."),
        "Lend": ("Debt: 1.", "Deuda: 1."),
        "Save": ("You have 3 coins; more than 9 needed.", "Tienes 3 monedas; se necesita más de 9."),
    }


def test_another_part_of_the_same_condition_has_the_reason_of_the_option() -> None:
    """With two coins a jug can be paid, but `fit` fails for a part without a reason of its own."""
    table = started(PACK).arrange(tracks={("coins", 0): 2})
    found = told(table)
    assert found["Buy: jug"] == ("Not for sale.", "No se vende.")
    assert found["Buy: vase"] == ("Vase costs 5; you have 2.", "Jarrón cuesta 5; tienes 2.")


def test_a_choice_shows_what_it_leaves_out_and_what_is_known_there() -> None:
    """A name that nothing else reads is kept for the text: smoke is 3 + 4."""
    table = started(PACK)
    table.answer(0, "turn.act.choice", "fire")
    assert told(table) == {
        "Vase": ("Vase (5) is not under 3; smoke 7.", "Jarrón (5) no baja de 3; humo 7."),
    }


def test_reasons_that_read_what_is_known_anyway_change_no_game() -> None:
    """Saved games go on if only words change; `smoke` is kept for the text, so its reason is left in both."""
    lines = [line for line in PACK.split("\n") if not line.lstrip().startswith("because: {en:")]
    assert len(lines) < len(PACK.split("\n"))
    assert program_hash(lowered("\n".join(lines))) == program_hash(lowered(PACK))


def test_no_reason_tells_a_secret() -> None:
    """The debt of the other decides in both games, and is 1 or 2; what is told is the same."""
    tables = [started(PACK).arrange(tracks={("debt", 1): debt}) for debt in (1, 2)]
    assert told(tables[0]) == told(tables[1])
