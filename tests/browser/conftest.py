"""A running server, and people with browsers; tests that need Chromium are skipped if there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.persons import FLAGS, Person, chromium
from tests.browser.tables import ROOT

Come = Callable[..., Person]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a data folder of its own."""
    data = tmp_path_factory.mktemp("tables")
    command = [sys.executable, "-c", "from tools.main import main; main()", "serve", "--no-open", "--port", "0"]
    command += ["--workers", "2", "--data", str(data)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1].rstrip("/")
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture(scope="session")
def started() -> Iterator[Browser]:
    """A browser without windows."""
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed (looked for chromium, chromium-browser, google-chrome)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def come(started: Browser, served: str) -> Iterator[Come]:
    """Let a person come, with options of a browser context; no page that they open may complain."""
    people: list[Person] = []

    def comes(**options: object) -> Person:
        given = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **options}
        context = started.new_context(**given)  # type: ignore[arg-type]
        people.append(Person(started, served, context, context.new_page()))
        return people[-1]

    yield comes
    complaints = [one for person in people for one in person.complaints]
    for person in people:
        person.context.close()
    assert not complaints
