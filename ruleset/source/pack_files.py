"""Read the files of packs: bounded, and never from outside the pack's folder. All packs are read here.

Pictures are only checked (`source.pictures`).
"""

from __future__ import annotations

import errno
import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.limits import MOST_FILES, PACK_BYTES
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.regular_files import TooLarge, is_regular, read_regular

if TYPE_CHECKING:
    from rulewright.ruleset.source.pictures import PictureFile

SUFFIXES = (".yaml", ".yml")
"""Suffixes of YAML files, in lower case; `is_yaml` also accepts capitals."""
PACK_FILE = "pack.yaml"
PACK_FILES = (PACK_FILE, "pack.yml", "pack.YAML", "pack.YML", "pack.Yaml", "pack.Yml")
"""File names that make a folder a pack. If a folder has several, all are read."""
NO_FOLDER = Path(os.devnull)
"""The folder of packs whose files are in none, such as those of a saved game: nothing can be in it."""
APART = ("scenarios",)
"""Folders of a pack that contain no rules."""
_PICTURES = (".png", ".jpg", ".jpeg", ".svg")
"""Only a pack with such files needs the module for pictures."""


@frozen(repr=False)
class PackFiles(Record):
    """The files of a pack: displayed path and bytes. Pictures have their paths in the folder `root`."""

    root: Path
    files: tuple[tuple[str, bytes], ...]
    found: tuple[Diagnostic, ...] = ()
    pictures: tuple[PictureFile, ...] = ()


def is_yaml(name: str) -> bool:
    """Whether a file name is that of a YAML file. Case is ignored: some editors write `.YAML`."""
    return os.path.splitext(name)[1].lower() in SUFFIXES


def pack_root(path: Path) -> Path | None:
    """Return the nearest folder that contains a `pack.yaml`, going upwards from a file or folder."""
    start = path if _is_folder(path) else path.parent
    for folder in (start, *start.absolute().parents):
        if pack_file(folder) is not None:
            return folder
    return None


def _is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; False if it cannot be examined, for example because it is too long."""
    try:
        return path.is_dir()
    except OSError:
        return False


def pack_file(folder: Path) -> Path | None:
    """Return the file that makes a folder a pack: `pack.yaml`, or else another of `PACK_FILES`."""
    return next((folder / name for name in PACK_FILES if is_regular(folder / name)), None)


def read_pack(root: Path, shown: str | None = None, scenarios: bool = True) -> PackFiles:
    """Read all YAML files of a pack, sorted by path, `pack.yaml` first.

    Playing needs only the rules: without `scenarios` the folders in `APART` are skipped.
    """
    shown = root.as_posix() if shown is None else shown
    found: list[Diagnostic] = []
    real = root.resolve()
    paths = sorted(
        (
            path
            for path in root.rglob("*.[yY]*[mM][lL]")
            if is_yaml(path.name) and (scenarios or not set(path.relative_to(root).parts[:-1]) & set(APART))
        ),
        key=lambda path: (path.name not in PACK_FILES or path.parent != root, path.relative_to(root).as_posix()),
    )
    files: list[tuple[str, bytes]] = []
    left = PACK_BYTES
    lead = f"{shown}/" if shown not in ("", ".") else ""
    linked, pictures = _walked(root)
    for folder in linked:
        span = Span(f"{lead}{folder.relative_to(root).as_posix()}", 1, 1, 1, 1)
        message = "this folder is outside the pack's folder"
        hint = "copy it into the pack; links may not point outside it"
        found.append(Diagnostic("RW601", span, message, hint))
    for path in paths:
        name = f"{lead}{path.relative_to(root).as_posix()}"
        span = Span(name, 1, 1, 1, 1)
        try:
            target = path.resolve()
            if not target.is_relative_to(real):
                message = "this file is outside the pack's folder"
                hint = "copy it into the pack; links may not point outside it"
                found.append(Diagnostic("RW601", span, message, hint))
                continue
            if target.is_dir():
                continue
            if len(files) >= MOST_FILES:
                raise TooLarge
            data = read_regular(target, left)
        except FileNotFoundError:  # it was just deleted, or it is an editor's lock file: a dangling link
            continue
        except TooLarge:
            limit = f"{MOST_FILES} files or {PACK_BYTES // 1024 // 1024} MiB"
            found.append(
                Diagnostic("RW602", span, f"the pack is larger than {limit}; this file and the rest are not read")
            )
            break
        except OSError as error:
            found.append(_unreadable(span, error.strerror or str(error)))
            continue
        except RuntimeError:  # Python before 3.13 raises this for a loop of links
            found.append(_unreadable(span, os.strerror(errno.ELOOP)))
            continue
        left -= len(data)
        files.append((name, data))
    return PackFiles(root, tuple(files), tuple(found), _checked(root, pictures))


def _walked(root: Path) -> tuple[list[Path], list[str]]:
    """Find links to folders with YAML files outside the pack, and pictures.

    Such links are not followed, so they are reported. Pictures are paths in the pack, also those of links to
    folders, which end in `/`; hidden folders are left out.
    """
    real = os.path.realpath(root)
    linked: list[Path] = []
    pictures: list[str] = []
    for place, folders, names in os.walk(root):
        inside = Path(place).relative_to(root)
        hidden = any(part.startswith(".") for part in inside.parts)
        pictures.extend(
            (inside / name).as_posix() for name in names if not hidden and name.lower().endswith(_PICTURES)
        )
        for name in folders:
            path = Path(place, name)
            if path.is_symlink():
                pictures.append(f"{(inside / name).as_posix()}/")
                if not Path(os.path.realpath(path)).is_relative_to(real) and _has_yaml(path):
                    linked.append(path)
    return sorted(linked), sorted(pictures)


def _checked(root: Path, pictures: list[str]) -> tuple[PictureFile, ...]:
    if not pictures:
        return ()
    from rulewright.ruleset.source.pictures import checked

    return tuple(checked(root, pictures))


def _has_yaml(folder: Path) -> bool:
    """Whether the first entries of a folder, which may be large, include a YAML file."""
    try:
        with os.scandir(folder) as entries:
            return any(is_yaml(entry.name) for entry in islice(entries, MOST_FILES))
    except OSError:
        return False


def _unreadable(span: Span, why: str) -> Diagnostic:
    hint = "replace it with a regular, readable file, or remove it"
    return Diagnostic("RW150", span, f"this file cannot be read: {why}", hint)
