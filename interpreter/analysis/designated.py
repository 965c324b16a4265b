"""Moves whose cards a rule names by place: the bottom of a pile, and so on up.

Everybody sees from which end of a pile a sentence takes cards: one card, several, or all. That holds through names,
too: `let low = bottom of Z`, then `move low to …`; a parameter, a function that gives the card, the only candidate
of a choice. A card that a player has chosen inside a hidden pile, or that a condition has found there, reveals
nothing about places. Nor do cards in a loop (`each`): a condition may pass some over.

Names are resolved by a fixed point over the whole program: a slot names the bottom if all values ever assigned to
it do. By the time of the move the card may be elsewhere; `Zones.move_lowest` checks its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, TypeAlias

from rulewright.interpreter.analysis.metered import Metered
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Cards, Choice, Const, Expr, First, Items, List, TableProgram, Take
from rulewright.ruleset.table.traversal import everything

Unit: TypeAlias = tuple[str, int]
"""`function` or `procedure`, and its number."""
Name: TypeAlias = tuple[Unit, int] | int
"""A slot of a unit, or the number of a function that gives something."""


def lowest_moves(program: TableProgram) -> frozenset[int]:
    """Return the sources (`at`) of the `Move` and `SendHome` nodes whose cards are named by place.

    Backends run different forms of one program, so all of them must ask about the same one: `shapes.for_text`.
    """
    return _Names(program).moves()


class _Names:
    """The names of one program, and which of them certainly name the lowest cards of a zone, or no card."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.code: list[tuple[Unit, int, Any]] = [
            (("function", number), -1, function.body) for number, function in enumerate(program.functions)
        ]
        self.code += [
            (("procedure", segment.procedure), number, (segment.tree,))
            for number, segment in enumerate(program.segments)
        ]
        self.assigned: dict[tuple[Unit, int], list[tuple[Any, int]]] = defaultdict(list)
        """All values ever assigned to a slot, each with its segment (-1: in a function)."""
        self.given: dict[int, list[Any]] = defaultdict(list)
        """The values that a function gives."""
        self.asked: dict[int, list[t.Ask]] = defaultdict(list)
        """The decisions that are answered when a segment begins."""
        self.found: list[tuple[Unit, int, t.Move | t.SendHome]] = []
        for unit, segment, code in self.code:
            for node in everything(code):
                self._note(unit, segment, node)
        self.sure: set[Name] = {*self.assigned, *self.given}
        self._settle()

    def moves(self) -> frozenset[int]:
        """See `lowest_moves`. A source of several nodes counts if all of these count."""
        told: dict[int, bool] = {}
        for unit, segment, node in self.found:
            needed = self._needed(node.cards, unit, segment)
            told[node.at] = needed is not None and self.sure.issuperset(needed) and told.get(node.at, True)
        return frozenset(at for at, lowest in told.items() if lowest)

    # -------------------------------------------------------------- what is assigned

    def _note(self, unit: Unit, segment: int, node: Any) -> None:
        match node:
            case t.Move() | t.SendHome():
                self.found.append((unit, segment, node))
            case t.SetLocal(slot, value) | t.SetList(slot, value):
                self.assigned[unit, slot].append((value, segment))
            case t.Give(value):
                self.given[unit[1]].append(value)
            case t.Call() | t.CallList() | t.Do():
                self._pass(("function", node.function), node.arguments, unit, segment)
            case t.Invoke():
                self._pass(("procedure", node.procedure), node.arguments, unit, segment)
            case t.DoTable() | t.InvokeTable():
                sort = "function" if isinstance(node, t.DoTable) else "procedure"
                for number in set(self.program.tables[node.table]) - {-1}:
                    self._pass((sort, number), node.arguments, unit, segment)
            case t.Ask():
                self.asked[node.resume].append(node)
                self.assigned[unit, node.slot].append((None, segment))
            case t.Local() | t.LocalList():
                pass
            case _ if getattr(node, "slot", None) is not None:
                self.assigned[unit, node.slot].append((None, segment))

    def _pass(self, called: Unit, arguments: tuple[Any, ...], unit: Unit, segment: int) -> None:
        """Record arguments, which are evaluated in the caller, with the unit they come from."""
        for slot, value in enumerate(arguments):
            self.assigned[called, slot].append((_Passed(value, unit), segment))

    def _settle(self) -> None:
        """Remove the names that are not certain, and all names that depend on them."""
        needing: dict[Name, list[Name]] = defaultdict(list)
        rest: list[Name] = []
        for name, value, unit, segment in self._values():
            needed = self._needed(value, unit, segment)
            if needed is None or not self.sure.issuperset(needed):
                rest.append(name)
                continue
            for one in needed:
                needing[one].append(name)
        while rest:
            name = rest.pop()
            if name in self.sure:
                self.sure.remove(name)
                rest += needing[name]

    def _values(self) -> Iterator[tuple[Name, Any, Unit, int]]:
        """Iterate over the values of all names, each with the unit and the segment in which it is evaluated."""
        for (unit, slot), values in self.assigned.items():
            for value, segment in values:
                if isinstance(value, _Passed):
                    yield (unit, slot), value.value, value.unit, segment
                else:
                    yield (unit, slot), value, unit, segment
        for number, given in self.given.items():
            for value in given:
                yield number, value, ("function", number), -1

    # -------------------------------------------------------------- what a value is

    def _needed(self, value: Expr | List | None, unit: Unit, segment: int) -> list[Name] | None:
        """Return the names that must be certain for a value to be the lowest card or cards of a zone.

        None if it is neither. A value without cards needs no names.
        """
        match value:
            case Metered(items):
                return self._needed(items, unit, segment)
            case Const(-1) | Items(()) | Cards():
                return []
            case Items((one,)) | First(one) | Take(one, _, True):
                return self._needed(one, unit, segment)
            case Choice(_, one, other) | t.IfElse(_, one, other):
                left, right = self._needed(one, unit, segment), self._needed(other, unit, segment)
                return None if left is None or right is None else left + right
            case t.Local(slot) | t.LocalList(slot):
                return [(unit, slot)]
            case t.Call(function) | t.CallList(function):
                return [function]
            case t.Answer() if segment in self.asked and all(map(self._forced, self.asked[segment])):
                return []
        return None

    def _forced(self, ask: t.Ask) -> bool:
        """Return whether the lowest card of a zone is the only candidate of a decision."""
        match ask.options:
            case Take(Cards(), Const(1), True) | Items((First(Cards()),)):
                return True
            case Choice(_, Items(()), Items((First(Cards()),))):
                return True
        return False


class _Passed:
    """An argument, and the unit in which it is evaluated."""

    def __init__(self, value: Any, unit: Unit) -> None:
        self.value, self.unit = value, unit
