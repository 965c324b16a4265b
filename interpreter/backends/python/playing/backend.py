"""The backend for whole games in generated Python, with the random policy built in.

The final cells of a game, its number of decisions and its rule errors are the same as with
`policies.random_player.play_out`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from interpreter.backends.policies.random_player import play_out
from interpreter.backends.python.backend import PythonBackend
from interpreter.backends.python.playing.random_policy import RandomPolicy
from interpreter.backends.python.playing.source import generate_playing
from interpreter.backends.python.runtime import namespace
from interpreter.backends.python.segments import PythonSource
from interpreter.state.backend_base import TableBackend
from interpreter.state.chance import Stream
from interpreter.state.frames import NOWHERE, Following, next_game, restart
from ruleset.table.nodes import FRAME, OVER, RESULT, SEGMENT, STATUS, TableProgram

if TYPE_CHECKING:
    from interpreter.backends.policies.policies import Seated
    from interpreter.backends.python.playing.bot_policy import SeatedPolicy

SAFE_FRAMES = 100
"""Depth of calls that is far from Python's limit."""


class Finished(Exception):  # noqa: N818 - it ends a game from any depth of calls
    """The rules ended the game."""


class Restarted(Exception):  # noqa: N818 - it ends one game of a series from any depth of calls
    """The rules begin the next game of a series."""


class PlayingBackend(TableBackend):
    """A backend that plays games to their ends without stopping, one at a time. For stepping, see `python.backend`.

    `seated` are the bots that play; without any, all seats answer at random. `source` is the generated module, for
    inspection.
    """

    name = "python"

    def __init__(self, program: TableProgram, source: PythonSource | None = None, seated: Seated = ()) -> None:
        super().__init__(program)
        made, frames = generate_playing(program, bool(seated))
        self.source = source or made
        self._policy = _policy(program, seated)
        self._deep = frames > SAFE_FRAMES
        names = namespace(program, False, self.source.codes)
        names.update(self._policy.functions, Finished=Finished, Restarted=Restarted)
        exec(compile(self.source.text, "<generated>", "exec"), names)
        self._entry: Callable[[list[int], int], int] = names["entry"]
        self._next_entry: Callable[[list[int], int], int] = names.get("next_entry", self._entry)

    def play(self, state: list[int], stream: Stream) -> int:
        """Play a fresh state to its end. Returns the number of decisions. Raises RuleError."""
        if not self._deep:
            return self._play(state, stream)
        before, place = state.copy(), stream.place
        try:
            return self._play(state, stream)
        except RecursionError:
            # Python's stack is smaller than the program's. Stepping keeps calls only in the state.
            state[:], stream.place = before, place
            return play_out(self._stepping, state, stream, self._policy.player)

    def _play(self, state: list[int], stream: Stream) -> int:
        self._policy.begin(stream)
        stack, entry = self.program.layout.stack, self._entry
        while True:
            try:
                state[RESULT] = entry(state, stack)
            except Finished:
                pass
            except Restarted:
                restart(state, self._next_game)
                entry = self._next_entry
                continue
            break
        state[stack] = state[stack + 1] = 0
        state[STATUS], state[SEGMENT], state[FRAME] = OVER, NOWHERE, NOWHERE
        return self._policy.answers()

    @cached_property
    def _next_game(self) -> Following:
        return next_game(self.program)

    @cached_property
    def _stepping(self) -> PythonBackend:
        return PythonBackend(self.program)


def _policy(program: TableProgram, seated: Seated) -> RandomPolicy | SeatedPolicy:
    if not seated:
        return RandomPolicy(program)
    from interpreter.backends.python.playing.bot_policy import SeatedPolicy

    return SeatedPolicy(program, seated)
