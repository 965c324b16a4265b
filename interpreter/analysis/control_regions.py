"""What branches decide: the code that runs because of them, and the slots that depend on them.

Each tree of a procedure is a node of its control-flow graph. The *region* of a branch contains the nodes between it
and its join, the first node that is reached on all ways (the immediate postdominator). At the join, a slot that is
assigned in the region has a value that depends on the branch. If the branch can be reached again without an event
that all players read, slots that keep a value from round to round depend on it at once: they count the rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from rulewright.interpreter.analysis.nodes import assigned_slots, read_slots
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.traversal import everything

RESULT_SLOT = -1
"""Stands for the result of a call among the slots of the caller."""


def cells_slot(address: int) -> int:
    """Return what stands among slots for cells with a fixed address, such as the results of verbs."""
    return RESULT_SLOT - address


def written(code: object) -> set[int]:
    """Return the slots, and the cells with fixed addresses, that statements may write."""
    cells = (node.address for node in everything(code) if isinstance(node, t.SetCells))
    return assigned_slots(code) | {cells_slot(one.value) for one in cells if isinstance(one, t.Const)}


@frozen
class BranchRegion:
    """A branch or a call. Nodes are identities of trees; `join` is None if the procedure may end first.

    `decided` are the slots that it decides at its join, `counted` those that count how often it was reached, and
    `again` all that may have other values when it is reached again. `trees` are the nodes of its region; `returns`
    says whether the procedure can return there.
    """

    join: int | None
    decided: frozenset[int]
    counted: frozenset[int]
    again: frozenset[int]
    returns: bool
    trees: frozenset[int]


def can_vary(condition: object, region: BranchRegion) -> bool:
    """Return whether a condition may have another value when its branch is reached again."""
    reading = (t.Cell, t.CellList, t.Cards, t.Answer, t.Call, t.CallList)
    reads = any(isinstance(node, reading) for node in everything(condition))
    return reads or not region.again.isdisjoint(read_slots(condition))


def branch_regions(program: t.TableProgram, segments: Sequence[int]) -> dict[int, BranchRegion]:
    """Return the region of each branch of a procedure, given its segments."""
    return _Graph(program, segments).regions()


class _Graph:
    """The control-flow graph of a procedure. Node 0 is its end."""

    def __init__(self, program: t.TableProgram, segments: Sequence[int]) -> None:
        self.trees: list[t.Tree | None] = [None]
        self.number: dict[int, int] = {}
        self.live = {id(program.segments[one].tree): program.segments[one].live for one in segments}
        for segment in segments:
            self._add(program.segments[segment].tree)
        self.looping = _looping(self.trees)
        self.after = [self._successors(program, tree) for tree in self.trees]
        self.before = _turned(self.after)
        self.silent = [
            () if tree is None or heard(program, tree) else following
            for tree, following in zip(self.trees, self.after, strict=True)
        ]
        """The successors without an event on the way that all players read."""

    def _add(self, tree: t.Tree) -> None:
        self.number[id(tree)] = len(self.trees)
        self.trees.append(tree)
        if isinstance(tree.end, t.Branch):
            self._add(tree.end.then)
            self._add(tree.end.otherwise)

    def _successors(self, program: t.TableProgram, tree: t.Tree | None) -> tuple[int, ...]:
        if tree is None:
            return ()
        end = tree.end
        if isinstance(end, t.Branch):
            return self.number[id(end.then)], self.number[id(end.otherwise)]
        if isinstance(end, t.Goto):
            return (self.number[id(program.segments[end.segment].tree)],)
        if isinstance(end, t.Invoke | t.InvokeTable | t.Ask):
            return (self.number[id(program.segments[end.resume].tree)],)
        return (0,)

    def regions(self) -> dict[int, BranchRegion]:
        """Return the region of each branch, by the identity of its tree."""
        joins, silent_before = self._joins(), _turned(self.silent)
        found: dict[int, BranchRegion] = {}
        for node, tree in enumerate(self.trees):
            if tree is None or not isinstance(tree.end, t.Branch | t.Invoke | t.InvokeTable):
                continue
            join = joins.get(node, 0)
            inside = self._reached(self.after[node], self.after, join)
            again = self._reached(self.after[node], self.silent, -1)
            cycle = again & self._reached((node,), silent_before, -1) if node in again else set()
            ends = (self.trees[one] for one in inside)
            found[id(tree)] = BranchRegion(
                id(self.trees[join]) if join else None,
                self._decided(inside),
                self._counted(cycle),
                self._assigned(cycle),
                any(one is not None and isinstance(one.end, t.Return) for one in ends),
                frozenset(id(self.trees[one]) for one in inside),
            )
        return found

    def _joins(self) -> dict[int, int]:
        """Return the immediate postdominator of each node from which the end can be reached."""
        ending = self._reached((0,), self.before, -1)
        every = (1 << len(self.trees)) - 1
        sets = [every] * len(self.trees)
        sets[0] = 1
        changed = True
        while changed:
            changed = False
            for node in reversed(range(1, len(self.trees))):
                common = every
                for one in self.after[node]:
                    common &= sets[one]
                if (new := common | 1 << node) != sets[node]:
                    sets[node], changed = new, True
        by_set = {sets[node]: node for node in ending}
        return {node: by_set[sets[node] & ~(1 << node)] for node in ending if node}

    @staticmethod
    def _reached(starts: Iterable[int], along: list[tuple[int, ...]] | list[set[int]], without: int) -> set[int]:
        """Return the nodes that are reached from others, these included, except through one."""
        found: set[int] = set()
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            if node == without or node in found:
                continue
            found.add(node)
            waiting.extend(along[node])
        return found

    def _decided(self, nodes: Iterable[int]) -> frozenset[int]:
        return self._assigned(nodes) - self.looping

    def _assigned(self, nodes: Iterable[int]) -> frozenset[int]:
        slots: set[int] = set()
        for node in nodes:
            tree = self.trees[node]
            if tree is not None:
                slots.update(written(tree.body))
                if isinstance(tree.end, t.Invoke | t.InvokeTable):
                    slots.add(RESULT_SLOT)
        return frozenset(slots)

    def _counted(self, cycle: set[int]) -> frozenset[int]:
        """Return the slots that a cycle takes from one round to the next."""
        kept: set[int] = set()
        for node in self._heads(cycle):
            kept.update(self.live.get(id(self.trees[node]), ()))
        return frozenset(kept & self._assigned(cycle))

    def _heads(self, cycle: set[int]) -> set[int]:
        """Return the nodes of a cycle that begin a further round: a depth-first walk comes back to them."""
        found: set[int] = set()
        done: set[int] = set()
        starts = [node for node in cycle if not self.before[node] <= cycle] or list(cycle)
        for start in starts:
            path = [(start, [one for one in self.silent[start] if one in cycle])]
            open_nodes = {start}
            while path:
                node, following = path[-1]
                if not following:
                    path.pop()
                    open_nodes.discard(node)
                    done.add(node)
                    continue
                one = following.pop()
                if one in open_nodes:
                    found.add(one)
                elif one not in done:
                    open_nodes.add(one)
                    path.append((one, [after for after in self.silent[one] if after in cycle]))
        return found


def _turned(after: Sequence[tuple[int, ...]]) -> list[set[int]]:
    """Return the predecessors of nodes, given their successors."""
    before: list[set[int]] = [set() for _ in after]
    for node, following in enumerate(after):
        for one in following:
            before[one].add(node)
    return before


def _looping(trees: Sequence[t.Tree | None]) -> set[int]:
    """Return the slots of loops whose bodies ask: the members that are left, and the one that has its turn.

    A branch does not decide them: a name of a loop means nothing after it, and whose turn it is can be seen.
    """
    statements = [node for tree in trees if tree is not None for node in tree.body]
    left = {
        node.slot
        for node in statements
        if isinstance(node, t.SetList)
        and isinstance(node.items, t.Take)
        and node.items.items == t.LocalList(node.slot)
    }
    turns = {
        node.slot
        for node in statements
        if isinstance(node, t.SetLocal)
        and isinstance(node.value, t.First)
        and isinstance(node.value.items, t.LocalList)
        and node.value.items.slot in left
    }
    return left | turns


def heard(program: t.TableProgram, tree: t.Tree) -> bool:
    """Return whether all players read that this code is carried out: of its events, or of a question."""
    everyone = t.Const((1 << program.seats) - 1)
    told = (node for node in tree.body if isinstance(node, t.Emit) and node.audience == everyone)
    return isinstance(tree.end, t.Ask) or any(told)
