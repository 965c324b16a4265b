"""Protect files of the user: a command replaces an earlier output of its own, but no other file."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.ruleset.common.regular_files import regular
from rulewright.tools.common.errors import Usage

_READ = 4096
"""Bytes at the beginning of a file that are looked at."""


def check_replaceable(path: str | Path, option: str, beginning: bytes) -> None:
    """Raise Usage if the file exists and is neither empty nor an earlier output of this command.

    `beginning` is a regular expression that the first bytes of each such output match. `option` is what the user
    typed before the path.
    """
    try:
        handle = regular(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Usage(f"{option} {path}: cannot be replaced: {error.strerror or error}; name another file") from None
    with open(handle, "rb") as file:
        found = file.read(_READ)
    if found and not re.match(beginning, found, re.DOTALL):
        raise Usage(
            f"{option} {path}: the file exists and is not an earlier output of this command; name another file, or "
            "delete it first"
        )
