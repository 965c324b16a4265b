"""Replays over HTTP: permitted views, uploads, saved games, and tables that go on from a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from attrs import define

from rulewright.tools.browser.host.spec import TableSpec
from rulewright.tools.browser.server import replay_pages
from rulewright.tools.browser.server import site as sites
from rulewright.tools.browser.server.app import application
from rulewright.tools.browser.server.guards import LARGEST_UPLOAD
from rulewright.tools.browser.server.site import KEY, ServerSite, Settings
from tests.browser.replays import journal, seated, table
from tests.browser.served import LocalWorker, LocalWorkers

ADDRESS = "http://localhost"


@define
class Served:
    """A server, and a browser."""

    client: httpx.AsyncClient
    site: ServerSite

    @property
    def worker(self) -> LocalWorker:
        found = self.site.tables.workers
        assert isinstance(found, LocalWorkers)
        return found.one

    async def text(self, path: str, status: int = 200) -> str:
        reply = await self.client.get(path)
        assert reply.status_code == status, (path, reply.status_code, reply.text[:300])
        return reply.text

    async def upload(self, data: bytes, file: str = "game.journal") -> httpx.Response:
        return await self.client.post("/replay", files={"journal": (file, data)})

    async def table(self, spec: TableSpec, links: tuple[int, ...] = ()) -> list[str]:
        """The tokens of a new table: of who opened it, of the seats with links, of spectators."""
        made, _ = await self.site.tables.create(spec.data(), links)
        return [*made.readers]


def serve(monkeypatch: pytest.MonkeyPatch, test: Callable[[Served], Awaitable[None]], key: str = "") -> None:
    """Run a test with a server of its own, whose owner has a key if one is given."""
    monkeypatch.setattr(sites, "ServerWorkers", LocalWorkers)
    made: list[ServerSite] = []
    original = sites.ServerSite.__attrs_post_init__

    def noted(site: ServerSite) -> None:
        original(site)
        made.append(site)

    monkeypatch.setattr(sites.ServerSite, "__attrs_post_init__", noted)

    async def run() -> None:
        app = application(ServerSite(Settings((), None, 1, ("localhost",), key)))
        async with (
            app.app.router.lifespan_context(app.app),  # type: ignore[attr-defined]
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ADDRESS) as client,
        ):
            await test(Served(client, made[0]))

    asyncio.run(run())


# ------------------------------------------------------------------ who may see what

def test_of_a_game_in_progress_a_reader_sees_its_own_view(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        owner, second, third, spectator = await served.table(seated("coup", 3, "human"), (1, 2))
        allowed = {owner: "1", second: "2", third: "3", spectator: "public"}
        for token, own in allowed.items():
            for view in ("all", "public", "1", "2", "3"):
                for path in ("", "/step"):
                    expected = 200 if view in (own, "public") else 403
                    await served.text(f"/t/{token}/replay{path}?at=0&view={view}", expected)
            html = await served.text(f"/t/{token}/replay")
            assert f'data-view="{own}"' in html and 'data-view="all"' not in html
            await served.text(f"/t/{token}/replay/branch?at=0", 403)
            reply = await served.client.post(f"/t/{token}/replay/branch", data={"at": "0", "kind": ["random"] * 3})
            assert reply.status_code == 403
            await served.text(f"/t/{token}/journal", 403)
            assert f"/t/{token}/journal" not in html
        await served.text("/t/nothing/replay", 404)

    serve(monkeypatch, test)


def test_with_several_seats_the_curtain_also_hides_the_past(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        owner, spectator = await served.table(seated("coup", 2, "human"))
        status = await served.text(f"/t/{owner}/replay")
        assert 'data-view="public"' in status and 'data-view="1"' not in status
        asked = served.site.tables.find(owner)[0].status["asked"][0]
        await served.client.post(f"/t/{owner}/face", data={"seat": str(asked)})
        await served.text(f"/t/{owner}/replay?view={asked + 1}")
        await served.text(f"/t/{owner}/replay?view={2 - asked}", 403)
        await served.text(f"/t/{spectator}/replay?view={asked + 1}", 403)

    serve(monkeypatch, test)


async def finished(served: Served, pack: str = "coup") -> list[str]:
    """The tokens of a table whose game is over."""
    tokens = await served.table(seated(pack, 2, "random", speed=0), ())
    made, _ = served.site.tables.find(tokens[0])
    while not made.over:
        await served.site.tables.step(made, 40)
    return tokens


def test_of_a_finished_game_every_reader_sees_every_view(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        for view in ("all", "public", "1", "2"):
            html = await served.text(f"/t/{token}/replay?at=4&view={view}")
            assert 'data-step="4"' in html and "Decision 4 of" in html
        await served.text(f"/t/{token}/replay?view=3", 403)
        await served.text(f"/t/{token}/replay?view=9999999", 403)
        for at, step in (("", 0), ("x", 0), ("-3", 0), ("999999", len(served.site.tables.find(token)[0].lines))):
            assert f'data-step="{step}"' in await served.text(f"/t/{token}/replay?at={at}&view=all")
        assert "/static/replay.js" in await served.text(f"/t/{token}/replay")
        html = await served.text(f"/t/{token}/replay/look?face=character/duke")
        assert "Duke" in html
        styles = await served.client.get(f"/t/{token}/replay/styles.css")
        assert styles.headers["content-type"].startswith("text/css")
        await served.text(f"/t/{token}/replay/pictures/coup/pack.yaml", 404)

    serve(monkeypatch, test)


def test_pages_have_no_scripts_or_styles_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        for path in ("/replay", f"/t/{token}/replay", f"/t/{token}/replay/branch?at=3"):
            html = await served.text(path)
            assert " style=" not in html and "<style" not in html and "onclick" not in html
            assert html.count("<script") == html.count("<script src=")

    serve(monkeypatch, test)


# ------------------------------------------------------------------ uploads

def test_an_upload_is_replayed_and_can_be_downloaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    data = journal(table("coup", 30, players=3))

    async def test(served: Served) -> None:
        reply = await served.upload(data, "from a friend.journal")
        assert reply.status_code == 303
        at = reply.headers["location"]
        assert len(at.rpartition("/")[2]) >= 20
        for view in ("all", "public", "1", "2", "3"):
            assert 'data-step="7"' in await served.text(f"{at}?at=7&view={view}")
        await served.text(f"{at}?view=4", 403)
        again = await served.client.get(f"{at}/journal")
        assert again.content == data
        assert again.headers["content-disposition"] == 'attachment; filename="fromafriend.journal"'
        served.worker.host.replays._games.clear()  # as after a restart of the process
        assert 'data-step="8"' in await served.text(f"{at}/step?at=8")
        assert served.worker.asked.count("replay_open") == 2
        await served.text("/replay/nothing", 404)
        await served.text("/replay/ñothing/step", 404)

    serve(monkeypatch, test)


BAD = {"empty": b"", "binary": b"\xff" * 1000, "json": b"{}\n{}\n", "text": b"a\nb"}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_a_failure_is_a_message_in_the_page(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    async def test(served: Served) -> None:
        reply = await served.upload(data, "<b>bad</b>\u202e.journal")
        assert reply.status_code == 422
        assert 'class="note"' in reply.text
        assert "cannot be replayed" in reply.text or "not a journal" in reply.text
        assert "<b>bad" not in reply.text and "\u202e" not in reply.text
        assert 'type="file"' in reply.text

    serve(monkeypatch, test)


def test_what_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        reply = await served.upload(b"x" * (LARGEST_UPLOAD + 1))
        assert reply.status_code == 413 and served.worker.asked == []
        reply = await served.client.post("/replay", data={"journal": "no file"})
        assert reply.status_code == 200 and 'type="file"' in reply.text
        reply = await served.client.post(
            "/replay", files={"journal": ("a", b"")}, headers={"origin": "http://evil"}
        )
        assert reply.status_code == 403

    serve(monkeypatch, test)


def test_the_oldest_uploads_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    data = journal(table("coup", 3))

    async def test(served: Served) -> None:
        links = [(await served.upload(data)).headers["location"] for _ in range(3)]
        assert len({*links}) == 3
        await served.text(links[0], 404)
        await served.text(links[1])
        monkeypatch.setattr(replay_pages, "MOST_BYTES", len(data))
        links.append((await served.upload(data)).headers["location"])
        await served.text(links[2], 404)
        await served.text(links[3])

    monkeypatch.setattr(replay_pages, "MOST_UPLOADS", 2)
    serve(monkeypatch, test)


def test_saved_games_and_finished_tables_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_SAVES", str(tmp_path))
    (tmp_path / "coup-3.journal").write_bytes(journal(table("coup", 5)))
    (tmp_path / "other.journal").write_bytes(b"no journal")
    secret = tmp_path.parent / "secret.journal"
    secret.write_bytes(journal(table("coup", 5)))

    async def test(served: Served) -> None:
        (token,) = await finished(served)
        html = await served.text("/replay")
        assert "coup-3.journal" in html and "other.journal" not in html and f"/t/{token}/replay" in html
        reply = await served.client.post("/replay/saved", data={"file": "coup-3.journal"})
        assert "Decision 0 of 5" in await served.text(reply.headers["location"])
        for file in ("../secret.journal", str(secret), "", "nothing.journal"):
            reply = await served.client.post("/replay/saved", data={"file": file})
            assert reply.status_code == 200 and 'type="file"' in reply.text

    serve(monkeypatch, test)


# ------------------------------------------------------------------ going on

def test_a_table_goes_on_from_a_moment_of_a_finished_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        before, _ = served.site.tables.find(token)
        html = await served.text(f"/t/{token}/replay/branch?at=6")
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
        other = await served.text(f"{reply.headers['location']}/journal")
        assert await served.text(f"/t/{token}/journal") == other
        form["kind"] = ["random"] * 3
        assert (await served.client.post(f"/t/{token}/replay/branch", data=form)).status_code == 422

    serve(monkeypatch, test)


def test_people_by_link_play_on_from_an_upload(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        at = (await served.upload(journal(table("coup", 30, players=3)))).headers["location"]
        form = {"at": "5", "kind": ["human", "link", "random"], "name": ["Ann", "Bob", "Bot"]}
        reply = await served.client.post(f"{at}/branch", data=form)
        made, reader = served.site.tables.find(reply.headers["location"].rpartition("/")[2])
        assert made.spec.kinds == ("human", "human", "random") and made.spec.names == ("Ann", "Bob", "")
        assert reader.owner and reader.seats == (0,) and len(made.readers) == 3
        assert len(made.lines) >= 5 and "Ann" in await served.text(f"/t/{reader.token}")

    serve(monkeypatch, test)


def test_on_an_open_network_only_the_owner_uploads_and_opens_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        (token,) = await finished(served)
        await served.text("/replay", 403)
        assert (await served.upload(journal(table("coup", 3)))).status_code == 403
        html = await served.text(f"/t/{token}/replay?view=all")
        assert 'id="branch"' not in html
        await served.text(f"/t/{token}/replay/branch?at=1", 403)
        form = {"at": "1", "kind": ["random", "random"]}
        assert (await served.client.post(f"/t/{token}/replay/branch", data=form)).status_code == 403
        served.client.cookies.set(KEY, "secret")
        assert 'id="branch"' in await served.text(f"/t/{token}/replay?view=all")
        at = (await served.upload(journal(table("coup", 3)))).headers["location"]
        served.client.cookies.clear()
        assert 'id="branch"' not in await served.text(at)  # the link of an upload can be shared

    serve(monkeypatch, test, "secret")
