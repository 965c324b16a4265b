"""Create a new folder in the current one, completely or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.ruleset.source.pack_files import pack_root
from rulewright.tools.common.errors import Usage


@contextmanager
def fresh_folder(name: str) -> Iterator[Path]:
    """Yield a temporary folder for a new pack; at the end it is renamed to `name`.

    Raises Usage if `name` exists or the current folder belongs to a pack, and if the folder or its contents cannot
    be written. After any exception, nothing remains.
    """
    target = Path(name)
    if target.exists() or target.is_symlink():
        raise Usage(f"{name} already exists in this folder; choose another name")
    if pack_root(Path()) is not None:
        raise Usage("packs cannot be nested; run this outside a pack")
    own = Path(f".{name}.{os.getpid()}")
    try:
        yield own
        own.rename(target)
    except OSError as error:
        raise Usage(f"cannot create {name}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(own, ignore_errors=True)
