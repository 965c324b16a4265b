"""Find additions of several packs at one place whose order matters and is not declared.

Inserts at an anchor, hooks at a moment, and modifiers of a value run in the order of the packs. For packs that do
not know each other, that is the alphabetical order, which must not decide anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from attrs import frozen

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.house_rules.idle_code import (
    INNER,
    REST,
    apart,
    around_expression,
    emptied_verbs,
    idle_code,
    inserted,
)
from rulewright.ruleset.check.scope import Contribution
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.conflicts import Insert
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.order import (
    Touched,
    bare,
    commute,
    exclusive,
    never_both,
    touches,
    under_conditions,
)
from rulewright.ruleset.program.traversal import everything, substitute
from rulewright.ruleset.table import nodes as t

# ---- Whether hooks of two packs on one movement disturb each other by what they do with its cards

@frozen(repr=False)
class Moving(Record):
    """What a hook on movement does: its code, and `zones` and `drawn` as in `Contribution`."""

    code: tuple[t.Stmt, ...]
    touched: Touched
    zones: frozenset[str]
    drawn: bool


def disturbed(one: Moving, two: Moving, effects: Effects) -> list[str]:
    """Return the zones where the order of two hooks on one movement matters.

    One takes cards of the movement out of a zone that the other uses, or out of a pile whose next cards the other
    gets; or both may take the same cards.
    """
    found: set[str] = set()
    for first, second in ((one, two), (two, one)):
        if first.touched.takes:
            found |= first.zones & (second.touched.reads | second.touched.writes)
            if second.drawn:
                found |= first.zones & second.zones
    if one.touched.takes and two.touched.takes and not _others(one, two, effects):
        found |= one.zones & two.zones
    return sorted(found)


def _others(one: Moving, two: Moving, effects: Effects) -> bool:
    """Whether the conditions on the cards (`where`) exclude each other."""
    tests = [_where(moving.code, effects) for moving in (one, two)]
    return exclusive(tests[0], tests[1], one.touched.writes | two.touched.writes)


def _where(code: tuple[t.Stmt, ...], effects: Effects) -> t.Expr | None:
    """Return the condition of a hook on the cards, about the variable -1; None if it has none."""
    call = code[-1] if code else None
    body = effects.units[call.verb].body if isinstance(call, p.CallVerb) else ()
    match body:
        case (p.SetListVar(items=t.Filter(items=p.ListVar(), slot=card, condition=test)), *_):
            return substitute(test, {card: p.Var(-1)}, {})
    return None


# ---- Insert overlap

MOST_PARTS = 24
"""Limit of parts of an insert that are compared one by one; a longer insert is compared as a whole."""
MOST_HANDED = 3
"""Number of statements that transfer an amount: compute it, take it, and give it."""
_SIDES = ("before", "instead-of", "after")
"""The sides of a verb or step where hooks happen, in the order of time."""
_WIDE = 1_000_000
"""Bounds at least this wide are never reached."""


@frozen(repr=False)
class _Part(Record):
    """The statements reached under one condition; `touched` includes the condition."""

    under: t.Expr | None
    touched: Touched
    rest: bool
    """Whether this is the surrounded code."""


@frozen(repr=False)
class _OrderedInsert(Record):
    """The code that one pack puts at a place. `rest` is the code that it surrounds."""

    pack: str
    span: Span
    ordered: frozenset[str]
    """Packs that certainly come before it."""
    code: tuple[t.Stmt, ...]
    rest: tuple[t.Stmt, ...] = ()
    zones: frozenset[str] = frozenset()
    """Of a hook on movement, as in `Contribution`, for all sentences together."""
    drawn: bool = False


@frozen(repr=False)
class _Place(Record):
    """A place where packs put code; `said` describes it, in a sentence that begins with the packs."""

    said: str
    how: str
    """`insert`, `around`, `instead`, `modifier`, or `expression`."""


def overlaps(declared: Declared, context: CheckContext, effects: Effects) -> Iterator[Diagnostic]:
    """Yield a warning for each two packs with additions at one place whose order matters and is not declared."""
    finder = _Finder(declared, context, effects)
    for place, all_ in finder.places().items():
        for one, two in combinations(all_, 2):
            if one.pack != two.pack and one.pack not in two.ordered and two.pack not in one.ordered:
                reason = finder.reason(place, one, two)
                if reason:
                    yield _warning(place, one, two, reason)
    yield from _skipped(declared, context, effects)


class _Finder:
    """Finds reasons why the order of two additions matters."""

    def __init__(self, declared: Declared, context: CheckContext, effects: Effects) -> None:
        self.declared, self.context, self.effects = declared, context, effects
        self.wide = frozenset(_wide(effects.program.tracks))
        self._parts: dict[Span, tuple[_Part, ...]] = {}

    # -------------------------------------------------------------- places

    def places(self) -> dict[_Place, list[_OrderedInsert]]:
        """Return all places with additions, each with its additions in the order of the packs."""
        found: dict[_Place, list[_OrderedInsert]] = {}
        for insert in self.declared.inserts:
            how = "around" if insert.word == "around" else "insert"
            how = "expression" if insert.node.span in self.context.wrapped else how
            place = _Place(f"both insert something {insert.word} `{insert.anchor}`", how)
            found.setdefault(place, []).append(self._insert(insert))
        same: dict[tuple[_Place, Span], list[Contribution]] = {}
        for one in self.context.contributed:
            same.setdefault((_place(one), one.span), []).append(one)
        for (place, span), contributed in same.items():
            pack = self.declared.owners.get(span.path)
            if pack is None:
                continue
            ordered = self.declared.stands_after.get(pack, frozenset())
            code, rest = apart(contributed[0].code, self.context.proceeded_code.get(span, ()))
            zones = frozenset(zone for one in contributed for zone in one.zones)
            drawn = any(one.drawn for one in contributed)
            found.setdefault(place, []).append(_OrderedInsert(pack, span, ordered, code, rest, zones, drawn))
        return found

    def _insert(self, insert: Insert) -> _OrderedInsert:
        expression = around_expression(insert, self.context)
        if expression:
            return _OrderedInsert(insert.pack, insert.span, insert.ordered, expression)
        return _OrderedInsert(insert.pack, insert.span, insert.ordered, *apart(*inserted(insert, self.context)))

    # -------------------------------------------------------------- why the order matters

    def reason(self, place: _Place, one: _OrderedInsert, two: _OrderedInsert) -> str:
        """Explain why the order of two additions matters; empty if it does not."""
        if bare(one.code) == bare(two.code):
            return ""
        if place.how == "expression":
            return "" if _commute_around(one.code, two.code) else "the result depends on their order"
        if place.how == "modifier":
            return "" if self._commute(one, two) else "the result depends on their order"
        if self._adds_up(_always_done(one.code), _always_done(two.code)):
            return ""
        if place.how == "insert" and never_both(one.code, two.code, self.effects):
            return ""
        parts = self._of(one), self._of(two)
        shared = _shared(*parts, self.wide)
        if not shared and one.zones and two.zones:
            shared = disturbed(self._moving(one), self._moving(two), self.effects)
        if shared:
            return "both use " + ", ".join(f"`{name}`" for name in shared[:4]) + (", …" if len(shared) > 4 else "")
        for first, second in ((one, two), (two, one)):
            if self._decides(place, first, second):
                return f"`{first.pack}` decides whether the other happens"
            if place.how == "around" and _loops(first.code) and self._asks_anew(first, second):
                return f"`{first.pack}` repeats what `{second.pack}` checks in its condition"
        return ""

    def _of(self, put: _OrderedInsert) -> tuple[_Part, ...]:
        if put.span not in self._parts:
            self._parts[put.span] = _parts(put.code, self.effects)
        return self._parts[put.span]

    def _moving(self, put: _OrderedInsert) -> Moving:
        return Moving(put.code, touches(put.code, self.effects), put.zones, put.drawn)

    def _decides(self, place: _Place, put: _OrderedInsert, other: _OrderedInsert) -> bool:
        """Whether the first addition may prevent part of the second one."""
        own, acting = self._of(put), [part for part in self._of(other) if part.touched.acts]
        written = frozenset(name for part in (*own, *acting) for name in part.touched.writes)
        if any(not exclusive(a.under, b.under, written) for a in own if a.touched.leaves for b in acting):
            return True
        if place.how not in ("around", "instead") or any(map(_always, put.code)):
            return False
        goes_on = [part.under for part in own if part.rest]
        return any(not any(_surely(u, part.under, written) for u in goes_on) for part in acting)

    def _asks_anew(self, looping: _OrderedInsert, other: _OrderedInsert) -> bool:
        """Whether the repeated code changes values that the other addition's conditions read."""
        inside = touches((*looping.rest, *looping.code), self.effects)
        reads = touches(other.code, self.effects).reads
        return not any(map(_always, other.code)) and bool(reads & inside.writes)

    def _adds_up(self, one: tuple[t.Stmt, ...], two: tuple[t.Stmt, ...]) -> bool:
        """Whether both call one verb with different numbers, and it only moves cards or changes a track."""
        if len(one) != len(two) or not all(isinstance(call, p.CallVerb) for call in (*one, *two)):
            return False
        calls = [[call for call in code if isinstance(call, p.CallVerb)] for code in (one, two)]
        return all(
            first.verb == second.verb
            and all(_as_much(a, b) for a, b in zip(first.arguments, second.arguments, strict=True))
            and self._moves_on(self.effects.units[first.verb].body)
            for first, second in zip(*calls, strict=True)
        )

    @staticmethod
    def _moves_on(body: tuple[t.Stmt, ...]) -> bool:
        """Whether two calls of this code add up to one with the sum of their numbers.

        It is one statement that moves cards or changes a track, or a transfer of as much as a track has left. What
        is announced of it does not matter: only the lines of the log come in another order.
        """
        body = tuple(statement for statement in body if not isinstance(statement, t.Emit))
        if len(body) == 1:
            return isinstance(body[0], t.Move | t.Drawing | t.MoveAll | p.ChangeTrack)
        return len(body) == MOST_HANDED and _hands_on(*body)

    def _commute(self, one: _OrderedInsert, two: _OrderedInsert) -> bool:
        """Whether two modifiers give the same result in either order."""
        made = [_modified(put.code) for put in (one, two)]
        if made[0] is None or made[1] is None or made[0][2] != made[1][2]:
            return False
        return commute(made[0][:2], made[1][:2], made[0][2])


