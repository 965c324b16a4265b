"""Print for a page: a form becomes an order, and the last prints are kept."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from attrs import define, field, frozen

from rulewright.tools.common.display_texts import session_language
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.print.deck import About, PrintJob, about, deck
from rulewright.tools.print.imposition import PAPERS, bleed_of, size_of
from rulewright.tools.print.printing import (
    Order,
    Printed,
    What,
    image_names,
    images,
    printed,
    safe_name,
    saved_object,
)
from rulewright.tools.print.typesetter import page_sizes, png_page

PRODUCTS: tuple[What, ...] = ("cards", "rules", "tabletop-simulator")
MOST_PRINTS = 6
LARGEST = 40 * 1024 * 1024
"""Bytes of one file, and of all prints that are kept."""
MOST_SELECTED = 400
BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The date of all files in an archive, so that the same input gives the same bytes."""
BESIDE = (".md", ".png", ".jpg", ".jpeg", ".svg")
"""Files of a pack that are printed and are not part of its rules."""
MOST_BESIDE = 4_000


@frozen
class PrintQuery:
    """What a form asks for, as it was typed. Empty texts are what the pack says."""

    what: What = "cards"
    paper: str = "a4"
    size: str = ""
    bleed: str = ""
    backs: bool = False
    once: bool = False
    players: int = 0
    options: tuple[tuple[str, str], ...] = ()
    only: tuple[str, ...] = ()
    language: str = "en"


@frozen(eq=False)
class Print:
    """Something that was printed: with what is printed about, the sizes of its pages, and the hash of its bytes."""

    about: About
    made: Printed
    sizes: tuple[tuple[float, float], ...]
    hash: str

    def picture(self, number: int, width: int) -> bytes:
        """Return a page (from 0) as PNG."""
        return png_page(self.made.pdf, number, width)


@define
class Press:
    """The last prints of a worker. One is made again when a file of its packs, or a picture, was saved."""

    _kept: OrderedDict[tuple[str, PrintQuery], tuple[Compiled, str, Print]] = field(factory=OrderedDict)

    def printed(self, compiled: Compiled, packs: str, asked: PrintQuery, words: Mapping[str, str]) -> Print:
        """Return what was asked for. Raises Usage."""
        key, beside = (packs, asked), _beside(compiled)
        known = self._kept.get(key)
        if known is None or known[0] is not compiled or known[1] != beside:
            known = compiled, beside, _print(compiled, asked, words)
        self._kept[key] = known
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_PRINTS or (len(self._kept) > 1 and self._bytes() > LARGEST):
            self._kept.popitem(last=False)
        return known[2]

    def _bytes(self) -> int:
        return sum(len(one.made.pdf) for _, _, one in self._kept.values())


def asked_of(data: Mapping[str, object], languages: Sequence[str], most: int) -> PrintQuery:
    """Read what a form asks for; what cannot be understood is left out."""
    texts = {key: str(data.get(key, "")) for key in ("what", "paper", "size", "bleed", "language", "players")}
    what = next((one for one in PRODUCTS if one == texts["what"]), PRODUCTS[0])
    players = int(texts["players"]) if texts["players"].isdecimal() and len(texts["players"]) < 4 else most
    options, only = data.get("options", {}), data.get("only", ())
    assert isinstance(options, Mapping)
    assert isinstance(only, Sequence)
    return PrintQuery(
        what,
        texts["paper"] if texts["paper"] in PAPERS else "a4",
        texts["size"].strip() if what != "rules" else "",
        texts["bleed"].strip() if what == "cards" else "",
        bool(data.get("backs")) and what == "cards",
        bool(data.get("once")) and what != "rules",
        players,
        tuple((str(key), str(value)) for key, value in options.items() if str(value).strip()),
        tuple(dict.fromkeys(map(str, only)))[:MOST_SELECTED] if what != "rules" else (),
        session_language(tuple(languages), texts["language"]),
    )


