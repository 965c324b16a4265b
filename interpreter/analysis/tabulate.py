"""Values that constant tables determine, worked out for all items when the source is generated.

`colour of card is colour of place` compares a table's entry for each card with one number. The generated text looks
that number up once, and gets a function that holds the result for every card; `filter` and `map` run it without a
frame for each card. A list of constant members that is filtered or mapped in this way becomes a constant, or one
constant for each value of the number.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.interpreter.state.arithmetic import OPERATORS
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List, Local, TableProgram
from rulewright.ruleset.table.traversal import everything


@frozen
class Tabulated:
    """Values by item: for each relevant value of `outer`, and for any other (the key None)."""

    outer: Expr | None
    results: dict[int | None, tuple[int, ...]]


@frozen
class Looked(List):
    """A list that depends on one number: one for each relevant value, and `other` for any other value."""

    outer: Expr
    lists: tuple[tuple[int, tuple[int, ...]], ...]
    other: tuple[int, ...]


def tabulate(condition: Expr, slot: int, program: TableProgram) -> Tabulated | None:
    """Evaluate an expression for each value of the item in a slot.

    Returns None unless it consists of constants and table entries, some of them compared with the same number that
    does not depend on the item.
    """
    found = _outside(condition, slot, program)
    if found is None or not found.sizes or len({*found.sizes}) != 1:
        return None
    size = found.sizes[0]

    def results(value: int | None) -> tuple[int, ...]:
        return tuple(_value(condition, slot, item, found.outer, value, program) for item in range(size))

    return Tabulated(found.outer, {value: results(value) for value in (*found.values, None)})


def constant_list(node: List, program: TableProgram) -> List | None:
    """Return a filter or map over constant members as constants, or as one list per value of a number."""
    match node:
        case t.Filter(items=items, slot=slot, condition=body) | t.Map(items=items, slot=slot, body=body):
            pass
        case t.Concat(Looked() as left, t.Items(values)) if _all_constant(values):
            more = _numbers(values)
            return evolve(left, lists=tuple((n, (*m, *more)) for n, m in left.lists), other=(*left.other, *more))
        case _:
            return None
    keeps = isinstance(node, t.Filter)

    def made(members: Sequence[int], outer: Expr | None, value: int | None) -> tuple[int, ...]:
        told = [(one, _value(body, slot, one, outer, value, program)) for one in members]
        return tuple(one if keeps else result for one, result in told if result or not keeps)

    found = _outside(body, slot, program)
    if found is None:
        return None
    if isinstance(items, Looked) and found.outer is None:
        if not all(_within(program, body, slot, members) for members in (*dict(items.lists).values(), items.other)):
            return None
        lists = tuple((value, made(members, None, None)) for value, members in items.lists)
        return evolve(items, lists=lists, other=made(items.other, None, None))
    if not isinstance(items, t.Items) or not _all_constant(items.values):
        return None
    members = _numbers(items.values)
    if not _within(program, body, slot, members):
        return None
    if found.outer is None:
        return t.Items(tuple(map(Const, made(members, None, None))))
    if not keeps:
        return None
    lists = tuple((value, made(members, found.outer, value)) for value in found.values)
    return Looked(found.outer, lists, made(members, found.outer, None))


@frozen
class _Outside:
    """The dependencies of an expression on an item: sizes of tables, and a number with the values it meets."""

    sizes: tuple[int, ...]
    outer: Expr | None
    values: tuple[int, ...]


def _outside(node: Expr, slot: int, program: TableProgram) -> _Outside | None:
    sizes: list[int] = []
    outer: set[Expr] = set()
    values: set[int] = set()
    if not _collect(node, slot, program, sizes, outer, values) or len(outer) > 1:
        return None
    return _Outside(tuple(sizes), next(iter(outer), None), tuple(sorted(values)) if outer else ())


def _collect(
    node: Expr, slot: int, program: TableProgram, sizes: list[int], outer: set[Expr], values: set[int]
) -> bool:
    """Collect the dependencies of an expression. Returns False if it cannot be tabulated."""

    def collect(part: Expr) -> bool:
        return _collect(part, slot, program, sizes, outer, values)

    def meets(other: Expr, entries: set[int]) -> bool:
        """Return whether table entries are compared with a constant, or with a number that is cheap to work out."""
        if isinstance(other, Const):
            return True
        outer.add(other)
        values.update(entries)
        parts = list(everything(other))
        return all(isinstance(part, Const | Local | t.Table) and part != Local(slot) for part in parts)

    match node:
        case Const():
            return True
        case t.Local(own):
            return own == slot
        case t.Table(number, index) if index == Local(slot):
            sizes.append(len(program.tables[number]))
            return True
        case t.Contains(t.TableList(number, index), value) if index == Local(slot):
            sizes.append(len(program.lists[number]))
            return meets(value, {one for members in program.lists[number] for one in members})
        case t.Not(operand):
            return collect(operand)
        case t.And(left, right) | t.Or(left, right):
            return collect(left) and collect(right)
        case t.Binary("==" | "!=", t.Table(number, index), right) if index == Local(slot):
            sizes.append(len(program.tables[number]))
            return meets(right, set(program.tables[number]))
        case t.Binary(op, left, right) if op not in ("//", "%"):
            return collect(left) and collect(right)
        case _:
            return False


def _within(program: TableProgram, node: Expr, slot: int, members: Sequence[int]) -> bool:
    """Return whether every table that is read has an entry for each member."""
    found = _outside(node, slot, program)
    return found is not None and all(0 <= one < size for size in found.sizes for one in members)


def _all_constant(values: Sequence[Expr]) -> bool:
    return all(isinstance(value, Const) for value in values)


def _numbers(values: Sequence[Expr]) -> tuple[int, ...]:
    return tuple(value.value for value in values if isinstance(value, Const))


def _value(node: Expr, slot: int, item: int, outer: Expr | None, value: int | None, program: TableProgram) -> int:
    """Evaluate an expression that `_collect` accepts, for an item and a value of the outer number."""

    def of(part: Expr) -> int:
        return _value(part, slot, item, outer, value, program)

    match node:
        case Const(number):
            return number
        case t.Local():
            return item
        case t.Table(number, _):
            return program.tables[number][item]
        case t.Contains(t.TableList(number, _), wanted):
            other = wanted.value if isinstance(wanted, Const) else value
            return int(other in program.lists[number][item])
        case t.Not(operand):
            return int(not of(operand))
        case t.And(left, right):
            return int(bool(of(left)) and bool(of(right)))
        case t.Or(left, right):
            return int(bool(of(left)) or bool(of(right)))
        case t.Binary(op, left, right) if right == outer:
            return int(OPERATORS[op](of(left), value))  # type: ignore[arg-type]  # None equals no number
        case t.Binary(op, left, right):
            return int(OPERATORS[op](of(left), of(right)))
        case _:
            raise AssertionError(node)
