"""The zones whose order a game can observe; the others are kept as counts, even if they are piles.

A list of cards is used without its order if it is only counted, summed, searched, filtered for one of these, or
moved to a zone whose order nobody observes. Drawing from a zone, shuffling it, taking its first or last card, going
through it one by one, and choosing from it observe its order. A zone that is declared without order has none: its
cards are always listed in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from interpreter.analysis.metered import Metered
from interpreter.optimiser.failing_order import FailingOrder
from interpreter.optimiser.zone_sets import Unit, Zones, ZoneSets
from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, Stmt, TableProgram, Tree
from ruleset.table.traversal import children

_Slot = tuple[Unit, int]


class ZoneOrder:
    """The zones with an observed order (`observed`); `kept` are those that are declared with one."""

    def __init__(self, program: TableProgram, zones: ZoneSets, also: Zones = 0) -> None:
        self._program, self._zones = program, zones
        self._failures = FailingOrder(program)
        self.observed: Zones = also
        self._ordered: set[_Slot] = set()
        """List slots whose order is observed, and functions that give such lists (slot -1)."""
        self._unit: Unit = ("function", 0)
        self._bags = sum(1 << n for n, zone in enumerate(program.zones) if zone.order == "bag")
        self._changed = True
        while self._changed:
            self._changed = False
            self._look()

    @property
    def kept(self) -> Zones:
        """The zones whose order must be kept."""
        return self.observed & ~self._bags

    # -------------------------------------------------------------- facts

    def _observe(self, zones: Zones) -> None:
        if zones & ~self.observed:
            self.observed |= zones
            self._changed = True

    def _observe_slot(self, slot: _Slot) -> None:
        if slot not in self._ordered:
            self._ordered.add(slot)
            self._changed = True

    def _open(self, zones: Zones) -> bool:
        """Whether cards that arrive in these zones lose their order."""
        return not zones & self.kept

    # -------------------------------------------------------------- code

    def _look(self) -> None:
        for number, function in enumerate(self._program.functions):
            self._unit = ("function", number)
            self._body(function.body)
        for segment in self._program.segments:
            self._unit = ("procedure", segment.procedure)
            self._tree(segment.tree)

    def _tree(self, tree: Tree) -> None:
        self._body(tree.body)
        if isinstance(tree.end, t.Branch):
            self._inside(tree.end.condition)
            self._tree(tree.end.then)
            self._tree(tree.end.otherwise)
        elif isinstance(tree.end, t.Invoke):
            self._given([("procedure", tree.end.procedure)], tree.end.arguments)
        elif isinstance(tree.end, t.InvokeTable):
            self._inside(tree.end.index)
            called = {*self._program.tables[tree.end.table]} - {-1}
            self._given([("procedure", one) for one in called], tree.end.arguments)
        else:
            self._inside(tree.end)

    def _body(self, body: Sequence[Stmt]) -> None:
        for statement in body:
            found = _STATEMENTS.get(type(statement))
            if found is not None:
                found(self, statement)
            else:
                self._inside(statement)

    def set_list(self, node: t.SetList) -> None:
        self._list(node.items, (self._unit, node.slot) in self._ordered)

    def set_if(self, node: t.If) -> None:
        self._inside(node.condition)
        self._body(node.then)
        self._body(node.otherwise)

    def for_each(self, node: t.ForEach) -> None:
        self._list(node.items, True)
        self._body(node.body)

    def set_while(self, node: t.While) -> None:
        self._inside(node.condition)
        self._body(node.body)

    def do(self, node: t.Do) -> None:
        self._given([("function", node.function)], node.arguments)

    def do_table(self, node: t.DoTable) -> None:
        self._inside(node.index)
        self._given([("function", n) for n in {*self._program.tables[node.table]} - {-1}], node.arguments)

    def give(self, node: t.Give) -> None:
        if isinstance(node.value, List):
            self._list(node.value, (self._unit, -1) in self._ordered)
        else:
            self._inside(node.value)

    def move(self, node: t.Move) -> None:
        to = self._zones.of(node.to, self._unit)
        self._list(node.cards, not self._open(to))
        self._inside((node.to, node.place))

    def send_home(self, node: t.SendHome) -> None:
        homes = self._zones.of(t.Table(node.homes, t.Const(0)), self._unit)
        self._list(node.cards, not self._open(homes))

    def move_all(self, node: t.MoveAll) -> None:
        if not self._open(self._zones.of(node.to, self._unit)):
            self._observe(self._zones.of(node.source, self._unit))
        self._inside((node.source, node.to))

    def draw(self, node: t.Drawing) -> None:
        self._observe(self._zones.of(node.source, self._unit))
        self._inside((node.source, node.count, node.to))

    def shuffle(self, node: t.Shuffle | t.Prepare) -> None:
        self._observe(self._zones.of(node.zone, self._unit))
        self._inside(tuple(children(node)))

    # -------------------------------------------------------------- expressions

    def _given(self, called: Sequence[Unit], arguments: Sequence[Expr | List]) -> None:
        for place, argument in enumerate(arguments):
            if isinstance(argument, List):
                self._list(argument, any((unit, place) in self._ordered for unit in called))
            else:
                self._inside(argument)

    def _inside(self, node: Any) -> None:
        """Look at an expression, or at any node's parts. Lists in it are used in their order unless known."""
        match node:
            case None:
                return
            case tuple():
                for part in node:
                    self._inside(part)
            case List():
                self._list(node, True)
            case t.Count(items):
                self._list(items, False)
            case t.Total(items, _, body) | t.Exists(items, _, body) | t.Highest(items, _, body):
                self._list(items, self._failures.shows(body, isinstance(node, t.Exists)))
                self._inside(body)
            case t.Contains(items, value):
                self._list(items, False)
                self._inside(value)
            case t.Call(function, arguments):
                self._given([("function", function)], arguments)
            case _:
                for part in children(node):
                    self._inside(part)

    def _list(self, node: List, ordered: bool) -> None:
        """Look at a list whose user does (`ordered`) or does not observe its order."""
        same = partial(self._list, ordered=ordered)
        match node:
            case t.Cards(zone):
                if ordered:
                    self._observe(self._zones.of(zone, self._unit))
                self._inside(zone)
            case t.LocalList(slot):
                if ordered:
                    self._observe_slot((self._unit, slot))
            case t.Filter(items, _, body) | t.Map(items, _, body) | t.Extremes(items, _, body):
                self._list(items, ordered or self._failures.shows(body, False))
                self._inside(body)
            case Metered(items):
                same(items)
            case t.Concat(left, right):
                same(left)
                same(right)
            case t.Choice(condition, then, otherwise):
                self._inside(condition)
                same(then)
                same(otherwise)
            case t.FlatMap(items, _, body):
                self._list(items, ordered or self._failures.shows(body, False))
                same(body)
            case t.CallList(function, arguments):
                if ordered:
                    self._observe_slot((("function", function), -1))
                self._given([("function", function)], arguments)
            case _:
                for part in children(node):
                    self._inside(part)


_STATEMENTS: dict[type[Stmt], Callable[[ZoneOrder, Any], None]] = {
    t.SetList: ZoneOrder.set_list,
    t.If: ZoneOrder.set_if,
    t.ForEach: ZoneOrder.for_each,
    t.While: ZoneOrder.set_while,
    t.Do: ZoneOrder.do,
    t.DoTable: ZoneOrder.do_table,
    t.Give: ZoneOrder.give,
    t.Move: ZoneOrder.move,
    t.SendHome: ZoneOrder.send_home,
    t.MoveAll: ZoneOrder.move_all,
    t.Draw: ZoneOrder.draw,
    t.DrawBottom: ZoneOrder.draw,
    t.Shuffle: ZoneOrder.shuffle,
    t.Prepare: ZoneOrder.shuffle,
}
