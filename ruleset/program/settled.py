"""Constants of a table: what follows from seats, options, values, and fields of definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Protocol

from attrs import frozen

from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_IN_RANGE
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import children, everything
from rulewright.ruleset.table import nodes as t

# ------------------------------------------------------------------ Arithmetic on constants of a table

_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


def compute(op: t.Operator, left: int, right: int) -> int:
    """Apply an operator; division by zero gives 0."""
    return _OPERATORS[op](left, right)


# ---- Evaluate derived fields: fields of definitions that are worked out once, before a game begins

FieldValue = int | tuple[int, ...]


class UnderivableError(ValueError):
    """A derived field has no value at a table: a division by zero, a number that is too large, or none."""

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(f"{field} has no value: {why}" if field else why)
        self.field = field


class TableValues(Protocol):
    """What derived fields are worked out from."""

    @property
    def seats(self) -> int: ...

    def number(self, node: t.Expr) -> int: ...

    def numbers(self, key: str) -> tuple[int, ...]: ...

    def chosen(self, option: str) -> tuple[int, ...]: ...

    def field(self, definition: int, name: str) -> FieldValue: ...

    def of_kind(self, kind: str) -> tuple[int, ...]: ...

    def kind_of(self, definition: int) -> int: ...

    def performs(self, definition: int, effect: str) -> bool: ...

    def members(self, enumeration: str) -> int: ...


def derived_value(table: TableValues, derived: p.Derived, definition: int) -> FieldValue:
    """Return the value of a derived field for a definition. Raises `UnderivableError`."""
    values = _Values(table, {derived.variable: definition})
    if isinstance(derived.value, t.List):
        return values.items(derived.value)
    value = values.number(derived.value)
    if derived.low is not None and not derived.low <= value <= derived.high:
        raise UnderivableError(f"it would be {value}; expected {derived.low} to {derived.high}")
    return value


def unsettled(value: t.Expr | t.List) -> bool:
    """Whether an expression reads something that is known only during a game."""
    return any(type(node) not in _KNOWN or _of_card(node) for node in everything(value))


def asks_every(derived: Mapping[tuple[str, str], p.Derived], node: t.Expr) -> str:
    """Return a derived field in an expression that depends on which definitions are in the game; or ""."""
    todo = [one.field for one in everything(node) if isinstance(one, p.FieldOf | p.FieldListOf)]
    seen: dict[str, str] = {name: name for name in todo}
    for name in todo:
        for code in (one.value for (_, field), one in derived.items() if field == name):
            for part in everything(code):
                if isinstance(part, p.DefinitionsOf):
                    return seen[name]
                if isinstance(part, p.FieldOf | p.FieldListOf) and part.field not in seen:
                    seen[part.field] = seen[name]
                    todo.append(part.field)
    return ""


def _of_card(node: Any) -> bool:
    return isinstance(node, p.FieldOf | p.FieldAt | p.FieldListOf | p.KindOf | p.HasEffect) and not node.definition


class _Values:
    """Evaluates expressions; `variables` holds the definition and the members of filters."""

    def __init__(self, table: TableValues, variables: dict[int, int]) -> None:
        self.table = table
        self.variables = variables

    def number(self, node: t.Expr) -> int:
        special = _NUMBERS.get(type(node))
        if special is None:
            return self.table.number(node)
        value = special(self, node)
        if not LOWEST <= value <= HIGHEST:
            raise UnderivableError(f"a number in it is too large: {value}")
        return value

    def items(self, node: t.List) -> tuple[int, ...]:
        return _LISTS[type(node)](self, node)

    def each(self, items: t.List, variable: int, body: t.Expr) -> list[tuple[int, int]]:
        """Return each member of a list, with the value of an expression for it."""
        found = []
        for item in self.items(items):
            self.variables[variable] = item
            found.append((item, self.number(body)))
        return found

    def _calculated(self, node: t.Binary | t.Checked) -> int:
        left, right = self.number(node.left), self.number(node.right)
        if node.op in ("//", "%") and right == 0:
            raise UnderivableError("it divides by 0")
        return compute(node.op, left, right)

    def _present(self, node: t.Present) -> int:
        value = self.number(node.operand)
        if value < 0:
            raise UnderivableError("it reads a property of `none`")
        return value

    def _logic(self, node: t.And | t.Or) -> int:
        left = self.number(node.left)
        return self.number(node.right) if bool(left) is isinstance(node, t.And) else left

    def _field(self, node: p.FieldOf) -> int:
        value = self.table.field(self.number(node.item), node.field)
        assert isinstance(value, int)
        return value

    def _field_at(self, node: p.FieldAt) -> int:
        row = self.table.field(self.number(node.item), node.field)
        assert isinstance(row, tuple)
        return row[self.number(node.index)] if row else 0

    def _field_list(self, node: p.FieldListOf) -> tuple[int, ...]:
        value = self.table.field(self.number(node.item), node.field)
        assert isinstance(value, tuple)
        return value

    def _end(self, node: t.First | t.Last) -> int:
        items = self.items(node.items)
        return items[0 if isinstance(node, t.First) else -1] if items else -1

    def _highest(self, node: t.Highest) -> int:
        keys = [key for _, key in self.each(node.items, node.slot, node.body)]
        return (min if node.lowest else max)(keys, default=node.empty)

    def _range(self, node: p.Range) -> tuple[int, ...]:
        numbers = tuple(range(self.number(node.low), self.number(node.high) + 1))
        if len(numbers) > MOST_IN_RANGE:
            raise UnderivableError(f"a range in it has {len(numbers)} numbers; expected at most {MOST_IN_RANGE}")
        return numbers

    def _take(self, node: t.Take) -> tuple[int, ...]:
        items = self.items(node.items)
        count = max(0, min(self.number(node.count), len(items)))
        return items[:count] if node.first else items[len(items) - count :]

    def _extremes(self, node: t.Extremes) -> tuple[int, ...]:
        keyed = self.each(node.items, node.slot, node.body)
        best = (min if node.lowest else max)((key for _, key in keyed), default=0)
        return tuple(item for item, key in keyed if key == best)

    def _ranked(self, node: t.Ranked) -> tuple[int, ...]:
        keyed = self.each(node.items, node.slot, node.body)
        return tuple(item for item, _ in sorted(keyed, key=lambda one: one[1], reverse=node.descending))

    def _rotated(self, node: t.Rotated) -> tuple[int, ...]:
        items, start = self.items(node.items), self.number(node.start)
        place = items.index(start) if start in items else 0
        return items[place:] + items[:place]


_NUMBERS: dict[type, Callable[[_Values, Any], int]] = {
    p.Var: lambda values, node: values.variables[node.variable],
    t.Binary: _Values._calculated,
    t.Checked: _Values._calculated,
    t.Present: _Values._present,
    t.IfElse: lambda values, node: values.number(node.then if values.number(node.condition) else node.otherwise),
    t.Not: lambda values, node: int(not values.number(node.operand)),
    t.And: _Values._logic,
    t.Or: _Values._logic,
    t.Least: lambda values, node: min(values.number(node.left), values.number(node.right)),
    t.Most: lambda values, node: max(values.number(node.left), values.number(node.right)),
    t.Count: lambda values, node: len(values.items(node.items)),
    t.Total: lambda values, node: sum(key for _, key in values.each(node.items, node.slot, node.body)),
    t.Exists: lambda values, node: int(any(key for _, key in values.each(node.items, node.slot, node.body))),
    t.Contains: lambda values, node: int(values.number(node.value) in values.items(node.items)),
    t.Same: lambda values, node: int(values.items(node.left) == values.items(node.right)),
    t.First: _Values._end,
    t.Last: _Values._end,
    t.Highest: _Values._highest,
    p.FieldOf: _Values._field,
    p.FieldAt: _Values._field_at,
    p.KindOf: lambda values, node: values.table.kind_of(values.number(node.item)),
    p.HasEffect: lambda values, node: int(values.table.performs(values.number(node.item), node.field)),
}
_LISTS: dict[type, Callable[[_Values, Any], tuple[int, ...]]] = {
    t.Items: lambda values, node: tuple(map(values.number, node.values)),
    t.Filter: lambda values, node: tuple(
        item for item, holds in values.each(node.items, node.slot, node.condition) if holds
    ),
    t.Map: lambda values, node: tuple(key for _, key in values.each(node.items, node.slot, node.body)),
    t.Concat: lambda values, node: values.items(node.left) + values.items(node.right),
    t.Take: _Values._take,
    t.Extremes: _Values._extremes,
    t.Ranked: _Values._ranked,
    t.Rotated: _Values._rotated,
    t.Choice: lambda values, node: values.items(node.then if values.number(node.condition) else node.otherwise),
    p.FieldListOf: _Values._field_list,
    p.ValueList: lambda values, node: values.table.numbers(node.value),
    p.OptionList: lambda values, node: values.table.chosen(node.option),
    p.DefinitionsOf: lambda values, node: values.table.of_kind(node.kind),
    p.MembersOf: lambda values, node: tuple(range(values.table.members(node.enumeration))),
    p.Everyone: lambda values, node: tuple(range(values.table.seats)),
    p.Living: lambda values, node: tuple(range(values.table.seats)),
    p.Range: _Values._range,
}
_KNOWN = {*_NUMBERS, *_LISTS, t.Const, p.ValueOf, p.OptionOf, p.SeatCount}


# ---- Settled

class SettledDeclarations(Protocol):
    """The declarations that constants are computed from: a program, or a part of one."""

    @property
    def definitions(self) -> tuple[p.Definition, ...]: ...

    @property
    def kinds(self) -> tuple[p.Kind, ...]: ...

    @property
    def values(self) -> tuple[p.SeatNumbers, ...]: ...

    @property
    def enumerations(self) -> tuple[p.EnumerationDeclared, ...]: ...


@frozen(slots=False, repr=False)
class Constants(Record):
    """The constants of a table: the number of seats, options, and values."""

    program: SettledDeclarations
    seats: int
    options: dict[str, int]

    def value(self, key: str, index: int) -> int:
        """Return a declared value; for a list, the entry at `index`, or 0 beyond its end."""
        numbers = self.numbers(key)
        place = max(index, 0)
        return numbers[place] if place < len(numbers) else 0

    def numbers(self, key: str) -> tuple[int, ...]:
        """Return all numbers of a declared value."""
        return self._values[key]

    @cached_property
    def _values(self) -> dict[str, tuple[int, ...]]:
        values = reversed(self.program.values)  # the first of two values with the same key counts
        return {value.key: dict(value.by_players).get(self.seats, value.default) for value in values}

    def chosen(self, option: str) -> tuple[int, ...]:
        """Return the definitions chosen by an option with `some`."""
        return tuple(n for n in range(len(self.program.definitions)) if self.options[option] >> n & 1)

    # -------------------------------------------------------------- fields

    def field(self, definition: int, name: str) -> FieldValue:
        """Return a definition's value of a field, which may be derived. Raises `UnderivableError`."""
        one = self.program.definitions[definition]
        derived = self.derived.get((one.kind, name))
        if derived is None:
            return field_value(self.program, one, name)
        if (definition, name) not in self._worked_out:
            try:
                self._worked_out[definition, name] = derived_value(self, derived, definition)
            except UnderivableError as error:
                if error.field:
                    raise
                raise UnderivableError(str(error), f"the field `{name}` of `{one.key}`") from None
        return self._worked_out[definition, name]

    @cached_property
    def derived(self) -> dict[tuple[str, str], p.Derived]:
        """The derived fields, by kind and name."""
        return {(kind.key, one.field): one for kind in self.program.kinds for one in kind.derived}

    @cached_property
    def _worked_out(self) -> dict[tuple[int, str], FieldValue]:
        return {}

    @cached_property
    def _in_game(self) -> dict[int, bool]:
        return {}

    def in_game(self, definition: int) -> bool:
        """Whether a definition is part of the game at this table."""
        if definition not in self._in_game:
            when = self.program.definitions[definition].when
            self._in_game[definition] = when is None or bool(self.number(when))
        return self._in_game[definition]

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Return the definitions of a kind that are in the game."""
        return tuple(n for n, one in enumerate(self.program.definitions) if one.kind == kind and self.in_game(n))

    def kind_of(self, definition: int) -> int:
        """Return the number of a definition's kind."""
        kinds = [kind.key for kind in self.program.kinds]
        return kinds.index(self.program.definitions[definition].kind)

    def performs(self, definition: int, effect: str) -> bool:
        """Whether a definition declares an effect."""
        return effect in dict(self.program.definitions[definition].effects)

    def members(self, enumeration: str) -> int:
        """Return the number of members of an enumeration."""
        return next(len(one.members) for one in self.program.enumerations if one.key == enumeration)

    # -------------------------------------------------------------- expressions

    def number(self, node: t.Expr) -> int:
        """Evaluate a constant expression, such as a number of copies. Raises ValueError if it is not constant."""
        if isinstance(node, t.Const):
            return node.value
        if isinstance(node, p.ValueOf):
            return self.value(node.value, node.index)
        if isinstance(node, p.OptionOf):
            return self.options[node.option]
        if isinstance(node, p.SeatCount):
            return self.seats
        if isinstance(node, t.Count) and isinstance(node.items, p.Everyone | p.Living):
            return self.seats
        if isinstance(node, t.Checked | t.Binary):
            return compute(node.op, self.number(node.left), self.number(node.right))
        if isinstance(node, t.IfElse):
            return self.number(node.then if self.number(node.condition) else node.otherwise)
        if isinstance(node, t.Not):
            return int(not self.number(node.operand))
        if isinstance(node, p.FieldOf):
            value = self.field(self.number(node.item), node.field)
            assert isinstance(value, int)
            return value
        if isinstance(node, p.FieldAt):
            row = self.field(self.number(node.item), node.field)
            assert isinstance(row, tuple)
            return row[self.number(node.index)] if row else 0
        if isinstance(node, t.Contains) and isinstance(node.items, p.OptionList):
            return int(self.number(node.value) in self.chosen(node.items.option))
        if isinstance(node, t.Count) and isinstance(node.items, p.OptionList):
            return len(self.chosen(node.items.option))
        if isinstance(node, t.Contains) and isinstance(node.items, p.FieldListOf):
            members = self.field(self.number(node.items.item), node.items.field)
            assert isinstance(members, tuple)
            return int(self.number(node.value) in members)
        if isinstance(node, t.And | t.Or):
            left = self.number(node.left)
            return self.number(node.right) if bool(left) is isinstance(node, t.And) else left
        raise ValueError("not a constant of the table")


