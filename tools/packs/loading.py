"""Find packs and run the passes on them, with a cache for findings.

A pack is named by a path (its folder, or anything in it) or, if no such path exists, by its name;
`tools.packs.discovery` lists the places to search.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from rulewright.ruleset.source.pack_files import NO_FOLDER, PACK_FILE, PACK_FILES, PackFiles, pack_root, read_pack
from rulewright.tools.common.errors import FINDINGS, Failure, Usage
from rulewright.tools.common.output import warn
from rulewright.tools.packs import discovery, findings_cache
from rulewright.tools.packs.discovery import Finder, FoundPack, shorter
from rulewright.tools.packs.discovery import shipped as shipped
from rulewright.tools.packs.findings_cache import CachedFindings
from rulewright.tools.packs.pack_set import PackSet, names_of, speaks_of_optional, together

if TYPE_CHECKING:
    from rulewright.ruleset.check.checker import Depth
    from rulewright.ruleset.findings.causes import Skipped
    from rulewright.ruleset.findings.report import PackReport
    from rulewright.ruleset.loaded import Loaded
    from rulewright.ruleset.program.nodes import Program
    from rulewright.ruleset.table.nodes import TableProgram


DEEPEST = 4
"""Depth to which folders are searched for packs."""
ENVIRONMENT = "pyvenv.cfg"
"""The file that marks a virtual environment."""
INSTALLED = ("site-packages", "node_modules")


@frozen
class CheckTarget:
    """A pack to check, and the selected files in it; none means all. Folders end in `/`."""

    root: Path
    parts: tuple[str, ...] = ()


@frozen
class Compiled:
    """Packs without errors. `sources` has the texts of their files, `owners` the packs of the files.

    `root` is the folder of the first named pack. A single pack has no owners.
    """

    root: Path
    program: Program
    sources: dict[str, str]
    owners: dict[str, str] = field(factory=dict)
    packs: PackSet = field(factory=lambda: PackSet((), {}))
    skipped: tuple[Skipped, ...] = ()
    """As in `ruleset.loaded.Loaded`."""

    def near(self, path: str) -> str:
        """Return the path of a file below the name of its pack, without the folders of this computer above it."""
        roots = (one.root for one in self.packs.files if any(name == path for name, _ in one.files))
        root = next(roots, None)
        if root == NO_FOLDER:
            return path  # it is from a saved game, and below the name of its pack already
        inside = PurePath(os.path.relpath(path, root)) if root is not None else PurePath(path)
        below = inside.as_posix() if ".." not in inside.parts and not inside.is_absolute() else inside.name
        if root is None and inside.parts[0] in {*self.owners.values(), *self.program.pack.split("+")}:
            return below  # it comes from a kept table, and is below the name of its pack already
        return f"{self.owners.get(path, self.program.pack)}/{below}"


# ------------------------------------------------------------------ finding

def _packs_below(folder: Path) -> list[Path]:
    """Return the packs in a folder, some levels deep.

    Links are not followed; links to packs are reported on stderr. Hidden folders, virtual environments, installed
    packages, and the root of the file system are left out.
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
    discovery.note(links)
    if not found:  # the command ends then
        discovery.report(())
    return found


def find(text: str) -> Path:
    """Return the folder of the pack that a path or name means."""
    return look(text).root


def look(text: str) -> FoundPack:
    """Return the pack that a path or name means, and where it was found. Raises Usage if there is none."""
    path = Path(text)
    if not text or not _exists(path):
        return _named(text)
    root = pack_root(path)
    if root is None:
        raise Usage(f"{text} is not part of a pack: no {PACK_FILE} in it or in a folder above it{_names()}")
    found = FoundPack("", root, "given", "on the command line")
    if text in shipped():  # a path that looks like a name
        shadowing(evolve(found, pack=text, where="folder of that name"))
    return found


def finder() -> Finder:
    """Return a finder for named packs: it searches first next to the enclosing pack or, without one, here."""
    around = pack_root(Path())
    return Finder(beside=(around.absolute().parent if around else Path.cwd(),))


def _named(name: str) -> FoundPack:
    looking = finder()
    found = looking.find(name)
    if found is None:
        from rulewright.ruleset.common.nearest import nearest

        near = nearest(name, [one.pack for one in looking.everything()[0]])
        *places, last = looking.looked()
        meant = f"; did you mean {near}?" if near else _names()
        where = f"{', '.join(places)}, or {last}"
        raise Usage(f"{name or repr(name)} not found: no such file or folder, and no such pack in {where}{meant}")
    shadowing(found)
    return found


