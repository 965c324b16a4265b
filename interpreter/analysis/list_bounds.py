"""Upper bounds of list lengths: C needs them to reserve memory."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.analysis.tabulate import Looked
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List, Slot, TableProgram
from rulewright.ruleset.table.traversal import everything


class Bounds:
    """The bounds of the lists of one program."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._given: dict[int, int] = {}
        self._known: dict[tuple[int, int], tuple[List, Sequence[Slot], int]] = {}
        """Of lists made of several lists, by identity with their slots; both are kept alive."""
        self._most = max(
            program.layout.options,
            *(zone.capacity for zone in program.zones),
            *(info.capacity for info in program.state_lists),
            0,
        )

    def most(self, node: List, slots: Sequence[Slot]) -> int:
        """Return the maximum length of a list, in code with these slots."""
        if not isinstance(node, t.Concat | t.FlatMap | t.Choice):
            return self._most_of(node, slots)
        known = self._known.get((id(node), id(slots)))
        if known is None:
            known = self._known[id(node), id(slots)] = node, slots, self._most_of(node, slots)
        return known[2]

    def _most_of(self, node: List, slots: Sequence[Slot]) -> int:
        match node:
            case t.Items(values):
                return len(values)
            case t.LocalList(slot):
                return slots[slot].capacity
            case t.CellList(address):
                return self._cells(address)
            case t.Cards(zone):
                return self._zone(zone)
            case t.TableList(number, _):
                return max(map(len, self._program.lists[number]), default=0)
            case t.FlatMap(items, _, body):
                return self.most(items, slots) * self.most(body, slots)
            case t.Concat(left, right):
                return self.most(left, slots) + self.most(right, slots)
            case t.Take(items, Const(count), _):
                return min(max(count, 0), self.most(items, slots))
            case t.Choice(_, then, otherwise):
                return max(self.most(then, slots), self.most(otherwise, slots))
            case t.CallList(function, _):
                return self.function(function)
            case Looked(_, lists, other):
                return max(len(members) for members in (other, *(members for _, members in lists)))
            case t.Answer():
                return self._program.layout.options
            case _:
                return self.most(node.items, slots)  # type: ignore[attr-defined]  # all others are made of one list

    def function(self, number: int) -> int:
        """Return the maximum length of a function's result."""
        if number not in self._given:
            self._given[number] = 0
            function = self._program.functions[number]
            given = (part.value for part in everything(function.body) if isinstance(part, t.Give))
            lists = [self.most(value, function.slots) for value in given if isinstance(value, List)]
            self._given[number] = max(lists, default=0)
        return self._given[number]

    def _cells(self, address: Expr) -> int:
        """Return the capacity of the list cells at an address: exact for a constant, else the largest."""
        if isinstance(address, Const):
            for info in self._program.state_lists:
                if info.address <= address.value < info.address + info.count * (info.capacity + 1):
                    return info.capacity
        return self._most

    def _zone(self, zone: Expr) -> int:
        zones = self._program.zones
        if isinstance(zone, Const):
            return zones[zone.value].capacity
        return max((one.capacity for one in zones), default=0)
