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
from interpreter.backends.python.playing.class_operations import names_of
from interpreter.backends.python.playing.class_policy import ClassPlayer
from interpreter.backends.python.playing.class_text import generate_by_class
from interpreter.backends.python.playing.class_zones import ClassZones, class_zones
from interpreter.backends.python.playing.random_policy import RandomPolicy
from interpreter.backends.python.playing.remembered import Tokens, with_remembered_lists
from interpreter.backends.python.playing.source import generate_playing
from interpreter.backends.python.runtime import namespace
from interpreter.backends.python.segments import PythonSource
from interpreter.optimiser.class_program import over_classes
from interpreter.optimiser.class_views import with_class_views
from interpreter.optimiser.kept_cards import choose
from interpreter.state.backend_base import TableBackend
from interpreter.state.chance import Stream, load, store
from interpreter.state.frames import NOWHERE, Following, next_game, restart
from ruleset.table.nodes import FRAME, OVER, RESULT, RNG, SEGMENT, STATUS, TableProgram

if TYPE_CHECKING:
    from interpreter.backends.policies.policies import Seated
    from interpreter.backends.policies.ranking_player import RankedPlayer
    from interpreter.backends.python.playing.bot_policy import SeatedPolicy

SAFE_FRAMES = 100
"""Depth of calls that is far from Python's limit."""


class Finished(Exception):  # noqa: N818 - it ends a game from any depth of calls
    """The rules ended the game."""


class Restarted(Exception):  # noqa: N818 - it ends one game of a series from any depth of calls
    """The rules begin the next game of a series."""


class PlayingBackend(TableBackend):
    """A backend that plays games to their ends without stopping, one at a time. For stepping, see `python.backend`.

    `seated` are the bots that play; without any, all seats answer at random. `player` answers for all seats
    instead. `source` is the generated module, for inspection.
    """

    name = "python"

    def __init__(
        self,
        program: TableProgram,
        source: PythonSource | None = None,
        seated: Seated = (),
        player: RankedPlayer | None = None,
    ) -> None:
        super().__init__(program)
        chosen = None if seated or player is not None else choose(program)
        self._cards: ClassZones | None = None
        self._policy: RandomPolicy | SeatedPolicy
        if chosen is None or chosen.kept is None:
            made, frames = generate_playing(program, bool(seated) or player is not None)
            self._policy = _policy(program, seated, player)
            names = namespace(program, False, (source or made).codes)
        else:
            classes = with_class_views(over_classes(chosen.program, chosen.kept), chosen.kept)
            classes = with_remembered_lists(classes)
            made, frames = generate_by_class(classes, chosen.kept)
            self._cards = class_zones(classes, chosen.kept)
            self._dealt = self._cards.dealt(program.start)
            self._policy = RandomPolicy(classes, ClassPlayer(self._cards))
            names = namespace(classes, False, (source or made).codes) | names_of(self._cards)
            tokens = Tokens(classes, self._cards)
            names.update(N=tokens.now, recall=tokens.recall)
        self.source = source or made
        self._deep = frames > SAFE_FRAMES
        names.update(self._policy.functions, Finished=Finished, Restarted=Restarted)
        exec(compile(self.source.text, "<generated>", "exec"), names)
        self._entry: Callable[[list[int], int], int] = names["entry"]
        self._next_entry: Callable[[list[int], int], int] = names.get("next_entry", self._entry)

    def play(self, state: list[int], stream: Stream, cards: bool = True) -> int:
        """Play a fresh state to its end. Returns the number of decisions. Raises RuleError.

        Without `cards`, the cells that say where cards are mean nothing at the end.
        """
        if not self._deep:
            return self._play(state, stream, cards)
        before, place = state.copy(), stream.place
        try:
            return self._play(state, stream, cards)
        except RecursionError:
            # Python's stack is smaller than the program's. Stepping keeps calls only in the state.
            state[:], stream.place = before, place
            return play_out(self._stepping, state, stream, self._policy.player)

    def _play(self, state: list[int], stream: Stream, cards: bool) -> int:
        self._policy.begin(stream)
        stack, entry = self.program.layout.stack, self._entry
        if self._cards is not None:
            self._cards.begin(self._dealt)
            state[RNG] = load(state)
        while True:
            try:
                state[RESULT] = entry(state, stack)
            except Finished:
                pass
            except Restarted:
                restart(state, self._next_game)
                if self._cards is not None and self.program.next_game is not None:
                    self._cards.begin(self._cards.dealt(self.program.next_game.start))
                entry = self._next_entry
                continue
            break
        if self._cards is not None:
            if cards:
                self._cards.write(state)
            store(state, state[RNG])
        state[stack] = state[stack + 1] = 0
        state[STATUS], state[SEGMENT], state[FRAME] = OVER, NOWHERE, NOWHERE
        return self._policy.answers()

    @cached_property
    def _next_game(self) -> Following:
        return next_game(self.program)

    @cached_property
    def _stepping(self) -> PythonBackend:
        return PythonBackend(self.program)


def _policy(program: TableProgram, seated: Seated, player: RankedPlayer | None) -> RandomPolicy | SeatedPolicy:
    if not seated and player is None:
        return RandomPolicy(program)
    from interpreter.backends.python.playing.bot_policy import SeatedPolicy

    return SeatedPolicy(program, seated, player)
