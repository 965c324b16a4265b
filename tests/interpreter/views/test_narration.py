"""Narration of events in English and Spanish, for each reader; messages within messages."""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.narration import narrate
from rulewright.interpreter.views.narration_messages import ARGUMENTS, PHRASES
from rulewright.interpreter.views.refusals import Spoken, grouped, said, spoken
from rulewright.ruleset.table.message import parse, problems
from tests.interpreter.cellar import DECK, DISCARD, EVERYONE, HANDS, VAULTS, cellar

PROGRAM = cellar()
RAT, SWORD, TOWER, CROWN = range(4)
BACK = -1

NAMES = {
    ("en", "seat", "seat-1"): "Ana",
    ("en", "seat", "seat-2"): "Iñigo",
    ("es", "seat", "seat-1"): "Ana",
    ("es", "seat", "seat-2"): "Iñigo",
    ("en", "card", "sword"): "{count, plural, one {a sword} other {# swords}}",
    ("es", "card", "sword"): "{count, plural, one {una espada} other {# espadas}}",
    ("es", "card", "rat"): "{count, plural, one {una rata} other {# ratas}}",
    ("es", "zone", "deck"): "el mazo",
    ("es", "zone", "hand"): "la mano",
    ("es", "zone", "discard"): "el descarte",
    ("es", "zone", "vault"): "la bóveda",
    ("es", "track", "score"): "{count, plural, one {un punto} other {# puntos}}",
    ("en", "step", "turn/draw"): "{you, select, yes {Your turn} other {{seat}''s turn}}",
    ("en", "option", "turn.act.choice.steal"): "to steal",
}


class Names:
    def name(self, language: str, thing: str, key: str) -> str | None:
        return NAMES.get((language, thing, key))


def moved(source: int, target: int, *cards: int, bottom: int = 0) -> Event:
    return Event("moved", (source, target, len(cards), bottom), cards, EVERYONE, EVERYONE, 1)


def told(kind: str, *numbers: int, cards: tuple[int, ...] = (), at: int = 1) -> Event:
    return Event(kind, numbers, cards, EVERYONE, EVERYONE, at)


@pytest.mark.parametrize(
    ("event", "english", "spanish"),
    [
        (moved(DECK, HANDS[0], BACK, BACK, BACK),
         "Ana draws 3 cards from the deck.", "Ana roba 3 cartas del mazo."),
        (moved(DECK, HANDS[0], BACK), "Ana draws a card from the deck.", "Ana roba una carta del mazo."),
        (moved(DECK, HANDS[0], SWORD, RAT, SWORD + 4, BACK),
         "Ana draws 2 swords, rat and a card from the deck.", "Ana roba 2 espadas, una rata y una carta del mazo."),
        (moved(HANDS[0], DISCARD, SWORD),
         "Ana puts a sword onto the discard.", "Ana pone una espada en el descarte."),
        (moved(HANDS[0], DECK, BACK, bottom=1),
         "Ana puts a card under the deck.", "Ana pone una carta debajo del mazo."),
        (moved(HANDS[0], HANDS[1], BACK, BACK),
         "2 cards pass from Ana's hand to Iñigo's hand.", "2 cartas pasan de la mano de Ana a la mano de Iñigo."),
        (moved(DISCARD, DECK, BACK, SWORD),
         "A sword and a card go from the discard to the deck.", "Una espada y una carta van del descarte al mazo."),
        (moved(HANDS[0], VAULTS[0], BACK), "Ana puts a card onto their vault.", "Ana pone una carta en su bóveda."),
        (told("shuffled", DECK), "The deck is shuffled.", "Se baraja el mazo."),
        (told("revealed", EVERYONE, -1, cards=(SWORD,)), "A sword is revealed.", "Se revela una espada."),
        (told("revealed", EVERYONE, DECK, DECK, cards=(SWORD, RAT)),
         "A sword and rat are revealed in the deck.", "Se revelan una espada y una rata en el mazo."),
        (told("revealed", EVERYONE, HANDS[0], cards=(SWORD,)),
         "Ana shows a sword from their hand.", "Ana muestra una espada de su mano."),
        (told("revealed", EVERYONE, HANDS[0], DECK, HANDS[1], HANDS[0], cards=(SWORD, RAT, RAT + 4, SWORD + 4)),
         "Ana shows 2 swords from their hand; rat is revealed in the deck; Iñigo shows rat from their hand.",
         "Ana muestra 2 espadas de su mano; se revela una rata en el mazo; Iñigo muestra una rata de su mano."),
        (told("revealed", 0b010, DECK, cards=(SWORD,)),
         "Iñigo looks at a sword in the deck.", "Iñigo mira una espada en el mazo."),
        (told("revealed", 0b010, HANDS[1], HANDS[0], cards=(SWORD, RAT)),
         "Iñigo looks at a sword in their hand and rat in Ana's hand.",
         "Iñigo mira una espada en su mano y una rata en la mano de Ana."),
        (told("revealed", 0b010, -1, -1, cards=(BACK, BACK)), "Iñigo looks at 2 cards.", "Iñigo mira 2 cartas."),
        (told("changed", 0, 1, 2), "Iñigo gains 2 score.", "Iñigo gana 2 puntos."),
        (told("changed", 0, 0, -1), "Ana loses 1 score.", "Ana pierde un punto."),
        (told("answered", 0, 0, 0), "Ana chooses nothing.", "Ana no elige nada."),
        (told("answered", 0, 0, 2, cards=(SWORD, RAT)),
         "Ana chooses a sword and rat.", "Ana elige una espada y una rata."),
        (told("answered", 0, 3, 1, cards=(BACK,)), "Ana chooses a card.", "Ana elige una carta."),
        (told("answered", 0, 1, 1, cards=(BACK,)), "Ana has chosen.", "Ana ha elegido."),
        (told("answered", 0, 1, 1, cards=(2 + 5 * 1,)),
         "Ana chooses to steal (Iñigo).", "Ana elige steal (Iñigo)."),
        (told("reached", 0, at=1), "Ana's turn.", "Ana: draw."),
        (told("reached", -1, at=6), "End.", "End."),
        (told("scored", 0, 1, 1), "Iñigo scores 1 point for draw.", "Iñigo suma 1 punto por draw."),
        (told("eliminated", 1), "Iñigo is out of the game.", "Iñigo queda fuera de la partida."),
        (told("ended", 0b001), "Ana wins the game.", "Ana gana la partida."),
        (told("ended", 0b011), "Ana and Iñigo win the game.", "Ana e Iñigo ganan la partida."),
        (told("ended", 0), "Nobody wins the game.", "Nadie gana la partida."),
        (told("ended", 0b100), "Player 3 wins the game.", "Jugador 3 gana la partida."),
    ],
)  # fmt: skip
def test_lines(event: Event, english: str, spanish: str) -> None:
    assert narrate(PROGRAM, [event], "en", Names()) == (english,)
    assert narrate(PROGRAM, [event], "es", Names()) == (spanish,)