def order_of(asked: PrintQuery, words: Mapping[str, str]) -> Order:
    """Return the order for the printer. Raises Usage for a size or a bleed that is none."""
    try:
        size = size_of(asked.size.replace("×", "x").replace(" ", "")) if asked.size else None
    except Usage:
        raise Usage(words["print-bad-size"]) from None
    try:
        bleed = bleed_of(asked.bleed) if asked.bleed else 0.0
    except Usage:
        raise Usage(words["print-bad-bleed"]) from None
    return Order(asked.what, asked.paper, size, bleed, asked.backs, PrintJob(asked.only, asked.once))


def about_asked(compiled: Compiled, asked: PrintQuery) -> About:
    """Return what is printed about: the pack at the table that was asked for. Raises Usage if there is none."""
    given = [f"{key}={value}" for key, value in asked.options]
    table = loading.table(compiled.program, asked.players, given)
    return about(compiled, table, asked.language)


@frozen
class SelectableKind:
    """A kind that can be selected, and its cards: the value in the form, the name, and whether it is chosen."""

    value: str
    name: str
    chosen: bool
    cards: tuple[tuple[str, str, bool], ...]

    @property
    def open(self) -> bool:
        """Whether one of its cards is chosen."""
        return any(chosen for _, _, chosen in self.cards)


def selectable(found: About, only: Sequence[str]) -> tuple[SelectableKind, ...]:
    """Return the kinds of the cards at a table, each with its cards."""
    names: dict[str, str] = {}
    cards: dict[str, dict[str, str]] = {}
    for item in deck(found.program, found.table, found.texts, found.language, PrintJob(once=True)):
        names[item.face.kind] = item.face.kind_name
        cards.setdefault(item.face.kind, {})[f"{item.face.kind}/{item.face.definition}"] = item.face.name
    return tuple(
        SelectableKind(
            f"{kind}/", names[kind], f"{kind}/" in only, tuple((id_, name, id_ in only) for id_, name in of.items())
        )
        for kind, of in cards.items()
    )


def file_of(one: Print, what: What, words: Mapping[str, str]) -> tuple[str, str, bytes]:
    """Return a file to download: its name, its media type, and its bytes. Raises Usage if it is too large."""
    name = safe_name(one.about)
    if what != "tabletop-simulator":
        return _bounded(f"{name}-{what}.pdf", "application/pdf", one.made.pdf, words)
    names = image_names(f"{name}-deck", one.made)
    into = BytesIO()
    with ZipFile(into, "w") as archive:
        saved = saved_object(one.about, one.made, names)
        archive.writestr(ZipInfo(f"{name}-deck.json", BEGINNING), saved, ZIP_DEFLATED, 9)
        for path, image in zip((path for pair in names for path in pair), images(one.made), strict=True):
            archive.writestr(ZipInfo(path, BEGINNING), image, ZIP_STORED)
            if into.tell() > LARGEST:
                raise Usage(words["print-too-large"])
    return _bounded(f"{name}-tabletop-simulator.zip", "application/zip", into.getvalue(), words)


def _bounded(name: str, kind: str, data: bytes, words: Mapping[str, str]) -> tuple[str, str, bytes]:
    if len(data) > LARGEST:
        raise Usage(words["print-too-large"])
    return name, kind, data


def _print(compiled: Compiled, asked: PrintQuery, words: Mapping[str, str]) -> Print:
    order = order_of(asked, words)
    found = about_asked(compiled, asked)
    if order.what != "rules" and not found.table.cards:
        raise Usage(words["print-no-cards"])
    made = printed(found, order)
    if len(made.pdf) > LARGEST:
        raise Usage(words["print-too-large"])
    return Print(found, made, tuple(page_sizes(made.pdf)), sha256(made.pdf).hexdigest()[:16])


def _beside(compiled: Compiled) -> str:
    """Return a hash that changes when a picture or a text beside the rules is saved."""
    found: list[tuple[str, int, int]] = []
    for files in compiled.packs.files:
        found += _files(files.root)
    return sha256(repr(found).encode()).hexdigest()


def _files(root: Path) -> Iterator[tuple[str, int, int]]:
    count = 0
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(BESIDE) and count < MOST_BESIDE:
                count += 1
                with suppress(OSError):  # it is being replaced
                    about_file = os.stat(os.path.join(place, name))
                    yield os.path.join(place, name), about_file.st_mtime_ns, about_file.st_size
