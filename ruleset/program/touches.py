"""What code reads and writes, including everything it calls: names of zones, tracks, and lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.reads import PLAYERS, read_by
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

_MOVING = (t.Move, t.MoveAll, t.Drawing, t.Shuffle, p.SendHome)
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
    return node.place if isinstance(node, t.Move | p.SendHome) else None


def _refilling(node: t.Stmt, refilled: Mapping[str, p.Zone]) -> Iterator[str]:
    """Yield the zone from which a statement may refill the zone that it takes cards from."""
    source = _source(node)
    zone = refilled.get(source.zone) if isinstance(source, p.ZoneAt) else None
    if zone is not None and (zone.eager or isinstance(node, t.Drawing | t.Prepare)):
        yield zone.refill


def _given(node: t.Stmt) -> bool:
    """Whether a statement moves cards from wherever they are."""
    if not isinstance(node, t.Move | p.SendHome) or _source(node) not in (None, t.Const(-1)):
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
