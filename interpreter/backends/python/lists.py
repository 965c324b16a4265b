"""Lists that are made in lines of their own, before the statement that uses them.

CPython 3.11 runs a comprehension as a function call, which takes longer than the loop over a list of a few members.
So a loop makes a list that cannot fail, since then it does not matter when it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from attrs import evolve

from interpreter.analysis.nodes import read_slots
from interpreter.analysis.shapes import Made, MadeNumber, Others, plain
from interpreter.backends.python.lines import LineText
from interpreter.state.arithmetic import HIGHEST, LOWEST
from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, Stmt
from ruleset.table.traversal import everything, parts, transform

Node = TypeVar("Node")

DEEPEST = 14
"""No loops are written from this depth of the text on: Python allows twenty nested blocks."""

_SOMETIMES = (t.And, t.Or, t.IfElse, t.Choice)
"""Only the first operand of these is always evaluated."""

_USING = {
    t.SetLocal: "value",
    t.SetList: "items",
    t.SetCells: "items",
    t.ForEach: "items",
    t.If: "condition",
    t.Move: "cards",
    t.Change: "amount",
    t.Assign: "value",
}
"""Statements that may use such lists, with the field."""


def lists_first(text: LineText, statement: Stmt) -> Stmt:
    """Write the lines that make the lists used by a statement. Returns the remaining statement."""
    name = _USING.get(type(statement))
    if name is None:
        return statement
    old: Expr | List = getattr(statement, name)
    new = made(text, old)
    return statement if new is old else evolve(statement, **{name: new})


def made(text: LineText, node: Node) -> Node:
    """Replace lists in a node by names of lists made in earlier lines, as far as they are always evaluated."""
    new: Any = node
    if isinstance(node, tuple):
        new = tuple(made(text, part) for part in node)
    elif isinstance(node, t.Filter | t.Map | t.FlatMap | t.Concat) and _in_lines(text, node):
        new = _gathered(text, node)
    elif isinstance(node, t.Concat) and not text.can_fail(node):
        new = _parts_made(text, node)
    elif isinstance(node, t.Extremes) and _in_lines(text, node):
        new = _extremes(text, node)
    elif isinstance(node, t.First) and isinstance(node.items, t.Extremes) and _in_lines(text, node.items):
        new = _first_extreme(text, node.items)
    elif isinstance(node, t.CellList | t.Cards):
        _note_address(text, node)
    elif isinstance(node, text.opaque):
        pass
    elif isinstance(node, Expr | List):
        names = parts(node)
        if isinstance(node, _SOMETIMES):
            names = names[:1]
        elif hasattr(node, "slot") and not isinstance(node, t.Local | t.LocalList):
            names = ("items",)
        changes = {}
        for name in names:
            old = getattr(node, name)
            part = made(text, old)
            if part is not old:
                changes[name] = part
        new = evolve(node, **changes) if changes else node
    if isinstance(new, tuple) and isinstance(node, tuple) and all(a is b for a, b in zip(new, node, strict=True)):
        return node
    return new  # type: ignore[no-any-return]  # a node of the same sort


def _parts_made(text: LineText, node: t.Concat) -> t.Concat:
    """Replace the parts of a concatenation that is not made by loops; nested ones need no new check."""
    changes: dict[str, List] = {}
    for name in ("left", "right"):
        old: List = getattr(node, name)
        new = _parts_made(text, old) if isinstance(old, t.Concat) else made(text, old)
        if new is not old:
            changes[name] = new
    return evolve(node, **changes) if changes else node


def _in_lines(text: LineText, node: List) -> bool:
    """Return whether loops make a list: it cannot fail, and its body is not looked up in a table."""
    if text.indent > DEEPEST or text.can_fail(node):
        return False
    if isinstance(node, t.Concat):
        return _in_lines(text, node.left) or _in_lines(text, node.right)
    if isinstance(node, t.FlatMap):
        return not _binds_again(node.body, node.slot)
    if not isinstance(node, t.Filter | t.Map | t.Extremes):
        return False
    body = node.condition if isinstance(node, t.Filter) else node.body
    return not text.looked_up(node, body) and not _binds_again(body, node.slot)


def _binds_again(body: Expr | List, slot: int) -> bool:
    reading = t.Local | t.LocalList
    return any(getattr(part, "slot", None) == slot and not isinstance(part, reading) for part in everything(body))


def _renamed(text: LineText, body: Expr, slot: int) -> tuple[str, Expr]:
    """Return a loop's variable, and the body with it in place of a slot, which may be a variable elsewhere."""
    name = text.temporary()
    return name, transform(body, lambda part: MadeNumber(name) if part == t.Local(slot) else part)


def _gathered(text: LineText, node: List) -> Made:
    """Write the loops that collect the members of a list, without intermediate lists."""
    name = text.temporary()
    node = _free(text, node)
    text.line(f"{name} = []")
    _members(text, node, lambda member: text.line(f"{name}.append({text.text_of(made(text, member))})"), True)
    return Made(name)


