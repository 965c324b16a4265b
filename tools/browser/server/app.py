"""The web application: all addresses, with guards around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from attrs import define
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from rulewright.tools.browser.server.balance_pages import BalancePages
from rulewright.tools.browser.server.desk_pages import DeskPages, PrintPages
from rulewright.tools.browser.server.guards import Guard, TooLarge
from rulewright.tools.browser.server.lobby_pages import LobbyPages
from rulewright.tools.browser.server.replay_pages import ReplayPages
from rulewright.tools.browser.server.saved_pages import SavedPages
from rulewright.tools.browser.server.site import Site, wants_json
from rulewright.tools.browser.server.table_pages import AssetPages, TablePages
from rulewright.tools.browser.server.tables import Refused
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.common.errors import Failure
from rulewright.tools.pages.environment import STATIC

PAGES = (LobbyPages, ReplayPages, TablePages, AssetPages, DeskPages, SavedPages, PrintPages, BalancePages)
"""The groups of pages; each has `routes`."""


def application(site: Site) -> Guard:
    """Return the application of a server, with the tables of its store. Raises Usage if that cannot be used."""
    site.tables.load()

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
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
        lifespan=life,
        exception_handlers=_Errors(site).handlers(),
    )
    return Guard(inside, site.settings.hosts)


@define
class _Errors:
    """Replies to requests that cannot be carried out."""

    site: Site

    def handlers(self) -> dict[Any, Any]:
        return {
            Refused: self._refused, WorkerFailure: self._failed, Failure: self._failed, TooLarge: self._too_large,
            ClientDisconnect: self._gone, 404: self._no_page,
        }  # fmt: skip

    async def _refused(self, request: Request, error: Refused) -> Response:
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
