"""The files of packs as they were when a table's rules were compiled, as text that the server stores.

From these files a table has its rules and the names of its things when its packs have mistakes or are gone.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import evolve

from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import PictureFile
from rulewright.ruleset.table.origin import Origin
from rulewright.tools.packs.pack_set import PackSet


def packed(packs: PackSet) -> str:
    """Return the files of packs as text."""
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


def placed(origin: Origin, folders: Mapping[str, Path]) -> PackSet:
    """Return packs of a journal as if they had been read from these folders, by the names of packs."""

    def at(name: str, files: PackFiles) -> PackFiles:
        if (root := folders.get(name)) is None:
            return files
        return evolve(
            files, root=root, files=tuple((f"{root}{path[len(name) :]}", data) for path, data in files.files)
        )

    return PackSet(
        tuple(at(*one) for one in origin.asked), {name: at(name, files) for name, files in origin.needed}
    )
