"""What a pack's `face` documents say is printed: sizes, colours, corners, pictures, and backs."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.program.scenario import Picture
from rulewright.tools.packs import loading
from rulewright.tools.print.deck import about
from tests.tools.harness import Run
from tests.tools.print.pdfs import sizes, texts

PACK = """\
pack: gates
version: 1.0.0
format: 3
players: 2
kinds: {gem: {fields: {worth: 1 to 9, cost: 0 to 9}}, charm: {}}
components: {gems: {kind: gem, copies: 4, starts: row}, charms: {kind: charm, copies: 2, starts: row}}
zones: {row: {order: row, seen-by: all}}
---
face: gem
corners: {top-right: worth, bottom-left: cost}
symbols: {worth: star}
colours: {ruby: "#3060c0"}
picture: {ruby: ruby.svg}
size: 70 x 120 mm
back: teal
---
gem: ruby
worth: 7
cost: 4
---
charm: bell
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
PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#c03030"/></svg>
"""


@pytest.fixture
def pack(tmp_path: Path) -> str:
    folder = tmp_path / "gates"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "ruby.svg").write_text(PICTURE, encoding="utf-8")
    return str(folder)


def test_each_size_on_sheets_of_its_own(run: Run, pack: str) -> None:
    """A4 has room for 2 × 2 cards of 70 × 120, across for 4 × 1: four; two charms are on a sheet of nine."""
    ran = run("print", pack, "-o", "cards.pdf")
    assert ran.out == "cards.pdf: 6 cards on 2 sheets\n", ran
    pages = texts(Path("cards.pdf"))
    assert "sheet 1 of 2 · 70 × 120 mm" in pages[0]
    assert "sheet 2 of 2 · 63 × 88 mm" in pages[1]
    assert (pages[0].count("Ruby"), pages[1].count("Bell")) == (4, 2)
    assert pages[0].count("7") >= 4
    assert sizes(Path("cards.pdf")) == [(210.0, 297.0)] * 2


def test_one_size_for_all(run: Run, pack: str) -> None:
    assert run("print", pack, "--size", "44x63", "-o", "cards.pdf").out == "cards.pdf: 6 cards on 1 sheet\n"


def test_pictures_and_colours(run: Run, pack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, tuple[bytes, str]] = {}

    def caught(pages: list[str], pictures: object, *_: object) -> bytes:
        seen.update(pictures.files)  # type: ignore[attr-defined]
        return "".join(pages).encode()

    monkeypatch.setattr("rulewright.tools.print.typesetter.pdf", caught)
    run("print", pack, "--once", "--backs", "-o", "cards.pdf")
    page = Path("cards.pdf").read_text("utf-8")
    assert list(seen.values()) == [(PICTURE.encode(), "image/svg+xml")]
    assert f'<img class="picture" src="{next(iter(seen))}" alt="">' in page
    assert '<body data-pack="gates">' in page
    assert '[data-pack="gates"] [data-tone="p1"]' in page
    assert 'class="card card-back" data-tone="6"' in page  # teal is the sixth colour
    ruby = page[page.index('class="card fit-') :]
    assert ruby.index("top-right") < ruby.index(">7</span>") < ruby.index("bottom-left") < ruby.index(">4</span>")


def test_a_picture_that_is_replaced_after_the_check(pack: str) -> None:
    """Files are checked again when they are read; one that would load others has no address."""
    compiled = loading.compile_pack(pack)
    found = about(compiled, loading.table(compiled.program, 2, []), "en").pictures
    picture = Picture("gates", "ruby.svg")
    bad = PICTURE.replace("<rect", '<image href="http://203.0.113.1/x.png" width="5" height="5"/><rect')
    (Path(pack) / "ruby.svg").write_text(bad, encoding="utf-8")
    assert found.address(picture) == ""
    assert found.address(Picture("gates", "../other.svg")) == ""
    assert found.files == {}
