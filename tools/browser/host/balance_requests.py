"""The requests of the balance page: the page, its form, and what a study is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from attrs import frozen
from markupsafe import Markup

from rulewright.interpreter.views.names import words as as_words
from rulewright.ruleset.program.nodes import DeclaredOption, Program
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.balance.output.report import EXTRA, chosen_kinds, missing_package, number_fields, seated_bot
from rulewright.tools.browser.host.lobby import TableForm, form_of
from rulewright.tools.browser.host.pages import PageReply, PageRequest, address
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.browser.words import bot_name
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.packs import loading
from rulewright.tools.pages.environment import page

# ---- Balance studies for a page: what a form asks for, its choices, and the request of a study

TEXTS = ("players", "bot", "seconds", "seed", "versus", "free")
"""The fields of the form that have one value."""
TIMES = (20, 60, 180, 600)
"""Seconds that a study can be given."""
USUAL = 60
SEED = "1"
MOST_SEED = 2**63 - 1


@frozen
class BalanceQuery:
    """What a form asks for: `options` as typed, `bot` and `kinds` by key, `seconds` of games.

    `free`: the number that is 0 where definitions are weighed at no cost, too; empty for none. `versus`: whether
    the game without house rules is played, too, to see what they do.
    """

    players: int
    options: tuple[tuple[str, str], ...]
    bot: str
    kinds: tuple[str, ...]
    seconds: int = USUAL
    seed: str = SEED
    versus: bool = False
    free: str = ""


@frozen
class FormChoice:
    """Something to choose in the form: its value, its name, and whether it is chosen. `count` are definitions."""

    value: str
    name: str
    chosen: bool
    count: int = 0


def asked_of(data: Mapping[str, Any], program: Program) -> BalanceQuery:
    """Read what a form asks for; what the pack does not have is left out."""
    players = str(data.get("players", ""))
    count = int(players) if players.isdecimal() and len(players) < 4 else program.least_players
    bots = [bot.key for bot in program.bots]
    wanted, seconds = str(data.get("bot", "")), str(data.get("seconds", ""))
    known = _counts(program)
    options = data.get("options", {})
    return BalanceQuery(
        max(program.least_players, min(program.most_players, count)),
        tuple((str(key), str(value)) for key, value in options.items() if str(value).strip()),
        wanted if wanted in (*bots, RANDOM) else bots[0] if bots else RANDOM,
        tuple(dict.fromkeys(str(one) for one in data.get("kinds", ()) if str(one) in known)),
        next((one for one in TIMES if seconds == str(one)), USUAL),
        str(data.get("seed", "")).strip() or SEED,
        bool(data.get("versus")),
        next((one for one in number_fields(program) if data.get("free") == one), ""),
    )


def request_of(asked: BalanceQuery, program: Program, words: Mapping[str, str]) -> dict[str, Any]:
    """Return the request of a study. Raises Usage if there is no such table, or for a seed that is none."""
    seed = asked.seed
    if not (seed.isascii() and seed.isdecimal() and len(seed) <= len(str(MOST_SEED)) and int(seed) <= MOST_SEED):
        raise Usage(words["balance-bad-seed"].format(high=f"{MOST_SEED:,}"))
    options = [f"{key}={value}" for key, value in asked.options]
    loading.table(program, asked.players, options)
    seated_bot(asked.bot, program)
    chosen_kinds(asked.kinds, program)
    return {
        "players": asked.players, "options": options, "bot": asked.bot, "kinds": [*asked.kinds], "seed": int(seed),
        "seconds": asked.seconds, "versus": asked.versus, "free": asked.free,
    }  # fmt: skip


def bots_of(program: Program, asked: BalanceQuery, words: Mapping[str, str]) -> tuple[FormChoice, ...]:
    """Return the bots that can play all seats."""
    keys = [*(bot.key for bot in program.bots), RANDOM]
    return tuple(FormChoice(key, bot_name(key, words), key == asked.bot) for key in keys)


def kinds_of(program: Program, asked: BalanceQuery, language: str) -> tuple[FormChoice, ...]:
    """Return the kinds that have definitions."""
    return tuple(
        FormChoice(kind, _kind_name(program, kind, language), kind in asked.kinds, count)
        for kind, count in _counts(program).items()
    )


def fields_of(program: Program, asked: BalanceQuery) -> tuple[FormChoice, ...]:
    """Return the numbers that definitions have, a price for example, and that can be 0 in a study."""
    return tuple(FormChoice(field, as_words(field), field == asked.free) for field in number_fields(program))


def about(asked: BalanceQuery, program: Program, language: str, words: Mapping[str, str]) -> str:
    """Say in one line what a study is about. Options with their usual value are not named."""
    one = asked.players == 1
    parts = [words["players-one"] if one else words["players-n"].format(n=asked.players)]
    texts = PackTexts(SmallestTable(program.least_players), program)
    for key, value in changed_options(asked, program):
        name = texts.name(language, "option-name", key) or as_words(key)
        parts.append(f"{name}: {value if value.isdecimal() else as_words(value)}")
    parts.append(bot_name(asked.bot, words))
    parts += [", ".join(_kind_name(program, kind, language) for kind in asked.kinds)] if asked.kinds else []
    parts += [words["balance-free-told"].format(field=as_words(asked.free))] if asked.free else []
    parts += [words["balance-compared"]] if asked.versus else []
    return " · ".join([*parts, time_told(asked.seconds, words), f"{words['seed']} {asked.seed}"])


def changed_options(asked: BalanceQuery, program: Program) -> list[tuple[str, str]]:
    """Return the options whose value is not the usual one."""
    usual = {option.key: _usual(option) for option in program.options}
    return [(key, value) for key, value in asked.options if usual.get(key) != value]


def time_told(seconds: int, words: Mapping[str, str]) -> str:
    if seconds % 60:
        return words["balance-seconds"].format(n=seconds)
    return words["balance-minute"] if seconds == 60 else words["balance-minutes"].format(n=seconds // 60)


def _counts(program: Program) -> Counter[str]:
    """Return how many definitions each kind has, in the order of the pack."""
    return Counter(one.kind for one in program.definitions)


def _kind_name(program: Program, kind: str, language: str) -> str:
    texts = PackTexts(SmallestTable(program.least_players), program)
    return texts.text(language, f"kind/{kind}") or as_words(kind)


def _usual(option: DeclaredOption) -> str:
    return option.members[option.default] if option.members and not option.some else str(option.default)


def again(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a form asked for from the request of its study, to fill it in again."""
    options: Sequence[str] = request["options"]
    return {**request, "options": dict(one.split("=", 1) for one in options)}


