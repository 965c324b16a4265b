"""Links to packs that a command does not check: searching folders for packs does not follow links."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from rulewright.tools.common.output import warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MOST = 1_000
"""Limit of entries of a linked folder that are searched for packs."""
_noted: dict[Path, None] = {}


def begin() -> None:
    """Forget all links: a new command begins. A process may run several."""
    _noted.clear()


def note(links: Iterable[Path]) -> None:
    """Record links that were not followed."""
    _noted.update(dict.fromkeys(links))


def report(checked: Iterable[Path]) -> None:
    """Report links to packs, or to folders with packs in them, on stderr.

    `checked` are the packs of the command. A link is not reported if all packs there are checked, for example
    because they are named on the command line.
    """
    known = {os.path.realpath(root) for root in checked}
    for link in _noted:
        if any(os.path.realpath(root) not in known for root in _packs_at(link)):
            warn(f"not checked: {link.as_posix()} is a link; to check it, name it on the command line")
    _noted.clear()


def _packs_at(link: Path) -> Iterator[Path]:
    """Yield the packs at the end of a link: the folder itself, or those directly in it."""
    from rulewright.ruleset.source.pack_files import (
        pack_file,  # every command imports this module, few need more than `begin`
    )

    try:
        if pack_file(link) is not None:
            yield link
            return
        with os.scandir(link) as entries:
            names = sorted(entry.name for entry in islice(entries, MOST) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    yield from (link / name for name in names if pack_file(link / name) is not None)
