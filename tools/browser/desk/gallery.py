"""The gallery: all definitions of a pack by kind, with search and filters, and one of them in full."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from rulewright.interpreter.views.names import words as as_words
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.regular_files import read_regular
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import Definition, Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.browser.host.findings import Excerpt, SourceLine
from rulewright.tools.browser.host.packs import HeavyPacks
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.display.card import Card, CardLink, Shelf, shelf_of
from rulewright.tools.faces import Emblem, Face, Faces
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.pack_set import PackSet, with_more
from rulewright.tools.scenarios.stage import Stages

# ---- Packs on the designer's desk: as their files are now or, with mistakes, as they were last without

MOST_PACKS = 8


@frozen(eq=False)
class DeskPack:
    """A pack without errors, with everything that its pages show."""

    files: PackSet
    loaded: Loaded
    program: Program
    shelf: Shelf
    table: TableProgram | None
    """The table for the fewest players and without chosen options; None if there is none."""
    stages: Stages
    _faces: dict[str, Faces] = field(init=False, factory=dict)

    def faces(self, language: str) -> Faces:
        """Return the faces of its definitions in a language."""
        known = self.language(language)
        if known not in self._faces:
            texts = PackTexts(SmallestTable(self.program.least_players), self.program)
            self._faces[known] = Faces(self.program, texts, known)
        return self._faces[known]

    def language(self, wanted: str) -> str:
        """Return a language that the pack has."""
        return wanted if wanted in self.program.languages else self.program.languages[0]

    @property
    def compiled(self) -> Compiled:
        """The pack as tools know it."""
        one = self.loaded
        root = self.files.asked[0].root
        return Compiled(root, self.program, one.sources, one.owners, self.files, one.skipped)

    @property
    def folders(self) -> list[str]:
        """The folders to watch."""
        return [str(files.root.resolve()) for files in self.files.files]

    def copies(self) -> Counter[tuple[str, str]]:
        """Return how many cards of each definition are in the game."""
        cards = self.table.cards if self.table is not None else ()
        return Counter((card.kind, card.definition) for card in cards)


@define
class DeskState:
    """What was found in the files of a pack: `pack` is the last state without errors, if there was one."""

    files: PackSet
    loaded: Loaded
    pack: DeskPack | None


@define
class Desk:
    """The last used packs."""

    _known: OrderedDict[str, DeskState] = field(factory=OrderedDict)
    _heavy: HeavyPacks = field(factory=HeavyPacks)

    def state(self, pack: str, more: Sequence[str]) -> DeskState:
        """Return packs as their files are now. Raises Failure if they cannot be read."""
        text = with_more(pack, more)
        files = loading.read_pack_set(text)
        known = self._known.get(text)
        if known is None or known.files != files:
            with self._heavy.loading((text,), files):
                loaded = loading.load_pack_set(files)
                made = _made(files, loaded) if loaded.program is not None else known.pack if known else None
            known = self._known[text] = DeskState(files, loaded, made)
        self._known.move_to_end(text)
        while len(self._known) > MOST_PACKS:
            self._known.popitem(last=False)
        return known

    def pack(self, pack: str, more: Sequence[str]) -> DeskPack:
        """Return packs without errors. Raises Failure."""
        state = self.state(pack, more)
        if state.pack is None or state.loaded.program is None:
            raise loading.refused(state.loaded, f"{state.loaded.pack or pack} has errors")
        return state.pack


def _made(files: PackSet, loaded: Loaded) -> DeskPack:
    program = loaded.program
    assert program is not None
    shelf = shelf_of(loaded, loading.shown(files.asked[0].root))
    try:
        table = lower(program, program.least_players, {})
    except TableError:
        table = None
    return DeskPack(files, loaded, program, shelf, table, Stages(program, program.scenarios))


# ---- Gallery

MANY = 12
"""Definitions made from one place that are shown as small cards."""
MOST_MEMBERS = 24
"""Members of enumerations that are filters."""
NOTHING = ("", "0", "false", "none", "[]")
"""Values of defaults that are not shown."""
RULINGS = "rulings.md"
LARGEST_RULINGS = 400_000
_RULING = re.compile(r"^\|\s*([A-Z]{1,3}\d{1,4})\s*\|\s*(.+?)\s*\|\s*(.+?)\s*(?:\|.*)?")
_NUMBER = re.compile(r"\b[A-Z]{1,3}\d{1,4}\b")


@frozen
class GalleryQuery:
    """What a gallery shows: all, or what fits the words, a kind, and a member (`ENUMERATION/MEMBER`)."""

    find: str = ""
    kind: str = ""
    member: str = ""
    card: str = ""


@frozen
class GalleryItem:
    """A definition in the gallery."""

    id: str
    face: Face
    file: str
    copies: int
    chosen: bool


@frozen
class GalleryGroup:
    """The definitions of a kind. `copies` is their number if it is the same for all, else -1."""

    name: str
    small: bool
    copies: int
    items: tuple[GalleryItem, ...]


@frozen
class GalleryFilter:
    """A filter: its value, name, tone, and mark."""

    value: str
    name: str
    tone: str = ""
    mark: int = 0
    chosen: bool = False
    apart: bool = False
    """Whether it begins another enumeration than the filter before it."""


@frozen
class Gallery:
    """A gallery. `whole` counts all definitions, `shown` those that fit."""

    groups: tuple[GalleryGroup, ...]
    kinds: tuple[GalleryFilter, ...]
    members: tuple[GalleryFilter, ...]
    whole: int
    shown: int
    number_of_kinds: int
    emblems: tuple[tuple[Emblem, int], ...]


@frozen
class Relation:
    """A related declaration: its id, its places, and its address in this gallery if it is a definition."""

    id: str
    places: tuple[str, ...]
    card: str = ""


@frozen
class GalleryRuling:
    """A ruling that a definition cites: its number, the question, and the answer."""

    number: str
    question: str
    answer: str


@frozen
class Detail:
    """A definition in full. `facts` are short fields, `effects` longer ones as written."""

    id: str
    face: Face
    copies: int
    facts: tuple[tuple[str, str, str], ...]
    effects: tuple[Excerpt, ...]
    place: str
    source: str
    uses: tuple[Relation, ...]
    used_by: tuple[Relation, ...]
    scenarios: tuple[Relation, ...]
    rulings: tuple[GalleryRuling, ...]


def gallery(pack: DeskPack, language: str, asked: GalleryQuery) -> Gallery:
    faces = pack.faces(language)
    copies = pack.copies()
    definitions = pack.program.definitions
    places = Counter(one.span for one in definitions)
    shown = [one for one in definitions if _fits(pack, faces, one, asked)]
    groups = []
    for kind in dict.fromkeys(one.kind for one in definitions):
        own = [one for one in shown if one.kind == kind]
        if not own:
            continue
        items = tuple(_item(pack, faces, one, copies, asked) for one in own)
        small = all(places[one.span] > MANY for one in own)
        counts = {item.copies for item in items}
        name = faces.texts.name(faces.language, "kind", kind) or as_words(kind)
        groups.append(GalleryGroup(_capital(name), small, counts.pop() if len(counts) == 1 else -1, items))
    found = [item.face for group in groups for item in group.items]
    emblems = {(face.emblem.name, face.mark): (face.emblem, face.mark) for face in found if face.emblem}
    kinds = tuple(_kinds(pack, faces, asked))
    return Gallery(
        tuple(groups), kinds if len(kinds) > 1 else (), tuple(_members(pack, faces, asked)), len(definitions),
        len(shown), len(kinds), tuple(emblems.values()),
    )  # fmt: skip


def _item(
    pack: DeskPack, faces: Faces, one: Definition, copies: Mapping[tuple[str, str], int], asked: GalleryQuery
) -> GalleryItem:
    id_ = f"{one.kind}/{one.key}"
    face = faces.of(one.kind, one.key)
    return GalleryItem(id_, face, near(pack, one.span), copies.get((one.kind, one.key), 0), asked.card == id_)


def _fits(pack: DeskPack, faces: Faces, one: Definition, asked: GalleryQuery) -> bool:
    if asked.kind and one.kind != asked.kind:
        return False
    if asked.member and asked.member not in _members_of(pack, one):
        return False
    words = asked.find.casefold().split()
    if not words:
        return True
    face = faces.of(one.kind, one.key)
    facts = [f"{fact.label} {fact.value}" for fact in face.facts]
    told = " ".join(
        (face.name, one.key, face.kind_name, *face.paragraphs, *facts, *face.members, face.place)
    ).casefold()
    return all(word in told for word in words)


def _members_of(pack: DeskPack, one: Definition) -> set[str]:
    """Return the members in a definition's enumeration fields, as `ENUMERATION/MEMBER`."""
    kind = next(known for known in pack.program.kinds if known.key == one.kind)
    members = {known.key: known.members for known in pack.program.enumerations}
    of = {known.key: known.type.of for known in kind.fields if known.type.name == "enumeration" and not known.per}
    found = set()
    for name, values in one.fields:
        for value in values if name in of else ():
            numbers = value if isinstance(value, tuple) else (value,)
            known = members.get(of[name], ())
            found |= {f"{of[name]}/{known[n]}" for n in numbers if 0 <= n < len(known)}
    return found


