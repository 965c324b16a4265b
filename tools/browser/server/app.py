"""The web application: its addresses, and what each of them answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tools.browser.server.forms import form_data, table_data
from tools.browser.server.guards import Guard, TooLarge
from tools.browser.server.store import Store
from tools.browser.server.streams import check_room, fragments
from tools.browser.server.tables import Reader, Refused, Shown, Table, Tables
from tools.browser.server.workers import WorkerFailure, Workers
from tools.browser.words import LANGUAGES, words_of
from tools.common.errors import Failure
from tools.pages.environment import STATIC, page

KEY = "rulewright-key"
"""The cookie of the person who started a server that is open to the network."""
Handler = Callable[[Request], Awaitable[Response]]


@frozen
class Settings:
    """What the server was started with. `key` protects the lobby; empty on this computer only."""

    packs: tuple[str, ...]
    store: Path | None
    workers: int
    hosts: tuple[str, ...] = ()
    key: str = ""
    place: str = ""
    language: str = "en"


@define
class Site:
    """The handlers of all addresses."""

    settings: Settings
    tables: Tables = field(init=False)
    closing: asyncio.Event = field(init=False, factory=asyncio.Event)

    def __attrs_post_init__(self) -> None:
        self.tables = Tables(Workers(self.settings.workers), Store(self.settings.store))

    def app(self) -> Guard:
        """Return the application."""
        at = "/t/{token:str}"
        tables: list[tuple[str, Handler, str]] = [
            ("", self.page, "GET"), ("/events", self.events, "GET"), ("/answer", self.answer, "POST"),
            ("/face", self.face, "POST"), ("/undo", self.undo, "POST"), ("/agree", self.agree, "POST"),
            ("/refuse", self.refuse, "POST"), ("/pause", self.pause, "POST"), ("/resume", self.resume, "POST"),
            ("/step", self.step, "POST"), ("/look", self.look, "GET"), ("/why", self.why, "GET"),
            ("/links", self.links, "GET"), ("/result", self.result, "GET"), ("/journal", self.journal, "GET"),
            ("/remove", self.remove, "POST"),
        ]  # fmt: skip
        routes = [
            Route("/", self._owner(self.lobby)),
            Route("/form", self._owner(self.form)),
            Route("/changes", self._owner(self.changes)),
            Route("/tables", self._owner(self.create), methods=["POST"]),
            *(Route(at + path, handler, methods=[method]) for path, handler, method in tables),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        handlers: dict[Any, Any] = {
            Refused: self._refused, WorkerFailure: self._failed, Failure: self._failed, TooLarge: _too_large,
            ClientDisconnect: _gone, 404: self._no_page,
        }  # fmt: skip
        made = Starlette(routes=routes, lifespan=self._life, exception_handlers=handlers)
        return Guard(made, self.settings.hosts)

    @asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        self.tables.load()
        await self.tables.workers.start()
        yield
        self.closing.set()
        for table in self.tables:
            table.changed()
        await self.tables.workers.stop()
        self.tables.store.close()

    # -------------------------------------------------------------- the lobby

    async def lobby(self, request: Request) -> Response:
        """Show packs, the form of a new table, and the tables."""
        return await self._lobby(request, form_data(request.query_params))

    async def _lobby(
        self, request: Request, asked: dict[str, Any], notice: str = "", report: str = "", status: int = 200
    ) -> Response:
        rows = [self._row(table) for table in self.tables]
        given = {
            "do": "lobby", "packs": [*self.settings.packs], "asked": asked, "language": self._language(request),
            "tables": rows, "notice": notice, "report": report, "place": self.settings.place,
        }  # fmt: skip
        return HTMLResponse(await self.tables.workers.of(0).ask(given), status)

    def _row(self, table: Table) -> dict[str, Any]:
        owner = next((one for one in table.readers.values() if one.owner), next(iter(table.readers.values())))
        asked = [seat for seat in table.status.get("asked", ()) if seat in owner.seats]
        verb = "replay" if table.over else "continue" if owner.seats else "watch"
        return {
            "pack": table.spec.pack, "where": str(table.status.get("where", "")), "yours": bool(asked),
            "link": f"/t/{owner.token}", "verb": verb,
        }  # fmt: skip

    async def form(self, request: Request) -> Response:
        """Draw the form of a new table again."""
        asked = form_data(request.query_params)
        given = {
            "do": "form", "packs": [*self.settings.packs], "asked": asked, "language": self._language(request)
        }
        return HTMLResponse(await self.tables.workers.of(0).ask(given))

    async def changes(self, request: Request) -> Response:
        """Show what house rules change for a player."""
        asked = form_data(request.query_params)
        given = {
            "do": "changes", "pack": asked["pack"], "more": asked["more"], "language": self._language(request)
        }
        return HTMLResponse(await self.tables.workers.of(1).ask(given))

    async def create(self, request: Request) -> Response:
        """Open a new table."""
        form = await request.form(max_files=0, max_fields=400)
        data, links = table_data(form)
        try:
            _, reader = await self.tables.create(data, links)
        except (WorkerFailure, Failure) as failure:
            report = failure.report
            return await self._lobby(request, form_data(form), str(failure), report, 422)
        return RedirectResponse(f"/t/{reader.token}", 303)

    # -------------------------------------------------------------- tables

    async def page(self, request: Request) -> Response:
        """Show a table."""
        table, reader = self._found(request)
        shown = table.shown(reader)
        asked = {"seat": shown.seat, "curtain": shown.curtain, "setting": self._setting(table, reader)}
        return HTMLResponse(await self.tables.ask(table, "page", **asked))

    async def events(self, request: Request) -> Response:
        """Stream a table."""
        table, reader = self._found(request)
        check_room(table)

        async def draw() -> str:
            return await self._fragment(table, reader)

        stream = fragments(table, draw, self.closing)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def answer(self, request: Request) -> Response:
        """Take an answer; the reply is the table as it is now, with the reason of a refusal."""
        table, reader = self._found(request)
        form = await request.form(max_files=0, max_fields=1000)
        seat = table.shown(reader).seat
        keys = [key for key in form.getlist("keys") if isinstance(key, str)]
        refused = await self.tables.answer(table, reader, seat, str(form.get("stamp", "")), keys)
        return await self._again(table, reader, refused, 409 if refused else 200)

    async def face(self, request: Request) -> Response:
        """Lift the curtain: the person of a seat is at the screen."""
        table, reader = self._found(request)
        form = await request.form(max_files=0, max_fields=4)
        given = str(form.get("seat", ""))
        if given.isdecimal() and int(given) in reader.seats:
            reader.facing = int(given)
        return await self._again(table, reader)

    async def undo(self, request: Request) -> Response:
        """Take back an answer, or ask the others."""
        table, reader = self._found(request)
        return await self._again(table, reader, await self.tables.undo(table, reader))

    async def agree(self, request: Request) -> Response:
        """Agree to take back an answer."""
        table, reader = self._found(request)
        return await self._again(table, reader, await self.tables.agree(table, reader, True))

    async def refuse(self, request: Request) -> Response:
        """Do not agree to take back an answer."""
        table, reader = self._found(request)
        return await self._again(table, reader, await self.tables.agree(table, reader, False))

    async def pause(self, request: Request) -> Response:
        """Stop the bots."""
        return await self._paused(request, True)

    async def resume(self, request: Request) -> Response:
        """Let the bots play on."""
        return await self._paused(request, False)

    async def _paused(self, request: Request, paused: bool) -> Response:
        table, reader = self._found(request, plays=True)
        table.paused = paused
        table.changed()
        self.tables.drive(table)
        return await self._again(table, reader)

    async def step(self, request: Request) -> Response:
        """Let one bot answer once."""
        table, reader = self._found(request, plays=True)
        try:
            await self.tables.step(table)
        except WorkerFailure as failure:
            return await self._again(table, reader, str(failure), 409)
        return await self._again(table, reader)

    async def look(self, request: Request) -> Response:
        """Show a definition."""
        table, _ = self._found(request)
        kind, _, definition = request.query_params.get("face", "").partition("/")
        return HTMLResponse(await self.tables.ask(table, "look", kind=kind, definition=definition))

    async def why(self, request: Request) -> Response:
        """Show what is not offered, and why."""
        table, reader = self._found(request, plays=True)
        return HTMLResponse(await self.tables.ask(table, "why", seat=table.shown(reader).seat))

    async def links(self, request: Request) -> Response:
        """Show the links of all seats to the person who opened the table."""
        table, reader = self._found(request)
        if not reader.owner:
            raise Refused("only the person who opened the table has its links", 403)
        words = words_of(table.spec.language)
        base = str(request.base_url).rstrip("/")
        rows = []
        for one in table.readers.values():
            if one.owner:
                continue
            seat = one.seats[0] if one.seats else -1
            name = table.spec.names[seat] or words["seat"].format(n=seat + 1) if seat >= 0 else words["spectator"]
            rows.append((name, seat + 1, f"{base}/t/{one.token}"))
        alone = "" if self.settings.key else words["links-alone"]
        return HTMLResponse(page("links.html", w=words, links=rows, alone=alone))

    async def result(self, request: Request) -> Response:
        """Show the result of a finished game."""
        table, reader = self._found(request)
        if not table.over:
            return RedirectResponse(f"/t/{reader.token}", 303)
        asked = {"seat": table.shown(reader).seat, "setting": self._setting(table, reader)}
        return HTMLResponse(await self.tables.ask(table, "result", **asked))

    async def journal(self, request: Request) -> Response:
        """Send the journal: it contains everything, so a game in progress has none but for its only player."""
        table, reader = self._found(request)
        others = [one for one in table.players() if one.token != reader.token]
        if not table.over and (others or not reader.seats):
            raise Refused("the journal of a game in progress would show the cards of the others", 403)
        text = await self.tables.ask(table, "journal")
        name = f"{Path(table.spec.pack).name}-{table.spec.seed}.journal"
        safe = "".join(letter for letter in name if letter.isascii() and (letter.isalnum() or letter in "-._"))
        headers = {"content-disposition": f'attachment; filename="{safe}"'}
        return PlainTextResponse(text, headers=headers, media_type="application/x-ndjson")

    async def remove(self, request: Request) -> Response:
        """Remove a table."""
        table, reader = self._found(request)
        if not reader.owner:
            raise Refused("only the person who opened the table can remove it", 403)
        await self.tables.remove(table)
        return RedirectResponse("/", 303)

    # -------------------------------------------------------------- pieces

    def _found(self, request: Request, plays: bool = False) -> tuple[Table, Reader]:
        table, reader = self.tables.find(request.path_params["token"])
        if plays and not reader.seats:
            raise Refused("spectators do not play", 403)
        return table, reader

    async def _fragment(self, table: Table, reader: Reader, notice: str = "") -> str:
        shown: Shown = table.shown(reader)
        setting = self._setting(table, reader, notice)
        do = "curtain" if shown.curtain else "fragment"
        text: str = await self.tables.ask(table, do, seat=shown.seat, setting=setting)
        return text

    async def _again(self, table: Table, reader: Reader, notice: str = "", status: int = 200) -> Response:
        return HTMLResponse(await self._fragment(table, reader, notice), status)

    def _setting(self, table: Table, reader: Reader, notice: str = "") -> dict[str, Any]:
        """Return what the server adds to a reader's page: tools and notices."""
        words, tools = table.words, list[tuple[str, ...]]()
        has_bots = len(table.spec.persons) < len(table.spec.seats)
        if reader.seats and not table.over:
            tools.append(("undo", "undo", words["undo" if len(table.players()) < 2 else "undo-ask"]))
            if has_bots and table.paused:
                tools += [("step", "next", words["step"]), ("resume", "play", words["resume"])]
            elif has_bots:
                tools.append(("pause", "pause", words["pause"]))
        notices: list[dict[str, Any]] = []
        if notice:
            notices.append({"text": notice, "bad": True})
        if table.trouble:
            notices.append({"text": words["trouble"].format(why=table.trouble), "bad": True})
        if self.tables.store.trouble:
            notices.append({"text": words["not-saved"].format(why=self.tables.store.trouble), "bad": True})
        if table.vote is not None and reader.seats:
            notices.append(self._wish(table, reader, words))
        return {
            "at": f"/t/{reader.token}", "tools": tools, "notices": notices, "owner": reader.owner,
        }  # fmt: skip

    @staticmethod
    def _wish(table: Table, reader: Reader, words: dict[str, str]) -> dict[str, Any]:
        assert table.vote is not None
        seat = table.vote.seat
        name = table.spec.names[seat] or words["seat"].format(n=seat + 1)
        if reader.token in table.vote.agreed:
            return {"text": words["undo-waits"], "actions": [("refuse", words["refuse"])]}
        actions = [("agree", words["agree"]), ("refuse", words["refuse"])]
        return {"text": words["undo-wish"].format(name=name), "actions": actions}

    def _language(self, request: Request) -> str:
        wanted = request.query_params.get("lang") or request.query_params.get("language") or ""
        accepted = Headers(scope=request.scope).get("accept-language", "")[:2].lower()
        return next((one for one in (wanted, accepted) if one in LANGUAGES), self.settings.language)

    def _owner(self, handler: Handler) -> Handler:
        """Protect a page of the lobby by the key of a server that is open to the network."""

        async def guarded(request: Request) -> Response:
            key = self.settings.key
            if not key:
                return await handler(request)
            if secrets.compare_digest(request.query_params.get("key", ""), key):
                reply: Response = RedirectResponse(request.url.path, 303)
                reply.set_cookie(KEY, key, max_age=30 * 86400, httponly=True, samesite="strict")
                return reply
            if secrets.compare_digest(request.cookies.get(KEY, ""), key):
                return await handler(request)
            return self._message(request, "no-key", 403)

        return guarded

    def _message(self, request: Request, key: str, status: int, text: str = "") -> Response:
        words = words_of(self._language(request))
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"error": words[key], "text": text or words[f"{key}-text"]}, status)
        told = {"w": words, "title": words[key], "text": text or words[f"{key}-text"]}
        return HTMLResponse(page("message.html", language=self._language(request), **told), status)

    async def _refused(self, request: Request, error: Refused) -> Response:
        if error.status == 404:
            return self._message(request, "no-table", 404)
        return PlainTextResponse(str(error), error.status)

    async def _no_page(self, request: Request, _error: Exception) -> Response:
        return self._message(request, "no-page", 404)

    async def _failed(self, request: Request, error: WorkerFailure | Failure) -> Response:
        return self._message(request, "cannot", 422, str(error))


async def _too_large(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse("the request is too large", 413)


async def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)


def site_of(packs: Sequence[str], store: Path | None, workers: int, **more: Any) -> Site:
    """Return a site with these packs in its lobby."""
    return Site(Settings(tuple(packs), store, workers, **more))
