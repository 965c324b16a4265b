"""Evaluate expressions of a suspended game as far as one seat can see.

The evaluation stops before it reads anything that the seat does not see, so that a result never depends on a
secret: two states that are equal for the seat give equal results.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.expressions import Value as Number
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import BACK, NO_CARD, cards_seen, size_seen
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import slot_values
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.secret_slots import secret_slots
from rulewright.interpreter.views.visibility import SeatSight, value_key
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.reasons import Called, Domain, MenuEntry, ReasonClause, ReasonOperand, Reasons, Test


class Hidden(Exception):  # noqa: N818 - no error: the seat may not know
    """The evaluation would read something that the seat does not see."""


class SeatEyes(Statements):
    """An evaluator of expressions as far as one seat can see."""

    def __init__(self, program: t.TableProgram, sight: SeatSight) -> None:
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

    def call(self, function: int, arguments: Sequence[Number], outer: Environment) -> Number | None:
        """Call a function, which has slots of its own."""
        secret, self.secret = self.secret, set()
        try:
            return super().call(function, arguments, outer)
        finally:
            self.secret = secret

    def number(self, node: t.Expr, scope: Environment) -> int:
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

    def items(self, node: t.List, scope: Environment) -> tuple[int, ...]:
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

    def _cell(self, address: int, scope: Environment) -> int:
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

    def asking(self, state: array[int]) -> tuple[t.Ask, Environment]:
        """Return the open question of the seat, and the slots of its frame."""
        program = self.program
        number = state[t.SEGMENT]
        segment = program.segments[number]
        ask = segment.tree.end
        assert isinstance(ask, t.Ask)
        secrets = secret_slots(program).get(number)
        scope = Environment(state, None)
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


# ---- The values that the texts of an open decision show, as far as its seat may know them

@frozen
class ShownValue:
    """A value of a text: its type as in `Site.of`, and its raw values, or None if it is hidden or has none.

    A card that the seat does not see is BACK, and NO_CARD one that is not there.
    """

    of: str
    values: tuple[int, ...] | None
    many: bool


Shown = Mapping[str, ShownValue]


class ShownValues:
    """The values of one open decision. `question` has those of its text, `option` those of an option's name."""

    def __init__(self, program: t.TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int) -> None:
        self._eyes = SeatEyes(program, SeatSight(program, list(state), knowledge, seat))
        ask, self._scope = self._eyes.asking(array("i", state))
        self._site = program.sites[ask.site]
        self.question: Shown = shown_values(self._eyes, self._site.shows, self._scope)

    def option(self, value: int) -> Shown:
        """Return the values for the name of an option of a menu, given its raw value."""
        if self._site.of != "menu":
            return self.question
        return self.members(*unfold(self._site, value))

    def members(self, branch: int, members: Sequence[int]) -> Shown:
        """Return the values for the name of an option whose first members are these.

        A value that depends on the other members counts as hidden.
        """
        shows, slots = self._site.branches[branch].shows, self._site.branches[branch].slots
        if not shows:
            return {}
        scope = Environment(self._scope.state, None, dict(self._scope.numbers), dict(self._scope.lists))
        for slot, member in zip(slots, members, strict=False):
            scope.bind(slot, member)
        return shown_values(self._eyes, shows, scope)


def shown_values(eyes: SeatEyes, shows: Iterable[t.Shown], scope: Environment) -> Shown:
    """Return the values of a text, evaluated with the eyes of a seat."""
    return {one.name: ShownValue(one.of, _values(eyes, one, scope), isinstance(one.value, t.List)) for one in shows}


def _values(eyes: SeatEyes, one: t.Shown, scope: Environment) -> tuple[int, ...] | None:
    try:
        value = eyes.value(one.value, scope)
    except (Hidden, RuleError, KeyError):
        return None
    values = (value,) if isinstance(value, int) else value
    if one.of == "card":
        return tuple(NO_CARD if card < 0 else card if eyes.sight.sees(card) else BACK for card in values)
    return values


# ---- Explain which options a decision leaves out, as far as the seat may know
#
# `game.seat_eyes` evaluates the conditions on the suspended game. Where it stops because of something that
# the seat does not see, the reason is only that something hidden decides.

MOST = 500
"""Maximum number of members that are examined in one decision."""


@frozen
class ComparedValue:
    """A value that decides: stable names of the value or values, or None if hidden; of a zone, its number.

    `track` is the key of the track that holds it, if it is one of the game or, with an `owner`, of a seat.
    """

    of: str
    values: tuple[str, ...] | None
    many: bool
    track: str = ""
    owner: int = -1


@frozen
class Obstacle:
    """The part of a condition that fails: its comparison (see `program.nodes.Clause`), and what it compares.

    `function` is a function that fails and has a text for this, with the values that the text shows.
    """

    op: str
    compared: tuple[ComparedValue, ...]
    function: str = ""
    shown: Shown = field(factory=dict, eq=False)


