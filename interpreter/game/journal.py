"""Journals: the one format for saves, replays, undo and bug reports.

A journal is text, one JSON value per line (JSON Lines), so that a save can be appended to:

1. the header: versions, hashes, seats, options and seed;
2. the files of its packs, compressed (`ruleset.table.origin`), so that the game replays without them;
3. then an entry per answer: choice id, seat, option keys, digest of the offered options.

An entry never contains a bare index. A journal comes from outside and is not trusted. The checks, in their order:

1. the file: regular, of bounded size, UTF-8 (`ruleset.common.regular_files`). From here on commands bound processor
   time and memory (`tools.common.untrusted`), `Game.load` only time (`interpreter.state.patience`);
2. lines and their number, the header, the size of the packs before they are unpacked, and their digest (`read`);
3. the packs are compiled as any others are, so a program is right by construction; it has to be of the table that
   the header names, and each entry has to be whole;
4. while it is replayed: choice ids and digests of options (`replay_steps`), fuel, and the size of events
   (`Game.replay`, `replaying`).

The compiler is not part of this package: whoever reads a journal passes a function that calls it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import evolve, frozen

from rulewright.interpreter.game.messages import DIVERGENCE, JOURNAL
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.refusals import Spoken, grouped, spoken
from rulewright.ruleset.common.terminal_text import safe
from rulewright.ruleset.table.message import Value
from rulewright.ruleset.table.nodes import Source, TableProgram
from rulewright.ruleset.table.origin import MOST_CHARACTERS, Origin, PacksTooLarge, packed, unpacked

FORMAT = 2
MAX_CHARACTERS = 16 * 1024 * 1024
MAX_ENTRIES = 100_000
"""Bots that ask more than 20,000 times are stopped; people answer less often."""
MAX_KEYS = 10_000
MAX_HISTORY = 50_000_000
"""Cells of all states that `undo` keeps for a game. The knowledge of a card counts as two cells."""
MAX_TOLD = 20_000_000
"""Numbers in all events of a game together, as `Recorder` counts them."""


class JournalError(Exception):
    """A file that is not a journal, or a damaged one. The message is for users and names the line."""

    def __init__(self, message: str | Spoken) -> None:
        super().__init__(safe(str(message)))
        self.spoken = message if isinstance(message, str) else message.changed(safe)
        """The message, in other languages if it is known in them."""


@frozen
class Play:
    """How to go on: the player of each seat, and the language; and whether the game is over.

    Replaying ignores all of it.
    """

    seats: tuple[str, ...]
    language: str
    over: bool = False


@frozen
class Header:
    """The parameters of a game. `game` is its index in the run; seed and index determine its chance.

    `packs` is the digest of the files, empty if there are none; `scenario` is as in `Origin`.
    """

    pack: str
    version: str
    packs: str
    seats: int
    options: tuple[tuple[str, str], ...]
    series: bool
    scenario: int
    seed: int
    game: int = 0
    format: int = FORMAT
    play: Play | None = None


@frozen
class JournalEntry:
    """One answer: choice id, seat, chosen keys (with repetitions), and the digest of the offered options."""

    choice: str
    seat: int
    keys: tuple[str, ...]
    digest: str


@frozen
class Journal:
    """A game as its answers, with the program that its packs were compiled to."""

    header: Header
    program: TableProgram
    entries: tuple[JournalEntry, ...]


Compile: TypeAlias = Callable[[Header, Origin], TableProgram]
"""Compiles the table of a journal from its packs. Raises JournalError."""


class Divergence(Exception):  # noqa: N818 - a finding about a journal
    """A journal that does not replay: the number of its entry (from 0), choice and seat, and the rule responsible.

    `source` is the rule that asks now, or would have asked; None if the journal's choice is not in the program.
    """

    def __init__(self, number: int, entry: JournalEntry, why: Spoken, source: Source | None) -> None:
        self.spoken = spoken(
            DIVERGENCE,
            "entry-rule" if source else "entry",
            n=number,
            choice=entry.choice,
            seat=f"seat-{entry.seat + 1}",
            why=why,
            rule=source.name if source else "",
            span=str(source.span) if source else "",
        )
        super().__init__(str(self.spoken))
        self.number = number
        self.entry = entry
        self.choice = entry.choice
        self.seat = entry.seat
        self.why = str(why)
        self.source = source


# ------------------------------------------------------------------ writing

def header_of(program: TableProgram, seed: int, game: int = 0) -> Header:
    origin = program.origin
    return Header(
        program.pack, program.version, packed(origin)[1] if origin is not None else "", program.seats,
        program.options, program.next_game is not None, origin.scenario if origin is not None else -1, seed, game,
    )  # fmt: skip


def entry_of(decision: Decision, keys: tuple[str, ...]) -> JournalEntry:
    """Make the entry of an answer, given its canonical keys."""
    return JournalEntry(decision.choice, decision.seat, keys, decision.digest)


def write(journal: Journal) -> str:
    """Return the journal as text. Raises JournalError if the game's packs are unknown, or too large."""
    program, origin = journal.program, journal.program.origin
    if origin is None or (program.position is not None and origin.scenario < 0):
        raise _wrong("no-packs")
    try:
        lines = [_line(_header_data(journal.header)), _line(packed(origin)[0])]
    except PacksTooLarge:
        raise _wrong("packs-size") from None
    lines.extend(entry_line(entry) for entry in journal.entries)
    return "\n".join(lines) + "\n"


def entry_line(entry: JournalEntry) -> str:
    """Return one entry as its line, without the line break: the text that is appended to a save."""
    return _line([entry.choice, entry.seat, list(entry.keys), entry.digest])


