"""The balance page over HTTP: a study from its start to its files, and what is refused.

The pack is the quarry of `tests/tools/balance`: marble is worth the most, then slate, then chalk.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from rulewright.tools.browser.host import balance_requests
from rulewright.tools.browser.server import balance_pages
from rulewright.tools.browser.server.studies import ServerStudy, Studies
from rulewright.tools.browser.words import words_of
from tests.browser.served import ROOT, Served, serving, stream
from tests.browser.test_security import ACTING, FORBIDDEN, MARKUP, quoted, structure
from tests.tools.balance.test_study import QUARRY

WORDS = words_of("en")
CONTENT = ROOT / "content"
FRUIT = QUARRY.parent / "fruit"
Case = Callable[[Served], Awaitable[None]]
SCENARIO = "scenario: Nothing is broken yet\nplayers: [ann, ben]\nthen: [shifts is 0]\n"
WAITING = (sys.executable, "-c", "import time; time.sleep(60)")
"""A process of a study that never says anything."""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The quarry with a name that would act on a page."""
    folder = tmp_path / "quarry"
    folder.mkdir()
    text = (QUARRY / "pack.yaml").read_text("utf-8")
    hostile = text.replace("{en: Slate}", f'{{en: "Slate {quoted(MARKUP)}"}}')
    assert hostile != text
    (folder / "pack.yaml").write_text(hostile, "utf-8")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "begin.yaml").write_text(SCENARIO, "utf-8")
    return folder


def served(case: Case, patch: pytest.MonkeyPatch, *packs: Path, seconds: int = 2, **settings: Any) -> None:
    """Run a case with studies of a few seconds."""
    patch.setattr(balance_requests, "TIMES", (seconds, 600))
    patch.setattr(balance_requests, "USUAL", seconds)

    async def whole() -> None:
        async with serving(packs=packs, **settings) as server:
            server.site.studies = Studies()  # they need processes of their own
            await case(server)

    asyncio.run(whole())


