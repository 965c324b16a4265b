"""The user's cache folder: entries, native libraries, and the bounds of both."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from hashlib import blake2b
from operator import attrgetter

from attrs import frozen

# ---- The user's cache folder: its place, whether it can be trusted, and its files
#
# A cache entry is used only if no other user could have written it: the folder and the file belong to the
# user, are not links, and are not writable by others. Files are renamed into place when they are complete.
# This module imports little, because short simulations start with it.

FINDINGS, TABLES, COMPILERS = ".findings", ".table", ".compiler"
"""Suffixes of the files of `tools.packs.findings_cache`, `tools.simulation.known_table`, and
`backends.native.toolchain`.
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


# ---- Entries of the cache folder: one file each, whose first line is the checksum of the rest
#
# A truncated, damaged or untrusted entry counts as missing. Errors are ignored, so no command fails because
# of this.

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
    tidy(place, time.time(), path)


def _checksum(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).hexdigest().encode("ascii")


# ---- Shared libraries that were built, kept between runs: one file each, in a folder of the user's cache
#
# A file is called `KEY-CHECKSUM.so`: its key says what it was built from, the checksum is that of its bytes.
# It is put there whole under its name, and never written again, so that processes may build at the same time.
# Before a library is loaded its bytes are compared with the checksum, since a damaged one would end the
# process; afterwards it has to say itself that it is the one of this key.
#
# Only files of this user in a folder that nobody else can write to are loaded; the least recently used ones are
# removed. Little is imported here: short simulations begin with it.

FOLDER = "native"
"""Of libraries, in the cache folder."""
SUFFIX = ".dll" if os.name == "nt" else ".so"
COMPILER = "RULEWRIGHT_CC"
"""The variable that says which compiler is wanted; see `backends.native.toolchain`."""
MAKING = ".making-"
"""So begins the name of a folder in which a library is built; its key follows."""
BUILT = f"table{SUFFIX}"
"""The library in it."""
STAMP = "rw_stamp"
"""The constant of a library that holds its key, ended by a zero."""
_MOST_BYTES = 256 * 1024 * 1024
"""Of a file that is read; the compiler may not write as much."""


class StoreError(Exception):
    """The folder cannot be used; the message says why."""


def folder() -> str | None:
    """Where libraries are kept, whether it exists or not; None when the user wants no cache."""
    place = cache_folder()
    return None if place is None else os.path.join(place, FOLDER)


def machine() -> tuple[str, ...]:
    """The kind of machine: home folders may be shared by several kinds."""
    kind = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "")
    return sys.platform, kind, str(sys.maxsize)


def usable() -> str:
    """The folder, made if need be. Raises StoreError when there is none, or others can write to it."""
    place = folder()
    if place is None:
        raise StoreError("there is no cache (RULEWRIGHT_NO_CACHE)")
    for each in (os.path.dirname(place), place):
        try:
            reason = make_private(each)
        except OSError as error:
            reason = error.strerror or str(error)
        if reason:
            raise StoreError(f"{each}: {reason}")
    if not os.access(place, os.W_OK | os.X_OK):
        raise StoreError(f"{place}: it cannot be written to")
    return place


def bench(prefix: str) -> tuple[str | None, str]:
    """The folder of libraries, if it can be used, and a new one in it or, else, among the temporary ones.

    Things are built where they are kept, for what is in other folders perhaps cannot be loaded. Raises OSError.
    """
    import tempfile

    try:
        place = usable()
        return place, tempfile.mkdtemp(prefix=prefix, dir=place)
    except (StoreError, OSError):
        return None, tempfile.mkdtemp(prefix="rulewright-")


# ------------------------------------------------------------------ loading

def fetch(key: str) -> ctypes.CDLL | None:
    """The library of a key, if there is a sound one that can be loaded. A damaged one is removed."""
    place = folder()
    if place is None or distrust(os.path.dirname(place)) or distrust(place):
        return None
    try:
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if name.startswith(f"{key}-") and name.endswith(SUFFIX) and _sound(path, key):
                library = opened(path, key)
                used(path)
                return library
    except OSError:
        return None
    return None


def _sound(path: str, key: str) -> bool:
    try:
        data = read_own(path, _MOST_BYTES)
    except OSError:
        return False
    if os.path.basename(path) == file_name(key, data):
        return True
    remove(path)
    return False


