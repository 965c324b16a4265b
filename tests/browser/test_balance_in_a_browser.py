"""The balance page in Chromium: followed, reloaded, stopped, and read on a desk and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from rulewright.tools.browser.words import words_of
from tests.browser.persons import Person
from tests.browser.ponds import serving
from tests.browser.test_security import MARKUP, quoted
from tests.tools.balance.test_study import QUARRY

pytestmark = pytest.mark.slow
WORDS = words_of("en")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
Visit = Callable[..., Person]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The quarry; one of its stones has a long name that would act on a page."""
    folder = tmp_path / "quarry"
    folder.mkdir()
    text = (QUARRY / "pack.yaml").read_text("utf-8")
    (folder / "pack.yaml").write_text(text.replace("{en: Slate}", f'{{en: "Slate {quoted(MARKUP)}"}}'), "utf-8")
    return folder


LONG = ("shifts >= 4", "shifts >= 2500")
"""A change of the quarry that makes its games long, so that a study can be stopped in the middle."""


def lengthened(pack: Path) -> None:
    file = pack / "pack.yaml"
    file.write_text(file.read_text("utf-8").replace(*LONG), "utf-8")


@pytest.fixture
def visit(browser: Browser, pack: Path) -> Iterator[Visit]:
    """Somebody who opens a page of a server with this pack; none of their pages may complain."""
    people: list[Person] = []
    with serving(pack) as client:

        def comes(address: str, **options: Any) -> Person:
            given: dict[str, Any] = {"viewport": DESK, "reduced_motion": "reduce", "locale": "en", **options}
            context = browser.new_context(**given)
            people.append(Person(browser, str(client.base_url), context, context.new_page()))
            people[-1].page.set_default_timeout(60_000)
            people[-1].page.goto(f"{client.base_url}{address}")
            return people[-1]

        yield comes
        for person in people:
            person.context.close()
    assert [one for person in people for one in person.complaints] == []


UNDER_WAY = ", ".join(
    f".balance-stage:text-is('{WORDS[f'balance-what-{one}']}')" for one in ("screening", "comparing")
)
"""A stage in which games are played; the first of them may be over before anybody looks."""


def starts(ann: Person, seconds: int) -> None:
    """Start a study by the form, once its page is there."""
    ann.page.wait_for_load_state()
    ann.page.select_option("#balance-seconds", str(seconds))
    ann.page.click(".balance-go .button")
    ann.page.wait_for_selector(".balance-run")


def test_a_study_is_followed_to_its_report_and_read_on_any_width(visit: Visit) -> None:
    ann = visit("/balance?pack=quarry&lang=en")
    bob = visit("/balance?pack=quarry&lang=es", viewport=PHONE, bypass_csp=True, color_scheme="dark")
    assert (ann.wide(), bob.wide()) == (1280, 390)
    assert bob.barriers() == []
    starts(ann, 20)
    bob.page.reload()
    bob.page.wait_for_selector("progress.balance-bar")
    assert bob.wide() == 390
    assert bob.barriers() == []
    for person in (ann, bob):
        person.page.wait_for_selector(".balance .headlines", timeout=120_000)
        person.page.wait_for_selector(".balance-run", state="detached")
    rows = ann.page.locator(".balance .wide").first.locator("tbody th").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["Marble", "Slate", "Chalk"]
    assert MARKUP.split()[0] in rows[1], "the name is a text"
    seen = [[one.locator(".plot-wide").first.is_visible(), one.locator(".plot-narrow").first.is_visible()]
            for one in (ann.page, bob.page)]  # fmt: skip
    assert seen == [[True, False], [False, True]]
    for person, least in ((ann, 1280), (bob, 390)):
        assert person.wide() == least
        shown = person.page.locator(".balance figure svg:visible").first.bounding_box()
        assert shown is not None and shown["x"] >= 0 and shown["x"] + shown["width"] <= least
    assert bob.barriers() == []
    with ann.page.expect_download() as waited:
        ann.page.click("text=JSON")
    assert waited.value.suggested_filename == "quarry-balance-1.json"
    found = json.loads(Path(waited.value.path()).read_text("utf-8"))
    assert [one["id"] for one in found["definitions"]] == ["stone/marble", "stone/slate", "stone/chalk"]
    with ann.page.expect_download() as waited:
        ann.page.click("text=HTML")
    file = visit("/")
    file.page.goto(f"file://{waited.value.path()}")
    for width in (1280, 390):
        file.page.set_viewport_size({"width": width, "height": 800})
        assert file.wide() == width
    assert file.page.locator("script").count() == 0


def test_a_study_survives_a_reload_refuses_another_and_keeps_what_was_played(visit: Visit, pack: Path) -> None:
    lengthened(pack)
    ann = visit("/balance?pack=quarry&lang=en")
    starts(ann, 600)
    ann.page.wait_for_selector(UNDER_WAY)
    ann.page.wait_for_function("() => Number(document.querySelector('.balance-stages small')?.textContent[0]) > 0")
    first = ann.page.locator(".balance-numbers").inner_text()
    ann.page.wait_for_function("was => document.querySelector('.balance-numbers')?.innerText !== was", arg=first)
    ann.page.reload()
    ann.page.wait_for_selector(".balance-run")
    bob = visit("/balance?pack=coup&lang=en")
    bob.kept.add("409")
    assert WORDS["balance-elsewhere"].format(name="Quarry") in bob.page.inner_text("main")
    bob.page.click(".balance-go .button")
    bob.page.wait_for_selector(f"[role=alert]:has-text('{WORDS['balance-busy'].split(':')[0]}')")
    ann.page.click(f".balance-run button:has-text('{WORDS['balance-stop']}')")
    ann.page.wait_for_selector(".balance .headlines li:has-text('was stopped')")
    assert ann.page.locator(".balance .wide tbody th").count() > 0
    bob.page.goto(f"{bob.base}/balance?pack=quarry&lang=en")
    bob.page.wait_for_selector(".balance .headlines li:has-text('was stopped')")


def test_a_page_without_scripts_does_all_of_it(visit: Visit, pack: Path) -> None:
    lengthened(pack)
    ann = visit("/balance?pack=quarry&lang=en", java_script_enabled=False)
    ann.page.select_option("#balance-seconds", "600")
    ann.page.click(".balance-go .button")
    ann.page.wait_for_selector(UNDER_WAY)
    ann.page.click(f".balance-run button:has-text('{WORDS['balance-stop']}')")
    ann.page.wait_for_selector(".balance .headlines")
    with ann.page.expect_download():
        ann.page.click("text=HTML")


def test_house_rules_change_the_form(visit: Visit) -> None:
    ann = visit("/balance?pack=rattus-cartus&lang=en")
    before = ann.page.locator(".balance-kinds").inner_text()
    assert "Building 12" in before.replace("\n", " ")
    ann.page.click(".balance-more summary")
    ann.page.check("label.check:has-text('New town') input")
    ann.page.wait_for_selector(".balance-kinds:has-text('Building 16')")
    assert ann.page.locator("label.check:has-text('New town') input").is_checked()
    assert ann.page.locator(".balance-more[open]").count() == 1
