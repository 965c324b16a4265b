"""The designer's desk, for the owner of the server: galleries, tables with a card, and scenarios."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from attrs import define
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.site import Site
from rulewright.tools.browser.server.table import Sought, own_answers

MOST_SLICES = 14
"""Slices of processor time in which a moment of a card is looked for: about 10 seconds."""
ENOUGH = 4
"""Slices after which a moment is taken that is not a sure one."""
MOST_MORE = 32
BATCH = 4_000
"""Scenarios in one request."""


@define
class DeskPages:
    """The handlers of the desk's addresses."""

    site: Site

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        return [
            Route("/gallery", owner(self.gallery)),
            Route("/gallery/cards", owner(self.cards)),
            Route("/gallery/card", owner(self.card)),
            Route("/gallery/events", owner(self.events)),
            Route("/gallery/play", owner(self.play), methods=["POST"]),
            Route("/gallery/plain", owner(self.plain), methods=["POST"]),
            Route("/scenarios", owner(self.scenarios)),
            Route("/scenarios/outcomes", owner(self.outcomes)),
            Route("/scenarios/open", owner(self.open), methods=["POST"]),
        ]

    async def gallery(self, request: Request) -> Response:
        """Show all definitions of a pack."""
        return HTMLResponse(await self._ask(request, "gallery", request.query_params))

    async def cards(self, request: Request) -> Response:
        """Draw the cards that fit a search."""
        return HTMLResponse(await self._ask(request, "gallery", request.query_params, part=True))

    async def card(self, request: Request) -> Response:
        """Show a definition in full."""
        return HTMLResponse(await self._ask(request, "gallery-card", request.query_params))

    async def events(self, request: Request) -> Response:
        """Tell a page of the desk each time that its packs were saved."""
        return await self.site.saves.reply(request, lambda: self._ask(request, "folders", request.query_params))

    async def play(self, request: Request) -> Response:
        """Open a table at a moment in which a card can be played, and mark it there."""
        form = await request.form(max_files=0, max_fields=60)
        card = _text(form, "card")
        moment, why = await self._moment(request, form, card)
        if moment is None:
            return HTMLResponse(await self._ask(request, "no-moment", form, card=card, why=why), 422)
        table, reader = await self.site.tables.create(moment["spec"], lines=moment["entries"])
        table.sought = Sought(moment["name"], tuple(moment["keys"]), own_answers(moment["entries"], 0))
        return RedirectResponse(f"/t/{reader.token}", 303)

    async def _moment(self, request: Request, form: FormData, card: str) -> tuple[dict[str, Any] | None, str]:
        """Look for a moment, slice by slice. Returns it, or the key of the words that say why there is none."""
        best: dict[str, Any] | None = None
        found = await self._ask(request, "moment", form, card=card)
        setups = found["setups"]
        if not setups:
            return None, "in-no-game"
        for passed in range(MOST_SLICES):
            if best is not None and passed >= ENOUGH:
                break
            found = await self._ask(request, "moment", form, card=card, setups=setups, next=found["next"])
            best = best or found["moment"]
            if found["moment"] is not None and found["moment"]["sure"]:
                return found["moment"], ""
        return best, "no-moment"

    async def plain(self, request: Request) -> Response:
        """Open a plain table of a pack."""
        form = await request.form(max_files=0, max_fields=60)
        data = await self._ask(request, "plain-table", form, seed=secrets.randbelow(10**6))
        _, reader = await self.site.tables.create(data)
        return RedirectResponse(f"/t/{reader.token}", 303)

    async def scenarios(self, request: Request) -> Response:
        """List the scenarios of a pack."""
        return HTMLResponse(await self._ask(request, "scenarios", request.query_params))

    async def outcomes(self, request: Request) -> Response:
        """Play some scenarios, and show how they end."""
        numbers = [one for one in request.query_params.get("n", "").split(".") if one.isdecimal()]
        return HTMLResponse(await self._ask(request, "outcomes", request.query_params, numbers=numbers[:BATCH]))

    async def open(self, request: Request) -> Response:
        """Open a scenario on a table, to step through it."""
        form = await request.form(max_files=0, max_fields=60)
        number = _text(form, "number")
        data = await self._ask(request, "scenario-table", form, number=int(number) if number.isdecimal() else -1)
        table, reader = await self.site.tables.create(data)
        asked = table.status.get("asked", ())
        reader.facing = asked[0] if asked else 0
        return RedirectResponse(f"/t/{reader.token}", 303)

    async def _ask(self, request: Request, do: str, given: QueryParams | FormData, **more: Any) -> Any:
        """Ask the worker of the desk about the packs of a page."""
        packs = [one for one in given.getlist("more") if isinstance(one, str)][:MOST_MORE]
        asked = {key: _text(given, key) for key in ("find", "kind", "member", "card")}
        language = _text(given, "lang") if _text(given, "lang") in ("en", "es") else self.site.language(request)
        return await self.site.tables.workers.desk.ask(
            {
                "do": do, "packs": [*self.site.settings.packs], "pack": _text(given, "pack"), "more": packs,
                "language": language, "asked": asked, "place": self.site.place(request), **more,
            }
        )  # fmt: skip


def _text(form: FormData | QueryParams, key: str) -> str:
    value = form.get(key, "")
    return value[:400] if isinstance(value, str) else ""
