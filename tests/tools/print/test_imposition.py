"""Where cards and cut marks are on paper; the numbers are worked out by hand."""

from __future__ import annotations

import pytest

from rulewright.tools.common.errors import Usage
from rulewright.tools.print.imposition import CARD, PAPERS, CutMark, Size, bleed_of, imposition, size_of

A4, LETTER = PAPERS["a4"], PAPERS["letter"]


def test_nine_cards_on_a4() -> None:
    """3 × 63 = 189 of 210, 3 × 88 = 264 of 297: the rest is divided between both sides."""
    laid = imposition(A4, CARD, 0)
    assert laid.per_sheet == 9
    assert laid.xs() == (10.5, 73.5, 136.5)
    assert laid.ys() == (16.5, 104.5, 192.5)
    assert laid.place(0) == (10.5, 16.5)
    assert laid.place(5) == (136.5, 104.5)


def test_cut_marks_on_a4() -> None:
    """Two for each of four vertical and four horizontal cuts, 6 long, 2 from the cards."""
    marks = imposition(A4, CARD, 0).marks()
    assert len(marks) == 16
    for x in (10.5, 73.5, 136.5, 199.5):
        assert CutMark(x, 8.5, x, 14.5) in marks
        assert CutMark(x, 282.5, x, 288.5) in marks
    for y in (16.5, 104.5, 192.5, 280.5):
        assert CutMark(2.5, y, 8.5, y) in marks
        assert CutMark(201.5, y, 207.5, y) in marks


def test_nine_cards_on_letter() -> None:
    """(215.9 - 189) / 2 = 13.45 and (279.4 - 264) / 2 = 7.7; marks above have 7.7 - 2 - 1 = 4.7."""
    laid = imposition(LETTER, CARD, 0)
    assert laid.per_sheet == 9
    assert (laid.left, laid.top) == (13.45, 7.7)
    assert CutMark(13.45, 1.0, 13.45, 5.7) in laid.marks()


def test_bleed_parts_the_cards() -> None:
    """With 3 mm around each, four columns of 69 fit across A4, and two rows of 94: 8; upright only 2 × 3."""
    laid = imposition(A4, CARD, 3)
    assert (laid.paper, laid.columns, laid.rows) == (A4.turned, 4, 2)
    assert laid.xs() == (13.5, 82.5, 151.5, 220.5)  # (297 - 4 × 63 - 3 × 6) / 2 = 13.5
    assert laid.ys() == (14.0, 108.0)  # (210 - 2 × 88 - 6) / 2 = 14
    cuts = {line.x1 for line in laid.marks() if line.x1 == line.x2}
    assert cuts == {13.5, 76.5, 82.5, 145.5, 151.5, 214.5, 220.5, 283.5}


@pytest.mark.parametrize("bleed", [0, 3])
@pytest.mark.parametrize("paper", [A4, LETTER])
def test_each_back_is_behind_its_front(paper: Size, bleed: float) -> None:
    """Turned over its long edge, a point of the paper has the same distance from the other long edge."""
    laid = imposition(paper, CARD, bleed)
    for number in range(laid.per_sheet):
        x, y = laid.place(number)
        back = laid.place_on_back(number)
        if laid.paper.width < laid.paper.height:
            assert back == pytest.approx((laid.paper.width - x - CARD.width, y))
        else:
            assert back == pytest.approx((x, laid.paper.height - y - CARD.height))


def test_other_sizes() -> None:
    assert size_of("70x120") == Size(70, 120)
    assert size_of("44.5x63") == Size(44.5, 63)
    assert imposition(A4, Size(44, 63), 0).per_sheet == 18  # upright 4 × 4 = 16, across 6 × 3 = 18
    for wrong in ("63", "63×88", "0x88", "63x", "63x880", "-63x88", "63x88\n", "nanxinf"):
        with pytest.raises(Usage, match="63x88"):
            size_of(wrong)
    for wrong in ("-1", "11", "x", "", "3 ", "1e1"):
        with pytest.raises(Usage, match="--bleed"):
            bleed_of(wrong)


def test_a_card_that_is_too_big() -> None:
    with pytest.raises(Usage, match="does not fit on 210 × 297 mm"):
        imposition(A4, Size(200, 200), 10)
