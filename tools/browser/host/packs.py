"""Packs that are played in a worker: compiled once for each state of their files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress

from attrs import define, evolve, field, frozen

from interpreter.backends.factory import make
from interpreter.state.backend_protocol import Backend
from interpreter.views.spectator import with_spectator
from ruleset.program.nodes import Program, Unit
from ruleset.table.canonical import program_hash
from ruleset.table.nodes import TableProgram
from tools.browser.host.kept_files import packed, unpacked
from tools.browser.host.spec import TableSpec
from tools.common.errors import Failure, Usage
from tools.faces.face import Faces
from tools.faces.picture_files import PictureFiles, picture_files
from tools.packs import loading
from tools.packs.loading import Compiled
from tools.packs.naming import Naming, naming
from tools.packs.pack_set import PackSet, with_more
from tools.scenarios.stage import StageError, Stages

MOST_PACKS = 12
MOST_TABLES = 60
BACKEND = "python"


@frozen
class Rules:
    """A table program with everything that is needed to play and to draw it in one language."""

    program: TableProgram
    public: TableProgram
    naming: Naming
    faces: Faces
    pictures: PictureFiles
    language: str
    backend: Backend
    compiled: Compiled | None = field(default=None, repr=False)
    """The packs, if they are there. While these rules are known, no others have its identity."""


@define
class PackShelf:
    """The packs and tables of a worker, the last used ones."""

    _packs: OrderedDict[tuple[str, bool], tuple[PackSet, Compiled]] = field(factory=OrderedDict)
    _rules: OrderedDict[tuple[object, ...], Rules] = field(factory=OrderedDict)
    _kept: OrderedDict[str, Compiled] = field(factory=OrderedDict)
    """Packs from the files that were stored with tables."""

    def compiled(self, pack: str, more: Sequence[str], scenarios: bool = False) -> Compiled:
        """Return packs as their files are now. Raises Failure with rendered findings."""
        text = with_more(pack, more)
        files = loading.read_pack_set(text, scenarios)
        known = self._packs.get((text, scenarios))
        if known is None or known[0] != files:
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

    def under(self, spec: TableSpec, program: TableProgram, files: str = "") -> Rules:
        """Return the rules of a stored program: those of the packs, if these are still the same.

        `files` are those of the packs as they were (`tools.browser.host.kept_files`).
        """
        with suppress(Failure):
            rules = self.rules(spec)
            if program_hash(rules.program) == program_hash(program):
                return rules
        return self.as_before(spec, program, files)

    def as_before(self, spec: TableSpec, program: TableProgram, files: str = "") -> Rules:
        """Return rules that the packs no longer have: with the names of the stored files, else of the packs as they
        are now, else without names.
        """
        scenarios = spec.scenario is not None
        for kept in (files, ""):
            with suppress(Failure, LookupError, ValueError):  # gone, with errors, or with nothing in common
                compiled = self._as_kept(kept) if kept else self.compiled(spec.pack, spec.more, scenarios)
                return rules_of(program, _of_table(spec, compiled), spec.language)
        return nameless_rules(program, spec.language)

    def _as_kept(self, files: str) -> Compiled:
        """Return packs from their stored files. Raises Failure and ValueError."""
        compiled = self._kept.pop(files, None)
        if compiled is None:
            compiled = loading.compile_pack_set(unpacked(files), "the stored pack")
        self._kept[files] = compiled
        while len(self._kept) > MOST_PACKS:
            self._kept.popitem(last=False)
        return compiled

    def _made(self, spec: TableSpec, compiled: Compiled) -> Rules:
        compiled = _of_table(spec, compiled)
        return rules_of(_table(spec, compiled.program), compiled, spec.language)


def rules_of(table: TableProgram, compiled: Compiled, wanted: str) -> Rules:
    """Return the rules of a table program, in the wanted language if the pack has it."""
    names = naming(table, compiled)
    language = names.language(wanted)
    faces = Faces(compiled.program, names.texts, language, names.notes.get(language, {}))
    pictures = picture_files(compiled.program, compiled.packs.files, compiled.owners)
    backend = make(table, BACKEND, narrating=True)
    return Rules(table, with_spectator(table), names, faces, pictures, language, backend, compiled)


def nameless_rules(table: TableProgram, language: str) -> Rules:
    """Return the rules of a table program whose pack is not there: everything is shown by its key."""
    names = naming(table)
    nothing = Program(
        table.pack, table.version, table.seats, table.seats, (), (), (), (), (), (), (), (), (), (), (), (),
        Unit("", 0, (), (), 0), table.sources,
    )  # fmt: skip
    faces, pictures = Faces(nothing, names.texts, language), PictureFiles({}, frozenset())
    backend = make(table, BACKEND, narrating=True)
    return Rules(table, with_spectator(table), names, faces, pictures, language, backend)


def folders(compiled: Compiled | None) -> list[str]:
    """Return the folders of packs, to watch for saves."""
    return [str(files.root.resolve()) for files in compiled.packs.files] if compiled is not None else []


def files_of(compiled: Compiled | None) -> str:
    """Return the files of packs, to be stored with a table; empty for none."""
    return packed(compiled.packs) if compiled is not None else ""


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