def _kinds(pack: DeskPack, faces: Faces, asked: GalleryQuery) -> Iterator[GalleryFilter]:
    for kind in dict.fromkeys(one.kind for one in pack.program.definitions):
        name = faces.texts.name(faces.language, "kind", kind) or as_words(kind)
        yield GalleryFilter(kind, _capital(name), chosen=asked.kind == kind)


def _members(pack: DeskPack, faces: Faces, asked: GalleryQuery) -> Iterator[GalleryFilter]:
    used = Counter(member for one in pack.program.definitions for member in _members_of(pack, one))
    left, last = MOST_MEMBERS, ""
    for one in pack.program.enumerations:
        for number, member in enumerate(one.members):
            value = f"{one.key}/{member}"
            if used[value] and left:
                left -= 1
                tone = faces.tone_of_member(one.key, member)
                name = faces.texts.name(faces.language, one.key, member) or as_words(member)
                apart, last = last not in ("", one.key), one.key
                yield GalleryFilter(value, _capital(name), tone, 1 + number % 12, asked.member == value, apart)


# ------------------------------------------------------------------ one definition

def detail(pack: DeskPack, language: str, id_: str) -> Detail | None:
    """Return a definition in full; None if there is none with this id."""
    kind, _, key = id_.partition("/")
    one = next((known for known in pack.program.definitions if (known.kind, known.key) == (kind, key)), None)
    item = pack.shelf.items.by_id.get(id_)
    if one is None or item is None:
        return None
    card = pack.shelf.card(item)
    facts = [fact for fact in card.facts if not (fact.source == f"kind/{kind}" and fact.written in NOTHING)]
    names = {known.key: known for known in next(k for k in pack.program.kinds if k.key == kind).fields}
    short = [fact for fact in facts if "\n" not in fact.written and (fact.key in names or len(fact.written) < 32)]
    long = [fact for fact in facts if fact not in short]
    effects = tuple(Excerpt(fact.key, fact.source, _lines(fact.written)) for fact in long)
    told = tuple((as_words(fact.key), _value(harmless(fact.written)), fact.source) for fact in short)
    return Detail(
        id_, pack.faces(language).of(kind, key), pack.copies()[kind, key], told, effects, near(pack, one.span),
        harmless(card.source), _relations(pack, card.uses), _relations(pack, card.used_by),
        _relations(pack, card.scenarios), tuple(_rulings(pack, card)),
    )  # fmt: skip


