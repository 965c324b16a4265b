"""The requests of the designer's desk: galleries, moments of cards, and scenarios."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rulewright.tools.browser.desk.gallery import DeskPack, DeskState, GalleryQuery, address, detail, gallery
from rulewright.tools.browser.desk.moments import (
    MomentSearch,
    MomentSetup,
    PlayableMoment,
    WantedDefinition,
    setups,
    spec_of_setup,
)
from rulewright.tools.browser.desk.scenarios import Tested, rows, spec_of_scenario, tested
from rulewright.tools.browser.host.findings import findings
from rulewright.tools.browser.host.limits import named
from rulewright.tools.browser.host.lobby import admitted, games, pack_cards
from rulewright.tools.browser.host.requests import Host, Request, navigation
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.pages.environment import page

BATCH = 0.8
"""Seconds of scenarios in one request."""


def _packs(host: Host, request: Request) -> tuple[str, tuple[str, ...]]:
    """Return the folders of the packs of a page; without a wanted one, of the first game."""
    given, more = [str(one) for one in request["packs"]], [str(one) for one in request["more"]]
    return admitted(given, str(request["pack"]), more)


def _asked(request: Request) -> GalleryQuery:
    given = {key: str(request["asked"].get(key, "")) for key in ("find", "kind", "member", "card")}
    return GalleryQuery(**given)


def _desk(host: Host, request: Request, path: str) -> tuple[DeskState, dict[str, Any]]:
    """Return what is known of the packs of a page, and the values that all pages of the desk need."""
    pack, more = _packs(host, request)
    language = str(request["language"])
    cards = {card.path: card for card in pack_cards([str(one) for one in request["packs"]], language)}
    with named(cards[pack].name, language):
        state = host.desk.state(pack, more)
    wrong = findings(state.loaded.findings, state.loaded.sources) if state.loaded.program is None else None
    return state, {
        "w": words_of(language), "language": language, "nav": navigation(words_of(language), path),
        "pack": pack, "more": more, "name": cards[pack].name, "place": request["place"], "wrong": wrong,
        "games": games([*cards.values()]),
        "link": lambda to, **others: address(to, pack, more, language, **others),
    }  # fmt: skip


def _gallery(host: Host, request: Request) -> Any:
    """Return a gallery, or with `part` only its cards."""
    state, values = _desk(host, request, "/gallery")
    asked, language = _asked(request), values["language"]
    found = gallery(state.pack, language, asked) if state.pack is not None else None
    chosen = detail(state.pack, language, asked.card) if state.pack is not None and asked.card else None
    template = "gallery_cards.html" if request.get("part") else "gallery.html"
    return page(template, g=found, d=chosen, asked=asked, **values)


def _detail(host: Host, request: Request) -> Any:
    """Return everything about a definition."""
    state, values = _desk(host, request, "/gallery")
    found = detail(state.pack, values["language"], _asked(request).card) if state.pack is not None else None
    if found is None:
        raise Usage("this pack has no such definition")
    return page("gallery_card.html", d=found, **values)


def _folders(host: Host, request: Request) -> Any:
    """Return the folders of the packs of a page, to watch them."""
    pack, more = _packs(host, request)
    return [str(files.root.resolve()) for files in host.desk.state(pack, more).files.files]


# ------------------------------------------------------------------ playing a card

def _moment(host: Host, request: Request) -> Any:
    """Search a slice of games for a moment with a card; the reply has it, or the number of the next game.

    Without set-ups, they are looked for first; if there are none, the card is in no game.
    """
    path, more = _packs(host, request)
    pack = host.desk.pack(path, more)
    kind, _, key = str(request["card"]).partition("/")
    wanted, program = WantedDefinition(kind, key), pack.program
    known = request.get("setups")
    if known is None:
        found = setups(program, wanted)
        return {"setups": [[one.players, [*one.options]] for one in found], "next": 0}
    tables = tuple(MomentSetup(int(players), tuple(options)) for players, options in known)
    bot = next((one.key for one in program.bots), RANDOM)
    language = pack.language(str(request["language"]))
    search = MomentSearch(host.shelf, path, more, language, wanted, tables, bot, program)
    moment, number = search.slice(int(request["next"]))
    return {"next": number, "moment": _table(search, moment) if moment is not None else None}


def _table(search: MomentSearch, moment: PlayableMoment) -> dict[str, Any]:
    spec = spec_of_setup(search.pack, search.more, moment.setup, moment.seed, search.language, search.bot)
    wanted = search.wanted
    face = search.shelf.rules(spec).faces.of(wanted.kind, wanted.key)
    return {
        "spec": spec.data(), "entries": [*moment.entries], "keys": [*moment.keys], "sure": moment.sure,
        "name": face.name,
    }  # fmt: skip


def _plain(host: Host, request: Request) -> Any:
    """Return a plain table of a pack: a person and bots."""
    path, more = _packs(host, request)
    pack = host.desk.pack(path, more)
    bot = next((one.key for one in pack.program.bots), RANDOM)
    language = pack.language(str(request["language"]))
    seed = int(request["seed"])
    return spec_of_setup(path, more, MomentSetup(pack.program.least_players), seed, language, bot).data()


def _not_found(host: Host, request: Request) -> Any:
    """Return the page for a card that no moment was found for."""
    state, values = _desk(host, request, "/gallery")
    kind, _, key = str(request["card"]).partition("/")
    face = state.pack.faces(values["language"]).of(kind, key) if state.pack is not None else None
    name = face.name if face is not None else key
    return page("no_moment.html", card=str(request["card"]), card_name=name, why=str(request["why"]), **values)


# ------------------------------------------------------------------ scenarios

def _scenarios(host: Host, request: Request) -> Any:
    """Return the list of scenarios; their outcomes follow in batches."""
    state, values = _desk(host, request, "/scenarios")
    found = rows(state.pack, str(request["asked"].get("find", ""))) if state.pack is not None else ()
    whole = len(state.pack.program.scenarios) if state.pack is not None else 0
    return page("scenarios.html", rows=found, whole=whole, find=str(request["asked"].get("find", "")), **values)


def _outcomes(host: Host, request: Request) -> Any:
    """Play scenarios for a moment; return their outcomes, and the place of those that are left."""
    path, more = _packs(host, request)
    pack, language = host.desk.pack(path, more), str(request["language"])
    found: list[Tested] = []
    left = [int(one) for one in request["numbers"]]
    until = time.monotonic() + BATCH
    while left and (not found or time.monotonic() < until):
        found.append(tested(pack, left.pop(0)))
    rest = address("/scenarios/outcomes", path, more, language, n=".".join(map(str, left))) if left else ""
    return page("outcomes.html", w=words_of(language), outcomes=found, rest=rest)


def _scenario_table(host: Host, request: Request) -> Any:
    path, more = _packs(host, request)
    pack: DeskPack = host.desk.pack(path, more)
    return spec_of_scenario(pack, path, more, int(request["number"]), str(request["language"])).data()


def _next_step(host: Host, request: Request) -> Any:
    """Give the next answers of a table's scenario."""
    table = host.table(request)
    before = table.course.answers
    table.next_step()
    return {"entries": table.entries(before), "status": table.status()}


DESK_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {
    "gallery": _gallery, "gallery-card": _detail, "folders": _folders, "moment": _moment, "plain-table": _plain,
    "no-moment": _not_found, "scenarios": _scenarios, "outcomes": _outcomes, "scenario-table": _scenario_table,
    "next-step": _next_step,
}  # fmt: skip
