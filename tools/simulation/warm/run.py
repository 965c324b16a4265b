"""`rulewright simulate` where all is known already: a table that was played before, and its machine code.

What is plainly such a run is played here, in a small part of the time that the commands' modules take to import.
Whatever else is asked, or turns out on the way, is left to `tools.commands.simulate`, which gives the same result.
"""

from __future__ import annotations

import time
from array import array

from interpreter.batch.native_calls import Calls
from interpreter.cache import library_store as store
from tools.common.errors import CLEAN
from tools.simulation.output.simulate_report import heading, rate, report, run_of, show, table_parts
from tools.simulation.warm import records as tables
from tools.simulation.warm.counted import Played, Sums

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.simulation.warm.records import Known

MOST_GAMES = 100_000
"""More are for all cores."""
SECONDS = 0.25
"""Seconds that a run may take here, as estimated from its first games."""
MOST_SECONDS = 1.0
"""Seconds after which a run is given up here; `tools.commands.simulate` begins it again."""
_FIRST = 16
"""Games that tell how long the others will take."""
_NUMBERS = {"-n": "games", "--games": "games", "--seed": "seed", "--players": "players"}
_MOST_SEED = 2**64 - 1


class Asked:
    """The arguments of a run that is plainly of this kind."""

    def __init__(self) -> None:
        self.packs: list[str] = []
        self.more: list[str] = []
        self.options: list[str] = []
        self.numbers = {"games": 100, "seed": 1}
        self.as_json = False

    @property
    def pack(self) -> str:
        """`GAME+RULES`"""
        return "+".join((*self.packs, *self.more))


def asked(arguments: Sequence[str]) -> Asked | None:
    """What arguments ask for; None where there is anything else among them, or anything wrong with them."""
    found = Asked()
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        if word == "--json":
            found.as_json = True
        elif not word.startswith("-"):
            found.packs.append(word)
        else:
            name, equals, value = word.partition("=")
            if not equals:
                if not waiting:
                    return None
                value = waiting.pop()
            elif not name.startswith("--"):
                return None
            if name == "--option":
                found.options.append(value)
            elif name == "--with":
                found.more.append(value)
            elif name in _NUMBERS and value.isascii() and value.isdecimal() and len(value) <= 20:
                found.numbers[_NUMBERS[name]] = int(value)
            else:
                return None
    if len(found.packs) != 1 or not 1 <= found.numbers["games"] <= MOST_GAMES or found.numbers["seed"] > _MOST_SEED:
        return None
    return found


def simulate(arguments: Sequence[str]) -> int | None:
    """Plays and prints; gives the exit code, or None where nothing was done."""
    wishes = asked(arguments)
    if wishes is None:
        return None
    players = wishes.numbers.get("players")
    question = tables.Question(wishes.pack, None if players is None else str(players), wishes.options)
    known = tables.fetch(question)
    if known is None:
        return None
    began = time.perf_counter()
    columns = _played(known, wishes.numbers["games"], wishes.numbers["seed"])
    if columns is None:
        return None
    _print(wishes, known, columns, time.perf_counter() - began)
    return CLEAN


def _played(known: Known, games: int, seed: int) -> list[array[int]] | None:
    """The columns of all games; None where that takes too long, or a rule has failed."""
    library = store.fetch(known.library)
    if library is None:
        return None
    calls = Calls(library, known.addresses)
    first = min(games, _FIRST)
    began = time.perf_counter()
    columns = calls.play_within(seed, 0, first, SECONDS)
    if len(columns[0]) < first or (time.perf_counter() - began) / first * games > SECONDS:
        return None
    if games > first:
        for column, rest in zip(columns, calls.play_within(seed, first, games - first, MOST_SECONDS), strict=True):
            column.extend(rest)
    faults, _, *counted = columns
    return None if len(faults) < games or any(faults) else counted


def _no_replay(_: int) -> str:
    raise AssertionError("no game has failed")


def _print(wishes: Asked, known: Known, columns: Sequence[array[int]], seconds: float) -> None:
    sums = Sums(known, columns)
    run = run_of(wishes.numbers["seed"], "native", wishes.numbers["games"], sums.games, seconds, False)
    result = {**report(Played(known), sums, _no_replay), **run}
    result["decisions_per_second"] = rate(sums.decisions.total, seconds)
    show(result, [*heading(result), *table_parts(result)], (), wishes.as_json)
