"""Bounds of the cache: the number of files of each sort, and the bytes of all files together. The least recently
used files are removed first.

A process that is killed leaves a build folder or a partly written file. A complete build becomes a library of the
cache; anything else is removed once it is older than `OLD_SECONDS`. Until then it counts among the bytes.
"""

from __future__ import annotations

import os
from operator import attrgetter

from attrs import frozen

from interpreter.cache import library_store as store
from interpreter.cache.folder import FINDINGS, PART, TABLES, distrust, make_private

MOST_MEGABYTES = 256
"""Of all files together, unless `RULEWRIGHT_CACHE_MB` gives another number."""
VARIABLE = "RULEWRIGHT_CACHE_MB"
MOST = {FINDINGS: 200, TABLES: 200, store.SUFFIX: 500, store.RECORD: 500}
"""Files of each sort."""
OLD_SECONDS = 3600.0
"""Age at which an unfinished build is removed: a compiler is stopped after 300 seconds of processor time."""


@frozen
class Item:
    """A file or a folder of the cache: when it was last used, in seconds since the epoch, and its bytes."""

    used: float
    size: int
    path: str


_AGE = attrgetter("used", "path")


@frozen
class Contents:
    """What a cache folder holds: the least recently used file first."""

    kept: tuple[Item, ...]
    left_over: tuple[Item, ...]
    """Of builds and writes that have not ended, or were killed."""

    @property
    def size(self) -> int:
        """All bytes."""
        return sum(item.size for item in (*self.kept, *self.left_over))

    def count(self, *suffixes: str) -> int:
        """Files that are kept whose names end so."""
        return sum(item.path.endswith(suffixes) for item in self.kept)


def most_bytes() -> int:
    """Bytes that the cache may have. A value that is not a number is ignored; `doctor` reports it."""
    megabytes = stated()
    return (MOST_MEGABYTES if megabytes is None else megabytes) * 1_000_000


def stated() -> int | None:
    """The number of megabytes that the user wants; None where there is no number."""
    said = os.environ.get(VARIABLE, "").strip()
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= 9 else None


def contents(root: str) -> Contents:
    """What a cache folder holds now, without files of others in it. Raises OSError."""
    kept: list[Item] = []
    left_over: list[Item] = []
    for place, begin in ((root, (PART, store.MAKING)), (os.path.join(root, store.FOLDER), (".",))):
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
                except FileNotFoundError:  # another process has removed it
                    continue
    return Contents(tuple(sorted(kept, key=_AGE)), tuple(sorted(left_over, key=_AGE)))


def _inside(folder: str) -> int:
    with os.scandir(folder) as entries:
        return sum(entry.stat(follow_symlinks=False).st_size for entry in entries)


def tidy(root: str, now: float, spared: str = "") -> None:
    """Keep a cache folder within its bounds; one file, just written, is spared. The folder must be private.

    `now` is in seconds since the epoch. Nothing here makes a command fail.
    """
    try:
        for item in contents(root).left_over:
            _clear(item, os.path.join(root, store.FOLDER), now)
        found = contents(root)
        kept = [item for item in found.kept if item.path != spared]
        size = found.size
        for suffix, most in MOST.items():
            like = [item for item in kept if item.path.endswith(suffix)]
            for item in like[: max(0, len(like) + spared.endswith(suffix) - most)]:
                store.remove(item.path)
                kept.remove(item)
                size -= item.size
        bound = most_bytes()
        for item in kept:
            if size <= bound:
                return
            store.remove(item.path)
            size -= item.size
    except OSError:
        return


def _clear(item: Item, libraries: str, now: float) -> None:
    """Take in what a build has left that ended well; remove anything else that is old."""
    name = os.path.basename(item.path)
    key = name.removeprefix(store.MAKING).partition("-")[0]
    made = name.startswith(store.MAKING) and not make_private(libraries)
    if made and store.taken_in(item.path, key, libraries):
        return
    if abs(now - item.used) > OLD_SECONDS:  # also where the clock was wrong
        store.discard(item.path)
