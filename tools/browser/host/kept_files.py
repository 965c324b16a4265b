"""The files of packs as they were when a table's rules were compiled, as text that the server stores.

A table keeps its rules when its packs have mistakes or are gone; from these files come the names of its things.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from ruleset.source.pack_files import PackFiles
from ruleset.source.pictures import PictureFile
from tools.packs.pack_set import PackSet

MOST_BYTES = 8 * 1024 * 1024
"""Larger packs are not kept: without their files, a table shows its things by their keys."""


def packed(packs: PackSet) -> str:
    """Return the files of packs as text; empty if they are too large, or there are none."""
    if not packs.asked or sum(len(data) for one in packs.files for _, data in one.files) > MOST_BYTES:
        return ""
    data = {
        "asked": [*map(_data, packs.asked)],
        "needed": {name: _data(one) for name, one in packs.needed.items()},
        "known": [*packs.known],
    }
    return b64encode(zlib.compress(json.dumps(data).encode(), 6)).decode("ascii")


def unpacked(text: str) -> PackSet:
    """Return packs from their text. Raises ValueError."""
    try:
        data = json.loads(zlib.decompress(b64decode(text)))
        needed = {str(name): _files(one) for name, one in data["needed"].items()}
        return PackSet(tuple(map(_files, data["asked"])), needed, tuple(map(str, data["known"])))
    except (zlib.error, KeyError, TypeError, AttributeError) as error:
        raise ValueError("these are no files of packs") from error


def _data(files: PackFiles) -> dict[str, Any]:
    return {
        "root": str(files.root.absolute()),
        "files": [[name, data.decode("latin-1")] for name, data in files.files],  # any bytes
        "pictures": [[one.path, one.wrong, one.hint] for one in files.pictures],
    }


def _files(data: Any) -> PackFiles:
    return PackFiles(
        Path(data["root"]),
        tuple((str(name), str(text).encode("latin-1")) for name, text in data["files"]),
        (),
        tuple(PictureFile(*map(str, one)) for one in data["pictures"]),
    )