@pytest.mark.parametrize(
    ("event", "english", "spanish"),
    [
        (moved(DECK, HANDS[0], SWORD), "You draw a sword from the deck.", "Robas una espada del mazo."),
        (moved(HANDS[0], HANDS[1], RAT),
         "Rat passes from your hand to Iñigo's hand.", "Una rata pasa de tu mano a la mano de Iñigo."),
        (told("reached", 0, at=1), "Your turn.", "Tú: draw."),
        (told("revealed", EVERYONE, HANDS[0], cards=(SWORD,)),
         "You show a sword from your hand.", "Muestras una espada de tu mano."),
        (told("ended", 0b001), "You win the game.", "Ganas la partida."),
        (told("ended", 0b011), "You and Iñigo win the game.", "Tú e Iñigo ganáis la partida."),
    ],
)  # fmt: skip
def test_lines_for_a_reader(event: Event, english: str, spanish: str) -> None:
    assert narrate(PROGRAM, [event], "en", Names(), reader=0) == (english,)
    assert narrate(PROGRAM, [event], "es", Names(), reader=0) == (spanish,)


@pytest.mark.parametrize("language", sorted(PHRASES))
def test_phrases_are_complete_and_correct(language: str) -> None:
    assert set(PHRASES[language]) == set(ARGUMENTS)
    for key, text in PHRASES[language].items():
        assert problems(parse(text), ARGUMENTS[key], language) == (), key


# ------------------------------------------------------------------ messages

WORDS = {
    "en": {"found": "{n} {count, plural, one {lamp} other {lamps}}: {what}", "dark": "it is dark"},
    "es": {"found": "{n} {count, plural, one {farol} other {faroles}}: {what}", "dark": "está oscuro"},
}


def test_a_message_within_a_message_is_in_the_same_language() -> None:
    dark = spoken(WORDS, "dark")
    found = spoken(WORDS, "found", n=1, count=1, what=dark)
    assert found.text("es") == "1 farol: está oscuro"
    assert str(found) == found.text("en") == "1 lamp: it is dark"
    assert said(WORDS, "es", "found", n=2, count=2, what=dark) == "2 faroles: está oscuro"


def test_an_unknown_language_is_shown_in_english() -> None:
    assert spoken(WORDS, "dark").text("fr") == "it is dark"
    assert Spoken({"en": "a\nb"}).changed(lambda text: text.replace("\n", " ")).text("es") == "a b"


def test_values_with_braces_are_shown_as_they_are() -> None:
    assert spoken(WORDS, "found", n=0, count=0, what="{n} #'").text("es") == "0 faroles: {n} #'"


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [(0, "0", "0"), (9999, "9,999", "9999"), (20000, "20,000", "20\u00a0000"), (-10000, "-10,000", "-10\u00a0000")],
)
def test_digits_are_grouped_as_the_language_does_it(number: int, english: str, spanish: str) -> None:
    """Spanish leaves numbers of four digits alone, and groups longer ones with a space that does not break."""
    assert (grouped(number).text("en"), grouped(number).text("es")) == (english, spanish)
