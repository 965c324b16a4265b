"""Python source for lists as expressions: the text that `ValueText.items` writes for each node.

Lists that take several lines to make are in `python.lists`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.analysis.metered import Metered
from interpreter.analysis.shapes import Made, Others, as_test, plain, slot_name
from interpreter.analysis.tabulate import Looked
from interpreter.backends.python.expressions import ValueText, slice_from
from interpreter.state.decision_slots import answer_address
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, List


def _items(text: ValueText, node: t.Items) -> str:
    values = [plain(text.number(value)) for value in node.values]
    return f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"


def _cards(text: ValueText, node: t.Cards) -> str:
    address = text.zone_address(node.zone)
    if address is not None:
        return text.list_at(address)
    if node in text.addresses:
        return slice_from(text.addresses[node])
    zone = plain(text.number(node.zone))
    if text.cheap(node.zone):
        return f"S[FIRST[{zone}]:FIRST[{zone}] + S[ADDRESS[{zone}]]]"
    return f"read(S, ADDRESS[{zone}])"


def _filter(text: ValueText, node: t.Filter) -> str:
    look_up = text.looked_up(node, node.condition)
    if look_up:
        return f"[*filter({look_up}, {text.items(node.items)})]"
    return text.each(slot_name(node.slot), node, text.condition(node.condition))


def mapped(text: ValueText, node: t.Map | t.Total | t.Highest) -> str:
    """Write the values of a body, for each item of a list."""
    look_up = text.looked_up(node, node.body)
    return f"[*map({look_up}, {text.items(node.items)})]" if look_up else text.each(text.number(node.body), node)


def _flat_map(text: ValueText, node: t.FlatMap) -> str:
    inner = f"x{node.slot}"
    outer = f"for {slot_name(node.slot)} in {text.items(node.items)}"
    return f"[{inner} {outer} for {inner} in {text.items(node.body)}]"


def _take(text: ValueText, node: t.Take) -> str:
    items = text.items(node.items)
    counted = t.Count(node.items)
    all_but_one = (t.Binary("+", counted, Const(-1)), t.Binary("-", counted, Const(1)))
    if not node.first and node.count in all_but_one and not text.can_fail(node.items):
        return f"{items}[1:]"
    if isinstance(node.count, Const):
        count = node.count.value
        if count > 0 and node.first and isinstance(node.items, t.Filter):
            look_up = text.looked_up(node.items, node.items.condition)
            if look_up and not text.can_fail(node.items.items):
                return f"[*first_few(filter({look_up}, {text.items(node.items.items)}), {count})]"
        if count > 0:
            return f"{items}[:{count}]" if node.first else f"{items}[-{count}:]"
        return f"{items}[:0]"
    return f"{'first_of' if node.first else 'last_of'}({items}, {plain(text.number(node.count))})"


def _extremes(text: ValueText, node: t.Extremes) -> str:
    name = "lowest_of" if node.lowest else "highest_of"
    return f"{name}({text.items(node.items)}, {text.key(node)}, {not text.can_fail(node.body)})"


def _ranked(text: ValueText, node: t.Ranked) -> str:
    order = ", reverse=True" if node.descending else ""
    return f"sorted({text.items(node.items)}, key={text.key(node)}{order})"


def _distinct(text: ValueText, node: t.Distinct) -> str:
    name = "told_apart" if text.can_fail(node.body) else "distinct"
    return f"{name}({text.items(node.items)}, {text.key(node)})"


def _choice(text: ValueText, node: t.Choice) -> str:
    test = as_test(text.condition(node.condition))
    return f"({text.items(node.then)} if {test} else {text.items(node.otherwise)})"


def _answer(text: ValueText, node: t.Answer) -> str:
    layout = text.program.layout
    if isinstance(node.seat, Const):
        return text.list_at(Const(answer_address(layout, node.seat.value)))
    start = answer_address(layout, 0)
    return f"read(S, {start} + {text.number(node.seat)} * {layout.decision})"


LISTS: dict[type[List], Callable[[ValueText, Any], str]] = {
    t.Items: _items,
    t.LocalList: lambda text, node: slot_name(node.slot),
    Made: lambda text, node: node.name,
    t.CellList: lambda text, node: text.list_at(node.address),
    t.Cards: _cards,
    t.TableList: lambda text, node: f"L{node.table}[{plain(text.number(node.index))}]",
    t.Filter: _filter,
    t.Map: mapped,
    t.FlatMap: _flat_map,
    t.Concat: lambda text, node: f"[*{text.items(node.left)}, *{text.items(node.right)}]",
    t.Take: _take,
    t.Extremes: _extremes,
    t.Ranked: _ranked,
    t.Distinct: _distinct,
    Looked: lambda text, node: text.looked(node),
    Others: lambda text, node: text.others(node),
    t.Rotated: lambda text, node: f"rotated({text.items(node.items)}, {plain(text.number(node.start))})",
    t.Choice: _choice,
    t.CallList: lambda text, node: text.call(node.function, node.arguments),
    Metered: lambda text, node: f"metered(S, {text.items(node.items)}, {node.each}, {node.at})",
    t.Answer: _answer,
}
