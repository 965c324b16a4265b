"""Finding packs, and taking them through the passes: with a cache for what they find.

A pack is named by a path (its folder, or anything in it) or, where no such path exists, by its name: `finding`
tells where packs of a name are looked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from ruleset.source.pack_files import PACK_FILE, PACK_FILES, PackFiles, pack_root, read_pack
from tools.common.errors import FINDINGS, Failure, Usage
from tools.common.output import warn
from tools.packs import findings_cache, shadowed, unfollowed
from tools.packs.discovery import Finder, Found, shorter
from tools.packs.discovery import shipped as shipped
from tools.packs.findings_cache import Checked
from tools.packs.pack_set import PackSet, names_of, speaks_of_optional, together

if TYPE_CHECKING:
    from ruleset.check.checker import Depth
    from ruleset.findings.report import PackReport
    from ruleset.findings.skipped import Skipped
    from ruleset.loaded import Loaded
    from ruleset.program.nodes import Program
    from ruleset.table.nodes import TableProgram


DEEPEST = 4
"""Levels below a folder in which packs are looked for."""
ENVIRONMENT = "pyvenv.cfg"
"""The file that a virtual environment has."""
INSTALLED = ("site-packages", "node_modules")


@frozen
class Target:
    """A pack to check, and which of its files are asked about: none means all. Ends in `/` for a folder."""

    root: Path
    parts: tuple[str, ...] = ()


@frozen
class Compiled:
    """Packs without errors. `sources` gives the texts of their files, `owners` the packs that these belong to.

    `root` is the folder of the first pack that was named. A pack alone has no owners.
    """

    root: Path
    program: Program
    sources: dict[str, str]
    owners: dict[str, str] = field(factory=dict)
    packs: PackSet = field(factory=lambda: PackSet((), {}))
    skipped: tuple[Skipped, ...] = ()
    """As in `ruleset.loaded.Loaded`."""


# ------------------------------------------------------------------ finding


def _packs_below(folder: Path) -> list[Path]:
    """The packs in a folder, some levels deep. Links are not followed; those to packs are reported on stderr.

    Hidden folders, virtual environments, and installed packages are left out, and nobody wants the whole machine.
    """
    found: list[Path] = []
    links: list[Path] = []
    if folder.resolve() == Path(folder.resolve().anchor):
        return found
    for place, folders, files in os.walk(folder):
        own = any(name in files for name in PACK_FILES)
        if own:
            found.append(Path(place))
        if own or len(Path(place).relative_to(folder).parts) >= DEEPEST:
            folders.clear()
        if ENVIRONMENT in files:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in INSTALLED)
        links += (path for path in (Path(place, name) for name in folders) if path.is_symlink())
    unfollowed.note(links)
    if not found:  # then the command ends
        unfollowed.report(())
    return found


def find(text: str) -> Path:
    """The folder of the pack that a path or a name means."""
    return look(text).root


def look(text: str) -> Found:
    """The pack that a path or a name means, and where it was found. Raises Usage where there is none."""
    path = Path(text)
    if not text or not _exists(path):
        return _named(text)
    root = pack_root(path)
    if root is None:
        raise Usage(f"{text} is in no pack: there is no {PACK_FILE} in it or in a folder above{_names()}")
    found = Found("", root, "given", "on the command line")
    if text in shipped():  # a path that looks like a name
        shadowing(evolve(found, pack=text, where="folder of that name"))
    return found


def finder() -> Finder:
    """Looks for the packs that a command names: first beside the pack around us or, outside of any, here."""
    around = pack_root(Path())
    return Finder(beside=(around.absolute().parent if around else Path.cwd(),))


def _named(name: str) -> Found:
    looking = finder()
    found = looking.find(name)
    if found is None:
        from ruleset.common.nearest import nearest

        near = nearest(name, [one.pack for one in looking.everything()[0]])
        *places, last = looking.looked()
        told = f"looked in {', '.join(places)} and {last}"
        meant = f"; did you mean {near}?" if near else _names()
        raise Usage(f"there is no file or folder {name or repr(name)}, nor a pack of that name ({told}){meant}")
    shadowing(found)
    return found


def shadowing(found: Found) -> bool:
    """Whether a pack that was found by its name is used instead of a shipped one; it is said once, on stderr."""
    other = shipped().get(found.pack)
    if found.source == "shipped" or other is None or found.root.resolve() == other.resolve():
        return False
    root = found.root.resolve()
    if shadowed.first(root):
        warn(f"{found.pack} is {shorter(root)} ({found.where}), not the shipped pack")
    return True


def _names() -> str:
    names = ", ".join(shipped())
    return f"; the shipped packs are: {names}" if names else ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def here() -> list[Path]:
    """The pack around us or, outside of any, the packs below. Raises Usage where there is none."""
    around = pack_root(Path())
    found = [around] if around else _packs_below(Path())
    if not found:
        message = f"there is no pack here: no {PACK_FILE} in this folder, below it, or above it"
        raise Usage(f"{message}. Name a path or a pack, or say --shipped for the packs that are shipped{_names()}")
    return found


def whole(text: str) -> list[str]:
    """The packs that a path or name means: of a folder that is in no pack, all below."""
    path = Path(text)
    if "+" in text or not text or not _exists(path) or not path.is_dir() or pack_root(path) is not None:
        return [text]
    return [str(root) for root in _packs_below(path)] or [text]


def targets(paths: Sequence[str], of_shipped: bool = False) -> list[Target]:
    """What paths ask to be checked, pack by pack; without paths, what is here. `of_shipped`: shipped ones, too."""
    roots = [*shipped().values()] if of_shipped else []
    if not paths:
        return [Target(root) for root in roots or here()]
    return [*map(Target, roots), *_targets(paths)]


def _targets(paths: Sequence[str]) -> list[Target]:
    asked: dict[Path, tuple[Path, set[str]]] = {}
    whole: set[Path] = set()
    for text in paths:
        for root, part in _asked(text):
            real = root.resolve()
            asked.setdefault(real, (root, set()))[1].add(part)
            if not part:
                whole.add(real)
    return [Target(root, () if real in whole else tuple(sorted(parts))) for real, (root, parts) in asked.items()]


def _asked(text: str) -> list[tuple[Path, str]]:
    """The packs that one path asks about, each with the part of it, as a path inside of the pack."""
    path = Path(text)
    if not text or not _exists(path):
        return [(_named(text).root, "")]
    root = pack_root(path)
    if root is not None and text in shipped():
        look(text)
    if root is None:
        inside = _packs_below(path) if path.is_dir() else []
        if inside:
            return [(folder, "") for folder in inside]
        raise Usage(f"{text} is in no pack: there is no {PACK_FILE} in it, below it or in a folder above")
    part = os.path.relpath(path.resolve(), root.resolve()).replace(os.sep, "/")
    if path.is_dir():
        return [(root, "" if part == "." else f"{part}/")]
    return [(root, part)]


# ------------------------------------------------------------------ reading and checking


def read(root: Path, scenarios: bool = True) -> PackFiles:
    """The files of a pack, named as seen from here; without its `scenarios` where only the rules are wanted."""
    try:
        return read_pack(root, shown(root), scenarios)
    except OSError as error:
        raise Usage(f"cannot read {error.filename or root}: {error.strerror or error}") from None


def shown(root: Path) -> str:
    """A pack's folder as its paths are shown: relative in it and around it, else in full."""
    here, there = Path.cwd(), root.resolve()
    if there.is_relative_to(here) or here.is_relative_to(there):
        return os.path.relpath(there, here).replace(os.sep, "/")
    return root.absolute().as_posix()


