"""The desk in Chromium: a mistake and its repair over a table, and the gallery from the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.ponds import POND, opened, serving

pytestmark = pytest.mark.slow


@contextmanager
def visiting(page: Page, *packs: Path) -> Iterator[httpx.Client]:
    """Serve packs, and leave the server before it stops, which would cut the page's stream."""
    with serving(*packs) as client:
        yield client
        page.goto("about:blank")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page; what its console reports makes the test fail."""
    told: list[str] = []
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en")
    made = context.new_page()
    made.set_default_timeout(15_000)
    made.on("pageerror", lambda error: told.append(str(error)))
    made.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    yield made
    context.close()
    assert told == []


def test_a_mistake_and_its_repair(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "pack.yaml"
    file.write_text(POND, encoding="utf-8")
    with visiting(page, tmp_path) as client:
        page.goto(str(client.base_url) + opened(client, str(tmp_path), ("human", "random")))
        file.write_text(POND.replace("fish += 1", "fsh += 1"), encoding="utf-8")
        page.wait_for_selector("#saved mark")
        assert page.inner_text("#saved mark") == "fsh"
        assert page.evaluate("document.activeElement.closest('#saved') !== null"), "the dialog has the focus"
        page.keyboard.press("1")
        assert page.locator("[aria-pressed=true]").count() == 0, "nothing is chosen below it"
        page.keyboard.press("Escape")
        page.wait_for_selector("#saved", state="detached")
        page.click("button:has-text('Show')")
        page.wait_for_selector("#saved mark")
        file.write_text(POND.replace("gain 2 coins", "gain 9 coins"), encoding="utf-8")
        page.wait_for_selector("#saved mark", state="detached")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_selector("dd:text-is('9')")


def test_the_gallery_from_the_keyboard(page: Page) -> None:
    with visiting(page) as client:
        page.goto(f"{client.base_url}/gallery?pack={quote('tutorial')}&lang=en")
        page.keyboard.press("/")
        page.keyboard.type("queen")
        page.locator("#cards .card").nth(4).wait_for(state="detached")
        assert page.locator("#cards .card").count() == 4
        assert "find=queen" in page.url
        page.focus("#cards .card")
        page.keyboard.press("ArrowRight")
        second = page.evaluate("document.activeElement.dataset.card")
        page.keyboard.press("Enter")
        page.wait_for_selector("#detail h2")
        assert page.locator("#cards [aria-current]").get_attribute("data-card") == second
        shared = page.url
        page.goto("about:blank")
        page.goto(shared)
        assert page.locator("#cards .card").count() == 4
        assert page.locator("#cards [aria-current]").get_attribute("data-card") == second
        page.click("text=Play this card")
        page.wait_for_selector("#table")


@pytest.mark.parametrize("path", ["/gallery", "/scenarios"])
def test_no_page_is_wider_than_a_phone(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    with visiting(page) as client:
        page.goto(f"{client.base_url}{path}?pack=tutorial&card=playing-card/hearts-8")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
