"""`rulewright print`: write cards, rules, or an image grid to a file."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulewright.tools.common.display_texts import session_language
from rulewright.tools.common.errors import CLEAN, Usage, check_replaceable
from rulewright.tools.common.output import say, warn
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.print.deck import About, PrintJob, about
from rulewright.tools.print.imposition import bleed_of, size_of
from rulewright.tools.print.printing import Order, Printed, TooLong, image_names, images, printed, saved_object

_PARTS = {"name": "the name", "text": "the text", "foot": "the last line"}
_SHOWN = 60
_EARLIER = {".pdf": rb"%PDF-", ".png": rb"\x89PNG", ".json": rb'\{\s*"SaveName".*"ObjectStates"'}
"""How each output begins, by the ending of its file; other endings are of PDF files."""


@frozen
class PrintArguments:
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


def print_(given: PrintArguments) -> int:
    """Print a pack; the game is at its largest table unless `players` says otherwise."""
    order = _order(given)
    compiled = loading.compile_pack(with_more(given.pack, given.more))
    players = compiled.program.most_players if given.players is None else given.players
    table, _ = loading.table_noted(compiled.program, players, given.options)
    found = about(compiled, table, session_language(compiled.program.languages, given.lang))
    out = Path(given.out or _usual(found, order))
    _check_replaceable(out)
    made = printed(found, order)
    _warn_too_long(made.too_long)
    if order.what == "tabletop-simulator":
        return _images(out, found, made)
    _write(out, made.pdf)
    if order.what == "rules":
        say(f"{out}: rules of {found.whole}")
    else:
        backs = " with backs" if given.backs else ""
        say(f"{out}: {_many(made.cards, 'card')} on {_many(made.sheets, 'sheet')}{backs}")
    return CLEAN


def _order(given: PrintArguments) -> Order:
    """Return what is wanted. Raises Usage for arguments that do not go together."""
    if given.rules and given.tabletop_simulator:
        raise Usage("--rules and --tabletop-simulator make different files; use one at a time")
    if given.rules and (given.only or given.once or given.backs):
        raise Usage("--only, --once, and --backs select cards; --rules prints the whole rules")
    if given.tabletop_simulator and given.out is not None and Path(given.out).suffix.lower() != ".png":
        raise Usage(f"--tabletop-simulator writes images, so -o takes a .png file, not {given.out}")
    return Order(
        "rules" if given.rules else "tabletop-simulator" if given.tabletop_simulator else "cards",
        given.paper,
        size_of(given.size) if given.size is not None else None,
        bleed_of(given.bleed),
        given.backs,
        PrintJob(given.only, given.once),
    )


def _usual(found: About, order: Order) -> str:
    """Return the name of the file if none is given."""
    return f"{found.key}-deck.png" if order.what == "tabletop-simulator" else f"{found.key}-{order.what}.pdf"


def _check_replaceable(path: Path) -> None:
    """Raise Usage if there is a file of another sort."""
    check_replaceable(path, "-o", _EARLIER.get(path.suffix.lower(), _EARLIER[".pdf"]))


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Usage(f"cannot write {path}: {error.strerror or error}") from None


def _warn_too_long(found: TooLong) -> None:
    """Report cards on which something has no room, each definition once."""
    for place, name, parts in dict.fromkeys((face.place, face.name, parts) for face, parts in found):
        where = f"{place}: " if place else ""
        warn(f"{where}{' and '.join(_PARTS[part] for part in parts)} of {name[:_SHOWN]} is too long for the card")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _images(out: Path, found: About, made: Printed) -> int:
    """Write the images for Tabletop Simulator, and the saved object beside them."""
    names = [tuple(out.with_name(name) for name in pair) for pair in image_names(out.stem, made)]
    saved_to = out.with_suffix(".json")
    for path in (*(path for pair in names for path in pair), saved_to):
        _check_replaceable(path)
    for path, image in zip((path for pair in names for path in pair), images(made), strict=True):
        _write(path, image)
    addresses = [(face.resolve().as_uri(), back.resolve().as_uri()) for face, back in names]
    _write(saved_to, saved_object(found, made, addresses))
    say(f"{saved_to}: {_many(made.cards, 'card')} from {_many(made.sheets, 'image')}")
    return CLEAN
