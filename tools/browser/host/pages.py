"""Pages of the desk in a worker: fields of an address or a form come in, a page or a file goes out.

The server passes such requests on by their paths and knows nothing of them but who may ask. What only it knows (its
tables, its studies) is in `known`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias
from urllib.parse import urlencode

from attrs import field, frozen

from rulewright.tools.browser.host.lobby import PackCard, admitted, games, pack_cards
from rulewright.tools.browser.words import NAMES, words_of

LONGEST = 400
"""Characters of a field."""
MOST_MORE, MOST_OPTIONS, MOST_VALUES = 32, 100, 400
"""House rules, options, and values of any other field of one request."""
OPTION = "option:"
USUAL = "usual:"
"""Before the key of an option: the value that it has without a choice, when the form was drawn."""
NAVIGATION = (
    ("/", "lobby"), ("/gallery", "gallery"), ("/scenarios", "scenarios"), ("/balance", "balance"),
    ("/print", "print"), ("/replay", "replay"),
)  # fmt: skip
"""The pages in the bar: addresses, and the keys of their words."""


@frozen
class PageFields:
    """The fields of an address or a form, in order; a name may come several times."""

    pairs: Sequence[tuple[str, str]] = ()

    def __contains__(self, key: object) -> bool:
        return any(name == key for name, _ in self.pairs)

    def uncut(self, key: str) -> str:
        """Return the last value of a field, however long it is; empty without one."""
        return next((value for name, value in reversed(self.pairs) if name == key), "")

    def text(self, key: str) -> str:
        """Return the last value of a field; empty without one."""
        return self.uncut(key)[:LONGEST]

    def texts(self, key: str, most: int = MOST_VALUES) -> list[str]:
        """Return all values of a field."""
        return [value[:LONGEST] for name, value in self.pairs if name == key][:most]

    def number(self, key: str, usual: int = 0) -> int:
        """Return a field as a number; the usual one if it is none."""
        text = self.text(key)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else usual

    @property
    def options(self) -> dict[str, str]:
        """The options that were chosen. One with its usual value was not: house rules may change that value."""
        found = [(name.removeprefix(OPTION), value) for name, value in self.pairs if name.startswith(OPTION)]
        usual = dict(self.pairs)
        chosen = [(key, value) for key, value in found if value != usual.get(USUAL + key)]
        return {key[:LONGEST]: value[:LONGEST] for key, value in chosen[:MOST_OPTIONS]}

    @property
    def table_form(self) -> dict[str, Any]:
        """What the form of a new table asks for so far, to draw it again."""
        return {
            "pack": self.text("pack"), "more": self.texts("more", MOST_MORE), "options": self.options,
            "seats": self.seats, "players": self.number("players"), "seed": self.text("seed"),
            "scenario": self.text("scenario"), "series": bool(self.text("series")),
        }  # fmt: skip

    @property
    def seats(self) -> list[tuple[str, str]]:
        """The kind and the name of each seat, as chosen."""
        names = self.texts("name")
        return [(kind, names[n] if n < len(names) else "") for n, kind in enumerate(self.texts("kind"))]


@frozen
class PageRequest:
    """A request for a page. `given` are the packs of the server's command line, `place` says who can reach it."""

    fields: PageFields
    given: tuple[str, ...]
    language: str
    place: str
    known: Mapping[str, Any] = field(factory=dict)

    @property
    def words(self) -> dict[str, str]:
        """The words of the page."""
        return words_of(self.language)

    @cached_property
    def cards(self) -> dict[str, PackCard]:
        """The packs of this server, by their paths."""
        return {card.path: card for card in pack_cards(self.given, self.language)}

    @cached_property
    def _admitted(self) -> tuple[str, tuple[str, ...]]:
        return admitted([*self.cards.values()], self.fields.text("pack"), self.fields.texts("more", MOST_MORE))

    @property
    def pack(self) -> str:
        """The folder of the pack of the page; without a wanted one, of the first game. Raises Usage for others."""
        return self._admitted[0]

    @property
    def more(self) -> tuple[str, ...]:
        """The folders of the house rules of the page. Raises Usage for those that the lobby does not list."""
        return self._admitted[1]

    def values(self, path: str) -> dict[str, Any]:
        """Return what all parts of a page of a pack need; `path` is that of the page in the bar."""
        return {
            "w": self.words, "language": self.language, "pack": self.pack, "more": self.more,
            "language_names": NAMES, "nav": navigation(self.words, path), "place": self.place,
            "name": self.cards[self.pack].name, "games": games([*self.cards.values()]),
            "link": self.link,
        }  # fmt: skip

    def link(self, path: str, **others: str) -> str:
        """Return the address of a page about the same packs."""
        return address(path, self.pack, self.more, self.language, **others)


@frozen
class PageFile:
    """A reply that is a file; with a name it is saved. The name has only letters, digits, hyphens, and a dot."""

    data: bytes = field(repr=False)
    media_type: str
    name: str = ""


PageReply: TypeAlias = str | PageFile | None
"""HTML, a file, or nothing, so that the page stays as it is."""


def request_data(
    fields: Sequence[tuple[str, str]], given: Sequence[str], language: str, place: str, known: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a request as JSON data."""
    return {"fields": fields, "packs": [*given], "language": language, "place": place, "known": known}


def request_of(data: Mapping[str, Any]) -> PageRequest:
    """Return the request in JSON data."""
    pairs = [(str(key), str(value)) for key, value in data["fields"]]
    given = tuple(str(one) for one in data["packs"])
    return PageRequest(PageFields(pairs), given, str(data["language"]), str(data["place"]), data["known"])


def reply_data(reply: PageReply) -> Any:
    """Return a reply as JSON data."""
    if isinstance(reply, PageFile):
        return {"data": b64encode(reply.data).decode("ascii"), "type": reply.media_type, "name": reply.name}
    return reply


def reply_of(data: Any) -> PageReply:
    """Return the reply in JSON data."""
    return PageFile(b64decode(data["data"]), data["type"], data["name"]) if isinstance(data, dict) else data


def address(path: str, pack: str, more: Sequence[str], language: str, **others: str) -> str:
    """Return the address of a page about packs."""
    pairs = [("pack", pack), *(("more", one) for one in more), ("lang", language)]
    return f"{path}?{urlencode([*pairs, *((key, value) for key, value in others.items() if value)])}"


def navigation(words: Mapping[str, str], now: str) -> list[tuple[str, str, bool]]:
    """Return the pages of the bar: address, name, and whether it is the present one."""
    return [(link, words[key], link == now) for link, key in NAVIGATION]
