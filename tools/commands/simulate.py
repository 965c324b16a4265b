"""`rulewright simulate`: run many games between bots and report statistics."""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.tools.common.errors import CLEAN
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.simulation import known_table
from rulewright.tools.simulation.known_table import SimulateArguments
from rulewright.tools.simulation.output.simulate_report import heading, rate, report, run_of, show, table_parts


def simulate(arguments: SimulateArguments) -> int:
    """Play the games and print the result; return 1 if a rule failed in some of them.

    A short run at a known table needs no compiled pack; other runs import the rest.
    """
    arguments = evolve(arguments, pack=with_more(arguments.pack, arguments.more))
    together = loading.read_pack_set(arguments.pack, scenarios=False)
    about = (arguments.players, arguments.options, arguments.series)
    key = known_table.key_of(together.files, *about) if arguments.plain else ""
    if key and arguments.games <= known_table.MOST_GAMES and _short(arguments, key):
        return CLEAN
    from rulewright.tools.simulation import runs

    return runs.simulate(arguments, together, key)


def _short(arguments: SimulateArguments, key: str) -> bool:
    """Play and report a short run if the table is in the cache; return whether it was."""
    known = known_table.fetch(key)
    if known is None:
        return False
    began = time.perf_counter()
    tally = known_table.play(known, arguments.games, arguments.seed)
    if tally is None:
        return False
    seconds = time.perf_counter() - began
    run = run_of(arguments.seed, "native", arguments.games, tally.games, seconds, False)
    result = {**report(known.table, (), tally, _no_replay), **run}
    result["decisions_per_second"] = rate(tally.decisions.total, seconds)
    show(result, [*heading(result), *table_parts(result)], (), arguments.as_json)
    return True


def _no_replay(_: int) -> str:
    raise AssertionError("no game has failed")
