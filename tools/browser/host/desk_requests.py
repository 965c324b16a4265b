"""The pages of the owner: the lobby, galleries, moments of cards, scenarios, and the list of replays."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.browser.desk.gallery import DeskState, GalleryQuery, detail, gallery
from rulewright.tools.browser.desk.moments import (
    MomentSearch,
    MomentSetup,
    PlayableMoment,
    WantedDefinition,
    setups,
    spec_of_setup,
)
from rulewright.tools.browser.desk.scenarios import Tested, rows, spec_of_scenario, tested
from rulewright.tools.browser.host import lobby
from rulewright.tools.browser.host.findings import findings
from rulewright.tools.browser.host.limits import named
from rulewright.tools.browser.host.lobby import chosen_card
from rulewright.tools.browser.host.pages import PageReply, PageRequest, navigation
from rulewright.tools.browser.host.requests import Host, Request
from rulewright.tools.browser.words import NAMES
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.packs.compared import changes_sheet
from rulewright.tools.pages.environment import page
from rulewright.tools.playing.save_file import bytes_of, saved_games, whole_lines

# ---- The lobby: packs, the form of a new table, and what house rules change

FORM = 8.0
"""Seconds of processor time for the form of a pack, which leaves time for the rest of the lobby."""
BATCH = 0.8
"""Seconds of scenarios in one request."""
MOST_TESTED = 4_000
"""Scenarios in one request."""
LONGEST_NAME = 80
"""Characters of the name of a saved game's pack."""


def _lobby(host: Host, request: PageRequest) -> PageReply:
    """Show packs, the form if a pack is chosen, and the rows of tables."""
    language, known = request.language, request.known
    found = lobby.lobby(request.given, language)
    asked, notice, report = request.fields.table_form, str(known["notice"]), str(known["report"])
    form = None
    if not asked["pack"] and found["games"]:
        asked = {"pack": found["games"][0].path}
    try:
        card = chosen_card(found["cards"], str(asked["pack"]))
        with bounded(FORM), named(card.name, language):
            form = lobby.form_of(host.shelf, request.given, asked, language)
    except Failure as failure:
        notice, report = notice or failure.told(language), report or failure.report
    names = {card.path: card.name for card in found["cards"]}
    names |= {card.pack: card.name for card in found["cards"]}
    rows = [{**row, "name": names.get(row["pack"], Path(row["pack"]).name)} for row in known["tables"]]
    return page(
        "lobby.html", w=request.words, language=language, games=found["games"], broken=found["broken"],
        counts=found["counts"], form=form, tables=rows, notice=notice, report=report, place=request.place,
        nav=navigation(request.words, "/"), language_names=NAMES,
    )  # fmt: skip


def _form(host: Host, request: PageRequest) -> PageReply:
    """Draw the form of a new table again."""
    form = lobby.form_of(host.shelf, request.given, request.fields.table_form, request.language)
    return page("form.html", w=request.words, form=form, language_names=NAMES)


def _changes(_host: Host, request: PageRequest) -> PageReply:
    """Show what house rules change for a player."""
    sheet = changes_sheet(request.pack, request.more, request.language)
    return page("changes.html", w=request.words, sheet=sheet)


def _admit(_host: Host, request: PageRequest) -> dict[str, Any]:
    """Return the folders of the packs of a new table. Raises Usage if the lobby does not list them."""
    return {"pack": request.pack, "more": [*request.more]}


# ---- The gallery

def _state(host: Host, request: PageRequest) -> DeskState:
    with named(request.cards[request.pack].name, request.language):
        return host.desk.state(request.pack, request.more)


def _desk(host: Host, request: PageRequest, path: str) -> tuple[DeskState, dict[str, Any]]:
    """Return what is known of the packs of a page, and the values that all pages of the desk need."""
    state = _state(host, request)
    wrong = findings(state.loaded.findings, state.loaded.sources) if state.loaded.program is None else None
    return state, {**request.values(path), "wrong": wrong}


def _asked(request: PageRequest) -> GalleryQuery:
    return GalleryQuery(**{key: request.fields.text(key) for key in ("find", "kind", "member", "card")})


def _gallery(host: Host, request: PageRequest, template: str = "gallery.html") -> PageReply:
    """Show all definitions of a pack."""
    state, values = _desk(host, request, "/gallery")
    asked, language = _asked(request), request.language
    found = gallery(state.pack, language, asked) if state.pack is not None else None
    chosen = detail(state.pack, language, asked.card) if state.pack is not None and asked.card else None
    return page(template, g=found, d=chosen, asked=asked, **values)


def _cards(host: Host, request: PageRequest) -> PageReply:
    """Draw the cards that fit a search."""
    return _gallery(host, request, "gallery_cards.html")


def _detail(host: Host, request: PageRequest) -> PageReply:
    """Show a definition in full."""
    state, values = _desk(host, request, "/gallery")
    found = detail(state.pack, request.language, _asked(request).card) if state.pack is not None else None
    if found is None:
        raise Usage("this pack has no such definition")
    return page("gallery_card.html", d=found, **values)


def _folders(host: Host, request: PageRequest) -> list[str]:
    """Return the folders of the packs of a page, to watch them."""
    return [str(files.root.resolve()) for files in host.desk.state(request.pack, request.more).files.files]


# ------------------------------------------------------------------ playing a card

