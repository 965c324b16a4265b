"""The balance page, for the owner of the server: a form, a study with its report, and files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from urllib.parse import urlencode

from attrs import define
from markupsafe import Markup
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.tools.browser.host.balance_requests import MARK
from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.browser.server.studies import RunningError, ServerStudy
from rulewright.tools.browser.server.watching import EVENTS, HEARTBEAT, EventStream, event
from rulewright.tools.browser.server.workers import WorkerFailure
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.progress import duration
from rulewright.tools.pages.environment import page

MOST_STREAMS = 64
EVERY = 1.0
"""Seconds between two looks at a study whose process says nothing: the time that is left shrinks."""
PAUSE = 0.4
"""Seconds after each event."""
STAGES = ("watching", "screening", "comparing", "pairs", "free", "without", "reporting")
"""What a study does, in this order. Its first comparisons, and its preparations, belong to others of these."""
ASKED_FOR = {"free": "free", "without": "versus"}
"""The stages that not all studies have, with what was asked for then: definitions at no cost, the game without
house rules.
"""
FILES = {"html": ("file", "text/html; charset=utf-8"), "json": ("data", "application/json")}


@define
class BalancePages:
    """The handlers of the balance page's addresses."""

    site: ServerSite

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        owner = self.site.for_owner
        return [
            Route("/balance", owner(self.show)),
            Route("/balance/start", owner(self.start), methods=["POST"]),
            Route("/balance/stop", owner(self.stop), methods=["POST"]),
            Route("/balance/events", owner(self.events)),
            Route("/balance/file", owner(self.file)),
        ]

    async def show(self, request: Request) -> Response:
        """Show the form and a study: the one that is asked for, else the last one of the pack."""
        number = _number(request.query_params)
        gone = bool(number) and self.site.studies.get(number) is None
        return await self._page(request, None, "balance-gone-text" if gone else "")

    async def start(self, request: Request) -> Response:
        """Start a study and show it."""
        form = await request.form(max_files=0, max_fields=400)
        try:
            study = self.site.studies.start(await self.site.ask_desk(request, "balance-request", form))
        except RunningError:
            return await self._page(request, form, "balance-busy", status=409)
        except WorkerFailure as failure:
            return await self._page(request, form, str(failure), failure.report, 422)
        return RedirectResponse(_address(study, self.site.language(request, form)), 303)

    async def stop(self, request: Request) -> Response:
        """Stop a study; what was played is reported."""
        form = await request.form(max_files=0, max_fields=10)
        study = self.site.studies.get(_number(form))
        if study is None:
            return self.site.message(request, "balance-gone", 404)
        self.site.studies.stop(study)
        return RedirectResponse(_address(study, self.site.language(request, form)), 303)

    async def events(self, request: Request) -> Response:
        """Send a running study each time that it looks different."""
        study = self.site.studies.get(_number(request.query_params))
        if request.method == "HEAD":
            return Response(media_type=EVENTS)
        if study is None:
            return self.site.message(request, "balance-gone", 404)
        left = self.site.streams.take("studies", MOST_STREAMS, "too many pages of balance studies are open")
        return EventStream(self._events(request, study), left)

    async def file(self, request: Request) -> Response:
        """Send a report to save. The name of its file has only letters, digits, hyphens, and a dot."""
        study, form = self.site.studies.get(_number(request.query_params)), request.query_params.get("as", "html")
        if study is None or study.state != "done" or form not in FILES:
            return self.site.message(request, "balance-gone", 404)
        key, kind = FILES[form]
        name = re.sub(r"[^a-z0-9-]", "", str(study.report["pack"]))[:60]
        headers = {"content-disposition": f'attachment; filename="{name or "pack"}-balance-{study.number}.{form}"'}
        return Response(study.report[key], media_type=kind, headers=headers)

    # -------------------------------------------------------------- inside

    async def _page(
        self, request: Request, given: FormData | None, notice: str = "", report: str = "", status: int = 200
    ) -> Response:
        """Return the page. `notice` is the key of words, or a text."""
        studies, language = self.site.studies, self.site.language(request, given)
        told = [
            {"number": one.number, "request": one.request, "open": one.open, "hash": one.report.get("hash", "")}
            for one in studies
        ]
        wanted = studies.get(_number(request.query_params if given is None else given))
        found = await self.site.ask_desk(
            request, "/balance", given, number=wanted.number if wanted is not None else 0, studies=told,
            notice=words_of(language).get(notice, notice), report=report,
        )  # fmt: skip
        shown = studies.get(found["number"] or 0)
        drawn = self._draw(language, shown) if shown is not None else ""
        return HTMLResponse(str(found["page"]).replace(MARK, drawn, 1), status)

    @staticmethod
    def _draw(language: str, study: ServerStudy) -> str:
        """Return a study as the page shows it."""
        words = words_of(language)
        what = "comparing" if study.what == "pilot comparison" else study.what
        known = [one for one in STAGES if one not in ASKED_FOR or study.request.get(ASKED_FOR[one])]
        at = known.index(what) if what in known else -1
        left = study.left
        return page(
            "balance_study.html", w=words, language=language, s=study, percent=min(99, int(100 * study.share)),
            told=words[f"balance-what-{what if at >= 0 else 'preparing'}"],
            stages=[(words[f"balance-stage-{one}"], n < at, n == at) for n, one in enumerate(known)],
            left=words["balance-left"].format(time=duration(max(1.0, left))) if left is not None else "",
            report=Markup(study.report.get("fragment", "")),
        )  # fmt: skip

    async def _events(self, request: Request, study: ServerStudy) -> AsyncIterator[bytes]:
        last, quiet, language = "", 0.0, self.site.language(request)
        with study.listening() as changed:
            yield b"retry: 1000\n\n"
            while not self.site.closing.is_set():
                now, ended = self._draw(language, study), not study.open
                if now != last:
                    yield event("study", now, "study")
                    last, quiet = now, 0.0
                if ended:
                    yield event("ended", "now", "ended")
                    return
                await asyncio.sleep(PAUSE)
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), EVERY - PAUSE)
                changed.clear()
                quiet += EVERY
                if quiet >= HEARTBEAT:
                    yield b": here\n\n"
                    quiet = 0.0


def _address(study: ServerStudy, language: str) -> str:
    asked = study.request
    pairs = [("pack", asked["pack"]), *(("more", one) for one in asked["more"]), ("lang", language)]
    return f"/balance?{urlencode([*pairs, ('n', study.number)])}"


def _number(given: QueryParams | FormData) -> int:
    text = given.get("n", "")
    return int(text) if isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) < 10 else 0
