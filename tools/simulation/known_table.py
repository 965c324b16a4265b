"""Play short runs at a cached table, without compiling the pack.

An entry of the cache is named by all that it depends on: the files of the packs, the table, our own code, and the
compiler that is asked for. So it never goes stale. With it a short run needs no compiled pack.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from attrs import frozen

from interpreter.batch.native_calls import Calls
from interpreter.batch.results import Results
from interpreter.cache import library_store
from interpreter.cache.entries import fetch_entry, keep_entry
from interpreter.cache.folder import TABLES
from ruleset.source.pack_files import PackFiles
from tools.own_files import own_files
from tools.packs import findings_cache
from tools.simulation.columns import Column, Columns, CountedTable, Games
from tools.simulation.tally import Tally

FORMAT = 2


@frozen
class KnownTable:
    """A table, and the key of the library that plays whole games of it."""

    table: CountedTable
    library: str


def key_of(packs: Sequence[PackFiles], players: str | None, options: Sequence[str]) -> str:
    """Changes whenever the table that these words mean, or what plays it, could be another."""
    own = own_files("interpreter", "tools")
    about = (FORMAT, findings_cache.key_of(packs), players, tuple(options), own, library_store.machine())
    said = repr((*about, os.environ.get(library_store.COMPILER)))
    return blake2b(said.encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()


def fetch(key: str) -> KnownTable | None:
    """The table of a key, if there is a sound entry."""
    body = fetch_entry(f"{key}{TABLES}")
    if body is None:
        return None
    try:
        library, pack, version, options, seats, columns, *addresses = json.loads(body)
        counted = tuple(Column(track, seat, tuple(members)) for track, seat, members in columns)
        winners, scores, places = map(tuple, addresses)
        of_cells = Columns(seats, counted, winners, scores, places)
        return KnownTable(CountedTable(pack, version, tuple(map(tuple, options)), of_cells), library)
    except (ValueError, TypeError):
        return None


def keep(key: str, known: KnownTable) -> None:
    """Keep a table for the next time."""
    table, columns = known.table, known.table.columns
    counted = [[column.track, column.seat, column.members] for column in columns.columns]
    data: list[Any] = [known.library, table.pack, table.version, table.options, columns.seats, counted]
    keep_entry(f"{key}{TABLES}", json.dumps([*data, columns.winners, columns.scores, columns.places]).encode())


# ------------------------------------------------------------------ playing

MOST_GAMES = 100_000
"""More are for all cores."""
SECONDS = 0.25
"""Seconds that a run may take here, as estimated from its first games."""
MOST_SECONDS = 1.0
"""Seconds after which a run is given up here."""
_FIRST = 16
"""Games that tell how long the others will take."""


def play(known: KnownTable, games: int, seed: int) -> Tally | None:
    """Games 0 to `games` - 1 of a seed, counted; None where that takes longer, or a rule fails in one of them.

    Then they are for a run with all that can be said of a table.
    """
    library = library_store.fetch(known.library)
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
    tally = Tally(columns.seats)
    tally.take(columns, Games(Results(0, faults, places, decisions, tuple(cells), ())))
    return tally
