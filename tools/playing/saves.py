"""Names of saved games, and early checks of where they can be saved."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rulewright.ruleset.common.regular_files import is_regular
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.player_messages import problem

SUFFIX = ".journal"


def check_target(file: str) -> None:
    """Raise Usage if a game could not be saved in this file."""
    target = Path(file)
    if target.is_dir():
        raise Usage(problem("folder", file=file))
    if os.path.lexists(target) and not target.is_symlink() and not is_regular(target):
        raise Usage(problem("not-regular", file=file))
    if not target.parent.is_dir():
        raise Usage(problem("no-folder", file=file, folder=str(target.parent)))
    if not os.access(target.parent, os.W_OK):
        raise Usage(problem("not-writable", file=file, folder=str(target.parent)))


def fresh_name(pack: str, seed: int, folder: Path | None = None) -> str:
    """Return an unused name: a path in `folder`, or a name in the current folder."""
    stem = re.sub(r"[^a-z0-9+-]+", "-", pack)
    number = 1
    while True:
        name = f"{stem}-{seed}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if not os.path.lexists(path := str(folder / name) if folder is not None else name):
            return path
        number += 1
