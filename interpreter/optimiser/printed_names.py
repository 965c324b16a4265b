"""The names of cells, zones and pieces of code in a printed table program (`printing`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, Function, Procedure, TableProgram

_HEAD = {
    t.STATUS: "status",
    t.SEGMENT: "segment",
    t.FRAME: "frame",
    t.FUEL: "fuel",
    t.RESULT: "result",
    t.OPEN: "open",
}
"""Names of the fixed cells that code may read."""


@frozen
class Family:
    """Cells that belong together: `count` entries from an address, each of `stride` cells."""

    name: str
    address: int
    count: int
    stride: int = 1


@frozen
class Found:
    """The place of an address in a family: a constant and other terms; `plain` if it is the only entry."""

    family: Family
    offset: int
    terms: tuple[Expr, ...]

    @property
    def plain(self) -> bool:
        return self.family.count == 1 and not self.terms and not self.offset


class Names:
    """The names in one program."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.families = tuple(_families(program))
        self._functions = _unique(program.functions, "f")
        self._procedures = _unique(program.procedures, "p")

    def function(self, number: int) -> str:
        """Return the name of a function."""
        return self._functions[number]

    def procedure(self, number: int) -> str:
        """Return the name of a procedure."""
        return self._procedures[number]

    def site(self, number: int) -> str:
        """Return the key of a place that asks."""
        return self.program.sites[number].key

    def head(self, address: Expr) -> str | None:
        """Return the name of a cell of the fixed head."""
        return _HEAD.get(address.value) if isinstance(address, Const) else None

    def find(self, address: Expr) -> Found | None:
        """Return the family of cells in which an address lies, if its constant part lies there."""
        terms = sum_of(address)
        base = sum(one.value for one in terms if isinstance(one, Const))
        for family in self.families:
            if family.address <= base < family.address + family.count * family.stride:
                others = tuple(one for one in terms if not isinstance(one, Const))
                return Found(family, base - family.address, others)
        return None

    def zone(self, number: int) -> str | None:
        """Return the key of a zone."""
        return self.program.zones[number].key if 0 <= number < len(self.program.zones) else None

    def zones_from(self, number: int) -> str | None:
        """Return the name of the zones that are counted from one; None if it is not the first of them."""
        zones = self.program.zones
        if not 0 <= number < len(zones) or (number and zones[number - 1].zone == zones[number].zone):
            return None
        return zones[number].zone


def variable(slot: int) -> str:
    """Return the name of a slot that holds an integer."""
    return f"v{slot}"


def sum_of(node: Expr) -> tuple[Expr, ...]:
    """Return the terms of a sum."""
    if isinstance(node, t.Binary) and node.op == "+":
        return *sum_of(node.left), *sum_of(node.right)
    return (node,)


def _families(program: TableProgram) -> Iterator[Family]:
    for track in program.tracks:
        yield Family(track.key, track.address, track.count)
        if track.arrival >= 0:
            yield Family(f"arrivals of {track.key}", track.arrival - 1, 1)
            yield Family(f"arrival of {track.key}", track.arrival, track.count)
    for info in program.state_lists:
        yield Family(info.key, info.address, info.count, info.capacity + 1)
    yield Family("place", program.layout.places, len(program.cards))


def _unique(units: Sequence[Function | Procedure], letter: str) -> list[str]:
    """Return the names of functions or of procedures; equal ones get their number."""
    often = Counter(unit.name for unit in units)
    return [
        unit.name if unit.name and often[unit.name] == 1 else f"{unit.name}#{letter}{number}"
        for number, unit in enumerate(units)
    ]
