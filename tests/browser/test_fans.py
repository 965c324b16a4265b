"""A hand of any size in a real browser: all its cards are in sight, and each can be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.ponds import opened, serving

pytestmark = pytest.mark.slow
PEEK = 24
"""Pixels of a card that are in sight at least."""
PADDING = 16
"""Pixels beside the first and the last card, together."""
GEMS = 40
PACK = f"""\
pack: fans
players: 2
languages: [en]
name: {{en: Fans}}
---
kinds:
  gem: {{name: {{en: gem}}, fields: {{worth: number}}}}
---
components: {{gems: {{kind: gem, starts: bag}}}}
---
zones:
  bag: {{name: {{en: bag}}, order: pile, seen-by: nobody}}
  hand: {{name: {{en: hand}}, scope: player, order: row, seen-by: owner}}
  heap: {{name: {{en: heap}}, order: pile, seen-by: all}}
---
options:
  size: {{default: 5, number: 1 to {GEMS}, text: {{en: Cards in hand.}}}}
---
setup: start
steps:
  - id: deal
    do: "each p in players where p is first of players: move top size of bag to p's hand"
---
round: turn
turns-from: first of players
until: heap is not empty
steps:
  - id: give
    do: |
      choose 0 to {GEMS} gem from hand as given
      move given to heap
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[httpx.Client]:
    """A server with a game whose first player has a hand of a size that the table chooses."""
    gems = "".join(f"---\ngem: gem-{n}\nname: {{en: Gem number {n}}}\nworth: {n}\n" for n in range(GEMS))
    (tmp_path / "pack.yaml").write_text(PACK + gems, encoding="utf-8")
    with serving(tmp_path) as client:
        client.headers["pack"] = str(tmp_path)
        yield client


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    made = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce").new_page()
    yield made
    made.goto("about:blank")
    made.context.close()


def lefts(page: Page) -> list[float]:
    """The left edges of the cards in hand, from the left."""
    edges = "all => all.map(one => one.getBoundingClientRect().left)"
    return [float(left) for left in page.locator("#dock-zones .card").evaluate_all(edges)]


@pytest.mark.parametrize("size", (5, 12, 25))
def test_the_overlap_depends_on_the_cards_and_the_width(table: httpx.Client, page: Page, size: int) -> None:
    """All cards are in the dock without scrolling; they lie over each other only if there is no room beside."""
    pack = table.headers["pack"]
    page.goto(str(table.base_url) + opened(table, pack, ("human", "random"), **{"option:size": str(size)}))
    page.wait_for_selector("#answer")
    for width in (1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        left = lefts(page)
        card = page.locator("#dock-zones .card").last.bounding_box()
        dock = page.locator("#dock-zones")
        assert card is not None
        assert len(left) == size
        steps = [after - before for before, after in pairwise(left)]
        assert max(steps) - min(steps) <= 1
        assert min(steps) >= PEEK
        assert dock.evaluate("dock => dock.scrollWidth - dock.clientWidth") <= 0
        room = dock.evaluate("dock => dock.clientWidth") - PADDING >= size * card["width"]
        assert (min(steps) >= card["width"]) == room


def test_each_card_of_a_fan_can_be_chosen_and_the_next_one_stays_in_reach(table: httpx.Client, page: Page) -> None:
    pack = table.headers["pack"]
    page.goto(str(table.base_url) + opened(table, pack, ("human", "random"), **{"option:size": "25"}))
    page.wait_for_selector("#answer")
    cards = page.locator("#dock-zones .card")
    for n in range(25):
        cards.nth(n).click(position={"x": PEEK / 2, "y": 60})
        assert page.locator("#dock-zones .card[aria-pressed=true]").count() == n + 1


def test_on_a_telephone_the_fan_scrolls(table: httpx.Client, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    pack = table.headers["pack"]
    page.goto(str(table.base_url) + opened(table, pack, ("human", "random"), **{"option:size": "25"}))
    page.wait_for_selector("#answer")
    left = lefts(page)
    assert min(after - before for before, after in pairwise(left)) >= PEEK
    assert page.evaluate("document.documentElement.scrollWidth") == 360