def _header_data(header: Header) -> dict[str, Any]:
    data = {
        "journal": header.format,
        "pack": header.pack,
        "version": header.version,
        "packs": header.packs,
        "seats": header.seats,
        "options": [list(option) for option in header.options],
        "series": header.series,
        "scenario": header.scenario,
        "seed": header.seed,
        "game": header.game,
    }
    if (play := header.play) is not None:
        data["play"] = {"seats": list(play.seats), "language": play.language, "over": play.over}
    return data


def _line(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True)


# ------------------------------------------------------------------ reading

def read(text: str, compile: Compile) -> Journal:
    """Read a journal from text. Raises JournalError."""
    if len(text) > MAX_CHARACTERS:
        raise _wrong("characters", n=grouped(len(text)), most=grouped(MAX_CHARACTERS))
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) < 2:
        raise _wrong("two-lines")
    if len(lines) - 2 > MAX_ENTRIES:
        count = len(lines) - 2
        raise _wrong("entries", n=grouped(count), count=count, most=grouped(MAX_ENTRIES))
    header = _read_header(_json(lines[0], 1))
    program = compile(header, _read_packs(lines[1], header))
    if (header.pack, header.version) != (program.pack, program.version):
        raise _wrong("other-pack")
    if (header.seats, header.options) != (program.seats, program.options):
        raise _wrong("other-table")
    if (len(lines) - 2) * (program.layout.cells + 2 * len(program.cards)) > MAX_HISTORY:
        raise _wrong("history")
    entries = tuple(_read_entry(_json(line, n), n, program) for n, line in enumerate(lines[2:], 3))
    return Journal(header, program, entries)


_ODD = re.compile(r"[^\x20-\x7e]|\\[bfnrtu]")
"""Text that can act on a terminal, as written in JSON."""
_SPACES = re.compile(r"[\n\r\t]+")


def _wrong(key: str, /, **values: Value | Spoken) -> JournalError:
    """Make the error for a journal, with a message of `JOURNAL`."""
    return JournalError(spoken(JOURNAL, key, **values))


def _json(line: str, number: int) -> Any:
    """Parse a line, and replace characters that act on a terminal in all its texts."""
    try:
        data = json.loads(line)
        return _clean(data) if _ODD.search(line) else data
    except (ValueError, RecursionError):
        raise _wrong("json", line=number) from None


def _clean(data: Any) -> Any:
    if isinstance(data, str):
        return safe(_SPACES.sub(" ", data))
    if isinstance(data, list):
        return [_clean(item) for item in data]
    if isinstance(data, dict):
        return {safe(key): _clean(item) for key, item in data.items()}
    return data


def _read_header(data: Any) -> Header:
    if not isinstance(data, dict) or "journal" not in data:
        raise _wrong("header")
    if type(data["journal"]) is int and 0 < data["journal"] < FORMAT:
        raise _wrong("old-format")
    if type(data["journal"]) is not int or data["journal"] != FORMAT:
        raise _wrong("format", found=repr(data["journal"]), expected=FORMAT)
    kinds: dict[str, type] = {"pack": str, "version": str, "packs": str}
    kinds |= {"seats": int, "options": list, "series": bool, "scenario": int, "seed": int, "game": int}
    for key, kind in kinds.items():
        if type(data.get(key)) is not kind:
            raise _wrong("type", key=repr(key), type=kind.__name__)
    if unknown := sorted(set(data) - set(kinds) - {"journal", "play"}):
        raise _wrong("unknown", keys=", ".join(unknown))
    options = []
    for option in data["options"]:
        if not isinstance(option, list) or len(option) != 2 or not all(isinstance(o, str) for o in option):
            raise _wrong("option")
        options.append((option[0], option[1]))
    if not (0 <= data["seed"] < 2**64 and 0 <= data["game"] < 2**63):
        raise _wrong("range")
    return Header(
        data["pack"], data["version"], data["packs"], data["seats"], tuple(options), data["series"],
        data["scenario"], data["seed"], data["game"], play=_read_play(data.get("play"), data["seats"]),
    )  # fmt: skip


def _read_play(data: Any, seats: int) -> Play | None:
    if data is None:
        return None
    kinds: dict[str, Any] = {"seats": list, "language": str, "over": bool}
    if not isinstance(data, dict) or set(data) != set(kinds):
        raise _wrong("play-fields", keys=", ".join(kinds))
    if not all(isinstance(data[key], kind) for key, kind in kinds.items()):
        raise _wrong("play-type")
    if len(data["seats"]) != seats or not all(isinstance(one, str) for one in data["seats"]):
        raise _wrong("play-seats")
    return Play(tuple(data["seats"]), data["language"], data["over"])


def _read_packs(line: str, header: Header) -> Origin:
    if len(line) > MOST_CHARACTERS + 2:
        raise _wrong("packs-size")
    try:
        origin, digest = unpacked(_json(line, 2))
    except PacksTooLarge:
        raise _wrong("packs-size") from None
    except (TypeError, ValueError) as error:
        raise _wrong("packs-unread", why=str(error)) from None
    if digest != header.packs:
        raise _wrong("digest")
    return evolve(origin, scenario=header.scenario)


def _read_entry(data: Any, number: int, program: TableProgram) -> JournalEntry:
    if not isinstance(data, list) or [type(part) for part in data] != [str, int, list, str]:
        raise _wrong("entry", line=number)
    choice, seat, keys, digest = data
    if len(keys) > MAX_KEYS or not all(isinstance(key, str) for key in keys):
        raise _wrong("keys", line=number, most=grouped(MAX_KEYS))
    if not 0 <= seat < program.seats:
        raise _wrong("seat", line=number, seat=seat)
    return JournalEntry(choice, seat, tuple(keys), digest)
