"""Keeps what a short simulation needs the next time (see `tables`), and has its machine code built meanwhile.

It is kept only where a few looks tell whether anything has changed; packs with links in their folders, for example,
are read anew each time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from interpreter.backends.native.compiler.library import BuildError, begin, key_of
from interpreter.backends.native.compiler.toolchain import NoCompiler, find_compiler
from interpreter.backends.native.module import playing_source
from interpreter.cache.folder import cache_folder
from ruleset.source.pack_files import PACK_FILES, PackFiles, pack_root
from ruleset.table.nodes import TableProgram
from tools.packs import discovery as finding
from tools.packs import loading as packs
from tools.packs import shadowed
from tools.packs.pack_set import Together, names_of
from tools.simulation.columns import Columns
from tools.simulation.warm import records as tables


def keep(question: tables.Question, origin: tables.Origin, program: TableProgram) -> None:
    """Keeps a table. Where there is no compiler, nothing is kept."""
    compiler = find_compiler()
    if isinstance(compiler, NoCompiler):
        return
    text = playing_source(program).text
    key = key_of(text, compiler)
    try:
        begin(text, compiler).leave()
    except BuildError:
        return
    columns = Columns(program)
    known = tables.Known(
        *(program.pack, program.version, program.seats, program.options, key),
        *(columns.addresses, len(columns.winners), len(columns.scores)),
        [(column.track, column.seat, column.members) for column in columns.columns],
    )
    tables.keep(question, origin, known)


def origin_of(text: str, together: Together, own: str) -> tables.Origin | None:
    """What tells whether the packs that `GAME+RULES` names are as they were; None where nothing can, or nothing can
    be kept. `own` is the state of our code before these packs were read; the places should be looked at soon after.
    """
    if cache_folder() is None or shadowed.any_used():  # who uses such a pack is told so each time
        return None
    rules = [(os.path.abspath(files.root), _checksum(files)) for files in together.files]
    if any(checksum == "" or tables.checksum_of(root) != checksum for root, checksum in rules):
        return None
    looked = dict.fromkeys(_places(text, together))
    if any(how == "installed" for how, _ in looked) and any(finding.offering()):
        return None  # what such packages bring may lie anywhere
    places = [(how, path, tables.LOOKS[how](path)) for how, path in looked]
    return tables.Origin(own, [*places, *(("rules", root, checksum) for root, checksum in rules)])


def _checksum(files: PackFiles) -> str:
    """The checksum of a pack as it was read; nothing where there was something wrong with its files."""
    if files.found:
        return ""
    shown = packs.shown(files.root)
    prefix = "" if shown in ("", ".") else f"{shown}/"
    return tables.checksum((name.removeprefix(prefix), data) for name, data in files.files)


# ------------------------------------------------------------------ where packs are looked for


def _places(text: str, together: Together) -> Iterator[tuple[str, str]]:
    """The places that say which packs are meant, each with how it is looked at."""
    names = names_of(text)
    if len(names) > 1:
        yield "file", os.path.abspath(text)
    beside: list[Path] = []
    for name, files in zip(names, together.asked, strict=True):
        path = Path(name)
        if path.exists():
            yield from _above(path if path.is_dir() else path.parent, files.root)
        else:
            yield "file", os.path.abspath(name)
            beside += packs.finder().beside
            yield from _above(Path(), pack_root(Path()))
    if together.needed:
        beside += [files.root.resolve().parent for files in together.files]
    if beside:
        yield from _searched(beside)


def _above(start: Path, root: Path | None) -> Iterator[tuple[str, str]]:
    """The folders from one upwards to that of the pack around it, if there is one: none of them has a pack."""
    for folder in (start.absolute(), *start.absolute().parents):
        if root is not None and folder.resolve() == root.resolve():
            return
        for name in PACK_FILES:
            yield "file", os.path.abspath(folder / name)


def _searched(beside: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """All places in which packs are looked for by their names."""
    own = finding.user_folder()
    content = {root.parent for root in finding.shipped().values()}
    for folder in (*beside, *finding.environment_folders(), *([own] if own else []), *content):
        yield "packs", os.path.abspath(folder)
    for entry in sys.path:
        yield "installed", os.path.abspath(entry or ".")
