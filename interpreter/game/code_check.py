"""Check the code of a journal's table program: every number refers to something that exists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
from attrs import frozen

from ruleset.table import nodes as t
from ruleset.table.nodes import EVENTS, RESULT, Function, Procedure, Slot, TableProgram

FRAME_LINKS = 2
"""Cells of a frame before its slots."""


class ProgramError(ValueError):
    """An invalid program; the message is the reason."""


def need(holds: bool, message: str) -> None:
    """Raise ProgramError unless a condition holds."""
    if not holds:
        raise ProgramError(message)


def check_index(number: int, things: Sequence[Any] | int, what: str) -> None:
    """Raise ProgramError unless `number` is an index of `things`, which may also be their count."""
    count = things if isinstance(things, int) else len(things)
    need(0 <= number < count, f"there is no {what} {number}")


def check_code(program: TableProgram) -> None:
    """Check all code of a program and of its bots. Raises ProgramError."""
    bots = program.bots
    tables, lists, functions = program.tables, program.lists, program.functions
    _Code(program, len(tables), len(lists), functions, tables).check()
    if bots is not None:
        rows, lengths = (*tables, *bots.tables), len(lists) + len(bots.lists)
        both = (*functions, *bots.functions)
        code = _Code(program, len(rows), lengths, both, rows, of_bots=True)
        code.check_functions(bots.functions)
        code.check_bots(bots)
    always = {number: set(_always_next(segment.tree)) for number, segment in enumerate(program.segments)}
    need(_ordered(always), "its segments jump in an endless loop")


_NUMBERS = (
    t.Local, t.SetLocal, t.Random, t.ForEach, t.Total, t.Exists, t.Highest, t.Filter, t.Map, t.FlatMap, t.Extremes,
    t.Ranked, t.Distinct, t.Ask,
)  # fmt: skip
"""Nodes whose slot holds a number."""
_LISTS = (t.LocalList, t.SetList, t.Drawing)
_OWN_NUMBERS = {"announced": 1, "reached": 1, "scored": 3}
"""Events that give values to their texts: how many numbers come before those."""
_WRITING = (t.SetCell, t.SetCells, t.Append, t.Remove)


@frozen
class _Place:
    """The context of a node: the slots that it may use, and its procedure, if any."""

    slots: tuple[Slot, ...]
    procedure: int | None


class _Code:
    """A check of code, which also collects calls between functions."""

    def __init__(
        self, program: TableProgram, tables: int, lists: int, functions: Sequence[Function],
        rows: Sequence[tuple[int, ...]], of_bots: bool = False,
    ) -> None:  # fmt: skip
        self.of_bots = of_bots
        """The functions of bots have no place in the rules."""
        self.program = program
        self.tables, self.lists, self.functions, self.rows = tables, lists, functions, rows
        self.calls: dict[int, set[int]] = {}
        """The functions that each function calls, by number. A call through table `n` is a call of `-1 - n`, which
        calls all functions of that table. So each call through a large table is one link.
        """
        self._gives: dict[int, frozenset[bool]] = {}
        """Whether the values that a function gives are lists."""
        self._fitting: set[tuple[type[Any], int, tuple[bool, ...]]] = set()
        """Valid calls through tables: the node's class, the table, and which arguments are lists."""

    def check(self) -> None:
        """Check all functions, procedures, and segments."""
        program = self.program
        self.check_functions(program.functions)
        need(bool(program.procedures), "there is no procedure")
        for number, procedure in enumerate(program.procedures):
            self._procedure(number, procedure)
        self._plays(program.entry)
        if program.next_game is not None:
            self._plays(program.next_game.procedure)
        for number, segment in enumerate(program.segments):
            check_index(segment.procedure, program.procedures, "procedure")
            slots = program.procedures[segment.procedure].slots
            for slot in segment.live:
                check_index(slot, slots, "slot")
                need(slots[slot].offset >= FRAME_LINKS, f"segment {number} needs a slot that is in no frame")
            self._nodes(segment.tree, _Place(slots, segment.procedure))

    def _plays(self, number: int) -> None:
        """Check a procedure with which a game can begin."""
        check_index(number, self.program.procedures, "procedure")
        one = self.program.procedures[number]
        need(one.parameters == 0, "the procedure that plays the game takes no parameters")
        need(self.program.layout.stack + one.size <= self.program.layout.cells, "there is no room on the stack")

    def check_functions(self, functions: Sequence[Function]) -> None:
        """Check functions, and that their calls form no cycle."""
        first = len(self.functions) - len(functions)
        for number, function in enumerate(functions, first):
            if not (self.of_bots and function.at == -1):
                check_index(function.at, self.program.sources, "source")
            need(0 <= function.parameters <= len(function.slots), f"function {number} lacks slots for parameters")
            need(all(slot.capacity >= 0 for slot in function.slots), f"function {number} has an impossible slot")
            self.calls[number] = called = set()
            for node in self._nodes(function.body, _Place(function.slots, None)):
                if isinstance(node, t.Call | t.CallList | t.Do):
                    called.add(node.function)
                elif isinstance(node, t.DoTable):
                    called.add(-1 - node.table)
                    if -1 - node.table not in self.calls:
                        self.calls[-1 - node.table] = set(self.rows[node.table]) - {-1}
        need(_ordered(self.calls), "its functions call each other in a cycle")

    def check_bots(self, bots: t.Bots) -> None:
        """Check that conditions and scores give numbers, and take the seat, the parts of an option, and constants.

        Whether they exist is checked with the bots (`policies.check_policies`).
        """
        answers = (one for bot in bots.bots for one in bot.answers if one.condition >= 0)
        used = {(answer.condition, 1 + len(answer.constants)) for answer in answers}
        scores = (one for bot in bots.bots for one in bot.rankings if isinstance(one, t.Score))
        used |= {(score.function, 1 + len(score.parts) + len(score.constants)) for score in scores}
        for function, parameters in sorted(one for one in used if one[0] < len(self.functions)):
            called = self.functions[function]
            plain = not any(slot.capacity for slot in called.slots[: called.parameters])
            need(plain and called.parameters == parameters, f"a bot calls {called.name} with other arguments")
            need(self._given(function) == {False}, f"a bot expects a number of {called.name}")

    def _procedure(self, number: int, procedure: Procedure) -> None:
        check_index(procedure.at, self.program.sources, "source")
        check_index(procedure.entry, self.program.segments, "segment")
        entry = self.program.segments[procedure.entry]
        what = f"procedure {number}"
        need(entry.procedure == number, f"{what} begins in another")
        parameters = set(range(procedure.parameters))
        need(len(parameters) <= len(procedure.slots), f"{what} lacks slots for parameters")
        need(set(entry.live) == parameters, f"{what} begins with other slots than its parameters")
        for slot in procedure.slots:
            need(slot.capacity >= 0, f"{what} has an impossible slot")
            end = slot.offset + (slot.capacity + 1 if slot.capacity else 1)
            stored = slot.offset >= FRAME_LINKS and end <= procedure.size
            need(stored or slot.offset == -1, f"{what} has a slot outside of its frame")
        need(FRAME_LINKS <= procedure.size <= self.program.layout.cells, f"{what} has an impossible size")

    def _nodes(self, code: Any, place: _Place) -> list[Any]:
        """Check all nodes of some code, and return them."""
        found = list(nodes_of(code))
        for node in found:
            self._node(node, place)
        return found

    def _node(self, node: Any, place: _Place) -> None:
        if (at := getattr(node, "at", None)) is not None and not (self.of_bots and at == -1):
            check_index(at, self.program.sources, "source")
        if isinstance(node, (*_NUMBERS, *_LISTS)) and node.slot is not None:
            check_index(node.slot, place.slots, "slot")
            is_list = place.slots[node.slot].capacity > 0
            need(is_list == isinstance(node, _LISTS), f"slot {node.slot} is used with the wrong type")
        if isinstance(node, _WRITING) and isinstance(node.address, t.Const):
            self._address(node.address.value)
        if (check := _CHECKS.get(type(node))) is not None:
            check(self, node, place)
        inside = place.procedure is None
        need(inside or not isinstance(node, t.Give), "a segment gives a value as functions do")

    def _address(self, address: int) -> None:
        layout = self.program.layout
        own = layout.places + len(self.program.cards) <= address < layout.stack
        need(own or address == RESULT, f"cell {address} is written, which belongs to the engine")

    def number(self, node: Any, _place: _Place) -> None:
        """Check a use of a table of numbers."""
        check_index(node.homes if isinstance(node, t.SendHome) else node.table, self.tables, "table")

    def numbers(self, node: Any, _place: _Place) -> None:
        """Check a use of a table of lists."""
        check_index(node.table, self.lists, "table of lists")

    def call(self, node: Any, _place: _Place) -> None:
        """Check a call of a function."""
        check_index(node.function, self.functions, "function")
        function = self.functions[node.function]
        self._arguments(node.arguments, function)
        if not isinstance(node, t.Do):
            lists = self._given(node.function)
            need(bool(lists), f"function {node.function} gives no value")
            need(lists == {isinstance(node, t.CallList)}, f"function {node.function} gives something else")

    def _given(self, function: int) -> frozenset[bool]:
        """Return whether the values that a function gives are lists."""
        if function not in self._gives:
            values = [one.value for one in nodes_of(self.functions[function].body) if isinstance(one, t.Give)]
            self._gives[function] = frozenset(isinstance(value, t.List) for value in values)
        return self._gives[function]

    def restart(self, _node: Any, _place: _Place) -> None:
        """Check that the program is that of a series."""
        need(self.program.next_game is not None, "it has no next game to begin")

    def call_of_table(self, node: Any, _place: _Place) -> None:
        """Check a call through a table of functions."""
        self._through_table(node, self.functions, "function")

    def invoke(self, node: Any, place: _Place) -> None:
        """Check a call of a procedure, direct or through a table."""
        procedures = self.program.procedures
        if isinstance(node, t.InvokeTable):
            self._through_table(node, procedures, "procedure")
        else:
            check_index(node.procedure, procedures, "procedure")
            self._arguments(node.arguments, procedures[node.procedure])
        self.jump(node.resume, place)

    def _through_table(self, node: Any, called: Sequence[Function] | Sequence[Procedure], what: str) -> None:
        check_index(node.table, self.tables, "table")
        form = type(node), node.table, tuple(isinstance(one, t.List) for one in node.arguments)
        if form in self._fitting:
            return
        for number in set(self.rows[node.table]) - {-1}:
            check_index(number, called, what)
            self._arguments(node.arguments, called[number])
        self._fitting.add(form)

    def goto(self, node: Any, place: _Place) -> None:
        """Check a jump within a procedure."""
        self.jump(node.segment, place)

    def ask(self, node: Any, place: _Place) -> None:
        """Check a node that asks, its resume segment, and the values that the texts of its site show."""
        check_index(node.site, self.program.sites, "site")
        self.jump(node.resume, place)
        site = self.program.sites[node.site]
        self._nodes(site.shows, place)
        for branch in site.branches:
            self._nodes(branch.shows, place)
            for slot in branch.slots:
                check_index(slot, place.slots, "slot")
                need(not place.slots[slot].capacity, f"slot {slot} is used as what it is not")
            fits = len(branch.slots) == len(branch.members) or not branch.shows
            need(fits, f"site {node.site} has a broken branch")

    def jump(self, target: int, place: _Place) -> None:
        """Check that a segment exists in the same procedure."""
        check_index(target, self.program.segments, "segment")
        need(self.program.segments[target].procedure == place.procedure, "a jump leads into another procedure")

    def track(self, node: Any, _place: _Place) -> None:
        """Check a change of a track."""
        check_index(node.track, self.program.tracks, "track")

    def emit(self, node: Any, _place: _Place) -> None:
        """Check an event, and that it gives the values of its text."""
        need(node.kind in EVENTS, f"there is no event {node.kind!r}")
        need(node.kind != "restarted" or self.program.next_game is not None, "it has no next game to begin")
        if (own := _OWN_NUMBERS.get(node.kind)) is not None:
            values = self.program.sources[node.at].values
            need(len(node.numbers) == own + len(values), f"an event {node.kind!r} lacks values of its text")

    def _arguments(self, arguments: Sequence[Any], called: Function | Procedure) -> None:
        slots = called.slots[: called.parameters]
        fits = len(arguments) == called.parameters and all(
            isinstance(one, t.List) == (slot.capacity > 0) for one, slot in zip(arguments, slots, strict=True)
        )
        need(fits, f"{called.name} is called with other arguments than its parameters")


