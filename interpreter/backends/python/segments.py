"""Python source for segments: every segment of a procedure becomes a function `s12(S, fp)`.

It loads the live slots that it uses into variables, runs, and returns the number of the segment to run next, or
STOP. On each way out it stores the slots that were assigned and are still live, and zeroes those that are no longer
live, so that the frame's cells equal the walker's. Other slots stay in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import frozen

from interpreter.analysis.nodes import assigned_slots, read_slots
from interpreter.analysis.shapes import for_text, plain, slot_name
from interpreter.backends.python.statements import StatementText
from interpreter.state.decision_slots import slot_address
from interpreter.state.frames import LINKS, NOWHERE, dead_slots
from interpreter.state.memo import once
from ruleset.table import nodes as t
from ruleset.table.nodes import (
    ASKING,
    FRAME,
    OPEN,
    RESULT,
    SEGMENT,
    STATUS,
    End,
    Expr,
    List,
    Procedure,
    Slot,
    TableProgram,
    Tree,
)

STOP = -2
"""Returned by a segment when the game asks."""

SLICE_FROM = 4
"""A slice is faster than single cells from this many adjacent cells on."""


@frozen
class PythonSource:
    """The module generated for a program. `codes` are the rule errors that the text refers to by number."""

    text: str
    codes: tuple[str, ...]


def generate(program: TableProgram, narrating: bool) -> PythonSource:
    """Return the source of one build of a program. It needs the names from `python.runtime`."""
    text = SegmentText(for_text(program), narrating)
    for number in range(len(program.functions)):
        text.function(number)
    for number in range(len(program.segments)):
        text.segment(number)
    text.lines += text.ending()
    text.line(f"SEGMENTS = [{', '.join(f's{number}' for number in range(len(program.segments)))}]")
    return PythonSource("\n".join(text.lines) + "\n", tuple(text.codes))


@frozen
class Way:
    """The state of a path through a segment's tree: the slots that may have been assigned.

    A slot that is assigned on some paths only, and live afterwards, is live from the start, so it was loaded.
    """

    segment: int
    assigned: frozenset[int]


class SegmentText(StatementText):
    """Python source for segments."""

    def segment(self, number: int) -> None:
        """Write one segment."""
        segment = self.program.segments[number]
        procedure = self.program.procedures[segment.procedure]
        self.temporaries = 0
        self.lengths, self.addresses = {}, {}
        self.line(f"def s{number}(S, fp{', E' if self.narrating else ''}):")
        self.indent += 1
        touched = read_slots(segment.tree) | assigned_slots(segment.tree)
        self.load([procedure.slots[slot] for slot in segment.live if slot in touched], procedure)
        self.tree(segment.tree, Way(number, frozenset()))
        self.indent -= 1

    def tree(self, tree: Tree, way: Way) -> None:
        """Write a tree; every way through it ends in a return."""
        self.statements(tree.body)
        way = Way(way.segment, way.assigned | assigned_slots(tree.body))
        word, end = "if", tree.end
        while isinstance(end, t.Branch):
            self.line(f"{word} {plain(self.condition(end.condition))}:")
            self.indent += 1
            addresses = self.addresses
            self.tree(end.then, way)
            self.addresses = addresses
            self.indent -= 1
            word = "elif"
            if end.otherwise.body or not isinstance(end.otherwise.end, t.Branch):
                self.tree(end.otherwise, way)
                return
            end = end.otherwise.end
        _ENDS[type(end)](self, end, way)

    # -------------------------------------------------------------- frames

    def load(self, slots: Sequence[Slot], procedure: Procedure) -> None:
        """Load slots of the frame into variables."""
        name_of = _slot_names(procedure)
        for run in _runs([slot for slot in slots if not slot.capacity], lambda slot: slot.offset):
            names = [name_of[slot] for slot in run]
            first = run[0].offset
            if len(run) >= SLICE_FROM:
                self.line(f"{', '.join(names)} = S[fp + {first}:fp + {first + len(run)}]")
            else:
                for name, slot in zip(names, run, strict=True):
                    self.line(f"{name} = S[fp + {slot.offset}]")
        for slot in slots:
            if slot.capacity:
                start = slot.offset + 1
                name = name_of[slot]
                self.line(f"{name} = S[fp + {start}:fp + {start} + S[fp + {slot.offset}]]")

    def leave_for(self, successor: int, way: Way) -> None:
        """Store variables in slots of the frame, as the next segment in it expects."""
        segment = self.program.segments[way.segment]
        procedure = self.program.procedures[segment.procedure]
        cells: list[tuple[int, str]] = []
        for number in self.program.segments[successor].live:
            slot = procedure.slots[number]
            if number not in way.assigned:
                continue
            if not slot.capacity:
                cells.append((slot.offset, slot_name(number)))
            elif number in segment.live:
                self.line(f"write(S, fp + {slot.offset}, {slot_name(number)})")
            else:
                self._store_list(f"fp + {slot.offset}", f"fp + {slot.offset + 1}", slot_name(number))
        for slot in dead_slots(self.program, way.segment, successor):
            if slot.capacity:
                self.line(f"clear(S, fp + {slot.offset})")
            else:
                cells.append((slot.offset, "0"))
        self._store(cells)

    def _store(self, cells: Iterable[tuple[int, str]]) -> None:
        for run in _runs(sorted(cells), lambda cell: cell[0]):
            first = run[0][0]
            if len(run) >= SLICE_FROM:
                values = ", ".join(value for _, value in run)
                self.line(f"S[fp + {first}:fp + {first + len(run)}] = ({values})")
            else:
                for offset, value in run:
                    self.line(f"S[fp + {offset}] = {value}" if offset else f"S[fp] = {value}")

    def _store_list(self, count: str, start: str, value: str) -> None:
        """Store a list in cells that are zero."""
        size = self.temporary()
        self.line(f"S[{count}] = {size} = len({value})")
        self.line(f"S[{start}:{start} + {size}] = {value}")

    # -------------------------------------------------------------- calls

    def enter(self, way: Way, resume: int, arguments: Sequence[Expr | List], places: Sequence[str]) -> None:
        """Write the lines that make a called procedure's frame. `places` are offsets of its parameters."""
        size = self._size(way)
        for argument, place in zip(arguments, places, strict=True):
            target = f"fp + {size} + {place}"
            if place.isdigit():
                target = f"fp + {size + int(place)}"
            if isinstance(argument, List):
                name = self.temporary()
                self.line(f"{name} = {self.items(argument)}")
                self._store_list(target, f"{target} + 1", name)
            else:
                self.line(f"S[{target}] = {self.text_of(argument)}")
        self.leave_for(resume, way)
        self.line(f"S[fp + {size}] = {resume}")
        self.line(f"S[fp + {size + 1}] = fp")
        self.line(f"S[{FRAME}] = fp + {size}")

    def _size(self, way: Way) -> int:
        return self.program.procedures[self.program.segments[way.segment].procedure].size