# ---- Balance requests

MARK = "<!-- the study -->"
"""Where the page has room for a study, which the server draws. No text of a pack can be this: it is escaped."""


@frozen
class BalanceForm:
    """The form: what the lobby knows of the pack, what was asked for so far, and what can be chosen."""

    lobby: TableForm
    asked: BalanceQuery
    bots: tuple[FormChoice, ...]
    kinds: tuple[FormChoice, ...]
    times: tuple[FormChoice, ...]
    fields: tuple[FormChoice, ...]
    unusual: bool
    """Whether more was chosen, rules or a seed for example, than what is usual."""


def _form(host: Host, request: PageRequest, given: Mapping[str, Any]) -> BalanceForm:
    """Return the form of a page. Raises Failure if the pack has errors."""
    program, words, language = _program(host, request.pack, request.more), request.words, request.language
    asked = asked_of(given, program)
    known = {"pack": request.pack, "more": request.more, "options": dict(asked.options)}
    times = tuple(FormChoice(str(one), time_told(one, words), one == asked.seconds) for one in TIMES)
    return BalanceForm(
        form_of(host.shelf, request.given, known, language, False), asked, bots_of(program, asked, words),
        kinds_of(program, asked, language), times, fields_of(program, asked),
        bool(request.more or changed_options(asked, program) or asked.seed != SEED or asked.free),
    )  # fmt: skip


