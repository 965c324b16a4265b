"""The cards to print: those of a game at a table, in its order, with the number of equal copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.display_texts import PackTexts, copy_notes
from rulewright.tools.common.errors import Usage
from rulewright.tools.faces import Face, Faces, Looks, picture_files
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.print.imposition import Fit, Imposition, fitted
from rulewright.tools.print.typesetter import PagePictures

MOST_CARDS = 5_000
"""Limit of cards that are printed at once: more than 500 sheets."""


@frozen
class PrintedCard:
    """A card, and how many of it are printed."""

    face: Face
    copies: int


@frozen
class PrintJob:
    """What is printed: the selected kinds and definitions (none: all), and whether each card only once."""

    only: tuple[str, ...] = ()
    once: bool = False


def deck(
    program: Program, table: TableProgram, texts: PackTexts, language: str, wanted: PrintJob
) -> list[PrintedCard]:
    """Return the selected cards at a table. Raises Usage for an unknown name, or too many cards."""
    faces = Faces(program, texts, language, copy_notes(program, language))
    counts: dict[tuple[str, str, str], int] = {}
    for card in table.cards:
        place = card.kind, card.definition, card.key
        counts[place] = counts.get(place, 0) + 1
    chosen = _chosen(program, counts, texts, wanted.only)
    items = [
        PrintedCard(faces.of_card(kind, definition, key), 1 if wanted.once else count)
        for (kind, definition, key), count in counts.items()
        if not chosen or {kind, f"{kind}/{definition}"} & chosen
    ]
    total = sum(item.copies for item in items)
    if total > MOST_CARDS:
        raise Usage(f"{total} cards are too many for one document (at most {MOST_CARDS}); select some with --only")
    return items


def _chosen(
    program: Program, counts: Mapping[tuple[str, str, str], int], texts: PackTexts, only: Sequence[str]
) -> set[str]:
    """Return the kinds and definitions (`KIND/DEFINITION`) that are named by key, id, or name for players."""
    there = {(kind, definition) for kind, definition, _ in counts}
    known: dict[str, set[str]] = {}
    for one in program.definitions:
        if (one.kind, one.key) not in there:
            continue
        id_ = f"{one.kind}/{one.key}"
        names = {texts.definition(language, one.kind, one.key) for language in program.languages}
        for word in (one.key, id_, *filter(None, names)):
            known.setdefault(word.casefold(), set()).add(id_)
    for kind in dict.fromkeys(kind for kind, _ in there):
        for word in (kind, f"{kind}/"):  # with the slash it cannot be the name of a card
            known.setdefault(word.casefold(), set()).add(kind)
    chosen: set[str] = set()
    for word in only:
        found = known.get(word.casefold())
        if found is None:
            raise Usage(_unknown(program, known, word))
        chosen |= found
    return chosen


def _unknown(program: Program, known: Mapping[str, set[str]], word: str) -> str:
    declared = {name for one in program.definitions for name in (one.key, f"{one.kind}/{one.key}")}
    declared |= {kind.key for kind in program.kinds}
    if word in declared:
        return f"{word} has no cards at this table; see --option, --players, and --with"
    near = nearest(word.casefold(), known)
    hint = f"did you mean {near}?" if near else f"kinds: {', '.join(sorted({k for _, k in _kinds(known)}))}"
    return f"{word} not found among the cards of {program.pack}; {hint}"


def _kinds(known: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    return [(word, id_) for word, ids in known.items() for id_ in ids if "/" not in id_]


# ---- The sheets of a deck as models: which card is where, how it is fitted, and what does not fit

@frozen
class PlacedCard:
    """A card on a sheet, by the number of its fit, and its top left corner in millimetres."""

    face: Face
    fit: int
    x: float
    y: float


@frozen
class PaperSheet:
    """One side of a sheet of paper. `number` counts from 1; backs have the number of their front."""

    number: int
    back: bool
    cards: tuple[PlacedCard, ...]


@frozen
class Sheets:
    """All sides, in the order of printing, and the fits of their cards. `too_long` are a face and its parts."""

    imposition: Imposition
    sides: tuple[PaperSheet, ...]
    fits: tuple[Fit, ...]
    count: int
    too_long: tuple[tuple[Face, tuple[str, ...]], ...]


def sheets(items: Sequence[PrintedCard], laid: Imposition, backs: bool) -> Sheets:
    """Place the cards on sheets, each with its back after it if `backs`."""
    fits: dict[Fit, int] = {}
    too_long: list[tuple[Face, tuple[str, ...]]] = []
    cards: list[tuple[Face, int]] = []
    for item in items:
        found = fitted(item.face, laid.card)
        number = fits.setdefault(found.fit, len(fits))
        cards += [(item.face, number)] * item.copies
        if found.too_long:
            too_long.append((item.face, found.too_long))
    sides = tuple(_sides(cards, laid, backs))
    return Sheets(laid, sides, tuple(fits), -(-len(cards) // laid.per_sheet), tuple(too_long))


def _sides(cards: Sequence[tuple[Face, int]], laid: Imposition, backs: bool) -> Iterator[PaperSheet]:
    places = [laid.place(number) for number in range(laid.per_sheet)]
    behind = [laid.place_on_back(number) for number in range(laid.per_sheet)]
    for number in range(-(-len(cards) // laid.per_sheet)):
        part = cards[number * laid.per_sheet : (number + 1) * laid.per_sheet]
        for back in (False, True) if backs else (False,):
            corners = behind if back else places
            placed = (PlacedCard(face, fit, x, y) for (face, fit), (x, y) in zip(part, corners, strict=False))
            yield PaperSheet(number + 1, back, tuple(placed))


# ---- What is printed: a compiled pack at a table, in one language, with its names for players

LONGEST_NAME = 80
"""Limit of characters of a game's name at the edge of a sheet."""


@frozen
class About:
    """What is printed. `game` is its name without house rules, `whole` with them; `text` says what it is about."""

    compiled: Compiled
    table: TableProgram
    texts: PackTexts
    language: str
    key: str
    game: str
    whole: str
    version: str
    text: str
    looks: Looks
    pictures: PagePictures

    @property
    def program(self) -> Program:
        return self.compiled.program


def about(compiled: Compiled, table: TableProgram, language: str) -> About:
    """Collect what is printed."""
    program = compiled.program
    texts = PackTexts(table, program)
    key = program.pack.partition("+")[0]
    readable = key[:1].upper() + key[1:].replace("-", " ")
    game = texts.text(language, f"pack/{key}") or readable
    whole = texts.text(language, f"pack/{program.pack}") or game
    text = texts.text(language, f"pack/{program.pack}.text") or ""
    pictures = PagePictures(picture_files(program, compiled.packs.files, compiled.owners))
    return About(
        compiled, table, texts, language, key, game[:LONGEST_NAME], whole, program.version, text,
        Looks(program), pictures,
    )  # fmt: skip
