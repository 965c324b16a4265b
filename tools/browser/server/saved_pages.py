"""What the owner of a table answers to a saved pack, and the steps of its scenario."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from attrs import define
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.site import Site
from rulewright.tools.browser.server.tables import Reader, Refused, Table
from rulewright.tools.browser.server.watching import next_step, renew

AT = "/t/{token:str}"
BROKEN = ("broken", "unread", "no-table", "no-start", "differs")
"""States of a save after which the old rules stay in force."""


@define
class SavedPages:
    """The handlers of these addresses. After each the reader's table is drawn again."""

    site: Site

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

    def _owned(self, request: Request) -> tuple[Table, Reader]:
        table, reader = self.site.tables.find(request.path_params["token"])
        if not reader.owner:
            raise Refused("only the person who opened the table can do this", 403)
        return table, reader

    @staticmethod
    def _drawn(reader: Reader) -> Response:
        return RedirectResponse(f"/t/{reader.token}/fragment", 303)


def gallery_link(table: Table) -> str:
    """Return the address of the gallery of a table's packs."""
    pairs = [("pack", table.spec.pack), *(("more", one) for one in table.spec.more), ("lang", table.spec.language)]
    return f"/gallery?{urlencode(pairs)}"
