"""Python source for integers: the text that `ValueText.number` writes for each node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.analysis.nodes import interval, most_members
from interpreter.analysis.shapes import MadeNumber, as_test, literal, plain, slot_name
from interpreter.backends.python.expressions import ValueText
from interpreter.backends.python.list_expressions import mapped
from interpreter.state.arithmetic import HIGHEST, LOWEST
from interpreter.state.decision_slots import answer_address
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List

CHECKED_NAMES = {"+": "add", "-": "subtract", "*": "multiply", "//": "divide", "%": "modulo"}


def _binary(text: ValueText, node: t.Binary) -> str:
    result = text.arithmetic(node)
    return f"(1 if {plain(result)} else 0)" if node.op in t.COMPARISONS else result


def _checked(text: ValueText, node: t.Checked) -> str:
    if node.op in t.COMPARISONS:
        return f"(1 if {plain(text.arithmetic(node))} else 0)"
    left, right = plain(text.number(node.left)), plain(text.number(node.right))
    return f"{CHECKED_NAMES[node.op]}({left}, {right}, {node.at})"


def _if_else(text: ValueText, node: t.IfElse) -> str:
    test = as_test(text.condition(node.condition))
    return f"({text.number(node.then)} if {test} else {text.number(node.otherwise)})"


def _least(text: ValueText, node: t.Least | t.Most) -> str:
    left, right = text.number(node.left), text.number(node.right)
    least = isinstance(node, t.Least)
    if text.cheap(node.left) and text.cheap(node.right):
        return f"({left} if {left} {'<' if least else '>'} {right} else {right})"
    return f"{'min' if least else 'max'}({plain(left)}, {plain(right)})"


def _count(text: ValueText, node: t.Count) -> str:
    match node.items:
        case t.CellList() | t.Cards() as cells:
            return text.count_of(cells)
        case t.Answer(Const(seat)):
            return f"S[{answer_address(text.program.layout, seat)}]"
        case t.Filter() as kept:
            look_up = text.looked_up(kept, kept.condition)
            if look_up and text.tells(kept):
                return f"sum(map({look_up}, {text.items(kept.items)}))"
            if look_up:
                return f"len({text.items(kept)})"
            return f"len({text.each('1', kept, text.condition(kept.condition))})"
        case items:
            return f"len({text.items(items)})"


def _total(text: ValueText, node: t.Total) -> str:
    look_up = text.looked_up(node, node.body)
    total = f"sum(map({look_up}, {text.items(node.items)}))" if look_up else f"sum({mapped(text, node)})"
    (low, high), most = interval(node.body, text.program), most_members(node.items, text.program)
    if most is not None and low * most >= LOWEST and high * most <= HIGHEST:
        return total
    return f"fitting({total}, {node.at})"


def _first(text: ValueText, node: t.First | t.Last) -> str:
    first = isinstance(node, t.First)
    address: Expr | None = None
    if isinstance(node.items, t.CellList) and isinstance(node.items.address, Const):
        address = node.items.address
    elif isinstance(node.items, t.Cards):
        address = text.zone_address(node.items.zone)
    if isinstance(address, Const):
        start = address.value
        found = f"S[{start + 1}]" if first else f"S[{start} + S[{start}]]"
        return f"({found} if S[{start}] else (-1))"
    if first and isinstance(node.items, t.Extremes):
        # `max` and `min` return the first of equal items.
        found = "min" if node.items.lowest else "max"
        return f"{found}({text.items(node.items.items)}, key={text.key(node.items)}, default=-1)"
    at = _member(text, node.items, 0 if first else -1)
    return at or f"({text.items(node.items)} or NONE)[{0 if first else -1}]"


def _member(text: ValueText, items: List, place: int) -> str:
    """Write a list slot's first (0) or last (-1) member if it is known to have one; else ""."""
    match items:
        case t.LocalList(slot) if text.lengths.get(slot, 0) > 0:
            return f"{slot_name(slot)}[{place}]"
        case t.Take(t.LocalList(slot), Const(count), True) if text.lengths.get(slot, 0) >= count > 0:
            return f"{slot_name(slot)}[{place if place == 0 else count - 1}]"
        case _:
            return ""


def _highest(text: ValueText, node: t.Highest) -> str:
    return f"{'min' if node.lowest else 'max'}({mapped(text, node)}, default={node.empty})"


NUMBERS: dict[type[Expr], Callable[[ValueText, Any], str]] = {
    t.Const: lambda text, node: literal(node.value),
    t.Local: lambda text, node: slot_name(node.slot),
    MadeNumber: lambda text, node: node.name,
    t.Cell: lambda text, node: text.cell(node.address),
    t.Table: lambda text, node: f"T{node.table}[{plain(text.number(node.index))}]",
    t.Binary: _binary,
    t.Checked: _checked,
    t.IfElse: _if_else,
    t.Least: _least,
    t.Most: _least,
    t.Call: lambda text, node: text.call(node.function, node.arguments),
    t.Present: lambda text, node: text.present(node),
    t.Within: lambda text, node: (
        f"within({plain(text.number(node.operand))}, {literal(node.least)}, {literal(node.most)}, {node.at})"
    ),
    t.Count: _count,
    t.Total: _total,
    t.First: _first,
    t.Last: _first,
    t.Highest: _highest,
}
