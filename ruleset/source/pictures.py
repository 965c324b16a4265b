"""Check the picture files of a pack: inside its folder, of a known format, and bounded.

Nothing is decoded: the first bytes tell the format and the size in pixels. SVG files are read in full
(`source.svg`). Pages and print show only pictures that passed, and read them again with `picture_bytes`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.regular_files import TooLarge, read_regular
from rulewright.ruleset.source.svg import steps_of, unsafe

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
"""Suffixes of pictures in lower case, with their media types."""
MAX_BYTES = 2 * 1024 * 1024
MAX_SIDE = 4_096
"""Width and height of a PNG or JPEG, in pixels."""
MAX_PICTURES = 2_000
MAX_ALL_BYTES = 128 * 1024 * 1024
"""For all pictures of a pack together."""

_PIXELS = 100
"""Pixels of a PNG, which is compressed again, in the time of a step."""
_CONVERT = "save it again in an image editor"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of segments with the size of the picture (ISO/IEC 10918-1, table B.1: start of frame)."""
_JPEG_ALONE = frozenset((0x01, *range(0xD0, 0xD8)))
"""Markers without a segment."""


@frozen(repr=False)
class PictureFile(Record):
    """A picture in a pack's folder: its path there, and what is wrong with it; empty if nothing is.

    A path that ends in `/` is a link to a folder, whose pictures cannot be used.
    """

    path: str
    wrong: str = ""
    hint: str = ""


class Unfit(Exception):  # noqa: N818 - the file is at fault, not our code
    """A file that is no picture, or may not be used; with a hint."""

    def __init__(self, wrong: str, hint: str) -> None:
        super().__init__(wrong)
        self.hint = hint


def is_picture(name: str) -> bool:
    """Whether a file name has the suffix of a picture."""
    return suffix(name) in TYPES


def suffix(name: str) -> str:
    """Return the suffix of a file name, in lower case."""
    return os.path.splitext(name)[1].lower()


def checked(root: Path, paths: Iterable[str]) -> Iterator[PictureFile]:
    """Check pictures of a pack, given by their paths in its folder."""
    left = MAX_ALL_BYTES
    for number, path in enumerate(paths):
        if path.endswith("/"):
            hint = "copy the pictures into the pack; links to folders are not followed"
            yield PictureFile(path, f"`{path}` is a link to another folder", hint)
            continue
        try:
            if number >= MAX_PICTURES or left <= 0:
                limit = f"{MAX_PICTURES} pictures or {MAX_ALL_BYTES // 1024 // 1024} MiB"
                raise Unfit(f"the pack has more than {limit}", "remove some, or make them smaller")
            left -= len(picture_bytes(root, path))
        except Unfit as error:
            yield PictureFile(path, str(error), error.hint)
        else:
            yield PictureFile(path)


def picture_bytes(root: Path, path: str) -> bytes:
    """Return the contents of a picture of a pack, after all checks. Raises Unfit."""
    if path.startswith("/") or "\\" in path or {"", ".", ".."} & set(path.split("/")):
        raise Unfit("its path leads out of the pack", "write its path in the pack's folder")
    try:
        target = (root / path).resolve()
        if not target.is_relative_to(root.resolve()):
            raise Unfit("it is a link to a file outside the pack's folder", "copy the file into the pack")
        data = read_regular(target, MAX_BYTES)
    except TooLarge:
        raise Unfit(f"it is larger than {MAX_BYTES // 1024 // 1024} MiB", "make it smaller") from None
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Unfit(f"it cannot be read: {why}", "replace it with a regular, readable file") from None
    _check(data, suffix(path))
    return data


def drawing_steps(data: bytes, path: str) -> int:
    """Return how many steps of drawing (`svg_steps`) the contents of a picture take, after all checks."""
    of = suffix(path)
    if of == ".svg":
        return steps_of(data)
    width, height = (_png_size(data) if of == ".png" else None) or (0, 0)  # a JPEG is taken over as it is
    return width * height // _PIXELS


def _check(data: bytes, of: str) -> None:
    """Raise Unfit unless the contents are a picture of the type that the suffix says."""
    if of == ".svg":
        wrong = unsafe(data)
        if wrong is not None:
            raise Unfit(*wrong)
        return
    size = _png_size(data) if of == ".png" else _jpeg_size(data)
    if size is None:
        raise Unfit(f"it is not a {'PNG' if of == '.png' else 'JPEG'} file", _CONVERT)
    width, height = size
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise Unfit(f"it has {width} × {height} pixels", f"at most {MAX_SIDE} × {MAX_SIDE} are allowed")


def _png_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height (PNG specification, 5.2 and 11.2.2)."""
    if data[:16] != b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" or len(data) < 33:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the first start of frame (ISO/IEC 10918-1, B.2.2)."""
    if data[:3] != b"\xff\xd8\xff":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _JPEG_ALONE:  # fill bytes
            at += 1 if marker == 0xFF else 2
        elif marker in _JPEG_SIZES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