def told(reply: httpx.Response) -> str:
    """What a page says, without marks."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", reply.text)).split())


async def started(server: Served, pack: Path, **asked: Any) -> ServerStudy:
    """Start a study as the form does."""
    reply = await server.client.post(
        "/balance/start", data={"pack": str(pack), "lang": "en", "players": "2", **asked}
    )
    assert reply.status_code == 303, told(reply)[:2000]
    number = re.search(r"[?&]n=(\d+)", reply.headers["location"])
    assert number is not None
    found = server.site.studies.get(int(number[1]))
    assert found is not None
    return found


async def stopped_at(server: Served, study: ServerStudy, stage: str) -> dict[str, Any]:
    """Stop a study when it comes to a stage; return its report."""
    with study.listening() as changed:
        while study.open and study.what != stage:
            await asyncio.wait_for(changed.wait(), 120)
            changed.clear()
    server.site.studies.stop(study)
    await end_of(study)
    assert study.state == "done", study.failed
    found: dict[str, Any] = json.loads(study.report["data"])
    return found


async def end_of(study: ServerStudy) -> set[str]:
    """Wait until a study has ended; return the stages that it was in."""
    stages = set[str]()
    with study.listening() as changed:
        while study.open:
            await asyncio.wait_for(changed.wait(), 60)
            changed.clear()
            stages.add(study.what)
    return stages


# ------------------------------------------------------------------ from the start to the files

@pytest.mark.slow
def test_a_study_from_its_start_to_its_files(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    async def case(server: Served) -> None:
        client = server.client
        study = await started(server, pack, kinds="stone", seed="7")
        running = await client.get("/balance", params={"pack": str(pack), "lang": "en"})
        assert f'sse-connect="/balance/events?n={study.number}' in running.text
        assert "2 players · random · stone" in told(running) and "Seed 7" in told(running)
        assert '<noscript><meta http-equiv="refresh"' in running.text
        async with stream(server, f"/balance/events?n={study.number}&lang=en") as events:
            await end_of(study)
            for _ in range(100):
                if b"event: ended" in events.data:
                    break
                await asyncio.sleep(0.05)
        data = events.data.decode()
        assert re.search(r"<progress [^>]*value=\"\d+\"", data) and re.search(r"about \d+ s left", data)
        assert WORDS["balance-what-preparing"] in data
        assert any(WORDS[f"balance-what-{what}"] in data for what in balance_pages.STAGES[:-1])
        page = await client.get("/balance", params={"pack": str(pack), "lang": "en"})
        rows = re.findall(r'<th scope="row">(\w+)', page.text[page.text.index("points ahead") :])
        assert rows[:3] == ["Marble", "Slate", "Chalk"]
        assert "sse-connect" not in page.text and "noscript><meta" not in page.text
        assert WORDS["balance-changed"] not in told(page)
        assert page.text.count('class="plot-wide"') == 2, "the stones, and the seats"
        structure(page.text)
        for form, kind in (("html", "text/html"), ("json", "application/json")):
            file = await client.get("/balance/file", params={"n": study.number, "as": form})
            assert file.headers["content-type"].startswith(kind)
            assert file.headers["content-disposition"] == f'attachment; filename="quarry-balance-1.{form}"'
        found = json.loads(file.content)
        assert (found["pack"], found["seed"], found["interrupted"], found["players"]) == ("quarry", 7, False, 2)
        assert [one["id"] for one in found["definitions"]] == ["stone/marble", "stone/slate", "stone/chalk"]
        whole = (await client.get("/balance/file", params={"n": study.number})).text
        assert "<script" not in whole and whole.startswith("<!doctype html>")
        assert (await client.get("/balance/events", params={"n": study.number})).text.count("event: study") == 1

    served(case, monkeypatch, pack)


GRANITE = """
pack: granite
version: 1.0.0
format: 3
extends: {quarry: ">=1"}
languages: [en]
name: {en: Granite}
---
stone: granite
name: {en: Granite}
worth: 30
"""


@pytest.fixture
def granite(tmp_path: Path) -> Path:
    """House rules for the quarry: a fourth stone that is worth more than the others."""
    folder = tmp_path / "granite"
    folder.mkdir()
    (folder / "pack.yaml").write_text(GRANITE.lstrip(), "utf-8")
    return folder


@pytest.mark.slow
def test_what_house_rules_do_is_part_of_the_report(
    monkeypatch: pytest.MonkeyPatch, pack: Path, granite: Path
) -> None:
    """Who breaks marble in all four shifts instead of others at random, has 40 points; the others bring 4 on
    average with chalk and slate (0 and 2), and 42.7 with granite (30), too.
    """

    async def case(server: Served) -> None:
        client = server.client
        query = {"pack": str(pack), "more": str(granite), "lang": "en"}
        assert WORDS["balance-versus"] in told(await client.get("/balance", params=query))
        assert WORDS["balance-versus"] not in told(await client.get("/balance", params={"pack": str(pack)}))
        study = await started(server, pack, more=str(granite), versus="1")
        assert WORDS["balance-compared"] in told(await client.get("/balance", params=query))
        assert "without" in await end_of(study)
        assert study.state == "done", study.failed
        found = json.loads(study.report["data"])
        assert found["definitions"][0]["id"] == "stone/granite"
        change = {one["id"]: one for one in found["change"]["definitions"]}
        assert change["stone/granite"]["rank_before"] is None and change["stone/granite"]["rank_after"] == 1
        marble = change["stone/marble"]
        assert marble["before"]["mean"] == pytest.approx(36, abs=1.5)
        assert marble["after"]["mean"] == pytest.approx(40 - 4 * 32 / 3, abs=3)
        assert marble["significant"]
        page = told(await client.get("/balance", params=query))
        assert "What the change" in page and WORDS["balance-changed"] not in page
        # without house rules there is nothing to compare with
        study = await started(server, pack, versus="1")
        assert study.request["versus"] is False
        server.site.studies.stop(study)

    served(case, monkeypatch, pack, granite, seconds=6)


@pytest.mark.slow
def test_definitions_are_also_weighed_at_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums are those of `tests/tools/balance/test_free_trials`: the plum is 12 ahead if its price is 0."""

    async def case(server: Served) -> None:
        query = {"pack": str(FRUIT), "lang": "en"}
        form = (await server.client.get("/balance", params=query)).text
        numbers = re.search(r'<select id="balance-free".*?</select>', form, re.S)
        assert numbers is not None
        assert re.findall(r'value="(\w*)"', numbers[0]) == ["", "price", "worth"]
        study = await started(server, FRUIT, free="price", seconds="2")
        assert "free" in await end_of(study)
        assert study.state == "done", study.failed
        found = json.loads(study.report["data"])
        assert not found["interrupted"] and found["free"]["field"] == "price"
        free = found["free"]["definitions"]
        assert {*free} == {"fruit/plum", "fruit/fig"}
        assert free["fruit/plum"]["lead"]["low"] < 12 < free["fruit/plum"]["lead"]["high"]
        page = told(await server.client.get("/balance", params=query))
        assert "With a price of 0" in page and "also with a price of 0" in page
        assert '<option value="price" selected>' in (await server.client.get("/balance", params=query)).text

    served(case, monkeypatch, FRUIT)


