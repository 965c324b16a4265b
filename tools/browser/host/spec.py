"""What a table is made from. It comes from the lobby's form, and is stored as JSON."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import PictureFile
from rulewright.ruleset.table.origin import Origin
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import HUMAN
from rulewright.tools.packs.pack_set import PackSet

LONGEST_NAME = 24
"""Characters of a player's name."""
MOST_SEATS = 64
SPEEDS = {"at-once": 0, "fast": 250, "calm": 600, "slow": 1500}
"""Milliseconds between two answers of bots, by the keys of their words."""


@frozen
class SeatSpec:
    """Who plays a seat: a kind of `tools.common.seats`, and the name of a person."""

    kind: str
    name: str = ""


@frozen
class TableSpec:
    """A table: packs, options, seats, seed, language. `scenario` is the number of the one it starts from.

    `game` is the index of the game in a run under one seed: that of a journal, if the table goes on from one.
    Without a `pack`, the pack of the journal was not found.
    """

    pack: str
    more: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    seats: tuple[SeatSpec, ...] = ()
    seed: int = 1
    language: str = "en"
    series: bool = False
    scenario: int | None = None
    speed: int = field(default=600)
    """Milliseconds between two answers of bots."""
    game: int = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each seat."""
        return tuple(seat.kind for seat in self.seats)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat; empty for none."""
        return tuple(seat.name for seat in self.seats)

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats that people play."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.kind == HUMAN)

    def data(self) -> dict[str, Any]:
        """Return the table as JSON data."""
        return {
            "pack": self.pack,
            "more": [*self.more],
            "options": [*self.options],
            "seats": [[seat.kind, seat.name] for seat in self.seats],
            "seed": self.seed,
            "language": self.language,
            "series": self.series,
            "scenario": self.scenario,
            "speed": self.speed,
            "game": self.game,
        }


def spec_of(data: Mapping[str, Any]) -> TableSpec:
    """Read a table from JSON data. Raises Usage if it is not one."""
    try:
        seats = tuple(SeatSpec(str(kind), player_name(str(name))) for kind, name in data["seats"])
        if not 1 <= len(seats) <= MOST_SEATS:
            raise ValueError
        seed, scenario = int(data.get("seed", 1)), data.get("scenario")
        if not 0 <= seed < 2**64:
            raise Usage("the seed must be a whole number from 0 to 2^64 - 1")
        return TableSpec(
            str(data["pack"]),
            tuple(map(str, data.get("more", ()))),
            tuple(map(str, data.get("options", ()))),
            seats,
            seed,
            str(data.get("language", "en")),
            bool(data.get("series", False)),
            int(scenario) if scenario is not None else None,
            max(0, min(10_000, int(data.get("speed", 600)))),
            max(0, min(2**63 - 1, int(data.get("game", 0)))),
        )
    except (KeyError, TypeError, ValueError):
        raise Usage("a table needs `pack` and `seats` (kind and name of each), as the lobby sends them") from None


def player_name(text: str) -> str:
    """Return a player's name without anything that could imitate other text, and of bounded length."""
    return " ".join(harmless(text).split())[:LONGEST_NAME]


# ---- The files of packs as they were when a table's rules were compiled, as text that the server stores
#
# From these files a table has its rules and the names of its things when its packs have mistakes or are gone.

def packed(packs: PackSet) -> str:
    """Return the files of packs as text."""
    data = {
        "asked": [*map(_data, packs.asked)],
        "needed": {name: _data(one) for name, one in packs.needed.items()},
        "known": [*packs.known],
    }
    return b64encode(zlib.compress(json.dumps(data).encode(), 6)).decode("ascii")


def unpacked(text: str) -> PackSet:
    """Return packs from their text. Raises ValueError."""
    try:
        data = json.loads(zlib.decompress(b64decode(text)))
        needed = {str(name): _files(one) for name, one in data["needed"].items()}
        return PackSet(tuple(map(_files, data["asked"])), needed, tuple(map(str, data["known"])))
    except (zlib.error, KeyError, TypeError, AttributeError) as error:
        raise ValueError("these are no files of packs") from error


def _data(files: PackFiles) -> dict[str, Any]:
    return {
        "root": str(files.root.absolute()),
        "files": [[name, data.decode("latin-1")] for name, data in files.files],  # any bytes
        "pictures": [[one.path, one.wrong, one.hint] for one in files.pictures],
    }


def _files(data: Any) -> PackFiles:
    return PackFiles(
        Path(data["root"]),
        tuple((str(name), str(text).encode("latin-1")) for name, text in data["files"]),
        (),
        tuple(PictureFile(*map(str, one)) for one in data["pictures"]),
    )


def placed(origin: Origin, folders: Mapping[str, Path]) -> PackSet:
    """Return packs of a journal as if they had been read from these folders, by the names of packs."""

    def at(name: str, files: PackFiles) -> PackFiles:
        if (root := folders.get(name)) is None:
            return files
        return evolve(
            files, root=root, files=tuple((f"{root}{path[len(name) :]}", data) for path, data in files.files)
        )

    return PackSet(
        tuple(at(*one) for one in origin.asked), {name: at(name, files) for name, files in origin.needed}
    )
