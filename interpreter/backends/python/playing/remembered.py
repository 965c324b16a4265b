"""Lists that are remembered while nothing changes that they are made from.

What can be bought, for example, depends on the coins, on the list of all piles, and on which piles are empty. Lists
of the state change rarely, and so does which zones of cards of one class are empty: all that has one number, the
*token*. A list is made once for each token and each value of the other numbers that it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from interpreter.backends.python.playing.class_zones import ClassZones
from interpreter.optimiser.class_views import EMPTY_TESTS, Held
from interpreter.optimiser.kept_cards import Form
from interpreter.optimiser.listed import listed
from interpreter.state.frames import read_list
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local, TableProgram
from ruleset.table.traversal import children, everything, rebuild

MOST = 4096
"""Lists remembered at once by each place of the text."""

_PLAIN = (
    *(Const, t.Table, t.Binary, t.Checked, t.IfElse, t.Least, t.Most, t.Present, t.Within),
    *(t.Not, t.And, t.Or, t.Exists, t.Contains, t.Items, t.Filter, t.Map, t.Concat, t.Count, Local),
)
"""Nodes whose value depends on nothing but their operands, and that use no fuel."""


Made = Sequence[int]
Memory = dict[tuple[int, ...], Made]


@frozen
class Remembered(List):
    """A list that depends on the token and on the numbers of its `key` alone."""

    items: List
    key: tuple[Expr, ...]


def with_remembered_lists(program: TableProgram) -> TableProgram:
    """Return a program with class views in which such lists are marked."""
    lists = frozenset(listed(program))

    def change(node: Any) -> Any:
        if isinstance(node, t.Filter | t.Map | t.Concat):
            key = _key(node, lists)
            if key is not None:
                return Remembered(node, key)
        if isinstance(node, t.Concat):
            return rebuild(node, parts_changed)
        if isinstance(node, Expr | List) and hasattr(node, "slot"):
            # The body is evaluated often, with other values each time.
            return rebuild(node, lambda part: change(part) if part is getattr(node, "items", None) else part)
        return rebuild(node, change)

    def parts_changed(node: Any) -> Any:
        """Change the parts of a long list, which are looked at one by one, and not its beginnings."""
        return rebuild(node, parts_changed) if isinstance(node, t.Concat) else change(node)

    functions = tuple(rebuild(function, change) for function in program.functions)
    segments = tuple(rebuild(segment, change) for segment in program.segments)
    return evolve(program, functions=functions, segments=segments)


def _key(node: List, lists: frozenset[int]) -> tuple[Expr, ...] | None:
    """Return the numbers on which a list depends apart from the token, or None if it depends on more."""
    bound = {part.slot for part in everything(node) if hasattr(part, "slot") and not isinstance(part, Local)}
    key: list[Expr] = []
    reads_list = False
    for part in _outside_tests(node):
        if isinstance(part, t.CellList) and isinstance(part.address, Const) and part.address.value in lists:
            reads_list = True
        elif isinstance(part, t.Cell) and isinstance(part.address, Const):
            key.append(part)
        elif not isinstance(part, _PLAIN):
            return None
        elif isinstance(part, Local) and part.slot not in bound:
            key.append(part)
    return tuple(dict.fromkeys(key)) if reads_list else None


def _outside_tests(node: Any) -> Iterator[Any]:
    """Iterate over all nodes, except for whether a zone with cards of one class is empty."""
    match node:
        case t.Binary(op, t.Count(Held(zone, Form.NUMBER)), Const(value)) if (op, value) in EMPTY_TESTS:
            yield from _outside_tests(zone)
        case t.Cell() | t.CellList():
            yield node
        case _:
            yield node
            for child in children(node):
                yield from _outside_tests(child)


class Tokens:
    """The tokens of one program, for one game at a time. The first number of `now` is the present one.

    It is -1 if something has changed since: `ClassZones` and statements that write to lists set it.
    """

    def __init__(self, program: TableProgram, zones: ClassZones) -> None:
        self.now = zones.token
        self._addresses = listed(program)
        self._zones = zones.zones
        self._numbers = tuple(number for number, form in enumerate(zones.kept.forms) if form is Form.NUMBER)
        self._known: dict[tuple[object, ...], int] = {}
        self._next = 0

    def recall(
        self, state: list[int], memory: Memory, key: tuple[int, ...], make: Callable[..., Made], *numbers: int
    ) -> Made:
        """Return the list for a key, whose first number is the token, and make it unless it is remembered."""
        found = memory.get(key)
        if found is not None:
            return found
        if key[0] < 0:
            return self.recall(state, memory, (self._token(state), *key[1:]), make, *numbers)
        if len(memory) >= MOST:
            memory.clear()
        made = make(state, *numbers)
        memory[key] = made
        return made

    def _token(self, state: list[int]) -> int:
        empty = tuple(not self._zones[number] for number in self._numbers)
        content = (empty, *(tuple(read_list(state, address)) for address in self._addresses))
        if content not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[content] = self._next
            self._next += 1
        self.now[0] = self._known[content]
        return self.now[0]