def _value(written: str) -> str:
    """Return a value as it is read: a list without its brackets."""
    return written[1:-1] if written.startswith("[") and written.endswith("]") else written


def _lines(written: str) -> tuple[SourceLine, ...]:
    return tuple(SourceLine(n, _safe(line), "", "") for n, line in enumerate(written.split("\n"), 1))


def _safe(line: str) -> str:
    """Return a line of source without what could act on its page; its indent stays."""
    bare = line.lstrip(" ")
    return " " * (len(line) - len(bare)) + harmless(bare)


def _relations(pack: DeskPack, links: tuple[CardLink, ...]) -> tuple[Relation, ...]:
    kinds = {kind.key for kind in pack.program.kinds}
    return tuple(
        Relation(
            link.id, tuple(near(pack, span) for span in link.places[:3]),
            link.id if link.id.partition("/")[0] in kinds else "",
        )
        for link in links
    )  # fmt: skip


def _rulings(pack: DeskPack, card: Card) -> Iterator[GalleryRuling]:
    """Yield the rulings of the pack's own file that a definition cites as its source."""
    cited = set(_NUMBER.findall(card.source))
    if not cited:
        return
    try:
        text = read_regular(pack.files.asked[0].root / RULINGS, LARGEST_RULINGS).decode("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        found = _RULING.fullmatch(line)
        if found and found[1] in cited:
            yield GalleryRuling(found[1], harmless(found[2]), harmless(found[3].split(" | ")[0]))


def near(pack: DeskPack, span: Span) -> str:
    """Return a place as the author names it: from the pack's folder."""
    folder = pack.shelf.folder
    path = span.path.removeprefix(f"{folder}/") if folder not in ("", ".") else span.path
    return f"{harmless(path)}:{span.line}" if path else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
