"""Small parts of generated Python: names, literals, and shapes of lists that table programs do not know."""

from __future__ import annotations

from attrs import frozen

from interpreter.analysis.metering import metered_program
from interpreter.analysis.nodes import can_fail, folded, read_slots, walk
from interpreter.analysis.tabulate import constant_list
from interpreter.state.memo import once
from ruleset.table import nodes as table
from ruleset.table.nodes import Const, Expr, List, Local, TableProgram

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@frozen
class Made(List):
    """A list that lines before the present one have made."""

    name: str


@frozen
class MadeNumber(Expr):
    """An integer that lines before the present one have worked out."""

    name: str


@frozen
class Others(List):
    """A list from behind one member on, around to just before it: the others, clockwise."""

    items: List
    start: Expr


@once
def for_text(program: TableProgram) -> TableProgram:
    """The program of which text is generated: metered, folded, its lists shaped."""
    return folded(metered_program(program), shaped)


def shaped(node: List, program: TableProgram) -> List:
    """A list as a constant, a look-up or the others, where it is one of these."""
    match node:
        case table.Filter(table.Rotated(items, start), slot, table.Binary("!=", Local(one), other)):
            if one == slot and other == start and not _can_fail(start, program):  # it is worked out once
                return Others(items, start)
        case table.Filter(items, slot, condition) if _stands_before(condition, slot, items, program):
            return table.Choice(condition, items, table.Items(()))
        case table.Filter(items, slot, table.And(test, rest)) if _stands_before(test, slot, items, program):
            return table.Choice(test, shaped(table.Filter(items, slot, rest), program), table.Items(()))
    return constant_list(node, program) or node


def _stands_before(condition: Expr, slot: int, items: List, program: TableProgram) -> bool:
    """Whether a condition says the same of all items, and of itself whether they are needed at all."""
    independent = slot not in read_slots(condition) and _is_plain(condition)
    return independent and not _can_fail(items, program)


def _can_fail(node: Expr | List, program: TableProgram) -> bool:
    """Whether evaluating a node may fail or use fuel, as every function is taken to do."""
    return can_fail(node, range(len(program.functions)))


def _is_plain(condition: Expr) -> bool:
    """Whether a condition may be evaluated though there are no items: it cannot fail."""
    reading = (Const, Local, table.Cell, table.Table, table.TableList)
    logic = (table.Contains, table.Not, table.And, table.Or, table.Exists, table.Items)
    return all(
        isinstance(part, (*reading, *logic)) or (isinstance(part, table.Binary) and part.op in COMPARISONS)
        for part in walk(condition)
    )


def slot_name(slot: int) -> str:
    """The Python variable of a slot."""
    return f"v{slot}"


def literal(value: int) -> str:
    """An integer as an atomic expression."""
    return str(value) if value >= 0 else f"({value})"


def plain(text: str) -> str:
    """A text without its outermost parentheses, where nothing needs them."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    return text if text.endswith(",)") or text == "()" else text[1:-1]


def as_test(text: str) -> str:
    """A condition's text as it may stand within a conditional expression or a comprehension."""
    return text if " else " in text else plain(text)