_CHECKS: dict[type, Callable[[_Code, Any, _Place], None]] = {
    t.Table: _Code.number, t.SendHome: _Code.number, t.TableList: _Code.numbers,
    t.Call: _Code.call, t.CallList: _Code.call, t.Do: _Code.call, t.DoTable: _Code.call_of_table,
    t.Invoke: _Code.invoke, t.InvokeTable: _Code.invoke, t.Goto: _Code.goto, t.Ask: _Code.ask,
    t.Change: _Code.track, t.Assign: _Code.track, t.Emit: _Code.emit, t.Restart: _Code.restart,
}  # fmt: skip


def nodes_of(code: Any) -> Iterator[Any]:
    """Iterate over all nodes of some code, itself included, without recursion."""
    waiting = [code]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, tuple):
            waiting.extend(thing)
        elif attrs.has(type(thing)):
            yield thing
            waiting.extend(getattr(thing, field.name) for field in attrs.fields(type(thing)))


# ------------------------------------------------------------------ cycles


def _always_next(tree: t.Tree) -> Iterator[int]:
    """Yield the segment that always follows without a charge of fuel, if there is one.

    A cycle of such jumps never ends. A loop over a list ends when its list is empty, and charges nothing.
    """
    charged = any(isinstance(statement, t.Charge | t.While) for statement in tree.body)
    if isinstance(tree.end, t.Goto) and not charged:
        yield tree.end.segment


def _ordered(graph: dict[int, set[int]]) -> bool:
    """Return whether a graph has no cycle."""
    incoming = dict.fromkeys(graph, 0)
    for followers in graph.values():
        for one in followers:
            incoming[one] = incoming.get(one, 0) + 1
    ready = [node for node, count in incoming.items() if not count]
    seen = 0
    while ready:
        seen += 1
        for one in graph.get(ready.pop(), ()):
            incoming[one] -= 1
            if not incoming[one]:
                ready.append(one)
    return seen == len(incoming)
