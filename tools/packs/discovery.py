"""From the name of a pack to its folder, and the list of all packs that there are.

A pack is called what its `pack.yaml` says behind `pack:`. It is looked for in this order, and the first counts:
among packs that the caller knows by their paths; in folders that the caller names, such as the one around the pack
that asks; in the folders of RULEWRIGHT_PACKS; in the user's own folder; in installed distributions with an entry
point in the group `rulewright.packs`; among those that are shipped. A folder of packs is searched one level deep.

Nothing that is found is run or imported: an entry point `NAME = "path.of.folder"` only says where the folder lies.
What is broken is passed over, and told as a trouble.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from ruleset.common.regular_files import read_regular
from ruleset.source.pack_files import PACK_FILE, pack_file

if TYPE_CHECKING:
    from importlib.metadata import Distribution

VARIABLE = "RULEWRIGHT_PACKS"
GROUP = "rulewright.packs"
"""Of entry points."""
LARGEST = 1024 * 1024
"""Bytes of a `pack.yaml` whose name is asked for, and of the metadata of a distribution."""

Source = Literal["given", "beside", "environment", "user", "installed", "shipped"]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_DECLARED = re.compile(rb"^pack:[ \t]+([\"']?)([a-z][a-z0-9-]*)\1[ \t]*(?:[ \t]#.*)?\r?(?=\n|\Z)", re.MULTILINE)
_METADATA = (".dist-info", ".egg-info")


@frozen
class Found:
    """A pack that was found: its name, its folder, and where that was, in words."""

    pack: str
    root: Path
    source: Source
    where: str


@frozen
class Finder:
    """Looks for packs. `given` are those that are known by name; in the folders `beside` packs are looked for."""

    given: Mapping[str, Path] = field(factory=dict)
    beside: tuple[Path, ...] = ()

    def find(self, name: str) -> Found | None:
        """The pack of a name. A place is looked at only when those before it did not have it."""
        if not _NAME.fullmatch(name):
            return None
        return next((found for found in self._all(name, []) if found.pack == name), None)

    def everything(self) -> tuple[list[Found], list[str]]:
        """All packs in all places, those of one name in the order in which they count; and what is broken."""
        troubles: list[str] = []
        seen: dict[Path, Found] = {}
        for found in self._all(None, troubles):
            seen.setdefault(found.root.resolve(), found)
        for found in seen.values():
            if not found.pack:
                place = shorter(pack_file(found.root) or found.root / PACK_FILE)
                troubles.append(f"{place} cannot be read, or does not begin with pack: NAME")
        return [found for found in seen.values() if found.pack], troubles

    def looked(self) -> list[str]:
        """The places, in words, for whoever does not find what they look for."""
        folders = [shorter(folder) for folder in self.beside]
        variable = [VARIABLE] if os.environ.get(VARIABLE) else []
        own = user_folder()
        return [*folders, *variable, *([shorter(own)] if own else []), "installed packages", "the shipped packs"]

    def _all(self, guess: str | None, troubles: list[str]) -> Iterator[Found]:
        """Every pack, and what may be one; with a guess at its folder's name, that folder first."""
        for name, root in self.given.items():
            yield Found(name, root, "given", "on the command line")
        for folder in self.beside:
            yield from _in(folder, guess, "beside", "beside")
        for folder in environment_folders():
            if not is_folder(folder):
                troubles.append(f"{VARIABLE} names {folder}, which is no folder")
            yield from _in(folder, guess, "environment", VARIABLE)
        own = user_folder()
        if own is not None:
            yield from _in(own, guess, "user", "your packs")
        yield from _installed(guess, troubles)
        for _, root in sorted(shipped().items(), key=lambda item: item[0] != guess):
            yield Found(name_of(root), root, "shipped", "shipped")


# ------------------------------------------------------------------ places


def shipped() -> dict[str, Path]:
    """The packs that come with rulewright, by name."""
    content = Path(__file__).parents[2] / "content"  # importing importlib.resources takes 20 ms
    return {folder.name: folder for folder in _packs_in(content)}