def field_value(program: SettledDeclarations, definition: p.Definition, name: str) -> FieldValue:
    """Return a definition's value of a field; if copies differ, that of the first copy.

    Without such a field the value is false, 0, none (-1), or an empty list.
    """
    found = dict(definition.fields).get(name)
    return found[0] if found else missing_value(program, name, definition.kind)


def missing_value(program: SettledDeclarations, name: str, kind: str) -> FieldValue:
    """Return the value of a field for definitions of a kind that do not set it."""
    fields = [(one.key, field) for one in program.kinds for field in one.fields if field.key == name]
    declared = next((field for key, field in fields if key == kind), fields[0][1] if fields else None)
    if declared is not None and (declared.many or declared.per):
        return ()
    return -1 if declared is None or declared.type.name in ("card", "definition", "player") else 0


def is_settled(node: t.Expr) -> bool:
    """Whether `Constants.number` can evaluate the node.

    It can if the value depends only on options, values, seats and, in the condition of a kind, on its definition.
    """
    if isinstance(node, t.Count):
        return isinstance(node.items, p.Everyone | p.Living | p.OptionList)
    if isinstance(node, p.FieldOf):
        return isinstance(node.item, p.Var) and node.definition
    if isinstance(node, p.FieldAt):
        return isinstance(node.item, p.Var) and node.definition and is_settled(node.index)
    if isinstance(node, t.Contains):
        if isinstance(node.items, p.OptionList):
            return isinstance(node.value, p.Var) or is_settled(node.value)
        own = isinstance(node.items, p.FieldListOf) and isinstance(node.items.item, p.Var)
        return own and is_settled(node.value)
    known = t.Const | p.ValueOf | p.OptionOf | p.SeatCount
    inner = t.Checked | t.Binary | t.IfElse | t.Not | t.And | t.Or
    return isinstance(node, known) or (isinstance(node, inner) and all(map(is_settled, children(node))))
