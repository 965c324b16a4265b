"""Values in texts for players: in questions, names of options, messages, and names of steps."""

from __future__ import annotations

import pytest

from rulewright.interpreter.game.seat_eyes import ShownValues
from rulewright.interpreter.views.names import Open, parsed
from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.table.message import format_message
from rulewright.tools.common.display_texts import PackTexts, labels, shown_words
from tests.positions import Table
from tests.small_packs import changed, findings, pack_in, started

PACK = """\
pack: fair
players: 2
languages: [en, es]
enumerations:
  sign: {sun: {en: Sun, es: Sol}, moon: {en: Moon, es: Luna}}
kinds:
  toy:
    fields: {price: 0 to 9}
    effects: {use: {optional: true}}
components: {toys: {kind: toy, copies: 2, starts: chest, home: chest}}
zones:
  chest: {order: pile, seen-by: nobody, name: {en: chest, es: el arcón}}
  pocket: {scope: player, seen-by: owner, name: {en: pocket, es: el bolsillo}}
  shelf: {order: row}
tracks:
  coins: {scope: player, starts: 5}
  rounds: number
---
toy: kite
price: 2
name: {en: Kite, es: Cometa}
---
toy: drum
price: 3
name: {en: Drum, es: Tambor}
use: choose 1 card from pocket as put-back
---
setup: begin
steps:
  - id: fill
    do: |
      move bottom 4 of chest to shelf
      each p in players: move first of (kites in shelf) to p's pocket
---
modifier: sale
changes: toy.price
is: result - 1
---
claim: sign
takes: {said: sign, n: number}
proof: pocket where price > 2
challenge: {asks: others}
when-true: |
  reveal shown
  announce proven
when-false: announce lied
---
round: turn
turns-from: first of players
until: rounds > 3
steps:
  - id: act
    options:
      buy:
        name: {en: "buy {toy} for {toy's price, plural, one {# coin} other {# coins}}",
               es: "comprar {toy} por {toy's price, plural, one {# moneda} other {# monedas}}"}
        log: {en: "{you, select, yes {You buy} other {{seat} buys}} {toy}",
              es: "{you, select, yes {Compras} other {{seat} compra}} {toy}"}
        each: {toy: toys in shelf}
        do: move toy to pocket
      claim:
        name: {en: "claim {one, select, sun {the hot} other {the}} {one}",
               es: "reclamar {one, select, sun {el} other {la}} {one}"}
        each: {one: sign}
        do: claim sign with said = one, n = 2
      sell:
        do: |
          start sale until the round ends
          choose 1 card from pocket as sold
          move sold to chest
          announce sold-one
  - id: looks
    for-each: {p: others}
    steps:
      - id: near
        name: {en: "{seat} looks at {p}", es: "{seat} mira a {p}"}
        do: rounds += 1
---
messages:
  proven: {en: "{claimant} proved the {said}, worth {n, plural, one {# coin} other {# coins}}",
           es: "{claimant} demostró {said}, que vale {n, plural, one {# moneda} other {# monedas}}"}
  lied: {en: "{challenger} was right", es: "{challenger} tenía razón"}
  sold-one: {en: "{you, select, yes {You sell} other {{seat} sells}} {sold}",
             es: "{you, select, yes {Vendes} other {{seat} vende}} {sold}"}
---
prompts:
  turn.act.choice: {en: "You have {coins}. What now?", es: "Tienes {coins}. ¿Qué haces?"}
  turn.act.sell.sold: {en: "A drum costs {drum's price}. Which do you sell?", es: ¿Qué juguete vendes?}
  sign.challenge:
    en: "{claimant} claims the {said}. Do you challenge?"
    es: "{claimant} reclama {said}. ¿Desafías?"
  drum.use.put-back: {en: Which one?, es: ¿Cuál?}
---
finish: end
---
winner: one
among: players
"""
ACT, CHALLENGE = "turn.act.choice", "sign.challenge"


def _table() -> tuple[Table, PackTexts]:
    table = started(PACK)
    return table, PackTexts(table.program, pack_in(PACK))


def _question(table: Table, texts: PackTexts, language: str) -> str:
    """The question of the open decision as its seat reads it."""
    one = table.decision
    narrator = Narrator(table.program, language, texts, one.seat)
    shown = ShownValues(table.program, table.game.state, table.game.knowledge, one.seat)
    asked = dict(table.program.sites[one.site].prompt)[language]
    return format_message(parsed(asked), Open(shown_words(narrator, shown.question)), language)


def _labels(table: Table, texts: PackTexts, language: str) -> list[str]:
    one = table.decision
    narrator = Narrator(table.program, language, texts, one.seat)
    shown = ShownValues(table.program, table.game.state, table.game.knowledge, one.seat)
    return labels(one, narrator, {}, shown)


