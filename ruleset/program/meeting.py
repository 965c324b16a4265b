"""Decide whether two pieces of conditional code ever both take effect, in either order.

They do not if their conditions exclude each other and neither makes the condition of the other true. Facts after a
piece of code are known if it adds a number to a track, or sets it to a number or to a value within a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from attrs import frozen

from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.exclusion import (
    Fact,
    Way,
    anywhere,
    between,
    contradict,
    exclusive,
    lasting,
    reads,
    under_conditions,
    ways,
)
from rulewright.ruleset.program.touches import touches
from rulewright.ruleset.program.traversal import substitute
from rulewright.ruleset.table import nodes as t

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


def _moved(facts: Way, done: _Conditional, track: p.Track, tracks: Mapping[str, p.Track]) -> Iterator[Fact]:
    """Yield the bounds of a changed track, if all changes are known to concern the same value."""
    changes = [one for one in done.code if isinstance(one, _CHANGES) and one.track == track.key]
    values = {anywhere(p.TrackAt(one.track, one.indices)) for one in changes}
    if len(values) != 1 or track.key in done.otherwise:
        return
    (value,) = values
    if any(reads(Fact(index, "==", t.Const(0))) & done.writes for index in value.indices):
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
    yield Fact(value, ">=", t.Const(low))
    yield Fact(value, "<=", t.Const(high))


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
