"""Analyse control flow for native code: segments, call depth, readers of answers.

Nothing here recurses along segments or calls, of which there may be many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from attrs import frozen

from rulewright.interpreter.analysis.nodes import assigned_slots, read_slots
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import Ask, Const, Segment, Stmt, TableProgram, Tree

# ------------------------------------------------------------------ segments

def successors(tree: Tree) -> Iterator[int]:
    """Iterate over the segments of the same procedure that a tree leads to, once for each place that does."""
    trees = [tree]
    while trees:
        end = trees.pop().end
        match end:
            case t.Branch(_, then, otherwise):
                trees += (then, otherwise)
            case t.Goto(successor) | t.Ask(resume=successor):
                yield successor
            case t.Invoke(resume=successor) | t.InvokeTable(resume=successor):
                yield successor
            case _:
                pass


def entrances(program: TableProgram) -> list[int]:
    """Count the places from which control enters each segment; calls of a procedure count as one."""
    counts = [0] * len(program.segments)
    for procedure in program.procedures:
        counts[procedure.entry] += 1
    for segment in program.segments:
        for successor in successors(segment.tree):
            counts[successor] += 1
    return counts


# ------------------------------------------------------------------ calls

def segments_of(program: TableProgram) -> list[list[int]]:
    """Return the numbers of the segments of each procedure."""
    found: list[list[int]] = [[] for _ in program.procedures]
    for number, segment in enumerate(program.segments):
        found[segment.procedure].append(number)
    return found


class CallGraph:
    """The procedures that each procedure calls, and bounds of how deep calls nest."""

    def __init__(self, program: TableProgram) -> None:
        self._calls: list[set[int]] = [set() for _ in program.procedures]
        for segment in program.segments:
            for end in everything(segment.tree):
                if isinstance(end, t.Invoke):
                    self._calls[segment.procedure].add(end.procedure)
                elif isinstance(end, t.InvokeTable):
                    self._calls[segment.procedure].update(n for n in program.tables[end.table] if n >= 0)
        self._sizes = [procedure.size for procedure in program.procedures]
        self._room = program.layout.cells - program.layout.stack
        following = program.next_game
        self._entries = {program.entry} if following is None else {program.entry, following.procedure}

    def exceeds(self) -> bool:
        """Return whether frames could need more cells than the state has for them."""
        order = self._order(-1)
        return order is None or self._heaviest(order, self._sizes, -1, self._entries) > self._room

    def most(self, weights: Sequence[int]) -> int:
        """Return an upper bound of the sum of the weights of the procedures that are active at once.

        Procedures that lead back to themselves are bounded by the room for frames: if all cycles lead through one
        procedure, its frames limit how often it is active, and at most one chain without it begins at each.
        """
        order = self._order(-1)
        if order is not None:
            return self._heaviest(order, weights, -1, self._entries)
        bounds = [self._room // min(self._sizes) * max(weights)]
        for hub in range(len(self._sizes)):
            order = self._order(hub)
            if order is not None:
                before = self._heaviest(order, weights, hub, self._entries)
                after = self._heaviest(order, weights, hub, self._calls[hub])
                around = self._around(order, weights, hub)
                bounds.append(before + self._room // self._sizes[hub] * (weights[hub] + around) + after)
        return min(bounds)

    def _order(self, without: int) -> list[int] | None:
        """Return all procedures but one, each after those it calls; None if some lead back to themselves."""
        done: list[int] = []
        state = [0] * len(self._calls)
        for start in range(len(self._calls)):
            waiting = [start]
            while waiting:  # without recursion, since chains may be long
                one = waiting[-1]
                if one == without or state[one] == 2:
                    waiting.pop()
                elif state[one] == 1:
                    waiting.pop()
                    if any(state[n] != 2 for n in self._calls[one] if n != without):
                        return None
                    state[one] = 2
                    done.append(one)
                else:
                    state[one] = 1
                    waiting += (n for n in self._calls[one] if not state[n])
        return done

    def _heaviest(self, order: Sequence[int], weights: Sequence[int], without: int, starts: set[int]) -> int:
        """Return the greatest sum of weights of a chain of calls that begins at one of some procedures."""
        sums: dict[int, int] = {}
        for one in order:
            sums[one] = weights[one] + max((sums[n] for n in self._calls[one] if n != without), default=0)
        return max((sums[one] for one in starts if one != without), default=0)

    def _around(self, order: Sequence[int], weights: Sequence[int], hub: int) -> int:
        """Return the greatest sum of weights of a chain of calls from one procedure back to it, without it."""
        sums: dict[int, int] = {}
        for one in order:
            inner = [sums[n] for n in self._calls[one] if n in sums]
            if inner or hub in self._calls[one]:
                sums[one] = weights[one] + max(inner, default=0)
        return max((sums[n] for n in self._calls[hub] if n in sums), default=0)


# ------------------------------------------------------------------ answers

class Kept(Enum):
    """The place where generated text finds the answer to a decision."""

    NUMBER = auto()
    """In an expression: the one option that was chosen, or none."""
    LIST = auto()
    """In an expression: the list of the options that were chosen."""
    CELLS = auto()
    """In the state's decision slots, as in every backend that stops."""


