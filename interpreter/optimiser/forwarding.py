"""Names of lists that are used at once are replaced by the cards of the zone that they stand for.

A name stands for a list as long as nothing moves a card and nothing assigns what the list depends on. Cards of a
zone are forwarded to every use; a filter of them only if there is one use, since it is then evaluated there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from rulewright.interpreter.analysis.control_flow import segments_of
from rulewright.interpreter.analysis.nodes import assigned_slots, can_fail, fallible_functions
from rulewright.interpreter.optimiser.playing_form import BINDERS, slots_read
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List, Stmt, TableProgram, Tree
from rulewright.ruleset.table.traversal import everything, transform

_CHANGING = (t.Move, t.MoveAll, t.SendHome, t.Drawing, t.Shuffle, t.Prepare, t.Do, t.DoTable, t.While, t.ForEach)
_Known = dict[int, Expr | List]


def forwarded(program: TableProgram) -> TableProgram:
    """Return the program with names replaced by what they stand for. `playing_form` then drops the names."""
    forwarding = _Forwarding(program)
    functions = []
    for function in program.functions:
        forwarding.enter((function.body,))
        functions.append(evolve(function, body=forwarding.body(function.body, {})))
    trees = [segment.tree for segment in program.segments]
    for own in segments_of(program):
        forwarding.enter([trees[number] for number in own])
        for number in own:
            trees[number] = forwarding.tree(trees[number], {})
    segments = tuple(evolve(segment, tree=tree) for segment, tree in zip(program.segments, trees, strict=True))
    return evolve(program, functions=tuple(functions), segments=segments)


class _Forwarding:
    def __init__(self, program: TableProgram) -> None:
        self._fallible = fallible_functions(program)
        self._uses: Counter[int] = Counter()

    def enter(self, code: Sequence[Any]) -> None:
        """Begin a unit: count the uses of its slots."""
        parts = (part for one in code for part in everything(one))
        self._uses = Counter(part.slot for part in parts if isinstance(part, t.LocalList | t.Local))

    def tree(self, tree: Tree, known: _Known) -> Tree:
        known = dict(known)
        body = self.body(tree.body, known)
        end = tree.end
        if isinstance(end, t.Branch):
            condition = _with(end.condition, known)
            return Tree(body, t.Branch(condition, self.tree(end.then, known), self.tree(end.otherwise, known)))
        return Tree(body, _with(end, known))

    def body(self, body: Sequence[Stmt], known: _Known) -> tuple[Stmt, ...]:
        """Return statements with names replaced. `known` is updated to what is known after them."""
        found: list[Stmt] = []
        for statement in body:
            statement = self._replaced(statement, known)
            found.append(statement)
            for slot in assigned_slots(statement):
                self._forget(slot, known)
            if any(isinstance(part, _CHANGING) for part in everything(statement)):
                for slot in [slot for slot, value in known.items() if isinstance(value, List)]:
                    del known[slot]
            self._learn(statement, known)
        return tuple(found)

    def _replaced(self, node: Stmt, known: _Known) -> Stmt:
        changed: Stmt
        match node:
            case t.If(condition, then, otherwise):
                condition = _with(condition, known)
                return t.If(condition, self.body(then, dict(known)), self.body(otherwise, dict(known)))
            case t.ForEach(slot, items, body):
                return t.ForEach(slot, _with(items, known), self.body(body, {}))
            case t.While(condition, body, at):
                return t.While(condition, self.body(body, {}), at)
            case _:
                changed = _with(node, known)
                return changed

    def _forget(self, slot: int, known: _Known) -> None:
        known.pop(slot, None)
        for other in [other for other, value in known.items() if slot in slots_read(value)]:
            del known[other]

    def _learn(self, node: Stmt, known: _Known) -> None:
        match node:
            case t.SetList(slot, items) if slot not in slots_read(items):
                if _is_of_zone(items, self._uses[slot] == 1) and not can_fail(items, self._fallible):
                    known[slot] = items
            case t.SetLocal(slot, value) if slot not in slots_read(value) and _is_simple(value):
                known[slot] = value


def _is_of_zone(items: List, once: bool) -> bool:
    """Return whether a list is the cards of a zone, or, used once, a filter of them by tables."""
    match items:
        case t.Cards(zone):
            return _is_simple(zone)
        case t.LocalList():
            return True
        case t.Filter(inner, _, condition) if once:
            reading = (Const, t.Local, t.Table, t.TableList, t.Contains, t.Not, t.And, t.Or, t.Binary)
            return _is_of_zone(inner, once) and all(isinstance(part, reading) for part in everything(condition))
    return False


def _is_simple(value: Expr) -> bool:
    """Return whether a number costs nothing to work out again: a seat, a constant, a zone of a seat."""
    match value:
        case Const() | t.Local():
            return True
        case t.Binary("+", t.Local(), Const()):
            return True
    return False


def _with(node: Any, known: Mapping[int, Expr | List]) -> Any:
    """Return a node with names replaced, except for slots that it binds itself somewhere."""
    if not known:
        return node
    bound = {part.slot for part in everything(node) if isinstance(part, BINDERS)}

    def change(part: Any) -> Any:
        if isinstance(part, t.LocalList | t.Local) and part.slot not in bound:
            return known.get(part.slot, part)
        return part

    return transform(node, change)
