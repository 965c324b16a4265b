"""Shapes of lists: constants, look-ups, and the others around a table."""

from __future__ import annotations

from attrs import frozen

from rulewright.interpreter.analysis.metering import metered_program
from rulewright.interpreter.analysis.nodes import can_fail, folded, read_slots
from rulewright.interpreter.analysis.tabulate import constant_list
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List, Local, TableProgram
from rulewright.ruleset.table.traversal import everything


@frozen
class Others(List):
    """The items from the one after `start` around to the one before it: the others, clockwise."""

    items: List
    start: Expr


@once
def for_text(program: TableProgram) -> TableProgram:
    """Return the program that text is generated from: metered, folded, with shaped lists."""
    return folded(metered_program(program), shaped)


def shaped(node: List, program: TableProgram) -> List:
    """Return a list as a constant, a look-up or `Others` where it has that form."""
    match node:
        case t.Filter(t.Rotated(items, start), slot, t.Binary("!=", Local(one), other)):
            if one == slot and other == start and not _can_fail(start, program):  # it is evaluated once
                return Others(items, start)
        case t.Filter(items, slot, condition) if _stands_before(condition, slot, items, program):
            return t.Choice(condition, items, t.Items(()))
        case t.Filter(items, slot, t.And(test, rest)) if _stands_before(test, slot, items, program):
            return t.Choice(test, shaped(t.Filter(items, slot, rest), program), t.Items(()))
    return constant_list(node, program) or node


def _stands_before(condition: Expr, slot: int, items: List, program: TableProgram) -> bool:
    """Return whether a condition is the same for all items and may be tested before the items are evaluated."""
    independent = slot not in read_slots(condition) and _is_plain(condition)
    return independent and not _can_fail(items, program)


def _can_fail(node: Expr | List, program: TableProgram) -> bool:
    """Return whether evaluating a node may fail or use fuel. Every function is assumed to."""
    return can_fail(node, range(len(program.functions)))


def _is_plain(condition: Expr) -> bool:
    """Return whether a condition cannot fail, so that it may be evaluated even if there are no items."""
    reading = (Const, Local, t.Cell, t.Table, t.TableList)
    logic = (t.Contains, t.Not, t.And, t.Or, t.Exists, t.Items)
    return all(
        isinstance(part, (*reading, *logic)) or (isinstance(part, t.Binary) and part.op in t.COMPARISONS)
        for part in everything(condition)
    )


def plain(text: str) -> str:
    """Remove the outermost parentheses of a text if they are redundant."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    return text if text.endswith(",)") or text == "()" else text[1:-1]