def read_pack_set(text: str, scenarios: bool = True) -> PackSet:
    """The packs that `GAME+RULES` names, with all that they need; those without their scenarios."""
    return pack_set_of([read(find(name), scenarios) for name in names_of(text)])


def pack_set_of(asked: Sequence[PackFiles]) -> PackSet:
    """Packs with all that they need."""
    found = together(asked, _needed)
    if not any(map(speaks_of_optional, found.files)):
        return found
    beside = dict.fromkeys((*_beside(found.files), *finder().beside))
    known = {one.pack for one in Finder(beside=tuple(beside)).everything()[0]}
    return evolve(found, known=tuple(sorted(known)))


def _beside(files: Sequence[PackFiles]) -> list[Path]:
    """The folders around packs, apart from that of the shipped ones."""
    own = shipped().values()
    return list(dict.fromkeys(one.root.resolve().parent for one in files if one.root not in own))


def _needed(name: str, known: Sequence[PackFiles]) -> PackFiles | None:
    """A pack that others need, by its name: first of all beside them."""
    found = Finder(beside=tuple(_beside(known))).find(name)
    if found is not None:
        shadowing(found)
    return read(found.root, scenarios=False) if found is not None else None


def check(packs: PackSet, depth: Depth = "rules first") -> Checked:
    """What there is to find in packs that are used together, from the cache where it knows; `depth` as for
    `ruleset.check.checker`."""
    key = findings_cache.key_of(packs.files, depth, packs.known)
    known = findings_cache.fetch(key, packs.files)
    if known is None:
        known = checked(load_pack_set(packs, playable=False, lints=True, depth=depth))
        findings_cache.store(key, known)
    return known