def _commute_around(one: tuple[t.Stmt, ...], two: tuple[t.Stmt, ...]) -> bool:
    """Whether two expressions around another give the same result in either order."""
    values = [given.value if isinstance(given, p.SetVar) else given.items for given in (*one, *two)
              if isinstance(given, p.SetVar | p.SetListVar)]  # fmt: skip
    always = t.Const(1)
    return len(values) == 2 and commute((always, values[0]), (always, values[1]), INNER)


def _place(one: Contribution) -> _Place:
    if one.category == "modifier":
        return _Place(f"both change `{one.place}` with a modifier", "modifier")
    where = {"instead-of": "instead of"}.get(one.word, one.word)
    return _Place(f"both have a hook {where} `{one.place}`", "instead" if one.word == "instead-of" else "insert")


def _wide(tracks: Iterable[p.Track]) -> Iterator[str]:
    """Yield the tracks whose bounds are never reached."""
    return (track.key for track in tracks if track.low <= -_WIDE and track.high >= _WIDE and not track.arrival)


def _parts(code: tuple[t.Stmt, ...], effects: Effects) -> tuple[_Part, ...]:
    """Split an addition into parts by condition; if there are too many, return it as one that always runs."""
    together: dict[tuple[t.Expr | None, bool], list[t.Stmt]] = {}
    for under, statement in under_conditions(code):
        together.setdefault((under, statement is REST), []).append(statement)
        if len(together) > MOST_PARTS:
            return (_Part(None, touches(code, effects), False),)
    return tuple(
        _Part(under, touches(body if under is None else (t.If(under, tuple(body), ()),), effects), rest)
        for (under, rest), body in together.items()
    )


