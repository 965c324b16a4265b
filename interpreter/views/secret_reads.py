"""Which seats know what an expression reads: the part of `views.secret_slots` about expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from rulewright.interpreter.analysis.control_regions import RESULT_SLOT, cells_slot
from rulewright.interpreter.analysis.nodes import assigned_slots
from rulewright.interpreter.state.zone_visibility import cards_seen, size_seen
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.traversal import children, everything

Secret: TypeAlias = tuple[int, int]
"""The mask of the seats that know something, and the slot of the frame whose seat knows it, too (-1: none)."""

Secrets: TypeAlias = frozenset[Secret]
"""All that a value was computed from and that some seat does not know; empty if all seats know the value."""

OPEN: Secrets = frozenset()
UNKNOWN: Secrets = frozenset({(0, -1)})
_POINTER = -3
"""With all seats as its mask: all know which card is meant, but some may not know its face."""
_ANSWERING = -2
"""Stands for the seat that is asked while the secrets of its options are looked at."""


class Slots(Protocol):
    """What is known about the slots of a frame at one place."""

    of: dict[int, Secrets]

    def root(self, slot: int) -> int: ...


class Reads:
    """The secrets of expressions of one program. `asked` are the questions whose answers a segment reads."""

    def __init__(self, program: t.TableProgram, asked: Mapping[int, Sequence[t.Ask]]) -> None:
        self.program = program
        self.asked = asked
        self.everyone = (1 << program.seats) - 1
        self.pointer: Secrets = frozenset({(self.everyone, _POINTER)})
        self.functions: dict[int, Secrets] = {}
        self.results = {
            info.address for info in program.state_lists if info.key.startswith(t.RESULT_LISTS) and info.count == 1
        }
        self.starts = _zone_starts(program)

    def secrets(self, node: object, slots: Slots, segment: int, bound: frozenset[int] = frozenset()) -> Secrets:
        """Return the secrets of an expression or list; `bound` are the slots that it binds itself."""
        if isinstance(node, t.Local | t.LocalList):
            return OPEN if node.slot in bound else slots.of.get(node.slot, OPEN)
        own = self._own(node, lambda slot: -1 if slot in bound else slots.root(slot))
        if isinstance(node, t.Cell | t.CellList) and (slot := self.result_slot(node.address)) is not None:
            own = slots.of.get(slot, OPEN)
        elif isinstance(node, t.Answer):
            own = self._answered(node, slots, segment, bound)
        elif isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return own | self.secrets(node.items.zone, slots, segment, bound)
        own_slot = _bound(node)
        inside = bound | {own_slot} if own_slot is not None else bound
        found = own.union(*(self.secrets(one, slots, segment, inside) for one in children(node)))
        return (found - self.pointer) | UNKNOWN if isinstance(node, t.Table) and self.pointer <= found else found

    def result_slot(self, address: t.Expr) -> int | None:
        """Return what stands among slots for the cells at an address if they hold the result of a call."""
        if not isinstance(address, t.Const):
            return None
        if address.value == t.RESULT:
            return RESULT_SLOT
        return cells_slot(address.value) if address.value in self.results else None

    def passed(self, inner: Secrets, arguments: Sequence[t.Expr | t.List], owner: Callable[[int], int]) -> Secrets:
        """Translate the secrets of a called function or procedure, whose first slots are its parameters."""
        roots = {place: owner(one.slot) for place, one in enumerate(arguments) if isinstance(one, t.Local)}
        return frozenset((mask, roots.get(slot, -1)) for mask, slot in inner)

    def _own(self, node: object, owner: Callable[[int], int]) -> Secrets:
        """Return the secrets that a node reads itself. `owner` gives a name to the slot of an index, or -1."""
        if isinstance(node, t.Cell):
            return self._cell(node.address, owner)
        if isinstance(node, t.CellList):
            return self._list(node.address)
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return self._zone(node.items.zone, size_seen, owner)
        if isinstance(node, t.Cards):
            return self._zone(node.zone, cards_seen, owner)
        if isinstance(node, t.Call | t.CallList):
            return self.passed(self._function(node.function), node.arguments, owner)
        return OPEN

    def _function(self, number: int) -> Secrets:
        """Return everything that a function reads. Only parameters that it never changes can name a seat."""
        if number not in self.functions:
            self.functions[number] = OPEN
            function = self.program.functions[number]
            nodes = list(everything(function.body))
            bound = {slot for node in nodes if (slot := _bound(node)) is not None} | assigned_slots(function.body)

            def owner(slot: int) -> int:
                return slot if slot < function.parameters and slot not in bound else -1

            counted = {id(node.items) for node in nodes if isinstance(node, t.Count)}
            self.functions[number] = OPEN.union(
                *(self._own(one, owner) for one in nodes if not (isinstance(one, t.Cards) and id(one) in counted))
            )
        return self.functions[number]

    def _answered(self, node: t.Answer, slots: Slots, segment: int, bound: frozenset[int]) -> Secrets:
        """Return the secrets of an answer: of a sealed one, or one that names cards which some seats do not see."""
        asks = self.asked.get(segment, ())
        if not asks:
            return UNKNOWN
        seat = node.seat.slot if isinstance(node.seat, t.Local) and node.seat.slot not in bound else None
        who = -1 if seat is None else slots.root(seat)
        found: set[Secret] = set()
        for ask in asks:
            site = self.program.sites[ask.site]
            if site.sealed or site.private:
                found.add((0, who))
            if site.of == "card" or any("card" in branch.members for branch in site.branches):
                options = self.secrets(ask.options, _Asking(slots, ask.slot), segment)
                found |= {(mask, who if slot == _ANSWERING else slot) for mask, slot in options}
        return frozenset(found)

    # -------------------------------------------------------------- what seats see

    def _cell(self, address: t.Expr, owner: Callable[[int], int]) -> Secrets:
        base, terms = _terms(address)
        for track in self.program.tracks:
            for start in (track.address, track.arrival):
                if start >= 0 and base is not None and start <= base < start + track.count:
                    pointer = track.of == "card" and start == track.address
                    own = self.pointer if pointer and not self._all_open() else OPEN
                    return own | self._masked(track.seen, base - start, terms, owner)
        return UNKNOWN

    def _list(self, address: t.Expr) -> Secrets:
        base, _ = _terms(address)
        for info in self.program.state_lists:
            if base is not None and info.address <= base < info.address + info.count * (info.capacity + 1):
                if info.key.startswith(t.SEALED):
                    return UNKNOWN
                return self.pointer if info.of == "card" and not self._all_open() else OPEN
        return UNKNOWN

    def _all_open(self) -> bool:
        return all(cards_seen(zone) == self.everyone for zone in self.program.zones)

    def _zone(self, zone: t.Expr, seen: Callable[[t.ZoneInfo], int], owner: Callable[[int], int]) -> Secrets:
        zones = self.program.zones
        base, terms = _terms(zone)
        if base is None or not 0 <= base < len(zones):
            return self._masked([seen(one) for one in zones], 0, (), owner) if terms or base is None else UNKNOWN
        if not terms:
            return self._masked([seen(zones[base])], 0, (), owner)
        start = self.starts[base]
        among = [seen(one) for one in zones[start:] if one.zone == zones[start].zone]
        return self._masked(among, base - start, terms, owner)

    def _masked(
        self, masks: Sequence[int], offset: int, terms: Sequence[tuple[int, t.Expr]], owner: Callable[[int], int]
    ) -> Secrets:
        """Return the secret of one of several cells or zones, indexed by players first, that these masks see."""
        if not terms and len(masks) > 1:
            mask = masks[offset]
            return OPEN if mask == self.everyone else frozenset({(mask, -1)})
        mask = self.everyone
        for one in masks:
            mask &= one
        if mask == self.everyone:
            return OPEN
        stride, rest = divmod(len(masks), self.program.seats)
        players = [one for factor, one in terms if factor == stride]
        fits = not rest and len(players) == 1 and offset < max(stride, 1)
        fits = fits and all(0 < factor <= stride for factor, _ in terms)
        fits = fits and all(masks[at] >> at // stride & 1 for at in range(len(masks)))
        player = players[0] if fits else None
        return frozenset({(mask, owner(player.slot) if isinstance(player, t.Local) else -1)})


class _Asking:
    """The slots of a frame while a seat is asked: one of them is that seat."""

    def __init__(self, slots: Slots, asked: int) -> None:
        self.of = {**slots.of, asked: OPEN}
        self._slots, self._asked = slots, asked

    def root(self, slot: int) -> int:
        return _ANSWERING if slot == self._asked else self._slots.root(slot)


def _zone_starts(program: t.TableProgram) -> list[int]:
    """Return the number of the first zone of the same name, for each zone."""
    first: dict[str, int] = {}
    return [first.setdefault(zone.zone, number) for number, zone in enumerate(program.zones)]


def _bound(node: object) -> int | None:
    """Return the slot that an expression binds for its own parts."""
    return None if isinstance(node, t.Local | t.LocalList) else getattr(node, "slot", None)


def _terms(address: t.Expr) -> tuple[int | None, tuple[tuple[int, t.Expr], ...]]:
    """Split an address into a constant (None: it has none) and terms with their constant factors."""
    base: int | None = None
    terms: list[tuple[int, t.Expr]] = []
    waiting: list[tuple[int, t.Expr]] = [(1, address)]
    while waiting:
        factor, node = waiting.pop()
        if isinstance(node, t.Const):
            base = (base or 0) + factor * node.value
        elif isinstance(node, t.Binary | t.Checked) and node.op == "+":
            waiting += ((factor, node.left), (factor, node.right))
        elif isinstance(node, t.Binary | t.Checked) and node.op == "*" and isinstance(node.right, t.Const):
            waiting.append((factor * node.right.value, node.left))
        else:
            terms.append((factor, node))
    return base, tuple(terms)
