"""C for lists that are in memory, or of which a part is: their start and their length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.interpreter.analysis.metered import Metered
from rulewright.interpreter.analysis.tabulate import Looked
from rulewright.interpreter.backends.native.codegen.lists import ListText, View
from rulewright.interpreter.state.decision_slots import answer_address
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List


def _items(text: ListText, node: t.Items) -> View:
    if all(isinstance(value, Const) for value in node.values):
        if not node.values:
            return View("rw_none", "0")
        constants = [value.value for value in node.values if isinstance(value, Const)]
        return View(text.array(constants), str(len(constants)))
    values = [text.named(value) for value in node.values]
    name = text.name("b")
    text.line(f"const int {name}[] = {{{', '.join(values)}}};")
    return View(name, str(len(values)))


def _at(text: ListText, address: str) -> View:
    """View list cells at an address."""
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *const {pointer} = S + {address} + 1; const int {count} = {pointer}[-1];")
    return View(pointer, count)


def _table_list(text: ListText, node: t.TableList) -> View:
    index, pointer, count = text.named(node.index), text.name("p"), text.name("c")
    offsets = f"rw_O{node.table}"
    text.line(f"const int *const {pointer} = rw_L{node.table} + {offsets}[{index}];")
    text.line(f"const int {count} = {offsets}[{index} + 1] - {offsets}[{index}];")
    return View(pointer, count)


def _metered(text: ListText, node: Metered) -> View:
    """View a metered list, which stays unchanged during the loop over it, even that of a statement."""
    view = text.owned(node.items)
    text.line(f"rw_spend(G, {view.count}, {node.each}, {node.at});")
    text.passed_on()
    return view


def _take(text: ListText, node: t.Take) -> View:
    view = text.view(node.items)
    wanted, count = text.named(node.count), text.name("c")
    text.line(f"const int {count} = {wanted} < 0 ? 0 : {wanted} < {view.count} ? {wanted} : {view.count};")
    if node.first:
        return View(view.pointer, count)
    pointer = text.name("p")
    text.line(f"const int *const {pointer} = {view.pointer} + {view.count} - {count};")
    return View(pointer, count)


def _choice(text: ListText, node: t.Choice) -> View | None:
    """View one of two lists in memory; only the chosen one is evaluated."""
    if not text.lies(node.then) or not text.lies(node.otherwise):
        return None
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *{pointer}; int {count};")
    test = text.number(node.condition)
    for head, part in ((f"if ({test})", node.then), ("else", node.otherwise)):
        with text.block(head):
            view = text.view(part)
            text.line(f"{pointer} = {view.pointer}; {count} = {view.count};")
    return View(pointer, count)


def _looked(text: ListText, node: Looked) -> View:
    """View one of some constant lists, chosen by a number."""
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *{pointer}; int {count};")
    with text.block(f"switch ({text.number(node.outer)})"):
        for value, members in node.lists:
            text.line(f"case {value}: {pointer} = {text.array(members)}; {count} = {len(members)}; break;")
        text.line(f"default: {pointer} = {text.array(node.other)}; {count} = {len(node.other)};")
    return View(pointer, count)


def _answer(text: ListText, seat: Expr) -> str:
    layout = text.program.layout
    return f"{answer_address(layout, 0)} + {text.number(seat)} * {layout.decision}"


VIEWS: dict[type[List], Callable[[ListText, Any], View | None]] = {
    t.Items: _items,
    t.LocalList: lambda _text, node: View(f"l{node.slot}", f"n{node.slot}"),
    t.CellList: lambda text, node: _at(text, text.cells_of(node)),
    t.Cards: lambda text, node: _at(text, text.cells_of(node)),
    t.TableList: _table_list,
    t.Take: _take,
    t.Choice: _choice,
    Looked: _looked,
    Metered: _metered,
    t.Answer: lambda text, node: _at(text, _answer(text, node.seat)),
}
