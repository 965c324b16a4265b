"""Read files named by users, packs, and saves: regular files only, and a bounded number of bytes.

A FIFO would block for ever, a device may act when it is opened, and `/dev/zero` never ends. All such reads use
`read_regular`. All errors are `OSError`s; `strerror` says what is wrong.
"""

from __future__ import annotations

import errno
import os
import stat

_FLAGS = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK"))
"""`O_NONBLOCK` makes the open of a FIFO return at once, if one replaces the file after the first check."""
_CHUNK = 1024 * 1024
_SORTS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


class NotRegular(OSError):  # noqa: N818 - as other errors of files
    """The name of something that is not a regular file: a folder, a FIFO, a device, or a socket."""


class TooLarge(OSError):  # noqa: N818 - as other errors of files
    """A file that holds more bytes than allowed."""


def regular(path: str | os.PathLike[str], writing: bool = False) -> int:
    """Open a regular file for reading, or also for writing; the result is a file descriptor.

    Raises NotRegular, or another OSError: the file is missing, may not be read, is a loop of symbolic links, or has
    a name that no file can have.
    """
    try:
        _check(os.stat(path), path)  # before the open: opening a device may do something
        handle = os.open(path, _FLAGS | (os.O_RDWR if writing else os.O_RDONLY))
    except ValueError:  # a null character, or letters that the file system cannot encode
        raise OSError(errno.EINVAL, "no file can have this name", os.fspath(path)) from None
    try:
        _check(os.fstat(handle), path)
    except OSError:
        os.close(handle)
        raise
    return handle


def read_regular(path: str | os.PathLike[str], most: int) -> bytes:
    """Read a regular file of at most `most` bytes.

    Raises TooLarge, or an error of `regular`. Reads at most `most` + 1 bytes, regardless of the size that the file
    claims.
    """
    handle = regular(path)
    try:
        parts: list[bytes] = []
        left = 0 if os.fstat(handle).st_size > most else most + 1
        while left > 0 and (part := os.read(handle, min(left, _CHUNK))):
            parts.append(part)
            left -= len(part)
    finally:
        os.close(handle)
    if left <= 0:
        raise TooLarge(errno.EFBIG, f"it is larger than {most} bytes", os.fspath(path))
    return b"".join(parts)


def is_regular(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a regular file; False if the path cannot be examined."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _check(about: os.stat_result, path: str | os.PathLike[str]) -> None:
    if stat.S_ISREG(about.st_mode):
        return
    if stat.S_ISDIR(about.st_mode):
        raise NotRegular(errno.EISDIR, "it is a folder", os.fspath(path))
    sort = _SORTS.get(stat.S_IFMT(about.st_mode), "something else")
    raise NotRegular(errno.EINVAL, f"it is {sort}, not a regular file", os.fspath(path))
