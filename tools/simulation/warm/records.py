"""What a short simulation needs, kept between runs: about a table, and about the files that it was made from.

Such a run should not wait for packs to be read, checked and compiled, nor for the modules that do it. So an entry
has all that is wanted of a table program where machine code plays it, and a few numbers by which the run sees that
nothing has changed: the bytes of the packs' files, the places where packs are looked for, and our own code. It is
named by the question that it answers; where it does not hold any more, or is damaged, it is as good as none. The
classes are written out and little is imported, as in `sums`.
"""

from __future__ import annotations

import marshal
import os
import sys
from hashlib import blake2b

from interpreter.cache import library_store as store
from interpreter.cache.folder import TABLES, cache_folder, make_private, private, read_own, write_own
from tools import VERSION
from tools.own_files import own_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

FORMAT = 1
MOST_BYTES = 64 * 1024 * 1024
"""Of an entry; a larger one is not used."""
MOST_FILES = 2_000
"""Of the packs of an entry; folders count, too."""
SETTINGS = ("RULEWRIGHT_CC", "RULEWRIGHT_PACKS", "XDG_DATA_HOME", "HOME")
"""What a run depends on besides its arguments."""
PACK_FILES = ("pack.yaml", "pack.yml", "pack.YAML", "pack.YML", "pack.Yaml", "pack.Yml")
SUFFIXES, APART = (".yaml", ".yml"), "scenarios"
METADATA = (".dist-info", ".egg-info")
"""What `ruleset.source.pack_files` and `finding` say, which cannot be imported quickly; a test compares them."""

_OWN = ("ruleset", "interpreter", "tools", "schemas")


class Question:
    """What is asked for: packs (`GAME+RULES`), how many play, and options, all as typed."""

    __slots__ = ("options", "pack", "players")

    def __init__(self, pack: str, players: str | None, options: Sequence[str]) -> None:
        self.pack = pack
        self.players = players
        self.options = tuple(options)


class Column:
    """What a number of each game's end is: a track's, of a seat, of the members that also index it."""

    __slots__ = ("members", "seat", "track")

    def __init__(self, track: str, seat: int, members: tuple[str, ...]) -> None:
        self.track = track
        self.seat = seat
        self.members = members


class Known:
    """A table as far as a simulation by machine code needs it; `library` is the key of that code.

    The cells at `addresses` are asked for of each game's end: first those that say who won, one for each seat, then
    the scores, then one for each of `columns`; of the first two there may be none.
    """

    __slots__ = ("addresses", "columns", "library", "options", "pack", "scores", "seats", "version", "winners")

    def __init__(
        self,
        pack: str,
        version: str,
        seats: int,
        options: tuple[tuple[str, str], ...],
        library: str,
        addresses: tuple[int, ...],
        winners: int,
        scores: int,
        columns: Sequence[tuple[str, int, tuple[str, ...]]],
    ) -> None:
        self.pack = pack
        self.version = version
        self.seats = seats
        self.options = options
        self.library = library
        self.addresses = addresses
        self.winners = winners
        self.scores = scores
        self.columns = [Column(*column) for column in columns]

    def data(self) -> tuple[Any, ...]:
        """The arguments that make it."""
        return (
            *(self.pack, self.version, self.seats, self.options, self.library),
            *(self.addresses, self.winners, self.scores),
            tuple((column.track, column.seat, column.members) for column in self.columns),
        )


class Origin:
    """What an entry was made from: the state of our code, as it was before it made anything of it, and places, each
    with how it is looked at (see `LOOKS`) and what was seen.
    """

    __slots__ = ("own", "places")

    def __init__(self, own: str, places: Sequence[tuple[str, str, str]]) -> None:
        self.own = own
        self.places = tuple(places)

    def holds(self) -> bool:
        """Whether all is as it was."""
        return self.own == own_state() and all(LOOKS[how](path) == seen for how, path, seen in self.places)


# ------------------------------------------------------------------ entries


