"""What all pages of the server share: its settings, its tables, and who may open the lobby."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define, field, frozen
from starlette.datastructures import FormData, Headers, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from rulewright.tools.browser.host.pages import PageFile, reply_of, request_data
from rulewright.tools.browser.server.store import Store
from rulewright.tools.browser.server.studies import COMMAND, Studies
from rulewright.tools.browser.server.tables import Tables
from rulewright.tools.browser.server.watching import FolderWatch, SaveEvents, Streams
from rulewright.tools.browser.server.workers import ServerWorkers, Worker
from rulewright.tools.browser.words import LANGUAGES, words_of
from rulewright.tools.pages.environment import page

KEY = "rulewright-key"
"""The cookie of the person who started a server that is open to the network."""
Handler = Callable[[Request], Awaitable[Response]]
Given: TypeAlias = QueryParams | FormData


@frozen
class Settings:
    """What the server was started with. `key` protects the lobby; empty on this computer only.

    `workers` is the number of processes for tables; 0 to do everything in this one, without threads. `address` is
    its host and port.
    """

    packs: tuple[str, ...]
    store: Path | None
    workers: int
    hosts: tuple[str, ...] = ()
    key: str = ""
    address: str = ""
    language: str = "en"


@define
class ServerSite:
    """A server with its tables. `closing` is set when it stops."""

    settings: Settings
    tables: Tables = field(init=False)
    streams: Streams = field(init=False)
    watching: FolderWatch = field(init=False)
    saves: SaveEvents = field(init=False)
    studies: Studies = field(init=False)
    closing: asyncio.Event = field(init=False, factory=asyncio.Event)

    def __attrs_post_init__(self) -> None:
        alone = not self.settings.workers
        store = Store(self.settings.store, threaded=not alone)
        self.tables = Tables(ServerWorkers(self.settings.workers), store)
        self.streams = Streams(self.closing)
        self.watching = FolderWatch(self.tables, polling=alone)
        self.studies = Studies(None if alone else COMMAND)
        self.saves = SaveEvents(self.watching, self.streams)

    def close(self) -> None:
        """End all streams, for which a server that is stopped waits, and the study that runs."""
        self.closing.set()
        self.watching.close()
        self.studies.close()
        for table in self.tables:
            table.changed()

    def language(self, request: Request, given: Given | None = None) -> str:
        """Return the language of a page: the one asked for in its address or form, else the browser's."""
        asked = request.query_params if given is None else given
        wanted = asked.get("lang") or request.query_params.get("language") or ""
        accepted = Headers(scope=request.scope).get("accept-language", "")[:2].lower()
        return next((one for one in (wanted, accepted) if one in LANGUAGES), self.settings.language)

    def for_owner(self, handler: Handler) -> Handler:
        """Protect a page of the lobby by the key of a server that is open to the network."""

        async def guarded(request: Request) -> Response:
            key = self.settings.key
            if not key:
                return await handler(request)
            if _same(request.query_params.get("key", ""), key):
                reply: Response = RedirectResponse(request.url.path, 303)
                reply.set_cookie(KEY, key, max_age=30 * 86400, httponly=True, samesite="strict")
                return reply
            if self.owns(request):
                return await handler(request)
            return self.message(request, "no-key", 403)

        return guarded

    def owns(self, request: Request) -> bool:
        """Whether a request comes from the person who started the server, or the server is for them alone."""
        key = self.settings.key
        return not key or _same(request.cookies.get(KEY, ""), key)

    def words(self, request: Request) -> dict[str, str]:
        """Return the words of a request's language."""
        return words_of(self.language(request))

    async def ask_desk(
        self, request: Request, do: str, given: Given | None = None, worker: Worker | None = None, **known: Any
    ) -> Any:
        """Ask the worker of the desk about a page (`tools.browser.host.pages`), by fields of an address or form.

        `known` is what only the server knows. Raises WorkerFailure.
        """
        fields = request.query_params if given is None else given
        pairs = [(key, value) for key, value in fields.multi_items() if isinstance(value, str)]
        data = request_data(pairs, self.settings.packs, self.language(request, given), self.place(request), known)
        return await (worker or self.tables.workers.desk).ask({"do": do, **data})

    async def desk_page(
        self, request: Request, do: str, given: Given | None = None, status: int = 200,
        worker: Worker | None = None, **known: Any,
    ) -> Response:  # fmt: skip
        """Return a page as the worker of the desk makes it. Raises WorkerFailure."""
        reply = reply_of(await self.ask_desk(request, do, given, worker, **known))
        if reply is None:
            return Response(status_code=204)
        if isinstance(reply, PageFile):
            saved = {"content-disposition": f'attachment; filename="{reply.name}"'} if reply.name else {}
            return Response(reply.data, media_type=reply.media_type, headers=saved)
        return HTMLResponse(reply, status)

    def place(self, request: Request) -> str:
        """Say who can reach the server, and where."""
        key = "network" if self.settings.key else "this-computer"
        return self.words(request)[key].format(address=self.settings.address)

    def message(self, request: Request, key: str, status: int, text: str = "") -> Response:
        """Return a page that only says something, by the key of its words."""
        words = words_of(self.language(request))
        if wants_json(request):
            return JSONResponse({"error": words[key], "text": text or words[f"{key}-text"]}, status)
        told = {"w": words, "title": words[key], "text": text or words[f"{key}-text"]}
        return HTMLResponse(page("message.html", language=self.language(request), **told), status)


def _same(given: str, key: str) -> bool:
    """Compare texts in a time that does not depend on where they differ; what was given may have any characters."""
    return secrets.compare_digest(given.encode(errors="replace"), key.encode())


def wants_json(request: Request) -> bool:
    """Return whether a request asks for JSON instead of a page."""
    return "application/json" in request.headers.get("accept", "")
