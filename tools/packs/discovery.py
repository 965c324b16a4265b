"""Find packs by name, and list all packs.

The name of a pack is in its `pack.yaml`, after `pack:`. These places are searched in order, and the first match
counts: packs that the caller knows by their paths; folders that the caller names, such as the one around the pack
that asks; the folders of RULEWRIGHT_PACKS; the user's own folder; installed distributions with an entry point in
the group `rulewright.packs`; the shipped packs. A folder of packs is searched one level deep.

Nothing is run or imported: an entry point `NAME = "path.of.folder"` only locates the folder. Broken packs are
skipped and reported as troubles.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from rulewright.ruleset.common.regular_files import read_regular
from rulewright.ruleset.source.pack_files import PACK_FILE, pack_file
from rulewright.tools.common.output import warn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import Distribution


VARIABLE = "RULEWRIGHT_PACKS"
GROUP = "rulewright.packs"
"""The group of entry points."""
LARGEST = 1024 * 1024
"""Limit in bytes of a `pack.yaml` whose name is read, and of the metadata of a distribution."""

Source = Literal["given", "beside", "environment", "user", "installed", "shipped"]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_DECLARED = re.compile(rb"^pack:[ \t]+([\"']?)([a-z][a-z0-9-]*)\1[ \t]*(?:[ \t]#.*)?\r?(?=\n|\Z)", re.MULTILINE)
_METADATA = (".dist-info", ".egg-info")


@frozen
class FoundPack:
    """A pack: its name, its folder, and where it was found, in words."""

    pack: str
    root: Path
    source: Source
    where: str


@frozen
class Finder:
    """Searches for packs. `given` are packs known by name; `beside` are folders to search."""

    given: Mapping[str, Path] = field(factory=dict)
    beside: tuple[Path, ...] = ()

    def find(self, name: str) -> FoundPack | None:
        """Return the pack of this name, or None. A place is searched only if no earlier place has the pack."""
        if not _NAME.fullmatch(name):
            return None
        return next((found for found in self._all(name, []) if found.pack == name), None)

    def everything(self) -> tuple[list[FoundPack], list[str]]:
        """Return all packs in all places, and descriptions of troubles.

        Packs of one name are in order of precedence.
        """
        found, troubles = self.folders_of_packs()
        for one in found:
            if not one.pack:
                place = shorter(pack_file(one.root) or one.root / PACK_FILE)
                troubles.append(f"{place} cannot be read, or does not begin with pack: NAME")
        return [one for one in found if one.pack], troubles

    def folders_of_packs(self) -> tuple[list[FoundPack], list[str]]:
        """Return the packs in all places, those without a readable name too, and troubles with the places."""
        troubles: list[str] = []
        seen: dict[Path, FoundPack] = {}
        for found in self._all(None, troubles):
            seen.setdefault(found.root.resolve(), found)
        return list(seen.values()), troubles

    def looked(self) -> list[str]:
        """Describe the searched places, for a message about a pack that was not found."""
        return [*self.folders(), "installed packages", "the shipped packs"]

    def folders(self) -> list[str]:
        """Return the searched folders."""
        folders = [shorter(folder) for folder in self.beside]
        variable = [VARIABLE] if os.environ.get(VARIABLE) else []
        own = user_folder()
        return [*folders, *variable, *([shorter(own)] if own else [])]

    def _all(self, guess: str | None, troubles: list[str]) -> Iterator[FoundPack]:
        """Yield every pack and possible pack; the folder called `guess`, if given, comes first."""
        for name, root in self.given.items():
            yield FoundPack(name, root, "given", "on the command line")
        for folder in self.beside:
            yield from _in(folder, guess, "beside", "beside")
        for folder in environment_folders():
            if not is_folder(folder):
                troubles.append(f"{VARIABLE} names {folder}, which is not a folder")
            yield from _in(folder, guess, "environment", VARIABLE)
        own = user_folder()
        if own is not None:
            yield from _in(own, guess, "user", "your packs")
        yield from _installed(guess, troubles)
        for _, root in sorted(shipped().items(), key=lambda item: item[0] != guess):
            yield FoundPack(name_of(root), root, "shipped", "shipped")


# ------------------------------------------------------------------ places

def shipped() -> dict[str, Path]:
    """Return the shipped packs by name."""
    content = Path(__file__).parents[2] / "content"  # importing importlib.resources takes 20 ms
    return {folder.name: folder for folder in _packs_in(content)}


def environment_folders() -> list[Path]:
    """Return the folders of RULEWRIGHT_PACKS, existing or not."""
    return [Path(text).expanduser() for text in os.environ.get(VARIABLE, "").split(os.pathsep) if text.strip()]


def user_folder() -> Path | None:
    """Return the folder for packs that all commands find; None if the user has no home."""
    if (shared := os.environ.get("XDG_DATA_HOME", "")) and Path(shared).is_absolute():
        return Path(shared, "rulewright", "packs")
    home = os.path.expanduser("~")
    return Path(home, ".local", "share", "rulewright", "packs") if home != "~" else None


def _in(folder: Path, guess: str | None, source: Source, where: str) -> Iterator[FoundPack]:
    """Yield the packs in a folder, or the folder itself if it is a pack."""
    first = folder / guess if guess else None
    if first is not None and is_pack(first):
        yield FoundPack(name_of(first), first, source, where)
    for root in ([folder] if is_pack(folder) else []) + _packs_in(folder):
        if root != first:
            yield FoundPack(name_of(root), root, source, where)


def _packs_in(folder: Path) -> list[Path]:
    try:
        return sorted(place for place in folder.iterdir() if not place.name.startswith(".") and is_pack(place))
    except OSError:
        return []


def is_pack(folder: Path) -> bool:
    """Whether a folder has a readable `pack.yaml`."""
    return pack_file(folder) is not None


def is_folder(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except (OSError, ValueError):
        return False


def shorter(path: Path) -> str:
    """Abbreviate the user's home in a path to `~`."""
    home = os.path.expanduser("~")
    text = str(path.absolute())
    return f"~{text[len(home) :]}" if home != "~" and text.startswith(f"{home.rstrip(os.sep)}{os.sep}") else text