@once
def _slot_names(procedure: Procedure) -> dict[Slot, str]:
    """Return the variables of a procedure's slots."""
    return {slot: slot_name(number) for number, slot in reversed([*enumerate(procedure.slots)])}


def _runs(items: Iterable[Any], place: Callable[[Any], int]) -> list[list[Any]]:
    """Group items with adjacent cells, in the order of their cells."""
    runs: list[list[Any]] = []
    for item in sorted(items, key=place):
        if runs and place(runs[-1][-1]) + 1 == place(item):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


# ------------------------------------------------------------------ ends


def _goto(text: SegmentText, node: t.Goto, way: Way) -> None:
    text.leave_for(node.segment, way)
    text.line(f"return {node.segment}")


def _invoke(text: SegmentText, node: t.Invoke, way: Way) -> None:
    called = text.program.procedures[node.procedure]
    text.charge(node.at)
    highest = text.program.layout.cells - text._size(way) - called.size
    text.line(f"if fp > {highest}: no_stack({node.at})")
    offsets = [str(called.slots[i].offset) for i in range(len(node.arguments))]
    text.enter(way, node.resume, node.arguments, offsets)
    text.line(f"return {called.entry}")


def _invoke_table(text: SegmentText, node: t.InvokeTable, way: Way) -> None:
    name = text.temporary()
    text.line(f"{name} = T{node.table}[{text.text_of(node.index)}]")
    text.line(f"if {name} == -1:")
    text.indent += 1
    text.leave_for(node.resume, way)
    text.line(f"return {node.resume}")
    text.indent -= 1
    text.charge(node.at)
    text.line(f"if fp + SIZES[{name}] > {text.program.layout.cells - text._size(way)}: no_stack({node.at})")
    called = [text.program.procedures[p] for p in set(text.program.tables[node.table]) if p >= 0]
    offsets = []
    for i in range(len(node.arguments)):
        found = {procedure.slots[i].offset for procedure in called}
        offsets.append(str(found.pop()) if len(found) == 1 else f"OFFSETS[{name}][{i}]")
    text.enter(way, node.resume, node.arguments, offsets)
    text.line(f"return ENTRIES[{name}]")


def _return(text: SegmentText, node: t.Return, way: Way) -> None:
    segment = text.program.segments[way.segment]
    slots = [text.program.procedures[segment.procedure].slots[slot] for slot in segment.live]
    text.line(f"S[{RESULT}] = {0 if node.value is None else text.text_of(node.value)}")
    text.line(f"S[{FRAME}] = S[fp + 1]")
    name = text.temporary()
    text.line(f"{name} = S[fp]")
    for slot in slots:
        if slot.capacity:
            text.line(f"clear(S, fp + {slot.offset})")
    cells = [*range(LINKS), *(slot.offset for slot in slots if not slot.capacity)]
    text._store((cell, "0") for cell in cells)
    text.line(f"return {name}")


def _ask(text: SegmentText, node: t.Ask, way: Way) -> None:
    layout, seats = text.program.layout, text.program.seats
    used = " or ".join(f"S[{slot_address(layout, seat)}]" for seat in range(seats))
    text.line(f"if {used}: close(S)")
    asked = text.ask(node)
    text.line(f"if {asked}:")
    text.indent += 1
    text.line(f"S[{OPEN}] = {asked}")
    text.line(f"S[{STATUS}] = {ASKING}")
    text.line(f"S[{SEGMENT}] = {way.segment}")
    text.line(f"return {STOP}")
    text.indent -= 1
    if text.narrating:
        text.line("E.extend(answered(S))")
    text.leave_for(node.resume, way)
    text.line(f"return {node.resume}")


def _finish(text: SegmentText, _node: t.Finish, way: Way) -> None:
    start = text.program.layout.stack
    text.line(f"S[{start}:fp + {text._size(way)}] = [0] * (fp + {text._size(way) - start})".replace("+ -", "- "))
    text.line(f"S[{FRAME}] = {NOWHERE}")
    text.line(f"return {NOWHERE}")


def _restart(text: SegmentText, node: t.Restart, _way: Way) -> None:
    text.charge(node.at)
    text.line("return restart(S)")


_ENDS: dict[type[End], Callable[[SegmentText, Any, Way], None]] = {
    t.Goto: _goto,
    t.Invoke: _invoke,
    t.InvokeTable: _invoke_table,
    t.Return: _return,
    t.Ask: _ask,
    t.Finish: _finish,
    t.Restart: _restart,
}
