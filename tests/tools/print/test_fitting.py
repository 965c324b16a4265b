"""Texts and names of any length on a card."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.tools.faces import Face, emblem_of
from rulewright.tools.print.imposition import (
    CARD,
    FRAME,
    LEAST_NAME,
    LEAST_TEXT,
    MM_PER_POINT,
    SAFETY,
    Size,
    Typeface,
    fitted,
    text_height,
    typeface,
)

FACE = Face("gem", "ruby", "Ruby", "gem", "1", 1, (), emblem_of("ruby"), (), (), (), (), (), "gems.yaml:3")
TEN = Typeface(dict.fromkeys("abcdefghijklmnopqrstuvwxyz ", 0.5))
"""All letters are half as wide as high: at 72 / 25.4 points they are half a millimetre wide."""
POINTS = 1 / MM_PER_POINT / SAFETY


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("abcd", 2.0, 1),
        ("abcd efgh", 4.5, 1),
        ("abcd efgh", 4.4, 2),
        ("abcd efgh ij", 4.5, 2),
        ("abcdefghij", 2.0, 3),  # four letters to a line
        ("ab abcdefgh", 2.01, 3),
        ("ab-cd", 1.6, 2),
        ("", 5.0, 1),
    ],
)
def test_lines(text: str, width: float, lines: int) -> None:
    face = Typeface({**TEN.widths, "-": 0.5})
    assert face.lines(text, POINTS, width + 1e-6) == lines


def test_widths_are_those_of_the_fonts() -> None:
    """Inter's digits are as wide as each other with its default features only in tables; its `l` is narrow."""
    sans = typeface("sans")
    assert sans.widths["i"] < sans.widths["n"] < sans.widths["m"]
    assert sans.lacks("Ñandú, ¿qué? «Łódź» – 5 × 3 € … “a”") == ""
    assert sans.lacks("漢a") == "漢"


def test_a_short_text_has_the_usual_sizes() -> None:
    found = fitted(evolve(FACE, paragraphs=("Take two coins.",)), CARD)
    assert (found.fit.name, found.fit.text, found.too_long) == (12.5, 9.0, ())


@pytest.mark.parametrize("card", [CARD, Size(44, 63), Size(70, 120)])
@pytest.mark.parametrize("words", [1, 20, 60, 100, 140])
def test_everything_is_on_the_card(card: Size, words: int) -> None:
    """What a fit promises adds up to no more than the card, whatever the length."""
    face = evolve(FACE, paragraphs=(" ".join(["lantern"] * words),))
    found = fitted(face, card)
    if "text" in found.too_long:
        assert found.fit.text == LEAST_TEXT
        return
    inner = Size(card.width - 2 * FRAME, card.height - 2 * FRAME)
    needed = text_height(face.paragraphs, found.fit.text, inner.width, typeface("sans"))
    assert found.fit.band + 1.2 + found.fit.art + needed + 4.6 <= inner.height + 0.02
    assert found.fit.text >= LEAST_TEXT
    assert found.fit.art >= 0


def test_type_shrinks_step_by_step() -> None:
    texts = [(" ".join(["lantern"] * count),) for count in range(1, 140, 3)]
    sizes = [fitted(evolve(FACE, paragraphs=text), CARD).fit.text for text in texts]
    assert sizes == sorted(sizes, reverse=True)
    assert set(sizes) >= {9.0, 8.5, 8.0, 7.0, 6.0}


def test_a_text_that_is_too_long_is_reported() -> None:
    found = fitted(evolve(FACE, paragraphs=("lantern " * 600,)), CARD)
    assert found.too_long == ("text",)


@pytest.mark.parametrize("name", ["Ruby", "The Ruby of the Old Lamplighter of Seven Hills", "R" * 90, "ruby " * 40])
def test_names(name: str) -> None:
    found = fitted(evolve(FACE, name=name.strip()), CARD)
    assert found.too_long == ()
    lines = typeface("serif-bold").lines(name.strip(), found.fit.name, CARD.width - 2 * FRAME - 4.4)
    assert found.fit.above * 2 + lines * found.fit.name * 1.13 * MM_PER_POINT <= found.fit.band + 0.02
    assert found.fit.name >= LEAST_NAME


def test_a_name_that_is_too_long_is_reported() -> None:
    assert fitted(evolve(FACE, name="ruby " * 400), CARD).too_long == ("name",)


def test_the_line_at_the_foot() -> None:
    assert fitted(evolve(FACE, members=("red",)), CARD).fit.foot == 7.0
    assert fitted(evolve(FACE, members=("vermilion and crimson",) * 2), CARD).fit.foot < 7.0
    assert fitted(evolve(FACE, members=("vermilion and crimson",) * 9), CARD).too_long == ("foot",)
