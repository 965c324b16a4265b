"""Looks for a position in which two programs of one game end differently, in random games of both (`duo`).

The search depends on nothing but the programs: it counts positions, not seconds; a limit of seconds only keeps it
from taking very long, and is reported.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from ruleset.canonical import program_hash
from ruleset.lower import TableError, lower
from ruleset.program import Program
from tools.witness.duo import Difference, Duo, Table
from tools.witness.facts import names_of

POSITIONS = 10_000
"""How many positions are looked at."""
SECONDS = 20.0
"""Of this process's time, after which a search ends early."""
MOST_TABLES = 6
"""How many tables (numbers of players, options) are tried."""


@frozen
class Searched:
    """What came of a search. `alike`: the programs are the same at all tables, so that no game was played."""

    difference: Difference | None
    positions: int
    alike: bool = False
    stopped: bool = False


def search(programs: tuple[Program, Program], positions: int = POSITIONS, about: str = "") -> Searched:
    """Plays games until one parts, or the positions are used up.

    With `about`, the key of a definition, a difference only counts where this is chosen or among what differs.
    """
    until = time.process_time() + SECONDS
    taken = _words(programs[0])
    looked, alike = 0, True
    tables = list(_tables(programs[0]))
    for number, (seats, options) in enumerate(tables):
        try:
            both = [lower(program, seats, dict(options)) for program in programs]
        except TableError:
            continue
        if program_hash(both[0]) == program_hash(both[1]):
            continue
        alike = False
        duo = Duo(Table((both[0], both[1]), options, names_of(seats, taken)), about)
        share = looked + (positions - looked) // (len(tables) - number)
        for seed in range(1, positions + 1):
            if looked >= share:
                break
            if time.process_time() > until:
                return Searched(None, looked, stopped=True)
            found, played = duo.game(seed, share - looked)
            looked += played
            if found is not None:
                return Searched(found, looked)
    return Searched(None, min(looked, positions), alike)


def _words(program: Program) -> frozenset[str]:
    """Words that a scenario cannot give to a player."""
    groups: tuple[Sequence[Any], ...] = (
        program.zones, program.tracks, program.lists, program.values, program.options,
        program.definitions, program.kinds,
    )  # fmt: skip
    functions = (one.unit.key.rpartition("/")[2] for one in program.functions)
    members = (member for one in program.enumerations for member in one.members)
    return frozenset((*(one.key for group in groups for one in group), *members, *functions))


def _tables(program: Program) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """Numbers of players with options: the defaults for the fewest and the most, then others of both."""
    least, most = program.least_players, program.most_players
    seats = [*dict.fromkeys((least, most, *range(least, most + 1)))]
    kinds: list[tuple[tuple[str, str], ...]] = [()]
    others: list[tuple[str, str]] = []
    for option in program.options:
        words = option.members or tuple(map(str, (option.low, option.high)))
        others += [
            (option.key, word)
            for number, word in enumerate(words)
            if not option.some and (number if option.members else int(word)) != option.default
        ]
    first: dict[str, tuple[str, str]] = {}
    last: dict[str, tuple[str, str]] = {}
    for key, word in others:
        first.setdefault(key, (key, word))
        last[key] = (key, word)
    kinds += [kind for kind in dict.fromkeys((tuple(first.values()), tuple(last.values()))) if kind]
    wanted = [(count, ()) for count in seats[:2]] + [(seats[0], kind) for kind in kinds[1:]]
    wanted += [(count, ()) for count in seats[2:]]
    yield from wanted[:MOST_TABLES]
