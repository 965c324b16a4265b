"""The requests about the lobby: packs, the form of a new table, and what house rules change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rulewright.tools.browser.host import lobby
from rulewright.tools.browser.host.limits import named
from rulewright.tools.browser.host.pack_cards import admitted, chosen_card
from rulewright.tools.browser.host.requests import Host, Request
from rulewright.tools.browser.words import NAMES, words_of
from rulewright.tools.common.errors import Failure
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.packs.loading import changes_sheet
from rulewright.tools.pages.environment import page

NAVIGATION = (
    ("/", "lobby"), ("/gallery", "gallery"), ("/scenarios", "scenarios"), ("/balance", "balance"),
    ("/print", "print"), ("/replay", "replay"),
)  # fmt: skip
"""The pages in the bar: addresses, and the keys of their words."""
FORM = 8.0
"""Seconds of processor time for the form of a pack, which leaves time for the rest of the lobby."""


def _lobby(host: Host, request: Request) -> Any:
    """Return the lobby's page: packs, the form if a pack is chosen, and the rows of tables."""
    language, packs = str(request["language"]), [str(one) for one in request["packs"]]
    words, found = words_of(language), lobby.lobby(packs, language)
    asked, notice, report = request["asked"], str(request["notice"]), str(request["report"])
    form = None
    if not asked.get("pack") and found["games"]:
        asked = {"pack": found["games"][0].path}
    try:
        card = chosen_card(found["cards"], str(asked.get("pack", "")))
        with bounded(FORM), named(card.name, language):
            form = lobby.form_of(host.shelf, packs, asked, language)
    except Failure as failure:
        notice, report = notice or failure.told(language), report or failure.report
    names = {card.path: card.name for card in found["cards"]}
    names |= {card.pack: card.name for card in found["cards"]}
    rows = [{**row, "name": names.get(row["pack"], Path(row["pack"]).name)} for row in request["tables"]]
    return page(
        "lobby.html", w=words, language=language, games=found["games"], broken=found["broken"],
        counts=found["counts"], form=form, tables=rows, notice=notice, report=report, place=request["place"],
        nav=navigation(words, "/"), language_names=NAMES,
    )  # fmt: skip


def _form(host: Host, request: Request) -> Any:
    """Return the form of a new table."""
    language, packs = str(request["language"]), [str(one) for one in request["packs"]]
    form = lobby.form_of(host.shelf, packs, request["asked"], language)
    return page("form.html", w=words_of(language), form=form, language_names=NAMES)


def _changes(host: Host, request: Request) -> Any:
    """Return what house rules change for a player."""
    language = str(request["language"])
    packs, asked = [str(one) for one in request["packs"]], [str(one) for one in request["more"]]
    pack, more = admitted(packs, str(request["pack"]), asked)
    sheet = changes_sheet(pack, more, language)
    return page("changes.html", w=words_of(language), sheet=sheet)


def _admit(host: Host, request: Request) -> Any:
    """Return the folders of the packs of a new table. Raises Usage if the lobby does not list them."""
    packs, asked = [str(one) for one in request["packs"]], [str(one) for one in request["more"]]
    pack, more = admitted(packs, str(request["pack"]), asked)
    return {"pack": pack, "more": [*more]}


def navigation(words: Mapping[str, str], now: str) -> list[tuple[str, str, bool]]:
    """Return the pages of the bar: address, name, and whether it is the present one."""
    return [(link, words[key], link == now) for link, key in NAVIGATION]


LOBBY_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {
    "lobby": _lobby, "form": _form, "changes": _changes, "admit": _admit,
}  # fmt: skip