# ------------------------------------------------------------------ names

def name_of(root: Path) -> str:
    """Return the name in a pack's `pack.yaml`; "" if it cannot be read."""
    try:
        data = read_regular(pack_file(root) or root / PACK_FILE, LARGEST)
    except OSError:
        return ""
    if found := _DECLARED.search(data):
        return found[2].decode("ascii")
    if b"pack" not in data:
        return ""
    from rulewright.ruleset.packs import head_of
    from rulewright.ruleset.source.reader import decode, read

    head = head_of(read(PACK_FILE, decode(data).removeprefix("\ufeff")).documents)
    return head.pack if head else ""


# ------------------------------------------------------------------ installed distributions

def _installed(guess: str | None, troubles: list[str]) -> Iterator[FoundPack]:
    """Yield the packs of entry points; those of the entry point called `guess`, if given, come first."""
    entries = [entry for folder in offering() for entry in _entries(folder, troubles)]
    for name, value, distribution, called in sorted(entries, key=lambda entry: entry[0] != guess):
        what = f"the entry point {name} = {value} of package {called}"
        try:
            folder = _folder_of(distribution, value)
        except Exception as error:  # import hooks and broken metadata can raise anything
            troubles.append(f"{what} cannot be loaded: {type(error).__name__}")
            continue
        packs = list(_in(folder, guess, "installed", f"package {called}")) if folder else []
        if not packs:
            troubles.append(f"{what} does not point to a folder with a {PACK_FILE}")
        yield from packs


