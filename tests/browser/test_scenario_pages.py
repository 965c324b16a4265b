"""The scenarios of a pack: their outcomes, and stepping through them."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from rulewright.tools.browser.desk.gallery import Desk
from rulewright.tools.browser.desk.scenarios import FAILED, PASSED, rows
from rulewright.tools.browser.desk.scenarios import tested as outcome
from rulewright.tools.packs.loading import compile_pack, shipped
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages
from tests.browser.ponds import POND, serving

SCENARIOS = """\
---
scenario: Work pays two coins
players: [ann, ben]
when:
  - ann: {choice: work}
then:
  - ann's coins is 2
  - asks: {ben: turn.act.choice}
---
scenario: Work pays three coins
players: [ann, ben]
when:
  - ann: {choice: work}
then:
  - ann's coins is 3
---
scenario: Two answers, with a fact between them
players: [ann, ben]
when:
  - ann: {choice: angle}
  - then: ["ann's fish is 1"]
  - ben: {choice: rest}
then:
  - turns is 2
"""


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    (tmp_path / "pack.yaml").write_text(POND + SCENARIOS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["tutorial", "open-hands", pytest.param("coup", marks=pytest.mark.slow)])
def test_outcomes_are_those_of_the_command(name: str) -> None:
    _same_outcomes(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*shipped()} - {"tutorial", "open-hands", "coup"}))
def test_outcomes_of_the_other_packs_are_those_of_the_command(name: str) -> None:
    _same_outcomes(name)


def _same_outcomes(name: str) -> None:
    pack = Desk().pack(str(shipped()[name]), ())
    program = compile_pack(str(shipped()[name]), scenarios=True).program
    stages = Stages(program, program.scenarios)
    assert [one.title for one in rows(pack, "")] == [one.title for one in program.scenarios]
    for number, scenario in enumerate(program.scenarios):
        wrong = perform(stages, scenario).wrong
        found = outcome(pack, number)
        assert (found.state == PASSED) == (not wrong)
        assert [one.message for one in found.wrong] == [one.message for one in wrong]


def test_a_failure_is_shown_with_its_place(pond: Path) -> None:
    found = outcome(Desk().pack(str(pond), ()), 1)
    assert found.state == FAILED
    (wrong,) = found.wrong
    assert "ann's coins is 3" in wrong.message
    assert any("`ann's coins` is 2" in told for told in wrong.details)
    marked = [line.marked for line in wrong.excerpts[0].lines if line.marked]
    assert marked == ["ann's coins is 3"]


@pytest.mark.slow
def test_the_list_and_the_batches(pond: Path) -> None:
    with serving(pond) as client:
        page = client.get("/scenarios", params={"pack": str(pond)})
        assert re.findall(r'id="scenario-(\d)"', page.text) == ["0", "1", "2"]
        states, link = {}, re.search(r'hx-get="(/scenarios/outcomes[^"]*)"', page.text)
        while link is not None:
            part = client.get(html.unescape(link[1])).text
            states |= dict(re.findall(r'id="outcome-(\d)"[^>]*data-outcome="(\w+)"', part))
            link = re.search(r'hx-get="(/scenarios/outcomes[^"]*)"', part)
        assert states == {"0": "passed", "1": "failed", "2": "passed"}
        some = client.get("/scenarios", params={"pack": str(pond), "find": "three"})
        assert re.findall(r'id="scenario-(\d)"', some.text) == ["1"]


def _steps(client: httpx.Client, at: str) -> list[str]:
    return re.findall(r'<li data-state="(\w+)"', client.get(at).text)


def _opened(client: httpx.Client, pond: Path, number: int) -> str:
    form = {"pack": str(pond), "number": str(number)}
    reply = client.post("/scenarios/open", data=form, follow_redirects=False)
    assert reply.status_code == 303
    return reply.headers["location"]


def _next(client: httpx.Client, at: str, to: str = "next-step", **data: Any) -> None:
    reply = client.post(f"{at}/{to}", data=data, follow_redirects=True)
    assert reply.status_code == 200, reply.text


@pytest.mark.slow
def test_a_scenario_is_stepped_through(pond: Path) -> None:
    with serving(pond) as client:
        at = _opened(client, pond, 2)
        assert _steps(client, at) == ["next", "later", "later", "later"]
        _next(client, at)
        assert _steps(client, at) == ["done", "met", "next", "later"], "the fact is met before Ben answers"
        assert "Ben" in client.get(at).text
        _next(client, at)
        assert _steps(client, at) == ["done", "met", "done", "met"]
        assert "next-step" not in client.get(at).text
        journal = client.get(f"{at}/journal").text.splitlines()
        assert [line.split('"')[1] for line in journal[-2:]] == ["turn.act.choice"] * 2
        assert '"angle"' in journal[-2] and '"rest"' in journal[-1]


@pytest.mark.slow
def test_an_expectation_that_fails(pond: Path) -> None:
    with serving(pond) as client:
        at = _opened(client, pond, 1)
        _next(client, at)
        assert _steps(client, at) == ["done", "failed"]
        assert "`ann's coins` is 2" in html.unescape(client.get(at).text)


@pytest.mark.slow
def test_leaving_the_scenario_and_coming_back(pond: Path) -> None:
    with serving(pond) as client:
        at = _opened(client, pond, 2)
        page = client.get(at).text
        stamp = re.search(r'data-stamp="([^"]+)"', page)
        assert stamp is not None
        _next(client, at, "answer", stamp=stamp[1], keys="rest")
        _next(client, at, "face", seat="1")
        page = client.get(at).text
        assert "This table has left the scenario" in page and "next-step" not in page
        _next(client, at, "undo")
        assert _steps(client, at) == ["next", "later", "later", "later"]


@pytest.mark.slow
def test_only_the_owner_steps(pond: Path) -> None:
    with serving(pond) as client:
        at = _opened(client, pond, 0)
        links = client.get(f"{at}/links").text
        spectator = re.search(r"(/t/[\w-]+)", links)
        assert spectator is not None
        assert client.post(f"{spectator[1]}/next-step").status_code == 403
        assert "rehearsal" not in client.get(spectator[1]).text
