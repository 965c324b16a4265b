"""The user's folder of saved games.

Its files are called `PACK-SEED.journal`, or `PACK-SEED-2.journal` if that name is taken. The last `MOST` of them
are kept. Files with other names belong to the player and are never deleted, nor are games in play.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path

from rulewright.interpreter.cache import of_others
from rulewright.ruleset.common.regular_files import is_regular
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.player_messages import problem, reason
from rulewright.tools.playing.save_file import SaveFile
from rulewright.tools.playing.saves import SUFFIX, fresh_name

VARIABLE, OFF = "RULEWRIGHT_SAVES", "RULEWRIGHT_NO_SAVES"
MOST = 20
_OURS = re.compile(r"[a-z0-9+-]+-\d+(-\d+)?\.journal")


def games_folder() -> Path | None:
    """Return the folder, which may not exist; None if the user disabled it or has no home."""
    if os.environ.get(OFF, "") not in ("", "0"):
        return None
    if own := os.environ.get(VARIABLE):
        return Path(own)
    if (shared := os.environ.get("XDG_STATE_HOME", "")) and os.path.isabs(shared):
        return Path(shared, "rulewright", "games")
    home = os.path.expanduser("~")
    if home == "~":
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path(home, "AppData", "Local"), "rulewright", "games")
    if sys.platform == "darwin":
        return Path(home, "Library", "Application Support", "rulewright", "games")
    return Path(home, ".local", "state", "rulewright", "games")


def new_game(pack: str, seed: int) -> SaveFile | None:
    """Return an unwritten file for a new game; None without a folder. Raises Usage if it cannot be made."""
    folder = games_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Usage(problem("not-saved-in", file=str(folder), why=reason(error))) from None
    return SaveFile(fresh_name(pack, seed, folder), private=True)


def saved_games() -> list[Path]:
    """Return the saved games in the folder, newest first."""
    folder = games_folder()
    found: list[tuple[float, Path]] = []
    try:
        places = [*folder.iterdir()] if folder is not None else []
    except OSError:
        return []
    for place in places:
        if place.suffix == SUFFIX and not place.name.startswith(".") and is_regular(place):
            with suppress(FileNotFoundError):  # another process just deleted it
                found.append((place.stat().st_mtime, place))
    return [place for _, place in sorted(found, reverse=True)]


def forget() -> None:
    """Delete the oldest games beyond `MOST`, except those in use."""
    ours = [place for place in saved_games() if _OURS.fullmatch(place.name)]
    for place in ours[MOST:]:
        old = SaveFile(str(place))
        try:
            if old.lock():
                old.remove()
        except Usage:
            continue


def located(file: str) -> str:
    """Return the file that a name means: a local file or, if there is none, a game in the folder."""
    folder = games_folder()
    if folder is None or os.path.lexists(file) or os.path.basename(file) != file or not file:
        return file
    for name in (file, f"{file}{SUFFIX}"):
        if is_regular(folder / name):
            return str(folder / name)
    return file


def is_ours(file: str) -> bool:
    """Whether a file is in the folder."""
    folder = games_folder()
    return folder is not None and os.path.dirname(os.path.abspath(file)) == os.path.abspath(folder)


def is_ours_alone(file: str) -> bool:
    """Whether a file is in the folder, and only the user could have created or changed it."""
    if not is_ours(file):
        return False
    try:
        abouts = [os.lstat(place) for place in (os.path.dirname(os.path.abspath(file)), file)]
    except OSError:
        return False
    links = any(stat.S_ISLNK(about.st_mode) for about in abouts)
    return not links and not any(map(of_others, abouts))


def short(file: str) -> str:
    """Return the name of a saved game for the command line: the bare name, if it is sufficient."""
    path = Path(file)
    folder = games_folder()
    if folder is not None and path.parent == folder and path.suffix == SUFFIX and located(path.stem) == file:
        return path.stem
    return file
