"""The program that generators see: that of the rules, with the functions of its bots."""

from __future__ import annotations

from attrs import evolve

from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table.nodes import TableProgram


@once
def with_conditions(program: TableProgram) -> TableProgram:
    """Return the program with the tables, lists and functions of its bots appended, and without the bots."""
    bots = program.bots
    if bots is None:
        return program
    return evolve(
        program,
        tables=(*program.tables, *bots.tables),
        lists=(*program.lists, *bots.lists),
        functions=(*program.functions, *bots.functions),
        bots=None,
    )
