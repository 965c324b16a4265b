"""Packs that a command uses instead of shipped ones of their names. Each is reported once in a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_used: set[Path] = set()


def begin() -> None:
    """A new command begins: nothing was reported yet. A process may run several."""
    _used.clear()


def first(root: Path) -> bool:
    """Note that the pack in a folder is used. The result is whether it is the first time in this command."""
    before = len(_used)
    _used.add(root)
    return len(_used) > before


def any_used() -> bool:
    """Whether the command uses any such pack."""
    return bool(_used)
