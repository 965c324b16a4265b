"""Python that plays whole games with cards kept by class (`optimiser.kept_cards`, `class_zones`).

In the text, `Z` are the zones, and `R` the functions from a class to a reference to its cards in each zone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.analysis.shapes import plain, slot_name
from interpreter.backends.python.condition_expressions import CONDITIONS
from interpreter.backends.python.lines import INDENT
from interpreter.backends.python.list_expressions import LISTS
from interpreter.backends.python.number_expressions import NUMBERS
from interpreter.backends.python.playing.remembered import Remembered
from interpreter.backends.python.playing.source import PlayingText, generated
from interpreter.backends.python.segments import PythonSource
from interpreter.backends.python.statements import STATEMENTS
from interpreter.optimiser.class_program import ClassAt, ClassOf, PlaceOf
from interpreter.optimiser.class_views import EndRef, Held, Kinds, MoveClasses, Refs, RefsIn
from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.optimiser.listed import listed
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local, Stmt, TableProgram


def generate_by_class(program: TableProgram, kept: KeptCards) -> tuple[PythonSource, int]:
    """Return the source of a program with class views, and the maximum number of call frames at once.

    It needs the names from `python.runtime` except for operations on zones, those of
    `class_operations.names_of`, `N`, `recall`, the functions of the policy, and `Finished`.
    """
    return generated(ClassText(program, kept))


class ClassText(PlayingText):
    """Python source for procedures over classes."""

    opaque = (Remembered,)

    def __init__(self, program: TableProgram, kept: KeptCards) -> None:
        super().__init__(program)
        self.kept_cards = kept
        self.listed = frozenset(listed(program))
        """The addresses of lists whose changes make a new token."""
        self._made: list[str] = []
        """Functions that make remembered lists."""

    def class_of(self, card: Expr) -> str:
        """Return the text of the class of a card that is not none."""
        return f"({self.number(card)} & {(1 << self.kept_cards.shift) - 1})"

    def remembered(self, node: Remembered) -> str:
        """Return the text of a remembered list."""
        number = sum(line.startswith("def ") for line in self._made)
        lengths, addresses, self.lengths, self.addresses = self.lengths, self.addresses, {}, {}
        items, key = self.items(node.items), ["N[0]", *map(self.text_of, node.key)]
        self.lengths, self.addresses = lengths, addresses
        slots = [slot_name(one.slot) for one in node.key if isinstance(one, Local)]
        self._made += [f"def m{number}({', '.join(['S', *slots])}):", f"{INDENT}return {items}"]
        self._made.append(f"M{number} = {{}}")
        now = f"({', '.join(key)},)"
        return f"recall({', '.join(['S', f'M{number}', now, f'm{number}', *slots])})"

    def ending(self) -> list[str]:
        return [*super().ending(), *self._made]


# ------------------------------------------------------------------ numbers


def _class_of(text: ClassText, node: ClassOf) -> str:
    card = text.number(node.card)
    if isinstance(node.card, Local):
        return f"({text.class_of(node.card)} if {card} >= 0 else -1)"
    return f"class_of({plain(card)})"


def _place_of(text: ClassText, node: PlaceOf) -> str:
    if 1 in text.kept_cards.copies:
        return f"zone_of({text.text_of(node.card)})"
    return f"({text.number(node.card)} >> {text.kept_cards.shift})"


def _count(text: ClassText, node: t.Count) -> str:
    if isinstance(node.items, Held):
        return f"len({text.items(node.items)})"
    return NUMBERS[t.Count](text, node)


# ------------------------------------------------------------------ lists


def _held(text: ClassText, node: Held) -> str:
    zone = text.text_of(node.zone)
    if node.loose or node.form in (Form.ORDER, Form.NUMBER):
        return f"Z[{zone}]"
    return f"sorted(Z[{zone}])" if node.form is Form.COUNTS else f"in_order({zone})"


def _kinds(text: ClassText, node: Kinds) -> str:
    return f"sorted({{*{text.items(node.classes)}}})"


def _refs(text: ClassText, node: Refs) -> str:
    return f"[*map(R[{text.text_of(node.zone)}], {text.items(node.classes)})]"


# ------------------------------------------------------------------ statements


def _move(text: ClassText, node: t.Move) -> None:
    to = text.text_of(node.to)
    place = "None" if node.place is None else text.text_of(node.place)
    rest = f"{to}, {node.bottom}, {place}, {node.at})"
    match node.cards:
        case t.Items((card,)):
            moved = f"{slot_name(card.slot)} = " if isinstance(card, Local) else ""
            text.line(f"{moved}move_one(S, {text.text_of(card)}, {rest}")
        case t.LocalList(slot):
            text.line(f"{slot_name(slot)} = move(S, {slot_name(slot)}, {rest}")
        case cards:
            text.line(f"move(S, {text.items(cards)}, {rest}")


def _move_classes(text: ClassText, node: MoveClasses) -> None:
    source, to = text.text_of(node.source), text.text_of(node.to)
    place = "None" if node.place is None else text.text_of(node.place)
    if isinstance(node.classes, Held) and node.place is None:
        text.line(f"move_all(S, {source}, {to}, {node.bottom}, {node.at})")
        return
    classes = text.items(node.classes)
    text.line(f"move_classes(S, {source}, {classes}, {to}, {node.bottom}, {place}, {node.at})")


def _send_home(text: ClassText, node: t.SendHome) -> None:
    place = "None" if node.place is None else text.text_of(node.place)
    if isinstance(node.cards, Refs) and isinstance(node.cards.classes, Held) and node.place is None:
        text.line(f"clear_home(S, {text.text_of(node.cards.zone)}, T{node.homes}, {node.at})")
        return
    text.line(f"send_home(S, {text.items(node.cards)}, T{node.homes}, {place}, {node.at})")


def _draw(text: ClassText, node: t.Drawing) -> None:
    source, count, to = map(text.text_of, (node.source, node.count, node.to))
    if node.slot is not None and not isinstance(node.to, Const | Local):
        name = text.temporary()
        text.line(f"{name} = {to}")
        to = name
    if node.count == Const(1) and node.slot is None and isinstance(node, t.Draw):
        text.line(f"draw_one(S, {source}, {to}, {node.bottom}, {node.at})")
        return
    operation = "draw_bottom" if isinstance(node, t.DrawBottom) else "draw"
    drawn = f"{operation}(S, {source}, {count}, {to}, {node.bottom}, {node.at})"
    text.line(drawn if node.slot is None else f"{slot_name(node.slot)} = refs_to({drawn}, {to})")


def _set_cells(text: ClassText, node: t.SetCells | t.SetCell | t.Append | t.Remove) -> None:
    STATEMENTS[type(node)](text, node)
    if isinstance(node.address, Const) and node.address.value in text.listed:
        text.line("N[0] = -1")


_MORE: dict[type[Stmt], Callable[[Any, Any], None]] = {
    t.Move: _move,
    MoveClasses: _move_classes,
    t.SendHome: _send_home,
    t.Draw: _draw,
    t.DrawBottom: _draw,
    t.SetCell: _set_cells,
    t.SetCells: _set_cells,
    t.Append: _set_cells,
    t.Remove: _set_cells,
}
_NUMBERS: dict[type[Expr], Callable[[Any, Any], str]] = {
    ClassOf: _class_of,
    ClassAt: lambda text, node: text.class_of(node.card),
    PlaceOf: _place_of,
    EndRef: lambda text, node: f"{'last' if node.last else 'first'}_ref({text.text_of(node.zone)})",
    t.Count: _count,
}
_LISTS: dict[type[List], Callable[[Any, Any], str]] = {
    Held: _held,
    Kinds: _kinds,
    Refs: _refs,
    Remembered: lambda text, node: text.remembered(node),
    RefsIn: lambda text, node: f"refs_in({text.text_of(node.zone)})",
}
ClassText.statement_writers = {**STATEMENTS, **_MORE}
ClassText.numbers = {**NUMBERS, **_NUMBERS}
ClassText.lists = {**LISTS, **_LISTS}
ClassText.conditions = CONDITIONS
