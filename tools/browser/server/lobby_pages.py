"""The lobby: packs, the form of a new table, and the list of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.forms import form_data, table_data
from rulewright.tools.browser.server.site import Site
from rulewright.tools.browser.server.table import Table
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.common.errors import Failure


@define
class LobbyPages:
    """The handlers of the lobby's addresses."""

    site: Site

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        return [
            Route("/", owner(self.lobby)),
            Route("/form", owner(self.form)),
            Route("/changes", owner(self.changes)),
            Route("/tables", owner(self.create), methods=["POST"]),
        ]

    async def lobby(self, request: Request) -> Response:
        """Show packs, the form of a new table, and the tables."""
        return await self._lobby(request, form_data(request.query_params))

    async def _lobby(
        self, request: Request, asked: dict[str, Any], notice: str = "", report: str = "", status: int = 200
    ) -> Response:
        rows = [self._row(table) for table in self.site.tables]
        given = {
            "do": "lobby", "packs": [*self.site.settings.packs], "asked": asked,
            "language": self.site.language(request), "tables": rows, "notice": notice, "report": report,
            "place": self.site.place(request),
        }  # fmt: skip
        return HTMLResponse(await self.site.tables.workers.desk.ask(given), status)

    def _row(self, table: Table) -> dict[str, Any]:
        owner = next((one for one in table.readers.values() if one.owner), next(iter(table.readers.values())))
        asked = [seat for seat in table.status.get("asked", ()) if seat in owner.seats]
        verb = "replay" if table.over else "continue" if owner.seats else "watch"
        return {
            "pack": table.spec.pack, "where": str(table.status.get("where", "")), "yours": bool(asked),
            "link": f"/t/{owner.token}", "verb": verb, "over": table.over,
            "names": [name for name in table.spec.names if name],
        }  # fmt: skip

    async def form(self, request: Request) -> Response:
        """Draw the form of a new table again."""
        asked = form_data(request.query_params)
        packs, language = [*self.site.settings.packs], self.site.language(request)
        given = {"do": "form", "packs": packs, "asked": asked, "language": language}
        return HTMLResponse(await self.site.tables.workers.desk.ask(given))

    async def changes(self, request: Request) -> Response:
        """Show what house rules change for a player."""
        asked = form_data(request.query_params)
        given = {
            "do": "changes", "packs": [*self.site.settings.packs], "pack": asked["pack"], "more": asked["more"],
            "language": self.site.language(request),
        }  # fmt: skip
        return HTMLResponse(await self.site.tables.workers.desk.ask(given))

    async def create(self, request: Request) -> Response:
        """Open a new table."""
        form = await request.form(max_files=0, max_fields=400)
        try:
            data, links = table_data(form)
            given = {key: data[key] for key in ("pack", "more", "language")}
            given |= {"do": "admit", "packs": [*self.site.settings.packs]}
            data |= await self.site.tables.workers.desk.ask(given)
            _, reader = await self.site.tables.create(data, links)
        except (WorkerFailure, Failure) as failure:
            report = failure.report
            return await self._lobby(request, form_data(form), str(failure), report, 422)
        return RedirectResponse(f"/t/{reader.token}", 303)
