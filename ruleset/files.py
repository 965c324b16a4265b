"""The one door through which packs are read: bounded, and never outside of the pack's folder."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from ruleset.diagnostic import Diagnostic
from ruleset.span import Span

PACK_FILE = "pack.yaml"
MAX_FILES = 2_000
MAX_BYTES = 8 * 1024 * 1024
"""Of all files of a pack together; one file is bounded by `document`."""
APART = ("scenarios",)
"""Folders of a pack that hold no rules."""


@frozen
class PackFiles:
    """The files of a pack: the path that is shown, and the bytes."""

    root: Path
    files: tuple[tuple[str, bytes], ...]
    found: tuple[Diagnostic, ...] = ()


def pack_root(path: Path) -> Path | None:
    """The nearest folder, from a file or folder upwards, that holds a `pack.yaml`."""
    start = path if path.is_dir() else path.parent
    for folder in (start, *start.absolute().parents):
        if (folder / PACK_FILE).is_file():
            return folder
    return None


def read_pack(root: Path, shown: str | None = None, scenarios: bool = True) -> PackFiles:
    """All YAML files of a pack, in the order of their paths; `pack.yaml` comes first.

    To play, the rules are enough: without `scenarios` the folders that hold none are left out.
    """
    shown = root.as_posix() if shown is None else shown
    found: list[Diagnostic] = []
    real = root.resolve()
    paths = sorted(
        (
            path
            for path in root.rglob("*.yaml")
            if scenarios or not set(path.relative_to(root).parts[:-1]) & set(APART)
        ),
        key=lambda path: (path.name != PACK_FILE or path.parent != root, path.relative_to(root).as_posix()),
    )
    files: list[tuple[str, bytes]] = []
    total = 0
    for path in paths:
        name = (
            f"{shown}/{path.relative_to(root).as_posix()}"
            if shown not in ("", ".")
            else path.relative_to(root).as_posix()
        )
        span = Span(name, 1, 1, 1, 1)
        if not path.resolve().is_relative_to(real):
            message = "this file lies outside of the pack's folder"
            found.append(Diagnostic("RW601", span, message, "copy it into the pack; links may not lead out of it"))
            continue
        if not path.is_file():
            continue
        size = path.stat().st_size
        total += size
        if len(files) >= MAX_FILES or total > MAX_BYTES:
            limit = f"{MAX_FILES} files or {MAX_BYTES // 1024 // 1024} MiB"
            found.append(
                Diagnostic("RW602", span, f"the pack is larger than {limit}; this file and the rest are not read")
            )
            break
        files.append((name, path.read_bytes()))
    return PackFiles(root, tuple(files), tuple(found))
