"""The lobby: packs, the form of a new table, and the list of tables."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import define
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.host.lobby import LINK
from rulewright.tools.browser.host.pages import OPTION, PageFields
from rulewright.tools.browser.host.spec import TableSpec
from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.browser.server.tables import ServerTable
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.seats import HUMAN

# ---- Read the form of a new table, and make the address that fills it in

def table_data(fields: PageFields) -> tuple[dict[str, Any], list[int]]:
    """Return a table's data (`tools.browser.host.spec`), and the seats that people play by a link."""
    seats, links = seats_data(fields)
    seed, scenario, speed = fields.text("seed").strip(), fields.text("scenario"), fields.text("speed")
    data = {
        "options": [f"{key}={value}" for key, value in fields.options.items() if value.strip()],
        "seats": seats,
        "seed": _whole(seed, 0, 2**64 - 1, "the seed") if seed else secrets.randbelow(10**6),
        "language": fields.text("language") or "en",
        "series": bool(fields.text("series")),
        "scenario": _whole(scenario, 0, 10**6, "the scenario") if scenario else None,
        **({"speed": _whole(speed, 0, 10_000, "the speed")} if speed else {}),
    }
    return data, links


def seats_data(fields: PageFields) -> tuple[list[tuple[str, str]], list[int]]:
    """Return the kind and name of each seat, and the seats that people play by a link."""
    chosen = fields.seats
    links = [seat for seat, (kind, _) in enumerate(chosen) if kind == LINK]
    named = [(HUMAN if kind == LINK else kind, name if kind in (HUMAN, LINK) else "") for kind, name in chosen]
    return named, links


def again_link(spec: TableSpec, links: Collection[int]) -> str:
    """Return the address of the lobby with a table's pack, house rules, options, and seats filled in; not its seed.

    `links` are the seats that people play by a link.
    """
    chosen = [one.partition("=") for one in spec.options]
    kinds = [LINK if seat in links else one.kind for seat, one in enumerate(spec.seats)]
    pairs = [("pack", spec.pack), ("lang", spec.language), *(("more", one) for one in spec.more)]
    pairs += [(OPTION + key, value) for key, _, value in chosen]
    pairs += [*(("kind", kind) for kind in kinds), *(("name", one.name) for one in spec.seats)]
    pairs += [("scenario", str(spec.scenario))] if spec.scenario is not None else []
    pairs += [("series", "1")] if spec.series else []
    return f"/?{urlencode(pairs)}"


def _whole(text: str, low: int, high: int, name: str) -> int:
    """Read a whole number. Raises Usage."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(high)) and low <= int(text) <= high):
        raise Usage(f"{name} must be a whole number from {low} to {high}")
    return int(text)


# ---- Lobby pages

@define
class LobbyPages:
    """The handlers of the lobby's addresses."""

    site: ServerSite

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        return [
            Route("/", owner(self.lobby)),
            Route("/tables", owner(self.create), methods=["POST"]),
        ]

    async def lobby(self, request: Request) -> Response:
        """Show packs, the form of a new table, and the tables."""
        return await self._lobby(request)

    async def _lobby(
        self, request: Request, given: FormData | None = None, notice: str = "", report: str = "", status: int = 200
    ) -> Response:
        rows = [self._row(table) for table in self.site.tables]
        return await self.site.desk_page(request, "/", given, status, tables=rows, notice=notice, report=report)

    def _row(self, table: ServerTable) -> dict[str, Any]:
        owner = next((one for one in table.readers.values() if one.owner), next(iter(table.readers.values())))
        asked = [seat for seat in table.status.get("asked", ()) if seat in owner.seats]
        verb = "replay" if table.over else "continue" if owner.seats else "watch"
        return {
            "pack": table.spec.pack, "where": str(table.status.get("where", "")), "yours": bool(asked),
            "link": f"/t/{owner.token}", "verb": verb, "over": table.over,
            "names": [name for name in table.spec.names if name],
        }  # fmt: skip

    async def create(self, request: Request) -> Response:
        """Open a new table."""
        form = await request.form(max_files=0, max_fields=400)
        try:
            data, links = table_data(fields_of(form))
            data |= await self.site.ask_desk(request, "admit", form)
            _, reader = await self.site.tables.create(data, links)
        except (WorkerFailure, Failure) as failure:
            return await self._lobby(request, form, str(failure), failure.report, 422)
        return RedirectResponse(f"/t/{reader.token}", 303)


def fields_of(form: FormData) -> PageFields:
    """Return the fields of a form, without files."""
    return PageFields([(key, value) for key, value in form.multi_items() if isinstance(value, str)])
