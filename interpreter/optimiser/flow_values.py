"""The values of expressions and lists in the analysis of cards (`card_flow`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve

from interpreter.analysis.metered import Metered
from interpreter.analysis.shapes import Others
from interpreter.analysis.tabulate import Looked
from interpreter.optimiser.face_tests import conjuncts, holds
from interpreter.optimiser.flow_facts import Facts, bits
from interpreter.optimiser.references import (
    ANSWER,
    NUMBER,
    Coded,
    Faces,
    NotKeptError,
    Ref,
    State,
    Value,
    card_in,
    join,
    not_distinct,
    one_of,
    worked_out,
)
from interpreter.optimiser.zone_sets import Unit
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, TableProgram
from ruleset.table.traversal import children, everything

_NONE_TESTS = {("==", -1), ("!=", -1), (">=", 0), ("<", 0), (">", -1)}
"""Comparisons that only ask whether there is a card."""


class FlowValues:
    """The values of expressions, in a state; only functions that move cards change it."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.in_addresses: set[int] = set()
        """Identities of slots in addresses that are cards, and of those that are numbers."""
        self.not_in_addresses: set[int] = set()

    def _misused(self) -> NotKeptError:
        return NotKeptError(f"{self.facts.at} uses a card as a number")

    def any(self, node: Expr | List, state: State) -> Value:
        """Return the value of an expression, or of the members of a list."""
        return self.members(node, state) if isinstance(node, List) else self.number(node, state)

    def plain(self, node: Expr | List, state: State) -> None:
        """Look at an operand that must not be a card."""
        if card_in(self.any(node, state)) is not None:
            raise self._misused()

    def address(self, node: Expr, state: State) -> None:
        """Look at the address of a cell, or at a track's index. One for each card tells it from the others."""
        for term in _terms(node):
            value = self.number(term, state)
            ref = card_in(value)
            if isinstance(value, Coded):
                raise self._misused()
            if ref is not None:
                self.facts.tell_apart(ref.faces, "keeps a value for each card")
            slot = term.operand if isinstance(term, t.Present) else term
            if isinstance(slot, t.Local):
                if value is not None:
                    (self.in_addresses if ref is not None else self.not_in_addresses).add(id(slot))
            elif ref is not None:
                raise NotKeptError(f"{self.facts.at} reads a value of a card that no variable holds")

    # -------------------------------------------------------------- calls

    def call(
        self, called: Unit, arguments: Sequence[Expr | List], state: State, only: Mapping[int, Faces] | None = None
    ) -> Value:
        """Call a unit, and return its result. `only` limits the faces of cards in slots."""
        for place, argument in enumerate(arguments):
            value, slot = self.any(argument, state), slot_of(argument)
            if isinstance(value, Ref) and only is not None and slot is not None and slot in only:
                value = evolve(value, faces=value.faces & only[slot], stale=value.stale & only[slot])
            self.facts.passed(called, place, value)
        self.facts.called(called, state)
        return self.facts.results.get(called)

    def call_by_table(
        self, kind: str, node: t.DoTable | t.InvokeTable, state: State, arguments: Sequence[Expr | List]
    ) -> None:
        """Call any of the units in a table; for a card, that of its face."""
        value, slot, table = self.number(node.index, state), slot_of(node.index), self._program.tables[node.table]
        self.facts.index(node, value, table)
        for called in sorted({*table} - {-1}):
            only = None
            if isinstance(value, Ref) and slot is not None:
                only = {slot: self.facts.faces_of([card for card, one in enumerate(table) if one == called])}
            self.call((kind, called), arguments, state, only)

    @property
    def _program(self) -> TableProgram:
        return self.facts.program

    # -------------------------------------------------------------- integers

    def number(self, node: Expr, state: State) -> Value:
        """Return the value of an integer expression."""
        found = _NUMBERS.get(type(node))
        if found is None:
            raise NotKeptError(f"{self.facts.at} works out what the analysis does not know")
        return found(self, node, state)

    def of_numbers(self, node: Expr | List, state: State) -> Value:
        """Return the value of a node that is worked out from numbers."""
        for part in children(node):
            self.plain(part, state)
        return NUMBER

    def const(self, node: Const, _state: State) -> Value:
        return None if node.value == -1 else NUMBER

    def local(self, node: t.Local | t.LocalList, state: State) -> Value:
        return state.get(node.slot)

    def cell(self, node: t.Cell, state: State) -> Value:
        if not is_place(node.address, self._program):
            self.address(node.address, state)
            remembered = self.facts.remembered(node.address)
            return NUMBER if remembered is None else remembered
        value = self.number(node.address, state)
        if isinstance(value, Coded):
            self.facts.tell_apart(value.ref.stale, "asks where a card is that may have left its place")
            self.facts.of_cards.add(id(node))
        return NUMBER

    def table(self, node: t.Table | t.TableList, state: State) -> Value:
        entries = self._program.tables if isinstance(node, t.Table) else self._program.lists
        self.facts.index(node, self.number(node.index, state), entries[node.table])
        return NUMBER

    def binary(self, node: t.Binary | t.Checked, state: State) -> Value:
        left, right = self.number(node.left, state), self.number(node.right, state)
        if card_in(left) is None and card_in(right) is None:
            return NUMBER
        if node.op in t.COMPARISONS:
            return self._compared(node, left, right)
        if isinstance(node, t.Checked):
            raise self._misused()
        found = worked_out(node, left, right)
        if found is None:
            raise self._misused()
        return found

    def _compared(self, node: t.Binary | t.Checked, left: Value, right: Value) -> Value:
        if isinstance(left, Ref) and isinstance(right, Ref) and node.op in ("==", "!="):
            self.facts.tell_apart(left.faces & right.faces, "compares one card with another")
            self.facts.of_cards.add(id(node))
        elif not _asks_for_none(node) and left is not None and right is not None:
            raise self._misused()
        return NUMBER

    def if_else(self, node: t.IfElse, state: State) -> Value:
        self.plain(node.condition, state)
        return join(self.number(node.then, state), self.number(node.otherwise, state))

    def present(self, node: t.Present, state: State) -> Value:
        return self.number(node.operand, state)

    def called(self, node: t.Call | t.CallList, state: State) -> Value:
        return self.call(("function", node.function), node.arguments, state)

    def count(self, node: t.Count, state: State) -> Value:
        self.members(node.items, state)
        return NUMBER

    def fold(self, node: t.Total | t.Exists | t.Highest, state: State) -> Value:
        if card_in(self._bound(node.items, node.slot, node.body, state)[1]) is not None:
            raise self._misused()
        return NUMBER

    def contains(self, node: t.Contains, state: State) -> Value:
        self._alike(node, self.members(node.items, state), self.number(node.value, state))
        return NUMBER

    def same(self, node: t.Same, state: State) -> Value:
        self._alike(node, self.members(node.left, state), self.members(node.right, state))
        return NUMBER

    def _alike(self, node: object, one: Value, other: Value) -> None:
        """Look at what is compared."""
        if isinstance(one, Ref) and isinstance(other, Ref):
            self.facts.tell_apart(one.faces & other.faces, "looks for one card in a list of cards")
            self.facts.of_cards.add(id(node))
        elif one is not None and other is not None and {one, other} != {NUMBER}:
            raise self._misused()

    def end_of(self, node: t.First | t.Last, state: State) -> Value:
        value = self.members(node.items, state)
        if isinstance(value, Ref) and isinstance(node, t.Last) and isinstance(node.items, t.Cards):
            return evolve(value, top=True)
        return one_of(value)

    # -------------------------------------------------------------- lists

    def members(self, node: List, state: State) -> Value:
        """Return what the members of a list can be."""
        found = _LISTS.get(type(node))
        if found is None:
            raise NotKeptError(f"{self.facts.at} lists what the analysis does not know")
        return found(self, node, state)

    def _bound(self, items: List, slot: int, body: Expr | List, state: State) -> tuple[Value, Value]:
        """Return the members of a list, and the value of a body for one of them."""
        members = self.members(items, state)
        inside = dict(state)
        inside[slot] = one_of(members)
        return members, self.any(body, inside)

    def items(self, node: t.Items, state: State) -> Value:
        found: Value = None
        for value in node.values:
            found = join(found, self.number(value, state))
        return found if len(node.values) == 1 else not_distinct(found)

    def cell_list(self, node: t.CellList, state: State) -> Value:
        self.address(node.address, state)
        remembered = self.facts.remembered(node.address)
        return NUMBER if remembered is None else remembered

    def cards(self, node: t.Cards, state: State) -> Value:
        self.plain(node.zone, state)
        zones, faces = self.facts.zones.of(node.zone, self.facts.unit), 0
        for zone in bits(zones):
            faces |= self.facts.held[zone]
        return Ref(faces, zones)

    def chosen(self, node: t.Filter | t.Extremes | t.Ranked, state: State) -> Value:
        body = node.condition if isinstance(node, t.Filter) else node.body
        members, value = self._bound(node.items, node.slot, body, state)
        if card_in(value) is not None:
            raise self._misused()
        if not isinstance(members, Ref):
            return members
        return self._narrowed(members, node, state) if isinstance(node, t.Filter) else evolve(members, top=False)

    def _narrowed(self, members: Ref, node: t.Filter, state: State) -> Ref:
        """Leave out the faces that certainly do not pass a filter."""
        faces = members.faces
        for face in bits(faces):
            cards = self.facts.cards_of(face)
            if all(holds(node.condition, node.slot, card, self._program) is False for card in cards):
                faces &= ~(1 << face)
        for part in conjuncts(node.condition):
            if (
                isinstance(part, t.Contains)
                and part.value == t.Local(node.slot)
                and isinstance(part.items, _STORED)
            ):
                listed = self.members(part.items, dict(state))
                faces &= listed.faces if isinstance(listed, Ref) else 0
        return evolve(members, faces=faces, stale=members.stale & faces, top=False)

    def distinct(self, node: t.Distinct, state: State) -> Value:
        members, key = self._bound(node.items, node.slot, node.body, state)
        if isinstance(key, Coded):
            raise self._misused()
        if isinstance(key, Ref):
            self.facts.tell_apart(key.faces, "compares one card with another")
            self.facts.of_cards.add(id(node))
        return members

    def map(self, node: t.Map, state: State) -> Value:
        members, value = self._bound(node.items, node.slot, node.body, state)
        ref = card_in(members)
        if isinstance(value, Coded) and ref is not None and t.Local(node.slot) in everything(node.body):
            return value.with_cards(lambda card: evolve(card, distinct=ref.distinct, top=False))
        return not_distinct(value)

    def flat_map(self, node: t.FlatMap, state: State) -> Value:
        return not_distinct(self._bound(node.items, node.slot, node.body, state)[1])

    def concat(self, node: t.Concat, state: State) -> Value:
        left, right = self.members(node.left, state), self.members(node.right, state)
        both = join(left, right)
        if isinstance(left, Ref) and isinstance(right, Ref) and isinstance(both, Ref):
            apart = not left.zones & right.zones or not left.faces & right.faces
            apart = apart and not left.stale and not right.stale
            return evolve(both, distinct=left.distinct and right.distinct and apart, top=False)
        if isinstance(left, Coded) and isinstance(right, Coded):
            apart = left.by == right.by and not {n for n, _ in left.cards} & {n for n, _ in right.cards}
            return both if apart else not_distinct(both)
        return both

    def take(self, node: t.Take, state: State) -> Value:
        self.plain(node.count, state)
        value = self.members(node.items, state)
        return evolve(value, top=False) if isinstance(value, Ref) else value

    def rotated(self, node: t.Rotated | Others, state: State) -> Value:
        members, start = self.members(node.items, state), self.number(node.start, state)
        if card_in(members) is not None or card_in(start) is not None:
            raise NotKeptError(f"{self.facts.at} rotates a list of cards")
        return members

    def choice(self, node: t.Choice, state: State) -> Value:
        self.plain(node.condition, state)
        return join(self.members(node.then, state), self.members(node.otherwise, state))

    def metered(self, node: Metered, state: State) -> Value:
        return self.members(node.items, state)

    def answer(self, node: t.Answer, state: State) -> Value:
        self.plain(node.seat, state)
        if self.facts.unit[0] == "function":
            raise NotKeptError(f"{self.facts.at} reads an answer to what others have asked")
        return state.get(ANSWER)


