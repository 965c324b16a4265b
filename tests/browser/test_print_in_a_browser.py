"""The print page in Chromium: from the first preview to a file, with saves in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pypdfium2
import pytest
from playwright.sync_api import Browser

from tests.browser.persons import Person
from tests.browser.ponds import serving
from tests.browser.test_printing_over_http import PACK

pytestmark = pytest.mark.slow
Visit = Callable[..., Person]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A game of 19 cards on three sheets: see `test_printing_over_http.py`."""
    folder = tmp_path / "gates"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    return folder


@pytest.fixture
def visit(browser: Browser, pack: Path) -> Iterator[Visit]:
    """Somebody who opens a page of a server with this pack; none of their pages may complain."""
    people: list[Person] = []
    with serving(pack) as client:

        def comes(address: str, **options: object) -> Person:
            given = {
                "viewport": {"width": 1440, "height": 900},
                "reduced_motion": "reduce",
                "locale": "en",
                **options,
            }
            context = browser.new_context(**given)  # type: ignore[arg-type]
            people.append(Person(browser, str(client.base_url), context, context.new_page()))
            people[-1].page.set_default_timeout(60_000)
            people[-1].page.goto(f"{client.base_url}{address}")
            return people[-1]

        yield comes
        for person in people:
            person.context.close()
    assert [one for person in people for one in person.complaints] == []


def shows(ann: Person, told: str, page: str = "") -> None:
    """Wait until the preview says what is printed, and which page is seen; its picture is there."""
    ann.page.wait_for_selector(f".print-told:text-is('{told}')")
    if page:
        ann.page.wait_for_selector(f".print-pages span:text-is('{page}')")
    sheet = ann.page.locator(".print-sheet")
    sheet.evaluate("image => image.complete || new Promise(done => { image.onload = done; })")
    assert int(sheet.evaluate("image => image.naturalWidth")) == pytest.approx(1000, abs=1)


def asked(ann: Person) -> dict[str, list[str]]:
    """What the address asks for."""
    return parse_qs(urlsplit(ann.page.url).query)


def test_from_a_preview_to_a_file(visit: Visit, pack: Path) -> None:
    ann = visit("/print?pack=gates&lang=en")
    shows(ann, "19 cards on 3 sheets", "1 of 3")
    assert ann.page.locator(".print-sheet").get_attribute("height") == "1414"  # 297 / 210
    ann.page.click("label.filter:has-text('Letter')")
    ann.page.wait_for_selector(".print-sheet[height='1294']")  # 279.4 / 215.9
    ann.page.click("[aria-label=Next]")
    shows(ann, "19 cards on 3 sheets", "2 of 3")
    assert ann.page.evaluate("document.activeElement.getAttribute('aria-label')") == "Next"
    ann.page.keyboard.press("ArrowRight")
    shows(ann, "19 cards on 3 sheets", "3 of 3")
    assert (asked(ann)["paper"], asked(ann)["n"]) == (["letter"], ["3"])
    ann.page.reload()
    shows(ann, "19 cards on 3 sheets", "3 of 3")
    assert ann.page.locator(".print-sheet[height='1294']").count() == 1
    ann.page.click("label.check:has-text('Backs')")
    shows(ann, "19 cards on 3 sheets", "3 of 6")
    ann.page.select_option("#print-players", "2")
    shows(ann, "13 cards on 2 sheets", "3 of 4")
    with ann.page.expect_download() as waited:
        ann.page.click("#download")
    assert waited.value.suggested_filename == "gates-cards.pdf"
    document = pypdfium2.PdfDocument(waited.value.path())
    sizes = {tuple(round(length * 25.4 / 72, 1) for length in page.get_size()) for page in document}
    assert (len(document), sizes) == (4, {(215.9, 279.4)})
    texts = [page.get_textpage().get_text_range() for page in document]
    assert [
        sum(text.count(f"\n{name}") + text.startswith(name) for text in texts) for name in ("Ruby", "Opal")
    ] == [6, 5]
    assert "sheet 2 of 2" in texts[2]


def test_a_save_redraws_the_preview_and_the_form(visit: Visit, pack: Path) -> None:
    file = pack / "pack.yaml"
    ann = visit("/print?pack=gates&lang=en&once=1&size=44x63")
    shows(ann, "3 cards on 1 sheet")
    file.write_text(PACK.replace("charm: bell\n", "charm: bell\n---\ncharm: gong\n"), encoding="utf-8")
    shows(ann, "4 cards on 1 sheet")
    ann.page.wait_for_selector("input[value='charm/gong']", state="attached")
    file.write_text(PACK.replace("end game", "ennd game"), encoding="utf-8")
    ann.page.wait_for_selector("#preview [role=alert]:has-text('did you mean `end`')")
    assert ann.page.input_value("#print-size") == "44x63"
    file.write_text(PACK, encoding="utf-8")
    shows(ann, "3 cards on 1 sheet")


def test_one_card_from_the_gallery(visit: Visit) -> None:
    ann = visit("/gallery?pack=gates&lang=en&card=gem/opal")
    ann.page.click("text=Print this card")
    shows(ann, "5 cards on 1 sheet")
    assert ann.page.locator("input[value='gem/opal']").is_checked()
    ann.page.click("input[value='charm/']")
    shows(ann, "7 cards on 1 sheet")
    ann.page.click("text=Print all")
    shows(ann, "19 cards on 3 sheets", "1 of 3")
    assert "only" not in asked(ann)


def test_enter_in_a_field_shows_it_and_saves_nothing(visit: Visit) -> None:
    ann = visit("/print?pack=gates&lang=en")
    shows(ann, "19 cards on 3 sheets")
    ann.page.fill("#print-size", "44x63")
    ann.page.keyboard.press("Enter")
    shows(ann, "19 cards on 2 sheets")  # 6 × 3 across A4
    ann.page.fill("#print-size", "44")
    ann.page.keyboard.press("Tab")
    ann.page.wait_for_selector("#preview [role=alert]:has-text('The size must be')")
    assert urlsplit(ann.page.url).path == "/print"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barriers_and_no_scrolling_sideways(visit: Visit, scheme: str) -> None:
    for what in ("cards", "rules", "tabletop-simulator"):
        ann = visit(f"/print?pack=gates&lang=es&what={what}&only=gem/opal", bypass_csp=True, color_scheme=scheme)
        ann.page.wait_for_selector(".print-sheet")
        for width in (1440, 1024, 360):
            ann.page.set_viewport_size({"width": width, "height": 800})
            assert ann.wide() == width
            assert ann.barriers() == []


def test_fields_that_do_not_matter_are_away(visit: Visit) -> None:
    ann = visit("/print?pack=gates&lang=en")
    ann.page.wait_for_selector(".print-sheet")
    fields = {
        "#print-size": "cs",
        "#print-bleed": "c",
        "[name=backs]": "c",
        "[name=once]": "cs",
        "#print-players": "crs",
    }
    for what, letter in (("Cards", "c"), ("Rule book", "r"), ("Tabletop Simulator", "s")):
        ann.page.click(f"label.filter:has-text('{what}')")
        seen = {field for field in fields if ann.page.locator(field).is_visible()}
        assert seen == {field for field, letters in fields.items() if letter in letters}, what
        assert ann.page.locator("label.filter:has-text('Letter')").is_visible() == (letter != "s")
    ann.page.wait_for_selector(".print-told:text-is('19 cards from 2 images')")
