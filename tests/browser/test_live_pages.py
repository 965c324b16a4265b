"""Pages in a real browser: no barriers, no scrolling sideways, and what is chosen is in sight."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Come
from tests.browser.persons import Person

pytestmark = pytest.mark.slow
TELEPHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
TABLES = (
    ("rattus-cartus", ("human", "random", "random"), 9),
    ("dominion", ("human", "random", "random"), 6),
    ("coup", ("human", *["random"] * 5), 4),
    ("tutorial", ("human", "random"), 3),
)


def in_the_middle(person: Person, pack: str, seats: tuple[str, ...], answers: int) -> None:
    """Give a number of answers, and then choose something without confirming it."""
    person.opens(pack, seats, seed=9)
    assert person.plays(answers) == answers
    person.waits()
    if not person.over:
        person.chooses(1)


@pytest.mark.parametrize(("pack", "seats", "answers"), TABLES)
def test_a_table_in_the_middle_of_a_game(come: Come, pack: str, seats: tuple[str, ...], answers: int) -> None:
    """No barriers in light and dark; the middle in sight on a desktop; on a telephone only scrolling down."""
    ann = come(bypass_csp=True)
    in_the_middle(ann, pack, seats, answers)
    hidden = ann.page.locator("#board").evaluate("board => board.scrollHeight - board.clientHeight")
    assert hidden <= 0
    assert ann.barriers() == []
    ann.page.emulate_media(color_scheme="dark")
    assert ann.barriers() == []
    ann.page.set_viewport_size(TELEPHONE["viewport"])
    assert ann.barriers() == []
    assert ann.wide() == 360
    small = ann.page.evaluate(
        "() => [...document.querySelectorAll('button, a, select')].filter(one => one.offsetParent)"
        ".map(one => [one.getBoundingClientRect(), one]).filter(([box]) => box.height > 0 && box.height < 30)"
        ".map(([box, one]) => one.outerHTML.slice(0, 80))"
    )
    assert small == []


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_lobby_dialogs_curtain_and_result_have_no_barriers(come: Come, scheme: str) -> None:
    ann = come(bypass_csp=True, color_scheme=scheme)
    ann.page.goto(ann.base)
    assert ann.barriers() == []
    ann.opens("tutorial", ("human", "human"), seed=4)
    if ann.page.locator("#curtain").count():
        assert ann.barriers() == []
        ann.lifts()
    ann.page.click("#tool-links")
    ann.page.wait_for_selector(".link-row")
    assert ann.barriers() == []
    ann.page.keyboard.press("Escape")
    ann.page.keyboard.press("?")
    ann.page.wait_for_selector("#why-title")
    assert ann.barriers() == []
    ann.page.keyboard.press("Escape")
    ann.opens("tutorial", ("human", "random"), seed=4)
    ann.plays()
    ann.page.click("a[href$='/result']")
    assert ann.barriers() == []


def test_lobby_and_result_on_a_telephone_scroll_down_only(come: Come) -> None:
    ann = come(**TELEPHONE)
    for pack in ("", "?pack=dominion", "?pack=rattus-cartus"):
        ann.page.goto(f"{ann.base}/{pack}")
        assert ann.wide() == 360
    ann.opens("tutorial", ("human", "random"), seed=4)
    ann.plays()
    ann.page.click("a[href$='/result']")
    assert ann.wide() == 360


def test_on_a_telephone_the_dock_can_be_folded_and_a_card_is_shown_in_full(come: Come) -> None:
    ann = come(**TELEPHONE)
    ann.opens("rattus-cartus", ("human", "random"), seed=2)
    ann.waits()
    fold, zones = ann.page.locator("#fold"), ann.page.locator("#dock-zones")
    assert fold.get_attribute("aria-expanded") == "true"
    assert zones.is_visible()
    fold.click()
    assert fold.get_attribute("aria-expanded") == "false"
    assert not zones.is_visible()
    fold.click()
    zones.locator(".card[data-face]").first.click()
    ann.page.wait_for_selector("#inspect h2")
    box, dock = ann.page.locator("#inspect").bounding_box(), ann.page.locator("#decision").bounding_box()
    assert box is not None
    assert dock is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= dock["y"]
    ann.page.click("[data-unlook]")
    assert not ann.page.locator("#inspect").is_visible()


def test_a_chosen_card_is_lifted_and_covers_nothing(come: Come) -> None:
    """Its frame is within the dock, and below the label of its zone."""
    ann = come(reduced_motion="no-preference")
    ann.opens("dominion", ("human", "random"), seed=3)
    for turn in range(10):
        ann.waits()
        if ann.page.locator("#dock-zones [data-option]").count():
            break
        ann.answers(turn)
    card = ann.page.locator("#dock-zones [data-option]").first
    low = card.bounding_box()
    card.click()
    ann.page.mouse.move(5, 5)
    ann.page.wait_for_timeout(300)
    lifted, dock = card.bounding_box(), ann.page.locator("#dock-zones").bounding_box()
    label = ann.page.locator("#dock-zones .zone-label").first.bounding_box()
    assert low is not None
    assert lifted is not None
    assert dock is not None
    assert label is not None
    assert lifted["y"] < low["y"]
    assert lifted["y"] - 5 >= label["y"] + label["height"] - 1
    assert lifted["x"] - 5 >= dock["x"]


def test_names_of_any_length_stay_in_their_panels(come: Come) -> None:
    ann = come()
    ann.opens("coup", ["human"] * 6, seed=1, names=["Wolfeschlegelsteinhausen"] * 6)
    ann.lifts()
    for width in (1920, 1440, 1024, 360):
        ann.page.set_viewport_size({"width": width, "height": 900})
        assert ann.wide() == width
        panels = ann.page.locator(".player")
        over = panels.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
        assert max(over) <= 1


SEEN = """() => ['#question', '#answer', '#dock-zones .card'].map(one => document.querySelector(one)).map(one => {
    const box = one.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, Math.min(box.top + 12, box.bottom - 2)];
    return one.contains(document.elementFromPoint(x, y));
})"""
"""Whether the question, the button, and the first card of the hand are in sight with nothing painted over them."""


def test_on_a_telephone_the_log_does_not_cover_the_dock(come: Come) -> None:
    ann = come(viewport={"width": 390, "height": 844}, has_touch=True)
    ann.opens("dominion", ("human", "random"), seed=3)
    ann.waits()
    for place in (0, 400, 900, 100_000):
        ann.page.evaluate("place => scrollTo(0, place)", place)
        assert ann.page.evaluate(SEEN) == [True, True, True], place
    width = ann.page.locator(".side").evaluate("side => side.getBoundingClientRect().width")
    assert width == 390


def test_choosing_nothing_is_never_the_default(come: Come) -> None:
    """Where nothing may be chosen, Enter does nothing at first; *Choose all* chooses all, and sends nothing."""
    ann = come()
    ann.opens("dominion", ("human", "random"), seed=3)
    ann.waits()
    for turn in range(12):
        if ann.number("least") == 0 and ann.number("most") > 1:
            break
        ann.answers(turn)
    stamp, most = ann.stamp, ann.number("most")
    assert ann.number("least") == 0
    assert most > 1
    assert ann.page.locator("#answer").is_disabled()
    ann.page.keyboard.press("Enter")
    assert ann.page.locator("#none").is_visible()
    ann.page.click("#all")
    assert ann.page.locator("#answer-label").inner_text() == f"Choose {most}"
    assert not ann.page.locator("#none").is_visible()
    assert ann.stamp == stamp
    ann.page.click("#clear")
    ann.page.click("#none")
    ann.waits(stamp)
