"""The lobby: packs, the form of a new table, and the list of tables."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import define
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.host.lobby import LINK
from rulewright.tools.browser.host.spec import TableSpec
from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.browser.server.tables import ServerTable
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.seats import HUMAN

# ---- Read the form of a new table, and make the address that fills it in

OPTION = "option:"
USUAL = "usual:"
"""Before the key of an option: the value that it has without a choice, when the form was drawn."""


def table_data(form: FormData | QueryParams) -> tuple[dict[str, Any], list[int]]:
    """Return a table's data (`tools.browser.host.spec`), and the seats that people play by a link."""
    seats, links = seats_data(form)
    seed = _text(form, "seed").strip()
    scenario = _text(form, "scenario")
    speed = _text(form, "speed")
    data = {
        "pack": _text(form, "pack"),
        "more": _texts(form, "more"),
        "options": [f"{key}={value}" for key, value in options_of(form).items() if value.strip()],
        "seats": seats,
        "seed": _whole(seed, 0, 2**64 - 1, "the seed") if seed else secrets.randbelow(10**6),
        "language": _text(form, "language") or "en",
        "series": bool(_text(form, "series")),
        "scenario": _whole(scenario, 0, 10**6, "the scenario") if scenario else None,
        **({"speed": _whole(speed, 0, 10_000, "the speed")} if speed else {}),
    }
    return data, links


def seats_data(form: FormData | QueryParams) -> tuple[list[tuple[str, str]], list[int]]:
    """Return the kind and name of each seat, and the seats that people play by a link."""
    kinds, names = _texts(form, "kind"), _texts(form, "name")
    links = [seat for seat, kind in enumerate(kinds) if kind == LINK]
    seats = [
        (HUMAN if kind == LINK else kind, names[n] if n < len(names) and kind in (HUMAN, LINK) else "")
        for n, kind in enumerate(kinds)
    ]
    return seats, links


def form_data(form: FormData | QueryParams) -> dict[str, Any]:
    """Return what was chosen so far, to draw the form again."""
    kinds, names = _texts(form, "kind"), _texts(form, "name")
    players = _text(form, "players")
    return {
        "pack": _text(form, "pack"),
        "more": _texts(form, "more"),
        "options": options_of(form),
        "seats": [(kind, names[n] if n < len(names) else "") for n, kind in enumerate(kinds)],
        "players": int(players) if players.isdecimal() and len(players) < 4 else 0,
        "seed": _text(form, "seed"),
        "scenario": _text(form, "scenario"),
        "series": bool(_text(form, "series")),
    }


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


def options_of(form: FormData | QueryParams) -> dict[str, str]:
    """Return the options that were chosen. One with its usual value was not: house rules may change that value."""
    found = {key.removeprefix(OPTION): value for key, value in form.multi_items() if key.startswith(OPTION)}
    return {key: value for key, value in found.items() if isinstance(value, str) and value != form.get(USUAL + key)}


def _whole(text: str, low: int, high: int, name: str) -> int:
    """Read a whole number. Raises Usage."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(high)) and low <= int(text) <= high):
        raise Usage(f"{name} must be a whole number from {low} to {high}")
    return int(text)


def _text(form: FormData | QueryParams, key: str) -> str:
    value = form.get(key, "")
    return value if isinstance(value, str) else ""


def _texts(form: FormData | QueryParams, key: str) -> list[str]:
    return [value for value in form.getlist(key) if isinstance(value, str)]


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

    def _row(self, table: ServerTable) -> dict[str, Any]:
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
