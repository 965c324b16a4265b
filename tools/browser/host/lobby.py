"""The lobby: packs with their texts, and the form of a new table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from attrs import evolve, frozen

from rulewright.interpreter.views.names import words as as_words
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.packs import head_of
from rulewright.ruleset.program.nodes import DeclaredOption, Program
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, texts_of
from rulewright.tools.browser.host.limits import told
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.words import NAMES, bot_name, words_of
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.seats import GREEDY, HUMAN, RANDOM, SEARCH
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.faces import TONES
from rulewright.tools.packs import loading
from rulewright.tools.packs.discovery import FoundPack
from rulewright.tools.packs.pack_heads import Unreadable, read_head

# ---- The packs that a server offers: those of its command line, and all that can be found by name
#
# A pack that cannot be read is among them, with the reason: it must not keep anybody from the others.

SECONDS = 1.0
"""Of processor time to read one `pack.yaml`."""


@frozen
class PackCard:
    """A pack that was found: its texts, who can play, and where it is; `extends` is empty for a game.

    `broken` says why it cannot be read; it is empty for a pack whose `pack.yaml` is sound.
    """

    pack: str
    path: str
    name: str
    text: str = ""
    players: str = ""
    languages: tuple[str, ...] = ()
    where: str = ""
    tone: str = "0"
    extends: tuple[str, ...] = ()
    broken: str = ""

    @property
    def game(self) -> bool:
        """Whether it is a game that can be read, not house rules for one."""
        return not self.extends and not self.broken

    @property
    def languages_named(self) -> tuple[str, ...]:
        """The languages of its texts, in their own words."""
        return tuple(NAMES.get(one, one) for one in self.languages)

    def players_told(self, texts: Mapping[str, str]) -> str:
        """Say how many can play; empty if the pack does not say it."""
        if not self.players:
            return ""
        least, found, most = self.players.partition(" to ")
        if found:
            return texts["players-range"].format(least=least, most=most)
        return texts["players-one"] if self.players == "1" else texts["players-n"].format(n=self.players)


def pack_cards(given: Sequence[str], language: str) -> list[PackCard]:
    """Return all packs that can be found, those given by path first; of one name only the first.

    A given pack that is gone by now is left out, so that the others can be played.
    """
    found: dict[str, PackCard] = {}
    for path in given:
        try:
            root = loading.find(path)
        except Failure:
            continue
        card = _card(FoundPack("", root, "given", "given"), language)
        found.setdefault(card.pack, card)
    for one in loading.finder().folders_of_packs()[0]:
        if one.pack not in found:
            card = _card(one, language)
            found.setdefault(card.pack, card)
    return list(found.values())


def games(cards: Sequence[PackCard]) -> list[PackCard]:
    """Return the games among packs that can be read."""
    return [card for card in cards if card.game]


def _card(found: FoundPack, language: str) -> PackCard:
    """Return the card of a pack from its `pack.yaml`. One that cannot be read has its path instead of a name."""
    path = os.fsencode(found.root).decode("utf-8", "replace")
    try:
        if path != str(found.root):
            raise Unreadable(words_of(language)["pack-path"])
        with bounded(SECONDS):
            return _read(found, language)
    except Exception as error:  # a pack can be wrong in any way
        why = harmless(str(error)) if isinstance(error, Unreadable) else told(error, language)
        name = harmless(Path(path).name)
        return PackCard(path, path, name, where=found.where, broken=why)


def _read(found: FoundPack, language: str) -> PackCard:
    documents = read_head(found.root)
    head, root = head_of(documents), documents[0].root
    assert head is not None
    assert isinstance(root, Block)
    said = PackDocument.made_of(root)
    return PackCard(
        head.pack, str(found.root), _said(said.name, language) or harmless(head.pack), _said(said.text, language),
        harmless(said.players.text if said.players is not None else ""),
        tuple(harmless(one.text) for one in said.languages), found.where,
        str(1 + crc32(head.pack.encode()) % TONES), tuple(need.pack for need in head.extends),
    )  # fmt: skip


def _said(node: Node | None, language: str) -> str:
    """Return a text in a language, or in the first one, on one line."""
    known = dict(texts_of(node)) if node is not None else {}
    return " ".join(harmless(known.get(language) or next(iter(known.values()), "")).split())


def chosen_card(cards: Sequence[PackCard], wanted: str) -> PackCard:
    """Return the pack with a name or a path. Raises Usage for any other: a page must not open other folders.

    One that cannot be read can be chosen by its path, to see its findings.
    """
    found = next((one for one in cards if wanted in (one.pack, one.path)), None)
    if found is None:
        raise Usage(
            f"{harmless(wanted)[:80] or 'this'} is not one of the packs of this server; "
            "choose one in the lobby, or start the server with its folder"
        )
    return found


def admitted(cards: Sequence[PackCard], pack: str, more: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the folders of packs that a page asks for; without a wanted one, of the first game.

    Raises Usage if they are not among the packs of the lobby.
    """
    wanted = pack or next((card.pack for card in games(cards)), "")
    return chosen_card(cards, wanted).path, tuple(chosen_card(cards, one).path for one in more)



# ---- Lobby

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
