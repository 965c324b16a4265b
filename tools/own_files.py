"""The state of this program's own files, for cache keys."""

from __future__ import annotations

import os

SUFFIXES = (".py", ".c", ".lark", ".json")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder that contains `ruleset`, `interpreter`, `tools`, and `schemas`: a checkout, or the package."""


def own_files(*folders: str) -> list[tuple[str, int, int]]:
    """Return path below `ROOT`, modification time (ns), and size (bytes) of source files, sorted.

    Subfolders are included. Hashing the bytes would take longer than reading a small pack.
    """
    found: list[tuple[str, int, int]] = []
    waiting = list(folders)
    while waiting:
        folder = waiting.pop()
        try:
            entries = os.scandir(os.path.join(ROOT, folder))
        except FileNotFoundError:
            continue
        with entries:
            for entry in entries:
                if entry.name.endswith(SUFFIXES):
                    about = entry.stat()
                    found.append((f"{folder}/{entry.name}", about.st_mtime_ns, about.st_size))
                elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{folder}/{entry.name}")
    return sorted(found)
