"""Entries of the cache folder: a file each, whose first line is the checksum of the rest.

An entry that was cut off, changed, or that others could have written is as good as none. Nothing here makes a
command fail.
"""

from __future__ import annotations

import os
import time
from hashlib import blake2b

from interpreter.cache.folder import cache_folder, make_private, private, read_own, write_own

MOST_BYTES = 64 * 1024 * 1024
"""Of an entry; a larger one is not used."""


def fetch_entry(name: str) -> bytes | None:
    """What was kept in a file of this name, if it is sound. It counts as used now."""
    place = cache_folder()
    if place is None or not private(place):
        return None
    try:
        checksum, _, body = read_own(os.path.join(place, name), MOST_BYTES, touch=True).partition(b"\n")
    except (OSError, ValueError):
        return None
    return body if checksum == _checksum(body) else None


def keep_entry(name: str, body: bytes) -> None:
    """Keep an entry, where that is possible; a reader at the same time sees the old one or the new one."""
    place = cache_folder()
    if place is None:
        return
    path = os.path.join(place, name)
    try:
        if make_private(place):
            return
        write_own(path, _checksum(body) + b"\n" + body)
    except OSError:
        return
    from interpreter.cache.bound import tidy  # it takes time to import, and most runs find an entry

    tidy(place, time.time(), path)


def _checksum(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).hexdigest().encode("ascii")