def environment_folders() -> list[Path]:
    """The folders of RULEWRIGHT_PACKS, whether they exist or not."""
    return [Path(text).expanduser() for text in os.environ.get(VARIABLE, "").split(os.pathsep) if text.strip()]


def user_folder() -> Path | None:
    """Where users keep packs that all commands find; None where they have no home."""
    if (shared := os.environ.get("XDG_DATA_HOME", "")) and Path(shared).is_absolute():
        return Path(shared, "rulewright", "packs")
    home = os.path.expanduser("~")
    return Path(home, ".local", "share", "rulewright", "packs") if home != "~" else None


def _in(folder: Path, guess: str | None, source: Source, where: str) -> Iterator[Found]:
    """The packs in a folder, or the one that it is."""
    first = folder / guess if guess else None
    if first is not None and is_pack(first):
        yield Found(name_of(first), first, source, where)
    for root in ([folder] if is_pack(folder) else []) + _packs_in(folder):
        if root != first:
            yield Found(name_of(root), root, source, where)


def _packs_in(folder: Path) -> list[Path]:
    try:
        return sorted(place for place in folder.iterdir() if not place.name.startswith(".") and is_pack(place))
    except OSError:
        return []


def is_pack(folder: Path) -> bool:
    """Whether a folder has a `pack.yaml`; one that nobody may look into has none."""
    return pack_file(folder) is not None


def is_folder(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except (OSError, ValueError):
        return False


def shorter(path: Path) -> str:
    """A path with `~` for the user's home."""
    home = os.path.expanduser("~")
    text = str(path.absolute())
    return f"~{text[len(home) :]}" if home != "~" and text.startswith(f"{home.rstrip(os.sep)}{os.sep}") else text


# ------------------------------------------------------------------ names


def name_of(root: Path) -> str:
    """What a pack's `pack.yaml` says that it is called; nothing where it says nothing that can be read."""
    try:
        data = read_regular(pack_file(root) or root / PACK_FILE, LARGEST)
    except OSError:
        return ""
    if found := _DECLARED.search(data):
        return found[2].decode("ascii")
    if b"pack" not in data:
        return ""
    from ruleset.packs.resolve import head_of
    from ruleset.source.reader import decode, read

    head = head_of(read(PACK_FILE, decode(data).removeprefix("\ufeff")).documents)
    return head.pack if head else ""


# ------------------------------------------------------------------ installed distributions


def _installed(guess: str | None, troubles: list[str]) -> Iterator[Found]:
    """The packs of entry points; with a guess, those of entry points of that name first."""
    entries = [entry for folder in offering() for entry in _entries(folder, troubles)]
    for name, value, distribution, called in sorted(entries, key=lambda entry: entry[0] != guess):
        what = f"the entry point {name} = {value} of the installed package {called}"
        try:
            folder = _folder_of(distribution, value)
        except Exception as error:  # whatever import hooks and broken metadata come up with
            troubles.append(f"{what} cannot be followed: {type(error).__name__}")
            continue
        packs = list(_in(folder, guess, "installed", f"package {called}")) if folder else []
        if not packs:
            troubles.append(f"{what} leads to no folder with a {PACK_FILE}")
        yield from packs


def offering() -> Iterator[Path]:
    """The metadata folders of distributions that name our group.

    Reading a few small files is much quicker than to import `importlib.metadata`, and most people have none.
    Of several of one name the first on the path counts, as when it is imported.
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
    """Name and value of each entry point of a distribution, with it and what it is called."""
    from importlib.metadata import Distribution

    called = folder.stem.partition("-")[0]
    try:
        distribution = Distribution.at(folder)
        chosen = distribution.entry_points.select(group=GROUP)
        return [(entry.name, entry.value, distribution, called) for entry in chosen]
    except Exception as error:  # metadata may be broken in every way
        what = f"the entry points of the installed package {called}"
        troubles.append(f"{what} cannot be read: {type(error).__name__}")
        return []


def _folder_of(distribution: Distribution, value: str) -> Path | None:
    """The folder that `path.of.folder` means: among the distribution's files or, where these lie elsewhere (in an
    editable install), in its package. Only the outermost package is asked for, since Python runs a package to look
    into it.
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
