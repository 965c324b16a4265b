"""The reference meaning of statements and functions: one small function per node.

Operands are evaluated in the order of the node's fields. Statements that only narrate (`Emit`, `Reveal`) are not
evaluated without a list of events, so their expressions must neither fail nor use fuel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from rulewright.interpreter.analysis.metering import for_text, metered_program
from rulewright.interpreter.analysis.nodes import Metered
from rulewright.interpreter.backends.walker.expressions import Environment, Value, WalkerExpressions
from rulewright.interpreter.backends.walker.zones import WalkerZones
from rulewright.interpreter.state import chance, decision_slots
from rulewright.interpreter.state.frames import read_list, write_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import Cards, Choice, Const, Expr, First, Items, List, Stmt, TableProgram, Take

# ---- Moves whose cards a rule names by place: the bottom of a pile, and so on up
#
# Everybody sees from which end of a pile a sentence takes cards: one card, several, or all. That holds
# through names, too: `let low = bottom of Z`, then `move low to …`; a parameter, a function that gives the
# card, the only candidate of a choice. A card that a player has chosen inside a hidden pile, or that a
# condition has found there, reveals nothing about places. Nor do cards in a loop (`each`): a condition may
# pass some over.
#
# Names are resolved by a fixed point over the whole program: a slot names the bottom if all values ever
# assigned to it do. By the time of the move the card may be elsewhere; `WalkerZones.move_lowest` checks its place.

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


# ---- Statements

class Statements(WalkerExpressions):
    """The executor of one table program's statements and functions, metered."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(metered_program(program))
        self.zones = WalkerZones(program)
        self._given = program

    @cached_property
    def lowest(self) -> frozenset[int]:
        """The rules whose moves visibly begin at the bottom of a pile."""
        return lowest_moves(for_text(self._given))

    def call(self, function: int, arguments: Sequence[Value], outer: Environment) -> Value | None:
        """See `WalkerExpressions.call`."""
        scope = Environment(outer.state, outer.events)
        for slot, value in enumerate(arguments):
            scope.bind(slot, value)
        return self.execute(self.program.functions[function].body, scope)

    def execute(self, body: Iterable[Stmt], scope: Environment) -> Value | None:
        """Execute statements up to the first `Give`. Returns its value."""
        for statement in body:
            given = _STATEMENTS[type(statement)](self, statement, scope)
            if given is not None:
                return given
        return None


def _set_local(walker: Statements, node: t.SetLocal, scope: Environment) -> None:
    scope.bind(node.slot, walker.number(node.value, scope))


def _set_list(walker: Statements, node: t.SetList, scope: Environment) -> None:
    scope.bind(node.slot, walker.items(node.items, scope))


def _set_cell(walker: Statements, node: t.SetCell, scope: Environment) -> None:
    address = walker.address(node.address, scope)
    scope.state[address] = walker.number(node.value, scope)


def _set_cells(walker: Statements, node: t.SetCells, scope: Environment) -> None:
    address = walker.address(node.address, scope)
    write_list(scope.state, address, walker.items(node.items, scope))


def _if(walker: Statements, node: t.If, scope: Environment) -> Value | None:
    holds = walker.number(node.condition, scope)
    return walker.execute(node.then if holds else node.otherwise, scope)


def _for_each(walker: Statements, node: t.ForEach, scope: Environment) -> Value | None:
    for item in walker.items(node.items, scope):
        scope.bind(node.slot, item)
        given = walker.execute(node.body, scope)
        if given is not None:
            return given
    return None


def _while(walker: Statements, node: t.While, scope: Environment) -> Value | None:
    while True:
        walker.charge(scope.state, node.at)
        if not walker.number(node.condition, scope):
            return None
        given = walker.execute(node.body, scope)
        if given is not None:
            return given


def _do(walker: Statements, node: t.Do, scope: Environment) -> None:
    walker.call(node.function, walker.arguments(node.arguments, scope), scope)


def _do_table(walker: Statements, node: t.DoTable, scope: Environment) -> None:
    function = walker.number(t.Table(node.table, node.index), scope)
    if function != -1:
        walker.call(function, walker.arguments(node.arguments, scope), scope)


def _random(walker: Statements, node: t.Random, scope: Environment) -> None:
    bound = walker.number(node.bound, scope)
    if bound < 1:
        raise RuleError("absent", node.at)
    number, generator = chance.bounded(chance.load(scope.state), bound)
    chance.store(scope.state, generator)
    scope.bind(node.slot, number)


def _move(walker: Statements, node: t.Move, scope: Environment) -> None:
    cards, to = walker.items(node.cards, scope), walker.index(node.to, scope)
    place = None if node.place is None else walker.number(node.place, scope)
    lowest = scope.events is not None and node.at in walker.lowest
    if node.chooser is not None and scope.events is not None:
        chooser = walker.number(node.chooser, scope)
        walker.zones.move(scope.state, cards, to, node.bottom, place, node.at, scope.events, chooser=chooser)
        return
    move = walker.zones.move_lowest if lowest else walker.zones.move
    move(scope.state, cards, to, node.bottom, place, node.at, scope.events)


