"""A saved game that is updated during play: every accepted answer is on disk before the next question.

The file is a journal. It is first written as a whole (to a temporary file, synced, then renamed). Afterwards each
answer appends a line, and taking back truncates the file. So a process killed at any time leaves a valid file, at
worst with a partial last line, which `whole_lines` drops. A lock prevents concurrent use by two processes.
"""

from __future__ import annotations

import errno
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
from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import Header, Journal, JournalEntry, JournalError, Play
from rulewright.ruleset.common.regular_files import TooLarge, is_regular, read_regular, regular
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import say, write_long
from rulewright.tools.common.player_messages import problem, reason
from rulewright.tools.playing.kept_rules import table_of

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        place = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, 2**40, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, place, os.SEEK_SET)
else:

    def _lock(handle: int) -> None:
        try:
            import fcntl
        except ImportError:  # a system without locks
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
"""Errors of file systems without locks; on these a second process is not detected."""
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class InUse(Usage):
    """Another process plays the game in this file."""


class NotWritable(Usage):
    """The file cannot be written, for example for lack of space or permission."""


class OtherContent(Usage):
    """The file exists, and holds anything but this game."""


class SaveFile:
    """A saved game, locked while this object is open.

    `private`: in the user's own folder, unreadable for others. Methods raise Usage if the file cannot be written;
    its previous content is kept.
    """

    def __init__(self, file: str, private: bool = False) -> None:
        self.file = file
        self.private = private
        self.begun = False
        """Whether this object created the file."""
        self._path = os.path.abspath(file)
        self._handle = -1
        self._head: tuple[Header, TableProgram] | None = None
        self._entries: tuple[JournalEntry, ...] = ()
        self._ends: list[int] = []
        """The end offsets of the head and of each entry."""

    # -------------------------------------------------------------- opening

    def lock(self) -> bool:
        """Lock the file before it is read or replaced; return False if it does not exist. Raises InUse."""
        while True:
            try:
                handle = regular(self._path, writing=True)
            except FileNotFoundError:
                return False
            except OSError as error:
                raise self._failed(error) from None
            if self._locked(handle):
                self._close()
                self._handle = handle
                return True
            os.close(handle)

    def _locked(self, handle: int) -> bool:
        """Lock an open file; return False if the name now refers to another file. Closes the file if it raises."""
        try:
            _lock(handle)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                os.close(handle)
                raise InUse(problem("in-use", file=self.file)) from None
        return self._is(handle)

    def _is(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(handle))
        except OSError:
            return False

    def lock_for(self, journal: Journal, overwrite: bool = False) -> bool:
        """Lock the file for a game; return False if it does not exist.

        Raises InUse, and without `overwrite` OtherContent: the file must be empty, or hold a part of this journal.
        """
        if not self.lock():
            return False
        try:
            if not overwrite and (data := bytes_of(self.file)):
                self._only(journal, data)
        except BaseException:
            self._close()
            raise
        return True

    def _only(self, journal: Journal, data: bytes) -> None:
        """Raise OtherContent unless the bytes are a journal of this game that has no answer of its own."""
        try:
            found, _ = journal_of(data, self.file)
        except Usage:
            raise OtherContent(problem("other-content", file=self.file)) from None
        same = evolve(found.header, play=None) == evolve(journal.header, play=None)
        if not same or found.entries != journal.entries[: len(found.entries)]:
            raise OtherContent(problem("other-game", file=self.file))

    def read(self) -> tuple[Journal, bool]:
        """Return the journal in the locked file, and whether a torn last line was dropped."""
        data = bytes_of(self.file)
        journal, torn = journal_of(data, self.file)
        lines = data.split(b"\n")[:-1]  # only complete lines; the rest is rewritten
        if len(lines) >= 2:
            self._head, self._ends = (journal.header, journal.program), [len(lines[0]) + len(lines[1]) + 2]
            for line in lines[2:]:
                self._ends.append(self._ends[-1] + len(line) + 1)
            self._entries = journal.entries[: len(lines) - 2]
        return journal, torn

    # -------------------------------------------------------------- following

    def follow(self, journal: Journal, sync: bool = True) -> None:
        """Update the file to the journal. With `sync`, wait until it has reached the disk."""
        try:
            if self._handle < 0 or self._head is None or not self._same(journal) or not self._is(self._handle):
                self._write_whole(journal)
                return
            kept = self._common(journal.entries)
            if kept < len(self._entries) or os.fstat(self._handle).st_size != self._ends[-1]:
                self._cut(kept)
            for entry in journal.entries[kept:]:
                line = journals.entry_line(entry).encode("ascii") + b"\n"
                self._append(line)
                self._ends.append(self._ends[-1] + len(line))
            self._entries = journal.entries
            if sync:
                os.fsync(self._handle)
        except OSError as error:
            raise self._failed(error) from None

    def _same(self, journal: Journal) -> bool:
        assert self._head is not None
        return self._head[1] is journal.program and self._head[0] == journal.header

    def _common(self, entries: tuple[JournalEntry, ...]) -> int:
        """Return the number of leading entries that are in the file already."""
        mine = self._entries
        if mine and len(entries) >= len(mine) and entries[len(mine) - 1] is mine[-1]:
            return len(mine)  # an entry is created once, after its predecessors
        pairs = enumerate(zip(mine, entries, strict=False))
        return next((number for number, (own, other) in pairs if own != other), min(len(mine), len(entries)))

    def _cut(self, kept: int) -> None:
        del self._ends[kept + 1 :]
        self._entries = self._entries[:kept]
        os.ftruncate(self._handle, self._ends[-1])

    def _append(self, line: bytes) -> None:
        """Append a line; if this fails midway, remove the partial line."""
        try:
            os.lseek(self._handle, self._ends[-1], os.SEEK_SET)
            left = memoryview(line)
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError:
            os.ftruncate(self._handle, self._ends[-1])
            raise

    def _write_whole(self, journal: Journal) -> None:
        """Replace the file by a complete one, and keep it open and locked."""
        try:
            lines = journals.write(journal).encode("ascii").splitlines(keepends=True)
        except JournalError:
            raise OSError(errno.EFBIG, "the rules of this game are larger than a saved game may be") from None
        folder, name = os.path.split(self._path)
        own = os.path.join(folder, f".{name[:100]}.{os.urandom(8).hex()}")
        handle = os.open(own, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600 if self.private else 0o666)
        try:
            self._locked_new(handle)
            left = memoryview(b"".join(lines))
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
            if os.name == "nt":  # Windows cannot rename an open file
                os.close(handle)
                handle = -1
                self._close()
                os.replace(own, self._path)
                handle = os.open(self._path, os.O_RDWR | _BINARY)
                self._locked_new(handle)
            else:
                os.replace(own, self._path)
        except BaseException:
            if handle >= 0:
                os.close(handle)
            Path(own).unlink(missing_ok=True)
            raise
        self._close()
        self._handle = handle
        self._head, self._entries = (journal.header, journal.program), journal.entries
        self._ends = [len(lines[0]) + len(lines[1])]
        for line in lines[2:]:
            self._ends.append(self._ends[-1] + len(line))
        _sync_folder(folder)

    def _locked_new(self, handle: int) -> None:
        try:
            _lock(handle)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise

    # -------------------------------------------------------------- ending

    def remove(self) -> None:
        """Delete the file and close it."""
        if self._handle >= 0 and self._is(self._handle):
            Path(self._path).unlink(missing_ok=True)
        self._close()

    def close(self) -> None:
        """Release the file."""
        self._close()

    def _close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1

    def _failed(self, error: OSError) -> NotWritable:
        return NotWritable(problem("not-saved", file=self.file, why=reason(error)))


