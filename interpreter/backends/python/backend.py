"""The default backend: Python source generated for a table program, compiled and run.

There are two builds: the fast one reports nothing, the narrating one takes a list for events. Both produce the same
cells as the walker. The generated text contains no text of a pack: everything in it is numbered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from interpreter.backends.python.runtime import namespace
from interpreter.backends.python.segments import PythonSource, generate
from interpreter.state import decision_slots
from interpreter.state.backend_base import TableBackend
from interpreter.state.events import RawEvent
from interpreter.state.frames import NOWHERE
from ruleset.table.nodes import FRAME, OVER, RUNNING, SEGMENT, STATUS, TableProgram

SegmentFunction: TypeAlias = Callable[..., int]


class PythonBackend(TableBackend):
    """A backend of generated Python. `source` is the generated module, for inspection."""

    name = "python"

    def __init__(self, program: TableProgram, narrating: bool = False, source: PythonSource | None = None) -> None:
        super().__init__(program)
        self.narrating = narrating
        self.source = source or generate(program, narrating)
        names = namespace(program, narrating, self.source.codes)
        exec(compile(self.source.text, "<generated>", "exec"), names)
        self._segments: list[SegmentFunction] = names["SEGMENTS"]

    def run(self, state: list[int], events: list[RawEvent] | None = None) -> None:
        """See `Backend.run`."""
        if state[STATUS] != RUNNING:
            return
        if self.narrating:
            self._narrate(state, [] if events is None else events)
            return
        if events is not None:
            raise ValueError("this backend was not made for narration")
        segments, following = self._segments, state[SEGMENT]
        while following >= 0:
            following = segments[following](state, state[FRAME])
        if following == NOWHERE:
            state[STATUS], state[SEGMENT] = OVER, NOWHERE

    def _narrate(self, state: list[int], events: list[Any]) -> None:
        events.extend(decision_slots.answered_events(state, self.program))
        segments, following = self._segments, state[SEGMENT]
        while following >= 0:
            following = segments[following](state, state[FRAME], events)
        if following == NOWHERE:
            state[STATUS], state[SEGMENT] = OVER, NOWHERE