def shadowing(found: FoundPack) -> bool:
    """Whether a pack found by name replaces a shipped one; this is reported once, on stderr."""
    other = shipped().get(found.pack)
    if found.source == "shipped" or other is None or found.root.resolve() == other.resolve():
        return False
    root = found.root.resolve()
    if discovery.first(root):
        warn(f"{found.pack} is {shorter(root)} ({found.where}), not the shipped pack")
    return True


def _names() -> str:
    names = ", ".join(shipped())
    return f"; shipped packs: {names}" if names else ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def here() -> list[Path]:
    """Return the enclosing pack or, without one, the packs below. Raises Usage if there are none."""
    around = pack_root(Path())
    found = [around] if around else _packs_below(Path())
    if not found:
        message = f"no pack found: no {PACK_FILE} in this folder, below it, or above it"
        raise Usage(f"{message}; name a pack, or use --shipped for all packs that come with rulewright{_names()}")
    return found


def whole(text: str) -> list[str]:
    """Return the packs that a path or name means; a folder outside any pack means all packs below it."""
    path = Path(text)
    if "+" in text or not text or not _exists(path) or not path.is_dir() or pack_root(path) is not None:
        return [text]
    return [str(root) for root in _packs_below(path)] or [text]


def targets(paths: Sequence[str], of_shipped: bool = False) -> list[CheckTarget]:
    """Return what to check, pack by pack; without paths, the packs here. `of_shipped` adds the shipped packs."""
    roots = [*shipped().values()] if of_shipped else []
    if not paths:
        return [CheckTarget(root) for root in roots or here()]
    return [*map(CheckTarget, roots), *_targets(paths)]


def _targets(paths: Sequence[str]) -> list[CheckTarget]:
    asked: dict[Path, tuple[Path, set[str]]] = {}
    whole: set[Path] = set()
    for text in paths:
        for root, part in _asked(text):
            real = root.resolve()
            asked.setdefault(real, (root, set()))[1].add(part)
            if not part:
                whole.add(real)
    return [
        CheckTarget(root, () if real in whole else tuple(sorted(parts))) for real, (root, parts) in asked.items()
    ]


def _asked(text: str) -> list[tuple[Path, str]]:
    """Return the packs that one path selects, each with the selected part as a path inside the pack."""
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
        raise Usage(f"{text} is not part of a pack: no {PACK_FILE} in it, below it, or in a folder above it")
    part = os.path.relpath(path.resolve(), root.resolve()).replace(os.sep, "/")
    if path.is_dir():
        return [(root, "" if part == "." else f"{part}/")]
    return [(root, part)]


# ------------------------------------------------------------------ reading and checking

def read(root: Path, scenarios: bool = True) -> PackFiles:
    """Read the files of a pack, with paths relative to here; `scenarios=False` leaves out scenarios."""
    try:
        return read_pack(root, shown(root), scenarios)
    except OSError as error:
        raise Usage(f"cannot read {error.filename or root}: {error.strerror or error}") from None


def shown(root: Path) -> str:
    """Return a pack's folder as shown: a relative path inside it and around it, else the full path."""
    here, there = Path.cwd(), root.resolve()
    if there.is_relative_to(here) or here.is_relative_to(there):
        return os.path.relpath(there, here).replace(os.sep, "/")
    return root.absolute().as_posix()


def read_pack_set(text: str, scenarios: bool = True) -> PackSet:
    """Read the packs that `GAME+RULES` names, and the packs that they need; the latter without scenarios."""
    return pack_set_of([read(find(name), scenarios) for name in names_of(text)])


def pack_set_of(asked: Sequence[PackFiles]) -> PackSet:
    """Add the packs that these need."""
    found = together(asked, _needed)
    if not any(map(speaks_of_optional, found.files)):
        return found
    beside = dict.fromkeys((*_beside(found.files), *finder().beside))
    known = {one.pack for one in Finder(beside=tuple(beside)).everything()[0]}
    return evolve(found, known=tuple(sorted(known)))


def _beside(files: Sequence[PackFiles]) -> list[Path]:
    """Return the folders around packs, except that of the shipped ones."""
    own = shipped().values()
    return list(dict.fromkeys(one.root.resolve().parent for one in files if one.root not in own))


