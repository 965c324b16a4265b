"""Games in which a policy must choose the same where its seat sees and knows the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.search.determinise import Keys, possible_world
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import view
from rulewright.ruleset.table.nodes import TableProgram
from tests.suites.play import engine, random_play

Choose = Callable[[Sequence[int], Knowledge, int, Stream], Keys]
"""A policy: state, knowledge, seat, chance."""


def same_choices(program: TableProgram, choose: Choose, games: int, one_in: int) -> int:
    """Compare choices in pairs of states that are equal for a seat. Returns in how many cards lay elsewhere."""
    stepping, differing = make(program), 0
    for index in range(games):
        stream = Stream(17, index)
        for number, game in enumerate(random_play(engine(program, "walker"), 17, index, stream)):
            if game.result is not None or stream.below(one_in):
                continue
            seat = game.decisions[0].seat
            world = possible_world(stepping, game.state, game.knowledge, seat, stream)
            if world is None:
                continue
            assert view(program, world.state, world.knowledge, seat) == game.view(seat)
            differing += (
                world.state[program.layout.places : program.layout.stack]
                != (game.state[program.layout.places : program.layout.stack])
            )
            real = choose(game.state, game.knowledge, seat, Stream(index, number))
            assert choose(world.state, world.knowledge, seat, Stream(index, number)) == real
    return differing
