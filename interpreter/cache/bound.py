"""Limit the cache: the number of files per type, and the total size.

The least recently used files are removed first.

A killed process leaves a build folder or a partly written file. A complete build becomes a library of the cache;
anything else is removed once it is older than `OLD_SECONDS`. Until then it counts towards the total size.
"""

from __future__ import annotations

import os
from operator import attrgetter

from attrs import frozen

from rulewright.interpreter.cache import library_store
from rulewright.interpreter.cache.folder import COMPILERS, FINDINGS, PART, TABLES, distrust

MOST_MEGABYTES = 256
"""Of all files together, unless `RULEWRIGHT_CACHE_MB` gives another number."""
VARIABLE = "RULEWRIGHT_CACHE_MB"
MOST = {FINDINGS: 200, TABLES: 200, library_store.SUFFIX: 500, COMPILERS: 500}
"""Maximum number of files of each type."""
OLD_SECONDS = 3600.0
"""Age at which an unfinished build is removed: a compiler is stopped after 300 seconds of processor time."""


@frozen
class Item:
    """A file or a folder of the cache: time of last use in seconds since the epoch, size in bytes, and path."""

    used: float
    size: int
    path: str


_AGE = attrgetter("used", "path")


@frozen
class Contents:
    """The contents of a cache folder, least recently used first."""

    kept: tuple[Item, ...]
    left_over: tuple[Item, ...]
    """Builds and writes that are unfinished or were killed."""

    @property
    def size(self) -> int:
        """Total size in bytes."""
        return sum(item.size for item in (*self.kept, *self.left_over))

    def count(self, *suffixes: str) -> int:
        """Count the kept files that have one of these suffixes."""
        return sum(item.path.endswith(suffixes) for item in self.kept)


def most_bytes() -> int:
    """Return the maximum total size in bytes. A setting that is not a number is ignored; `doctor` reports it."""
    megabytes = stated()
    return (MOST_MEGABYTES if megabytes is None else megabytes) * 1_000_000


def stated() -> int | None:
    """Return the user's limit in megabytes, or None without a valid one."""
    said = os.environ.get(VARIABLE, "").strip()
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= 9 else None


def contents(root: str) -> Contents:
    """List a cache folder without files that are not ours. Raises OSError."""
    kept: list[Item] = []
    left_over: list[Item] = []
    for place, begin in ((root, (PART, library_store.MAKING)), (os.path.join(root, library_store.FOLDER), (".",))):
        if place != root and distrust(place):
            continue
        with os.scandir(place) as entries:
            for entry in entries:
                try:
                    about = entry.stat(follow_symlinks=False)
                    if entry.name.startswith(begin):
                        size = _inside(entry.path) if entry.is_dir(follow_symlinks=False) else about.st_size
                        left_over.append(Item(about.st_mtime, size, entry.path))
                    elif entry.name.endswith(tuple(MOST)) and not entry.is_dir(follow_symlinks=False):
                        kept.append(Item(about.st_mtime, about.st_size, entry.path))
                except FileNotFoundError:  # removed by another process
                    continue
    return Contents(tuple(sorted(kept, key=_AGE)), tuple(sorted(left_over, key=_AGE)))


def _inside(folder: str) -> int:
    with os.scandir(folder) as entries:
        return sum(entry.stat(follow_symlinks=False).st_size for entry in entries)


def tidy(root: str, now: float, spared: str = "") -> None:
    """Remove files until a private cache folder is within its bounds. `spared`, a file just written, is never
    removed.

    `now` is in seconds since the epoch. Errors are ignored, so no command fails because of this.
    """
    try:
        for item in contents(root).left_over:
            if abs(now - item.used) > OLD_SECONDS:  # also if the clock was wrong
                library_store.discard(item.path)
        found = contents(root)
        kept = [item for item in found.kept if item.path != spared]
        size = found.size
        for suffix, most in MOST.items():
            like = [item for item in kept if item.path.endswith(suffix)]
            for item in like[: max(0, len(like) + spared.endswith(suffix) - most)]:
                library_store.remove(item.path)
                kept.remove(item)
                size -= item.size
        bound = most_bytes()
        for item in kept:
            if size <= bound:
                return
            library_store.remove(item.path)
            size -= item.size
    except OSError:
        return
