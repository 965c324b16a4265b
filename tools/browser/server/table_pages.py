"""The pages of one table: what its readers see, and what they do."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from attrs import define
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.host.spec import SPEEDS
from rulewright.tools.browser.server.lobby_pages import again_link
from rulewright.tools.browser.server.site import ServerSite, wants_json
from rulewright.tools.browser.server.tables import Reader, RequestRefused, ServerTable
from rulewright.tools.browser.server.watching import EVENTS, next_step, renew
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.browser.words import words_of
from rulewright.tools.pages.environment import page

# ---- What the owner of a table answers to a saved pack, and the steps of its scenario

AT = "/t/{token:str}"
BROKEN = ("broken", "unread", "no-table", "no-start", "differs")
"""States of a save after which the old rules stay in force."""


@define
class SavedPages:
    """The handlers of these addresses. After each the reader's table is drawn again."""

    site: ServerSite

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        post = {
            "/go-on": self.go_on, "/keep": self.keep, "/hide-saved": self.hide, "/show-saved": self.show,
            "/next-step": self.next_step,
        }  # fmt: skip
        return [Route(AT + path, handler, methods=["POST"]) for path, handler in post.items()]

    async def go_on(self, request: Request) -> Response:
        """Go on under new rules, with the answers that fit them."""
        table, reader = self._owned(request)
        if table.saved is not None and table.saved["state"] == "differs":
            await renew(self.site.tables, table, str(table.saved["program"]))
        return self._drawn(reader)

    async def keep(self, request: Request) -> Response:
        """Keep the rules as they were."""
        table, reader = self._owned(request)
        table.saved = None
        table.changed()
        return self._drawn(reader)

    async def hide(self, request: Request) -> Response:
        """Put findings aside; a line over the table still says that there are some."""
        return self._hidden(request, True)

    async def show(self, request: Request) -> Response:
        """Show findings again."""
        return self._hidden(request, False)

    def _hidden(self, request: Request, hidden: bool) -> Response:
        table, reader = self._owned(request)
        if table.saved is not None:
            table.saved["hidden"] = hidden
            table.changed()
        return self._drawn(reader)

    async def next_step(self, request: Request) -> Response:
        """Give the next answer of the scenario that a table was opened with."""
        table, reader = self._owned(request)
        await next_step(self.site.tables, table)
        asked = [seat for seat in table.status.get("asked", ()) if seat in reader.seats]
        if asked and reader.facing not in asked:
            reader.facing = asked[0]  # whoever steps through a scenario sees all sides of it
        return self._drawn(reader)

    def _owned(self, request: Request) -> tuple[ServerTable, Reader]:
        table, reader = self.site.tables.find(request.path_params["token"])
        if not reader.owner:
            raise RequestRefused("only the person who opened the table can do this", 403)
        return table, reader

    @staticmethod
    def _drawn(reader: Reader) -> Response:
        return RedirectResponse(f"/t/{reader.token}/fragment", 303)


def gallery_link(table: ServerTable) -> str:
    """Return the address of the gallery of a table's packs."""
    pairs = [("pack", table.spec.pack), *(("more", one) for one in table.spec.more), ("lang", table.spec.language)]
    return f"/gallery?{urlencode(pairs)}"


