"""A saved game that is updated during play: every accepted answer is on disk before the next question.

The file is a journal. It is first written as a whole (to a temporary file, synced, then renamed). Afterwards each
answer appends a line, and taking back truncates the file. So a process killed at any time leaves a valid file, at
worst with a partial last line, which `whole_lines` drops. A lock prevents concurrent use by two processes.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

from attrs import evolve

from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.journal import Header, Journal, JournalEntry, JournalError
from rulewright.ruleset.common.regular_files import TooLarge, read_regular, regular
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.errors import Usage
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
