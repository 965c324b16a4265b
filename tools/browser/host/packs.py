"""Packs that are played in a worker: compiled once for each state of their files."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from attrs import define, evolve, field, frozen

from rulewright.interpreter.views.view import with_spectator
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import NO_FOLDER
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.browser.host.spec import TableSpec, unpacked
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.faces import Faces, PictureFiles, picture_files
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.naming import Naming, naming
from rulewright.tools.packs.pack_set import PackSet, with_more
from rulewright.tools.scenarios.stage import StageError, Stages

# ---- Packs that cost much and fail: remembered, so that not each page tries them again

HEAVY = 2.0
"""Seconds of processor time from which on a failure is remembered: others may be due to what came before."""
MOST_HEAVY_PACKS = 32


@define
class HeavyPacks:
    """The packs of a worker that could not be loaded, with their files and the error, by what was asked for."""

    _known: OrderedDict[tuple[object, ...], tuple[PackSet, Exception]] = field(init=False, factory=OrderedDict)

    @contextmanager
    def loading(self, asked: tuple[object, ...], files: PackSet) -> Iterator[None]:
        """Load packs from their files; raise the error again that these files have led to before."""
        known = self._known.pop(asked, None)
        if known is not None and known[0] == files:
            self._known[asked] = known
            raise known[1].with_traceback(None)
        began = time.process_time()
        try:
            yield
        except Exception as error:
            if time.process_time() - began >= HEAVY:
                self._known[asked] = files, error
            if len(self._known) > MOST_HEAVY_PACKS:
                self._known.popitem(last=False)
            raise


# ---- Packs

MOST_PACKS = 12
MOST_TABLES = 60


@frozen
class Rules:
    """A table program with everything that is needed to play and to draw it in one language."""

    program: TableProgram
    public: TableProgram
    naming: Naming
    faces: Faces
    pictures: PictureFiles
    language: str
    compiled: Compiled = field(repr=False)
    """The packs. While these rules are known, no others have its identity."""


@define
class PackShelf:
    """The packs and tables of a worker, the last used ones."""

    _packs: OrderedDict[tuple[str, bool], tuple[PackSet, Compiled]] = field(factory=OrderedDict)
    _rules: OrderedDict[tuple[object, ...], Rules] = field(factory=OrderedDict)
    _kept: OrderedDict[str, Compiled] = field(factory=OrderedDict)
    """Packs from the files that were stored with tables."""
    _heavy: HeavyPacks = field(factory=HeavyPacks)

    def compiled(self, pack: str, more: Sequence[str], scenarios: bool = False) -> Compiled:
        """Return packs as their files are now. Raises Failure with rendered findings."""
        text = with_more(pack, more)
        files = loading.read_pack_set(text, scenarios)
        known = self._packs.get((text, scenarios))
        if known is None or known[0] != files:
            with self._heavy.loading((text, scenarios), files):
                known = files, loading.compile_pack_set(files, text)
        self._packs[text, scenarios] = known
        self._packs.move_to_end((text, scenarios))
        while len(self._packs) > MOST_PACKS:
            self._packs.popitem(last=False)
        return known[1]

    def rules(self, spec: TableSpec) -> Rules:
        """Return the rules of a table as the files of its packs are now. Raises Failure."""
        compiled = self.compiled(spec.pack, spec.more, spec.scenario is not None)
        key = (
            id(compiled), len(spec.seats), spec.options, spec.language, spec.series, spec.scenario,
        )  # fmt: skip
        known = self._rules.get(key)
        if known is None:
            known = self._made(spec, compiled)
        self._rules[key] = known
        self._rules.move_to_end(key)
        while len(self._rules) > MOST_TABLES:
            self._rules.popitem(last=False)
        return known

    def under(self, spec: TableSpec, program: str, files: str) -> Rules:
        """Return the rules of a stored table: those of the packs, if their table program still has this hash, else
        those of the files as they were (`tools.browser.host.spec`). Raises Failure.
        """
        with suppress(Failure):
            rules = self.rules(spec)
            if not files or program_hash(rules.program) == program:
                return rules
        return self._made(spec, self._as_kept(files)) if files else self.rules(spec)

    def _as_kept(self, files: str) -> Compiled:
        """Return packs from their stored files. Raises Failure."""
        compiled = self._kept.pop(files, None)
        if compiled is None:
            try:
                packs = unpacked(files)
            except ValueError as error:
                raise Usage(str(error)) from None
            compiled = loading.compile_pack_set(packs, "the stored pack")
        self._kept[files] = compiled
        while len(self._kept) > MOST_PACKS:
            self._kept.popitem(last=False)
        return compiled

    def _made(self, spec: TableSpec, compiled: Compiled) -> Rules:
        compiled = _of_table(spec, compiled)
        return rules_of(_table(spec, compiled.program), compiled, spec.language)


def rules_of(table: TableProgram, compiled: Compiled, wanted: str) -> Rules:
    """Return the rules of a table program, in the wanted language if the pack has it."""
    table = without_folders(table, compiled.near)
    names = naming(table, compiled)
    language = names.language(wanted)
    faces = Faces(compiled.program, names.texts, language, names.notes.get(language, {}), compiled.near)
    pictures = picture_files(compiled.program, compiled.packs.files, compiled.owners)
    return Rules(table, with_spectator(table), names, faces, pictures, language, compiled)


def without_folders(table: TableProgram, near: Callable[[str], str]) -> TableProgram:
    """Return a table program whose rules name their files without the folders of this computer.

    Pages, messages, and journals of a table go to guests. The hash of the program stays the same.
    """
    paths = {source.span.path for source in table.sources}
    known = {path: near(path) if path else "" for path in paths}
    sources = (evolve(one, span=evolve(one.span, path=known[one.span.path])) for one in table.sources)
    return evolve(table, sources=tuple(sources))


def folders(compiled: Compiled) -> list[str]:
    """Return the folders of packs, to watch for saves."""
    return [str(files.root.resolve()) for files in compiled.packs.files if files.root != NO_FOLDER]


def _of_table(spec: TableSpec, compiled: Compiled) -> Compiled:
    """Return packs as a table plays them: a series of games, or single ones. Raises Usage."""
    return evolve(compiled, program=loading.in_series(compiled.program)) if spec.series else compiled


def _table(spec: TableSpec, program: Program) -> TableProgram:
    """Lower the program for a table, or for the position of a scenario. Raises Usage."""
    if spec.scenario is None:
        return loading.table(program, len(spec.seats), spec.options)
    if not 0 <= spec.scenario < len(program.scenarios):
        raise Usage(f"the pack has {len(program.scenarios)} scenarios, so there is no number {spec.scenario}")
    stages = Stages(program, program.scenarios)
    try:
        return stages.stage(program.scenarios[spec.scenario], bare=True).table
    except StageError as error:
        raise Usage(str(error)) from None
