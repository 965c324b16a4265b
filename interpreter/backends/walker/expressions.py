"""The reference meaning of expressions: one small function per node.

Operands are evaluated in the order of the node's fields, with these exceptions. The condition of `IfElse` and
`Choice` comes first, and only the chosen branch is evaluated; `And` and `Or` skip a right operand that does not
matter; `Exists` stops at the first item that holds. A slot that a node binds is bound only in its body.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.interpreter.analysis.nodes import Metered, charge, units
from rulewright.interpreter.state.decision_slots import answer_address
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import OPERATORS, read_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Expr, List, TableProgram

Value: TypeAlias = int | tuple[int, ...]


@define
class Environment:
    """The environment of running code: the game's state, the values of slots, and the list of events, if any."""

    state: array[int]
    events: list[RawEvent] | None
    numbers: dict[int, int] = field(factory=dict)
    lists: dict[int, tuple[int, ...]] = field(factory=dict)

    def bind(self, slot: int, value: Value) -> None:
        """Assign a value to a slot."""
        if isinstance(value, int):
            self.numbers[slot] = value
        else:
            self.lists[slot] = value


class WalkerExpressions:
    """The evaluator of one table program's expressions."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program

    def number(self, node: Expr, scope: Environment) -> int:
        """Return the value of an integer expression."""
        return _NUMBERS[type(node)](self, node, scope)

    def items(self, node: List, scope: Environment) -> tuple[int, ...]:
        """Return the value of a list expression."""
        return _LISTS[type(node)](self, node, scope)

    def index(self, node: Expr, scope: Environment) -> int:
        """Return an index. A negative one, which checked programs never have, raises IndexError."""
        number = self.number(node, scope)
        if number < 0:
            raise IndexError(number)
        return number

    def address(self, node: Expr, scope: Environment) -> int:
        """Return a cell's address. An index below 0 raises IndexError: that cell belongs to something else."""
        if isinstance(node, t.Binary) and node.op == "+" and isinstance(node.left, t.Const):
            return node.left.value + self.index(node.right, scope)
        return self.index(node, scope)

    def value(self, node: Expr | List, scope: Environment) -> Value:
        """Return the value of an integer or list expression."""
        return self.items(node, scope) if isinstance(node, List) else self.number(node, scope)

    def arguments(self, nodes: Sequence[Expr | List], scope: Environment) -> list[Value]:
        """Return the values of arguments, in order."""
        return [self.value(node, scope) for node in nodes]

    def charge(self, state: array[int], at: int, amount: int = 1) -> None:
        """Take fuel. Raises rule error `fuel`."""
        charge(state, at, amount)

    def call(self, function: int, arguments: Sequence[Value], outer: Environment) -> Value | None:
        """Return the result of a function; None if it ends without `Give`."""
        raise NotImplementedError

    def each(self, node: List, slot: int, scope: Environment) -> Iterator[int]:
        """Iterate over the items of a list, binding each to a slot, and restore the slot afterwards."""
        before = scope.numbers.get(slot)
        for item in self.items(node, scope):
            scope.numbers[slot] = item
            yield item
        if before is not None:
            scope.numbers[slot] = before

    def keyed(self, node: Any, scope: Environment) -> list[tuple[int, int]]:
        """Return the items of a node that ranks, each after the value of its body."""
        return [(self.number(node.body, scope), item) for item in self.each(node.items, node.slot, scope)]


def fitting(value: int, at: int) -> int:
    """Return a value that fits a cell. Raises rule error `overflow`."""
    if not LOWEST <= value <= HIGHEST:
        raise RuleError("overflow", at)
    return value


# ------------------------------------------------------------------ integers

def _cell(values: WalkerExpressions, node: t.Cell, scope: Environment) -> int:
    return scope.state[values.address(node.address, scope)]


def _table(values: WalkerExpressions, node: t.Table, scope: Environment) -> int:
    return values.program.tables[node.table][values.index(node.index, scope)]


def _binary(values: WalkerExpressions, node: t.Binary, scope: Environment) -> int:
    left = values.number(node.left, scope)
    return int(OPERATORS[node.op](left, values.number(node.right, scope)))


def _checked(values: WalkerExpressions, node: t.Checked, scope: Environment) -> int:
    left, right = values.number(node.left, scope), values.number(node.right, scope)
    if node.op in ("//", "%") and right == 0:
        raise RuleError("zero-division", node.at)
    return fitting(int(OPERATORS[node.op](left, right)), node.at)


