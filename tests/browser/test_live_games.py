"""Whole games in a real browser: by clicking, by keyboard, at two browsers, and at one screen."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import Come
from tests.browser.persons import MOST, Person

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("pack", "seats", "more"),
    [
        ("rattus-cartus", ("human", "random", "random"), ()),
        ("coup", ("human", "random", "random", "random"), ()),
        ("dominion", ("human", "big-money"), ()),
        ("tutorial", ("human", "random"), ()),
    ],
)
def test_a_whole_game_by_clicking(come: Come, pack: str, seats: tuple[str, ...], more: tuple[str, ...]) -> None:
    ann = come()
    ann.opens(pack, seats, seed=3, more=more)
    assert ann.plays() < MOST
    ann.page.click("a[href$='/result']")
    assert ann.page.locator(".scores tbody tr").count() == len(seats)
    assert ann.page.locator(".result-winner h1").inner_text()


def test_a_whole_game_by_keyboard_alone(come: Come) -> None:
    """Tab, arrows, Space, Enter, and digits are enough; the focus is always on something that can be seen."""
    ann = come()
    ann.opens("tutorial", ("human", "random"), seed=6)
    keys = ann.page.keyboard
    for _ in range(MOST):
        ann.waits()
        if ann.over:
            break
        stamp = ann.stamp
        if ann.page.locator(".option > kbd:visible").count():
            keys.press("1")
        elif ann.page.locator("[data-option][aria-pressed=true]").count() == 0:
            for _tab in range(60):
                keys.press("Tab")
                if ann.page.evaluate("document.activeElement.matches('[data-option]')"):
                    break
            outline = ann.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            keys.press("Space")
        keys.press("Enter")
        ann.waits(stamp)
    assert ann.over


def test_arrows_move_within_a_hand_and_tab_leaves_it(come: Come) -> None:
    ann = come()
    ann.opens("rattus-cartus", ("human", "random"), seed=2)
    ann.waits()
    hand = ann.page.locator("#dock-zones .zone-cards").last
    cards = hand.locator(".card")
    assert cards.count() > 2
    assert hand.locator("[tabindex='0']").count() == 1
    cards.nth(0).focus()
    ann.page.keyboard.press("ArrowRight")
    assert cards.nth(1).evaluate("card => card === document.activeElement")
    ann.page.keyboard.press("Tab")
    assert not hand.evaluate("hand => hand.contains(document.activeElement)")


def links(owner: Person) -> list[str]:
    """The links that the person who opened a table finds behind its button."""
    owner.page.click("#tool-links")
    owner.page.wait_for_selector(".link-row input")
    found = [str(one.get_attribute("value")) for one in owner.page.locator(".link-row input").all()]
    owner.page.keyboard.press("Escape")
    owner.page.wait_for_selector(".veil", state="detached")
    return found


def test_two_people_at_one_table_by_link(come: Come) -> None:
    """Each sees the answers of the other at once, and nothing of the other's hand."""
    ann, ben = come(), come()
    ann.opens("tutorial", ("human", "link"), seed=2, names=("Ann", "Ben"))
    ben.page.goto(links(ann)[0])
    hands = "[...document.querySelectorAll('#dock-zones .card[data-name]')].map(card => card.dataset.name)"
    for turn in range(12):
        for one in (ann, ben):
            one.page.wait_for_selector(".dock .prompt")
        acting, other = (ann, ben) if ann.page.locator("#answer").count() else (ben, ann)
        if acting.page.locator("#answer").count() == 0:
            break
        own = acting.page.evaluate(hands)
        assert own
        assert other.page.locator(".players [data-name]").count() == 0
        log = other.page.locator("#log").text_content()
        stamp = acting.stamp
        acting.chooses(turn)
        acting.confirms()
        acting.page.wait_for_function("s => document.getElementById('table').dataset.stamp !== s", arg=stamp)
        other.page.wait_for_function("log => document.getElementById('log').textContent !== log", arg=log)


def test_the_cards_of_the_next_player_are_not_in_the_page_before_the_curtain_is_lifted(come: Come) -> None:
    ann = come()
    ann.opens("tutorial", ("human", "human"), seed=8)
    for turn in range(6):
        ann.waits()
        if ann.page.locator("#curtain").count() == 0:
            ann.answers(turn)
            continue
        body = ann.page.locator("#swap").inner_html()
        assert "data-face" not in body
        assert "data-option" not in body
        assert ann.page.request.get(ann.page.url).text().count("data-face") == 0
        ann.lifts()
        assert ann.page.locator("#dock-zones .card[data-name]").count() > 0


def test_an_answer_is_taken_back_alone_at_once(come: Come) -> None:
    ann = come()
    ann.opens("tutorial", ("human", "random"), seed=5)
    ann.waits()
    asked = ann.page.locator("#question").inner_text()
    hand = ann.page.locator("#dock-zones").inner_text()
    ann.answers(1)
    stamp = ann.stamp
    ann.page.keyboard.press("u")
    ann.waits(stamp)
    assert ann.page.locator("#question").inner_text() == asked
    assert ann.page.locator("#dock-zones").inner_text() == hand


@pytest.mark.parametrize("agrees", (True, False))
def test_an_answer_is_taken_back_if_the_others_agree(come: Come, agrees: bool) -> None:
    ann, ben = come(), come()
    ann.opens("tutorial", ("human", "link"), seed=2, names=("Ann", "Ben"))
    ben.page.goto(links(ann)[0])
    first, other = (ann, ben) if ann.page.locator("#answer").count() else (ben, ann)
    before = first.stamp
    first.chooses(0)
    first.confirms()
    other.page.wait_for_selector("#answer")
    first.page.click("#tool-undo")
    other.page.wait_for_selector(".notice:not(#lost)")
    other.page.click(".notice .button >> nth=0" if agrees else ".notice .button >> nth=1")
    other.page.wait_for_selector(".notice:not(#lost)", state="detached")
    first.page.wait_for_selector(".notice:not(#lost)", state="detached")
    if agrees:
        first.page.wait_for_selector("#answer")
        assert re.sub(r"^\d+\.", "", first.stamp) == re.sub(r"^\d+\.", "", before)
    else:
        assert other.page.locator("#answer").count() == 1


def test_the_log_stays_where_one_reads_and_can_be_shown_from_the_start(come: Come) -> None:
    ann = come(viewport={"width": 1440, "height": 900})
    ann.opens("rattus-cartus", ("human", "random", "random"), seed=3)
    for turn in range(14):
        ann.waits()
        ann.answers(turn)
    heads = ann.page.locator(".log h3").all_inner_texts()
    ann.page.click("#log-from")
    ann.page.wait_for_function("n => document.querySelectorAll('.log h3').length > n", arg=len(heads))
    assert ann.page.locator(".log h3").all_inner_texts()[-len(heads) :] == heads
    at = "document.getElementById('log').scrollTop"
    ann.page.evaluate("document.getElementById('log').scrollTop = 40")
    ann.page.wait_for_timeout(100)
    ann.answers(1)
    assert ann.page.evaluate(at) == 40
    ann.page.evaluate("document.getElementById('log').scrollTop = 1e6")
    ann.page.wait_for_timeout(100)
    ann.answers(2)
    assert ann.page.locator("#log").evaluate("log => log.scrollHeight - log.scrollTop - log.clientHeight < 3")