def _sync_folder(folder: str) -> None:
    """Sync the folder, so that the new name reaches the disk, where this is supported."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


# ------------------------------------------------------------------ reading

def read_journal(file: str) -> tuple[Journal, bool]:
    """Return the journal in a file, and whether a torn last line was dropped. Raises Usage."""
    return journal_of(bytes_of(file), file)


def bytes_of(file: str) -> bytes:
    """Read a file that may be a journal. Raises Usage."""
    try:
        return read_regular(file, journals.MAX_CHARACTERS)
    except TooLarge as error:
        raise Usage(problem("no-journal", file=file, why=reason(error))) from None
    except OSError as error:
        raise Usage(problem("not-read", file=file, why=reason(error))) from None


def journal_of(data: bytes, file: str) -> tuple[Journal, bool]:
    """Return the journal in the bytes of a file, and whether a torn last line was dropped. Raises Usage."""
    data, torn = whole_lines(data)
    try:
        return journals.read(data.decode("utf-8"), table_of), torn
    except UnicodeDecodeError:
        raise Usage(problem("no-text", file=file)) from None
    except JournalError as error:
        raise Usage(problem("not-replayed", file=file, why=error.spoken)) from None


def whole_lines(data: bytes) -> tuple[bytes, bool]:
    """Drop a partially written last line, and return whether there was one.

    Only an answer can be torn: header and program are written as a whole.
    """
    before, _, last = data.rpartition(b"\n")
    if not last or before.count(b"\n") < 1:
        return data, False
    try:
        json.loads(last)
    except (ValueError, RecursionError):
        return before + b"\n", True
    return data, False


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


# ---- The user's folder of saved games
#
# Its files are called `PACK-SEED.journal`, or `PACK-SEED-2.journal` if that name is taken. The last `MOST` of
# them are kept. Files with other names belong to the player and are never deleted, nor are games in play.

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
