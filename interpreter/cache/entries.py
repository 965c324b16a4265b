"""Entries of the cache folder: one file each, whose first line is the checksum of the rest.

A truncated, damaged or untrusted entry counts as missing. Errors are ignored, so no command fails because of this.
"""

from __future__ import annotations

import os
import time
from hashlib import blake2b

from rulewright.interpreter.cache.folder import cache_folder, make_private, private, read_own, write_own

MOST_BYTES = 64 * 1024 * 1024
"""Of an entry; a larger one is ignored."""


def fetch_entry(name: str) -> bytes | None:
    """Return the body of an entry if it exists and is sound, and record its use."""
    place = cache_folder()
    if place is None or not private(place):
        return None
    try:
        checksum, _, body = read_own(os.path.join(place, name), MOST_BYTES, touch=True).partition(b"\n")
    except (OSError, ValueError):
        return None
    return body if checksum == _checksum(body) else None


def keep_entry(name: str, body: bytes) -> None:
    """Store an entry if possible. Concurrent readers see either the old entry or the new one."""
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
    from rulewright.interpreter.cache.bound import tidy  # slow to import, and most runs find an entry

    tidy(place, time.time(), path)


def _checksum(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).hexdigest().encode("ascii")