def _moment(host: Host, request: PageRequest) -> dict[str, Any]:
    """Search a slice of games for a moment with a card; the reply has it, or the number of the next game.

    Without set-ups, they are looked for first; if there are none, the card is in no game.
    """
    path, more = request.pack, request.more
    pack = host.desk.pack(path, more)
    kind, _, key = request.fields.text("card").partition("/")
    wanted, program = WantedDefinition(kind, key), pack.program
    known = request.known.get("setups")
    if known is None:
        found = setups(program, wanted)
        return {"setups": [[one.players, [*one.options]] for one in found], "next": 0}
    tables = tuple(MomentSetup(int(players), tuple(options)) for players, options in known)
    bot = next((one.key for one in program.bots), RANDOM)
    language = pack.language(request.language)
    search = MomentSearch(host.shelf, path, more, language, wanted, tables, bot, program)
    moment, number = search.slice(int(request.known["next"]))
    return {"next": number, "moment": _table(search, moment) if moment is not None else None}


def _table(search: MomentSearch, moment: PlayableMoment) -> dict[str, Any]:
    spec = spec_of_setup(search.pack, search.more, moment.setup, moment.seed, search.language, search.bot)
    wanted = search.wanted
    face = search.shelf.rules(spec).faces.of(wanted.kind, wanted.key)
    return {
        "spec": spec.data(), "entries": [*moment.entries], "keys": [*moment.keys], "sure": moment.sure,
        "name": face.name,
    }  # fmt: skip


def _plain(host: Host, request: PageRequest) -> dict[str, Any]:
    """Return a plain table of a pack: a person and bots."""
    pack = host.desk.pack(request.pack, request.more)
    bot = next((one.key for one in pack.program.bots), RANDOM)
    language = pack.language(request.language)
    setup, seed = MomentSetup(pack.program.least_players), int(request.known["seed"])
    return spec_of_setup(request.pack, request.more, setup, seed, language, bot).data()


def _not_found(host: Host, request: PageRequest) -> PageReply:
    """Show that no moment was found for a card, and why."""
    state, values = _desk(host, request, "/gallery")
    card = request.fields.text("card")
    kind, _, key = card.partition("/")
    face = state.pack.faces(request.language).of(kind, key) if state.pack is not None else None
    name = face.name if face is not None else key
    return page("no_moment.html", card=card, card_name=name, why=str(request.known["why"]), **values)


# ------------------------------------------------------------------ scenarios

def _scenarios(host: Host, request: PageRequest) -> PageReply:
    """List the scenarios of a pack; their outcomes follow in batches."""
    state, values = _desk(host, request, "/scenarios")
    find = request.fields.text("find")
    found = rows(state.pack, find) if state.pack is not None else ()
    whole = len(state.pack.program.scenarios) if state.pack is not None else 0
    return page("scenarios.html", rows=found, whole=whole, find=find, **values)


def _outcomes(host: Host, request: PageRequest) -> PageReply:
    """Play scenarios for a moment; show their outcomes, and the place of those that are left."""
    pack = host.desk.pack(request.pack, request.more)
    found: list[Tested] = []
    numbers = request.fields.uncut("n").split(".")
    left = [int(one) for one in numbers if one.isascii() and one.isdecimal() and len(one) < 7][:MOST_TESTED]
    until = time.monotonic() + BATCH
    while left and (not found or time.monotonic() < until):
        found.append(tested(pack, left.pop(0)))
    rest = request.link("/scenarios/outcomes", n=".".join(map(str, left))) if left else ""
    return page("outcomes.html", w=request.words, outcomes=found, rest=rest)


def _scenario_table(host: Host, request: PageRequest) -> dict[str, Any]:
    """Return the table of a scenario."""
    pack, number = host.desk.pack(request.pack, request.more), request.fields.number("number", -1)
    return spec_of_scenario(pack, request.pack, request.more, number, request.language).data()


def _next_step(host: Host, request: Request) -> Any:
    """Give the next answers of a table's scenario."""
    table = host.table(request)
    before = table.course.answers
    table.next_step()
    return {"entries": table.entries(before), "status": table.status()}


# ------------------------------------------------------------------ the list of replays

def _replays(_host: Host, request: PageRequest) -> PageReply:
    """Show all journals: an upload, saved games, and finished tables."""
    names = {card.pack: card.name for card in request.cards.values()}
    by_path = {path: card.name for path, card in request.cards.items()}
    tables = [
        {**row, "name": by_path.get(row["pack"]) or names.get(row["pack"], row["pack"])}
        for row in request.known["tables"]
    ]
    games = [told for place in saved_games() if (told := _saved(place, names)) is not None]
    return page(
        "replays.html", w=request.words, language=request.language, nav=navigation(request.words, "/replay"),
        place=request.place, notice=str(request.known["notice"]), tables=tables, games=games,
        most=int(request.known["most"]),
    )  # fmt: skip


def _saved(place: Path, names: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what the list says about a saved game; None if its file is no journal."""
    try:
        data, _ = whole_lines(bytes_of(str(place)))
        head = json.loads(data[: data.index(b"\n")])
        pack, play = str(head["pack"]), head.get("play") or {}
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(place.stat().st_mtime))
    except (Usage, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    state = ("game-over" if play.get("over") else "game-open") if play else ""
    known = "+".join(names.get(name, name) for name in pack.split("+"))
    return {
        "file": place.name, "name": harmless(known)[:LONGEST_NAME], "changed": changed,
        "answers": max(0, data.count(b"\n") - 2),
        "state": state,
    }  # fmt: skip

DESK_PAGES: dict[str, Callable[[Host, PageRequest], Any]] = {
    "/": _lobby, "/form": _form, "/changes": _changes, "admit": _admit,
    "/gallery": _gallery, "/gallery/cards": _cards, "/gallery/card": _detail, "folders": _folders,
    "moment": _moment, "plain-table": _plain, "no-moment": _not_found,
    "/scenarios": _scenarios, "/scenarios/outcomes": _outcomes, "scenario-table": _scenario_table,
    "/replay": _replays,
}  # fmt: skip
DESK_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {"next-step": _next_step}