@frozen
class LeftOut:
    """Something that is not offered: the menu entry `branch` (-1: no menu) and the stable names of the members.

    `span` is the condition that leaves it out, `obstacle` the part of it that fails. `hidden` means that something
    decides which the seat does not see. Without a `span` there is nothing to choose from, and `members` is empty.
    """

    branch: int
    sorts: tuple[str, ...]
    members: tuple[str, ...]
    span: Span | None
    obstacle: Obstacle | None = None
    hidden: bool = False
    values: tuple[int, ...] = field(default=(), eq=False)
    """The raw values of the members, which number cards that the seat may be unable to tell apart."""
    filtered: bool = field(default=False, eq=False)
    """Whether the condition is a filter of the candidates, and not one on the whole option."""
    shown: Shown = field(factory=dict, eq=False)
    """Values of the pack's text about it, beside those of the question and the option (`ShownValues`)."""


def left_out(reasons: Reasons, state: Sequence[int], knowledge: Knowledge, seat: int) -> tuple[LeftOut, ...]:
    """Return what the open decision of a seat does not offer, without duplicates, in the order of the rules.

    `reasons` must belong to the game's own program.
    """
    return tuple(dict.fromkeys(_Looking(reasons, array("i", state), knowledge, seat).all()))


def performed(
    reasons: Reasons, state: Sequence[int], knowledge: Knowledge, seat: int
) -> dict[int, tuple[tuple[str, str, str], ...]]:
    """Return what each menu entry of a seat performs: the effect, `card` or `definition`, the stable name.

    Effects that the seat may not know are left out.
    """
    return _Looking(reasons, array("i", state), knowledge, seat).performed()


@define
class _Looking:
    """One decision under examination."""

    reasons: Reasons
    state: array[int]
    knowledge: Knowledge
    seat: int
    looked: int = 0
    offered: set[tuple[int, tuple[str, ...]]] = field(factory=set)
    eyes: SeatEyes = field(init=False)
    sight: SeatSight = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sight = SeatSight(self.reasons.table, self.state, self.knowledge, self.seat)
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

    def _way(self, way: MenuEntry, scope: Environment) -> Iterator[LeftOut]:
        """Iterate over what a menu entry leaves out: first by its domains, then by the condition on all of them."""
        for one in self._members(way, 0, scope, (), ()):
            if (one.branch, one.members) not in self.offered:
                yield one

    def _members(
        self, way: MenuEntry, depth: int, scope: Environment, sorts: tuple[str, ...], names: tuple[str, ...]
    ) -> Iterator[LeftOut]:
        if depth == len(way.domains):
            for test in way.tests:
                failed = self._failed(test, scope)
                if failed is not None:
                    values = tuple(scope.numbers[one.slot] for one in way.domains)
                    shown = shown_values(self.eyes, way.shows, scope)
                    yield LeftOut(way.branch, sorts, names, test.span, *failed, values, shown=shown)
                    return
            return
        domain = way.domains[depth]
        try:
            members = self.eyes.items(domain.items, scope)
        except (Hidden, RuleError, KeyError):
            return
        if not members and not names:
            yield LeftOut(way.branch, (), (), None)
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
                    shown = shown_values(self.eyes, way.shows, scope)
                    yield LeftOut(way.branch, of, known, test.span, *failed, values, filtered=True, shown=shown)
                    break
            else:
                yield from self._members(way, depth + 1, scope, (*sorts, domain.of), known)

    def _failed(self, test: Test, scope: Environment) -> tuple[Obstacle | None, bool] | None:
        """Return the part of a condition that fails, and whether something hidden decides; None if it holds."""
        try:
            if self.eyes.number(test.condition, scope):
                return None
            return self._obstacle(test.clauses, scope), False
        except (Hidden, RuleError):
            return None, True

    def _obstacle(self, clauses: Sequence[ReasonClause], scope: Environment) -> Obstacle | None:
        """Return the first part of a condition that fails, if anything is known about it."""
        clause = next((one for one in clauses if not self.eyes.number(one.condition, scope)), None)
        if clause is None:
            return None
        if clause.called is not None:
            return self._inside(clause.called, scope)
        compared = tuple(self._compared(one, scope) for one in clause.operands)
        return Obstacle(clause.op, compared) if compared or clause.op else None

    def _inside(self, called: Called, scope: Environment) -> Obstacle | None:
        """Return why a function does not hold: its own reason, or the part of its result that fails."""
        inner = Environment(scope.state, None)
        for slot, argument in enumerate(called.arguments):
            inner.bind(slot, self.eyes.value(argument, scope))
        secret, self.eyes.secret = self.eyes.secret, set()
        try:
            if called.shows is None:
                return self._obstacle(called.clauses, inner)
            return Obstacle("", (), called.function, shown_values(self.eyes, called.shows, inner))
        finally:
            self.eyes.secret = secret

    def _compared(self, operand: ReasonOperand, scope: Environment) -> ComparedValue:
        many = isinstance(operand.node, t.List)
        try:
            value = self.eyes.value(operand.node, scope)
            owner = self.eyes.number(operand.owner, scope) if operand.owner is not None else -1
        except (Hidden, RuleError):
            return ComparedValue(operand.of, None, many)
        values = (value,) if isinstance(value, int) else value
        named = (str(value) if operand.of == "zone" else self._named(operand.of, value) for value in values)
        return ComparedValue(operand.of, tuple(sorted(named)), many, operand.track, owner)

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