@define
class TablePages:
    """The handlers of the addresses below `AT`."""

    site: ServerSite

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        get = {
            "": self.page, "/fragment": self.fragment, "/events": self.events, "/state.json": self.state,
            "/look": self.look, "/why": self.why, "/links": self.links, "/result": self.result,
            "/journal": self.journal,
        }  # fmt: skip
        post = {
            "/answer": self.answer, "/face": self.face, "/undo": self.undo, "/agree": self.agree,
            "/refuse": self.refuse, "/pause": self.pause, "/resume": self.resume, "/step": self.step,
            "/remove": self.remove, "/speed": self.speed, "/log": self.log,
        }  # fmt: skip
        return [
            *(Route(AT + path, handler, methods=["GET"]) for path, handler in get.items()),
            *(Route(AT + path, handler, methods=["POST"]) for path, handler in post.items()),
        ]

    async def page(self, request: Request) -> Response:
        """Show a table."""
        table, reader = self._found(request)
        shown = table.shown(reader)
        asked = {"seat": shown.seat, "curtain": shown.curtain, "setting": self._setting(table, reader)}
        return HTMLResponse(await self.site.tables.ask(table, "page", **asked))

    async def fragment(self, request: Request) -> Response:
        """Draw the part of the page that changes."""
        return await self._again(*self._found(request))

    async def events(self, request: Request) -> Response:
        """Stream a table."""
        table, reader = self._found(request)
        if request.method == "HEAD":
            return Response(media_type=EVENTS)
        last = request.headers.get("last-event-id") or request.query_params.get("seen", "")

        async def draw() -> str:
            return await self._fragment(table, reader)

        return self.site.streams.open(table, reader.token, draw, last)

    async def state(self, request: Request) -> Response:
        """Send what a reader sees as JSON, for other programs. One who plays several seats names one by `seat`."""
        table, reader = self._found(request)
        asked = self._seat_named(request.query_params.get("seat"), reader)
        seat = table.shown(reader).seat if asked is None else asked
        return JSONResponse(await self.site.tables.ask(table, "state", seat=seat))

    async def answer(self, request: Request) -> Response:
        """Take an answer; the reply is the table as it is now, with the reason of a refusal."""
        table, reader = self._found(request)
        form = await request.form(max_files=0, max_fields=1000)
        asked = self._seat_named(form.get("seat"), reader)
        seat = table.shown(reader).seat if asked is None else asked
        keys = [key for key in form.getlist("keys") if isinstance(key, str)]
        refused = await self.site.tables.answer(table, reader, seat, str(form.get("stamp", "")), keys)
        if wants_json(request):
            store = self.site.tables.store
            saved = store.path is not None and not store.trouble
            told = {"refused": refused} if refused else {"ok": True, "saved": saved}
            return JSONResponse(told, 409 if refused else 200)
        return await self._again(table, reader, refused, 409 if refused else 200)

    async def face(self, request: Request) -> Response:
        """Lift the curtain: the person of a seat is at the screen."""
        table, reader = self._found(request, plays=True)
        form = await request.form(max_files=0, max_fields=4)
        reader.facing = self._seat_named(form.get("seat"), reader)
        table.changed()  # a stream that drew the curtain may send it after this reply
        return await self._again(table, reader)

    async def undo(self, request: Request) -> Response:
        """Take back an answer, or ask the others."""
        table, reader = self._found(request)
        return await self._again(table, reader, await self.site.tables.undo(table, reader))

    async def agree(self, request: Request) -> Response:
        """Agree to take back an answer."""
        return await self._agreed(request, True)

    async def refuse(self, request: Request) -> Response:
        """Do not agree to take back an answer."""
        return await self._agreed(request, False)

    async def _agreed(self, request: Request, agrees: bool) -> Response:
        table, reader = self._found(request)
        wish = request.query_params.get("wish", "")
        return await self._again(table, reader, await self.site.tables.agree(table, reader, wish, agrees))

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
        self.site.tables.drive(table)
        return await self._again(table, reader)

    async def speed(self, request: Request) -> Response:
        """Set the speed of the bots."""
        table, reader = self._found(request, plays=True)
        given = str((await request.form(max_files=0, max_fields=4)).get("speed", ""))
        if given not in map(str, SPEEDS.values()):
            raise RequestRefused(f"expected a speed: one of {', '.join(map(str, SPEEDS.values()))}", 422)
        table.speed = int(given)
        table.changed()
        self.site.tables.drive(table)
        return await self._again(table, reader)

    async def log(self, request: Request) -> Response:
        """Show a reader the log from the start, or only its last part."""
        table, reader = self._found(request)
        reader.whole_log = not reader.whole_log
        return await self._again(table, reader)

    async def step(self, request: Request) -> Response:
        """Let one bot answer once."""
        table, reader = self._found(request, plays=True)
        try:
            await self.site.tables.step(table)
        except WorkerFailure as failure:
            return await self._again(table, reader, str(failure), 409)
        return await self._again(table, reader)

    async def look(self, request: Request) -> Response:
        """Show a definition."""
        table, reader = self._found(request)
        kind, _, definition = request.query_params.get("face", "").partition("/")
        setting = {"at": f"/t/{reader.token}"}
        asked = {"kind": kind, "definition": definition, "setting": setting}
        return HTMLResponse(await self.site.tables.ask(table, "look", **asked))

    async def why(self, request: Request) -> Response:
        """Show what is not offered, and why."""
        table, reader = self._found(request, plays=True)
        return HTMLResponse(await self.site.tables.ask(table, "why", seat=table.shown(reader).seat))

    async def links(self, request: Request) -> Response:
        """Show the links of all seats to the person who opened the table."""
        table, reader = self._found(request)
        if not reader.owner:
            raise RequestRefused("only the person who opened the table has its links", 403)
        words = words_of(table.spec.language)
        base = str(request.base_url).rstrip("/")
        rows = []
        for one in table.readers.values():
            if one.owner:
                continue
            seat = one.seats[0] if one.seats else -1
            name = table.spec.names[seat] or words["seat"].format(n=seat + 1) if seat >= 0 else words["spectator"]
            rows.append((name, seat + 1, f"{base}/t/{one.token}"))
        alone = "" if self.site.settings.key else words["links-alone"]
        return HTMLResponse(page("links.html", w=words, links=rows, alone=alone))

    async def result(self, request: Request) -> Response:
        """Show the result of a finished game."""
        table, reader = self._found(request)
        if not table.over:
            return RedirectResponse(f"/t/{reader.token}", 303)
        setting = self._setting(table, reader)
        if reader.owner:
            links = {seat for one in table.readers.values() if not one.owner for seat in one.seats}
            setting["again"] = again_link(table.spec, links)
        asked = {"seat": table.shown(reader).seat, "setting": setting}
        return HTMLResponse(await self.site.tables.ask(table, "result", **asked))

    async def journal(self, request: Request) -> Response:
        """Send the journal: it contains everything, so a game in progress has one only for who plays all seats."""
        table, reader = self._found(request)
        if not table.over and len(reader.seats) < len(table.spec.seats):
            raise RequestRefused("the journal of a game in progress would show the cards of the others", 403)
        text = await self.site.tables.ask(table, "journal")
        return journal_reply(text.encode(), f"{Path(table.spec.pack).name}-{table.spec.seed}.journal")

    async def remove(self, request: Request) -> Response:
        table, reader = self._found(request)
        if not reader.owner:
            raise RequestRefused("only the person who opened the table can remove it", 403)
        await self.site.tables.remove(table)
        return RedirectResponse("/", 303)

    # -------------------------------------------------------------- pieces

    @staticmethod
    def _seat_named(given: object, reader: Reader) -> int | None:
        """Return the seat that a request names, or None. Raises Refused for one that the reader does not play."""
        if given is None:
            return None
        seat = next((seat for seat in reader.seats if str(seat) == given), None)
        if seat is None:
            raise RequestRefused("this link does not play that seat", 403)
        return seat

    def _found(self, request: Request, plays: bool = False) -> tuple[ServerTable, Reader]:
        table, reader = self.site.tables.find(request.path_params["token"])
        if plays and not reader.seats:
            raise RequestRefused("spectators do not play", 403)
        return table, reader

    async def _fragment(self, table: ServerTable, reader: Reader, notice: str = "") -> str:
        shown = table.shown(reader)
        setting = self._setting(table, reader, notice)
        do = "curtain" if shown.curtain else "fragment"
        text: str = await self.site.tables.ask(table, do, seat=shown.seat, setting=setting)
        return text

    async def _again(self, table: ServerTable, reader: Reader, notice: str = "", status: int = 200) -> Response:
        return HTMLResponse(await self._fragment(table, reader, notice), status)

    def _setting(self, table: ServerTable, reader: Reader, notice: str = "") -> dict[str, Any]:
        """Return what the server adds to a reader's page: tools and notices."""
        words, tools = table.words, list[tuple[str, ...]]()
        speed = None
        has_bots = len(table.spec.persons) < len(table.spec.seats)
        if reader.seats and not table.over:
            tools.append(("undo", "undo", words["undo" if len(table.players()) < 2 else "undo-ask"]))
            if has_bots and table.paused:
                tools += [("step", "next", words["step"]), ("resume", "play", words["resume"])]
            elif has_bots:
                tools.append(("pause", "pause", words["pause"]))
            speed = table.speed if has_bots else None
        if reader.owner and len(table.readers) > 1:
            tools.append(("links", "link", words["invite"], "", "sheet"))
        notices: list[dict[str, Any]] = []
        if notice:
            notices.append({"text": notice, "bad": True})
        if table.trouble:
            notices.append({"text": words["trouble"].format(why=table.trouble), "bad": True})
        if self.site.tables.store.trouble:
            notices.append({"text": words["not-saved"].format(why=self.site.tables.store.trouble), "bad": True})
        sought = table.found if reader.owner else None
        if sought is not None:
            notices.append({"text": words["play-here"].format(name=sought.name)})
        if table.vote is not None and reader.seats:
            notices.append(self._wish(table, reader, words))
        if reader.owner:
            tools.append(("gallery", "cards", words["gallery"], gallery_link(table)))
        saved = table.saved if reader.owner else None
        if saved is not None and (saved["state"] in BROKEN and saved.get("hidden")):
            notices.append({"text": words["saved-hidden"], "bad": True, "actions": [("show-saved", words["show"])]})
            saved = None
        elif saved is None and table.saved is not None and table.saved["state"] in BROKEN:
            notices.append({"text": words["saved-old-rules"]})
        return {
            "at": f"/t/{reader.token}", "tools": tools, "notices": notices, "owner": reader.owner, "saved": saved,
            "rehearsing": reader.owner and table.spec.scenario is not None, "whole": reader.whole_log,
            "speed": speed, "sought": sought.keys if sought is not None else (),
        }  # fmt: skip

    @staticmethod
    def _wish(table: ServerTable, reader: Reader, words: dict[str, str]) -> dict[str, Any]:
        assert table.vote is not None
        seat, wish = table.vote.seat, f"?wish={table.vote.wish}"
        name = table.spec.names[seat] or words["seat"].format(n=seat + 1)
        if reader.token in table.vote.agreed:
            word = words["withdraw" if seat in reader.seats else "refuse"]
            return {"text": words["undo-waits"], "actions": [("refuse" + wish, word)]}
        actions = [("agree" + wish, words["agree"]), ("refuse" + wish, words["refuse"])]
        return {"text": words["undo-wish"].format(name=name), "actions": actions}