def _shared(one: tuple[_Part, ...], two: tuple[_Part, ...], wide: frozenset[str]) -> list[str]:
    """Return the names that one writes and the other reads or writes, if both can happen together.

    Conditions are compared only by values that neither writes. These are the same for all parts, so parts with
    contradicting conditions never both happen, in either order.
    """
    written = frozenset(name for part in (*one, *two) for name in part.touched.writes)
    names = {
        name
        for a, b in product(one, two)
        if not exclusive(a.under, b.under, written)
        for name in a.touched.shared(b.touched, wide)
    }
    return sorted(names)


def _surely(condition: t.Expr | None, given: t.Expr | None, written: frozenset[str]) -> bool:
    """Whether a condition holds wherever another one does."""
    return condition is None or exclusive(t.Not(condition), given, written)


def _always_done(code: tuple[t.Stmt, ...]) -> tuple[t.Stmt, ...]:
    """Return code without the trivial condition of a hook that has none."""
    if len(code) == 1 and isinstance(code[0], t.If) and code[0].condition == t.Const(1):
        return code[0].then
    return code


def _as_much(one: t.Expr | t.List, two: t.Expr | t.List) -> bool:
    """Whether two arguments are equal, or both numbers of the same sign."""
    if isinstance(one, t.Const) and isinstance(two, t.Const):
        return (one.value >= 0) == (two.value >= 0)
    return bare((one,)) == bare((two,))


