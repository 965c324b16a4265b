"""Knowledge, views, and determinised worlds on random programs: their invariants hold for any rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from attrs import evolve

from rulewright.interpreter.game.game import Game, RuleFault, decode_state, encode
from rulewright.interpreter.search.determinise import redeal
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.knowledge import Folding, initial, start_contents, zone_contents
from rulewright.interpreter.views.view import view
from rulewright.ruleset.table.canonical import dumps
from rulewright.ruleset.table.nodes import TableProgram
from tests.canonical import loads
from tests.interpreter.programs_random import NEWER, random_program
from tests.suites.play import check_cards, check_knowledge, random_answer, random_decision

SEEDS = [*(seed for seed in range(24) if seed != 12), *range(NEWER, NEWER + 6)]
"""The program that is left out uses all its fuel again and again: it takes longer than all others."""
ANSWERS = 30


def fitted(seed: int) -> TableProgram:
    """A random program, whose rules respect no types: its zones accept all cards, its options are numbers, and
    what it emits claims nothing about cards.
    """
    text = re.sub(r'\{"Emit":\["(?!restarted)[a-z-]+"', '{"Emit":["ended"', dumps(random_program(seed)))
    program: TableProgram = loads(text)
    everything = tuple(range(len(program.cards)))
    return evolve(
        program,
        zones=tuple(evolve(zone, accepts=everything) for zone in program.zones),
        sites=tuple(evolve(site, of="number", branches=()) for site in program.sites),
    )


def moments(program: TableProgram, seed: int, stream: Stream) -> Iterator[Game]:
    """A game before each answer, until it ends, fails or is long enough."""
    try:
        game = Game.start(program, seed)
        for _ in range(ANSWERS):
            yield game
            if game.result is not None:
                return
            decision = random_decision(game, stream)
            game.apply(decision.seat, random_answer(decision, stream))
    except RuleFault:
        return


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_holds_for_any_program(seed: int) -> None:
    program, stream = fitted(seed), Stream(seed)
    assert loads(dumps(program)) == program
    folding, told = Folding(program, start_contents(program), initial(program)), 0
    for game in moments(program, seed, stream):
        state, knowledge = game.state, game.knowledge
        check_cards(program, state)
        check_knowledge(program, state, knowledge)
        assert decode_state(program, encode(program, state, knowledge)) == (state, knowledge)
        for event in game.events(since=told):
            folding.add((event.kind, event.numbers, event.cards, event.audience, event.sees, event.at))
        told = len(game.events())
        assert folding.contents == zone_contents(program, state)
        assert folding.result() == knowledge


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_worlds_of_any_program(seed: int) -> None:
    program, stream = fitted(seed), Stream(seed, 1)
    for game in moments(program, seed, stream):
        for seat in range(program.seats):
            world = redeal(game._walker, game.state, game.knowledge, seat, stream)
            check_cards(program, world.state)
            check_knowledge(program, world.state, world.knowledge)
            assert view(program, world.state, world.knowledge, seat) == game.view(seat)
