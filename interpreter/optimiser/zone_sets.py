"""The zones that an expression can be: one, or those of a family such as the hands of all players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, TableProgram
from ruleset.table.traversal import everything

Unit = tuple[str, int]
"""`function` or `procedure`, and its number."""
Zones = int
"""A set of zones: bit z is zone z."""


def units(program: TableProgram) -> Iterator[tuple[Unit, object]]:
    """Iterate over all pieces of code, each with the unit whose slots it uses."""
    for number, function in enumerate(program.functions):
        yield ("function", number), function.body
    for segment in program.segments:
        yield ("procedure", segment.procedure), segment.tree


class ZoneSets:
    """The zones of a program's expressions. A slot can be any zone that is ever assigned to it."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self.every: Zones = (1 << len(program.zones)) - 1
        self._families: dict[int, Zones] = {}
        """By the first zone of a family, all its zones."""
        start = 0
        for number, zone in enumerate(program.zones):
            if zone.zone != program.zones[start].zone:
                start = number
            self._families[start] = self._families.get(start, 0) | 1 << number
        self._known: dict[tuple[Unit, int], Zones] = {}

    def of(self, node: Expr, unit: Unit) -> Zones:
        """Return the zones that an expression of a unit can be; all zones if its form does not tell."""
        match node:
            case Const(value):
                return 1 << value if 0 <= value < len(self._program.zones) else 0
            case t.Binary("+", Const(first), Const(seat)):
                return self.of(Const(first + seat), unit)
            case t.Binary("+", Const(base), _) | t.Binary("+", _, Const(base)) if base in self._families:
                return self._families[base]
            case t.Table(number, _):
                return self._mask(self._program.tables[number])
            case t.IfElse(_, then, otherwise):
                return self.of(then, unit) | self.of(otherwise, unit)
            case t.Present(operand):
                return self.of(operand, unit)
            case t.Local(slot):
                return self._slot(unit, slot)
        return self.every

    def _mask(self, values: tuple[int, ...]) -> Zones:
        return sum(1 << value for value in {*values} if 0 <= value < len(self._program.zones))

    def _slot(self, unit: Unit, slot: int) -> Zones:
        known = self._known.get((unit, slot))
        if known is None:
            self._known[unit, slot] = self.every  # while its values are looked at: a slot may depend on itself
            known = 0
            for value, where in self._values.get((unit, slot), ()):
                known |= self.every if value is None else self.of(value, where)
            self._known[unit, slot] = known
        return known

    @cached_property
    def _values(self) -> dict[tuple[Unit, int], list[tuple[Expr | None, Unit]]]:
        """Every value ever given to a slot, with the unit of its expression; None for unknown ones."""
        program = self._program
        found: dict[tuple[Unit, int], list[tuple[Expr | None, Unit]]] = defaultdict(list)

        def given(called: Unit, arguments: tuple[Expr | t.List, ...], unit: Unit) -> None:
            for place, argument in enumerate(arguments):
                found[called, place].append((argument if isinstance(argument, Expr) else None, unit))

        for unit, code in units(program):
            for node in everything(code):
                match node:
                    case t.SetLocal(slot, value):
                        found[unit, slot].append((value, unit))
                    case t.Call(called, arguments) | t.CallList(called, arguments) | t.Do(called, arguments):
                        given(("function", called), arguments, unit)
                    case t.DoTable(number, _, arguments):
                        for one in {*program.tables[number]} - {-1}:
                            given(("function", one), arguments, unit)
                    case t.Invoke(called, arguments):
                        given(("procedure", called), arguments, unit)
                    case t.InvokeTable(number, _, arguments):
                        for one in {*program.tables[number]} - {-1}:
                            given(("procedure", one), arguments, unit)
                    case _ if isinstance(getattr(node, "slot", None), int) and not isinstance(
                        node, t.Local | t.LocalList
                    ):
                        found[unit, node.slot].append((None, unit))
        return found
