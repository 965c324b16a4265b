"""Ranges of expressions: intervals that show which arithmetic cannot overflow and needs no check.

They come from declarations, which a table program no longer has. `interpreter.analysis.nodes.interval` computes
what its nodes alone show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.lower.state_layout import Layout
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

Interval = tuple[int, int]
INT: Interval = (LOWEST, HIGHEST)


class Ranges:
    """Intervals of a unit's expressions; a variable has one if it is assigned once."""

    def __init__(self, layout: Layout, unit: p.Unit) -> None:
        self.layout = layout
        self.known: dict[int, Interval] = {}
        """Intervals of variables."""
        self._found: dict[int, tuple[t.Expr, Interval]] = {}
        """Intervals of operations, by identity: nested operations are queried one by one. Cleared by `note`."""
        assigned: dict[int, list[t.Expr]] = {}
        for statement in unit.body:
            for node in everything(statement):
                if isinstance(node, p.SetVar):
                    assigned.setdefault(node.variable, []).append(node.value)
        for number, variable in enumerate(unit.variables):
            if variable.type.name in ("player", "card", "definition", "enumeration", "boolean"):
                self.known[number] = (-2, 2**20)
        for variable_number, values in assigned.items():
            if variable_number >= unit.parameters and len(values) == 1 and variable_number not in self.known:
                self.note(variable_number, self.of(values[0]))

    def note(self, variable: int, interval: Interval) -> None:
        """Record the interval of a variable."""
        self.known[variable] = interval
        self._found.clear()

    def safe(self, node: t.Binary | t.Checked) -> bool:
        """Whether an operation stays within int32 and never divides by zero."""
        low, high = self._operation(node)
        if node.op in ("//", "%"):
            divisor = self.of(node.right)
            if divisor[0] <= 0 <= divisor[1]:
                return False
        return INT[0] <= low and high <= INT[1]

    def of(self, node: t.Expr) -> Interval:
        """Return the interval of an expression, within int32."""
        found = _RANGES.get(type(node))
        interval = found(self, node) if found is not None else INT
        return max(interval[0], INT[0]), min(interval[1], INT[1])

    def of_members(self, items: t.List) -> Interval:
        """Return the interval of the members of a list of numbers, which is not empty."""
        match items:
            case p.Range(low, high):
                interval = self.of(low)[0], self.of(high)[1]
            case p.ValueList(value):
                numbers = self.layout.constants.numbers(value)
                interval = min(numbers, default=0), max(numbers, default=0)
            case t.Filter(inner) | t.Take(inner) | t.Extremes(inner) | t.Ranked(inner):
                interval = self.of_members(inner)
            case _:
                interval = INT
        return max(interval[0], INT[0]), min(interval[1], INT[1])

    def _operation(self, node: Any) -> Interval:
        known = self._found.get(id(node))
        if known is None:
            known = self._found[id(node)] = node, self._calculated(node)
        return known[1]

    def _calculated(self, node: Any) -> Interval:
        if node.op in t.COMPARISONS:
            return 0, 1
        (a, b), (c, d) = self.of(node.left), self.of(node.right)
        if node.op == "+":
            return a + c, b + d
        if node.op == "-":
            return a - d, b - c
        if node.op == "*":
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        if node.op == "%":
            return (0, max(d - 1, 0)) if c > 0 else (-(max(abs(c), abs(d))), max(abs(c), abs(d)))
        return (min(a, -abs(a)), max(b, abs(a), abs(b))) if c <= 0 else (min(a // c, a // d), max(b // c, b // d))

    def _field(self, node: p.FieldOf) -> Interval:
        values = [v for v in self.layout.field(node.field, node.definition) if isinstance(v, int)]
        return (min(values), max(values)) if values else (0, 0)

    def _field_at(self, node: p.FieldAt) -> Interval:
        size = len(self.layout.enumerations[node.of])
        values = [value for row in self.layout.field_per(node.field, node.definition, size) for value in row]
        return (min(values), max(values)) if values else (0, 0)

    def _track(self, node: p.TrackAt) -> Interval:
        track = self.layout.declared_tracks[node.track]
        return (track.low, track.high) if track.of.name == "number" else (-1, 2**20)

    def _value(self, node: p.ValueOf) -> Interval:
        value = self.layout.constants.value(node.value, node.index)
        return value, value

    def _option(self, node: p.OptionOf) -> Interval:
        value = self.layout.constants.options[node.option]
        return value, value

    def _each(self, pick: Callable[[int, int], int], node: t.Least | t.Most) -> Interval:
        (a, b), (c, d) = self.of(node.left), self.of(node.right)
        return pick(a, c), pick(b, d)

    def _both(self, left: t.Expr, right: t.Expr) -> Interval:
        (a, b), (c, d) = self.of(left), self.of(right)
        return min(a, c), max(b, d)


def _truth(ranges: Ranges, node: Any) -> Interval:
    return 0, 1


_RANGES: dict[type, Callable[[Ranges, Any], Interval]] = {
    t.Const: lambda ranges, node: (node.value, node.value),
    t.Binary: Ranges._operation,
    t.Checked: Ranges._operation,
    t.Count: lambda ranges, node: (0, 2**20),
    t.Not: _truth,
    t.And: _truth,
    t.Or: _truth,
    t.Exists: _truth,
    t.Contains: _truth,
    t.Same: _truth,
    t.IfElse: lambda ranges, node: ranges._both(node.then, node.otherwise),
    t.Least: lambda ranges, node: ranges._each(min, node),
    t.Most: lambda ranges, node: ranges._each(max, node),
    p.Var: lambda ranges, node: ranges.known.get(node.variable, INT),
    p.FieldOf: Ranges._field,
    p.FieldAt: Ranges._field_at,
    p.TrackAt: Ranges._track,
    p.ArrivalAt: lambda ranges, node: (0, HIGHEST),
    p.ValueOf: Ranges._value,
    p.SeatCount: lambda ranges, node: (ranges.layout.seats, ranges.layout.seats),
    p.OptionOf: Ranges._option,
    p.ZoneAt: lambda ranges, node: (0, 2**20),
}
