"""Search random games of two programs for a position in which they differ (`duo`).

The search ends when its effort is used up, and reports how many positions it has examined. Effort is counted in
work and never in time, so a busy machine finds what a quiet one finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from attrs import frozen

from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.canonical import everything, program_hash
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.witness.duo import Difference, Duo, Table
from rulewright.tools.witness.facts import names_of

EFFORT = 10_000
"""Limit of the effort (`Duo.effort`) for all tables together: as many simple positions."""
MOST_NODES = 30_000
"""After programs with this many nodes no further table is begun, since preparing its programs takes long."""
MOST_TABLES = 6
"""Limit of tables (numbers of players and options)."""


@frozen
class Searched:
    """The result of a search. `alike`: the programs are the same at all tables, so no game was played."""

    difference: Difference | None
    positions: int
    alike: bool = False


def search(programs: tuple[Program, Program], effort: int = EFFORT, about: str = "") -> Searched:
    """Play games until one differs, or the effort is used up.

    `about` is the key of a definition: differences count only if it is chosen or among what differs.
    """
    taken = _words(programs[0])
    looked = used = nodes = 0
    by_sight: Difference | None = None
    tables = list(_tables(programs[0]))
    for number, (seats, options) in enumerate(tables):
        if nodes > MOST_NODES:
            break
        try:
            both = [lower(program, seats, dict(options)) for program in programs]
        except TableError:
            continue
        if program_hash(both[0]) == program_hash(both[1]):
            continue
        nodes += sum(map(_nodes, both))
        duo = Duo(Table((both[0], both[1]), options, names_of(seats, taken)), about)
        by_sight = by_sight or duo.sight()
        share = (effort - used) // (len(tables) - number)
        for seed in count(1):
            if duo.effort >= share:
                break
            found, more = duo.game(seed, share - duo.effort)
            looked += more
            if found is not None:
                return Searched(found, looked)
        used += duo.effort
    return Searched(by_sight, looked, not nodes)


def _nodes(program: TableProgram) -> int:
    """Return the size of a program's code."""
    return sum(1 for _ in everything((program.functions, program.segments)))


def _words(program: Program) -> frozenset[str]:
    """Return words that a scenario cannot use as names of players."""
    groups: tuple[Sequence[Any], ...] = (
        program.zones, program.tracks, program.lists, program.values, program.options,
        program.definitions, program.kinds,
    )  # fmt: skip
    functions = (one.unit.key.rpartition("/")[2] for one in program.functions)
    members = (member for one in program.enumerations for member in one.members)
    return frozenset((*(one.key for group in groups for one in group), *members, *functions))


def _tables(program: Program) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """Yield numbers of players with options.

    The defaults for the fewest players and one more come first, then other options, then other numbers of players.
    """
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
    wanted: list[tuple[int, tuple[tuple[str, str], ...]]] = [(count, ()) for count in seats[:1]]
    wanted += [(count, ()) for count in seats[2:3] or seats[1:2]]
    wanted += [(seats[0], kind) for kind in kinds[1:]]
    wanted += [(count, ()) for count in seats[1:] if (count, ()) not in wanted]
    yield from wanted[:MOST_TABLES]
