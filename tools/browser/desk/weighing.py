"""Balance studies for a page: what a form asks for, its choices, and the request of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.interpreter.views.names import words as as_words
from rulewright.ruleset.program.nodes import Option, Program
from rulewright.tools.balance.asked import chosen_kinds, number_fields, seated_bot
from rulewright.tools.browser.words import bot_name
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.packs import loading

TIMES = (20, 60, 180, 600)
"""Seconds that a study can be given."""
USUAL = 60
SEED = "1"
MOST_SEED = 2**63 - 1


@frozen
class Asked:
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
class Selectable:
    """Something to choose in the form: its value, its name, and whether it is chosen. `count` are definitions."""

    value: str
    name: str
    chosen: bool
    count: int = 0


def asked_of(data: Mapping[str, Any], program: Program) -> Asked:
    """Read what a form asks for; what the pack does not have is left out."""
    players = str(data.get("players", ""))
    count = int(players) if players.isdecimal() and len(players) < 4 else program.least_players
    bots = [bot.key for bot in program.bots]
    wanted, seconds = str(data.get("bot", "")), str(data.get("seconds", ""))
    known = _counts(program)
    options = data.get("options", {})
    return Asked(
        max(program.least_players, min(program.most_players, count)),
        tuple((str(key), str(value)) for key, value in options.items() if str(value).strip()),
        wanted if wanted in (*bots, RANDOM) else bots[0] if bots else RANDOM,
        tuple(dict.fromkeys(str(one) for one in data.get("kinds", ()) if str(one) in known)),
        next((one for one in TIMES if seconds == str(one)), USUAL),
        str(data.get("seed", "")).strip() or SEED,
        bool(data.get("versus")),
        next((one for one in number_fields(program) if data.get("free") == one), ""),
    )


def request_of(asked: Asked, program: Program, words: Mapping[str, str]) -> dict[str, Any]:
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


def bots_of(program: Program, asked: Asked, words: Mapping[str, str]) -> tuple[Selectable, ...]:
    """Return the bots that can play all seats."""
    keys = [*(bot.key for bot in program.bots), RANDOM]
    return tuple(Selectable(key, bot_name(key, words), key == asked.bot) for key in keys)


def kinds_of(program: Program, asked: Asked, language: str) -> tuple[Selectable, ...]:
    """Return the kinds that have definitions."""
    return tuple(
        Selectable(kind, _kind_name(program, kind, language), kind in asked.kinds, count)
        for kind, count in _counts(program).items()
    )


def fields_of(program: Program, asked: Asked) -> tuple[Selectable, ...]:
    """Return the numbers that definitions have, a price for example, and that can be 0 in a study."""
    return tuple(Selectable(field, as_words(field), field == asked.free) for field in number_fields(program))


def about(asked: Asked, program: Program, language: str, words: Mapping[str, str]) -> str:
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


def changed_options(asked: Asked, program: Program) -> list[tuple[str, str]]:
    """Return the options whose value is not the usual one."""
    usual = {option.key: _usual(option) for option in program.options}
    return [(key, value) for key, value in asked.options if usual.get(key) != value]


def time_told(seconds: int, words: Mapping[str, str]) -> str:
    """Return a time of `TIMES` in words."""
    if seconds % 60:
        return words["balance-seconds"].format(n=seconds)
    return words["balance-minute"] if seconds == 60 else words["balance-minutes"].format(n=seconds // 60)


def _counts(program: Program) -> Counter[str]:
    """Return how many definitions each kind has, in the order of the pack."""
    return Counter(one.kind for one in program.definitions)


def _kind_name(program: Program, kind: str, language: str) -> str:
    texts = PackTexts(SmallestTable(program.least_players), program)
    return texts.text(language, f"kind/{kind}") or as_words(kind)


def _usual(option: Option) -> str:
    return option.members[option.default] if option.members and not option.some else str(option.default)


def again(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a form asked for from the request of its study, to fill it in again."""
    options: Sequence[str] = request["options"]
    return {**request, "options": dict(one.split("=", 1) for one in options)}
