"""Messages in several languages: messages inside messages, unknown languages, and grouped digits."""

from __future__ import annotations

import pytest

from interpreter.views.spoken import Spoken, grouped, said, spoken

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
    [
        (0, "0", "0"),
        (9999, "9,999", "9999"),
        (20_000, "20,000", "20\u00a0000"),
        (-10_000, "-10,000", "-10\u00a0000"),
    ],
)
def test_digits_are_grouped_as_the_language_does_it(number: int, english: str, spanish: str) -> None:
    """Spanish leaves numbers of four digits alone, and groups longer ones with a space that does not break."""
    assert (grouped(number).text("en"), grouped(number).text("es")) == (english, spanish)
