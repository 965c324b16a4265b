"""A replay in a real browser: upload, slider, keys, views, log, a branch, and the download."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.processes import running
from tests.browser.replays import journal, table

pytestmark = pytest.mark.slow
SIZES = [(1440, 900, "light"), (360, 740, "dark")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of its own."""
    folder = tmp_path_factory.mktemp("served")
    with running(folder / "data", saves=folder) as server:
        yield server.address


@pytest.mark.parametrize(("width", "height", "scheme"), SIZES)
def test_a_journal_is_replayed(
    browser: Browser, address: str, tmp_path: Path, width: int, height: int, scheme: str
) -> None:
    data = journal(table("coup", 999, players=3))
    total = data.count(b"\n") - 2
    file = tmp_path / "coup-3.journal"
    file.write_bytes(data)
    page = browser.new_page(viewport={"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # a text of `SIZES`
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))

    def at(step: int) -> None:
        page.wait_for_function(f"() => document.getElementById('now').dataset.step === '{step}'")
        assert page.locator("#place").inner_text() == f"Decision {step} of {total}"
        assert page.locator("#step").input_value() == str(step)

    def sees(view: str) -> None:
        page.wait_for_function(f"() => document.getElementById('now').dataset.view === '{view}'")
        assert page.locator("#views [aria-pressed=true]").get_attribute("data-view") == view

    page.goto(f"{address}/replay")
    page.set_input_files("input[type=file]", str(file))
    page.click("#upload button")
    page.wait_for_selector("#timeline")
    at(0)
    # keys, the slider, and buttons
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", total), ("Home", 0)):
        page.keyboard.press(key)
        at(step)
    page.locator("#step").fill("9")
    at(9)
    for name, step in (("next", 10), ("back", 9), ("last", total), ("first", 0)):
        page.click(f"[data-go={name}]")
        at(step)
    # by turn: the next turn begins where the server has put its mark
    turns = page.evaluate("() => JSON.parse(document.getElementById('timeline').dataset.turns)")
    page.click("[data-stride=turn]")
    page.keyboard.press("ArrowRight")
    at(turns[1])
    page.keyboard.press("ArrowRight")
    at(turns[2])
    page.keyboard.press("ArrowLeft")
    at(turns[1])
    page.click("[data-stride=decision]")
    # views: everything shows the cards of all seats, a seat its own
    sees("all")
    names = page.locator(".player .slip, .player .card[data-name]").count()
    assert names >= 6
    page.click("[data-view='2']")
    sees("2")
    assert page.locator(".player .slip, .player .card[data-name]").count() < names
    page.keyboard.press("0")
    sees("all")
    # the address leads to this moment
    page.wait_for_url(f"**?at={turns[1]}&view=all")
    link = page.url
    # why it happened, and the whole log
    assert page.locator("#because li").count() >= 1
    assert re.search(r"coup/\w+\.yaml:\d+", page.locator("#because").inner_text())
    page.keyboard.press("End")
    at(total)
    some = page.locator("#log li").count()
    page.click("#whole")
    page.wait_for_function(f"() => document.querySelectorAll('#log li').length > {some}")
    # it plays by itself, and stops
    page.keyboard.press("Home")
    at(0)
    page.click("[data-go=play]")
    page.wait_for_function("() => Number(document.getElementById('now').dataset.step) >= 2", timeout=10_000)
    page.click("[data-go=play]")
    stopped = page.locator("#now").get_attribute("data-step")
    page.wait_for_timeout(1600)
    assert page.locator("#now").get_attribute("data-step") == stopped
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    # the same file comes back
    with page.expect_download() as download:
        page.click("a[href$='/journal']")
    assert Path(download.value.path()).read_bytes() == data
    # a link to a moment, and a table that goes on from there
    page.goto(link)
    at(turns[1])
    page.click("#branch")
    page.wait_for_selector(".branch select")
    assert page.locator(".branch select").count() == 3
    page.click(".branch .button-main")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#answer")
    assert page.locator("#log li").count() >= 1
    assert said == []
    page.close()


def test_a_file_that_is_too_large_is_not_sent(browser: Browser, address: str, tmp_path: Path) -> None:
    file = tmp_path / "large.journal"
    file.write_bytes(b"x" * (16 * 1024 * 1024 + 1))
    page = browser.new_page()
    page.goto(f"{address}/replay")
    page.set_input_files("input[type=file]", str(file))
    page.click("#upload button")
    page.wait_for_selector("#upload-note .note")
    assert "larger than 16 MB" in page.locator("#upload-note").inner_text()
    assert page.locator("#upload").count() == 1
    page.close()
