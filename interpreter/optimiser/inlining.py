"""Short functions that give nothing become part of the code that calls them.

Then what a caller passes is known where it is used: cards of one zone, for example, need not become a list first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import evolve

from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Expr, List, Slot, Stmt, TableProgram, Tree
from rulewright.ruleset.table.traversal import everything, rebuild

SHORT = 80
"""Nodes of a function that is copied to every place that calls it."""


def inlined(program: TableProgram) -> TableProgram:
    """Return the program with calls of such functions replaced by their statements."""
    calls = Counter(node.function for node in everything(_code(program)) if isinstance(node, t.Do))
    replaced = {
        number
        for number, function in enumerate(program.functions)
        if calls[number]
        and not any(isinstance(part, t.Give) for part in everything(function.body))
        and (calls[number] == 1 or sum(1 for _ in everything(function.body)) <= SHORT)
    }
    return _Inlining(program, replaced).done() if replaced else program


def _code(program: TableProgram) -> tuple[object, ...]:
    return (*(function.body for function in program.functions), *(segment.tree for segment in program.segments))


class _Inlining:
    def __init__(self, program: TableProgram, replaced: set[int]) -> None:
        self._program, self._replaced = program, replaced
        self._slots: list[Slot] = []
        """The slots of the unit at work; copies of functions get further ones."""

    def done(self) -> TableProgram:
        program = self._program
        functions = []
        for function in program.functions:
            self._slots = list(function.slots)
            body = self._body(function.body)
            functions.append(evolve(function, body=body, slots=tuple(self._slots)))
        procedures, trees = list(program.procedures), {}
        for number, procedure in enumerate(program.procedures):
            self._slots = list(procedure.slots)
            for place, segment in enumerate(program.segments):
                if segment.procedure == number:
                    trees[place] = self._tree(segment.tree)
            procedures[number] = evolve(procedure, slots=tuple(self._slots))
        segments = tuple(evolve(segment, tree=trees[place]) for place, segment in enumerate(program.segments))
        return evolve(program, functions=tuple(functions), procedures=tuple(procedures), segments=segments)

    def _tree(self, tree: Tree) -> Tree:
        end = tree.end
        if isinstance(end, t.Branch):
            end = t.Branch(end.condition, self._tree(end.then), self._tree(end.otherwise))
        return Tree(self._body(tree.body), end)

    def _body(self, body: Sequence[Stmt]) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        for statement in body:
            match statement:
                case t.Do(number, arguments) if number in self._replaced:
                    found += self._copy(number, arguments)
                case t.If(condition, then, otherwise):
                    found.append(t.If(condition, self._body(then), self._body(otherwise)))
                case t.ForEach(slot, items, inner):
                    found.append(t.ForEach(slot, items, self._body(inner)))
                case t.While(condition, inner, at):
                    found.append(t.While(condition, self._body(inner), at))
                case _:
                    found.append(statement)
        return tuple(found)

    def _copy(self, number: int, arguments: Sequence[Expr | List]) -> list[Stmt]:
        """Return a function's statements with slots of their own, after those that pass its arguments."""
        function, first = self._program.functions[number], len(self._slots)
        self._slots += function.slots
        found: list[Stmt] = []
        for place, argument in enumerate(arguments):
            found.append(
                t.SetList(first + place, argument)
                if isinstance(argument, List)
                else t.SetLocal(first + place, argument)
            )
        return [*found, *self._body(_moved(function.body, first))]


def _moved(node: Any, by: int) -> Any:
    """Return code with all slots moved by a number."""
    if isinstance(node, tuple):
        return tuple(_moved(part, by) for part in node)
    changed = rebuild(node, lambda part: _moved(part, by))
    slot = getattr(changed, "slot", None)
    return evolve(changed, slot=slot + by) if isinstance(slot, int) else changed
