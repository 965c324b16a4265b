"""Shared libraries that were built, kept between runs: one file each, in a folder of the user's cache.

A file is called `KEY-CHECKSUM.so`: its key says what it was built from, the checksum is that of its bytes. It is
put there whole under its name, and never written again, so that processes may build at the same time. Before a
library is loaded its bytes are compared with the checksum, since a damaged one would end the process; afterwards it
has to say itself that it is the one of this key.

Only files of this user in a folder that nobody else can write to are loaded (`cache.folder`); `cache.bound` removes
the least recently used ones. Little is imported here: short simulations begin with it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from hashlib import blake2b

from rulewright.interpreter.cache.folder import cache_folder, distrust, make_private, read_own, used

FOLDER = "native"
"""Of libraries, in the cache folder."""
SUFFIX = ".dll" if os.name == "nt" else ".so"
COMPILER = "RULEWRIGHT_CC"
"""The variable that says which compiler is wanted; see `native.compiler.toolchain`."""
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
