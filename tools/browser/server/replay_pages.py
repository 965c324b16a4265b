"""Replays: of tables, of uploaded journals, and of saved games."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from attrs import define, evolve, field, frozen
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.guards import LARGEST_UPLOAD
from rulewright.tools.browser.server.lobby_pages import fields_of, seats_data
from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.browser.server.store import StoredRules
from rulewright.tools.browser.server.table_pages import CACHED, journal_reply, picture_reply
from rulewright.tools.browser.server.tables import TOKEN_BYTES, Reader, RequestRefused, ServerTable
from rulewright.tools.browser.server.workers import ServerWorkers, WorkerFailure
from rulewright.tools.common.errors import Failure
from rulewright.tools.playing.save_file import bytes_of, is_ours_alone, saved_games

# ---- Journals that were uploaded: kept in memory under unguessable tokens, and replayed in a worker

MOST_UPLOADS = 40
MOST_BYTES = 96 * 1024 * 1024
"""All uploads together; the oldest are forgotten."""


@frozen
class Upload:
    """A journal as it was uploaded: the name of its file, its bytes, and the language of its reader.

    `own`: it is a saved game of the user, which may be long.
    """

    token: str
    number: int
    file: str
    data: bytes = field(repr=False)
    language: str
    own: bool = False
    seats: int = 0


@define
class Uploads:
    """The journals that were uploaded. `packs` are those that the server was started with."""

    workers: ServerWorkers
    packs: tuple[str, ...]
    _kept: OrderedDict[str, Upload] = field(init=False, factory=OrderedDict)
    _next: int = field(init=False, default=0)

    async def add(self, file: str, data: bytes, language: str, own: bool = False) -> Upload:
        """Replay a journal, and keep it if that succeeds. Raises WorkerFailure."""
        self._next += 1
        upload = Upload(secrets.token_urlsafe(TOKEN_BYTES), self._next, file, data, language, own)
        found = await self._open(upload)
        kept = evolve(upload, seats=int(found["seats"]))
        self._kept[kept.token] = kept
        while len(self._kept) > MOST_UPLOADS or sum(len(one.data) for one in self._kept.values()) > MOST_BYTES:
            self._kept.popitem(last=False)
        return kept

    def find(self, token: str) -> Upload:
        """Return the upload with a token. Raises Refused."""
        for known, upload in self._kept.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                return upload
        raise RequestRefused("no such table", 404)

    async def ask(self, upload: Upload, do: str, **more: Any) -> Any:
        """Ask the worker of an upload, and give it the journal again if it has lost it. Raises WorkerFailure."""
        request = {**self._about(upload), "do": do, **more}
        worker = self.workers.of(upload.number)
        found = await worker.ask(request)
        if isinstance(found, dict) and found.get("missing"):
            await self._open(upload)
            found = await worker.ask(request)
        return found

    async def _open(self, upload: Upload) -> Any:
        data = b64encode(upload.data).decode("ascii")
        return await self.workers.of(upload.number).ask({**self._about(upload), "do": "replay_open", "data": data})

    def _about(self, upload: Upload) -> dict[str, Any]:
        return {
            "replay": upload.token, "file": upload.file, "language": upload.language, "packs": [*self.packs],
            "own": upload.own,
        }  # fmt: skip


# ---- Replay pages

WITNESS, SPECTATOR = -2, -1
"""Views that are no seats: everything, and what everybody sees."""
MOST_FIELDS = 200


@frozen
class _Replay:
    """A replay for one reader: how to ask its worker, the page's address, and what the reader may see and do.

    `spec`, `lines`, `program` and `files` of a table to go on from are made by `start`.
    """

    ask: Callable[..., Awaitable[Any]]
    address: str
    file: str
    views: tuple[int, ...]
    language: str
    tools: tuple[tuple[str, ...], ...]
    start: Callable[[int], Awaitable[dict[str, Any]]] = field()
    branch: bool = False
    result: str = ""
    first: int | None = None
    """The number of answers at which the page opens; None for the end of the game."""


@define
class ReplayPages:
    """The handlers of the addresses of replays."""

    site: ServerSite
    _uploads: Uploads = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._uploads = Uploads(self.site.tables.workers, self.site.settings.packs)

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        each = [("", self.page), ("/step", self.step), ("/look", self.look), ("/branch", self.branch),
                ("/styles.css", self.styles), ("/pictures/{pack:str}/{path:path}", self.picture)]  # fmt: skip
        shared = ("/t/{token:str}/replay", "/replay/{upload:str}")
        return [
            Route("/replay", owner(self.all), methods=["GET"]),
            Route("/replay", owner(self.upload), methods=["POST"]),
            Route("/replay/saved", owner(self.saved), methods=["POST"]),
            Route("/replay/{upload:str}/journal", self.journal, methods=["GET"]),
            *(Route(at + path, handler, methods=["GET"]) for at in shared for path, handler in each),
            *(Route(f"{at}/branch", owner(self.start), methods=["POST"]) for at in shared),
        ]

    # -------------------------------------------------------------- the list

    async def all(self, request: Request) -> Response:
        """Show what can be replayed, and the form of an upload."""
        return await self._all(request)

    async def _all(self, request: Request, notice: str = "", status: int = 200) -> Response:
        rows = [self._row(table) for table in self.site.tables if table.over]
        return await self.site.desk_page(
            request, "/replay", status=status, tables=rows, notice=notice, most=LARGEST_UPLOAD
        )

    @staticmethod
    def _row(table: ServerTable) -> dict[str, Any]:
        owner = next((one for one in table.readers.values() if one.owner), next(iter(table.readers.values())))
        return {
            "pack": table.spec.pack, "where": str(table.status.get("where", "")), "answers": len(table.lines),
            "link": f"/t/{owner.token}/replay",
        }  # fmt: skip

    async def upload(self, request: Request) -> Response:
        """Take a journal, and show its replay."""
        async with request.form(max_files=1, max_fields=4) as form:
            given = form.get("journal")
            if not isinstance(given, UploadFile):
                return await self._all(request)
            return await self._opened(request, given.filename or "", await given.read())

    async def saved(self, request: Request) -> Response:
        """Show the replay of a saved game."""
        form = await request.form(max_files=0, max_fields=4)
        place = next((one for one in saved_games() if one.name == form.get("file")), None)
        if place is None:
            return await self._all(request)
        try:
            own = is_ours_alone(str(place))
            return await self._opened(request, place.name, bytes_of(str(place)), own)
        except Failure as failure:
            return await self._all(request, failure.told(self.site.language(request)), 422)

    async def _opened(self, request: Request, file: str, data: bytes, own: bool = False) -> Response:
        try:
            kept = await self._uploads.add(file, data, self.site.language(request), own)
        except WorkerFailure as failure:
            return await self._all(request, str(failure), 422)
        return RedirectResponse(f"/replay/{kept.token}", 303)

    # -------------------------------------------------------------- one replay

    async def page(self, request: Request) -> Response:
        """Show a replay."""
        found = self._found(request)
        return HTMLResponse(await found.ask("replay_page", **self._asked(request, found)))

    async def step(self, request: Request) -> Response:
        """Draw another moment, or another view."""
        found = self._found(request)
        return HTMLResponse(await found.ask("replay_step", **self._asked(request, found)))

    async def look(self, request: Request) -> Response:
        """Show a definition."""
        kind, _, definition = request.query_params.get("face", "").partition("/")
        found = self._found(request)
        asked = {"kind": kind, "definition": definition, "address": found.address}
        return HTMLResponse(await found.ask("replay_look", **asked))

    async def styles(self, request: Request) -> Response:
        """Send the style sheet of the pack's own colours."""
        text = await self._found(request).ask("replay_styles")
        return Response(text, media_type="text/css", headers=CACHED)

    async def picture(self, request: Request) -> Response:
        """Send a picture that a face of the pack shows."""
        pack, path = request.path_params["pack"], request.path_params["path"]
        return picture_reply(await self._found(request).ask("replay_picture", pack=pack, path=path))

    async def journal(self, request: Request) -> Response:
        """Send an uploaded journal back."""
        kept = self._uploads.find(request.path_params["upload"])
        return journal_reply(kept.data, kept.file)

    async def branch(self, request: Request) -> Response:
        """Ask who plays on from a moment."""
        found = self._may_branch(request)
        return HTMLResponse(await found.ask("replay_branch", **self._asked(request, found)))

    async def start(self, request: Request) -> Response:
        """Open a table that goes on from a moment, with the same seed."""
        found = self._may_branch(request)
        form = await request.form(max_files=0, max_fields=MOST_FIELDS)
        seats, links = seats_data(fields_of(form))
        given = await found.start(_number(str(form.get("at", ""))) or 0)
        spec = {**given["spec"], "seats": seats}
        if len(seats) != len(found.views) - 2:
            raise RequestRefused("the table needs as many seats as the game has", 422)
        rules = StoredRules(given["program"], given["files"])
        _, reader = await self.site.tables.create(spec, links, rules, given["lines"])
        return RedirectResponse(f"/t/{reader.token}", 303)

    def _may_branch(self, request: Request) -> _Replay:
        found = self._found(request)
        if not found.branch:
            raise RequestRefused("a game with secrets can be played on from here only when it is over", 403)
        return found

    def _asked(self, request: Request, found: _Replay) -> dict[str, Any]:
        """Return what a request asks for: the moment and the view, as far as the reader may have it."""
        query = request.query_params
        at, view = _number(query.get("at", "")), _view(query.get("view", ""))
        if query.get("view") and view not in found.views:
            raise RequestRefused("this view is not for you", 403)
        return {
            "at": at if at is not None else found.first if found.first is not None else 10**9,
            "view": view if view in found.views else found.views[0],
            "views": [*found.views], "whole": bool(query.get("whole")), "address": found.address,
            "file": found.file, "branch": found.branch, "tools": found.tools, "result": found.result,
        }  # fmt: skip

    # -------------------------------------------------------------- who may see what

    def _found(self, request: Request) -> _Replay:
        if "upload" in request.path_params:
            return self._uploaded(request)
        return self._table(request, *self.site.tables.find(request.path_params["token"]))

    def _uploaded(self, request: Request) -> _Replay:
        kept = self._uploads.find(request.path_params["upload"])
        address = f"/replay/{kept.token}"
        words = self.site.words(request)

        async def ask(do: str, **more: Any) -> Any:
            return await self._uploads.ask(kept, do, **more)

        async def start(at: int) -> dict[str, Any]:
            found: dict[str, Any] = await ask("replay_start", at=at)
            return found

        owns = self.site.owns(request)
        tools = [("", "download", words["download"], f"{address}/journal")]
        if owns:
            tools.insert(0, ("", "upload", words["open"], "/replay"))
        views = (WITNESS, SPECTATOR, *range(kept.seats))
        return _Replay(ask, address, kept.file, views, kept.language, tuple(tools), start, owns, "", 0)

    def _table(self, request: Request, table: ServerTable, reader: Reader) -> _Replay:
        """Return the replay of a table: of a game in progress a reader sees only what it has at its screen."""
        address = f"/t/{reader.token}"

        async def ask(do: str, **more: Any) -> Any:
            return await self.site.tables.ask(table, do, **more)

        async def start(at: int) -> dict[str, Any]:
            lines, rules = table.lines[: max(0, at)], table.rules
            return {"spec": table.spec.data(), "lines": lines, "program": rules.hash, "files": rules.files}

        shown = table.shown(reader)
        seats = tuple(range(len(table.spec.seats)))
        own = () if shown.curtain or shown.seat < 0 else (shown.seat,)
        views = (WITNESS, SPECTATOR, *seats) if table.over else (*own, SPECTATOR)
        tools = [("", "back", table.words["table"], address)]
        if table.over:
            tools.append(("", "download", table.words["download"], f"{address}/journal"))
        branch = table.over and self.site.owns(request)
        first = 0 if table.over else None
        result = f"{address}/result" if table.over else ""
        return _Replay(
            ask, f"{address}/replay", "", views, table.spec.language, tuple(tools), start, branch, result, first
        )  # fmt: skip


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else None


def _view(text: str) -> int | None:
    """Return the view that an address names; None for no view."""
    known = {"all": WITNESS, "public": SPECTATOR}
    number = _number(text)
    return known.get(text, number - 1 if number else None)
