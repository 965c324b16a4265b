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
