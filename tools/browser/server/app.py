"""The web application: all addresses, with guards around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.utils import formatdate
from functools import cache
from hashlib import blake2b
from mimetypes import guess_type
from typing import Any

from attrs import define
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.balance_pages import BalancePages
from rulewright.tools.browser.server.desk_pages import DeskPages
from rulewright.tools.browser.server.guards import LARGEST_UPLOAD, BodyTooLarge, Guard
from rulewright.tools.browser.server.lobby_pages import LobbyPages
from rulewright.tools.browser.server.replay_pages import ReplayPages
from rulewright.tools.browser.server.site import ServerSite, wants_json
from rulewright.tools.browser.server.table_pages import AssetPages, SavedPages, TablePages
from rulewright.tools.browser.server.tables import RequestRefused
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.common.errors import Failure
from rulewright.tools.pages.environment import STATIC

PAGES = (LobbyPages, ReplayPages, TablePages, AssetPages, DeskPages, SavedPages, BalancePages)
"""The groups of pages; each has `routes`."""


def application(site: ServerSite) -> Guard:
    """Return the application of a server, with the tables of its store. Raises Usage if that cannot be used."""
    site.tables.load()
    MultiPartParser.spool_max_size = LARGEST_UPLOAD  # in memory: larger ones would be written by a thread

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        site.tables.listen(asyncio.get_running_loop())
        await site.tables.workers.start()
        site.watching.start()
        yield
        site.close()
        await site.watching.stop()
        await site.studies.ended()
        await site.tables.workers.stop()
        site.tables.store.close()

    routes = [route for pages in PAGES for route in pages(site).routes()]
    inside = Starlette(
        routes=[*routes, Route("/static/{path:path}", _static)],
        lifespan=life,
        exception_handlers=_Errors(site).handlers(),
    )
    return Guard(inside, site.settings.hosts)


async def _static(request: Request) -> Response:
    """Send a file that pages need, unless the browser has it."""
    found = _static_files().get(request.path_params["path"])
    if found is None:
        raise HTTPException(404)
    data, kind, headers = found
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=kind, headers=headers)


@cache
def _static_files() -> dict[str, tuple[bytes, str, dict[str, str]]]:
    """Return the bytes, the media type, and the headers of all files. They are few, and read without threads."""
    found = {}
    for path in sorted(one for one in STATIC.rglob("*") if one.is_file()):
        data, name = path.read_bytes(), path.relative_to(STATIC).as_posix()
        changed = formatdate(path.stat().st_mtime, usegmt=True)
        headers = {"etag": f'"{blake2b(data, digest_size=12).hexdigest()}"', "last-modified": changed}
        found[name] = data, guess_type(name)[0] or "text/plain", headers
    return found


@define
class _Errors:
    """Replies to requests that cannot be carried out."""

    site: ServerSite

    def handlers(self) -> dict[Any, Any]:
        return {
            RequestRefused: self._refused, WorkerFailure: self._failed, Failure: self._failed,
            BodyTooLarge: self._too_large, ClientDisconnect: self._gone, 404: self._no_page,
        }  # fmt: skip

    async def _refused(self, request: Request, error: RequestRefused) -> Response:
        if error.status == 404:
            return self.site.message(request, "no-table", 404)
        if wants_json(request):
            return JSONResponse({"refused": str(error)}, error.status)
        return PlainTextResponse(str(error), error.status)

    async def _no_page(self, request: Request, _error: Exception) -> Response:
        return self.site.message(request, "no-page", 404)

    async def _failed(self, request: Request, error: WorkerFailure | Failure) -> Response:
        return self.site.message(request, "cannot", 422, str(error))

    async def _too_large(self, _request: Request, _error: Exception) -> Response:
        return PlainTextResponse("the request is too large", 413)

    async def _gone(self, _request: Request, _error: Exception) -> Response:
        return Response(status_code=400)
