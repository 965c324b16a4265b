"""What code reads and writes: the names of zones, tracks and lists, with all that it calls."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from ruleset.common.record import Record
from ruleset.program import nodes as p
from ruleset.program.call_effects import Effects
from ruleset.program.reads import PLAYERS, read_by
from ruleset.program.traversal import everything
from ruleset.table import nodes as t

_MOVING = (t.Move, t.MoveAll, t.Drawing, t.Shuffle, p.SendHome)
"""Statements that change the zones they name."""


@frozen(repr=False)
class Touched(Record):
    """What code reads and what it writes: names of zones, tracks and lists, and `players`."""

    reads: frozenset[str]
    writes: frozenset[str]
    adds: frozenset[tuple[str, int]] = frozenset()
    """Those of the writes that only move a track up (1) or down (-1), or by an amount not known here (0)."""
    leaves: bool = False
    """Whether what stands behind the code may not happen, since the code leaves what is around both."""

    @property
    def acts(self) -> bool:
        """Whether it changes anything that content declares, or what comes next."""
        return self.leaves or any("/" not in name for name in self.writes)

    def shared(self, other: Touched, wide: frozenset[str] = frozenset()) -> list[str]:
        """What one writes and the other reads or writes, so that it matters which comes first.

        Where both only move a track in one direction the order does not matter, nor in different directions where
        the track is among the `wide` ones, whose bounds are never met.
        """
        both = self.writes & (other.reads | other.writes) | other.writes & self.reads
        names = (name for name in both if "/" not in name)  # what the kernel keeps has names with a slash
        return sorted(name for name in names if not self._commutes(other, name, wide))

    def _commutes(self, other: Touched, name: str, wide: frozenset[str]) -> bool:
        if name in self.reads or name in other.reads:
            return False
        signs = {sign for one in (self, other) for track, sign in one.adds if track == name}
        added = all(any(track == name for track, _ in one.adds) for one in (self, other))
        return added and (name in wide or signs in ({1}, {-1}))


def touches(code: Iterable[t.Stmt], effects: Effects) -> Touched:
    """What code reads and writes, with all that it calls."""
    reads: set[str] = set()
    writes: set[str] = set()
    adds: set[tuple[str, int]] = set()
    otherwise: set[str] = set()
    """What is written by anything but moving a track up or down."""
    counts: set[int] = set()
    leaving: set[int] = set()
    labels: set[int] = set()
    ends = False
    todo: list[tuple[t.Stmt, bool]] = [(statement, True) for statement in code]
    called: set[str] = set()
    while todo:
        statement, own = todo.pop()
        for node in everything(statement):
            if isinstance(node, p.ChangeTrack):
                writes.add(node.track)
                adds.add((node.track, sign(node.amount, counts)))
            elif isinstance(node, p.SetVar) and isinstance(node.value, p.TrackAt) and "/" in node.value.track:
                counts.add(node.variable)  # how often a hook was awaited, or a modifier started
            elif isinstance(node, p.AssignTrack):
                otherwise.add(node.track)
            elif isinstance(node, p.AppendTo | p.RemoveFrom | p.SetStateList):
                otherwise.add(node.list)
            elif isinstance(node, p.Eliminate):
                otherwise.add(PLAYERS)
            elif isinstance(node, _MOVING):
                otherwise.update(one.zone for one in everything(node) if isinstance(one, p.ZoneAt))
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
    return Touched(frozenset(reads), frozenset(writes | otherwise), only_added, ends or bool(leaving - labels))


def sign(amount: t.Expr, counts: frozenset[int] | set[int] = frozenset()) -> int:
    """Whether an amount is surely not negative (1), surely not positive (-1), or neither is known (0). `counts` are
    variables that hold how often something happened."""
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
