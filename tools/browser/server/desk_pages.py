"""The desk, for the owner of the server: its worker makes the pages, and tables are opened here."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import define
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.site import Handler, ServerSite
from rulewright.tools.browser.server.tables import RequestRefused, Sought, own_answers
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.pages.environment import page

PASSED_ON = (
    "/form", "/changes", "/gallery", "/gallery/cards", "/gallery/card", "/scenarios", "/scenarios/outcomes",
    "/print", "/print/form", "/balance/form",
)  # fmt: skip
"""The pages that the worker of the desk makes from their addresses alone."""
PRINTED = ("/print/preview", "/print/picture", "/print/file")
"""What the worker that prints makes from addresses."""
EVENTS = {"/gallery/events": "folders", "/print/events": "print-folders"}
"""The streams that tell a page each time that its packs were saved, with what asks for their folders."""
MOST_SLICES = 14
"""Slices of processor time in which a moment of a card is looked for: about 10 seconds."""
ENOUGH = 4
"""Slices after which a moment is taken that is not a sure one."""
MOST_WAITING = 6
"""Requests to the worker that prints; more are refused until some are done."""


@define
class DeskPages:
    """The handlers of the desk's addresses. `waiting` are requests to the worker that prints."""

    site: ServerSite
    waiting: int = 0

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        return [
            *(Route(path, owner(self._passed_on(path))) for path in PASSED_ON),
            *(Route(path, owner(self._printed(path))) for path in PRINTED),
            *(Route(path, owner(self._events(do))) for path, do in EVENTS.items()),
            Route("/gallery/play", owner(self.play), methods=["POST"]),
            Route("/gallery/plain", owner(self.plain), methods=["POST"]),
            Route("/scenarios/open", owner(self.open), methods=["POST"]),
        ]

    def _passed_on(self, path: str) -> Handler:
        async def handler(request: Request) -> Response:
            return await self.site.desk_page(request, path)

        return handler

    def _events(self, do: str) -> Handler:
        async def handler(request: Request) -> Response:
            return await self.site.saves.reply(request, lambda: self.site.ask_desk(request, do))

        return handler

    # -------------------------------------------------------------- printing

    def _printed(self, path: str) -> Handler:
        async def handler(request: Request) -> Response:
            try:
                with self._turn(request):
                    reply = await self.site.desk_page(request, path, worker=self.site.tables.workers.press)
                if reply.status_code == 204:
                    raise RequestRefused("no such page", 404)
                return reply
            except (WorkerFailure, RequestRefused) as failure:
                refused = isinstance(failure, WorkerFailure) and failure.code == "refused"
                if path != "/print/preview" or refused:
                    raise
                return self._notice(request, str(failure))

        return handler

    @contextmanager
    def _turn(self, request: Request) -> Iterator[None]:
        """Take a place among those who wait. Raises RequestRefused if there are too many."""
        if self.waiting >= MOST_WAITING:
            raise RequestRefused(self.site.words(request)["print-busy"], 429)
        self.waiting += 1
        try:
            yield
        finally:
            self.waiting -= 1

    def _notice(self, request: Request, text: str) -> Response:
        values = {"w": self.site.words(request), "notice": text, "report": "", "p": None, "number": 1}
        return HTMLResponse(page("print_preview.html", language=self.site.language(request), **values))

    # -------------------------------------------------------------- opening tables

    async def play(self, request: Request) -> Response:
        """Open a table at a moment in which a card can be played, and mark it there."""
        form = await request.form(max_files=0, max_fields=60)
        moment, why = await self._moment(request, form)
        if moment is None:
            return await self.site.desk_page(request, "no-moment", form, 422, why=why)
        table, reader = await self.site.tables.create(moment["spec"], lines=moment["entries"])
        table.sought = Sought(moment["name"], tuple(moment["keys"]), own_answers(moment["entries"], 0))
        return RedirectResponse(f"/t/{reader.token}", 303)

    async def _moment(self, request: Request, form: FormData) -> tuple[dict[str, Any] | None, str]:
        """Look for a moment, slice by slice. Returns it, or the key of the words that say why there is none."""
        best: dict[str, Any] | None = None
        found = await self.site.ask_desk(request, "moment", form)
        setups = found["setups"]
        if not setups:
            return None, "in-no-game"
        for passed in range(MOST_SLICES):
            if best is not None and passed >= ENOUGH:
                break
            found = await self.site.ask_desk(request, "moment", form, setups=setups, next=found["next"])
            best = best or found["moment"]
            if found["moment"] is not None and found["moment"]["sure"]:
                return found["moment"], ""
        return best, "no-moment"

    async def plain(self, request: Request) -> Response:
        """Open a plain table of a pack."""
        form = await request.form(max_files=0, max_fields=60)
        data = await self.site.ask_desk(request, "plain-table", form, seed=secrets.randbelow(10**6))
        _, reader = await self.site.tables.create(data)
        return RedirectResponse(f"/t/{reader.token}", 303)

    async def open(self, request: Request) -> Response:
        """Open a scenario on a table, to step through it."""
        form = await request.form(max_files=0, max_fields=60)
        data = await self.site.ask_desk(request, "scenario-table", form)
        table, reader = await self.site.tables.create(data)
        asked = table.status.get("asked", ())
        reader.facing = asked[0] if asked else 0
        return RedirectResponse(f"/t/{reader.token}", 303)
