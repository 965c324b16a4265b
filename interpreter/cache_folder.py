"""Where the user's cache is. Nothing but `os` is imported here: what starts quickly asks, too."""

from __future__ import annotations

import os


def cache_folder() -> str | None:
    """The folder of all that is kept between runs, whether it exists or not; None when the user wants no cache."""
    if os.environ.get("RULEWRIGHT_NO_CACHE", "") not in ("", "0"):
        return None
    if own := os.environ.get("RULEWRIGHT_CACHE"):
        return own
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return os.path.join(shared, "rulewright")
    home = os.path.expanduser("~")
    return os.path.join(home, ".cache", "rulewright") if home != "~" else None


def private(place: str) -> bool:
    """Whether a folder is this user's own, is no link, and only this user can write to it."""
    try:
        about = os.lstat(place)
    except OSError:
        return False
    if about.st_mode & 0o170000 != 0o040000:
        return False
    return os.name == "nt" or (about.st_uid == os.geteuid() and not about.st_mode & 0o022)
