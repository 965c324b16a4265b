"""`rulewright print`: write cards, rules, or an image grid to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from tools.common.display_texts import session_language
from tools.common.errors import CLEAN, Usage
from tools.common.output import say, warn
from tools.faces.face import Face
from tools.packs import loading
from tools.packs.pack_set import with_more
from tools.print.about import About, about
from tools.print.deck import Item, Wanted, deck
from tools.print.measures import PAPERS, Size, bleed_of, card_size, size_of

_PARTS = {"name": "the name", "text": "the text", "foot": "the last line"}
_SHOWN = 60


@frozen
class Arguments:
    """The arguments of the command."""

    pack: str
    out: str | None
    rules: bool
    tabletop_simulator: bool
    paper: str
    size: str | None
    bleed: str
    backs: bool
    only: tuple[str, ...]
    once: bool
    players: int | None
    options: tuple[str, ...]
    more: tuple[str, ...]
    lang: str


def print_(given: Arguments) -> int:
    """Print a pack; the game is at its largest table unless `players` says otherwise."""
    _check(given)
    compiled = loading.compile_pack(with_more(given.pack, given.more))
    players = compiled.program.most_players if given.players is None else given.players
    table, _ = loading.table_noted(compiled.program, players, given.options)
    found = about(compiled, table, session_language(compiled.program.languages, given.lang))
    if given.rules:
        return _rules(given, found)
    items = deck(found.program, table, found.texts, found.language, Wanted(given.only, given.once))
    if not items:
        raise Usage(f"{found.program.pack} has no cards at this table, so there is nothing to print; try --rules")
    return _grid(given, found, items) if given.tabletop_simulator else _cards(given, found, items)


def _check(given: Arguments) -> None:
    if given.rules and given.tabletop_simulator:
        raise Usage("--rules and --tabletop-simulator make different files; use one at a time")
    if given.rules and (given.only or given.once or given.backs):
        raise Usage("--only, --once, and --backs select cards; --rules prints the whole rules")


def _size(given: Arguments) -> Size | None:
    """Return the wanted size of cards; None for the pack's own."""
    return size_of(given.size) if given.size is not None else None


def _cards(given: Arguments, found: About, items: Sequence[Item]) -> int:
    """Write a PDF of the sheets, those of each size together."""
    from tools.print.card_pages import sheets_pages
    from tools.print.imposition import imposition
    from tools.print.sheets import sheets
    from tools.print.typesetter import pdf

    bleed, wanted = bleed_of(given.bleed), _size(given)
    by_size: dict[Size, list[Item]] = {}
    for item in items:
        by_size.setdefault(card_size(found.looks, item.face.kind, wanted), []).append(item)
    paper = PAPERS[given.paper]
    decks = [sheets(of_size, imposition(paper, size, bleed), given.backs) for size, of_size in by_size.items()]
    _warn_too_long([one for made in decks for one in made.too_long])
    out = Path(given.out or f"{found.key}-cards.pdf")
    _write(out, pdf(sheets_pages(found, decks), found.pictures))
    cards, count = sum(item.copies for item in items), sum(made.count for made in decks)
    say(f"{out}: {_many(cards, 'card')} on {_many(count, 'sheet')}{' with backs' if given.backs else ''}")
    return CLEAN


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Usage(f"cannot write {path}: {error.strerror or error}") from None


def _warn_too_long(found: Sequence[tuple[Face, tuple[str, ...]]]) -> None:
    """Report cards on which something has no room, each definition once."""
    for place, name, parts in dict.fromkeys((face.place, face.name, parts) for face, parts in found):
        where = f"{place}: " if place else ""
        warn(f"{where}{' and '.join(_PARTS[part] for part in parts)} of {name[:_SHOWN]} is too long for the card")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _rules(given: Arguments, found: About) -> int:
    """Write a PDF of the rule book."""
    from tools.print.rule_book import rule_book
    from tools.print.rule_pages import book_page
    from tools.print.typesetter import pdf

    loaded = loading.load_pack_set(found.compiled.packs, playable=False)
    out = Path(given.out or f"{found.key}-rules.pdf")
    _write(out, pdf([book_page(found, rule_book(found, loaded), PAPERS[given.paper])], found.pictures))
    say(f"{out}: rules of {found.whole}")
    return CLEAN


def _grid(given: Arguments, found: About, items: Sequence[Item]) -> int:
    """Write the images for Tabletop Simulator, and the saved object beside them."""
    from ruleset.common.terminal_text import json_text
    from tools.print import tabletop_simulator as tts
    from tools.print.raster import png_pages
    from tools.print.typesetter import pdf

    out = Path(given.out or f"{found.key}-deck.png")
    if out.suffix.lower() != ".png":
        raise Usage(f"--tabletop-simulator writes images, so -o takes a .png file, not {out}")
    grids = tts.grids(found, items, _size(given))
    pages, too_long = tts.grid_pages(found, grids)
    _warn_too_long(too_long)
    names = [out.with_name(f"{out.stem}{_numbered(number, len(grids))}.png") for number in range(len(grids))]
    files = [path for name in names for path in (name, name.with_name(f"{name.stem}-back.png"))]
    for path, image in zip(files, png_pages(pdf(pages, found.pictures), tts.resolution(grids)), strict=True):
        _write(path, image)
    addresses = [path.resolve().as_uri() for path in files]
    saved = tts.saved_object(found, grids, [*zip(addresses[::2], addresses[1::2], strict=True)])
    saved_to = out.with_suffix(".json")
    _write(saved_to, f"{json_text(saved)}\n".encode())
    cards = sum(item.copies for item in items)
    say(f"{saved_to}: {_many(cards, 'card')} from {_many(len(grids), 'image')}")
    return CLEAN


def _numbered(number: int, count: int) -> str:
    return f"-{number + 1}" if count > 1 else ""
