"""Whether a changed pack plays as before: random games with the same seeds, and the pack's scenarios."""

from __future__ import annotations

from array import array
from typing import Any

from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_STATE, STATUS
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages

GAMES, MOST_ANSWERS = 8, 400
"""Games of each number of players, and answers in each."""


def games(program: Program) -> tuple[object, ...]:
    """What happens in random games of each number of players: every event, and how each game ends."""
    return tuple(_games(program, seats) for seats in range(program.least_players, program.most_players + 1))


def _games(program: Program, seats: int) -> object:
    try:
        table = lower(program, seats, {})
    except TableError as error:
        return str(error)
    backend = Walker(table)
    found: list[object] = []
    player = RandomPlayer(backend.program)
    names = [one.name for one in table.sources]
    for game in range(GAMES):
        events: list[Any] = []
        state = backend.start(1, game)
        try:
            backend.run(state, events)
            _play(backend, player, state, Stream(1, game + 1), events)
        except RuleError as error:
            found.append(error.code)
        found.append([(event[0], names[event[5]] if event[5] >= 0 else "", *event[1:5]) for event in events])
    return repr(found)


def _play(backend: Any, player: RandomPlayer, state: array[int], stream: Stream, events: list[Any]) -> None:
    for _ in range(MOST_ANSWERS):
        if state[STATUS] != ASKING:
            return
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                backend.answer(state, seat, player.choose(state, seat, stream))
        backend.run(state, events)


def scenarios_fail(program: Program) -> bool:
    """Whether `rulewright test` would report something."""
    stages = Stages(program, program.scenarios)
    return any(perform(stages, one).wrong for one in program.scenarios)
