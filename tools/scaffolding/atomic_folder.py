"""A new folder in the current one: it is there whole, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ruleset.source.pack_files import pack_root
from tools.common.errors import Usage


@contextmanager
def fresh_folder(name: str) -> Iterator[Path]:
    """Where a new pack is written, under a name of its own; at the end it becomes the folder `name`.

    Raises Usage where something of that name exists or the current folder belongs to a pack, and when the folder or
    what goes into it cannot be written. When anything is raised, nothing remains.
    """
    target = Path(name)
    if target.exists() or target.is_symlink():
        raise Usage(f"{name} exists already in this folder; choose another name")
    if pack_root(Path()) is not None:
        raise Usage("the current folder belongs to a pack, and a pack in a pack is none; go to another folder")
    own = Path(f".{name}.{os.getpid()}")
    try:
        yield own
        own.rename(target)
    except OSError as error:
        raise Usage(f"cannot make {name}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(own, ignore_errors=True)
