"""Check that the pack's tables can be made: derived fields have values, and nothing is too large.

The check uses each number of players and the default of each option. For other options, lowering refuses the table.
"""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.declarations.derived_fields import place_of
from rulewright.ruleset.common.listing import players_between
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.sections import ComponentEntry, Copies
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.program.table_size import TableFault, TableSize
from rulewright.ruleset.table import nodes as t


def check_tables(context: Context, program: p.Program) -> None:
    """Report the first fault of the tables, and supplies that never have a card."""
    if program.supplies and all(supply.copies == t.Const(0) for supply in program.supplies):
        place = _copies_of(context.declared, program, program.supplies[0])
        message = "the game has no cards: each of its components has 0 copies"
        context.report("RW337", place, message, "write a number above 0, or remove the components")
        return
    options = {option.key: option.default for option in program.options}
    seats = range(program.least_players, program.most_players + 1)
    sizes = {count: TableSize(program, Constants(program, count, options)) for count in seats}
    faults = {count: fault for count, size in sizes.items() if (fault := size.fault()) is not None}
    for count, fault in faults.items():
        when = f"with {players_between(count, count)}, " if len(faults) < len(sizes) else ""
        code = "RW338" if fault.what == "field" else "RW213"
        place = _place(context.declared, program, fault)
        context.report(code, place, f"{when}{fault.message}", _HINTS.get(fault.what))
        return


_HINTS = {
    "supply": "lower `copies`",
    "zone": "name the kinds that it `accepts`, or make fewer cards",
    "track": "remove a `scope`, or make fewer cards",
    "list": "add `at-most`, remove the `scope`, or make fewer cards",
}


def _place(declared: Declared, program: p.Program, fault: TableFault) -> Span:
    """Return the place of the part that is to blame; if no pack declares it, that of the most cards."""
    if fault.what == "field":
        kind, _, name = fault.key.partition(".")
        return place_of(declared.kinds[kind].derived[name]).span
    if fault.what == "zone" and fault.key in declared.zones:
        return declared.zones[fault.key][0]
    if fault.what == "track" and fault.key in declared.tracks:
        return declared.tracks[fault.key][0]
    if fault.what == "list" and fault.key in declared.lists:
        return declared.lists[fault.key][0]
    supply = next((one for one in program.supplies if one.definition == fault.key), program.supplies[0])
    return _copies_of(declared, program, supply)


def _copies_of(declared: Declared, program: p.Program, supply: p.Supply) -> Span:
    """Return the place of the number of copies that a definition or its component writes."""
    name = program.sources[supply.at].name.removeprefix("component/")
    component = declared.all_of(ComponentEntry)[name]
    own = declared.definitions[supply.definition].says.copies
    copies = own if own is not None else component.copies
    if isinstance(copies, Copies):
        return copies.by.span if copies.by is not None else component.span
    return copies.span if copies is not None else component.span
