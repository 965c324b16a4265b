"""The packs that a server offers: those of its command line, and all that can be found by name.

A pack that cannot be read is among them, with the reason: it must not keep anybody from the others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from zlib import crc32

from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.packs import head_of
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, texts_of
from rulewright.tools.browser.host.limits import told
from rulewright.tools.browser.words import NAMES, words_of
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.faces.looks import TONES
from rulewright.tools.packs import loading
from rulewright.tools.packs.discovery import FoundPack
from rulewright.tools.packs.pack_heads import Unreadable, read_head

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


def admitted(given: Sequence[str], pack: str, more: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the folders of packs that a page asks for; without a wanted one, of the first game.

    Raises Usage if the lobby does not list them.
    """
    cards = pack_cards(given, "en")
    wanted = pack or next((card.pack for card in games(cards)), "")
    return chosen_card(cards, wanted).path, tuple(chosen_card(cards, one).path for one in more)
