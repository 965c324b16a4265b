"""Constants of a table: what follows from seats, options, values, and fields of definitions."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.arithmetic import compute
from rulewright.ruleset.program.derived import FieldValue, UnderivableError, derived_value
from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t


class Declarations(Protocol):
    """The declarations that constants are computed from: a program, or a part of one."""

    @property
    def definitions(self) -> tuple[p.Definition, ...]: ...

    @property
    def kinds(self) -> tuple[p.Kind, ...]: ...

    @property
    def values(self) -> tuple[p.Value, ...]: ...

    @property
    def enumerations(self) -> tuple[p.Enumeration, ...]: ...


@frozen(slots=False, repr=False)
class Constants(Record):
    """The constants of a table: the number of seats, options, and values."""

    program: Declarations
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


def field_value(program: Declarations, definition: p.Definition, name: str) -> FieldValue:
    """Return a definition's value of a field; if copies differ, that of the first copy.

    Without such a field the value is false, 0, none (-1), or an empty list.
    """
    found = dict(definition.fields).get(name)
    return found[0] if found else missing_value(program, name, definition.kind)


def missing_value(program: Declarations, name: str, kind: str) -> FieldValue:
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
