"""`rulewright doctor PACK`: report a table's size, whether native code can play it, and its program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rulewright.interpreter.analysis.playing_form import reduced
from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import playing_source
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.printing import printed
from rulewright.tools.common.errors import CLEAN
from rulewright.tools.common.output import say, say_data
from rulewright.tools.common.plain_table import many
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more

FORMAT = 2
"""The version of the JSON format."""

Report = dict[str, Any]


@frozen
class Arguments:
    """The arguments of the command that describe a table."""

    pack: str
    players: int | None
    options: tuple[str, ...]
    more: tuple[str, ...]
    program: bool
    as_json: bool


def doctor_table(given: Arguments) -> int:
    """Print the report on a table; it never finds a fault."""
    compiled = loading.compile_pack(with_more(given.pack, given.more))
    players = compiled.program.least_players if given.players is None else given.players
    table, _ = loading.table_noted(compiled.program, players, given.options)
    report = examined(table)
    if given.program:
        report["program"] = [*printed(reduced(table))]
    if given.as_json:
        say_data(report)
    else:
        for line in _lines(report):
            say(line)
    return CLEAN


def examined(table: TableProgram) -> Report:
    """Return the report as data."""
    try:
        playing_source(table)
        why_not = None
    except BuildError as error:
        why_not = str(error)
    return {
        "version": FORMAT,
        "pack": table.pack,
        "pack_version": table.version,
        "players": table.seats,
        "options": dict(table.options),
        "cards": len(table.cards),
        "zones": len(table.zones),
        "cells": table.layout.cells,
        "native": why_not is None,
        "why_not": why_not,
    }


def _lines(report: Report) -> Iterator[str]:
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield f"{report['pack']} {report['pack_version']}: {many(report['players'], 'player')}{options}"
    cards, zones = many(report["cards"], "card"), many(report["zones"], "zone")
    yield f"{cards} in {zones}; a state has {report['cells']:,} cells of 4 bytes."
    if report["native"]:
        yield "Native code plays whole games."
    else:
        yield f"The walker plays whole games: {report['why_not']}."
    if "program" in report:
        yield ""
        yield from report["program"]
