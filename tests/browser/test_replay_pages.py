"""Replays over HTTP: permitted views, uploads, saved games, and tables that go on from a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from rulewright.tools.browser.host.spec import TableSpec
from rulewright.tools.browser.server import replay_pages
from rulewright.tools.browser.server.guards import LARGEST_UPLOAD
from rulewright.tools.browser.server.site import KEY
from tests.browser.replays import journal, seated, table
from tests.browser.served import Served, serving


def serve(test: Callable[[Served], Awaitable[None]], key: str = "") -> None:
    """Run a test with a server of its own, whose owner has a key if one is given."""

    async def run() -> None:
        async with serving(key=key) as served:
            await test(served)

    asyncio.run(run())


async def text(served: Served, path: str, status: int = 200) -> str:
    reply = await served.client.get(path)
    assert reply.status_code == status, (path, reply.status_code, reply.text[:300])
    return reply.text


async def upload(served: Served, data: bytes, file: str = "game.journal") -> httpx.Response:
    return await served.client.post("/replay", files={"journal": (file, data)})


async def opened(served: Served, spec: TableSpec, links: tuple[int, ...] = ()) -> list[str]:
    """The tokens of a new table: of who opened it, of the seats with links, of spectators."""
    made, _ = await served.site.tables.create(spec.data(), links)
    return [*made.readers]


# ------------------------------------------------------------------ who may see what

def test_of_a_game_in_progress_a_reader_sees_its_own_view() -> None:
    async def test(served: Served) -> None:
        owner, second, third, spectator = await opened(served, seated("coup", 3, "human"), (1, 2))
        allowed = {owner: "1", second: "2", third: "3", spectator: "public"}
        for token, own in allowed.items():
            for view in ("all", "public", "1", "2", "3"):
                for path in ("", "/step"):
                    expected = 200 if view in (own, "public") else 403
                    await text(served, f"/t/{token}/replay{path}?at=0&view={view}", expected)
            html = await text(served, f"/t/{token}/replay")
            assert f'data-view="{own}"' in html and 'data-view="all"' not in html
            await text(served, f"/t/{token}/replay/branch?at=0", 403)
            reply = await served.client.post(f"/t/{token}/replay/branch", data={"at": "0", "kind": ["random"] * 3})
            assert reply.status_code == 403
            await text(served, f"/t/{token}/journal", 403)
            assert f"/t/{token}/journal" not in html
        await text(served, "/t/nothing/replay", 404)

    serve(test)


def test_with_several_seats_the_curtain_also_hides_the_past() -> None:
    async def test(served: Served) -> None:
        owner, spectator = await opened(served, seated("coup", 2, "human"))
        status = await text(served, f"/t/{owner}/replay")
        assert 'data-view="public"' in status and 'data-view="1"' not in status
        asked = served.site.tables.find(owner)[0].status["asked"][0]
        await served.client.post(f"/t/{owner}/face", data={"seat": str(asked)})
        await text(served, f"/t/{owner}/replay?view={asked + 1}")
        await text(served, f"/t/{owner}/replay?view={2 - asked}", 403)
        await text(served, f"/t/{spectator}/replay?view={asked + 1}", 403)

    serve(test)


async def finished(served: Served, pack: str = "coup") -> list[str]:
    """The tokens of a table whose game is over."""
    tokens = await opened(served, seated(pack, 2, "random", speed=0), ())
    made, _ = served.site.tables.find(tokens[0])
    while not made.over:
        await served.site.tables.step(made, 40)
    return tokens


def test_of_a_finished_game_every_reader_sees_every_view() -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        for view in ("all", "public", "1", "2"):
            html = await text(served, f"/t/{token}/replay?at=4&view={view}")
            assert 'data-step="4"' in html and "Decision 4 of" in html
        await text(served, f"/t/{token}/replay?view=3", 403)
        await text(served, f"/t/{token}/replay?view=9999999", 403)
        for at, step in (("", 0), ("x", 0), ("-3", 0), ("999999", len(served.site.tables.find(token)[0].lines))):
            assert f'data-step="{step}"' in await text(served, f"/t/{token}/replay?at={at}&view=all")
        assert "/static/replay.js" in await text(served, f"/t/{token}/replay")
        html = await text(served, f"/t/{token}/replay/look?face=character/duke")
        assert "Duke" in html
        styles = await served.client.get(f"/t/{token}/replay/styles.css")
        assert styles.headers["content-type"].startswith("text/css")
        await text(served, f"/t/{token}/replay/pictures/coup/pack.yaml", 404)

    serve(test)


def test_pages_have_no_scripts_or_styles_inside() -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        for path in ("/replay", f"/t/{token}/replay", f"/t/{token}/replay/branch?at=3"):
            html = await text(served, path)
            assert " style=" not in html and "<style" not in html and "onclick" not in html
            assert html.count("<script") == html.count("<script src=")

    serve(test)


# ------------------------------------------------------------------ uploads

def test_an_upload_is_replayed_and_can_be_downloaded_again() -> None:
    data = journal(table("coup", 30, players=3))

    async def test(served: Served) -> None:
        reply = await upload(served, data, "from a friend.journal")
        assert reply.status_code == 303
        at = reply.headers["location"]
        assert len(at.rpartition("/")[2]) >= 20
        for view in ("all", "public", "1", "2", "3"):
            assert 'data-step="7"' in await text(served, f"{at}?at=7&view={view}")
        await text(served, f"{at}?view=4", 403)
        again = await served.client.get(f"{at}/journal")
        assert again.content == data
        assert again.headers["content-disposition"] == 'attachment; filename="fromafriend.journal"'
        served.worker().host.replays._games.clear()  # as after a restart of the process
        assert 'data-step="8"' in await text(served, f"{at}/step?at=8")
        assert len(served.worker().host.replays._games) == 1, "it was given again"
        await text(served, "/replay/nothing", 404)
        await text(served, "/replay/ñothing/step", 404)

    serve(test)


BAD = {"empty": b"", "binary": b"\xff" * 1000, "json": b"{}\n{}\n", "text": b"a\nb"}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_a_failure_is_a_message_in_the_page(data: bytes) -> None:
    async def test(served: Served) -> None:
        reply = await upload(served, data, "<b>bad</b>\u202e.journal")
        assert reply.status_code == 422
        assert 'class="note"' in reply.text
        assert "cannot be replayed" in reply.text or "not a journal" in reply.text
        assert "<b>bad" not in reply.text and "\u202e" not in reply.text
        assert 'type="file"' in reply.text

    serve(test)


def test_what_is_too_large_is_not_read() -> None:
    async def test(served: Served) -> None:
        reply = await upload(served, b"x" * (LARGEST_UPLOAD + 1))
        assert reply.status_code == 413
        reply = await served.client.post("/replay", data={"journal": "no file"})
        assert reply.status_code == 200 and 'type="file"' in reply.text
        reply = await served.client.post(
            "/replay", files={"journal": ("a", b"")}, headers={"origin": "http://evil"}
        )
        assert reply.status_code == 403

    serve(test)


def test_the_oldest_uploads_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    data = journal(table("coup", 3))

    async def test(served: Served) -> None:
        links = [(await upload(served, data)).headers["location"] for _ in range(3)]
        assert len({*links}) == 3
        await text(served, links[0], 404)
        await text(served, links[1])
        monkeypatch.setattr(replay_pages, "MOST_BYTES", len(data))
        links.append((await upload(served, data)).headers["location"])
        await text(served, links[2], 404)
        await text(served, links[3])

    monkeypatch.setattr(replay_pages, "MOST_UPLOADS", 2)
    serve(test)


def test_saved_games_and_finished_tables_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_SAVES", str(tmp_path))
    (tmp_path / "coup-3.journal").write_bytes(journal(table("coup", 5)))
    (tmp_path / "other.journal").write_bytes(b"no journal")
    secret = tmp_path.parent / "secret.journal"
    secret.write_bytes(journal(table("coup", 5)))

    async def test(served: Served) -> None:
        (token,) = await finished(served)
        html = await text(served, "/replay")
        assert "coup-3.journal" in html and "other.journal" not in html and f"/t/{token}/replay" in html
        reply = await served.client.post("/replay/saved", data={"file": "coup-3.journal"})
        assert "Decision 0 of 5" in await text(served, reply.headers["location"])
        for file in ("../secret.journal", str(secret), "", "nothing.journal"):
            reply = await served.client.post("/replay/saved", data={"file": file})
            assert reply.status_code == 200 and 'type="file"' in reply.text

    serve(test)


# ------------------------------------------------------------------ going on

def test_a_table_goes_on_from_a_moment_of_a_finished_one() -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        before, _ = served.site.tables.find(token)
        html = await text(served, f"/t/{token}/replay/branch?at=6")
        assert html.count('name="kind"') == 2 and 'value="6"' in html
        form = {"at": "6", "kind": ["random", "random"], "name": ["", ""]}
        reply = await served.client.post(f"/t/{token}/replay/branch", data=form)
        made, _ = served.site.tables.find(reply.headers["location"].rpartition("/")[2])
        made.paused = True
        assert made.number != before.number and made.rules == before.rules
        assert made.lines[:6] == before.lines[:6] and made.spec.seed == before.spec.seed
        while not made.over:
            await served.site.tables.step(made, 40)
        assert made.lines == before.lines
        other = await text(served, f"{reply.headers['location']}/journal")
        assert await text(served, f"/t/{token}/journal") == other
        form["kind"] = ["random"] * 3
        assert (await served.client.post(f"/t/{token}/replay/branch", data=form)).status_code == 422

    serve(test)


def test_people_by_link_play_on_from_an_upload() -> None:
    async def test(served: Served) -> None:
        at = (await upload(served, journal(table("coup", 30, players=3)))).headers["location"]
        form = {"at": "5", "kind": ["human", "link", "random"], "name": ["Ann", "Bob", "Bot"]}
        reply = await served.client.post(f"{at}/branch", data=form)
        made, reader = served.site.tables.find(reply.headers["location"].rpartition("/")[2])
        assert made.spec.kinds == ("human", "human", "random") and made.spec.names == ("Ann", "Bob", "")
        assert reader.owner and reader.seats == (0,) and len(made.readers) == 3
        assert len(made.lines) >= 5 and "Ann" in await text(served, f"/t/{reader.token}")

    serve(test)


def test_on_an_open_network_only_the_owner_uploads_and_opens_tables() -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        await text(served, "/replay", 403)
        assert (await upload(served, journal(table("coup", 3)))).status_code == 403
        html = await text(served, f"/t/{token}/replay?view=all")
        assert 'id="branch"' not in html
        await text(served, f"/t/{token}/replay/branch?at=1", 403)
        form = {"at": "1", "kind": ["random", "random"]}
        assert (await served.client.post(f"/t/{token}/replay/branch", data=form)).status_code == 403
        served.client.cookies.set(KEY, "secret")
        assert 'id="branch"' in await text(served, f"/t/{token}/replay?view=all")
        at = (await upload(served, journal(table("coup", 3)))).headers["location"]
        served.client.cookies.clear()
        assert 'id="branch"' not in await text(served, at)  # the link of an upload can be shared

    serve(test, "secret")