def _and(values: WalkerExpressions, node: t.And, scope: Environment) -> int:
    return int(values.number(node.left, scope) != 0 and values.number(node.right, scope) != 0)


def _or(values: WalkerExpressions, node: t.Or, scope: Environment) -> int:
    return int(values.number(node.left, scope) != 0 or values.number(node.right, scope) != 0)


def _if_else(values: WalkerExpressions, node: t.IfElse, scope: Environment) -> int:
    chosen = node.then if values.number(node.condition, scope) else node.otherwise
    return values.number(chosen, scope)


def _least(values: WalkerExpressions, node: t.Least, scope: Environment) -> int:
    left = values.number(node.left, scope)
    return min(left, values.number(node.right, scope))


def _most(values: WalkerExpressions, node: t.Most, scope: Environment) -> int:
    left = values.number(node.left, scope)
    return max(left, values.number(node.right, scope))


def _call(values: WalkerExpressions, node: t.Call, scope: Environment) -> int:
    given = values.call(node.function, values.arguments(node.arguments, scope), scope)
    assert given is None or isinstance(given, int)
    return given or 0


def _present(values: WalkerExpressions, node: t.Present, scope: Environment) -> int:
    value = values.number(node.operand, scope)
    if value == -1:
        raise RuleError("absent", node.at)
    return value


def _within(values: WalkerExpressions, node: t.Within, scope: Environment) -> int:
    value = values.number(node.operand, scope)
    if not node.least <= value <= node.most:
        raise RuleError("full", node.at)
    return value


def _total(values: WalkerExpressions, node: t.Total, scope: Environment) -> int:
    return fitting(sum(key for key, _ in values.keyed(node, scope)), node.at)


def _exists(values: WalkerExpressions, node: t.Exists, scope: Environment) -> int:
    found = False
    before = scope.numbers.get(node.slot)
    for item in values.items(node.items, scope):
        scope.numbers[node.slot] = item
        if values.number(node.body, scope):
            found = True
            break
    if before is not None:
        scope.numbers[node.slot] = before
    return int(found)


def _contains(values: WalkerExpressions, node: t.Contains, scope: Environment) -> int:
    items = values.items(node.items, scope)
    return int(values.number(node.value, scope) in items)


def _same(values: WalkerExpressions, node: t.Same, scope: Environment) -> int:
    left = values.items(node.left, scope)
    return int(left == values.items(node.right, scope))


def _first(values: WalkerExpressions, node: t.First, scope: Environment) -> int:
    items = values.items(node.items, scope)
    return items[0] if items else -1


def _last(values: WalkerExpressions, node: t.Last, scope: Environment) -> int:
    items = values.items(node.items, scope)
    return items[-1] if items else -1


def _highest(values: WalkerExpressions, node: t.Highest, scope: Environment) -> int:
    keys = [key for key, _ in values.keyed(node, scope)]
    if not keys:
        return node.empty
    return min(keys) if node.lowest else max(keys)


# ------------------------------------------------------------------ lists

def _items(values: WalkerExpressions, node: t.Items, scope: Environment) -> tuple[int, ...]:
    return tuple(values.number(value, scope) for value in node.values)


def _cell_list(values: WalkerExpressions, node: t.CellList, scope: Environment) -> tuple[int, ...]:
    return tuple(read_list(scope.state, values.address(node.address, scope)))


def _cards(values: WalkerExpressions, node: t.Cards, scope: Environment) -> tuple[int, ...]:
    zone = values.program.zones[values.index(node.zone, scope)]
    return tuple(read_list(scope.state, zone.address))


def _table_list(values: WalkerExpressions, node: t.TableList, scope: Environment) -> tuple[int, ...]:
    return values.program.lists[node.table][values.index(node.index, scope)]


def _filter(values: WalkerExpressions, node: t.Filter, scope: Environment) -> tuple[int, ...]:
    each = values.each(node.items, node.slot, scope)
    return tuple(item for item in each if values.number(node.condition, scope))


def _map(values: WalkerExpressions, node: t.Map, scope: Environment) -> tuple[int, ...]:
    return tuple(key for key, _ in values.keyed(node, scope))


