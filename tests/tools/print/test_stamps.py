"""Each card is typeset once and drawn for every copy: nothing is lost by it, and no page is left over."""

from __future__ import annotations

import re
from pathlib import Path

import pydyf
import pypdfium2
import pytest

from rulewright.tools.print.typesetter import Stamp, draw_stamps
from tests.picture_samples import svg
from tests.tools.harness import Run
from tests.tools.print.pdfs import middles, texts

PACK = """\
pack: gates
version: 1.0.0
format: 3
players: 2
kinds: {gem: {}}
components: {gems: {kind: gem, starts: row}}
zones: {row: {order: row, seen-by: all}}
---
gem: ruby
copies: 7
---
gem: opal
copies: 5
---
finish: end
awards: []
---
winner: first
among: players
order: [most score]
---
round: turn
steps:
  - id: end
    do: end game
"""


@pytest.fixture
def pack(tmp_path: Path) -> str:
    folder = tmp_path / "gates"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    return str(folder)


UPRIGHT = [(10.5 + 63 * n, 16.5 + 88 * m) for m in range(3) for n in range(3)]
"""A4 has room for 3 × 3 cards: (210 - 189) / 2 = 10.5 and (297 - 264) / 2 = 16.5 mm are left at the edges."""
ACROSS = [(13.5 + 69 * n, 14 + 94 * m) for m in range(2) for n in range(4)]
"""With 3 mm of bleed it has room for 4 × 2 across: see `test_imposition.py`."""


@pytest.mark.parametrize(
    ("arguments", "per_sheet", "corners"), [((), 9, UPRIGHT), (("--bleed", "3"), 8, ACROSS)], ids=["cut", "bleed"]
)
def test_every_copy_is_in_its_place_and_can_be_searched(
    run: Run, pack: str, arguments: tuple[str, ...], per_sheet: int, corners: list[tuple[float, float]]
) -> None:
    """Seven rubies and five opals, in this order; the name of each is equally far from the corner of its card."""
    ran = run("print", pack, *arguments, "-o", "cards.pdf")
    assert ran.out == "cards.pdf: 12 cards on 2 sheets\n", ran
    path = Path("cards.pdf")
    assert len(texts(path)) == 2, "the pages of single cards are no pages of the document"
    names = ["Ruby"] * 7 + ["Opal"] * 5
    for page in (1, 2):
        here = names[(page - 1) * per_sheet : page * per_sheet]
        for name in ("Ruby", "Opal"):
            wanted = [corner for one, corner in zip(here, corners, strict=False) if one == name]
            found = sorted(middles(path, page, name), key=lambda at: (round(at[1] / 10), at[0]))
            assert len(found) == len(wanted) == texts(path)[page - 1].count(name)
            for (x, y), (left, top) in zip(found, wanted, strict=True):
                assert 4.7 < x - left < 20, "2.5 mm of frame and 2.2 mm of space are before a name"
                assert 3.5 < y - top < 11.5, "the band is 9 mm high, below 2.5 mm of frame"
            if found:
                first = found[0][0] - wanted[0][0], found[0][1] - wanted[0][1]
                shifts = [(x - left, y - top) for (x, y), (left, top) in zip(found, wanted, strict=True)]
                assert all(shift == pytest.approx(first, abs=0.11) for shift in shifts)


def test_too_much_drawing_is_refused_before_it_begins(run: Run, pack: str) -> None:
    """Thirty-four different cards show a picture of 150,000 segments each: 5,100,000 steps."""
    cards = "".join(f"---\ngem: g{number}\ncopies: 1\n" for number in range(32))
    (Path(pack) / "pack.yaml").write_text(f"{PACK}{cards}---\nface: gem\npicture: a.svg\n", encoding="utf-8")
    (Path(pack) / "a.svg").write_bytes(svg(f'<path d="M0 0{"L1 1" * 150_000}"/>'))
    ran = run("print", pack, "-o", "cards.pdf")
    assert ran.code == 2
    found = re.fullmatch(
        r"rulewright: printing this takes ([\d,]+) steps of drawing \(at most 5,000,000\); "
        r"print fewer cards \(--only\), shorten their texts, or simplify their pictures\n",
        ran.err,
    )
    assert found, ran.err
    assert 5_100_000 < int(found[1].replace(",", "")) < 5_300_000
    assert not Path("cards.pdf").exists()


