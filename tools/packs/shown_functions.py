"""The values of the functions that a pack's layout shows, as one seat may see them.

The pack is lowered once more, with these functions: the state is the same, and the game that is played needs none
of them. The check of the layout has decided who sees what (`ruleset.check.declarations.display_layout`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.interpreter.backends.walker.expressions import Scope
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.call_effects import FUNCTION
from rulewright.ruleset.program.nodes import Placed, Program
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import FUEL, TableProgram

Value = int | bool | str | None
"""A number or truth value; None if the seat may not see it, and empty if it cannot be worked out."""
MORE = ("tables", "lists", "functions")
"""Parts of which the program with the functions has more than the played one."""


@frozen
class ShownFunctions:
    """Works out functions in states of one table; `numbers` are those of the functions."""

    table: TableProgram
    placed: tuple[Placed, ...]
    numbers: dict[str, int]
    code: Statements

    def values(self, state: Sequence[int], seat: int) -> dict[str, list[Value]]:
        """Return the values by key: for all seats, as far as this seat may see them, or a single one."""
        found: dict[str, list[Value]] = {}
        for one in self.placed:
            given: list[list[int]] = [[]] if one.shown == "game" else [[each] for each in range(self.table.seats)]
            seen = [one.shown != "owner" or each == [seat] for each in given]
            found[one.key] = [
                self._value(one, state, each) if sees else None for each, sees in zip(given, seen, strict=True)
            ]
        return found

    def _value(self, one: Placed, state: Sequence[int], arguments: list[int]) -> Value:
        cells = array("i", state)
        cells[FUEL] = FUEL_PER_ANSWER
        try:
            value = self.code.call(self.numbers[one.key], arguments, Scope(cells, None))
        except RuleError:
            return ""
        assert isinstance(value, int)
        return bool(value) if one.boolean else value


def shown_functions(program: Program, table: TableProgram) -> ShownFunctions | None:
    """Return the functions that a pack's layout shows at a table; None if there are none, or it is another pack."""
    groups = program.table_layout.groups if program.table_layout is not None else ()
    placed = tuple(one for group in groups for one in group.placed if one.shown)
    if not placed:
        return None
    try:
        more = lower(program, table.seats, dict(table.options), tuple(FUNCTION + one.key for one in placed))
    except TableError:
        return None
    played = evolve(more, **{name: getattr(more, name)[: len(getattr(table, name))] for name in MORE})
    if table.position is not None:  # initial positions do not matter for functions
        played = evolve(played, start=table.start, tracks=table.tracks, position=table.position)
    if program_hash(played) != program_hash(table):
        return None
    numbers = {function.name.removeprefix(FUNCTION): number for number, function in enumerate(more.functions)}
    return ShownFunctions(more, placed, numbers, Statements(more))
