"""A server that is killed while people play: pages say so, and an answer is kept and taken once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route

from rulewright.tools.browser.words import words_of
from tests.browser.persons import Person
from tests.browser.processes import Server, start
from tests.browser.test_nothing_lost import lines_in

pytestmark = pytest.mark.slow
EXPECTED = ("ERR_", "htmx:", "Failed to load resource", "[object Event]", "undefined")
"""What the console says of requests that failed."""


class Machine:
    """A server that is killed and started again at the same address."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.server: Server = start(data)
        self.address = self.server.address

    def again(self) -> None:
        self.server = start(self.data, port=urlsplit(self.address).port or 0)
        assert self.server.address == self.address

    def lines(self) -> list[list[object]]:
        """The journal of the first table, after the server was killed."""
        return [json.loads(line) for line in lines_in(self.data / "tables.sqlite")]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path / "data")
    yield made
    made.server.kill()


@pytest.fixture
def ann(browser: Browser, machine: Machine) -> Iterator[Person]:
    httpx.get(f"{machine.address}/?pack=tutorial", timeout=60, trust_env=False)  # the first page takes longest
    context = browser.new_context(viewport={"width": 1024, "height": 768}, reduced_motion="reduce")
    person = Person(browser, machine.address, context, context.new_page(), kept=set(EXPECTED))
    yield person
    context.close()
    assert not person.complaints


def note(page: Page) -> str:
    """What the page says about its connection."""
    return page.locator("#lost").inner_text() if page.locator("#lost").is_visible() else ""


def says(page: Page, text: str) -> None:
    """Wait until the page says exactly this about its connection."""
    page.wait_for_function("text => document.getElementById('lost').textContent === text", arg=text)
    assert note(page) == text


@pytest.mark.parametrize("language", ("en", "es"))
def test_an_answer_is_kept_and_sent_once_the_server_is_back(machine: Machine, ann: Person, language: str) -> None:
    words = words_of(language)
    ann.opens("tutorial", ("human", "human"), language=language)
    ann.lifts()
    stamp = ann.stamp
    assert note(ann.page) == ""
    machine.server.kill()
    before = machine.lines()
    says(ann.page, words["lost"])
    ann.chooses(0)
    label = ann.page.locator("[data-option][aria-pressed=true]").get_attribute("data-option")
    ann.page.click("#answer")
    says(ann.page, f"{words['lost']} {words['lost-kept']}")
    assert ann.page.locator("#answer").is_disabled()
    ann.page.keyboard.press("Enter")
    machine.again()
    ann.waits(stamp)
    says(ann.page, "")
    ann.page.wait_for_timeout(2500)  # longer than the pause after which it would be sent again
    machine.server.kill()
    (line,) = machine.lines()[len(before) :]
    assert line[2] == [label]


def test_an_answer_that_had_arrived_is_not_taken_twice(machine: Machine, ann: Person) -> None:
    """The server is killed after it has stored the answer, and before the page has its reply."""
    ann.opens("coup", ("human", "human"))
    ann.lifts()

    def lost(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")
        machine.server.kill()

    ann.page.route("**/answer", lost, times=1)
    ann.chooses(0)
    ann.page.click("#answer")
    says(ann.page, f"{words_of('en')['lost']} {words_of('en')['lost-kept']}")
    stored = machine.lines()
    assert len(stored) == 1
    machine.again()
    says(ann.page, "")
    ann.page.wait_for_selector("#curtain")
    assert ann.page.locator(".notice:visible").count() == 0
    ann.lifts()
    ann.answers(0)
    machine.server.kill()
    assert machine.lines()[:1] == stored
    assert len(machine.lines()) == 2


def test_the_next_decision_is_answered_before_the_reply_to_the_last_one(machine: Machine, ann: Person) -> None:
    """The stream brings the next decision while the reply to an answer is still on its way."""
    ann.opens("tutorial", ("human", "random"))
    ann.waits()
    held: list[tuple[Route, APIResponse]] = []
    ann.page.route("**/answer", lambda route: held.append((route, route.fetch())), times=1)
    ann.answers(0)
    stamp = ann.stamp
    ann.chooses(0)
    ann.page.click("#answer")
    ann.page.wait_for_timeout(300)
    ((route, reply),) = held
    route.fulfill(response=reply)
    ann.waits(stamp)
    machine.server.kill()
    assert sum(line[1] == 0 for line in machine.lines()) == 2


def test_an_answer_outlives_a_page_that_is_loaded_anew(machine: Machine, ann: Person) -> None:
    """Loading a page again is what people do when nothing happens."""
    address = ann.opens("tutorial", ("human", "human"))
    ann.lifts()
    machine.server.kill()
    ann.chooses(0)
    ann.page.click("#answer")
    says(ann.page, f"{words_of('en')['lost']} {words_of('en')['lost-kept']}")
    machine.again()
    ann.page.goto(address)
    ann.page.wait_for_function("() => kept === null")
    ann.page.wait_for_timeout(300)
    machine.server.kill()
    assert len(machine.lines()) == 1


def test_a_stopped_server_takes_the_answer_when_it_is_back(machine: Machine, ann: Person) -> None:
    """A server that is stopped in order ends its streams first."""
    ann.opens("tutorial", ("human", "human"))
    ann.lifts()
    stamp = ann.stamp
    machine.server.process.terminate()
    machine.server.process.wait(20)
    machine.server.kill()
    ann.chooses(0)
    ann.page.click("#answer")
    says(ann.page, f"{words_of('en')['lost']} {words_of('en')['lost-kept']}")
    machine.again()
    ann.waits(stamp)
    machine.server.kill()
    assert len(machine.lines()) == 1


def test_a_table_that_is_gone_is_not_waited_for(machine: Machine, ann: Person) -> None:
    ann.opens("tutorial", ("human", "random"))
    machine.server.kill()
    (machine.data / "tables.sqlite").unlink()
    machine.again()
    words = words_of("en")
    says(ann.page, f"{words['no-table']}. {words['no-table-text']}")


@pytest.mark.parametrize("path", ("/gallery?pack=tutorial", "/scenarios?pack=tutorial", "/print?pack=tutorial"))
def test_other_pages_with_streams_say_so_too(machine: Machine, ann: Person, path: str) -> None:
    ann.page.goto(machine.address + path)
    ann.page.wait_for_load_state()
    assert note(ann.page) == ""
    machine.server.kill()
    says(ann.page, words_of("en")["lost"])
    machine.again()
    says(ann.page, "")