def _flat_map(values: WalkerExpressions, node: t.FlatMap, scope: Environment) -> tuple[int, ...]:
    parts = [values.items(node.body, scope) for _ in values.each(node.items, node.slot, scope)]
    return tuple(item for part in parts for item in part)


def _concat(values: WalkerExpressions, node: t.Concat, scope: Environment) -> tuple[int, ...]:
    left = values.items(node.left, scope)
    return left + values.items(node.right, scope)


def _metered(values: WalkerExpressions, node: Metered, scope: Environment) -> tuple[int, ...]:
    items = values.items(node.items, scope)
    values.charge(scope.state, node.at, units(len(items), node.each))
    return items


def _take(values: WalkerExpressions, node: t.Take, scope: Environment) -> tuple[int, ...]:
    items = values.items(node.items, scope)
    count = max(0, min(values.number(node.count, scope), len(items)))
    return items[:count] if node.first else items[len(items) - count :]


def _extremes(values: WalkerExpressions, node: t.Extremes, scope: Environment) -> tuple[int, ...]:
    keyed = values.keyed(node, scope)
    if not keyed:
        return ()
    keys = [key for key, _ in keyed]
    extreme = min(keys) if node.lowest else max(keys)
    return tuple(item for key, item in keyed if key == extreme)


def _ranked(values: WalkerExpressions, node: t.Ranked, scope: Environment) -> tuple[int, ...]:
    keyed = values.keyed(node, scope)
    keyed.sort(key=lambda pair: -pair[0] if node.descending else pair[0])
    return tuple(item for _, item in keyed)


def _distinct(values: WalkerExpressions, node: t.Distinct, scope: Environment) -> tuple[int, ...]:
    first: dict[int, int] = {}
    for key, item in values.keyed(node, scope):
        first.setdefault(key, item)
    return tuple(first.values())


def _rotated(values: WalkerExpressions, node: t.Rotated, scope: Environment) -> tuple[int, ...]:
    items = values.items(node.items, scope)
    start = values.number(node.start, scope)
    if start not in items:
        return items
    place = items.index(start)
    return items[place:] + items[:place]


def _choice(values: WalkerExpressions, node: t.Choice, scope: Environment) -> tuple[int, ...]:
    chosen = node.then if values.number(node.condition, scope) else node.otherwise
    return values.items(chosen, scope)


def _call_list(values: WalkerExpressions, node: t.CallList, scope: Environment) -> tuple[int, ...]:
    given = values.call(node.function, values.arguments(node.arguments, scope), scope)
    assert given is None or isinstance(given, tuple)
    return given or ()


def _answer(values: WalkerExpressions, node: t.Answer, scope: Environment) -> tuple[int, ...]:
    seat = values.index(node.seat, scope)
    return tuple(read_list(scope.state, answer_address(values.program.layout, seat)))


_NUMBERS: dict[type[Expr], Callable[[WalkerExpressions, Any, Environment], int]] = {
    t.Const: lambda _values, node, _scope: node.value,
    t.Local: lambda _values, node, scope: scope.numbers[node.slot],
    t.Cell: _cell,
    t.Table: _table,
    t.Binary: _binary,
    t.Checked: _checked,
    t.Not: lambda values, node, scope: int(not values.number(node.operand, scope)),
    t.And: _and,
    t.Or: _or,
    t.IfElse: _if_else,
    t.Least: _least,
    t.Most: _most,
    t.Call: _call,
    t.Present: _present,
    t.Within: _within,
    t.Count: lambda values, node, scope: len(values.items(node.items, scope)),
    t.Total: _total,
    t.Exists: _exists,
    t.Contains: _contains,
    t.Same: _same,
    t.First: _first,
    t.Last: _last,
    t.Highest: _highest,
}

_LISTS: dict[type[List], Callable[[WalkerExpressions, Any, Environment], tuple[int, ...]]] = {
    t.Items: _items,
    t.LocalList: lambda _values, node, scope: scope.lists[node.slot],
    t.CellList: _cell_list,
    t.Cards: _cards,
    t.TableList: _table_list,
    t.Filter: _filter,
    t.Map: _map,
    t.FlatMap: _flat_map,
    t.Concat: _concat,
    t.Take: _take,
    t.Extremes: _extremes,
    t.Ranked: _ranked,
    t.Distinct: _distinct,
    t.Rotated: _rotated,
    t.Choice: _choice,
    t.CallList: _call_list,
    t.Answer: _answer,
    Metered: _metered,
}
