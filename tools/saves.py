"""Journals as files: reading them with messages for people, writing them whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from interpreter import journal as journals
from interpreter.game import Game
from interpreter.journal import Journal, JournalError
from ruleset.regular import TooLarge, read_regular
from tools.failure import Usage

SUFFIX = ".journal"


def read_journal(file: str) -> Journal:
    """The journal in a file; a file that is missing or damaged is a failure."""
    try:
        data = read_regular(file, journals.MAX_CHARACTERS)
    except TooLarge as error:
        raise Usage(f"{file} is not a journal: {error.strerror}") from None
    except OSError as error:
        raise Usage(f"cannot read {file}: {error.strerror}") from None
    try:
        return journals.read(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise Usage(f"{file} is no journal: it is not UTF-8 text") from None
    except JournalError as error:
        raise Usage(f"{file} is no journal that can be replayed: {error}") from None


def write_journal(game: Game, file: str) -> None:
    """Saves a game; a file that was there is replaced only by a complete one."""
    target = Path(file)
    own = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        own.write_text(journals.write(game.journal), "utf-8", newline="\n")
        os.replace(own, target)
    except OSError as error:
        own.unlink(missing_ok=True)
        raise Usage(f"cannot save {file}: {error.strerror}") from None


def check_target(file: str) -> None:
    """Refuses early what could not be saved in the end."""
    target = Path(file)
    if target.is_dir():
        raise Usage(f"cannot save {file}: it is a folder")
    if not target.parent.is_dir():
        raise Usage(f"cannot save {file}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise Usage(f"cannot save {file}: the folder {target.parent} is not writable")


def fresh_name(pack: str, seed: int) -> str:
    """A name in the current folder that no file has."""
    number = 1
    while True:
        name = f"{pack}-{seed}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if not Path(name).exists():
            return name
        number += 1