def test_bleed_moves_nothing_on_a_card(run: Run, pack: str) -> None:
    """The name of the first card is equally far from its corner, wherever the card is and however far it bleeds."""
    shifts = []
    for bleed, (left, top) in (("0", UPRIGHT[0]), ("3", ACROSS[0])):
        run("print", pack, "--bleed", bleed, "-o", "cards.pdf")
        x, y = min(middles(Path("cards.pdf"), 1, "Ruby"), key=sum)
        shifts.append((x - left, y - top))
    assert shifts[1] == pytest.approx(shifts[0], abs=0.11)


def test_each_card_and_each_back_is_in_the_file_once(run: Run, pack: str) -> None:
    """Two faces and a back are forms; the file has four pages, and grows by little for twice the copies."""
    run("print", pack, "--backs", "-o", "cards.pdf")
    data = Path("cards.pdf").read_bytes()
    assert len(re.findall(rb"/BBox \[-1\.0000 -1\.0000 179\.5827 250\.4488\]", data)) == 3, (
        "63 × 88 mm, 1 pt around"
    )
    assert len(pypdfium2.PdfDocument(data)) == 4
    (Path(pack) / "pack.yaml").write_text(PACK.replace("copies: 7", "copies: 70"), encoding="utf-8")
    run("print", pack, "--backs", "-o", "more.pdf")
    assert len(pypdfium2.PdfDocument(Path("more.pdf"))) == 18, "75 cards are on nine sheets"
    assert Path("more.pdf").stat().st_size - len(data) < 14 * 2_000, "a sheet is some marks and nine references"


def two_pages() -> pydyf.PDF:
    pdf = pydyf.PDF()
    resources = pydyf.Dictionary({"XObject": pydyf.Dictionary()})
    pdf.add_object(resources)
    for width, height in ((72, 144), (720, 720)):
        content = pydyf.Stream([f"1 0 0 -1 0 {height} cm"])
        pdf.add_object(content)
        pdf.add_page(
            pydyf.Dictionary(
                {
                    "Type": "/Page", "Parent": pdf.pages.reference, "MediaBox": pydyf.Array([0, 0, width, height]),
                    "Contents": content.reference, "Resources": resources.reference,
                }
            )
        )  # fmt: skip
    return pdf


def test_a_stamp_is_drawn_with_its_top_left_corner_where_it_belongs() -> None:
    """25.4 mm are 72 points; the form is 144 points high, so its lower edge is at 72 + 144."""
    pdf = two_pages()
    draw_stamps(pdf, {1: [Stamp(0, 25.4, 25.4), Stamp(0, 50.8, 25.4)]})
    assert (pdf.pages["Count"], len(pdf.pages["Kids"])) == (1, 3)
    sheet = pdf.objects[int(pdf.pages["Kids"][0])]
    content = pdf.objects[int(sheet["Contents"].split()[0])]
    assert content.stream == [
        "1 0 0 -1 0 720 cm",
        "q 1 0 0 -1 72.0000 216.0000 cm /stamp0 Do Q",
        "q 1 0 0 -1 144.0000 216.0000 cm /stamp0 Do Q",
    ]


def test_without_stamps_all_pages_stay() -> None:
    pdf = two_pages()
    draw_stamps(pdf, {})
    assert pdf.pages["Count"] == 2


def test_a_page_that_was_broken_in_two_is_noticed() -> None:
    with pytest.raises(ValueError, match="expected 3 pages, found 2"):
        draw_stamps(two_pages(), {2: [Stamp(0, 0, 0)]})