def _program(host: Host, pack: str, more: Sequence[str]) -> Program:
    """Return the program of packs. It is without their scenarios, as a study plays it: those change its hash."""
    return host.shelf.compiled(pack, more).program


def _given(request: PageRequest) -> dict[str, Any]:
    """Return what a form asks for; empty for a page without one."""
    fields = request.fields
    found: dict[str, Any] = {key: fields.text(key) for key in TEXTS if key in fields}
    return {**found, "options": fields.options, "kinds": fields.texts("kinds")} if found else {}


def _page(host: Host, request: PageRequest) -> dict[str, Any]:
    """Return the page, and the number of the study that it has room for; None for none.

    `studies` are the known ones, the last one first. Without a wanted number the page shows the last of its pack.
    """
    known, words, values = request.known, request.words, request.values("/balance")
    own = [one for one in known["studies"] if one["request"]["pack"] == request.pack]
    shown = next((one for one in own if known["number"] in (0, one["number"])), None)
    elsewhere = next((one for one in known["studies"] if one["open"] and one not in own), None)
    notice, report, form = str(known["notice"]), str(known["report"]), None
    try:
        form = _form(host, request, _given(request) or (again(shown["request"]) if shown else {}))
    except Failure as failure:
        notice, report = notice or failure.told(request.language), report or failure.report
    missing = missing_package()
    text = page(
        "balance_page.html", form=form, notice=notice, report=report,
        missing=missing and words["balance-missing"].format(package=missing, extra=EXTRA),
        shown=shown and _row(host, request, shown), changed=bool(shown and _changed(host, shown)),
        others=[_row(host, request, one) for one in own if one is not shown],
        elsewhere=elsewhere and {**elsewhere, "name": _name(request, elsewhere["request"]["pack"])},
        mark=Markup(MARK), **values,
    )  # fmt: skip
    return {"page": text, "number": shown["number"] if shown else None}


def _name(request: PageRequest, path: str) -> str:
    return request.cards[path].name if path in request.cards else path


def _row(host: Host, request: PageRequest, study: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study with a line about it; with fewer words if its packs have errors by now."""
    asked, told = study["request"], ""
    with suppress(Failure):
        program = _program(host, asked["pack"], asked["more"])
        told = about(asked_of(again(asked), program), program, request.language, request.words)
    link = address("/balance", asked["pack"], asked["more"], request.language, n=str(study["number"]))
    return {**study, "about": told, "address": link}


def _changed(host: Host, study: Mapping[str, Any]) -> bool:
    """Whether the packs of a report were changed since; those with errors cannot be compared."""
    asked = study["request"]
    if not study["hash"]:
        return False
    try:
        program = _program(host, asked["pack"], asked["more"])
        return bool(program_hash(loading.table(program, asked["players"], asked["options"])) != study["hash"])
    except Failure:
        return True


def _form_page(host: Host, request: PageRequest) -> PageReply:
    """Draw the form again; while the pack has errors, it stays as it is."""
    values = request.values("/balance")
    try:
        return page("balance_form.html", form=_form(host, request, _given(request)), **values)
    except Usage:
        raise
    except Failure:
        return None


def _request(host: Host, request: PageRequest) -> dict[str, Any]:
    """Return the request of a study. Raises Failure if the pack has errors, or something cannot be asked for."""
    missing = missing_package()
    if missing is not None:
        raise Usage(request.words["balance-missing"].format(package=missing, extra=EXTRA))
    program = _program(host, request.pack, request.more)
    asked = request_of(asked_of(_given(request), program), program, request.words)
    packs = {"pack": request.pack, "more": [*request.more], "language": request.language}
    return {**asked, "versus": asked["versus"] and bool(request.more), **packs}


BALANCE_PAGES: dict[str, Callable[[Host, PageRequest], Any]] = {
    "/balance": _page, "/balance/form": _form_page, "balance-request": _request,
}  # fmt: skip
