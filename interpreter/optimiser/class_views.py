"""Questions about the cards of a zone as questions about their classes.

Most of what rules ask about the cards of a zone depends on their classes alone: how many of them have some tag, or
what they are worth together. Such a question needs no references to cards, only the classes that lie in the zone.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from interpreter.analysis.nodes import Failing, fallible_functions
from interpreter.optimiser.class_program import ClassAt, ClassOf
from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.optimiser.zone_sets import Unit
from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, Local, Stmt, TableProgram
from ruleset.table.traversal import everything, rebuild

_KEEPING = (t.Filter, t.Extremes, t.Ranked, t.Distinct)
"""The lists of some items of another one, by what a body says of each."""
_TAKING = (t.Count, t.Total, t.Exists, t.Highest, t.Map)
"""What is worked out from the items of a list."""


EMPTY_TESTS = {
    ("==", 0): True,
    ("!=", 0): False,
    (">", 0): False,
    (">=", 1): False,
    ("<", 1): True,
    ("<=", 0): True,
}
"""Comparisons of a number of cards that ask whether it is 0 (True) or is not."""


@frozen
class Held(List):
    """The classes of the cards in a zone, each as often as it has cards there.

    They are in the order of the zone; in that of their numbers if the zone keeps counts. There is no `form` if the
    zone can be one of several with different ones. With `loose` the order does not matter.
    """

    zone: Expr
    form: Form | None
    loose: bool = False


@frozen
class Kinds(List):
    """Each of these classes once, in ascending order."""

    classes: List


@frozen
class Refs(List):
    """References to cards of a zone that have these classes. The zone is evaluated twice."""

    zone: Expr
    classes: List


@frozen
class RefsIn(List):
    """References to all cards of a zone."""

    zone: Expr


@frozen
class EndRef(Expr):
    """A reference to the last card of a zone, or to its first; -1 if it is empty."""

    zone: Expr
    last: bool


@frozen
class MoveClasses(Stmt):
    """Move all cards of a zone that have one of these classes of its cards, in its order."""

    source: Expr
    classes: List
    to: Expr
    bottom: bool
    place: Expr | None
    at: int


def with_class_views(program: TableProgram, kept: KeptCards) -> TableProgram:
    """Return a program over classes (`class_program`) in which no list is `t.Cards`."""
    functions = []
    failing = Failing(fallible_functions(program))
    for number, function in enumerate(program.functions):
        viewed = _Viewing(program, kept, failing, ("function", number))
        functions.append(evolve(function, body=tuple(map(viewed.node, function.body))))
    segments = []
    for segment in program.segments:
        viewed = _Viewing(program, kept, failing, ("procedure", segment.procedure))
        segments.append(evolve(segment, tree=viewed.node(segment.tree)))
    return evolve(program, functions=tuple(functions), segments=tuple(segments))


@frozen
class _Viewing:
    """The changes in one function or procedure."""

    program: TableProgram
    kept: KeptCards
    failing: Failing
    unit: Unit

    def node(self, node: Any) -> Any:
        """Return a node with views in place of its lists of cards."""
        if isinstance(node, t.Cards):
            zone = self.node(node.zone)
            if not isinstance(zone, t.Const | Local | t.Binary | t.Table):
                return RefsIn(zone)
            return Refs(zone, Held(zone, self.kept.form(node.zone, self.unit)))
        if isinstance(node, t.First | t.Last) and isinstance(node.items, t.Cards):
            return EndRef(self.node(node.items.zone), isinstance(node, t.Last))
        new = rebuild(node, self.node)
        match new:
            case t.Count(Refs(_, classes)):
                return t.Count(self._loose(classes))
            case t.Move(Refs(zone, classes), to, bottom, place) if are_whole(classes):
                if self.kept.form(node.to, self.unit) is not Form.ORDER:
                    classes = self._loose(classes)
                return MoveClasses(zone, classes, to, bottom, place, new.at)
            case t.Take(Refs(zone, classes)):
                return Refs(zone, evolve(new, items=classes))
            case t.Choice(test, Refs(zone, classes), t.Items(())):
                return Refs(zone, t.Choice(test, classes, t.Items(())))
        if isinstance(new, (*_KEEPING, *_TAKING)) and isinstance(new.items, Refs):
            return self._by_class(new, new.items)
        return new

    def _by_class(self, node: Any, refs: Refs) -> Any:
        """Return a node about the classes of cards, if that is all it asks about."""
        name = "condition" if isinstance(node, t.Filter) else "body"
        asked, classes = _of_classes(getattr(node, name), node.slot), refs.classes
        if asked is None:
            return node
        if isinstance(node, t.Distinct) and _is_sorted(classes) and _tells_apart(asked, node.slot, self.program):
            return Refs(refs.zone, Kinds(self._loose(classes)))
        if isinstance(node, t.Total | t.Exists | t.Highest) and not self.failing.can_fail(asked):
            classes = self._loose(classes)
        new = evolve(node, items=classes, **{name: asked})
        return Refs(refs.zone, new) if isinstance(node, _KEEPING) else new

    def _loose(self, classes: List) -> List:
        """Return classes whose order does not matter, unless it decides how a question about them fails."""
        match classes:
            case Held():
                return evolve(classes, loose=True)
            case t.Filter(items, _, asked) | t.Distinct(items, _, asked) if not self.failing.can_fail(asked):
                return evolve(classes, items=self._loose(items))
            case Kinds():
                return Kinds(self._loose(classes.classes))
            case t.Choice(test, then, otherwise):
                return t.Choice(test, self._loose(then), otherwise)
        return classes


def _binds(body: Expr, slot: int) -> bool:
    reading = t.Local | t.LocalList
    return any(getattr(part, "slot", None) == slot and not isinstance(part, reading) for part in everything(body))


def _of_classes(body: Expr, slot: int) -> Any | None:
    """Return a body whose slot has the class of a card instead of the card, or None if it needs the card."""
    item, needs = Local(slot), False

    def change(part: Any) -> Any:
        nonlocal needs
        if part in (ClassAt(item), ClassOf(item)):
            return item
        if part == item:
            needs = True
        return rebuild(part, change)

    changed = change(body)
    return None if needs or _binds(body, slot) else changed


def _is_sorted(classes: List) -> bool:
    """Return whether equal classes are adjacent, and lower ones come first."""
    while isinstance(classes, t.Filter):
        classes = classes.items
    return isinstance(classes, Held) and classes.form in (Form.COUNTS, Form.NUMBER)


def _tells_apart(body: Expr, slot: int, program: TableProgram) -> bool:
    """Return whether what is asked of each class is different for different ones."""
    if isinstance(body, t.Table) and body.index == Local(slot):
        return len({*program.tables[body.table]}) == len(program.tables[body.table])
    return body == Local(slot)


def are_whole(classes: List) -> bool:
    """Return whether classes have all their cards in a list."""
    while isinstance(classes, t.Filter):
        classes = classes.items
    return isinstance(classes, Held)