@pytest.mark.slow
def test_stopped_at_no_cost_it_reports_the_rest(monkeypatch: pytest.MonkeyPatch, pack: Path, granite: Path) -> None:
    """It is stopped before the first table at no cost is played, and there is no comparison after it."""

    async def case(server: Served) -> None:
        study = await started(server, pack, more=str(granite), free="worth", versus="1")
        found = await stopped_at(server, study, "free")
        assert found["interrupted"] and found["change"] is None
        assert found["definitions"][0]["id"] == "stone/granite"

    served(case, monkeypatch, pack, granite, seconds=6)


@pytest.mark.slow
def test_a_comparison_that_is_stopped_reports_the_game_with_the_rules(
    monkeypatch: pytest.MonkeyPatch, pack: Path, granite: Path
) -> None:
    text = (pack / "pack.yaml").read_text("utf-8").replace("shifts >= 4", "shifts >= 400")
    (pack / "pack.yaml").write_text(text, "utf-8")

    async def case(server: Served) -> None:
        study = await started(server, pack, more=str(granite), versus="1", seconds="600")
        found = await stopped_at(server, study, "without")
        assert found["interrupted"] and (found["change"] is None or found["change"]["interrupted"])
        assert found["definitions"][0]["id"] == "stone/granite"

    served(case, monkeypatch, pack, granite)


@pytest.mark.slow
def test_a_stopped_study_keeps_what_was_played_and_a_changed_pack_is_noticed(
    monkeypatch: pytest.MonkeyPatch, pack: Path
) -> None:
    """Its games are so long that it would play for minutes."""
    text = (pack / "pack.yaml").read_text("utf-8").replace("shifts >= 4", "shifts >= 1500")
    (pack / "pack.yaml").write_text(text, "utf-8")

    async def case(server: Served) -> None:
        study = await started(server, pack, seconds="600")
        with study.listening() as changed:
            while study.what not in ("screening", "comparing", "pilot comparison") or not study.counted[0]:
                await asyncio.wait_for(changed.wait(), 60)
                changed.clear()
        reply = await server.client.post("/balance/stop", data={"n": study.number})
        assert reply.status_code == 303
        await end_of(study)
        assert study.state == "done", study.failed
        found = json.loads(study.report["data"])
        assert found["interrupted"] and found["games"]["watched"] == 60
        page = await server.client.get(reply.headers["location"])
        assert "was stopped" in told(page)
        (pack / "pack.yaml").write_text(text.replace("worth: 10", "worth: 11"), "utf-8")
        assert WORDS["balance-changed"] in told(await server.client.get(reply.headers["location"]))

    served(case, monkeypatch, pack)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        ("every stone as broken", "every stone where it is marble as broken"),
        ("  - id: dig\n", "  - id: fall\n    do: |\n      repeat while shifts >= 0: shifts += 0\n  - id: dig\n"),
    ],
    ids=["one option", "endless"],
)
def test_rules_that_cannot_be_weighed_are_a_message(
    change: tuple[str, str], monkeypatch: pytest.MonkeyPatch, pack: Path
) -> None:
    text = (pack / "pack.yaml").read_text("utf-8")
    assert change[0] in text
    (pack / "pack.yaml").write_text(text.replace(*change), "utf-8")

    async def case(server: Served) -> None:
        study = await started(server, pack)
        await end_of(study)
        assert (study.state, study.failed) == ("failed", WORDS["balance-nothing"])

    served(case, monkeypatch, pack, seconds=20)


# ------------------------------------------------------------------ while a study runs