def journal_reply(data: bytes, file: str) -> Response:
    """Return a journal as a file to download."""
    safe = "".join(letter for letter in file if letter.isascii() and (letter.isalnum() or letter in "-._"))
    headers = {"content-disposition": f'attachment; filename="{safe.lstrip(".") or "game.journal"}"'}
    return Response(data, headers=headers, media_type="application/x-ndjson")


# ---- What the page of a table loads: the pack's own colours, and its pictures

CACHED = {"cache-control": "private, max-age=60"}


@define
class AssetPages:
    """The handlers of what belongs to a table's page."""

    site: ServerSite

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        return [
            Route("/t/{token:str}/styles.css", self.styles, methods=["GET"]),
            Route("/t/{token:str}/pictures/{pack:str}/{path:path}", self.picture, methods=["GET"]),
        ]

    async def styles(self, request: Request) -> Response:
        """Send the style sheet of the pack's own colours."""
        table, _ = self.site.tables.find(request.path_params["token"])
        text = await self.site.tables.ask(table, "styles")
        return Response(text, media_type="text/css", headers=CACHED)

    async def picture(self, request: Request) -> Response:
        """Send a picture that a face of the pack shows. Its contents were checked; the type is that of its name."""
        table, _ = self.site.tables.find(request.path_params["token"])
        pack, path = request.path_params["pack"], request.path_params["path"]
        return picture_reply(await self.site.tables.ask(table, "picture", pack=pack, path=path))


def picture_reply(found: Any) -> Response:
    """Return a picture from the reply of a worker. Raises Refused if there is none."""
    if found is None:
        raise RequestRefused("no such picture", 404)
    return Response(b64decode(found[0]), media_type=found[1], headers=CACHED)
