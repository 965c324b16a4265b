"""Conditions on an item that constant tables tell, worked out for all items when the source is generated.

`colour of card is colour of place` compares a table's entry for each card with one number. The text looks that
number up once, and gets a function that holds the result for every card; `filter` and `map` run it without a
frame for each card.
"""

from __future__ import annotations

from attrs import frozen

from interpreter.python_nodes import walk
from interpreter.walker_values import OPERATORS
from ruleset import table
from ruleset.table import Const, Expr, Local, TableProgram


@frozen
class Tabulated:
    """A condition's results by item: for each value of `outer` that matters, and for any other (the key None)."""

    outer: Expr | None
    results: dict[int | None, tuple[int, ...]]


def tabulate(condition: Expr, slot: int, program: TableProgram) -> Tabulated | None:
    """The results of a condition on the item in a slot, or None if it is more than comparisons of table entries,
    some of them with one and the same number that does not depend on the item.
    """
    tables: set[int] = set()
    outer: set[Expr] = set()
    if not _collect(condition, slot, tables, outer) or len(outer) > 1:
        return None
    sizes = {len(program.tables[number]) for number in tables}
    if len(sizes) != 1:
        return None
    (size,) = sizes
    one = next(iter(outer), None)
    values = {value for number in tables for value in program.tables[number]} if one else set()

    def results(value: int | None) -> tuple[int, ...]:
        return tuple(int(_holds(condition, slot, item, one, value, program)) for item in range(size))

    return Tabulated(one, {value: results(value) for value in (*sorted(values), None)})


def _collect(node: Expr, slot: int, tables: set[int], outer: set[Expr]) -> bool:
    """Notes what a condition depends on; False if it cannot be tabulated."""
    match node:
        case table.Table(number, index) if index == Local(slot):
            tables.add(number)
            return True
        case table.Not(operand):
            return _collect(operand, slot, tables, outer)
        case table.And(left, right) | table.Or(left, right):
            return _collect(left, slot, tables, outer) and _collect(right, slot, tables, outer)
        case table.Binary(op, table.Table(number, index), right) if op in ("==", "!=") and index == Local(slot):
            tables.add(number)
            if not isinstance(right, Const):
                outer.add(right)
            simple = isinstance(right, Const | Local | table.Table)
            return simple and all(part != Local(slot) for part in walk(right)) and _is_plain(right)
        case _:
            return False


def _is_plain(node: Expr) -> bool:
    """Whether a number is so short to compute that one may do so though there are no items."""
    return all(isinstance(part, Const | Local | table.Table) for part in walk(node))


def _holds(node: Expr, slot: int, item: int, outer: Expr | None, value: int | None, program: TableProgram) -> bool:
    def holds(part: Expr) -> bool:
        return _holds(part, slot, item, outer, value, program)

    match node:
        case table.Not(operand):
            return not holds(operand)
        case table.And(left, right):
            return holds(left) and holds(right)
        case table.Or(left, right):
            return holds(left) or holds(right)
        case table.Binary(op, table.Table(number, _), right):
            other = right.value if isinstance(right, Const) else value
            return bool(OPERATORS[op](program.tables[number][item], other))  # type: ignore[arg-type]
        case table.Table(number, _):
            return bool(program.tables[number][item])
        case _:
            raise AssertionError(node)
