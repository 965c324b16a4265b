"""Finding packs, and taking them through the passes: with a cache for what they find.

A pack is named by a path (its folder, or anything in it) or, where no such path exists, by the name of a pack
that is shipped with rulewright.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ruleset.files import PACK_FILE, PackFiles, pack_root, read_pack
from tools import cache
from tools.cache import Checked
from tools.failure import FINDINGS, Failure, Usage

if TYPE_CHECKING:
    from ruleset.load import Loaded
    from ruleset.program import Program
    from ruleset.table import TableProgram


DEEPEST = 4
"""Levels below a folder in which packs are looked for."""


@frozen
class Target:
    """A pack to check, and which of its files are asked about: none means all. Ends in `/` for a folder."""

    root: Path
    parts: tuple[str, ...] = ()


@frozen
class Compiled:
    """A pack without errors. `sources` gives its files' texts."""

    root: Path
    program: Program
    sources: dict[str, str]


# ------------------------------------------------------------------ finding


def shipped() -> dict[str, Path]:
    """The packs that come with rulewright, by name."""
    from importlib.resources import files

    content = Path(str(files("tools"))).parent / "content"
    if not content.is_dir():
        return {}
    return {folder.name: folder for folder in _packs_in(content)}


def _packs_in(folder: Path) -> list[Path]:
    return sorted(place for place in folder.iterdir() if (place / PACK_FILE).is_file())


def _packs_below(folder: Path) -> list[Path]:
    """The packs in a folder, some levels deep; hidden folders are left out, and nobody wants the whole machine."""
    found: list[Path] = []
    if folder.resolve() == Path(folder.resolve().anchor):
        return found
    for place, folders, files in os.walk(folder):
        if PACK_FILE in files:
            found.append(Path(place))
        if PACK_FILE in files or len(Path(place).relative_to(folder).parts) >= DEEPEST:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
    return found


def find(text: str) -> Path:
    """The folder of the pack that a path or a shipped name means."""
    path = Path(text)
    if not text or not _exists(path):
        return _shipped(text)
    root = pack_root(path)
    if root is None:
        raise Usage(f"{text} is in no pack: there is no {PACK_FILE} in it or in a folder above{_names()}")
    return root


def _shipped(name: str) -> Path:
    known = shipped()
    if name not in known:
        from ruleset.nearest import nearest

        near = nearest(name, list(known))
        meant = f"; did you mean {near}?" if near else _names(known)
        raise Usage(f"there is no file or folder {name or repr(name)}, nor a shipped pack of that name{meant}")
    return known[name]


def _names(known: dict[str, Path] | None = None) -> str:
    names = ", ".join(shipped() if known is None else known)
    return f"; the shipped packs are: {names}" if names else ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def targets(paths: Sequence[str]) -> list[Target]:
    """What paths ask to be checked, pack by pack; without paths the pack around us, or else the shipped ones."""
    if not paths:
        around = pack_root(Path())
        return [Target(around)] if around else [Target(root) for root in shipped().values()]
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
        return [(_shipped(text), "")]
    root = pack_root(path)
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


def check(files: PackFiles) -> Checked:
    """What there is to find in a pack, from the cache where it knows."""
    key = cache.key_of(files)
    known = cache.fetch(key, files)
    if known is None:
        known = checked(_load(files, playable=False))
        cache.store(key, known)
    return known


def checked(loaded: Loaded) -> Checked:
    """The part of a loaded pack that is about findings."""
    return Checked(loaded.pack, loaded.findings, loaded.sources, loaded.suppressed)


def _load(files: PackFiles, covering: bool = False, playable: bool = True) -> Loaded:
    """All passes. What they make is kept or goes as a whole: looking for circles in it would only take time."""
    import gc

    collecting = gc.isenabled()
    gc.disable()
    try:
        from ruleset.load import load_files

        return load_files(files, covering, playable)
    finally:
        if collecting:
            gc.freeze()  # nor does it pay later
            gc.enable()


# ------------------------------------------------------------------ compiling


def compile_pack(text: str, scenarios: bool = False, covering: bool = False) -> Compiled:
    """The program of a pack that a path or a shipped name means. Its errors are a failure, rendered.

    With `scenarios` it has them; `covering` as for `ruleset.check`.
    """
    root = find(text)
    files = read(root, scenarios)
    loaded = _load(files, covering)
    if loaded.program is None:
        import sys

        from ruleset.render import render
        from tools.style import style_for

        report = render(loaded.findings, loaded.sources, "full", style_for(sys.stderr))
        raise Failure(f"{report}{text} cannot be played before these are repaired", FINDINGS)
    return Compiled(root, loaded.program, loaded.sources)


def table(program: Program, players: int, options: Sequence[str]) -> TableProgram:
    """The program for one table. `options` are `key=value`, as typed."""
    from ruleset.lower import TableError, lower

    chosen: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise Usage(f"an option is written key=value, not {option!r}")
        chosen[key] = value
    try:
        return lower(program, players, chosen)
    except TableError as error:
        raise Usage(str(error).replace("`", "")) from None