def _hands_on(some: t.Stmt, taken: t.Stmt, given: t.Stmt) -> bool:
    """Whether this takes an amount from one track, or all that is left, and gives it to another."""
    match some, taken, given:
        case (
            p.SetVar(variable=number, value=t.Least(left=p.Var(), right=p.TrackAt() as left)),
            p.ChangeTrack(amount=t.Checked(op="-", left=t.Const(value=0), right=p.Var(variable=less))),
            p.ChangeTrack(amount=p.Var(variable=more)),
        ):
            there = left.track == taken.track and bare(left.indices) == bare(taken.indices)
            return there and number == less == more
    return False


def _always(statement: t.Stmt) -> bool:
    return statement is REST or (isinstance(statement, p.Block) and any(map(_always, statement.body)))


def _loops(code: Sequence[t.Stmt]) -> bool:
    """Whether the surrounded code may run several times."""
    loops = (node for one in code for node in everything(one) if isinstance(node, p.Loop | t.While | p.Forever))
    return any(node is REST for loop in loops for node in everything(loop))


def _modified(code: tuple[t.Stmt, ...]) -> tuple[t.Expr, t.Expr, int] | None:
    """Return a modifier's condition, new value, and result variable."""
    for statement in code:
        if isinstance(statement, t.If) and len(statement.then) == 1 and isinstance(statement.then[0], p.SetVar):
            change = statement.then[0]
            return statement.condition, change.value, change.variable
    return None


def _skipped(declared: Declared, context: CheckContext, effects: Effects) -> Iterator[Diagnostic]:
    """Yield a warning for each hook that never happens because a stranger's hook always leaves its place before."""
    hooks: dict[str, dict[Span, Contribution]] = {}
    for one in context.contributed:
        if one.category == "hook" and one.span.path in declared.owners and one.word in _SIDES:
            hooks.setdefault(one.place, {}).setdefault(one.span, one)
    for at_place in hooks.values():
        leaving = [one for one in at_place.values() if _leaves(one.code, effects)]
        for one, two in product(leaving, at_place.values()):
            pack, other = declared.owners[one.span.path], declared.owners[two.span.path]
            after = declared.stands_after
            ordered = pack == other or pack in after.get(other, ()) or other in after.get(pack, ())
            if not ordered and _SIDES.index(one.word) < _SIDES.index(two.word):
                what = f"the hook of `{other}` {two.word.replace('-', ' ')} `{two.place}`"
                message = f"{what} never happens, because that of `{pack}` always leaves it before"
                hint = f"if this is intended, add `after: [{other}]` to the pack.yaml of `{pack}`"
                yield Diagnostic("RW635", two.span, message, hint, (Label(one.span, f"the hook of `{pack}`"),))


def _leaves(code: tuple[t.Stmt, ...], effects: Effects) -> bool:
    """Whether the code of a hook leaves its place in all cases."""
    ends = (
        under in (None, t.Const(1)) and isinstance(statement, p.Leave | p.EndGame)
        for under, statement in under_conditions(code)
    )
    return any(ends) and touches(code, effects).leaves


def _warning(place: _Place, one: _OrderedInsert, two: _OrderedInsert, reason: str) -> Diagnostic:
    message = f"`{one.pack}` and `{two.pack}` {place.said}, and {reason}"
    now = f"now `{one.pack}` comes first, in alphabetical order"
    if place.how in ("around", "expression"):
        now = f"now `{two.pack}` is outside and `{one.pack}` inside, in alphabetical order"
    hint = (
        f"{now}; to confirm it, add `after: [{one.pack}]` to the pack.yaml of `{two.pack}`, "
        f"or the reverse; a third pack can decide with `after: [{one.pack}, {two.pack}]`"
    )
    return Diagnostic("RW626", two.span, message, hint, (Label(one.span, f"the other one, of `{one.pack}`"),))


# ---- Check the code of several packs together: order, idle changes, and emptied verbs

def check_together(declared: Declared, context: CheckContext, effects: Effects) -> Iterator[Diagnostic]:
    """Iterate over the findings about the code that packs put into each other."""
    yield from overlaps(declared, context, effects)
    yield from idle_code(declared, context, effects.units)
    yield from emptied_verbs(declared, context, effects.units)
