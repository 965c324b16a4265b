"""The user's cache folder: where it is, whether it can be trusted, and its files.

Nothing in a cache is used unless this user alone could have put it there: the folder is the user's own, no link,
and nobody else can write to it; so is each file. Files get their names when they are whole. Little is
imported here: short simulations begin with it.
"""

from __future__ import annotations

import os

FINDINGS, TABLES = ".findings", ".table"
"""The ends of the names of the files of `tools.packs.findings_cache` and `tools.simulation.known_table`."""
PART = ".part-"
"""The beginning of the name of a file that is being written."""
_FLAGS = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
_SORT, _FOLDER, _FILE, _LINK = 0o170000, 0o040000, 0o100000, 0o120000
"""The bits of a mode that tell the sort of file, and three sorts: importing `stat` takes time."""
_CHUNK = 1024 * 1024


def cache_folder() -> str | None:
    """The folder of all that is kept between runs, whether it exists or not; None when the user wants no cache."""
    if os.environ.get("RULEWRIGHT_NO_CACHE", "") not in ("", "0"):
        return None
    if own := os.environ.get("RULEWRIGHT_CACHE"):
        return own.rstrip("/") or own  # with a slash at its end, the name of a link would be that of its folder
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return os.path.join(shared, "rulewright")
    home = os.path.expanduser("~")
    return os.path.join(home, ".cache", "rulewright") if home != "~" else None


def private(place: str) -> bool:
    """Check that a folder is this user's own, no link, and that nobody else can write to it.

    Where others may only read, that is taken from them: the mode becomes 0700.
    """
    return not distrust(place)


def distrust(place: str) -> str:
    """Why nothing in a folder may be used, as `private` checks it; empty where it may."""
    try:
        about = os.lstat(place)
        if about.st_mode & _SORT == _LINK:
            return "it is a link"
        if about.st_mode & _SORT != _FOLDER:
            return "it is not a folder"
        if os.name == "nt":  # the folders of a user are private there
            return ""
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    try:
        about = os.fstat(handle)
        if about.st_uid != os.geteuid():
            return "it belongs to another user"
        if about.st_mode & 0o022:
            return "others can write to it (chmod 700 repairs that)"
        if about.st_mode & 0o077:
            os.fchmod(handle, 0o700)
        return ""
    except OSError as error:  # a file system that keeps no modes
        return error.strerror or str(error)
    finally:
        os.close(handle)


def make_private(place: str) -> str:
    """Make a folder if need be, for this user alone. The result is as that of `distrust`. Raises OSError."""
    os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
    if not os.path.lexists(place):
        try:
            os.mkdir(place, 0o700)
        except FileExistsError:  # another process was quicker
            return distrust(place)
    return distrust(place)


def read_own(path: str, most: int, touch: bool = False) -> bytes:
    """The bytes of a regular file of this user, no link, which nobody else can write to, of at most `most` bytes.

    With `touch` its time of change becomes now: it was used. Raises OSError.
    """
    handle = os.open(path, os.O_RDONLY | _FLAGS)
    try:
        about = os.fstat(handle)
        if about.st_mode & _SORT != _FILE or about.st_size > most:
            raise OSError(f"{path}: it is not a regular file, or too large")
        if os.name != "nt" and (about.st_uid != os.geteuid() or about.st_mode & 0o022):
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
    """Note that a file was used just now: what was not used for longest is removed first."""
    try:
        os.utime(path)
    except OSError:
        return


def write_own(path: str, data: bytes) -> None:
    """Write a file for this user alone; readers see the old file or the new one. Raises OSError."""
    import tempfile  # it takes time to import, and most runs do not write

    handle, part = tempfile.mkstemp(prefix=PART, dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
