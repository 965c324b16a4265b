"""C for statements that move cards kept by class, or write to lists that are sets, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.backends.native.codegen.kept_lists import KeptListText
from interpreter.backends.native.codegen.lists import View
from interpreter.backends.native.codegen.statements import STATEMENTS
from interpreter.optimiser.class_program import ClassOf
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local, Stmt


def _moved(text: KeptListText) -> None:
    """Write the line that ends this function if a move found a zone full."""
    if not text.kept_cards.never_full:
        text.passed_on()


def _movable(text: KeptListText, node: List) -> View:
    """Return the view of a list of cards that may be changed."""
    if isinstance(node, t.LocalList):
        return text.view(node)
    buffer, count = text.buffer(text.bounds.most(node, text.slots))
    text.append(node, buffer, count)
    return View(buffer, count)


def _move(text: KeptListText, node: t.Move) -> None:
    to = text.named(node.to)
    place = "-1" if node.place is None else text.named(node.place)
    rest = f"{to}, {text.form(node.to, to)}, {int(node.bottom)}, {place}, {node.at}"
    if isinstance(node.cards, t.Items) and len(node.cards.values) == 1:
        card = node.cards.values[0]
        kept = f"{text.number(card)} = " if isinstance(card, Local) and card.slot not in text.bound else ""
        text.line(f"{kept}rw_move_one(G, {text.named(card)}, {rest});")
    elif (some := _whole_classes(text, node.cards)) is not None:
        zone, mask = some
        source = text.named(zone)
        text.line(f"rw_move_some(G, {source}, {text.form(zone, source)}, {mask}, {rest});")
    else:
        view = _movable(text, node.cards)
        text.line(f"rw_move(G, {view.pointer}, {view.count}, {rest});")
    _moved(text)


def _whole_classes(text: KeptListText, cards: List) -> tuple[Expr, str] | None:
    """Return the zone and the set of classes of which a list has all cards, if it is such a list."""
    match cards:
        case t.Cards(zone):
            mask = text.mask(Const(1), -1)
        case t.Filter(t.Cards(zone), slot, condition):
            mask = text.mask(condition, slot)
        case _:
            return None
    return None if mask is None else (zone, mask)


def _set_cells(text: KeptListText, node: t.SetCells | t.SetCell | t.Append | t.Remove) -> None:
    """Write to a list, and note its members if it is kept as a set, too."""
    match node:
        case t.SetCells(address, t.Map(items, slot, ClassOf(Local(same)))) if slot == same and text.lies(items):
            name, view = text.named(address), text.view(items)
            text.line(f"rw_write_classes(G, {name}, {view.pointer}, {view.count});")
            return
    writer = STATEMENTS[type(node)]
    assert writer is not None
    writer(text, node)
    if isinstance(node.address, Const) and node.address.value in text.listed:
        text.line(f"rw_note(G, {text.listed.index(node.address.value)}, {node.address.value});")


def _move_all(text: KeptListText, node: t.MoveAll) -> None:
    source, to = text.named(node.source), text.named(node.to)
    zones = f"{source}, {text.form(node.source, source)}, {to}, {text.form(node.to, to)}"
    text.line(f"rw_move_all(G, {zones}, {int(node.bottom)}, {node.at});")
    _moved(text)


def _send_home(text: KeptListText, node: t.SendHome) -> None:
    view = _movable(text, node.cards)
    place = "-1" if node.place is None else text.named(node.place)
    homes = text.array(text.program.tables[node.homes])
    text.line(f"rw_send_home(G, {view.pointer}, {view.count}, {homes}, {place}, {node.at});")
    _moved(text)


def _draw(text: KeptListText, node: t.Drawing) -> None:
    source, count, to = map(text.named, (node.source, node.count, node.to))
    kept = "" if node.slot is None else f"n{node.slot} = "
    out = "0" if node.slot is None else f"l{node.slot}"
    if isinstance(node, t.DrawBottom):
        text.line(f"{kept}rw_draw_bottom(G, {source}, {count}, {to}, {int(node.bottom)}, {out}, {node.at});")
    else:
        zones = f"{source}, {text.form(node.source, source)}, {count}, {to}, {text.form(node.to, to)}"
        text.line(f"{kept}rw_draw(G, {zones}, {int(node.bottom)}, {out}, {node.at});")
    _moved(text)


KEPT_STATEMENTS: dict[type[Stmt], Callable[[Any, Any], None] | None] = {
    **STATEMENTS,
    t.Move: _move,
    t.MoveAll: _move_all,
    t.SendHome: _send_home,
    t.Draw: _draw,
    t.DrawBottom: _draw,
    t.SetCell: _set_cells,
    t.SetCells: _set_cells,
    t.Append: _set_cells,
    t.Remove: _set_cells,
}
