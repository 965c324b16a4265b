"""The user's cache folder: its place, whether it can be trusted, and its files.

A cache entry is used only if no other user could have written it: the folder and the file belong to the user, are
not links, and are not writable by others. Files are renamed into place when they are complete. This module imports
little, because short simulations start with it.
"""

from __future__ import annotations

import os

FINDINGS, TABLES, COMPILERS = ".findings", ".table", ".compiler"
"""Suffixes of the files of `tools.packs.findings_cache`, `tools.simulation.known_table`, and
`native.compiler.toolchain`.
"""
PART = ".part-"
"""Prefix of a file that is being written."""
_FLAGS = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
_SORT, _FOLDER, _FILE, _LINK = 0o170000, 0o040000, 0o100000, 0o120000
"""The file type mask of a mode, and three file types. Importing `stat` takes time."""
_CHUNK = 1024 * 1024


def cache_folder() -> str | None:
    """Return the path of the cache folder, which need not exist; None if the user has disabled the cache."""
    if os.environ.get("RULEWRIGHT_NO_CACHE", "") not in ("", "0"):
        return None
    if own := os.environ.get("RULEWRIGHT_CACHE"):
        return own.rstrip("/") or own  # with a trailing slash, the name of a link would mean its target
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return os.path.join(shared, "rulewright")
    home = os.path.expanduser("~")
    return os.path.join(home, ".cache", "rulewright") if home != "~" else None


def of_others(about: os.stat_result) -> bool:
    """Whether another user owns a file or can write to it. Where a system has no users, nobody else does."""
    return hasattr(os, "geteuid") and (about.st_uid != os.geteuid() or bool(about.st_mode & 0o022))


def private(place: str) -> bool:
    """Check that a folder belongs to this user, is not a link, and is not writable by others.

    If others can read it, the mode is changed to 0700.
    """
    return not distrust(place)


def distrust(place: str) -> str:
    """Return why a folder fails the check of `private`; empty if it passes."""
    try:
        about = os.lstat(place)
        if about.st_mode & _SORT == _LINK:
            return "it is a link"
        if about.st_mode & _SORT != _FOLDER:
            return "it is not a folder"
        if not hasattr(os, "geteuid"):  # as on Windows, where a user's folders are private
            return ""
        handle = os.open(place, os.O_RDONLY | _FLAGS | getattr(os, "O_DIRECTORY", 0))
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    try:
        about = os.fstat(handle)
        if about.st_uid != os.geteuid():
            return "it belongs to another user"
        if about.st_mode & 0o022:
            return "others can write to it (chmod 700 repairs that)"
        if about.st_mode & 0o077 and hasattr(os, "fchmod"):
            os.fchmod(handle, 0o700)
        return ""
    except OSError as error:  # a file system without modes
        return error.strerror or str(error)
    finally:
        os.close(handle)


def make_private(place: str) -> str:
    """Create a folder for this user alone unless it exists. Returns the same as `distrust`. Raises OSError."""
    os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
    if not os.path.lexists(place):
        try:
            os.mkdir(place, 0o700)
        except FileExistsError:  # created by another process
            return distrust(place)
    return distrust(place)


def read_own(path: str, most: int, touch: bool = False) -> bytes:
    """Read a regular file of this user, of at most `most` bytes, that is not a link and not writable by others.

    `touch` sets its modification time, which records the use. Raises OSError.
    """
    handle = os.open(path, os.O_RDONLY | _FLAGS)
    try:
        about = os.fstat(handle)
        if about.st_mode & _SORT != _FILE or about.st_size > most:
            raise OSError(f"{path}: it is not a regular file, or too large")
        if of_others(about):
            raise OSError(f"{path}: others could have written it")
        parts = []
        while part := os.read(handle, _CHUNK):
            parts.append(part)
        if touch:
            used(path)
        return b"".join(parts)
    finally:
        os.close(handle)


def used(path: str) -> None:
    """Record that a file was used just now: the least recently used ones are removed first."""
    try:
        os.utime(path)
    except OSError:
        return


def write_own(path: str, data: bytes) -> None:
    """Write a file for this user alone. Readers see either the old file or the new one. Raises OSError."""
    import tempfile  # slow to import, and most runs do not write

    handle, part = tempfile.mkstemp(prefix=PART, dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
