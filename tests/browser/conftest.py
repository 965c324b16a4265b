"""A running server, and people with browsers; tests that need Chromium are skipped if there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.persons import FLAGS, Person, chromium
from tests.browser.processes import running

Come = Callable[..., Person]
IN_EVERY_RUN = (
    "test_a_whole_game_by_clicking[tutorial-seats3-more3]",
    "test_lobby_dialogs_curtain_and_result_have_no_barriers[light]",
    "test_a_mistake_and_its_repair",
)
"""Slow tests of this folder that `.ci/run` runs, in a real browser; `.ci/browser` runs the others."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the others, before tests are chosen by marks."""
    for item in items:
        slow = item.path.parent == Path(__file__).parent and item.get_closest_marker("slow") is not None
        if slow and item.name not in IN_EVERY_RUN:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a data folder of its own."""
    with running(tmp_path_factory.mktemp("tables") / "data", workers=2) as server:
        yield server.address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without windows.

    While it runs, no test of the same process can run an event loop of its own: so it ends with its module.
    """
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed (looked for chromium, chromium-browser, google-chrome)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture
def come(browser: Browser, served: str) -> Iterator[Come]:
    """Let a person come, with options of a browser context; no page that they open may complain."""
    people: list[Person] = []

    def comes(**options: Any) -> Person:
        given: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **options}
        context = browser.new_context(**given)
        people.append(Person(browser, served, context, context.new_page()))
        return people[-1]

    yield comes
    complaints = [one for person in people for one in person.complaints]
    for person in people:
        person.context.close()
    assert not complaints
