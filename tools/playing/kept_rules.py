"""The rules of a saved game, compiled from the packs in its journal; once for all games of these."""

from __future__ import annotations

from functools import lru_cache

from attrs import evolve

from rulewright.interpreter.game.journal import Header, JournalError
from rulewright.interpreter.game.messages import JOURNAL
from rulewright.interpreter.views.refusals import spoken
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.program.series import NoSeries, whole_series
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.origin import Origin
from rulewright.tools.common.errors import Failure
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled, Refused
from rulewright.tools.packs.naming import Naming, naming
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.scenarios.stage import StageError, Stages, entered

MOST_PACKS, MOST_TABLES = 4, 16


def table_of(header: Header, origin: Origin) -> TableProgram:
    """Compile the table of a journal. Raises JournalError."""
    return _table(origin, header.seats, header.options, header.series)


@lru_cache(maxsize=MOST_TABLES)
def _table(origin: Origin, seats: int, options: tuple[tuple[str, str], ...], series: bool) -> TableProgram:
    try:
        program = compiled_of(origin).program
        if origin.scenario >= 0:
            return Stages(program, ()).stage(program.scenarios[origin.scenario], bare=True).table
        return loading.table(
            whole_series(program) if series else program, seats, [f"{key}={value}" for key, value in options]
        )
    except (Failure, NoSeries, StageError) as error:
        raise JournalError(str(error)) from None


@lru_cache(maxsize=MOST_PACKS)
def compiled_of(origin: Origin) -> Compiled:
    """Compile the packs of a saved game. Raises JournalError if they have errors."""
    packs = PackSet(tuple(files for _, files in origin.asked), dict(origin.needed))
    try:
        compiled = loading.compile_pack_set(packs, "the saved game")
    except Refused as refused:
        first = next(filter(is_error, refused.found.findings))
        why = f"{first.code} {first.span}: {first.message}"
        raise JournalError(spoken(JOURNAL, "findings", why=why)) from None
    if not -1 <= origin.scenario < len(compiled.program.scenarios):
        raise JournalError(spoken(JOURNAL, "other-table"))
    return compiled


def names_of(table: TableProgram, pack: str | None = None) -> Naming:
    """Return the names for a saved game: from a pack, or from those that it was saved with."""
    if pack is not None:
        return naming(table, loading.compile_pack(pack))
    assert table.origin is not None, "it was read from a journal"
    compiled = compiled_of(table.origin)
    if table.origin.scenario >= 0:
        program = compiled.program
        compiled = evolve(compiled, program=entered(program, program.scenarios[table.origin.scenario]))
    return naming(table, compiled)
