"""The walker: the reference backend, which runs a table program by walking over its nodes.

It is slow and simple on purpose: it defines the meaning of a table program. Expressions are in
`walker.expressions`, statements in `walker.statements`, zones and tracks in `walker.zones`, decisions in
`state.decision_slots`, frames in `state.frames`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.state import decision_slots
from rulewright.interpreter.state.backend import TableBackend
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import (
    NOWHERE,
    Following,
    clear_slots,
    dead_slots,
    drop_stack,
    leave_frame,
    next_game,
    read_list,
    restart,
    write_list,
)
from rulewright.interpreter.state.memo import once
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import (
    ASKING,
    FRAME,
    OPEN,
    OVER,
    RUNNING,
    SEGMENT,
    STATUS,
    End,
    Segment,
    Slot,
    TableProgram,
)

STOP = -2
"""Replaces the number of a segment when the game asks."""


class Walker(TableBackend):
    """The backend that walks over nodes. It narrates whenever it gets a list for events."""

    name = "walker"

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self.code = Statements(program)
        self._dead: dict[tuple[int, int], tuple[Slot, ...]] = {}
        """The slots that are dead from one segment to another: working them out takes longer than most segments."""

    def run(self, state: array[int], events: list[RawEvent] | None = None) -> None:
        """See `Backend.run`."""
        if state[STATUS] != RUNNING:
            return
        if events is not None:
            events.extend(decision_slots.answered_events(state, self.program))
        while state[SEGMENT] != NOWHERE:
            following = self._segment(state[SEGMENT], state, events)
            if following == STOP:
                state[STATUS] = ASKING
                return
            state[SEGMENT] = following
        state[STATUS] = OVER

    # -------------------------------------------------------------- segments

    def _segment(self, number: int, state: array[int], events: list[RawEvent] | None) -> int:
        """Run one segment. Returns the one to run next, or STOP."""
        segment = self.segment(number)
        scope = Environment(state, events)
        for slot in segment.live:
            info = self.program.procedures[segment.procedure].slots[slot]
            address = state[FRAME] + info.offset
            scope.bind(slot, tuple(read_list(state, address)) if info.capacity else state[address])
        tree = segment.tree
        while True:
            self.code.execute(tree.body, scope)
            if not isinstance(tree.end, t.Branch):
                return _ENDS[type(tree.end)](self, tree.end, scope, number)
            holds = self.code.number(tree.end.condition, scope)
            tree = tree.end.then if holds else tree.end.otherwise

    def segment(self, number: int) -> Segment:
        """Return a metered segment by its number."""
        return self.code.program.segments[number]

    @cached_property
    def next_game(self) -> Following:
        """The beginning of the next game of a series; see `state.frames.next_game`."""
        return next_game(self.program)

    def spill(self, scope: Environment, number: int, successor: int) -> int:
        """Store live slots and zero dead ones for the next segment of the same frame."""
        slots = self.program.procedures[self.segment(number).procedure].slots
        frame = scope.state[FRAME]
        dead = self._dead.get((number, successor))
        if dead is None:
            dead = self._dead[number, successor] = dead_slots(self.program, number, successor)
        clear_slots(scope.state, frame, dead)
        for slot in self.segment(successor).live:
            if slots[slot].capacity:
                value = scope.lists.get(slot, ())
                assert len(value) <= slots[slot].capacity
                write_list(scope.state, frame + slots[slot].offset, value)
            else:
                scope.state[frame + slots[slot].offset] = scope.numbers.get(slot, 0)
        return successor


@once
def walker_of(program: TableProgram) -> Walker:
    """Return the walker of a program: it keeps nothing of a game, so all games of the program share it."""
    return Walker(program)


# ------------------------------------------------------------------ ends of segments

def _goto(walker: Walker, node: t.Goto, scope: Environment, number: int) -> int:
    return walker.spill(scope, number, node.segment)


def _invoke(walker: Walker, node: t.Invoke, scope: Environment, number: int) -> int:
    return _enter(walker, node, node.procedure, scope, number)


def _invoke_table(walker: Walker, node: t.InvokeTable, scope: Environment, number: int) -> int:
    procedure = walker.code.number(t.Table(node.table, node.index), scope)
    if procedure == -1:
        return walker.spill(scope, number, node.resume)
    return _enter(walker, node, procedure, scope, number)


def _enter(
    walker: Walker,
    node: t.Invoke | t.InvokeTable,
    procedure: int,
    scope: Environment,
    number: int,
) -> int:
    """Charge fuel, check the stack, evaluate arguments, and then make the frame of the called procedure."""
    state, called = scope.state, walker.program.procedures[procedure]
    walker.code.charge(state, node.at)
    frame = state[FRAME] + walker.program.procedures[walker.segment(number).procedure].size
    if frame + called.size > walker.program.layout.cells:
        raise RuleError("stack", node.at)
    arguments = walker.code.arguments(node.arguments, scope)
    walker.spill(scope, number, node.resume)
    state[frame], state[frame + 1] = node.resume, state[FRAME]
    for slot, value in zip(called.slots, arguments, strict=False):
        if isinstance(value, int):
            state[frame + slot.offset] = value
        else:
            assert len(value) <= slot.capacity
            write_list(state, frame + slot.offset, value)
    state[FRAME] = frame
    return called.entry


def _return(walker: Walker, node: t.Return, scope: Environment, number: int) -> int:
    value = 0 if node.value is None else walker.code.number(node.value, scope)
    segment = walker.segment(number)
    slots = walker.program.procedures[segment.procedure].slots
    return leave_frame(scope.state, [slots[slot] for slot in segment.live], value)


def _ask(walker: Walker, node: t.Ask, scope: Environment, number: int) -> int:
    state, layout = scope.state, walker.program.layout
    decision_slots.close(state, layout, walker.program.seats)
    for seat in walker.code.each(node.seats, node.slot, scope):
        if seat < 0:
            raise IndexError(seat)
        options = walker.code.items(node.options, scope)
        if len(options) > layout.options:
            raise RuleError("full", node.at)
        least, most = walker.code.number(node.least, scope), walker.code.number(node.most, scope)
        state[OPEN] += decision_slots.ask(state, layout, seat, node.site, options, least, most, node.always)
    if state[OPEN]:
        return STOP
    if scope.events is not None:
        scope.events.extend(decision_slots.answered_events(state, walker.program))
    return walker.spill(scope, number, node.resume)


def _finish(walker: Walker, _node: t.Finish, scope: Environment, number: int) -> int:
    procedure = walker.program.procedures[walker.segment(number).procedure]
    drop_stack(scope.state, walker.program, procedure)
    return NOWHERE


def _restart(walker: Walker, node: t.Restart, scope: Environment, number: int) -> int:
    walker.code.charge(scope.state, node.at)
    return restart(scope.state, walker.next_game)


_ENDS: dict[type[End], Callable[[Walker, Any, Environment, int], int]] = {
    t.Goto: _goto,
    t.Invoke: _invoke,
    t.InvokeTable: _invoke_table,
    t.Return: _return,
    t.Ask: _ask,
    t.Finish: _finish,
    t.Restart: _restart,
}