def fetch(question: Question) -> Known | None:
    """The known that answers a question, if there is a sound one and nothing has changed."""
    path = _path(question)
    if path is None or not private(os.path.dirname(path)):
        return None
    try:
        checksum, _, body = read_own(path, MOST_BYTES, touch=True).partition(b"\n")
        if checksum != _checksum(body):
            return None
        own, places, known = marshal.loads(body)
        return Known(*known) if Origin(own, places).holds() else None
    except (OSError, ValueError, TypeError, KeyError, EOFError):
        return None


def keep(question: Question, origin: Origin, known: Known) -> None:
    """Keeps a known, where that is possible; a reader at the same time sees the old one or the new one."""
    path = _path(question)
    if path is None:
        return
    place = os.path.dirname(path)
    try:
        body = marshal.dumps((origin.own, origin.places, known.data()))
        if make_private(place):
            return
        write_own(path, _checksum(body) + b"\n" + body)
    except OSError:
        return
    import time

    from interpreter.cache.bound import tidy

    tidy(place, time.time(), path)


def _path(question: Question) -> str | None:
    """Where the entry of a question is: the same words may mean something else elsewhere."""
    place = cache_folder()
    if place is None:
        return None
    try:
        here = os.getcwd()
    except OSError:
        return None
    asked = (question.pack, question.players, question.options, here, sys.path)
    about = (FORMAT, VERSION, sys.version, store.machine(), [os.environ.get(name) for name in SETTINGS])
    name = blake2b(repr((about, asked)).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return os.path.join(place, f"{name}{TABLES}")


def _checksum(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).hexdigest().encode("ascii")


# ------------------------------------------------------------------ what has changed


def changed(path: str) -> str:
    """When a file or folder was changed; nothing where there is none."""
    try:
        return str(os.stat(path).st_mtime_ns)
    except (OSError, ValueError):
        return ""


def packs_in(folder: str) -> str:
    """The packs in a folder, or the one that it is, and when their `pack.yaml` was changed."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    except (OSError, ValueError):
        return ""
    places = [os.path.join(name, file) for name in ("", *names) for file in PACK_FILES]
    about = [(place, changed(os.path.join(folder, place))) for place in places]
    return repr([each for each in about if each[1]])


def installed_in(folder: str) -> str:
    """The Python packages that are installed in a folder, and when they were."""
    found: list[tuple[str, int]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(METADATA):
                    found.append((entry.name, entry.stat().st_mtime_ns))
    except (OSError, ValueError):
        return ""
    return _checksum(repr(sorted(found)).encode("utf-8", "surrogateescape")).decode("ascii")


def checksum_of(root: str) -> str:
    """The checksum of a pack's rules as they are now; nothing where they had better be read with more care."""
    found: list[tuple[str, bytes]] = []
    waiting, seen = [""], 0
    try:
        while waiting:
            inner = waiting.pop()
            with os.scandir(os.path.join(root, inner)) as entries:
                for entry in entries:
                    seen += 1
                    if entry.is_symlink() or seen > MOST_FILES:
                        return ""
                    name = f"{inner}/{entry.name}" if inner else entry.name
                    if entry.is_dir():
                        if entry.name != APART:
                            waiting.append(name)
                    elif os.path.splitext(entry.name)[1].lower() in SUFFIXES:
                        if not entry.is_file():  # it is not one of a pack that was checked
                            return ""
                        with open(entry.path, "rb") as file:
                            found.append((name, file.read()))
    except OSError:
        return ""
    return checksum(found)


LOOKS = {"file": changed, "packs": packs_in, "installed": installed_in, "rules": checksum_of}
"""How one looks at a place to see whether it has changed."""


def checksum(files: Iterable[tuple[str, bytes]]) -> str:
    """The checksum of a pack's files: names below its folder, and bytes."""
    digest = blake2b(digest_size=16)
    for name, data in sorted(files):
        about = f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape")
        digest.update(about)
        digest.update(data)
    return digest.hexdigest()


def own_state() -> str:
    """Changes when our code does."""
    return blake2b(repr(own_files(*_OWN)).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
