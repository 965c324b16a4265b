"""Evaluate expressions of a suspended game as far as one seat can see.

The evaluation stops before it reads anything that the seat does not see, so that a result never depends on a
secret: two states that are equal for the seat give equal results.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.interpreter.backends.walker.expressions import Scope
from rulewright.interpreter.backends.walker.expressions import Value as Number
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.state.zone_visibility import cards_seen, size_seen
from rulewright.interpreter.views.secret_slots import secret_slots
from rulewright.interpreter.views.visibility import Sight
from rulewright.ruleset.table import nodes as t


class Hidden(Exception):  # noqa: N818 - no error: the seat may not know
    """The evaluation would read something that the seat does not see."""


class SeatEyes(Statements):
    """An evaluator of expressions as far as one seat can see."""

    def __init__(self, program: t.TableProgram, sight: Sight) -> None:
        super().__init__(program)
        self.sight = sight
        self.secret: set[int] = set()
        self.cells, self.lists = self._readable()

    def _readable(self) -> tuple[set[int], set[int]]:
        cells: set[int] = set()
        for track in self.program.tracks:
            seen = [index for index in range(track.count) if self.sight.in_mask(track.seen[index])]
            for start in (track.address, track.arrival):
                cells.update(start + index for index in seen if start >= 0)
        lists = {
            info.address + number * (info.capacity + 1)
            for info in self.program.state_lists
            if not info.key.startswith(t.SEALED)
            for number in range(info.count)
        }
        return cells, lists

    def call(self, function: int, arguments: Sequence[Number], outer: Scope) -> Number | None:
        """Call a function, which has slots of its own."""
        secret, self.secret = self.secret, set()
        try:
            return super().call(function, arguments, outer)
        finally:
            self.secret = secret

    def number(self, node: t.Expr, scope: Scope) -> int:
        """See `Values.number`; raises `Hidden`."""
        if isinstance(node, t.Local) and node.slot in self.secret:
            raise Hidden
        if isinstance(node, t.Cell):
            return self._cell(self.number(node.address, scope), scope)
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            zone = self.program.zones[self.number(node.items.zone, scope)]
            if not self.sight.in_mask(size_seen(zone)):
                raise Hidden
            return scope.state[zone.address]
        if isinstance(node, t.Last) and isinstance(node.items, t.Cards):
            return self._top(self.number(node.items.zone, scope))
        return super().number(node, scope)

    def items(self, node: t.List, scope: Scope) -> tuple[int, ...]:
        """See `Values.items`; raises `Hidden`."""
        if isinstance(node, t.LocalList) and node.slot in self.secret:
            raise Hidden
        if isinstance(node, t.Answer):
            raise Hidden
        if isinstance(node, t.CellList):
            address = self.number(node.address, scope)
            if address not in self.lists:
                raise Hidden
            return self._checked(node, super().items(node, scope), address)
        if isinstance(node, t.Cards):
            zone = self.number(node.zone, scope)
            cards = super().items(node, scope)
            if not self.sight.in_mask(cards_seen(self.program.zones[zone])):
                raise Hidden
            return cards
        return super().items(node, scope)

    def _cell(self, address: int, scope: Scope) -> int:
        """Read a track, or the zone of a card. A card that a track points at must be seen by the seat."""
        places = self.program.layout.places
        if places <= address < places + len(self.program.cards):
            if not self.sight.sees(address - places):
                raise Hidden
            return scope.state[address]
        if address not in self.cells:
            raise Hidden
        value = scope.state[address]
        for track in self.program.tracks:
            inside = track.address <= address < track.address + track.count
            if inside and track.of == "card" and value >= 0 and not self.sight.sees(value):
                raise Hidden
        return value

    def _checked(self, node: t.CellList, members: tuple[int, ...], address: int) -> tuple[int, ...]:
        for info in self.program.state_lists:
            inside = info.address <= address < info.address + info.count * (info.capacity + 1)
            if inside and info.of == "card" and not all(self.sight.sees(card) for card in members):
                raise Hidden
        return members

    def _top(self, zone: int) -> int:
        cards = self.sight.cards(zone)
        info = self.program.zones[zone]
        if not cards and self.sight.in_mask(size_seen(info)):
            return -1
        if not cards or not self.sight.sees(cards[-1]):
            raise Hidden
        return cards[-1]

    def asking(self, state: array[int]) -> tuple[t.Ask, Scope]:
        """Return the open question of the seat, and the slots of its frame."""
        program = self.program
        number = state[t.SEGMENT]
        segment = program.segments[number]
        ask = segment.tree.end
        assert isinstance(ask, t.Ask)
        secrets = secret_slots(program).get(number)
        scope = Scope(state, None)
        values: dict[int, Number] = {}
        for slot in segment.live:
            info = program.procedures[segment.procedure].slots[slot]
            address = state[t.FRAME] + info.offset
            values[slot] = tuple(read_list(state, address)) if info.capacity else state[address]
            scope.bind(slot, values[slot])
        for slot, value in values.items():
            cards = (value,) if isinstance(value, int) else value
            seen = program.procedures[segment.procedure].slots[slot].cards and all(
                card < 0 or self.sight.sees(card) for card in cards
            )
            if not seen and not (secrets is not None and secrets.known(slot, self.sight.seat, values)):
                self.secret.add(slot)
        scope.bind(ask.slot, self.sight.seat)
        self.secret.discard(ask.slot)
        return ask, scope
