"""What code reads and writes, and whether two pieces of code can be exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.traversal import everything, rebuild, substitute
from rulewright.ruleset.table import nodes as t

# ---- What a node reads itself, without its children: zones, tracks, lists, and `players`

PLAYERS = "players"
"""The list of the players still in the game; no pack can declare this name."""


def read_by(node: Any) -> Iterator[str]:
    """Yield the name that a node reads, if any."""
    if isinstance(node, p.TrackAt | p.ArrivalAt):
        yield node.track
    elif isinstance(node, p.ListAt):
        yield node.list
    elif isinstance(node, p.ZoneAt):
        yield node.zone
    elif isinstance(node, p.Living):
        yield PLAYERS


# ---- Decide whether two conditions exclude each other
#
# Sound but incomplete: a condition is decomposed into comparisons of a value with a constant or another
# value. Two conditions exclude each other if every way to satisfy one contradicts every way to satisfy the
# other.

MOST_WAYS = 16
"""Limit of ways to satisfy a condition; a condition with more excludes no other."""

_UNKNOWN = (p.Invocation, p.InvocationList, p.Worth, p.PlaceOf)
"""Parts of values that may read anything. All others change only if a statement writes what they name."""
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FLIPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ORDERS = {"==": {0}, "!=": {-1, 1}, "<": {-1}, ">": {1}, "<=": {-1, 0}, ">=": {0, 1}}
"""The orders of the two sides that satisfy a comparison: less (-1), equal (0), greater (1)."""


@frozen(repr=False)
class KnownComparison(Record):
    """A comparison that holds. `right` is a constant or another value."""

    left: t.Expr
    op: str
    right: t.Expr


Way = tuple[KnownComparison, ...]
"""Facts that hold together."""


Reached = tuple[t.Expr | None, t.Stmt]


def under_conditions(code: tuple[t.Stmt, ...], under: t.Expr | None = None) -> Iterator[Reached]:
    """Yield the statements of a piece of code with the conditions under which they are reached."""
    for statement in code:
        if isinstance(statement, t.If):
            yield from under_conditions(statement.then, _both(under, statement.condition))
            yield from under_conditions(statement.otherwise, _both(under, t.Not(statement.condition)))
        elif isinstance(statement, p.Block):
            yield from under_conditions(statement.body, under)
        else:
            yield under, statement


def _both(one: t.Expr | None, other: t.Expr) -> t.Expr:
    return other if one is None else t.And(one, other)


def exclusive(one: t.Expr | None, other: t.Expr | None, changed: frozenset[str]) -> bool:
    """Whether two conditions never both hold if only `changed` changes between them.

    `changed` contains tracks, lists, zones, and `players` (`ruleset.program.order`).
    """
    if one is None or other is None:
        return False
    first, second = ways(one, True), ways(other, True)
    if first is None or second is None:
        return False
    return all(contradict(lasting(a + b, changed)) for a, b in product(first, second))


def never(condition: t.Expr) -> bool:
    """Whether a condition certainly never holds."""
    if isinstance(condition, t.Const):
        return not condition.value
    if isinstance(condition, t.Not) and isinstance(condition.operand, t.Const):
        return bool(condition.operand.value)
    return exclusive(condition, condition, frozenset())


def ways(condition: t.Expr, holds: bool) -> tuple[Way, ...] | None:
    """Return the ways to satisfy a condition, or its negation; None if there are too many."""
    if isinstance(condition, t.Not):
        return ways(condition.operand, not holds)
    if isinstance(condition, t.And | t.Or):
        left, right = ways(condition.left, holds), ways(condition.right, holds)
        if left is None or right is None:
            return None
        if isinstance(condition, t.And) == holds:
            all_ = tuple(a + b for a, b in product(left, right))
        else:
            all_ = left + right
        return all_ if len(all_) <= MOST_WAYS else None
    fact = _fact(condition, holds)
    return ((fact,) if fact is not None else (),)


def _fact(condition: t.Expr, holds: bool) -> KnownComparison | None:
    """Return the fact of a single comparison; None if one of its parts could read anything."""
    if isinstance(condition, t.Binary) and condition.op in _ORDERS:
        left, op, right = condition.left, str(condition.op), condition.right
    else:
        left, op, right = condition, "!=", t.Const(0)
    if any(isinstance(node, _UNKNOWN) for side in (left, right) for node in everything(side)):
        return None
    left, right = anywhere(left), anywhere(right)
    op = op if holds else _OPPOSITE[op]
    if isinstance(left, t.Const) or (not isinstance(right, t.Const) and repr(right) < repr(left)):
        left, op, right = right, _FLIPPED[op], left
    return KnownComparison(left, op, right)


def lasting(facts: Way, changed: frozenset[str]) -> Way:
    """Return the facts that do not depend on `changed`."""
    return tuple(fact for fact in facts if not reads(fact) & changed)


def reads(fact: KnownComparison) -> set[str]:
    """Return the names that a fact depends on."""
    return {name for side in (fact.left, fact.right) for node in everything(side) for name in read_by(node)}


def anywhere(node: Any) -> Any:
    """Return an expression without its places."""
    node = rebuild(node, anywhere)
    return evolve(node, at=0) if getattr(node, "at", 0) else node


def contradict(facts: Way) -> bool:
    """Whether the facts are contradictory."""
    orders: dict[tuple[t.Expr, t.Expr], set[int]] = {}
    ranges: dict[t.Expr, list[KnownComparison]] = {}
    for fact in facts:
        if isinstance(fact.right, t.Const):
            ranges.setdefault(fact.left, []).append(fact)
        key = (fact.left, fact.right)
        orders[key] = orders.get(key, {-1, 0, 1}) & _ORDERS[fact.op]
    return not all(orders.values()) or any(_empty(about) for about in ranges.values())


def between(facts: Iterable[KnownComparison]) -> tuple[int, int]:
    """Return the least and the greatest number that satisfy comparisons of a value with constants."""
    low, high = LOWEST, HIGHEST
    for fact in facts:
        assert isinstance(fact.right, t.Const)
        value = fact.right.value
        if fact.op in ("==", ">", ">="):
            low = max(low, value + (fact.op == ">"))
        if fact.op in ("==", "<", "<="):
            high = min(high, value - (fact.op == "<"))
    return low, high


def _empty(facts: list[KnownComparison]) -> bool:
    """Whether no integer satisfies all these comparisons with constants."""
    low, high = between(facts)
    left_out = {fact.right.value for fact in facts if fact.op == "!=" and isinstance(fact.right, t.Const)}
    return high - low < len(left_out) + 1 and all(value in left_out for value in range(low, high + 1))


# ---- What code reads and writes, including everything it calls: names of zones, tracks, and lists

_MOVING = (t.Move, t.MoveAll, t.Drawing, t.Shuffle, p.SendCardsHome)
"""Statements that change the zones they name."""


@frozen(repr=False)
class Touched(Record):
    """The names of zones, tracks, and lists (and `players`) that code reads and writes."""

    reads: frozenset[str]
    writes: frozenset[str]
    adds: frozenset[tuple[str, int]] = frozenset()
    """Writes that only increase (1) or decrease (-1) a track, or change it by an unknown amount (0)."""
    takes: bool = False
    """Whether it moves cards out of zones that are not known, such as cards that it was given."""
    leaves: bool = False
    """Whether code after it may be skipped, because it leaves an enclosing block."""

    @property
    def acts(self) -> bool:
        """Whether it changes anything that content declares, or what happens next."""
        return self.leaves or any("/" not in name for name in self.writes)

    def shared(self, other: Touched, wide: frozenset[str] = frozenset()) -> list[str]:
        """Return the names that one writes and the other reads or writes, so that their order matters.

        The order does not matter if both only change a track in the same direction, or in any direction if the
        track is in `wide`, the tracks whose bounds are never reached.
        """
        both = self.writes & (other.reads | other.writes) | other.writes & self.reads
        names = (name for name in both if "/" not in name)  # hidden names of the kernel contain a slash
        return sorted(name for name in names if not self._commutes(other, name, wide))

    def _commutes(self, other: Touched, name: str, wide: frozenset[str]) -> bool:
        if name in self.reads or name in other.reads:
            return False
        signs = {sign for one in (self, other) for track, sign in one.adds if track == name}
        added = all(any(track == name for track, _ in one.adds) for one in (self, other))
        return added and (name in wide or signs in ({1}, {-1}))


def touches(code: Iterable[t.Stmt], effects: Effects) -> Touched:
    """Return what code reads and writes, including everything it calls."""
    reads: set[str] = set()
    writes: set[str] = set()
    adds: set[tuple[str, int]] = set()
    otherwise: set[str] = set()
    """Written by other means than increasing or decreasing a track."""
    counts: set[int] = set()
    leaving: set[int] = set()
    labels: set[int] = set()
    ends = takes = False
    todo: list[tuple[t.Stmt, bool]] = [(statement, True) for statement in code]
    called: set[str] = set()
    refilled = {zone.key: zone for zone in effects.program.zones if zone.refill}
    while todo:
        statement, own = todo.pop()
        for node in everything(statement):
            if isinstance(node, p.ChangeTrack):
                writes.add(node.track)
                adds.add((node.track, sign(node.amount, counts)))
            elif isinstance(node, p.SetVar) and isinstance(node.value, p.TrackAt) and "/" in node.value.track:
                counts.add(node.variable)  # the number of times a hook was awaited or a modifier started
            elif isinstance(node, p.AssignTrack):
                otherwise.add(node.track)
            elif isinstance(node, p.AppendTo | p.RemoveFrom | p.SetStateList):
                otherwise.add(node.list)
            elif isinstance(node, p.Eliminate):
                otherwise.add(PLAYERS)
            elif isinstance(node, _MOVING):
                otherwise.update(one.zone for one in everything(node) if isinstance(one, p.ZoneAt))
                otherwise.update(_refilling(node, refilled))
                takes = takes or _given(node)
            elif isinstance(node, t.Prepare):  # two packs that prepare the same pile do not disturb each other
                reads.update(_refilling(node, refilled))
            elif isinstance(node, p.Leave) and own:
                leaving.add(node.label)
            elif isinstance(node, p.EndGame):
                ends = True
            elif isinstance(node, p.Block):
                labels.add(node.label)
            reads.update(read_by(node))
            for key in effects.calls(node):
                if key not in called:
                    called.add(key)
                    todo.extend((one, False) for one in effects.units[key].body)
    only_added = frozenset(one for one in adds if one[0] not in otherwise)
    leaves = ends or bool(leaving - labels)
    return Touched(frozenset(reads), frozenset(writes | otherwise), only_added, takes, leaves)


def _source(node: t.Stmt) -> t.Expr | None:
    """Return the zone that a statement takes cards from, if it names one."""
    if isinstance(node, t.Drawing | t.MoveAll):
        return node.source
    if isinstance(node, t.Prepare):
        return node.zone
    return node.place if isinstance(node, t.Move | p.SendCardsHome) else None


def _refilling(node: t.Stmt, refilled: Mapping[str, p.Zone]) -> Iterator[str]:
    """Yield the zone from which a statement may refill the zone that it takes cards from."""
    source = _source(node)
    zone = refilled.get(source.zone) if isinstance(source, p.ZoneAt) else None
    if zone is not None and (zone.eager or isinstance(node, t.Drawing | t.Prepare)):
        yield zone.refill


def _given(node: t.Stmt) -> bool:
    """Whether a statement moves cards from wherever they are."""
    if not isinstance(node, t.Move | p.SendCardsHome) or _source(node) not in (None, t.Const(-1)):
        return False
    return not any(isinstance(one, t.Cards) for one in everything(node.cards))


def sign(amount: t.Expr, counts: frozenset[int] | set[int] = frozenset()) -> int:
    """Return 1 if an amount is never negative, -1 if it is never positive, or 0 if unknown.

    `counts` are variables that contain the number of times that something happened.
    """
    if isinstance(amount, t.Const):
        return 1 if amount.value >= 0 else -1
    if isinstance(amount, t.Count) or (isinstance(amount, p.Var) and amount.variable in counts):
        return 1
    if isinstance(amount, t.Binary | t.Checked) and amount.op == "-" and amount.left == t.Const(0):
        return -sign(amount.right, counts)
    if isinstance(amount, t.Binary | t.Checked) and amount.op in ("+", "*"):
        left, right = sign(amount.left, counts), sign(amount.right, counts)
        if amount.op == "*":
            return left * right
        return left if left == right else 0
    return 0


# ---- Decide whether the order of two modifiers of one value, or of expressions around it, matters
#
# The new value is classified into a few forms, such as the result plus a term that does not depend on it. Two
# of the same form commute; about all others nothing is known.

Change = tuple[t.Expr, t.Expr | t.List]
"""The condition under which a modifier is active, and the new value."""


def commute(one: Change, two: Change, result: int) -> bool:
    """Whether two modifiers give the same value in either order; `result` is the variable of the previous value."""
    if any(_depends(condition, result) for condition, _ in (one, two)):
        return False
    if exclusive(one[0], two[0], frozenset()) or bare((one[1],)) == bare((two[1],)):
        return True
    return form(one[1], result) == form(two[1], result) != ""


def form(value: t.Expr | t.List, result: int) -> str:
    """Classify how a value is made from the previous result; empty if unknown."""
    if isinstance(value, p.Var | p.ListVar) and value.variable == result:
        return "the same"
    if isinstance(value, t.Filter) and not _depends(value.condition, result):
        return "where" if form(value.items, result) in ("the same", "where") else ""
    if not isinstance(value, t.Binary | t.Checked | t.Most | t.Least | t.And | t.Or):
        return ""
    left, right = _depends(value.left, result), _depends(value.right, result)
    if left == right:
        return ""
    inside, other = (value.left, value.right) if left else (value.right, value.left)
    deeper = form(inside, result)
    if isinstance(value, t.Most | t.Least):
        word = "least" if isinstance(value, t.Most) else "most"
        if deeper in ("the same", f"at {word}"):
            return f"at {word}"
        stops = sign(_step(inside)) == (-1 if word == "least" else 1) and isinstance(other, t.Const)
        return f"{word} {bare((other,))}" if stops else ""
    if isinstance(value, t.And | t.Or):
        word = "and" if isinstance(value, t.And) else "or"
        return word if deeper in ("the same", word) else ""
    if value.op == "*":
        return "times" if deeper in ("the same", "times") else ""
    if value.op == "+" or (value.op == "-" and left):
        return "plus" if deeper in ("the same", "plus") else ""
    return ""


def _step(value: t.Expr) -> t.Expr:
    """Return the term added to a result; if unknown, an expression of unknown sign."""
    unknown = p.SeatCount()
    if not isinstance(value, t.Binary | t.Checked) or value.op not in ("+", "-"):
        return unknown
    if isinstance(value.left, p.Var):
        return value.right if value.op == "+" else t.Binary("-", t.Const(0), value.right)
    return unknown


def bare(code: tuple[t.Node, ...]) -> str:
    """Return the text of code without its places."""
    return re.sub(r"\bat=\d+", "", repr(code))


def _depends(value: t.Expr | t.List, result: int) -> bool:
    return any(isinstance(node, p.Var | p.ListVar) and node.variable == result for node in everything(value))


# ---- Decide whether two pieces of conditional code ever both take effect, in either order
#
# They do not if their conditions exclude each other and neither makes the condition of the other true. Facts
# after a piece of code are known if it adds a number to a track, or sets it to a number or to a value within
# a range.

Code = tuple[t.Stmt, ...]
_CHANGES = (p.ChangeTrack, p.AssignTrack)


@frozen(repr=False)
class _Conditional(Record):
    """Code under one condition, and what it writes.

    `otherwise` is what it writes by other means than track changes at its top level.
    """

    under: t.Expr
    code: Code
    writes: frozenset[str]
    otherwise: frozenset[str]


def never_both(one: Code, other: Code, effects: Effects) -> bool:
    """Whether only one of two pieces of code at one place has an effect, whichever comes first."""
    first, second = _conditional(one, effects), _conditional(other, effects)
    if first is None or second is None or not exclusive(first.under, second.under, frozenset()):
        return False
    tracks = {track.key: track for track in effects.program.tracks}
    return _keeps_away(first, second, tracks) and _keeps_away(second, first, tracks)


def _conditional(code: Code, effects: Effects) -> _Conditional | None:
    """Return code all of which is under the same condition, or None."""
    reached = list(under_conditions(code))
    under = reached[0][0] if reached else None
    if under is None or any(condition != under for condition, _ in reached):
        return None
    plain = tuple(one for _, statement in reached for one in _copied(statement, effects))
    others = touches((one for one in plain if not isinstance(one, _CHANGES)), effects)
    return _Conditional(under, plain, touches(plain, effects).writes, others.writes)


def _copied(statement: t.Stmt, effects: Effects) -> Code:
    """Return a statement, or the changes of a called verb that only changes tracks and announces them."""
    if not isinstance(statement, p.CallVerb):
        return (statement,)
    body = tuple(one for one in effects.units[statement.verb].body if not isinstance(one, t.Emit))
    if not all(isinstance(one, (*_CHANGES, p.SetVar)) for one in body):
        return (statement,)
    values = dict(enumerate(statement.arguments))
    own = {number: -1 - number for number in range(len(effects.units[statement.verb].variables))}
    return tuple(substitute(one, values, own) for one in body)


def _keeps_away(one: _Conditional, other: _Conditional, tracks: Mapping[str, p.Track]) -> bool:
    """Whether the condition of `other` is false after `one` has happened."""
    before, wanted = ways(one.under, True), ways(other.under, True)
    if before is None or wanted is None:
        return False
    return all(contradict((*_after(way, one, tracks), *needed)) for way, needed in product(before, wanted))


def _after(facts: Way, done: _Conditional, tracks: Mapping[str, p.Track]) -> Way:
    """Return the facts that certainly hold after the code if `facts` held before."""
    changed = sorted(done.writes & tracks.keys())
    moved = (fact for key in changed for fact in _moved(facts, done, tracks[key], tracks))
    return (*lasting(facts, done.writes), *moved)


def _moved(
    facts: Way, done: _Conditional, track: p.Track, tracks: Mapping[str, p.Track]
) -> Iterator[KnownComparison]:
    """Yield the bounds of a changed track, if all changes are known to concern the same value."""
    changes = [one for one in done.code if isinstance(one, _CHANGES) and one.track == track.key]
    values = {anywhere(p.TrackAt(one.track, one.indices)) for one in changes}
    if len(values) != 1 or track.key in done.otherwise:
        return
    (value,) = values
    if any(reads(KnownComparison(index, "==", t.Const(0))) & done.writes for index in value.indices):
        return
    low, high = between(fact for fact in facts if fact.left == value and isinstance(fact.right, t.Const))
    low, high = max(low, track.low), min(high, track.high)
    known: dict[int, _Range] = {}
    for one in done.code:
        if isinstance(one, p.SetVar):
            known[one.variable] = _range(one.value, known, tracks)
        elif one in changes and isinstance(one, p.ChangeTrack):
            least, most = _range(one.amount, known, tracks)
            low, high = low + least, high + most
        elif one in changes and isinstance(one, p.AssignTrack):
            low, high = _range(one.value, known, tracks)
        low, high = (min(max(end, track.low), track.high) for end in (low, high))
    yield KnownComparison(value, ">=", t.Const(low))
    yield KnownComparison(value, "<=", t.Const(high))


_Range = tuple[int, int]
_ANYTHING: _Range = (LOWEST, HIGHEST)


def _range(value: t.Expr, known: Mapping[int, _Range], tracks: Mapping[str, p.Track]) -> _Range:
    """Return the range of a value; `known` are the ranges of the code's variables so far."""
    match value:
        case t.Const(value=number):
            return number, number
        case p.Var(variable=variable):
            return known.get(variable, _ANYTHING)
        case p.TrackAt(track=key):
            return tracks[key].low, tracks[key].high
        case t.Least() | t.Most():
            one, two = _range(value.left, known, tracks), _range(value.right, known, tracks)
            pick = min if isinstance(value, t.Least) else max
            return pick(one[0], two[0]), pick(one[1], two[1])
        case t.Binary(op="-") | t.Checked(op="-"):
            one, two = _range(value.left, known, tracks), _range(value.right, known, tracks)
            return one[0] - two[1], one[1] - two[0]
    return _ANYTHING
