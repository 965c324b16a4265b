"""Analyse control flow for native code: segments, call depth, readers of answers.

Nothing here recurses along segments or calls, of which there may be many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from rulewright.interpreter.analysis.nodes import read_slots
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Ask, Const, Segment, Stmt, TableProgram, Tree
from rulewright.ruleset.table.traversal import everything

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
