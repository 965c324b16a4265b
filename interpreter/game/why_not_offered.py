"""Explanations of what an open decision leaves out, and by which condition, as far as its seat may know.

A walker evaluates the conditions on the suspended game with the sight of the seat. It stops before it reads
anything that the seat does not see, so that a reason never depends on a secret: two states that are equal for the
seat give equal reasons. The reason is then only that something hidden decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from interpreter.backends.walker.expressions import Scope
from interpreter.backends.walker.expressions import Value as Number
from interpreter.backends.walker.statements import Statements
from interpreter.state.frames import read_list
from interpreter.state.rule_errors import RuleError
from interpreter.state.zone_visibility import cards_seen, size_seen
from interpreter.views.decision import slot_values
from interpreter.views.knowledge import Knowledge
from interpreter.views.options import unfold
from interpreter.views.secret_slots import secret_slots
from interpreter.views.visibility import SEALED, Sight, value_key
from ruleset.common.span import Span
from ruleset.table import nodes as t
from ruleset.table.reasons import Domain, Part, Reasons, Test, Way

MOST = 500
"""Maximum number of members that are examined in one decision."""


@frozen
class Fact:
    """A part of a condition: stable names of its value or values, or None if hidden."""

    span: Span
    of: str
    values: tuple[str, ...] | None
    many: bool


@frozen
class LeftOut:
    """Something that is not offered: the menu entry `branch` (-1: no menu) and the stable names of the members.

    `span` is the condition that leaves it out, `facts` its parts. `hidden` means that something decides which the
    seat does not see. Without a `span` there is nothing to choose from, and `members` is empty.
    """

    branch: int
    sorts: tuple[str, ...]
    members: tuple[str, ...]
    span: Span | None
    facts: tuple[Fact, ...]
    hidden: bool


def left_out(reasons: Reasons, state: Sequence[int], knowledge: Knowledge, seat: int) -> tuple[LeftOut, ...]:
    """Return what the open decision of a seat does not offer, without duplicates, in the order of the rules.

    `reasons` must belong to the game's own program.
    """
    return tuple(dict.fromkeys(_Looking(reasons, list(state), knowledge, seat).all()))


def performed(
    reasons: Reasons, state: Sequence[int], knowledge: Knowledge, seat: int
) -> dict[int, tuple[tuple[str, str, str], ...]]:
    """Return what each menu entry of a seat performs: the effect, `card` or `definition`, the stable name.

    Effects that the seat may not know are left out.
    """
    return _Looking(reasons, list(state), knowledge, seat).performed()


class _Hidden(Exception):  # noqa: N818 - no error: the seat may not know
    """The evaluation would read something that the seat does not see."""


class _Eyes(Statements):
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
            if not info.key.startswith(SEALED)
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
        """See `Values.number`; raises `_Hidden`."""
        if isinstance(node, t.Local) and node.slot in self.secret:
            raise _Hidden
        if isinstance(node, t.Cell):
            return self._cell(self.number(node.address, scope), scope)
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            zone = self.program.zones[self.number(node.items.zone, scope)]
            if not self.sight.in_mask(size_seen(zone)):
                raise _Hidden
            return scope.state[zone.address]
        if isinstance(node, t.Last) and isinstance(node.items, t.Cards):
            return self._top(self.number(node.items.zone, scope))
        return super().number(node, scope)

    def items(self, node: t.List, scope: Scope) -> tuple[int, ...]:
        """See `Values.items`; raises `_Hidden`."""
        if isinstance(node, t.LocalList) and node.slot in self.secret:
            raise _Hidden
        if isinstance(node, t.Answer):
            raise _Hidden
        if isinstance(node, t.CellList):
            address = self.number(node.address, scope)
            if address not in self.lists:
                raise _Hidden
            return self._checked(node, super().items(node, scope), address)
        if isinstance(node, t.Cards):
            zone = self.number(node.zone, scope)
            cards = super().items(node, scope)
            if not self.sight.in_mask(cards_seen(self.program.zones[zone])):
                raise _Hidden
            return cards
        return super().items(node, scope)

    def _cell(self, address: int, scope: Scope) -> int:
        """Read a track, or the zone of a card. A card that a track points at must be seen by the seat."""
        places = self.program.layout.places
        if places <= address < places + len(self.program.cards):
            if not self.sight.sees(address - places):
                raise _Hidden
            return scope.state[address]
        if address not in self.cells:
            raise _Hidden
        value = scope.state[address]
        for track in self.program.tracks:
            inside = track.address <= address < track.address + track.count
            if inside and track.of == "card" and value >= 0 and not self.sight.sees(value):
                raise _Hidden
        return value

    def _checked(self, node: t.CellList, members: tuple[int, ...], address: int) -> tuple[int, ...]:
        for info in self.program.state_lists:
            inside = info.address <= address < info.address + info.count * (info.capacity + 1)
            if inside and info.of == "card" and not all(self.sight.sees(card) for card in members):
                raise _Hidden
        return members

    def _top(self, zone: int) -> int:
        cards = self.sight.cards(zone)
        info = self.program.zones[zone]
        if not cards and self.sight.in_mask(size_seen(info)):
            return -1
        if not cards or not self.sight.sees(cards[-1]):
            raise _Hidden
        return cards[-1]


@define
class _Looking:
    """One decision under examination."""

    reasons: Reasons
    state: list[int]
    knowledge: Knowledge
    seat: int
    looked: int = 0
    offered: set[tuple[int, tuple[str, ...]]] = field(factory=set)
    eyes: _Eyes = field(init=False)
    sight: Sight = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sight = Sight(self.reasons.table, self.state, self.knowledge, self.seat)
        self.eyes = _Eyes(self.reasons.table, self.sight)

    def all(self) -> Iterator[LeftOut]:
        program = self.reasons.table
        ask, scope = self._asked()
        site = program.sites[ask.site]
        self.offered = {self._offer(site, value) for value in slot_values(program, self.state, self.seat)}
        for way in self.reasons.sites[ask.site]:
            yield from self._way(way, scope)

    def performed(self) -> dict[int, tuple[tuple[str, str, str], ...]]:
        """See the function `performed`."""
        ask, scope = self._asked()
        found = {}
        for way in self.reasons.sites[ask.site]:
            told = []
            for one in way.performs:
                try:
                    value = self.eyes.number(one.item, scope)
                except (_Hidden, RuleError, KeyError):
                    continue
                if value >= 0 and (one.of != "card" or self.sight.sees(value)):
                    told.append((one.field, one.of, self._named(one.of, value)))
            if told:
                found[way.branch] = tuple(dict.fromkeys(told))
        return found

    def _asked(self) -> tuple[t.Ask, Scope]:
        """Return the open question, and the slots of its frame."""
        number = self.state[t.SEGMENT]
        ask = self.reasons.table.segments[number].tree.end
        assert isinstance(ask, t.Ask)
        scope = self._scope(number)
        scope.bind(ask.slot, self.seat)
        self.eyes.secret.discard(ask.slot)
        return ask, scope

    def _offer(self, site: t.Site, value: int) -> tuple[int, tuple[str, ...]]:
        """Return an option as its menu entry and the names of its members."""
        if site.of != "menu":
            return -1, (self._named(site.of, value),)
        branch, members = unfold(site, value)
        sorts = site.branches[branch].members
        return branch, tuple(self._named(of, member) for of, member in zip(sorts, members, strict=True))

    def _scope(self, number: int) -> Scope:
        """Return the slots of the frame that asks, and mark those that the seat may not know as secret."""
        program = self.reasons.table
        segment = program.segments[number]
        secret = secret_slots(program)
        scope = Scope(self.state, None)
        for slot in segment.live:
            info = program.procedures[segment.procedure].slots[slot]
            address = self.state[t.FRAME] + info.offset
            value: Number = tuple(read_list(self.state, address)) if info.capacity else self.state[address]
            scope.bind(slot, value)
            cards = (value,) if isinstance(value, int) else value
            seen = info.cards and all(card < 0 or self.sight.sees(card) for card in cards)
            if (segment.procedure, slot) in secret and not seen:
                self.eyes.secret.add(slot)
        return scope

    def _way(self, way: Way, scope: Scope) -> Iterator[LeftOut]:
        """Iterate over what a menu entry leaves out: first by its domains, then by the condition on all of them."""
        for one in self._members(way, 0, scope, (), ()):
            if (one.branch, one.members) not in self.offered:
                yield one

    def _members(
        self, way: Way, depth: int, scope: Scope, sorts: tuple[str, ...], names: tuple[str, ...]
    ) -> Iterator[LeftOut]:
        if depth == len(way.domains):
            for test in way.tests:
                failed = self._failed(test, scope)
                if failed is not None:
                    yield LeftOut(way.branch, sorts, names, test.span, *failed)
                    return
            return
        domain = way.domains[depth]
        try:
            members = self.eyes.items(domain.items, scope)
        except (_Hidden, RuleError, KeyError):
            return
        if not members and not names:
            yield LeftOut(way.branch, (), (), None, (), False)
        for name, member in sorted((self._name(domain, member), member) for member in dict.fromkeys(members)):
            self.looked += 1
            if self.looked > MOST:
                return
            scope.bind(domain.slot, member)
            known = (*names, name)
            for test in domain.tests:
                scope.bind(test.slot, member)
                failed = self._failed(test, scope)
                if failed is not None:
                    yield LeftOut(way.branch, (*sorts, domain.of), known, test.span, *failed)
                    break
            else:
                yield from self._members(way, depth + 1, scope, (*sorts, domain.of), known)

    def _failed(self, test: Test, scope: Scope) -> tuple[tuple[Fact, ...], bool] | None:
        """Return the parts of a condition that fails, and whether something hidden decides; None if it holds."""
        try:
            if self.eyes.number(test.condition, scope):
                return None
            hidden = False
        except _Hidden:
            hidden = True
        except RuleError:
            return (), True
        return tuple(self._fact(part, scope) for part in test.parts), hidden

    def _fact(self, part: Part, scope: Scope) -> Fact:
        many = isinstance(part.node, t.List)
        try:
            value = self.eyes.value(part.node, scope)
        except (_Hidden, RuleError):
            return Fact(part.span, part.of, None, many)
        values = (value,) if isinstance(value, int) else value
        return Fact(part.span, part.of, tuple(sorted(self._named(part.of, one) for one in values)), many)

    def _name(self, domain: Domain, member: int) -> str:
        return self._named(domain.of, member)

    def _named(self, of: str, value: int) -> str:
        """Return a stable name: of a card its key, with its place if it is in an ordered zone."""
        if of != "card" or value < 0:
            return value_key(self.reasons.table, of, value)
        name = self.sight.reference(value)
        zone = self.sight.zone_of(value)
        ordered = zone >= 0 and self.reasons.table.zones[zone].order != "bag"
        return name if ordered else name.split("@")[0]
