"""C that stops where the rules ask: every segment becomes a function `rw_s12`.

It loads the live slots of the frame, runs, stores the slots that stay live, and returns the segment to run next. A
game can stop between any two segments, and continue on any other backend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.analysis.nodes import assigned_slots, read_slots
from interpreter.backends.native.codegen.procedures import ProcedureText
from interpreter.state.frames import LINKS, NOWHERE, dead_slots
from ruleset.table import nodes as t
from ruleset.table.nodes import (
    ASKING,
    FRAME,
    FUEL,
    FUEL_PER_ANSWER,
    OPEN,
    RESULT,
    RUNNING,
    SEGMENT,
    STATUS,
    End,
    List,
    Slot,
    Tree,
)

STOP, FAILED = -2, -3
"""Returned instead of the next segment: the game asks, or a rule failed."""


class SteppingText(ProcedureText):
    """Segments as functions."""

    segment_number = 0
    """The segment that is being written."""

    def code(self) -> list[str]:
        for number in range(len(self.program.segments)):
            self.measured(self.segment, number)
        names = ", ".join(f"rw_s{number}" for number in range(len(self.program.segments)))
        self.line(f"static int (*const rw_segments[])(rw_game *, int) = {{{names}}};")
        self._answered()
        return []

    def _answered(self) -> None:
        """Write the function that updates the asking segment's frame when all have answered."""
        with self.block("static void rw_go_on(rw_game *G)"):
            self.line(f"const int fp = S[{FRAME}]; (void)fp;")
            with self.block(f"switch (S[{SEGMENT}])"):
                for number, segment in enumerate(self.program.segments):
                    if isinstance(segment.tree.end, t.Ask):
                        resume = segment.tree.end.resume
                        self.line(f"case {number}:")
                        self.drop(dead_slots(self.program, number, resume))
                        self.line(f"S[{SEGMENT}] = {resume}; break;")
            self.line(f"S[{STATUS}] = {RUNNING}; S[{OPEN}] = 0; S[{FUEL}] = {FUEL_PER_ANSWER};")

    def segment(self, number: int) -> None:
        """Write the function of one segment."""
        segment = self.program.segments[number]
        procedure = self.program.procedures[segment.procedure]
        self.slots, self.failed, self.segment_number = procedure.slots, f"return {FAILED};", number
        touched = read_slots(segment.tree) | assigned_slots(segment.tree)
        with self.block(f"static int rw_s{number}(rw_game *G, int fp)"):
            self.line("(void)fp;")
            for one in sorted(touched):
                self._load(one, procedure.slots[one], one in segment.live)
            self.tree(segment.tree, frozenset())

    def _load(self, number: int, slot: Slot, live: bool) -> None:
        """Load a slot of the frame into a variable."""
        if not slot.capacity:
            self.line(f"int v{number} = {f'S[fp + {slot.offset}]' if live else '0'}; (void)v{number};")
            return
        self.room += slot.capacity
        self.line(f"int l{number}[{slot.capacity}], n{number} = 0; (void)l{number}; (void)n{number};")
        if live:
            self.line(
                f"n{number} = S[fp + {slot.offset}]; rw_copy(l{number}, S + fp + {slot.offset + 1}, n{number});"
            )

    def tree(self, tree: Tree, assigned: frozenset[int]) -> None:
        """Write a tree; every way through it ends in a return. `assigned` are slots that may have been assigned."""
        self.statements(tree.body)
        assigned |= assigned_slots(tree.body)
        if isinstance(tree.end, t.Branch):
            with self.block(f"if ({self.number(tree.end.condition)})"):
                self.tree(tree.end.then, assigned)
            with self.block():
                self.tree(tree.end.otherwise, assigned)
            return
        with self.block():
            _STEPS[type(tree.end)](self, tree.end, assigned)

    def leave_for(self, successor: int, assigned: frozenset[int]) -> None:
        """Store variables in slots of the frame, as the next segment in it expects."""
        segment = self.program.segments[self.segment_number]
        for number in self.program.segments[successor].live:
            slot = self.slots[number]
            if number not in assigned:
                continue
            if slot.capacity:
                self.line(f"rw_write(G, fp + {slot.offset}, l{number}, n{number});")
            else:
                self.line(f"S[fp + {slot.offset}] = v{number};")
        self.drop(dead_slots(self.program, self.segment_number, successor))
        assert segment.procedure == self.program.segments[successor].procedure

    def drop(self, slots: Sequence[Slot]) -> None:
        """Write the lines that zero slots of the frame."""
        for slot in slots:
            self.line(f"rw_clear(G, fp + {slot.offset});" if slot.capacity else f"S[fp + {slot.offset}] = 0;")

    def size(self) -> int:
        """Return the size of the current procedure's frame in cells."""
        return self.program.procedures[self.program.segments[self.segment_number].procedure].size

    def enter(
        self, called: Sequence[int], node: t.Invoke | t.InvokeTable, assigned: frozenset[int], name: str
    ) -> None:
        """Write a call of one of these procedures, whose number is in the variable `name`: fuel, room, arguments,
        its frame, and the resume segment. Their parameters must have the same offsets.
        """
        procedure = self.program.procedures[called[0]]
        size = str(procedure.size) if len(called) == 1 else f"rw_size[{name}]"
        self.charge(node.at)
        self.fault_if(f"fp > {self.program.layout.cells - self.size()} - {size}", "stack", node.at)
        for slot, argument in zip(procedure.slots, node.arguments, strict=False):
            target = f"fp + {self.size() + slot.offset}"
            if isinstance(argument, List):
                view = self.view(argument)
                self.line(f"rw_write(G, {target}, {view.pointer}, {view.count});")
            else:
                self.line(f"S[{target}] = {self.number(argument)};")
        self.leave_for(node.resume, assigned)
        frame = f"fp + {self.size()}"
        self.line(f"S[{frame}] = {node.resume}; S[fp + {self.size() + 1}] = fp; S[{FRAME}] = {frame};")
        self.line(f"return {procedure.entry if len(called) == 1 else f'rw_entry[{name}]'};")

    def alike(self, called: Sequence[int], count: int) -> list[list[int]]:
        """Group procedures whose first parameters have the same offsets."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for number in called:
            offsets = tuple(slot.offset for slot in self.program.procedures[number].slots[:count])
            groups.setdefault(offsets, []).append(number)
        return list(groups.values())


def _step_goto(text: SteppingText, node: t.Goto, assigned: frozenset[int]) -> None:
    text.leave_for(node.segment, assigned)
    text.line(f"return {node.segment};")


def _step_invoke(text: SteppingText, node: t.Invoke, assigned: frozenset[int]) -> None:
    text.enter([node.procedure], node, assigned, "")


def _step_invoke_table(text: SteppingText, node: t.InvokeTable, assigned: frozenset[int]) -> None:
    called = text.name()
    text.line(f"const int {called} = rw_T{node.table}[{text.number(node.index)}];")
    with text.block(f"switch ({called})"):
        text.line("case -1: break;")
        for group in text.alike(text.called_ones(node.table), len(node.arguments)):
            for number in group:
                text.line(f"case {number}:")
            with text.block():
                text.enter(group, node, assigned, called)
    text.leave_for(node.resume, assigned)
    text.line(f"return {node.resume};")


def _step_return(text: SteppingText, node: t.Return, _assigned: frozenset[int]) -> None:
    segment = text.program.segments[text.segment_number]
    text.line(f"S[{RESULT}] = {0 if node.value is None else text.number(node.value)};")
    text.line(f"const int resume = S[fp]; S[{FRAME}] = S[fp + 1];")
    text.drop([text.slots[slot] for slot in segment.live])
    text.line("".join(f"S[fp + {cell}] = 0; " for cell in range(LINKS)) + "return resume;")


def _step_ask(text: SteppingText, node: t.Ask, assigned: frozenset[int]) -> None:
    text.line("rw_close(G);")
    open_ = text.asked(node)
    with text.block(f"if ({open_})"):
        text.line(f"S[{OPEN}] = {open_}; S[{STATUS}] = {ASKING}; S[{SEGMENT}] = {text.segment_number};")
        text.line(f"return {STOP};")
    text.leave_for(node.resume, assigned)
    text.line(f"return {node.resume};")


def _step_finish(text: SteppingText, _node: t.Finish, _assigned: frozenset[int]) -> None:
    start = text.program.layout.stack
    text.line(f"for (int i = {start}; i < fp + {text.size()}; i++) S[i] = 0;")
    text.line(f"S[{FRAME}] = {NOWHERE}; return {NOWHERE};")


def _step_restart(text: SteppingText, node: t.Restart, _assigned: frozenset[int]) -> None:
    text.charge(node.at)
    text.line("rw_restart(G); return S[RW_SEGMENT];")


_STEPS: dict[type[End], Callable[[SteppingText, Any, frozenset[int]], None]] = {
    t.Goto: _step_goto,
    t.Invoke: _step_invoke,
    t.InvokeTable: _step_invoke_table,
    t.Return: _step_return,
    t.Ask: _step_ask,
    t.Finish: _step_finish,
    t.Restart: _step_restart,
}
