"""Tests of cards that only read constant tables: all cards of a class pass them, or none does."""

from __future__ import annotations

from interpreter.state.arithmetic import OPERATORS
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local, TableProgram
from ruleset.table.traversal import children


def holds(node: Expr, slot: int, item: int, program: TableProgram) -> bool | None:
    """Return whether a condition on the item in a slot holds, as far as constant tables tell; else None."""
    match node:
        case Const(value):
            return bool(value)
        case t.Not(operand):
            found = holds(operand, slot, item, program)
            return None if found is None else not found
        case t.And(left, right) | t.Or(left, right):
            both = holds(left, slot, item, program), holds(right, slot, item, program)
            decides = isinstance(node, t.Or)
            return decides if decides in both else None if None in both else not decides
        case t.Contains(t.TableList(number, index), Const(value)) if is_item(index, slot):
            return value in program.lists[number][item]
        case t.Table(number, index) if is_item(index, slot):
            return bool(program.tables[number][item])
        case t.Binary(op, t.Table(number, index), Const(value)) if is_item(index, slot) and op in t.COMPARISONS:
            return bool(OPERATORS[op](program.tables[number][item], value))
    return None


def is_item(index: Expr, slot: int) -> bool:
    """Return whether an index is the item in a slot, or its class (`class_program.ClassAt`)."""
    return index == Local(slot) or getattr(index, "card", None) == Local(slot)


def conjuncts(node: Expr) -> list[Expr]:
    """Return the conditions that all have to hold."""
    return [*conjuncts(node.left), *conjuncts(node.right)] if isinstance(node, t.And) else [node]


def of_whole_classes(cards: List) -> bool:
    """Return whether a list has all cards of a zone that pass tests of their faces: of equal cards, all or none."""
    while isinstance(cards, t.Filter) and _of_faces(cards.condition, cards.slot):
        cards = cards.items
    return isinstance(cards, t.Cards)


def _of_faces(condition: Expr | List, slot: int) -> bool:
    """Return whether a condition has the same value for equal cards: it only reads tables of them."""
    if isinstance(condition, Local):
        return condition.slot != slot
    if isinstance(condition, t.Table | t.TableList) and condition.index == Local(slot):
        return True
    return all(_of_faces(part, slot) for part in children(condition))
