"""Packs on the designer's desk: as their files are now or, with mistakes, as they were last without."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence

from attrs import define, field, frozen

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.browser.host.heavy_packs import HeavyPacks
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.display.card import Shelf
from rulewright.tools.display.shelves import shelf_of
from rulewright.tools.faces.face import Faces
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.pack_set import PackSet, with_more
from rulewright.tools.scenarios.stage import Stages

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