def _move_all(walker: Statements, node: t.MoveAll, scope: Environment) -> None:
    source, to = walker.index(node.source, scope), walker.index(node.to, scope)
    walker.zones.move_all(scope.state, source, to, node.bottom, node.at, scope.events)


def _send_home(walker: Statements, node: t.SendHome, scope: Environment) -> None:
    cards, homes = walker.items(node.cards, scope), walker.program.tables[node.homes]
    place = None if node.place is None else walker.number(node.place, scope)
    lowest = scope.events is not None and node.at in walker.lowest
    walker.zones.send_home(scope.state, cards, homes, place, node.at, scope.events, lowest)


def _draw(walker: Statements, node: t.Drawing, scope: Environment) -> None:
    source, count = walker.index(node.source, scope), walker.number(node.count, scope)
    to = walker.index(node.to, scope)
    lowest = isinstance(node, t.DrawBottom)
    drawn = walker.zones.draw(scope.state, source, count, to, node.bottom, node.at, scope.events, lowest)
    if node.slot is not None:
        scope.bind(node.slot, tuple(drawn))


def _shuffle(walker: Statements, node: t.Shuffle, scope: Environment) -> None:
    walker.zones.shuffle(scope.state, walker.index(node.zone, scope), node.at, scope.events)


def _prepare(walker: Statements, node: t.Prepare, scope: Environment) -> None:
    zone, count = walker.index(node.zone, scope), walker.number(node.count, scope)
    walker.zones.prepare(scope.state, zone, count, node.at, scope.events)


def _reveal(walker: Statements, node: t.Reveal, scope: Environment) -> None:
    if scope.events is not None:
        cards, seats = walker.items(node.cards, scope), walker.number(node.seats, scope)
        walker.zones.reveal(scope.state, cards, seats, node.at, scope.events, node.secret)


def _change(walker: Statements, node: t.Change, scope: Environment) -> None:
    index, amount = walker.index(node.index, scope), walker.number(node.amount, scope)
    walker.zones.change(scope.state, node.track, index, amount, node.at, scope.events)


def _assign(walker: Statements, node: t.Assign, scope: Environment) -> None:
    index, value = walker.index(node.index, scope), walker.number(node.value, scope)
    walker.zones.assign(scope.state, node.track, index, value, node.at, scope.events)


def _append(walker: Statements, node: t.Append, scope: Environment) -> None:
    address, value = walker.address(node.address, scope), walker.number(node.value, scope)
    held = read_list(scope.state, address)
    if value in held:
        return
    if len(held) >= node.capacity:
        raise RuleError("full", node.at)
    write_list(scope.state, address, [*held, value])


def _remove(walker: Statements, node: t.Remove, scope: Environment) -> None:
    address, value = walker.address(node.address, scope), walker.number(node.value, scope)
    held = read_list(scope.state, address)
    if value in held:
        held.remove(value)
        write_list(scope.state, address, held)


def _close(walker: Statements, _node: t.CloseDecisions, scope: Environment) -> None:
    decision_slots.close(scope.state, walker.program.layout, walker.program.seats)


def _emit(walker: Statements, node: t.Emit, scope: Environment) -> None:
    if scope.events is not None:
        numbers = tuple(walker.number(number, scope) for number in node.numbers)
        cards = () if node.cards is None else walker.items(node.cards, scope)
        if node.members is not None:
            numbers += tuple(walker.items(node.members, scope))
        audience, sees = walker.number(node.audience, scope), walker.number(node.sees, scope)
        scope.events.append((node.kind, numbers, cards, audience, sees, node.at))


def _fail(_walker: Statements, node: t.Fail, _scope: Environment) -> None:
    raise RuleError(node.code, node.at)


_STATEMENTS: dict[type[Stmt], Callable[[Statements, Any, Environment], Value | None]] = {
    t.SetLocal: _set_local,
    t.SetList: _set_list,
    t.SetCell: _set_cell,
    t.SetCells: _set_cells,
    t.If: _if,
    t.ForEach: _for_each,
    t.While: _while,
    t.Do: _do,
    t.DoTable: _do_table,
    t.Give: lambda walker, node, scope: walker.value(node.value, scope),
    t.Charge: lambda walker, node, scope: walker.charge(scope.state, node.at),
    t.Random: _random,
    t.Move: _move,
    t.MoveAll: _move_all,
    t.SendHome: _send_home,
    t.Draw: _draw,
    t.DrawBottom: _draw,
    t.Shuffle: _shuffle,
    t.Prepare: _prepare,
    t.Reveal: _reveal,
    t.Change: _change,
    t.Assign: _assign,
    t.Append: _append,
    t.Remove: _remove,
    t.CloseDecisions: _close,
    t.Emit: _emit,
    t.Fail: _fail,
}
