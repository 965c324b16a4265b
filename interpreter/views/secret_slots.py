"""Slots of frames whose values some seat may not know: a static analysis of a table program.

A slot is secret if any value ever put into it is computed from a hidden zone, a hidden track, a chosen card, a
sealed answer or chance, through calls and loops, until a fixed point. It errs on the side of secrecy. Actions that
rules take *because of* a secret are not followed: everybody sees those actions anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.state.memo import once
from interpreter.state.zone_visibility import cards_seen, size_seen
from interpreter.views.visibility import SEALED
from ruleset.table import nodes as t

Slot = tuple[int, int]
"""A procedure and one of its slots."""


@once
def secret_slots(program: t.TableProgram) -> frozenset[Slot]:
    """Return the slots that can hold secrets."""
    return _Analysis(program).run()


class _Analysis:
    def __init__(self, program: t.TableProgram) -> None:
        self.program = program
        self.everyone = (1 << program.seats) - 1
        self.secret: set[Slot] = set()
        self.result = False
        self.open_cells = self._open_cells()
        self.open_lists = self._open_lists()
        self.functions: dict[int, bool] = {}
        self.segment = 0
        self.asked: dict[int, list[t.Ask]] = {}
        """The questions whose answers a segment reads."""
        for segment in program.segments:
            if isinstance(segment.tree.end, t.Ask):
                self.asked.setdefault(segment.tree.end.resume, []).append(segment.tree.end)

    def run(self) -> frozenset[Slot]:
        before = (-1, False)
        while before != (len(self.secret), self.result):
            before = (len(self.secret), self.result)
            for number, segment in enumerate(self.program.segments):
                self.segment = number
                self._tree(segment.procedure, segment.tree)
        return frozenset(self.secret)

    def _open_cells(self) -> set[int]:
        """Return the addresses of values that everybody sees."""
        found: set[int] = set()
        for track in self.program.tracks:
            if all(mask == self.everyone for mask in track.seen):
                found.update(range(track.address, track.address + track.count))
                if track.arrival >= 0:
                    found.update(range(track.arrival, track.arrival + track.count))
        return found

    def _open_lists(self) -> set[int]:
        found: set[int] = set()
        for info in self.program.state_lists:
            if not info.key.startswith(SEALED):
                found.update(info.address + n * (info.capacity + 1) for n in range(info.count))
        return found

    # -------------------------------------------------------------- code

    def _tree(self, procedure: int, tree: t.Tree) -> None:
        for statement in tree.body:
            self._statement(procedure, statement)
        end = tree.end
        if isinstance(end, t.Branch):
            self._tree(procedure, end.then)
            self._tree(procedure, end.otherwise)
        elif isinstance(end, t.Invoke):
            self._call(procedure, (end.procedure,), end.arguments)
        elif isinstance(end, t.InvokeTable):
            called = tuple(number for number in self.program.tables[end.table] if number >= 0)
            self._call(procedure, called, end.arguments)
        elif isinstance(end, t.Return) and end.value is not None:
            self.result = self.result or self._secret(procedure, end.value)

    def _call(self, procedure: int, called: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
        """Pass arguments on. A secret choice of the procedure is an action, and does not change their values."""
        for slot, argument in enumerate(arguments):
            if self._secret(procedure, argument):
                self.secret.update((number, slot) for number in called)

    def _statement(self, procedure: int, node: t.Stmt) -> None:
        if isinstance(node, t.SetLocal):
            self._mark(procedure, node.slot, node.value)
        elif isinstance(node, t.SetList | t.ForEach):
            self._mark(procedure, node.slot, node.items)
        elif isinstance(node, t.Drawing | t.Random) and node.slot is not None:
            self.secret.add((procedure, node.slot))
        for inner in _inside(node):
            if isinstance(inner, t.Stmt):
                self._statement(procedure, inner)

    def _mark(self, procedure: int, slot: int, value: Any) -> None:
        if self._secret(procedure, value):
            self.secret.add((procedure, slot))

    # -------------------------------------------------------------- expressions

    def _secret(self, procedure: int, node: Any) -> bool:
        """Return whether a value can depend on something that some seat does not know."""
        if isinstance(node, t.Local | t.LocalList):
            return (procedure, node.slot) in self.secret
        if isinstance(node, t.Cell):
            return not self._open_at(node.address, self.open_cells) or self._secret(procedure, node.address)
        if isinstance(node, t.CellList):
            return not self._open_at(node.address, self.open_lists) or self._secret(procedure, node.address)
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return not self._zones_open(node.items, sizes=True) or self._secret(procedure, node.items.zone)
        if isinstance(node, t.Cards):
            return not self._zones_open(node) or self._secret(procedure, node.zone)
        if isinstance(node, t.Answer):
            return any(self._answered_secretly(procedure, ask) for ask in self.asked.get(self.segment, ()))
        if isinstance(node, t.Call | t.CallList) and self._function(node.function):
            return True
        return any(self._secret(procedure, inner) for inner in _inside(node))

    def _answered_secretly(self, procedure: int, ask: t.Ask) -> bool:
        """Return whether some seat may not read an answer: a sealed one, or one that names hidden cards."""
        site = self.program.sites[ask.site]
        cards = site.of == "card" or any("card" in branch.members for branch in site.branches)
        return site.sealed or site.private or (cards and self._secret(procedure, ask.options))

    def _function(self, number: int) -> bool:
        """Return whether a function itself reads anything secret."""
        if number not in self.functions:
            self.functions[number] = False
            body = self.program.functions[number].body
            self.functions[number] = any(self._secret(-1 - number, inner) for node in body for inner in _all(node))
        return self.functions[number]

    def _open_at(self, address: t.Expr, known: set[int]) -> bool:
        """Return whether cells at an address are open; a computed address counts as its base."""
        if isinstance(address, t.Const) and address.value == t.RESULT:
            return not self.result
        base = address
        while isinstance(base, t.Binary | t.Checked):
            base = base.left
        return isinstance(base, t.Const) and base.value in known

    def _zones_open(self, node: t.Cards, sizes: bool = False) -> bool:
        zones = self.program.zones
        base = node.zone
        if isinstance(base, t.Const):
            among = [zones[base.value]]
        elif isinstance(base, t.Binary) and isinstance(base.left, t.Const):
            name = zones[base.left.value].zone
            among = [zone for zone in zones if zone.zone == name]
        else:
            among = list(zones)
        return all(self.everyone == (size_seen(zone) if sizes else cards_seen(zone)) for zone in among)


def _inside(node: Any) -> Iterator[Any]:
    """Iterate over the direct children of a node."""
    for attribute in attrs.fields(type(node)):
        value = getattr(node, attribute.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, t.Node):
                yield item


def _all(node: Any) -> Iterator[Any]:
    yield node
    for inner in _inside(node):
        yield from _all(inner)