def _asks_for_none(node: t.Binary | t.Checked) -> bool:
    """Return whether a comparison only asks whether there is a card."""
    return isinstance(node.right, Const) and (node.op, node.right.value) in _NONE_TESTS


_STORED = (t.LocalList, t.CellList)
"""Lists that need not be worked out again."""


def is_place(address: Expr, program: TableProgram) -> bool:
    """Return whether an address is that of a card's place: the start of the places, and a card."""
    match address:
        case t.Binary("+", _, Const(base)) | t.Binary("+", Const(base), _):
            return base == program.layout.places
    return False


def slot_of(node: Expr | List) -> int | None:
    """Return the slot that a node consists of: a card, a list, or a list of the one card."""
    match node:
        case t.Local(slot) | t.LocalList(slot) | t.Present(t.Local(slot)) | t.Items((t.Local(slot),)):
            return slot
    return None


def _terms(node: Expr) -> list[Expr]:
    """Return what an address or an index is worked out from by arithmetic."""
    if isinstance(node, t.Binary | t.Checked) and node.op not in t.COMPARISONS:
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


_NUMBERS: dict[type[Expr], Callable[[FlowValues, Any, State], Value]] = {
    Const: FlowValues.const,
    t.Local: FlowValues.local,
    t.Cell: FlowValues.cell,
    t.Table: FlowValues.table,
    t.Not: FlowValues.of_numbers,
    t.And: FlowValues.of_numbers,
    t.Or: FlowValues.of_numbers,
    t.Least: FlowValues.of_numbers,
    t.Most: FlowValues.of_numbers,
    t.Within: FlowValues.of_numbers,
    t.Binary: FlowValues.binary,
    t.Checked: FlowValues.binary,
    t.IfElse: FlowValues.if_else,
    t.Present: FlowValues.present,
    t.Call: FlowValues.called,
    t.Count: FlowValues.count,
    t.Total: FlowValues.fold,
    t.Exists: FlowValues.fold,
    t.Highest: FlowValues.fold,
    t.Contains: FlowValues.contains,
    t.Same: FlowValues.same,
    t.First: FlowValues.end_of,
    t.Last: FlowValues.end_of,
}

_LISTS: dict[type[List], Callable[[FlowValues, Any, State], Value]] = {
    t.Items: FlowValues.items,
    t.LocalList: FlowValues.local,
    t.CellList: FlowValues.cell_list,
    t.Cards: FlowValues.cards,
    t.TableList: FlowValues.table,
    t.Filter: FlowValues.chosen,
    t.Extremes: FlowValues.chosen,
    t.Ranked: FlowValues.chosen,
    t.Distinct: FlowValues.distinct,
    t.Map: FlowValues.map,
    t.FlatMap: FlowValues.flat_map,
    t.Concat: FlowValues.concat,
    t.Take: FlowValues.take,
    t.Rotated: FlowValues.rotated,
    Others: FlowValues.rotated,
    Looked: FlowValues.of_numbers,
    t.Choice: FlowValues.choice,
    t.CallList: FlowValues.called,
    Metered: FlowValues.metered,
    t.Answer: FlowValues.answer,
}