def _needed(name: str, known: Sequence[PackFiles]) -> PackFiles | None:
    """Read a pack that others need, searching next to them first."""
    found = Finder(beside=tuple(_beside(known))).find(name)
    if found is not None:
        shadowing(found)
    return read(found.root, scenarios=False) if found is not None else None


def check(packs: PackSet, depth: Depth = "rules first") -> CachedFindings:
    """Return the findings in packs that are used together, from the cache if known.

    `depth` is as in `ruleset.check.checker`.
    """
    key = findings_cache.key_of(packs.files, depth, packs.known)
    known = findings_cache.fetch(key, packs.files)
    if known is None:
        known = checked(load_pack_set(packs, playable=False, lints=True, depth=depth))
        findings_cache.store(key, known)
    return known


def checked(loaded: Loaded) -> CachedFindings:
    """Return the findings part of a loaded pack."""
    return CachedFindings(
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
    """Run all passes. Garbage collection is off: nearly everything they create is kept, or freed as a whole."""
    import gc

    collecting = gc.isenabled()
    gc.disable()
    try:
        from rulewright.ruleset.pipeline import load_files

        first, *more = packs.asked
        return load_files(first, covering, playable, more, packs.needed.get, lints, depth, packs.known)
    finally:
        if collecting:
            gc.freeze()  # later collections can skip it too
            gc.enable()


# ------------------------------------------------------------------ compiling

def compile_pack(text: str, scenarios: bool = False, covering: bool = False) -> Compiled:
    """Compile the packs that `GAME+RULES` names. Errors raise a failure with the rendered findings.

    With `scenarios`, the program has them; `covering` is as in `ruleset.check.checker`.
    """
    return compile_pack_set(read_pack_set(text, scenarios), text, covering)


def compile_pack_set(packs: PackSet, text: str, covering: bool = False) -> Compiled:
    """Compile packs that have been read; `text` is their name on the command line."""
    loaded = load_pack_set(packs, covering)
    if loaded.program is None:
        raise refused(loaded, f"{text} cannot be played until its errors are fixed")
    return Compiled(packs.asked[0].root, loaded.program, loaded.sources, loaded.owners, packs, loaded.skipped)


class PacksRefused(Failure):
    """Packs with errors. `found` has the findings, for reports in other formats than `report`."""

    def __init__(self, message: str, report: str, found: PackReport) -> None:
        super().__init__(message, FINDINGS, report)
        self.found = found


def refused(loaded: Loaded, why: str) -> PacksRefused:
    """Return the failure for packs with errors: the rendered findings, followed by the consequence."""

    from rulewright.ruleset.findings.render import render_report
    from rulewright.ruleset.findings.report import PackReport, Report
    from rulewright.tools.common.output import style_for

    found = PackReport(
        loaded.pack, (), loaded.findings, (), loaded.sources, (), loaded.owners, loaded.unchecked, loaded.omitted,
        loaded.skipped,
    )  # fmt: skip
    report = render_report(Report((found,)), "full", style_for(sys.stderr))
    return PacksRefused(why, report, found)


def table(program: Program, players: int, options: Sequence[str]) -> TableProgram:
    """Lower the program for one table. `options` are `key=value`, as typed."""
    from rulewright.ruleset.lower.lowering import TableError, lower

    try:
        return lower(program, players, chosen(options))
    except TableError as error:
        raise Usage(str(error).replace("`", "")) from None


def in_series(program: Program) -> Program:
    """Return the program of the pack's series of games. Raises Usage."""
    from rulewright.ruleset.program.traversal import NoSeries, whole_series

    try:
        return whole_series(program)
    except NoSeries as error:
        raise Usage(f"{error}, so it cannot be played with --series") from None


def table_noted(
    program: Program, players: int, options: Sequence[str], known: Sequence[str] = ()
) -> tuple[TableProgram, list[str]]:
    """Lower the program for one table; return it with notices about options without an effect.

    The notices are printed on stderr, except those in `known`.
    """
    made = table(program, players, options)
    if not options:
        return made, []
    from rulewright.tools.packs.idle_options import notices

    found = notices(program, made, chosen(options))
    for notice in found:
        if notice not in known:
            warn(notice)
    return made, found


def chosen(options: Sequence[str]) -> dict[str, str]:
    """Parse options of the form `key=value`."""
    given: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise Usage(f"expected an option as key=value, found {option!r}")
        given[key] = value
    return given