def offering() -> Iterator[Path]:
    """Yield the metadata folders of distributions that mention our group.

    Reading a few small files is much quicker than importing `importlib.metadata`, and most users have none. Of
    several distributions with one name, the first on the path counts, as for imports.
    """
    seen: set[str] = set()
    for place in sys.path:
        try:
            with os.scandir(place or ".") as entries:
                folders = sorted(entry.path for entry in entries if entry.name.endswith(_METADATA))
        except OSError:
            continue
        for folder in folders:
            name = re.sub(r"[-_.]+", "-", Path(folder).stem.partition("-")[0]).lower()
            if name not in seen and _names_group(Path(folder)):
                yield Path(folder)
            seen.add(name)


def _names_group(folder: Path) -> bool:
    try:
        return GROUP.encode() in read_regular(folder / "entry_points.txt", LARGEST)
    except OSError:
        return False


def _entries(folder: Path, troubles: list[str]) -> list[tuple[str, str, Distribution, str]]:
    """Return name and value of each entry point of a distribution, with the distribution and its name."""
    from importlib.metadata import Distribution

    called = folder.stem.partition("-")[0]
    try:
        distribution = Distribution.at(folder)
        chosen = distribution.entry_points.select(group=GROUP)
        return [(entry.name, entry.value, distribution, called) for entry in chosen]
    except Exception as error:  # broken metadata can raise anything
        what = f"the entry points of package {called}"
        troubles.append(f"{what} cannot be read: {type(error).__name__}")
        return []


def _folder_of(distribution: Distribution, value: str) -> Path | None:
    """Return the folder that `path.of.folder` means, or None.

    It is searched among the distribution's files or, if those are elsewhere (in an editable install), in its
    package. Only the outermost package is located, since Python runs a package to find what is inside.
    """
    parts = value.partition(":")[0].strip().split(".")
    if not all(re.fullmatch(r"[\w-]+", part) for part in parts):
        return None
    folder = Path(str(distribution.locate_file("/".join(parts))))
    if is_folder(folder):
        return folder
    import importlib.util

    spec = importlib.util.find_spec(parts[0]) if parts[0].isidentifier() else None
    places = (spec.submodule_search_locations if spec else None) or ()
    return next((inner for place in places if is_folder(inner := Path(place, *parts[1:]))), None)


# ---- Packs that replace shipped packs of the same name. Each is reported once in a command

_used: set[Path] = set()


def begin_shadowed() -> None:
    """Start a new command: forget what was reported. A process may run several commands."""
    _used.clear()


def first(root: Path) -> bool:
    """Record that the pack in a folder is used; return whether this is the first time in this command."""
    before = len(_used)
    _used.add(root)
    return len(_used) > before


# ---- Links to packs that a command does not check: searching folders for packs does not follow links

MOST = 1_000
"""Limit of entries of a linked folder that are searched for packs."""
_noted: dict[Path, None] = {}


def begin_unfollowed() -> None:
    """Forget all links: a new command begins. A process may run several."""
    _noted.clear()


def note(links: Iterable[Path]) -> None:
    """Record links that were not followed."""
    _noted.update(dict.fromkeys(links))


def report(checked: Iterable[Path]) -> None:
    """Report links to packs, or to folders with packs in them, on stderr.

    `checked` are the packs of the command. A link is not reported if all packs there are checked, for example
    because they are named on the command line.
    """
    known = {os.path.realpath(root) for root in checked}
    for link in _noted:
        if any(os.path.realpath(root) not in known for root in _packs_at(link)):
            warn(f"not checked: {link.as_posix()} is a link; to check it, name it on the command line")
    _noted.clear()


def _packs_at(link: Path) -> Iterator[Path]:
    """Yield the packs at the end of a link: the folder itself, or those directly in it."""
    from rulewright.ruleset.source.pack_files import (
        pack_file,  # every command imports this module, few need more than `begin_unfollowed`
    )

    try:
        if pack_file(link) is not None:
            yield link
            return
        with os.scandir(link) as entries:
            names = sorted(entry.name for entry in islice(entries, MOST) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    yield from (link / name for name in names if pack_file(link / name) is not None)
