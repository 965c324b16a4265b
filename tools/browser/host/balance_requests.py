"""The requests of the balance page: the page, its form, and what a study is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from attrs import frozen
from markupsafe import Markup

from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.balance.asked import EXTRA, missing_package
from rulewright.tools.browser.desk.gallery import address
from rulewright.tools.browser.desk.weighing import (
    SEED,
    TIMES,
    Asked,
    Selectable,
    about,
    again,
    asked_of,
    bots_of,
    changed_options,
    fields_of,
    kinds_of,
    request_of,
    time_told,
)
from rulewright.tools.browser.host.lobby import Form, form_of
from rulewright.tools.browser.host.lobby_requests import navigation
from rulewright.tools.browser.host.pack_cards import games, pack_cards
from rulewright.tools.browser.host.print_requests import Packs, wanted_packs
from rulewright.tools.browser.host.requests import Host, Request
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.packs import loading
from rulewright.tools.pages.environment import page

MARK = "<!-- the study -->"
"""Where the page has room for a study, which the server draws. No text of a pack can be this: it is escaped."""


@frozen
class BalanceForm:
    """The form: what the lobby knows of the pack, what was asked for so far, and what can be chosen."""

    lobby: Form
    asked: Asked
    bots: tuple[Selectable, ...]
    kinds: tuple[Selectable, ...]
    times: tuple[Selectable, ...]
    fields: tuple[Selectable, ...]
    unusual: bool
    """Whether more was chosen, rules or a seed for example, than what is usual."""


def _form(host: Host, packs: Packs, given: Mapping[str, Any]) -> BalanceForm:
    """Return the form of a page. Raises Failure if the pack has errors."""
    program = _program(host, packs)
    asked, words = asked_of(given, program), packs.words
    known = {"pack": packs.pack, "more": packs.more, "options": dict(asked.options)}
    times = tuple(Selectable(str(one), time_told(one, words), one == asked.seconds) for one in TIMES)
    return BalanceForm(
        form_of(host.shelf, packs.given, known, packs.language, False), asked, bots_of(program, asked, words),
        kinds_of(program, asked, packs.language), times, fields_of(program, asked),
        bool(packs.more or changed_options(asked, program) or asked.seed != SEED or asked.free),
    )  # fmt: skip


def _program(host: Host, packs: Packs) -> Program:
    """Return the program of packs. It is without their scenarios, as a study plays it: those change its hash."""
    return host.shelf.compiled(packs.pack, packs.more).program


def _values(packs: Packs) -> dict[str, Any]:
    """Return what all parts of the page need."""
    return {
        "w": packs.words, "language": packs.language, "pack": packs.pack, "more": packs.more,
        "link": lambda to, **others: address(to, packs.pack, packs.more, packs.language, **others),
    }  # fmt: skip


def _page(host: Host, request: Request) -> Any:
    """Return the page, and the number of the study that it has room for; None for none.

    `studies` are the known ones, the last one first. Without a wanted number the page shows the last of its pack.
    """
    packs = wanted_packs(request)
    cards = {card.path: card for card in pack_cards(packs.given, packs.language)}
    own = [one for one in request["studies"] if one["request"]["pack"] == packs.pack]
    wanted = request["number"]
    shown = next((one for one in own if wanted in (0, one["number"])), None)
    elsewhere = next((one for one in request["studies"] if one["open"] and one not in own), None)
    notice, report, form = str(request["notice"]), str(request["report"]), None
    try:
        form = _form(host, packs, request["asked"] or (again(shown["request"]) if shown else {}))
    except Failure as failure:
        notice, report = notice or failure.told(packs.language), report or failure.report
    missing = missing_package()
    text = page(
        "balance_page.html", form=form, name=cards[packs.pack].name, nav=navigation(packs.words, "/balance"),
        place=request["place"], games=games([*cards.values()]), notice=notice,
        report=report, missing=missing and packs.words["balance-missing"].format(package=missing, extra=EXTRA),
        shown=shown and _row(host, packs, shown), changed=bool(shown and _changed(host, packs, shown)),
        others=[_row(host, packs, one) for one in own if one is not shown],
        elsewhere=elsewhere and {**elsewhere, "name": _name(cards, elsewhere["request"]["pack"])},
        mark=Markup(MARK), **_values(packs),
    )  # fmt: skip
    return {"page": text, "number": shown["number"] if shown else None}


def _name(cards: Mapping[str, Any], path: str) -> str:
    return str(cards[path].name) if path in cards else path


def _row(host: Host, packs: Packs, study: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study with a line about it; with fewer words if its packs have errors by now."""
    own, told = _packs_of(packs, study), ""
    with suppress(Failure):
        program = _program(host, own)
        told = about(asked_of(again(study["request"]), program), program, packs.language, packs.words)
    link = address("/balance", own.pack, own.more, packs.language, n=str(study["number"]))
    return {**study, "about": told, "address": link}


def _packs_of(packs: Packs, study: Mapping[str, Any]) -> Packs:
    asked = study["request"]
    return Packs(packs.given, str(asked["pack"]), tuple(map(str, asked["more"])), packs.language)


def _changed(host: Host, packs: Packs, study: Mapping[str, Any]) -> bool:
    """Whether the packs of a report were changed since; those with errors cannot be compared."""
    asked = study["request"]
    if not study["hash"]:
        return False
    try:
        program = _program(host, _packs_of(packs, study))
        return bool(program_hash(loading.table(program, asked["players"], asked["options"])) != study["hash"])
    except Failure:
        return True


def _form_page(host: Host, request: Request) -> Any:
    """Return the form, drawn again; None while the pack has errors, so that the old form stays."""
    packs = wanted_packs(request)
    try:
        return page("balance_form.html", form=_form(host, packs, request["asked"]), **_values(packs))
    except Usage:
        raise
    except Failure:
        return None


def _request(host: Host, request: Request) -> Any:
    """Return the request of a study. Raises Failure if the pack has errors, or something cannot be asked for."""
    packs = wanted_packs(request)
    missing = missing_package()
    if missing is not None:
        raise Usage(packs.words["balance-missing"].format(package=missing, extra=EXTRA))
    program = _program(host, packs)
    asked = request_of(asked_of(request["asked"], program), program, packs.words)
    versus = asked["versus"] and bool(packs.more)
    return {**asked, "versus": versus, "pack": packs.pack, "more": [*packs.more], "language": packs.language}


BALANCE_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {
    "balance": _page, "balance-form": _form_page, "balance-request": _request,
}  # fmt: skip
