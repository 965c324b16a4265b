"""Python source for changes of zones: moving, drawing, shuffling and showing cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.analysis.shapes import slot_name
from interpreter.backends.python.lines import LineText
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Stmt


def _move(text: LineText, node: t.Move) -> None:
    to = text.text_of(node.to)
    if node.chooser is not None and text.narrating:
        place = "None" if node.place is None else text.text_of(node.place)
        cards, chooser = text.items(node.cards), text.text_of(node.chooser)
        text.line(f"move(S, {cards}, {to}, {node.bottom}, {place}, {node.at}, E, chooser={chooser})")
        return
    if node.place is not None and not text.narrating and (card := _only_card(text, node.cards)) is not None:
        place = text.text_of(node.place)
        text.line(text.operation("move_one", text.text_of(card), to, str(node.bottom), place, str(node.at)))
        return
    source = _only_source(node.cards) if node.place is None and not text.narrating else None
    cards = text.items(node.cards)
    if source is not None and not text.can_fail(source):  # the text contains it twice
        operation = text.operation("move_from", cards, to, str(node.bottom), text.text_of(source), str(node.at))
    elif node.place is not None and not text.narrating:
        # From a single zone: all cards may move at once.
        operation = text.operation("move_from", cards, to, str(node.bottom), text.text_of(node.place), str(node.at))
    else:
        place = "None" if node.place is None else text.text_of(node.place)
        name = "move_lowest" if node.at in text.lowest else "move"
        operation = text.operation(name, cards, to, str(node.bottom), place, str(node.at))
    text.line(operation)


def _only_source(cards: List) -> Expr | None:
    """Return the one zone that has all cards of a list when it is made, if the list's form shows that."""
    while isinstance(cards, t.Filter | t.Take):
        cards = cards.items
    return cards.zone if isinstance(cards, t.Cards) else None


def _only_card(text: LineText, cards: List) -> Expr | None:
    """Return the only card that a list may have. The list is empty if the card is none."""
    match cards:
        case t.Items((card,)):
            return card
        case t.Choice(condition=condition) if text.can_fail(condition):
            return None  # the card is evaluated twice
        case t.Choice(t.Binary("<", one, Const(0)), t.Items(()), t.Items((card,))) if one == card:
            return card
        case t.Choice(t.Binary(">=", one, Const(0)), t.Items((card,)), t.Items(())) if one == card:
            return card
    return None


def _move_all(text: LineText, node: t.MoveAll) -> None:
    source, to = text.text_of(node.source), text.text_of(node.to)
    text.line(text.operation("move_all", source, to, str(node.bottom), str(node.at)))


def _send_home(text: LineText, node: t.SendHome) -> None:
    homes = f"T{node.homes}"
    if isinstance(node.cards, t.Cards) and node.place is None and not text.narrating:
        text.line(text.operation("clear_home", text.text_of(node.cards.zone), homes, str(node.at)))
        return
    place = "None" if node.place is None else text.text_of(node.place)
    name = "send_lowest_home" if node.at in text.lowest else "send_home"
    text.line(text.operation(name, text.items(node.cards), homes, place, str(node.at)))


def _draw(text: LineText, node: t.Drawing) -> None:
    source, count, to = map(text.text_of, (node.source, node.count, node.to))
    lowest = isinstance(node, t.DrawBottom)
    if node.count == Const(1) and node.slot is None and not text.narrating and not lowest:
        text.line(text.operation("draw_one", source, to, str(node.bottom), str(node.at)))
        return
    call = text.operation("draw_bottom" if lowest else "draw", source, count, to, str(node.bottom), str(node.at))
    text.line(call if node.slot is None else f"{slot_name(node.slot)} = {call}")


def _shuffle(text: LineText, node: t.Shuffle) -> None:
    text.line(text.operation("shuffle", text.text_of(node.zone), str(node.at)))


def _prepare(text: LineText, node: t.Prepare) -> None:
    zone, count = text.text_of(node.zone), text.text_of(node.count)
    text.line(text.operation("prepare", zone, count, str(node.at)))


def _reveal(text: LineText, node: t.Reveal) -> None:
    if text.narrating:
        secretly = ", True" if node.secret else ""
        text.line(f"reveal(S, {text.items(node.cards)}, {text.text_of(node.seats)}, {node.at}, E{secretly})")


ZONE_STATEMENTS: dict[type[Stmt], Callable[[LineText, Any], None]] = {
    t.Move: _move,
    t.MoveAll: _move_all,
    t.SendHome: _send_home,
    t.Draw: _draw,
    t.DrawBottom: _draw,
    t.Shuffle: _shuffle,
    t.Prepare: _prepare,
    t.Reveal: _reveal,
}
