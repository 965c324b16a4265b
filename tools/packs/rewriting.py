"""Rewrite files of a pack: only if it gets no new finding, and all of them or none."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.limits import PACK_BYTES
from rulewright.ruleset.common.regular_files import read_regular
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading


def checked(files: PackFiles, news: Mapping[str, bytes]) -> tuple[Loaded, Diagnostic | None]:
    """Load the pack as it would be written, and return a finding that it did not have before.

    Older formats are read as the current one, so the two can be compared.
    """
    own = {path for path, _ in files.files}
    before = Counter(_told(item) for item in _loaded(files).findings)
    after = _loaded(evolve(files, files=tuple((path, news.get(path, data)) for path, data in files.files)))
    for item in after.findings:
        if item.span.path in own and not before[_told(item)]:
            return after, item
        before[_told(item)] -= 1
    return after, None


def _loaded(files: PackFiles) -> Loaded:
    return loading.load_pack_set(loading.pack_set_of([files]))


def _told(item: Diagnostic) -> tuple[str, str, str]:
    return item.code, item.message, item.span.path


# ------------------------------------------------------------------ writing

def write(root: Path, news: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Write files of a pack, all or none: `(new, old)` by path as shown. Links remain links. Raises Usage."""
    shown = loading.shown(root)
    _replace(
        {root / (path if shown == "." else path.removeprefix(f"{shown}/")): both for path, both in news.items()}
    )


def _replace(news: Mapping[Path, tuple[bytes, bytes]]) -> None:
    """Write all files or, as far as possible, none: `(new, old)` by path. Links remain links."""
    made: dict[Path, Path] = {}
    done: list[tuple[Path, bytes]] = []
    try:
        for link, (new, old) in news.items():
            path = link.resolve()
            if read_regular(path, PACK_BYTES) != old:
                raise Usage(f"{link} was changed by another program meanwhile; nothing was written")
            made[path] = path.with_name(f".{path.name}.{os.getpid()}")
            made[path].write_bytes(new)
            shutil.copymode(path, made[path])
        for link, (_, old) in news.items():
            path = link.resolve()
            os.replace(made[path], path)
            done.append((path, old))
    except OSError as error:
        for path, old in done:
            path.write_bytes(old)
        raise Usage(f"cannot write {error.filename}: {error.strerror or error}; nothing was changed") from None
    finally:
        for own in made.values():
            own.unlink(missing_ok=True)
