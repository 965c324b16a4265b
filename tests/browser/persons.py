"""A person at a table in a real browser: opens a table in the lobby, looks, clicks, and types."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from attrs import define, field
from playwright.sync_api import Browser, BrowserContext, Page, Position

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
PATIENCE = 15_000
"""Milliseconds to wait for what has to happen."""
ASKED = "#answer, #curtain, a[href$='/result']"
CORNER: Position = {"x": 10, "y": 12}
"""Where options are clicked: cards of a fan lie over each other, and their left edges are in sight."""
MOST = 400
"""Answers of a person in one game."""


def chromium() -> str | None:
    """The program of an installed Chromium or Chrome."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@define
class Person:
    """Somebody with a browser of their own. `complaints` are errors of pages and of their scripts."""

    browser: Browser
    base: str
    context: BrowserContext
    page: Page
    complaints: list[str] = field(factory=list)
    kept: set[str] = field(factory=set)
    """Complaints that a test expects, by a part of their text."""

    def __attrs_post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda told: self._heard(told.type, told.text))

    def _heard(self, sort: str, text: str) -> None:
        if sort in ("error", "warning") and not any(part in text for part in self.kept):
            self.complaints.append(text)

    # -------------------------------------------------------------- tables

    def opens(
        self, pack: str, seats: Sequence[str], *, seed: int = 1, more: Sequence[str] = (), language: str = "en",
        names: Sequence[str] = (), speed: int = 0,
    ) -> str:  # fmt: skip
        """Open a table by the form of the lobby, and return its address. Bots play at once."""
        asked = [("pack", pack), ("lang", language), *(("kind", seat) for seat in seats)]
        asked += [("name", name) for name in (*names, *[""] * (len(seats) - len(names)))]
        asked += [("more", one) for one in more]
        self.page.goto(f"{self.base}/?{urlencode(asked)}")
        self.page.fill("#seed", str(seed))
        if language != "en":
            self.page.select_option("#language", language)
        self.page.click("form.panel .button-main")
        self.page.wait_for_selector("#table")
        self.page.wait_for_load_state()  # buttons do nothing before the scripts run
        if self.page.locator("#speed").count():
            self.page.select_option("#speed", str(speed))
        return self.page.url

    def waits(self, stamp: str | None = None) -> None:
        """Wait until this person is asked (after the decision `stamp`) or the game is over."""
        if stamp is not None:
            asked = "stamp => document.getElementById('table').dataset.stamp !== stamp"
            self.page.wait_for_function(asked, arg=stamp)
        self.page.wait_for_selector(ASKED)

    @property
    def stamp(self) -> str:
        """The name of the decision on the page."""
        return self.page.get_attribute("#table", "data-stamp") or ""

    @property
    def over(self) -> bool:
        """Whether the page shows the end of a game."""
        return self.page.locator("a[href$='/result']").count() > 0

    def number(self, name: str) -> int:
        """A bound of the decision on the page."""
        return int(self.page.get_attribute("#table", f"data-{name}") or 0)

    def chooses(self, turn: int) -> None:
        """Click as many options as have to be chosen, but one if possible; which ones depends on `turn`."""
        options = self.page.locator("[data-option]")
        count, most = options.count(), self.number("most")
        want = max(self.number("least"), min(1, most, count))
        first, clicked = turn * 7, 0
        for place in range(count):
            option = options.nth((first + place) % count)
            for _ in range(min(want - clicked, int(option.get_attribute("data-most") or 1))):
                option.click(position=CORNER)
                clicked += 1
            if clicked == want:
                return

    def answers(self, turn: int) -> None:
        """Choose and confirm, and wait until that has been taken."""
        stamp = self.stamp
        self.chooses(turn)
        self.confirms()
        self.waits(stamp)

    def confirms(self) -> None:
        """Send what is chosen, or say that it is nothing."""
        self.page.click("#none" if self.page.locator("#answer").is_disabled() else "#answer")

    def lifts(self) -> None:
        """Lift the curtain."""
        self.page.click("#curtain")
        self.page.wait_for_selector("#answer")

    def plays(self, most: int = MOST) -> int:
        """Play until the end of the game, lifting curtains; return the number of answers."""
        for turn in range(most):
            self.waits()
            if self.page.locator("#curtain").count():
                self.lifts()
            if self.over:
                return turn
            self.answers(turn)
        return most

    # -------------------------------------------------------------- looking

    def wide(self) -> int:
        """The width of the page in pixels, once it is there."""
        self.page.wait_for_load_state()
        return int(self.page.evaluate("document.documentElement.scrollWidth"))

    def barriers(self) -> list[str]:
        """What axe-core finds on the page: violations of WCAG 2.2, A and AA."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate(
            "async tags => (await axe.run(document, {runOnly: tags})).violations"
            ".map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 160) + ' '"
            " + node.any.concat(node.all).map(x => x.message).join(' ')).slice(0, 4).join(' | '))",
            list(TAGS),
        )
        return [str(one) for one in found]