def checked(loaded: Loaded) -> Checked:
    """The part of a loaded pack that is about findings."""
    return Checked(
        loaded.pack, loaded.findings, loaded.sources, loaded.suppressed, loaded.owners, loaded.unchecked,
        loaded.omitted, loaded.skipped,
    )  # fmt: skip


def load_pack_set(
    packs: PackSet,
    covering: bool = False,
    playable: bool = True,
    lints: bool = False,
    depth: Depth = "rules first",
) -> Loaded:
    """All passes. What they make is kept or goes as a whole: looking for circles in it would only take time."""
    import gc

    collecting = gc.isenabled()
    gc.disable()
    try:
        from ruleset.pipeline import load_files

        first, *more = packs.asked
        return load_files(first, covering, playable, more, packs.needed.get, lints, depth, packs.known)
    finally:
        if collecting:
            gc.freeze()  # nor does it pay later
            gc.enable()


# ------------------------------------------------------------------ compiling


def compile_pack(text: str, scenarios: bool = False, covering: bool = False) -> Compiled:
    """The program of the packs that `GAME+RULES` names. Its errors are a failure, rendered.

    With `scenarios` it has them; `covering` as for `ruleset.check.checker`.
    """
    return compile_pack_set(read_pack_set(text, scenarios), text, covering)


def compile_pack_set(packs: PackSet, text: str, covering: bool = False) -> Compiled:
    """As `compile_pack`, of packs that have been read; `text` is how they were named."""
    loaded = load_pack_set(packs, covering)
    if loaded.program is None:
        raise refused(loaded, f"{text} cannot be played before these are repaired")
    return Compiled(packs.asked[0].root, loaded.program, loaded.sources, loaded.owners, packs, loaded.skipped)


class Refused(Failure):
    """Packs that have errors. `found` are the findings, for reports in other formats than that of `report`."""

    def __init__(self, message: str, report: str, found: PackReport) -> None:
        super().__init__(message, FINDINGS, report)
        self.found = found


def refused(loaded: Loaded, why: str) -> Refused:
    """The failure that packs with errors are: these, rendered, and behind them what cannot be done."""

    from ruleset.findings.render import render_report
    from ruleset.findings.report import PackReport, Report
    from tools.common.ansi import style_for

    found = PackReport(
        loaded.pack, (), loaded.findings, (), loaded.sources, (), loaded.owners, loaded.unchecked, loaded.omitted,
        loaded.skipped,
    )  # fmt: skip
    report = render_report(Report((found,)), "full", style_for(sys.stderr))
    return Refused(why, report, found)


def table(program: Program, players: int, options: Sequence[str]) -> TableProgram:
    """The program for one table. `options` are `key=value`, as typed."""
    from ruleset.lower.lowering import TableError, lower

    try:
        return lower(program, players, chosen(options))
    except TableError as error:
        raise Usage(str(error).replace("`", "")) from None


def table_noted(
    program: Program, players: int, options: Sequence[str], known: Sequence[str] = ()
) -> tuple[TableProgram, list[str]]:
    """The program for one table, and the notices about options that have no effect there.

    The notices are printed on stderr, except those in `known`.
    """
    made = table(program, players, options)
    if not options:
        return made, []
    from tools.packs.idle_options import notices

    found = notices(program, made, chosen(options))
    for notice in found:
        if notice not in known:
            warn(notice)
    return made, found


def chosen(options: Sequence[str]) -> dict[str, str]:
    """Options by their keys. `options` are `key=value`, as typed."""
    given: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise Usage(f"an option is written key=value, not {option!r}")
        given[key] = value
    return given