def _lines(table: Table, texts: PackTexts, language: str, reader: int) -> list[str]:
    narrator = Narrator(table.program, language, texts, reader)
    seen = table.game.events(reader)
    return [line for event in seen if (line := narrator.line(event))]


def test_questions_and_options_show_values() -> None:
    table, texts = _table()
    assert _question(table, texts, "en") == "You have 5. What now?"
    assert _labels(table, texts, "en") == [
        "Buy Drum for 3 coins (place 1)", "Buy Drum for 3 coins (place 2)",
        "Claim the hot Sun", "Claim the Moon", "Sell",
    ]  # fmt: skip
    assert _labels(table, texts, "es")[2:4] == ["Reclamar el Sol", "Reclamar la Luna"]
    table.answer(0, ACT, "claim:moon")
    assert _question(table, texts, "en") == "Player 1 claims the Moon. Do you challenge?"
    assert _question(table, texts, "es") == "Jugador 1 reclama Luna. ¿Desafías?"


def test_a_field_is_shown_as_modifiers_make_it() -> None:
    table, texts = _table()
    table.answer(0, ACT, "sell")  # begins a sale, and then asks: the pocket has two toys only after a purchase
    table.answer(1, ACT, "buy:drum@place-1")
    table.answer(0, ACT, "buy:drum@place-1")
    table.answer(1, ACT, "sell")
    assert _question(table, texts, "en") == "A drum costs 2. Which do you sell?"


def test_messages_show_values() -> None:
    table, texts = _table()
    table.answer(0, ACT, "buy:drum@place-1")
    table.answer(1, ACT, "claim:sun")
    table.answer(0, CHALLENGE, "challenge")
    assert "Player 1 was right" in _lines(table, texts, "en", 1)
    assert "Jugador 1 tenía razón" in _lines(table, texts, "es", 1)
    table.answer(0, ACT, "claim:sun")
    table.answer(1, CHALLENGE, "challenge")
    assert "Player 1 proved the Sun, worth 2 coins" in _lines(table, texts, "en", 1)


def test_a_message_hides_the_cards_that_its_reader_does_not_see() -> None:
    table, texts = _table()
    table.answer(0, ACT, "sell")
    assert "You sell Kite" in _lines(table, texts, "en", 0)  # it is in the chest, on top, where its owner put it
    assert "Player 1 sells a card" in _lines(table, texts, "en", 1)


def test_names_of_steps_show_values() -> None:
    table, texts = _table()
    table.answer(0, ACT, "sell")
    assert "Player 1 looks at Player 2" in _lines(table, texts, "en", 1)


WRONG = {
    "{claimant} claims the {sayd}. Do": ("sayd", "did you mean `{said}`?"),
    "{said, plural, one {x} other {y}}? Do": ("said", "use a number, or `{NAME, select, …}` for anything else"),
    "{pocket}? Do": ("pocket", "this text can use `{claimant}`, `{said}` and `{n}`"),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_question_shows_only_what_is_known_where_it_is_asked(text: str) -> None:
    asking = changed(PACK, "{claimant} claims the {said}. Do", text)
    (found,) = findings(asking)
    word, hint = WRONG[text]
    line = asking.splitlines()[found.span.line - 1]
    assert (found.code, line[found.span.column - 1 : found.span.end_column - 1]) == ("RW326", word)
    assert found.hint == hint


def test_an_option_shows_only_what_is_known_where_it_is_offered() -> None:
    (found,) = findings(changed(PACK, '{one}",\n               es: "rec', '{p}",\n               es: "rec'))
    assert (found.code, found.message) == ("RW326", "a text can show nothing called `p` here")


def test_a_name_with_more_than_the_members_needs_a_line_in_the_log() -> None:
    before, _, after = PACK.partition("        log:")
    text = before + after[after.index("        each:") :]
    (found,) = findings(text)
    message = "the log cannot show `{toy's price}`, which is known only while this is offered"
    assert (found.code, found.message) == ("RW326", message)


def test_the_log_tells_who_bought_what() -> None:
    table, texts = _table()
    table.answer(0, ACT, "buy:drum@place-1")
    assert "Jugador 1 compra Tambor" in _lines(table, texts, "es", 1)


def test_a_message_must_know_its_values_wherever_it_is_announced() -> None:
    text = PACK.replace("    do: |\n      move bottom 4", "    do: |\n      announce lied\n      move bottom 4")
    codes = {(one.code, one.message) for one in findings(text)}
    told = "the message shows `{challenger}`, but nothing is called `challenger` where it is announced"
    assert codes == {("RW326", told)}


def test_a_name_that_only_a_text_uses_is_used() -> None:
    text = PACK.replace("          move sold to chest\n", "")
    assert findings(text) == ()