def answers_kept(program: TableProgram, entered: Sequence[int]) -> dict[int, Kept]:
    """Return, for each segment that asks, the place for its answers.

    An answer need not be stored in the state if a single seat was asked, and the code that follows reads only that
    seat's answer, in its own statements before the decisions are closed.
    """
    touching = _touching(program)
    return {
        number: _kept(segment.tree.end, program.segments[segment.tree.end.resume], entered, touching)
        for number, segment in enumerate(program.segments)
        if isinstance(segment.tree.end, Ask)
    }


def before_closing(body: Sequence[Stmt]) -> tuple[Stmt, ...] | None:
    """Return the statements before decisions are closed, or None if they are not closed."""
    for place, statement in enumerate(body):
        if isinstance(statement, t.CloseDecisions):
            return tuple(body[:place])
    return None


def _kept(ask: Ask, after: Segment, entered: Sequence[int], touching: frozenset[int]) -> Kept:
    reading = before_closing(after.tree.body)
    if reading is None or entered[ask.resume] != 1 or _touches(reading, touching, closing_only=True):
        return Kept.CELLS
    seats = ask.seats.values if isinstance(ask.seats, t.Items) else ()
    if len(seats) != 1 or not isinstance(seats[0], Const | t.Local):
        return Kept.CELLS
    changed = {
        getattr(part, "slot", None) for part in everything(reading) if not isinstance(part, t.Local | t.LocalList)
    }
    answers = [part for part in everything(reading) if isinstance(part, t.Answer)]
    if any(answer.seat != seats[0] for answer in answers) or read_slots(seats[0]) & changed:
        return Kept.CELLS
    ends = [part for part in everything(reading) if isinstance(part, t.First | t.Last)]
    as_number = sum(isinstance(end.items, t.Answer) for end in ends) == len(answers)
    single = ask.least == ask.most == Const(1)
    return Kept.NUMBER if single and as_number else Kept.LIST


def _touching(program: TableProgram) -> frozenset[int]:
    """Return the functions that read answers or close decisions, directly or through calls."""
    touching: frozenset[int] = frozenset()
    while True:
        more = {n for n, function in enumerate(program.functions) if _touches(function.body, touching)}
        if touching.issuperset(more):
            return touching
        touching |= more


def _touches(body: Sequence[Stmt], touching: frozenset[int], closing_only: bool = False) -> bool:
    for part in everything(tuple(body)):
        if isinstance(part, t.CloseDecisions) or (isinstance(part, t.Answer) and not closing_only):
            return True
        if isinstance(part, t.Call | t.CallList | t.Do) and part.function in touching:
            return True
        if isinstance(part, t.DoTable) and touching:
            return True
    return False


# ---- What branches decide: the code that runs because of them, and the slots that depend on them
#
# Each tree of a procedure is a node of its control-flow graph. The *region* of a branch contains the nodes
# between it and its join, the first node that is reached on all ways (the immediate postdominator). At the
# join, a slot that is assigned in the region has a value that depends on the branch. If the branch can be
# reached again without an event that all players read, slots that keep a value from round to round depend on
# it at once: they count the rounds.

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