def opened(path: str, key: str) -> ctypes.CDLL:
    """Loads a library whose bytes are sound, as `linked` does.

    Raises OSError when the system does not load it, or when it is not that of the key.
    """
    library = linked(path)
    try:
        stamp = (ctypes.c_char * (len(key) + 1)).in_dll(library, STAMP).value
    except ValueError:
        stamp = b""
    if stamp != key.encode("ascii"):
        raise OSError(f"{path} is not the library that its name says")
    return library


def linked(path: str) -> ctypes.CDLL:
    """Has the system load a library, from a copy where its folder allows no programs. Raises OSError."""
    try:
        return ctypes.CDLL(os.path.abspath(path))
    except OSError:
        import shutil
        import tempfile

        with tempfile.TemporaryDirectory(prefix="rulewright-", ignore_cleanup_errors=True) as place:
            return ctypes.CDLL(shutil.copy(path, place))


def file_name(key: str, data: bytes) -> str:
    """What a library with these bytes is called."""
    return f"{key}-{blake2b(data, digest_size=16).hexdigest()}{SUFFIX}"


# ------------------------------------------------------------------ keeping and forgetting

def keep(built: str, key: str, place: str) -> str:
    """Moves a library that was built below a folder into it; gives its path there. Raises OSError."""
    if os.name != "nt" and not os.path.islink(built):
        os.chmod(built, 0o700)  # the compiler asks the user's umask
    path = os.path.join(place, file_name(key, read_own(built, _MOST_BYTES)))
    os.replace(built, path)
    return path


def discard(place: str) -> None:
    """Removes a file, or a folder in which something was built. On Windows a library in use stays."""
    if os.path.isdir(place) and not os.path.islink(place):
        import shutil

        shutil.rmtree(place, ignore_errors=True)
    else:
        remove(place)


def remove(path: str) -> None:
    """Removes a file, if that is possible."""
    try:
        os.unlink(path)
    except OSError:
        return


# ---- Limit the cache: the number of files per type, and the total size
#
# The least recently used files are removed first.
#
# A killed process leaves a build folder or a partly written file. A complete build becomes a library of the
# cache; anything else is removed once it is older than `OLD_SECONDS`. Until then it counts towards the total
# size.

MOST_MEGABYTES = 256
"""Of all files together, unless `RULEWRIGHT_CACHE_MB` gives another number."""
VARIABLE = "RULEWRIGHT_CACHE_MB"
MOST = {FINDINGS: 200, TABLES: 200, SUFFIX: 500, COMPILERS: 500}
"""Maximum number of files of each type."""
OLD_SECONDS = 3600.0
"""Age at which an unfinished build is removed: a compiler is stopped after 300 seconds of processor time."""


@frozen
class CacheItem:
    """A file or a folder of the cache: time of last use in seconds since the epoch, size in bytes, and path."""

    used: float
    size: int
    path: str


_AGE = attrgetter("used", "path")


@frozen
class Contents:
    """The contents of a cache folder, least recently used first."""

    kept: tuple[CacheItem, ...]
    left_over: tuple[CacheItem, ...]
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
    kept: list[CacheItem] = []
    left_over: list[CacheItem] = []
    for place, begin in ((root, (PART, MAKING)), (os.path.join(root, FOLDER), (".",))):
        if place != root and distrust(place):
            continue
        with os.scandir(place) as entries:
            for entry in entries:
                try:
                    about = entry.stat(follow_symlinks=False)
                    if entry.name.startswith(begin):
                        size = _inside(entry.path) if entry.is_dir(follow_symlinks=False) else about.st_size
                        left_over.append(CacheItem(about.st_mtime, size, entry.path))
                    elif entry.name.endswith(tuple(MOST)) and not entry.is_dir(follow_symlinks=False):
                        kept.append(CacheItem(about.st_mtime, about.st_size, entry.path))
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
                discard(item.path)
        found = contents(root)
        kept = [item for item in found.kept if item.path != spared]
        size = found.size
        for suffix, most in MOST.items():
            like = [item for item in kept if item.path.endswith(suffix)]
            for item in like[: max(0, len(like) + spared.endswith(suffix) - most)]:
                remove(item.path)
                kept.remove(item)
                size -= item.size
        bound = most_bytes()
        for item in kept:
            if size <= bound:
                return
            remove(item.path)
            size -= item.size
    except OSError:
        return
