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
from rulewright.tools.browser.desk.gallery import address
from rulewright.tools.browser.host.lobby import TableForm, form_of, games, pack_cards
from rulewright.tools.browser.host.print_requests import PagePacks, wanted_packs
from rulewright.tools.browser.host.requests import Host, Request, navigation
from rulewright.tools.browser.words import bot_name
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.packs import loading
from rulewright.tools.pages.environment import page

# ---- Balance studies for a page: what a form asks for, its choices, and the request of a study

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


def _form(host: Host, packs: PagePacks, given: Mapping[str, Any]) -> BalanceForm:
    """Return the form of a page. Raises Failure if the pack has errors."""
    program = _program(host, packs)
    asked, words = asked_of(given, program), packs.words
    known = {"pack": packs.pack, "more": packs.more, "options": dict(asked.options)}
    times = tuple(FormChoice(str(one), time_told(one, words), one == asked.seconds) for one in TIMES)
    return BalanceForm(
        form_of(host.shelf, packs.given, known, packs.language, False), asked, bots_of(program, asked, words),
        kinds_of(program, asked, packs.language), times, fields_of(program, asked),
        bool(packs.more or changed_options(asked, program) or asked.seed != SEED or asked.free),
    )  # fmt: skip


def _program(host: Host, packs: PagePacks) -> Program:
    """Return the program of packs. It is without their scenarios, as a study plays it: those change its hash."""
    return host.shelf.compiled(packs.pack, packs.more).program


def _values(packs: PagePacks) -> dict[str, Any]:
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


def _row(host: Host, packs: PagePacks, study: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study with a line about it; with fewer words if its packs have errors by now."""
    own, told = _packs_of(packs, study), ""
    with suppress(Failure):
        program = _program(host, own)
        told = about(asked_of(again(study["request"]), program), program, packs.language, packs.words)
    link = address("/balance", own.pack, own.more, packs.language, n=str(study["number"]))
    return {**study, "about": told, "address": link}


def _packs_of(packs: PagePacks, study: Mapping[str, Any]) -> PagePacks:
    asked = study["request"]
    return PagePacks(packs.given, str(asked["pack"]), tuple(map(str, asked["more"])), packs.language)


def _changed(host: Host, packs: PagePacks, study: Mapping[str, Any]) -> bool:
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
