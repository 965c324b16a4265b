"""Explain which options a decision leaves out, as far as the seat may know.

`game.seat_eyes` evaluates the conditions on the suspended game. Where it stops because of something that the seat
does not see, the reason is only that something hidden decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from interpreter.backends.walker.expressions import Scope
from interpreter.game.seat_eyes import Hidden, SeatEyes
from interpreter.state.rule_errors import RuleError
from interpreter.views.decision import slot_values
from interpreter.views.knowledge import Knowledge
from interpreter.views.options import unfold
from interpreter.views.visibility import Sight, value_key
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
    values: tuple[int, ...] = field(default=(), eq=False)
    """The raw values of the members, which number cards that the seat may be unable to tell apart."""
    filtered: bool = field(default=False, eq=False)
    """Whether the condition is a filter of the candidates, and not one on the whole option."""


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


@define
class _Looking:
    """One decision under examination."""

    reasons: Reasons
    state: list[int]
    knowledge: Knowledge
    seat: int
    looked: int = 0
    offered: set[tuple[int, tuple[str, ...]]] = field(factory=set)
    eyes: SeatEyes = field(init=False)
    sight: Sight = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sight = Sight(self.reasons.table, self.state, self.knowledge, self.seat)
        self.eyes = SeatEyes(self.reasons.table, self.sight)

    def all(self) -> Iterator[LeftOut]:
        program = self.reasons.table
        ask, scope = self.eyes.asking(self.state)
        site = program.sites[ask.site]
        self.offered = {self._offer(site, value) for value in slot_values(program, self.state, self.seat)}
        found = [one for way in self.reasons.sites[ask.site] for one in self._way(way, scope)]
        yield from (one for one in found if not self._elsewhere(one, found))

    def _elsewhere(self, one: LeftOut, found: Sequence[LeftOut]) -> bool:
        """Whether a filter leaves members to another menu entry, which offers them or has a reason of its own."""
        if not one.filtered:
            return False
        more = [(other.branch, other.members) for other in found if not other.filtered]
        return any(
            branch != one.branch and members[: len(one.members)] == one.members
            for branch, members in (*self.offered, *more)
        )

    def performed(self) -> dict[int, tuple[tuple[str, str, str], ...]]:
        """See the function `performed`."""
        ask, scope = self.eyes.asking(self.state)
        found = {}
        for way in self.reasons.sites[ask.site]:
            told = []
            for one in way.performs:
                try:
                    value = self.eyes.number(one.item, scope)
                except (Hidden, RuleError, KeyError):
                    continue
                if value >= 0 and (one.of != "card" or self.sight.sees(value)):
                    told.append((one.field, one.of, self._named(one.of, value)))
            if told:
                found[way.branch] = tuple(dict.fromkeys(told))
        return found

    def _offer(self, site: t.Site, value: int) -> tuple[int, tuple[str, ...]]:
        """Return an option as its menu entry and the names of its members."""
        if site.of != "menu":
            return -1, (self._named(site.of, value),)
        branch, members = unfold(site, value)
        sorts = site.branches[branch].members
        return branch, tuple(self._named(of, member) for of, member in zip(sorts, members, strict=True))

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
                    values = tuple(scope.numbers[one.slot] for one in way.domains)
                    yield LeftOut(way.branch, sorts, names, test.span, *failed, values)
                    return
            return
        domain = way.domains[depth]
        try:
            members = self.eyes.items(domain.items, scope)
        except (Hidden, RuleError, KeyError):
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
                    values = tuple(scope.numbers[one.slot] for one in way.domains[: depth + 1])
                    of = (*sorts, domain.of)
                    yield LeftOut(way.branch, of, known, test.span, *failed, values, filtered=True)
                    break
            else:
                yield from self._members(way, depth + 1, scope, (*sorts, domain.of), known)

    def _failed(self, test: Test, scope: Scope) -> tuple[tuple[Fact, ...], bool] | None:
        """Return the parts of a condition that fails, and whether something hidden decides; None if it holds."""
        try:
            if self.eyes.number(test.condition, scope):
                return None
            hidden = False
        except Hidden:
            hidden = True
        except RuleError:
            return (), True
        return tuple(self._fact(part, scope) for part in test.parts), hidden

    def _fact(self, part: Part, scope: Scope) -> Fact:
        many = isinstance(part.node, t.List)
        try:
            value = self.eyes.value(part.node, scope)
        except (Hidden, RuleError):
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
