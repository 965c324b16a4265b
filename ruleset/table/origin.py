"""What a table program was made from: the files of its packs, and their text for journals.

The text comes from outside, and is not trusted: its size is bounded before anything is unpacked. Paths in it only
name files in messages. Whoever uses the files has to compile them, with the checks that all packs pass.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from functools import lru_cache
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.limits import MOST_FILES, PACK_BYTES
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.pack_files import NO_FOLDER, PACK_FILES, PackFiles

MOST_PACKS = 100
MOST_BYTES = 2 * PACK_BYTES
"""Of all files together, unpacked."""
MOST_CHARACTERS = 8 * 1024 * 1024
"""Of the text; it takes about a third of what the files take."""


@frozen(repr=False)
class Origin(Record):
    """The packs of a program with their names: those that were asked for, and those that these need.

    `scenario` is the number of the scenario in whose position a game begins; -1 for none.
    """

    asked: tuple[tuple[str, PackFiles], ...]
    needed: tuple[tuple[str, PackFiles], ...] = ()
    scenario: int = -1


class PacksTooLarge(ValueError):  # noqa: N818 - the packs may be all right
    """Packs that are too large to be kept."""


@lru_cache(maxsize=8)
def packed(origin: Origin) -> tuple[str, str]:
    """Return the files of packs as text, and its digest. They are named below their packs. Raises PacksTooLarge."""
    data = json.dumps({"asked": [*map(_data, origin.asked)], "needed": [*map(_data, origin.needed)]}).encode()
    text = b64encode(zlib.compress(data, 9)).decode("ascii")
    if len(data) > MOST_BYTES or len(text) > MOST_CHARACTERS:
        raise PacksTooLarge("these packs are too large")
    return text, _digest(data)


def _data(pack: tuple[str, PackFiles]) -> list[Any]:
    name, files = pack
    own = next((path for path, _ in files.files if path.rpartition("/")[2] in PACK_FILES), "")
    lead = own.rpartition("/")[0]
    inside = {path.removeprefix(f"{lead}/" if lead else ""): data for path, data in files.files}
    texts = {path: data.decode() for path, data in inside.items()}
    return [name, texts, [[one.path, one.wrong, one.hint] for one in files.pictures]]


def unpacked(text: str) -> tuple[Origin, str]:
    """Return the packs of a text, and its digest. Raises PacksTooLarge, and ValueError for any other text."""
    if len(text) > MOST_CHARACTERS:
        raise PacksTooLarge("these packs are too large")
    try:
        expander = zlib.decompressobj()
        data = expander.decompress(b64decode(text, validate=True), MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise PacksTooLarge("these packs are too large")
        if not expander.eof:
            raise ValueError("the text is cut off")
        found = json.loads(data)
        asked, needed = (tuple(map(_pack, found[key])) for key in ("asked", "needed"))
    except PacksTooLarge:
        raise
    except (zlib.error, KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
        raise ValueError(str(error)) from None
    if not asked or len(asked) + len(needed) > MOST_PACKS:
        raise ValueError(f"expected 1 to {MOST_PACKS} packs")
    return Origin(asked, needed), _digest(data)


def _pack(data: Any) -> tuple[str, PackFiles]:
    from rulewright.ruleset.source.pictures import PictureFile

    name, files, pictures = data
    if not isinstance(name, str) or len(files) > MOST_FILES or len(pictures) > MOST_FILES:
        raise ValueError("a pack has no name, or too many files")
    for path in (name, *files):
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise ValueError(f"{path!r} is outside its pack")
    return name, PackFiles(
        NO_FOLDER,
        tuple((f"{name}/{path}", text.encode()) for path, text in files.items()),
        (),
        tuple(PictureFile(*map(str, one)) for one in pictures),
    )


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