def _members(text: LineText, node: List, use: Callable[[Expr], None], short: bool = False) -> None:
    """Write the loops over the members of a list, with lines that use a member. `short` lines may be repeated."""
    if isinstance(node, t.Concat) and short:
        _members(text, node.left, use, True)
        _members(text, node.right, use, True)
    elif isinstance(node, t.Items) and short and len(node.values) < 3:
        for value in node.values:
            use(value)
    elif isinstance(node, t.Filter | t.Map | t.FlatMap) and _in_lines(text, node):
        _members(text, node.items, lambda member: _used(text, node, member, use))
    else:
        items, item = text.items(made(text, node)), text.temporary()
        with _each(text, item, items):
            use(MadeNumber(item))


def _used(text: LineText, node: t.Filter | t.Map | t.FlatMap, member: Expr, use: Callable[[Expr], None]) -> None:
    """Write the lines for one member of the items of a filter or map."""
    if not isinstance(member, MadeNumber | t.Const):
        name = text.temporary()
        text.line(f"{name} = {text.text_of(made(text, member))}")
        member = MadeNumber(name)

    def named(part: object) -> object:
        return member if part == t.Local(node.slot) else part

    if isinstance(node, t.Map):
        use(transform(node.body, named))
    elif isinstance(node, t.FlatMap):
        _members(text, transform(node.body, named), use)
    else:
        text.line(f"if {plain(text.condition(made(text, transform(node.condition, named))))}:")
        addresses = text.addresses
        text.indent += 1
        use(member)
        text.indent -= 1
        text.addresses = addresses


def _free(text: LineText, node: List) -> List:
    """Write loop-invariant parts of a list before it: cells, and lists that are searched."""
    reading = t.Local | t.LocalList
    bound = {getattr(part, "slot", -1) for part in everything(node) if not isinstance(part, reading)}
    known: dict[Expr, MadeNumber] = {}
    searches: dict[List, Made] = {}

    def stays(part: Expr | List) -> bool:
        return not read_slots(part) & bound and not text.can_fail(part)

    def change(part: object) -> object:
        if isinstance(part, t.Cell) and stays(part):
            if part not in known:
                name = text.temporary()
                text.line(f"{name} = {text.text_of(part)}")
                known[part] = MadeNumber(name)
            return known[part]
        match part:
            case t.Contains(t.CellList() | t.Cards() as searched, value) if stays(searched):
                if searched not in searches:
                    name = text.temporary()
                    text.line(f"{name} = {text.items(searched)}")
                    searches[searched] = Made(name)
                return t.Contains(searches[searched], value)
        return part

    def freed(part: List) -> List:
        if isinstance(part, t.Concat):
            return evolve(part, left=freed(part.left), right=freed(part.right))
        if isinstance(part, t.Filter) and _in_lines(text, part):
            return evolve(part, items=freed(part.items), condition=transform(part.condition, change))
        if isinstance(part, t.Map) and _in_lines(text, part):
            return evolve(part, items=freed(part.items), body=transform(part.body, change))
        if isinstance(part, t.FlatMap) and _in_lines(text, part):
            return evolve(part, items=freed(part.items), body=freed(part.body))
        if isinstance(part, Others) and stays(part):
            name = text.temporary()
            text.line(f"{name} = {text.items(part)}")
            return Made(name)
        return part

    return freed(node)


def _extremes(text: LineText, node: t.Extremes) -> Made:
    name, best, value = text.temporary(), text.temporary(), text.temporary()
    text.line(f"{name} = {text.items(made(text, node.items))}")
    item, body = _renamed(text, node.body, node.slot)
    text.line(f"if len({name}) > 1:")
    text.indent += 1
    text.line(f"{best} = {HIGHEST + 1 if node.lowest else LOWEST - 1}")
    with _each(text, item, name):
        text.line(f"{value} = {text.text_of(made(text, body))}")
        text.line(f"if {value} {'<' if node.lowest else '>'} {best}: {best}, {name} = {value}, [{item}]")
        text.line(f"elif {value} == {best}: {name}.append({item})")
    text.indent -= 1
    return Made(name)


def _first_extreme(text: LineText, node: t.Extremes) -> MadeNumber:
    name, best, value = text.temporary(), text.temporary(), text.temporary()
    items = text.items(made(text, node.items))
    item, body = _renamed(text, node.body, node.slot)
    text.line(f"{name}, {best} = -1, {HIGHEST + 1 if node.lowest else LOWEST - 1}")
    with _each(text, item, items):
        text.line(f"{value} = {text.text_of(made(text, body))}")
        text.line(f"if {value} {'<' if node.lowest else '>'} {best}: {name}, {best} = {item}, {value}")
    return MadeNumber(name)


@contextmanager
def _each(text: LineText, item: str, items: str) -> Iterator[None]:
    """Write the head of a loop. Addresses that are recorded in its body are valid only there."""
    text.line(f"for {item} in {items}:")
    addresses = text.addresses
    text.indent += 1
    yield
    text.indent -= 1
    text.addresses = addresses


def _note_address(text: LineText, node: t.CellList | t.Cards) -> None:
    """Write the line that computes the address of a list, unless it is constant or already known."""
    key = text.place_of(node)
    if not isinstance(key, t.Const) and key not in text.addresses and not text.can_fail(key):
        name = text.temporary()
        text.line(f"{name} = {text.first_at(node)}")
        text.addresses = {**text.addresses, key: name}
