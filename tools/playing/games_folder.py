"""The user's folder of saved games.

Its files are called `PACK-SEED.journal`, or `PACK-SEED-2.journal` if that name is taken. The last `MOST` of them
are kept. Files with other names belong to the player and are never deleted, nor are games in play.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from attrs import define, evolve, field

from rulewright.interpreter.cache import of_others
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import Journal, Play
from rulewright.ruleset.common.regular_files import is_regular
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import say, write_long
from rulewright.tools.common.player_messages import problem, reason
from rulewright.tools.playing.save_file import SaveFile, bytes_of, whole_lines

# ---- Names of saved games, and early checks of where they can be saved

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


# ---- Save a game in play: the place, the header, and changes of place

@define
class Keeper:
    """Saves one game. Without a file nothing is saved, until the player or the end of the session names one."""

    play: Play = field(factory=lambda: Play((), "en"))
    file: SaveFile | None = None
    replacing: bool = False
    """The file contains another game, which is replaced at the first answer."""

    @property
    def name(self) -> str:
        """The name of the file for the command line."""
        return short(self.file.file) if self.file is not None else ""

    def begin(self, game: Game) -> None:
        """Write the file of a new game. Raises Usage."""
        if self.file is not None and not self.replacing:
            new = not os.path.lexists(self.file.file)
            self.keep(game)
            self.file.begun = new
            if self.file.private:
                forget()

    def keep(self, game: Game, sync: bool = True) -> None:
        """Update the file to the state of the game; with `sync`, wait for the disk. Raises Usage."""
        if self.file is None or (self.replacing and not game.journal.entries):
            return
        self.file.follow(self._journal(game), sync)
        self.replacing = False

    def _journal(self, game: Game) -> Journal:
        play = evolve(self.play, over=game.result is not None)
        journal = game.journal
        return evolve(journal, header=evolve(journal.header, play=play))

    def move(self, file: str, game: Game, overwrite: bool = False) -> None:
        """Save in another file from now on. Raises Usage, and then keeps the old file.

        A file that holds anything but this game is replaced only with `overwrite`.
        """
        if self.file is not None and os.path.abspath(file) == os.path.abspath(self.file.file):
            self.keep(game)
            return
        check_target(file)
        other = Keeper(self.play, SaveFile(file))
        assert other.file is not None
        other.file.lock_for(game.journal, overwrite)
        try:
            other.keep(game)
        except Usage:
            other.file.close()
            raise
        if self.file is not None:
            if self.file.private and self.file.begun:
                self.file.remove()  # the player's own file is complete
            else:
                self.file.close()
        self.file, self.replacing = other.file, False

    def end(self, game: Game, seed: int, answers: int) -> bool:
        """Save for the last time; return whether a file remains. A game without answers leaves none.

        Raises Usage.
        """
        if not answers:
            if self.file is not None:
                if self.file.begun:
                    self.file.remove()
                self.file.close()
            return False
        if self.file is None:
            self.move(fresh_name(game.program.pack, seed), game)
        else:
            self.keep(game)
        assert self.file is not None
        self.file.close()
        return True


def kept_at(
    save: str | None, game: Game, seed: int, play: Play, interactive: bool, overwrite: bool = False
) -> Keeper:
    """Return the keeper of a game: for the named file or, if a person plays, a file in the user's folder.

    Raises Usage if the game cannot be saved there, InUse if another process plays the game in the file,
    OtherContent if it holds anything but this game and may not be overwritten.
    """
    if save is not None:
        check_target(save)
        file = SaveFile(save)
        return Keeper(play, file, replacing=file.lock_for(game.journal, overwrite))
    return Keeper(play, new_game(game.program.pack, seed) if interactive else None)


# ---- `rulewright play --resume` without a name: list the saved games in the user's folder

_WORDS = {
    "en": {
        "none": "No saved games in {folder}.",
        "off": "Games are not saved automatically, because {variable} is set.",
        "games": "Saved games in {folder}, newest first:",
        "answers": ("{n} answer", "{n} answers"),
        "open": "unfinished",
        "over": "finished",
        "unread": "cannot be read",
        "game": "game {n}",
    },
    "es": {
        "none": "No hay partidas guardadas en {folder}.",
        "off": "Las partidas no se guardan automáticamente, porque {variable} está definida.",
        "games": "Partidas guardadas en {folder}, la más reciente primero:",
        "answers": ("{n} respuesta", "{n} respuestas"),
        "open": "sin terminar",
        "over": "terminada",
        "unread": "no se puede leer",
        "game": "partida {n}",
    },
}


def list_games(language: str) -> int:
    """Print each game with its pack, date, seats, answers, state, and the command that resumes it."""
    words: Mapping[str, Any] = _WORDS[language]
    folder = games_folder()
    if folder is None:
        say(words["off"].format(variable=OFF))
        return CLEAN
    games = saved_games()
    if not games:
        say(words["none"].format(folder=folder))
        return CLEAN
    lines = [words["games"].format(folder=folder)]
    for place in games:
        lines += ["", *_told(place, language, words)]
    write_long(lines, sys.stdout)
    return CLEAN


def _told(place: Path, language: str, words: Mapping[str, Any]) -> list[str]:
    name = short(str(place))
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(place.stat().st_mtime))
    try:
        data, _ = whole_lines(bytes_of(str(place)))
        head = json.loads(data[: data.index(b"\n")])
        seats, play = [*head["play"]["seats"]], head["play"]
        if not all(isinstance(one, str) for one in (head["pack"], head["version"], *seats)):
            raise ValueError
    except (Usage, ValueError, TypeError, KeyError, RecursionError):
        return [harmless(f"  {name}  {date}  {words['unread']}")]
    count = data.count(b"\n") - 2
    answers = words["answers"][count != 1].format(n=count)
    state = words["over" if play["over"] is True else "open"]
    facts = [f"{head['pack']} {head['version']}", date, ", ".join(seats), answers, state]
    spoken = f" --lang {language}" if language != "en" else ""
    told = (f"  {' · '.join(facts)}", f"      rulewright play --resume {quote(name)}{spoken}")
    return [*map(harmless, told)]