def test_a_running_study_is_there_again_and_refuses_another(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    async def case(server: Served) -> None:
        server.site.studies.command = WAITING
        study = await started(server, pack, seed="5")
        for query in ({"pack": str(pack)}, {"pack": "quarry", "n": "1"}, {"pack": str(pack), "n": "77"}):
            page = await server.client.get("/balance", params={**query, "lang": "en"})
            shown = "n" not in query or query["n"] == "1"
            assert (WORDS["balance-stop-help"] in told(page)) or not shown
            assert (WORDS["balance-gone-text"] in told(page)) == (query.get("n") == "77")
        assert 'name="seed" value="5"' in page.text, "the form is filled in as for the study"
        again = await server.client.post("/balance/start", data={"pack": str(pack), "lang": "es", "players": "3"})
        assert again.status_code == 409
        assert words_of("es")["balance-busy"] in told(again)
        other = await server.client.get("/balance", params={"pack": "coup", "lang": "en"})
        assert WORDS["balance-elsewhere"].format(name="Quarry") in told(other)
        assert f"&amp;n={study.number}&amp;" in other.text
        assert WORDS["balance-empty"] in told(other)
        stopped = await server.client.post("/balance/stop", data={"n": "1"})
        await end_of(study)
        assert WORDS["balance-stopped-early"] in told(await server.client.get(stopped.headers["location"]))
        assert [one.number for one in server.site.studies] == [1]

    served(case, monkeypatch, pack)


def test_open_streams_of_studies_are_bounded(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    monkeypatch.setattr(balance_pages, "MOST_STREAMS", 1)

    async def case(server: Served) -> None:
        server.site.studies.command = WAITING
        await started(server, pack)
        async with stream(server, "/balance/events?n=1") as one:
            await one.settled()
            assert (await server.client.get("/balance/events", params={"n": "1"})).status_code == 429
        async with stream(server, "/balance/events?n=1") as again:
            assert b"event: study" in await again.settled()

    served(case, monkeypatch, pack)


def test_the_lobby_leads_to_the_page_with_its_house_rules(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    async def case(server: Served) -> None:
        rules = ROOT / "content" / "new-town"
        lobby = await server.client.get("/", params={"pack": "rattus-cartus", "more": str(rules), "lang": "en"})
        link = re.search(r'href="(/balance\?pack=[^"]*)">Balance</a></p>', lobby.text)
        assert link is not None
        page = await server.client.get(html.unescape(link[1]))
        assert re.search(rf'name="more" value="{re.escape(str(rules))}" checked', page.text)

    served(case, monkeypatch, pack)


# ------------------------------------------------------------------ what is refused

@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"seed": "x"}, "The seed must be a whole number"),
        ({"seed": "9" * 19}, "The seed must be a whole number"),
        ({"seed": "\u0661"}, "The seed must be a whole number"),
        ({"option:nothing": "1"}, "nothing"),
    ],
)
def test_what_cannot_be_asked_for_is_said_and_nothing_starts(
    asked: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch, pack: Path
) -> None:
    async def case(server: Served) -> None:
        form = {"pack": str(pack), "lang": "en", "players": "3", "bot": "random", **asked}
        reply = await server.client.post("/balance/start", data=form)
        assert reply.status_code == 422
        assert said in told(reply)
        assert "<option selected>3</option>" in reply.text, "the form keeps what was typed"
        structure(reply.text)
        assert not [*server.site.studies]

    served(case, monkeypatch, pack)


