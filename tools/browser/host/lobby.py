"""The lobby: packs with their texts, and the form of a new table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from rulewright.interpreter.views.names import words as as_words
from rulewright.ruleset.program.nodes import DeclaredOption, Program
from rulewright.tools.browser.host.pack_cards import PackCard, chosen_card, pack_cards
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.words import bot_name, words_of
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.common.seats import GREEDY, HUMAN, RANDOM, SEARCH
from rulewright.tools.faces.looks import TONES

LINK = "link"
"""A person who plays by a link of their own; in a table's spec this is `human`."""
LISTED_MOST = 80
"""Definitions or members that an option offers one by one."""


@frozen
class OptionField:
    """An option of a pack in the form: its choices, or the bounds of a number or of a list of names.

    `usual` is its value without a choice.
    """

    key: str
    name: str
    text: str
    value: str
    usual: str
    choices: tuple[tuple[str, str], ...]
    low: int = 0
    high: int = 0
    number: bool = False


@frozen
class TableForm:
    """The form of a new table."""

    card: PackCard
    rules: tuple[tuple[PackCard, bool], ...]
    options: tuple[OptionField, ...]
    seats: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    least: int
    most: int
    languages: tuple[str, ...]
    language: str
    scenarios: tuple[tuple[int, str], ...]
    scenario: str
    series: bool
    in_series: bool
    seed: str


def lobby(given: Sequence[str], language: str) -> dict[str, Any]:
    """Return the games and house rules of the lobby, and the packs that cannot be read."""
    cards = pack_cards(given, language)
    games = [*_told_apart([card for card in cards if card.game])]
    counts = {game.pack: sum(game.pack in card.extends for card in cards) for game in games}
    broken = [card for card in cards if card.broken]
    return {"games": games, "counts": counts, "cards": cards, "broken": broken}


def _told_apart(games: Sequence[PackCard]) -> Iterator[PackCard]:
    """Yield games with different tones, as long as there are enough."""
    used: set[str] = set()
    for game in games:
        tones = [str(1 + (int(game.tone) - 1 + step) % TONES) for step in range(TONES)]
        tone = next((one for one in tones if one not in used), game.tone)
        used.add(tone)
        yield evolve(game, tone=tone)


def form_of(
    shelf: PackShelf, given: Sequence[str], asked: Mapping[str, Any], language: str, scenarios: bool = True
) -> TableForm:
    """Return the form for a pack, with what was chosen so far. Raises Failure if the pack has errors."""
    cards = pack_cards(given, language)
    card = chosen_card(cards, str(asked.get("pack", "")))
    beside = [one for one in cards if card.pack in one.extends]
    chosen = [path for path in map(str, asked.get("more", ())) if any(one.path == path for one in beside)]
    program = shelf.compiled(card.path, chosen, scenarios).program
    texts = PackTexts(SmallestTable(program.least_players), program)
    seats = _seats(program, asked)
    scenario = str(asked.get("scenario", ""))
    return TableForm(
        card,
        tuple((one, one.path in chosen) for one in beside),
        tuple(_option(program, texts, one, asked.get("options", {}), language) for one in program.options),
        seats,
        _kinds(program, language),
        program.least_players,
        program.most_players,
        program.languages,
        language if language in program.languages else program.languages[0],
        tuple((n, one.title) for n, one in enumerate(program.scenarios) if not one.series),
        scenario,
        program.series is not None,
        bool(asked.get("series")),
        str(asked.get("seed", "")),
    )


def _seats(program: Program, asked: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the kind and name of each seat: as chosen, else a person and bots for the fewest players."""
    known = [(str(kind), str(name)) for kind, name in asked.get("seats", ())]
    count = max(program.least_players, min(program.most_players, int(asked.get("players", 0)) or len(known)))
    bot = next((one.key for one in program.bots), RANDOM)
    fresh = [(HUMAN, ""), *[(bot, "")] * program.most_players]
    return tuple(known[n] if n < len(known) else fresh[n] for n in range(count))


def _kinds(program: Program, language: str) -> tuple[tuple[str, str], ...]:
    words = words_of(language)
    bots = [*(bot.key for bot in program.bots), SEARCH, GREEDY, RANDOM]
    named = [(key, words["bot"].format(name=bot_name(key, words))) for key in bots]
    return (HUMAN, words["person-here"]), (LINK, words["person-link"]), *named


def _option(
    program: Program, texts: PackTexts, option: DeclaredOption, chosen: Mapping[str, Any], language: str
) -> OptionField:
    name = _option_name(texts, option, language)
    text = _told(program, texts, texts.text(language, f"option/{option.key}.text") or "", language)
    given = str(chosen.get(option.key, ""))
    if option.some:
        among = [one.key for one in program.definitions if one.kind == option.of]
        return OptionField(option.key, name, text, given, "", (), 0, min(len(among), LISTED_MOST))
    if option.members:
        choices = tuple((member, _member(texts, option, member, language)) for member in option.members)
        usual = option.members[option.default]
        return OptionField(option.key, name, text, given or usual, usual, choices)
    usual = str(option.default)
    return OptionField(option.key, name, text, given or usual, usual, (), option.low, option.high, True)


def _option_name(texts: PackTexts, option: DeclaredOption, language: str) -> str:
    return texts.name(language, "option-name", option.key) or as_words(option.key)


def _told(program: Program, texts: PackTexts, text: str, language: str) -> str:
    """Return a text about an option on one line, with the names of options and choices as the form shows them."""
    names = {option.key: _option_name(texts, option, language) for option in program.options}
    for option in program.options:
        names |= {member: _member(texts, option, member, language) for member in option.members}
    quoted = words_of(language)["quoted"]
    pieces = " ".join(text.split()).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    told = [quoted.format(text=names.get(piece, piece)) if n % 2 else piece for n, piece in enumerate(pieces)]
    return "".join(told)


def _member(texts: PackTexts, option: DeclaredOption, member: str, language: str) -> str:
    if member in ("true", "false"):
        return words_of(language)["yes" if member == "true" else "no"]
    return texts.name(language, option.of, member) or as_words(member)
