"""Play short runs at a cached table, without compiling the pack.

The key of a cache entry depends on everything that affects it: the files of the packs, the table, our own code, and
the requested compiler. So an entry never goes stale.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from attrs import frozen

from rulewright.interpreter import cache
from rulewright.interpreter.batch.native_calls import Calls, GameResults
from rulewright.interpreter.cache import TABLES, fetch_entry, keep_entry
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.packs import findings_cache
from rulewright.tools.packs.findings_cache import own_files
from rulewright.tools.simulation.columns import Column, Columns, CountedTable
from rulewright.tools.simulation.tally import GameTally


@frozen
class SimulateArguments:
    """The arguments of the command."""

    pack: str
    games: int
    players: str | None
    seats: str | None
    seed: int
    backend: str
    jobs: int | None
    options: tuple[str, ...]
    every_option: bool
    tables: int
    versus: str | None
    versus_options: tuple[str, ...]
    usage: bool
    as_json: bool
    out: str | None = None
    cluster: str | None = None
    more: tuple[str, ...] = ()
    series: bool = False

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for but games between random players at one table, counted."""
        several = self.every_option or (self.players is not None and not self.players.isdecimal())
        compared = self.versus is not None or self.versus_options
        elsewhere = self.jobs is not None or self.cluster is not None or self.backend not in ("auto", "native")
        more = self.seats is not None or self.usage or self.out is not None
        return not (several or compared or elsewhere or more)


FORMAT = 5


@frozen
class KnownTable:
    """A table, and the key of the native library that plays whole games at it."""

    table: CountedTable
    library: str


def key_of(packs: Sequence[PackFiles], players: str | None, options: Sequence[str], series: bool) -> str:
    """Return the key of a table. It changes whenever the table, or the code that plays it, may have changed."""
    own = own_files("interpreter", "tools")
    about = (FORMAT, findings_cache.key_of(packs), players, tuple(options), series, own, cache.machine())
    said = repr((*about, os.environ.get(cache.COMPILER)))
    return blake2b(said.encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()


def fetch(key: str) -> KnownTable | None:
    """Return the table of a key; None without a valid entry."""
    body = fetch_entry(f"{key}{TABLES}")
    if body is None:
        return None
    try:
        library, pack, version, options, series, seats, columns, *addresses = json.loads(body)
        counted = tuple(Column(track, seat, tuple(members)) for track, seat, members in columns)
        winners, scores, places, outcome, results, starter = map(tuple, addresses)
        of_cells = Columns(seats, counted, winners, scores, places, (), outcome, results, starter)
        return KnownTable(CountedTable(pack, version, tuple(map(tuple, options)), of_cells, series), library)
    except (ValueError, TypeError):
        return None


def keep(key: str, known: KnownTable) -> None:
    """Keep a table for the next time."""
    table, columns = known.table, known.table.columns
    counted = [[column.track, column.seat, column.members] for column in columns.columns]
    data: list[Any] = [known.library, table.pack, table.version, table.options, table.series, columns.seats]
    data += [
        counted,
        columns.winners,
        columns.scores,
        columns.places,
        columns.outcome,
        columns.results,
        columns.starter,
    ]
    keep_entry(f"{key}{TABLES}", json.dumps(data).encode())


# ------------------------------------------------------------------ playing

MOST_GAMES = 100_000
"""Maximum number of games; longer runs use all cores."""
SECONDS = 0.25
"""Maximum estimated duration of a run in this module, in seconds."""
MOST_SECONDS = 1.0
"""Seconds after which a run is abandoned in this module."""
_FIRST = 16
"""Number of games from which the duration is estimated."""


def play(known: KnownTable, games: int, seed: int) -> GameTally | None:
    """Play and count games 0 to `games` - 1 of a seed; None if it takes too long or a rule fails.

    Such a run is repeated with the compiled pack, which can describe the failure.
    """
    library = cache.fetch(known.library)
    if library is None:
        return None
    columns = known.table.columns
    calls = Calls(library, columns.addresses)
    first = min(games, _FIRST)
    began = time.perf_counter()
    found = calls.play_within(seed, 0, first, SECONDS)
    if len(found[0]) < first or (time.perf_counter() - began) / first * games > SECONDS:
        return None
    if games > first:
        for column, more in zip(found, calls.play_within(seed, first, games - first, MOST_SECONDS), strict=True):
            column.extend(more)
    faults, places, decisions, *cells = found
    if len(faults) < games or any(faults):
        return None
    tally = GameTally(columns.seats)
    tally.take(columns, GameResults(0, faults, places, decisions, tuple(cells), ()))
    return tally