def test_what_the_pack_does_not_have_is_left_out(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    async def case(server: Served) -> None:
        server.site.studies.command = WAITING
        study = await started(server, pack, players="99", bot="nobody", kinds=["gem", "stone"], seconds="77777")
        request = study.request
        assert [request[key] for key in ("players", "bot", "kinds", "seconds", "seed", "options")] == [
            3, "random", ["stone"], 2, 1, [],
        ]  # fmt: skip
        assert (request["pack"], request["more"]) == (str(pack), [])

    served(case, monkeypatch, pack)


@pytest.mark.parametrize("address", ["/balance/form", "/form"])
def test_house_rules_change_the_usual_value_of_an_option_that_nobody_chose(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New town plays with its own set of buildings, if no other one was chosen."""

    async def case(server: Served) -> None:
        async def selected(value: str) -> str:
            packs = {"pack": str(CONTENT / "rattus-cartus"), "more": str(CONTENT / "new-town"), "lang": "en"}
            form = {"option:selection": value, "usual:selection": "first-game"}
            reply = await server.client.get(address, params={**packs, **form, "players": "2"})
            part = reply.text[reply.text.index('name="option:selection"') :]
            found = re.search(r'<option value="([^"]*)" selected', part)
            assert found is not None
            return found[1]

        assert await selected("first-game") == "new-town"
        assert await selected("types-drawn") == "types-drawn"

    served(case, monkeypatch, CONTENT / "rattus-cartus", CONTENT / "new-town")


def test_a_pack_with_mistakes_shows_them(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    good = (pack / "pack.yaml").read_text("utf-8")

    async def case(server: Served) -> None:
        (pack / "pack.yaml").write_text(good.replace("shifts += 1", "shiffts += 1"), "utf-8")
        query = {"pack": str(pack), "lang": "en"}
        page = await server.client.get("/balance", params=query)
        assert page.status_code == 200 and "did you mean" in told(page) and "balance-seed" not in page.text
        assert (await server.client.get("/balance/form", params=query)).status_code == 204
        reply = await server.client.post("/balance/start", data=query)
        assert reply.status_code == 422 and "did you mean" in told(reply)
        (pack / "pack.yaml").write_text(good, "utf-8")
        assert "balance-seed" in (await server.client.get("/balance/form", params=query)).text

    served(case, monkeypatch, pack)


@pytest.mark.parametrize("text", [MARKUP, ACTING], ids=["markup", "acting"])
def test_hostile_texts_of_a_pack_make_no_element(text: str, monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    source = (QUARRY / "pack.yaml").read_text("utf-8").replace("{en: Quarry}", f'{{en: "Quarry {quoted(text)}"}}')
    (pack / "pack.yaml").write_text(source, "utf-8")

    async def case(server: Served) -> None:
        server.site.studies.command = WAITING
        page = await server.client.get("/balance", params={"pack": str(pack)})
        assert page.status_code == 200 and not FORBIDDEN.search(page.text)
        structure(page.text)
        if text == MARKUP:
            await started(server, pack)
            other = await server.client.get("/balance", params={"pack": "coup"})
            assert "&lt;script&gt;" in other.text
            structure(other.text)

    served(case, monkeypatch, pack)


@pytest.mark.parametrize("language", ["en", "es"])
def test_without_the_extra_the_page_says_what_to_install(
    language: str, monkeypatch: pytest.MonkeyPatch, pack: Path
) -> None:
    monkeypatch.setattr("rulewright.tools.balance.output.report.NEEDED", ("json", "no_such_package"))

    async def case(server: Served) -> None:
        said = words_of(language)["balance-missing"].format(package="no_such_package", extra="rulewright[lab]")
        page = await server.client.get("/balance", params={"pack": str(pack), "lang": language})
        assert page.status_code == 200 and said in told(page)
        assert "pip install 'rulewright[lab]'" in said
        assert "/balance/start" not in page.text
        reply = await server.client.post("/balance/start", data={"pack": str(pack), "lang": language})
        assert reply.status_code == 422 and said in told(reply)
        assert not [*server.site.studies]

    served(case, monkeypatch, pack)


@pytest.mark.parametrize("path", ["/balance", "/balance/form", "/balance/start"])
def test_only_packs_of_this_server_are_weighed_for_its_owner(
    path: str, monkeypatch: pytest.MonkeyPatch, pack: Path
) -> None:
    method = "POST" if path == "/balance/start" else "GET"

    async def asks(server: Served, **query: str) -> httpx.Response:
        given: dict[str, Any] = {"data" if method == "POST" else "params": query}
        return await server.client.request(method, path, **given)

    async def other(server: Served) -> None:
        for query in ({"pack": str(pack)}, {"pack": "/etc"}, {"pack": "coup", "more": str(pack)}, {"pack": "\0"}):
            reply = await asks(server, **query)
            assert reply.status_code == 422, query
            assert "is not one of the packs of this server" in told(reply)
        assert not [*server.site.studies]

    async def guest(server: Served) -> None:
        assert (await asks(server, pack="coup")).status_code == 403

    served(other, monkeypatch)
    served(guest, monkeypatch, key="the-key")


@pytest.mark.parametrize("number", ["", "0", "9", "x", "-1", "\u0661", "9" * 30])
def test_there_is_no_such_study(number: str, monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    async def case(server: Served) -> None:
        for path in ("/balance/file", "/balance/events"):
            reply = await server.client.get(path, params={"n": number, "lang": "en"})
            assert reply.status_code == 404 and WORDS["balance-gone"] in told(reply)
        assert (await server.client.post("/balance/stop", data={"n": number})).status_code == 404

    served(case, monkeypatch, pack)


def test_a_report_that_is_not_there_yet_is_no_file(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    async def case(server: Served) -> None:
        server.site.studies.command = WAITING
        await started(server, pack)
        assert (await server.client.get("/balance/file", params={"n": "1"})).status_code == 404

    served(case, monkeypatch, pack)
