"""A program over classes of cards: its tables have an entry for each class instead of each card.

References to cards keep their places in the program, so the code stays the same, except that a reference means a
class and a zone (`kept_cards`). Nodes say so where it matters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from interpreter.optimiser.kept_cards import KeptCards
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, Local, TableProgram
from ruleset.table.traversal import rebuild


@frozen
class ClassOf(Expr):
    """The class of a card; -1 for none."""

    card: Expr


@frozen
class ClassAt(Expr):
    """The class of a card that is not none, as the index of a table."""

    card: Expr


@frozen
class PlaceOf(Expr):
    """The zone of a card."""

    card: Expr


BOUND = 1 << 20
"""Slots from here on are bound inside one expression, and are nobody's variables."""


def over_classes(program: TableProgram, kept: KeptCards) -> TableProgram:
    """Return the program with class tables in place of card tables where the index is a card."""
    return _Rewriting(program, kept).rewritten()


class _Rewriting:
    def __init__(self, program: TableProgram, kept: KeptCards) -> None:
        self._program, self._kept = program, kept
        self._tables = list(program.tables)
        self._lists = list(program.lists)
        self._made: dict[tuple[str, int], int] = {}
        self._names = BOUND
        self._cards = len(self._tables)
        self._tables.append(kept.first)

    def rewritten(self) -> TableProgram:
        program = self._program
        functions = []
        for function in program.functions:
            functions.append(evolve(function, body=tuple(map(self._node, function.body))))
        segments = []
        for segment in program.segments:
            segments.append(evolve(segment, tree=self._node(segment.tree)))
        return evolve(
            program,
            functions=tuple(functions),
            segments=tuple(segments),
            tables=tuple(self._tables),
            lists=tuple(self._lists),
        )

    def _table(self, number: int) -> int:
        """Return the number of a table by class."""
        return self._by_class("table", number, self._tables)

    def _by_class(self, kind: str, number: int, tables: list[Any]) -> int:
        found = self._made.get((kind, number))
        if found is None:
            entries = tables[number]
            tables.append(tuple(entries[card] for card in self._kept.first))
            found = self._made[kind, number] = len(tables) - 1
        return found

    def _node(self, node: Any) -> Any:
        """Return a node over classes."""
        of_cards = id(node) in self._kept.flow.facts.of_cards
        match node:
            case t.Table(number, index) if of_cards:
                return t.Table(self._table(number), ClassAt(self._node(index)))
            case t.TableList(number, index) if of_cards:
                return t.TableList(self._by_class("list", number, self._lists), ClassAt(self._node(index)))
            case t.DoTable(number, index) | t.InvokeTable(number, index) if (
                id(node) in self._kept.flow.facts.of_cards
            ):
                arguments = tuple(map(self._node, node.arguments))
                index = ClassAt(self._node(index))
                return evolve(node, table=self._table(number), index=index, arguments=arguments)
            case t.SendHome():
                return evolve(rebuild(node, self._node), homes=self._table(node.homes))
            case t.Binary(op, left, right) if of_cards:
                return t.Binary(op, ClassOf(self._node(left)), ClassOf(self._node(right)))
            case t.Contains(items, value) if of_cards:
                return t.Contains(self._classes(items), ClassOf(self._node(value)))
            case t.Same(left, right) if of_cards:
                return t.Same(self._classes(left), self._classes(right))
            case t.Distinct(items, slot, body) if of_cards:
                return t.Distinct(self._node(items), slot, ClassOf(self._node(body)))
            case t.Cell(t.Binary("+", card, Const()) | t.Binary("+", Const(), card)) if of_cards:
                return PlaceOf(self._node(card))
            case t.Cell(address):
                return t.Cell(self._address(address))
            case t.CellList(address):
                return t.CellList(self._address(address))
            case t.SetCell(address, value):
                return t.SetCell(self._address(address), self._stored(value, of_cards))
            case t.SetCells(address, items):
                return t.SetCells(self._address(address), self._classes(items) if of_cards else self._node(items))
            case t.Append() | t.Remove():
                value = self._stored(node.value, of_cards)
                return evolve(node, address=self._address(node.address), value=value)
            case t.Change(_, index, amount):
                return evolve(node, index=self._address(index), amount=self._node(amount))
            case t.Assign(_, index, value):
                return evolve(node, index=self._address(index), value=self._stored(value, of_cards))
        return rebuild(node, self._node)

    def _stored(self, value: Expr, of_cards: bool) -> Expr:
        """Return what the state remembers of a card, an individual: its class, and not where it is."""
        node: Expr = self._node(value)
        return ClassOf(node) if of_cards else node

    def _classes(self, items: t.List) -> t.List:
        """Return a list of the classes of cards."""
        self._names += 1
        return t.Map(self._node(items), self._names, ClassOf(Local(self._names)))

    def _address(self, node: Expr) -> Expr:
        """Return the address of what is kept for a card: it uses the card's own number."""

        def change(part: Any) -> Any:
            card = part.operand if isinstance(part, t.Present) else part
            if isinstance(card, Local) and id(card) in self._kept.flow.values.in_addresses:
                return t.Table(self._cards, ClassAt(part))
            if isinstance(part, t.Table | t.TableList | t.Cell):
                return self._node(part)
            return rebuild(part, change)

        written: Callable[[Any], Any] = change
        return written(node)  # type: ignore[no-any-return]  # an address stays one
