"""Inserts of several packs at one anchor: whose effects use what another writes, so that their order matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from attrs import frozen

from ruleset import program as p
from ruleset import table as t
from ruleset.diagnostic import Diagnostic, Label
from ruleset.effects import Effects
from ruleset.exclusion import exclusive, under_conditions
from ruleset.span import Span
from ruleset.walk import everything
from ruleset.weave import Insert

_MOVING = (t.Move, t.MoveAll, t.Drawing, t.Shuffle, p.SendHome)
"""Statements that change the zones they name."""
MOST_PARTS = 24
"""Parts of an insert that are compared one by one with those of another; one with more is compared as a whole."""


@frozen
class Touched:
    """What code reads and what it writes: names of zones, tracks and lists."""

    reads: frozenset[str]
    writes: frozenset[str]

    def shared(self, other: Touched) -> list[str]:
        """What one writes and the other reads or writes."""
        both = self.writes & (other.reads | other.writes) | other.writes & self.reads
        return sorted(name for name in both if "/" not in name)  # what the kernel keeps has names with a slash


def overlaps(
    inserts: Sequence[Insert], code: Mapping[Span, tuple[t.Stmt, ...]], effects: Effects
) -> Iterator[Diagnostic]:
    """A warning for each two inserts at the same place of one anchor whose order matters, and is not declared."""
    parts: dict[Span, tuple[_Part, ...]] = {}
    places: dict[tuple[str, str], list[Insert]] = {}
    for insert in inserts:
        places.setdefault((insert.anchor, insert.word), []).append(insert)
    for group in places.values():
        for number, one in enumerate(group):
            for two in group[number + 1 :]:
                if one.pack == two.pack or one.pack in two.ordered:
                    continue
                for insert in (one, two):
                    if insert.span not in parts:
                        parts[insert.span] = _parts(_code(insert, code), effects)
                shared = _shared(parts[one.span], parts[two.span])
                if shared:
                    yield _warning(one, two, shared)


@frozen
class _Part:
    """The statements of an insert that are reached under one condition; `touched` counts the condition, too."""

    under: t.Expr | None
    touched: Touched


def _parts(code: tuple[t.Stmt, ...], effects: Effects) -> tuple[_Part, ...]:
    """The parts of an insert; if there are many, all of it as one that is always reached."""
    together: dict[t.Expr | None, list[t.Stmt]] = {}
    for under, statement in under_conditions(code):
        together.setdefault(under, []).append(statement)
        if len(together) > MOST_PARTS:
            return (_Part(None, touches(code, effects)),)
    return tuple(
        _Part(under, touches(body if under is None else (t.If(under, tuple(body), ()),), effects))
        for under, body in together.items()
    )


def _shared(one: tuple[_Part, ...], two: tuple[_Part, ...]) -> list[str]:
    """What one insert writes and the other reads or writes, where both can happen in one go.

    Conditions are compared only by what neither insert writes. Its value is the same for all their parts, so parts
    whose conditions contradict each other there never both happen, in either order.
    """
    written = frozenset(name for part in (*one, *two) for name in part.touched.writes)
    names = {
        name
        for a, b in product(one, two)
        if not exclusive(a.under, b.under, written)
        for name in a.touched.shared(b.touched)
    }
    return sorted(names)


def touches(code: Iterable[t.Stmt], effects: Effects) -> Touched:
    """What code reads and writes, with all that it calls."""
    reads: set[str] = set()
    writes: set[str] = set()
    todo: list[t.Stmt] = list(code)
    called: set[str] = set()
    while todo:
        statement = todo.pop()
        for node in everything(statement):
            if isinstance(node, p.ChangeTrack | p.AssignTrack):
                writes.add(node.track)
                reads.add(node.track)
            elif isinstance(node, p.AppendTo | p.RemoveFrom | p.SetStateList):
                writes.add(node.list)
            elif isinstance(node, _MOVING):
                writes.update(one.zone for one in everything(node) if isinstance(one, p.ZoneAt))
            elif isinstance(node, p.TrackAt):
                reads.add(node.track)
            elif isinstance(node, p.ListAt):
                reads.add(node.list)
            elif isinstance(node, p.ZoneAt):
                reads.add(node.zone)
            for key in effects.calls(node):
                if key not in called:
                    called.add(key)
                    todo.extend(effects.units[key].body)
    return Touched(frozenset(reads), frozenset(writes))


def _code(insert: Insert, code: Mapping[Span, tuple[t.Stmt, ...]]) -> tuple[t.Stmt, ...]:
    """The code of an insert: of its text or step, or of each of its steps."""
    if insert.node.span in code:
        return code[insert.node.span]
    items = getattr(insert.node, "items", ())
    return tuple(statement for item in items for statement in code.get(item.span, ()))


def _warning(one: Insert, two: Insert, shared: list[str]) -> Diagnostic:
    names = ", ".join(f"`{name}`" for name in shared[:4]) + (", …" if len(shared) > 4 else "")
    message = f"`{one.pack}` and `{two.pack}` both put something {one.word} `{one.anchor}`, and both use {names}"
    hint = f"`{one.pack}` comes first, by its name; say so: `after: [{one.pack}]` in the pack.yaml of `{two.pack}`"
    return Diagnostic("RW626", two.span, message, hint, (Label(one.span, f"that of `{one.pack}`"),))
