"""Tones have enough contrast, and keep their hue."""

from __future__ import annotations

import pytest

from rulewright.tools.faces import HUES, PAIRS, contrast, hue_of, rules, tone
from rulewright.tools.generate.__main__ import STYLES, styles


def test_the_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)  # WCAG 2.2
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the lightest grey that fails on white


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("hue", [None, *HUES, *range(0, 360, 15)])
def test_every_tone_can_be_read(hue: float | None, dark: bool) -> None:
    colours = tone(hue, dark) | {"white": "#ffffff", "ground": "#25272c" if dark else "#fffdf9"}
    for one, other, least in PAIRS:
        assert contrast(colours[one], colours[other]) >= least, (one, other)


@pytest.mark.parametrize(("colour", "hue"), [("#ff0000", 29.23), ("#00ff00", 142.5), ("#0000ff", 264.05)])
def test_the_hues_of_the_primaries(colour: str, hue: float) -> None:
    assert hue_of(colour) == pytest.approx(hue, abs=0.05)  # CSS Color 4, sample conversions to OKLCH


def test_a_grey_has_no_hue() -> None:
    assert hue_of("#808080") is None


@pytest.mark.parametrize("text", ["", "red", "#fff", "#12345g", "#1234567", "url(x)", "#123456\n"])
def test_other_texts_are_no_colours(text: str) -> None:
    with pytest.raises(ValueError, match="expected a colour such as #b8860b"):
        hue_of(text)


def test_the_tones_of_a_pack_hold_only_there() -> None:
    (line,) = rules({"p1": 78.0}, scope='[data-pack="x"] ')
    assert line.startswith('[data-pack="x"] [data-tone="p1"] { --tone-ink: #')


def test_the_style_sheet_is_up_to_date() -> None:
    assert STYLES.read_text("utf-8") == styles()
