"""Packs that replace shipped packs of the same name. Each is reported once in a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_used: set[Path] = set()


def begin() -> None:
    """Start a new command: forget what was reported. A process may run several commands."""
    _used.clear()


def first(root: Path) -> bool:
    """Record that the pack in a folder is used; return whether this is the first time in this command."""
    before = len(_used)
    _used.add(root)
    return len(_used) > before


def any_used() -> bool:
    """Whether the command uses any such pack."""
    return bool(_used)
