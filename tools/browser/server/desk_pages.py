"""The designer's desk, for the owner of the server: galleries, tables with a card, and scenarios."""

from __future__ import annotations

import secrets
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from attrs import define
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.server.lobby_pages import OPTION
from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.browser.server.tables import RequestRefused, Sought, own_answers
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.browser.words import LANGUAGES
from rulewright.tools.pages.environment import page

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

    site: ServerSite

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


# ---- The print page, for the owner of the server: a form, a preview of the sheets, and files to download

TEXTS = ("what", "paper", "size", "bleed", "backs", "once", "players", "language")
"""The fields of the form that have one value."""
LONGEST = 400
MOST_ONLY, MOST_OPTIONS = 400, 100
MOST_WAITING = 6
"""Requests to the worker that prints; more are refused until some are done."""
MOST_PAGES = 100_000


@define
class PrintPages:
    """The handlers of the print page's addresses. `waiting` are requests that are not answered yet."""

    site: ServerSite
    waiting: int = 0

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        return [
            Route("/print", owner(self.show)),
            Route("/print/form", owner(self.form)),
            Route("/print/preview", owner(self.preview)),
            Route("/print/picture", owner(self.picture)),
            Route("/print/file", owner(self.file)),
            Route("/print/events", owner(self.events)),
        ]

    async def show(self, request: Request) -> Response:
        """Show the page; its preview follows."""
        number = _number(request.query_params.get("n", ""))
        return HTMLResponse(await self._ask(request, "print", number=number))

    async def form(self, request: Request) -> Response:
        """Draw the form again; while the pack has errors, it stays as it is."""
        found = await self._ask(request, "print-form")
        return HTMLResponse(found) if found is not None else Response(status_code=204)

    async def preview(self, request: Request) -> Response:
        """Show what is printed, or why nothing is."""
        number = _number(request.query_params.get("n", ""))
        query = urlencode(_pairs(request.query_params, self._language(request)))
        try:
            return HTMLResponse(await self._print(request, "print-preview", number=number, query=query))
        except WorkerFailure as failure:
            if failure.code == "refused":
                raise
            return self._notice(request, str(failure))
        except RequestRefused as refused:
            return self._notice(request, str(refused))

    async def picture(self, request: Request) -> Response:
        """Send the picture of a page."""
        number = _number(request.query_params.get("n", ""))
        found = await self._print(request, "print-picture", number=number)
        if found is None:
            raise RequestRefused("no such page", 404)
        return Response(b64decode(found), media_type="image/png")

    async def file(self, request: Request) -> Response:
        """Send a file to save. Its name has only letters, digits, hyphens, and a dot."""
        name, kind, data = await self._print(request, "print-file")
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(b64decode(data), media_type=kind, headers=headers)

    async def events(self, request: Request) -> Response:
        """Tell the page each time that its packs, or house rules that it offers, were saved."""
        return await self.site.saves.reply(request, lambda: self._ask(request, "print-folders"))

    # -------------------------------------------------------------- inside

    def _language(self, request: Request) -> str:
        wanted = request.query_params.get("lang", "")
        return wanted if wanted in LANGUAGES else self.site.language(request)

    async def _ask(self, request: Request, do: str, **more: Any) -> Any:
        """Ask the worker of the desk, which draws the form and is not kept waiting by what is printed."""
        return await self.site.tables.workers.desk.ask(self._request(request, do, **more))

    async def _print(self, request: Request, do: str, **more: Any) -> Any:
        """Ask the worker that prints. Raises Refused if too much is waiting already."""
        with self._turn(request):
            return await self.site.tables.workers.press.ask(self._request(request, do, **more))

    def _request(self, request: Request, do: str, **more: Any) -> dict[str, Any]:
        given = request.query_params
        return {
            "do": do, "packs": [*self.site.settings.packs], "pack": _print_text(given, "pack"),
            "more": _texts(given, "more")[:MOST_MORE], "language": self._language(request),
            "asked": _asked(given), "place": self.site.place(request), **more,
        }  # fmt: skip

    @contextmanager
    def _turn(self, request: Request) -> Iterator[None]:
        if self.waiting >= MOST_WAITING:
            raise RequestRefused(self.site.words(request)["print-busy"], 429)
        self.waiting += 1
        try:
            yield
        finally:
            self.waiting -= 1

    def _notice(self, request: Request, text: str) -> Response:
        values = {"w": self.site.words(request), "notice": text, "report": "", "p": None, "number": 1}
        return HTMLResponse(page("print_preview.html", language=self._language(request), **values))


def _asked(given: QueryParams) -> dict[str, Any]:
    """Return what the form asks for, of bounded size."""
    found: dict[str, Any] = {key: _print_text(given, key) for key in TEXTS if key in given}
    options = {key.removeprefix(OPTION): value for key, value in given.items() if key.startswith(OPTION)}
    found["options"] = {key[:LONGEST]: value[:LONGEST] for key, value in [*options.items()][:MOST_OPTIONS]}
    found["only"] = _texts(given, "only")[:MOST_ONLY]
    return found


def _pairs(given: QueryParams, language: str) -> list[tuple[str, str]]:
    """Return the fields of a form again, to name a page of what it asks for."""
    asked = _asked(given)
    pairs = [("pack", _print_text(given, "pack")), *(("more", one) for one in _texts(given, "more")[:MOST_MORE])]
    pairs += [("lang", language), *((key, asked[key]) for key in TEXTS if asked.get(key))]
    pairs += [(f"{OPTION}{key}", value) for key, value in asked["options"].items() if value]
    return [*pairs, *(("only", one) for one in asked["only"])]


def _number(text: str) -> int:
    return min(int(text), MOST_PAGES) if text.isascii() and text.isdecimal() and len(text) < 7 else 1


def _print_text(given: QueryParams, key: str) -> str:
    return given.get(key, "")[:LONGEST]


def _texts(given: QueryParams, key: str) -> list[str]:
    return [value[:LONGEST] for value in given.getlist(key)]
