"""Generate the policies of seats as functions, for text that plays whole games.

If all seats are random, `random_policy` is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backends.policies.policies import Seated
from interpreter.backends.policies.random_player import asking_place
from interpreter.backends.policies.ranking_player import RankedPlayer
from interpreter.backends.python.playing.random_policy import NONE
from interpreter.state.chance import Stream
from interpreter.state.decision_slots import bounds
from interpreter.state.rule_errors import MOST_ANSWERS, RuleError
from ruleset.table.nodes import ANSWERED, ASKED, D_OPTIONS, D_STATE, FUEL, FUEL_PER_ANSWER, TableProgram


class SeatedPolicy:
    """Answers for the seats of one program; `functions` are for generated text. It plays one game at a time."""

    def __init__(self, program: TableProgram, seated: Seated, player: RankedPlayer | None = None) -> None:
        self.player = player or RankedPlayer(program, seated)
        self._program = program
        self._room = program.layout.options
        self._stream = Stream(0)
        self._answers = self._asked = 0
        self.functions: dict[str, Callable[..., Any]] = {
            "pick_seated": self._pick,
            "some_seated": self._some,
            "answer_all": self._answer_all,
        }

    def begin(self, stream: Stream) -> None:
        """Start a game whose answers are drawn from a stream."""
        self._stream, self._answers, self._asked = stream, 0, 0

    def answers(self) -> int:
        """Return the number of decisions in the game: answers with an alternative."""
        return self._answers

    def _pick(self, state: list[int], seat: int, site: int, options: Sequence[int], at: int, always: bool) -> int:
        """Return the answer of exactly one option, or none."""
        chosen = self._some(state, seat, site, options, 1, 1, at, always)
        return chosen[0] if chosen else NONE

    def _some(
        self,
        state: list[int],
        seat: int,
        site: int,
        options: Sequence[int],
        least: int,
        most: int,
        at: int,
        always: bool,
    ) -> Sequence[int]:
        count = len(options)
        if count > self._room:
            raise RuleError("full", at)
        least, most = bounds(count, least, most)
        if (most == 0 or least == count) and not always:
            return options if most else ()
        self._count_asked(at)
        state[FUEL] = FUEL_PER_ANSWER
        self._answers += self.player.differ(state, site, options, least, most)
        return self.player.among(state, seat, site, options, least, most, self._stream)

    def _count_asked(self, at: int) -> None:
        self._asked += 1
        if self._asked > MOST_ANSWERS:
            raise RuleError("endless", at)

    def _answer_all(self, state: list[int]) -> None:
        """Answer every open decision in the slots, in seat order."""
        player = self.player
        self._count_asked(asking_place(self._program, state))
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                self._answers += player.decides(state, seat)
                values = player.choose(state, seat, self._stream)
                start = slot + D_OPTIONS + self._room + 1
                state[start] = len(values)
                state[start + 1 : start + 1 + len(values)] = values
                state[slot + D_STATE] = ANSWERED
        state[FUEL] = FUEL_PER_ANSWER
