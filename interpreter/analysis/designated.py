"""Which moves take cards that a rule named by their place: the bottom of a pile, and so on up.

Everybody sees from which end of a pile a sentence takes cards: one card, several, or all. It is the same where a
name stands between: `let low = bottom of Z`, then `move low to …`; a parameter, a function that gives the card, the
only candidate of a choice. A card that a player has chosen, or that a condition has found, inside a hidden pile
tells nothing about places. Nor do cards that are gone through one by one (`each`): a condition may pass some over.

Names are followed by a fixed point over the whole program: a slot names the bottom if all that it is ever assigned
does. By the time of the move the card may be elsewhere; `Zones.move_lowest` looks where it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, TypeAlias

from interpreter.analysis.metered import Metered
from interpreter.analysis.nodes import walk
from ruleset.table import nodes as table
from ruleset.table.nodes import Cards, Choice, Const, Expr, First, Items, List, TableProgram, Take

Unit: TypeAlias = tuple[str, int]
"""`function` or `procedure`, and its number."""
Name: TypeAlias = tuple[Unit, int] | int
"""A slot of a unit, or a function that gives something."""


def lowest_moves(program: TableProgram) -> frozenset[int]:
    """The sources (`at`) of the `Move` and `SendHome` nodes whose cards are named by their place, as said above.

    Backends run different forms of one program, so all of them must ask about the same one: `shapes.for_text`.
    """
    return _Names(program).moves()


class _Names:
    """The names of one program: which of them surely stand for the lowest cards of some zone, or for none."""

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
        """All that a slot is ever assigned, each with the segment in which that happens (-1: in a function)."""
        self.given: dict[int, list[Any]] = defaultdict(list)
        """What a function gives."""
        self.asked: dict[int, list[table.Ask]] = defaultdict(list)
        """The questions that are answered when a segment begins."""
        self.found: list[tuple[Unit, int, table.Move | table.SendHome]] = []
        for unit, segment, code in self.code:
            for node in walk(code):
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
            case table.Move() | table.SendHome():
                self.found.append((unit, segment, node))
            case table.SetLocal(slot, value) | table.SetList(slot, value):
                self.assigned[unit, slot].append((value, segment))
            case table.Give(value):
                self.given[unit[1]].append(value)
            case table.Call() | table.CallList() | table.Do():
                self._pass(("function", node.function), node.arguments, unit, segment)
            case table.Invoke():
                self._pass(("procedure", node.procedure), node.arguments, unit, segment)
            case table.DoTable() | table.InvokeTable():
                sort = "function" if isinstance(node, table.DoTable) else "procedure"
                for number in set(self.program.tables[node.table]) - {-1}:
                    self._pass((sort, number), node.arguments, unit, segment)
            case table.Ask():
                self.asked[node.resume].append(node)
                self.assigned[unit, node.slot].append((None, segment))
            case table.Local() | table.LocalList():
                pass
            case _ if getattr(node, "slot", None) is not None:
                self.assigned[unit, node.slot].append((None, segment))

    def _pass(self, called: Unit, arguments: tuple[Any, ...], unit: Unit, segment: int) -> None:
        """Arguments are values of the caller's; what they are there is noted with where they come from."""
        for slot, value in enumerate(arguments):
            self.assigned[called, slot].append((_Passed(value, unit), segment))

    def _settle(self) -> None:
        """Drops what is not sure, and with it all that needs it."""
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
        """All that names stand for, each with the unit and the segment in which it is evaluated."""
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
        """What must be sure so that a card is the lowest of a zone, or a list its lowest cards from there on.

        None if it is not. What has no card fits.
        """
        match value:
            case Metered(items):
                return self._needed(items, unit, segment)
            case Const(-1) | Items(()) | Cards():
                return []
            case Items((one,)) | First(one) | Take(one, _, True):
                return self._needed(one, unit, segment)
            case Choice(_, one, other) | table.IfElse(_, one, other):
                left, right = self._needed(one, unit, segment), self._needed(other, unit, segment)
                return None if left is None or right is None else left + right
            case table.Local(slot) | table.LocalList(slot):
                return [(unit, slot)]
            case table.Call(function) | table.CallList(function):
                return [function]
            case table.Answer() if segment in self.asked and all(map(self._forced, self.asked[segment])):
                return []
        return None

    def _forced(self, ask: table.Ask) -> bool:
        """Whether a question has the lowest card of a zone as its only candidate."""
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
