"""Shared parts of the suites: random legal answers, and the invariants of a single state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import hidden
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter.lockstep import PackSet, played_by

MAX_ANSWERS = 5_000


def engine(program: TableProgram, backend: str) -> Backend:
    """What plays the games of a suite, and tells of them: the walker, `together` with native code (see `PackSet`)
    or alone.
    """
    return PackSet(program) if backend == "together" else make(program, backend)


def random_answer(decision: Decision, stream: Stream) -> tuple[str, ...]:
    """The number uniformly, then the options."""
    left = [option.key for option in decision.options for _ in range(option.count)]
    count = decision.least + stream.below(decision.most - decision.least + 1)
    return tuple(left.pop(stream.below(len(left))) for _ in range(count))


def random_decision(game: Game, stream: Stream) -> Decision:
    """One of the open decisions."""
    return game.decisions[stream.below(len(game.decisions))]


def start(backend: Backend, seed: int, index: int) -> Game:
    """A new game; a rule fault in the setup is an assertion error."""
    try:
        with played_by(backend):
            return Game.start(backend.program, seed, index)
    except RuleFault as fault:
        raise AssertionError(f"game {index} of seed {seed}: {fault}") from fault


def answer(game: Game, decision: Decision, keys: Sequence[str]) -> None:
    """Gives a legal answer; a refusal or a rule fault is an assertion error."""
    try:
        outcome = game.apply(decision.seat, keys)
    except RuleFault as fault:
        raise AssertionError(f"{decision.choice} of seat {decision.seat}, {keys}: {fault}") from fault
    assert not isinstance(outcome, Refusal), f"legal answer {keys} was refused: {outcome}"


def random_play(backend: Backend, seed: int, index: int, stream: Stream) -> Iterator[Game]:
    """The same game again and again, before each answer and at the end."""
    game = start(backend, seed, index)
    for _ in range(MAX_ANSWERS):
        yield game
        if game.result is not None:
            return
        decision = random_decision(game, stream)
        answer(game, decision, random_answer(decision, stream))
    raise AssertionError(f"game {index} of seed {seed} has not ended after {MAX_ANSWERS} answers")


def check_cards(program: TableProgram, state: Sequence[int]) -> None:
    """Every card of the start lies in one zone, which accepts it and has room; bags are sorted."""
    found: list[int] = []
    for number, zone in enumerate(program.zones):
        size = state[zone.address]
        cards = list(state[zone.address + 1 : zone.address + 1 + size])
        found += cards
        assert size <= zone.capacity, f"{zone.key} holds {size} cards and has room for {zone.capacity}"
        assert zone.order != "bag" or cards == sorted(cards), f"{zone.key} is not sorted: {cards}"
        for card in cards:
            place = state[program.layout.places + card]
            assert place == number, f"card {card} lies in {zone.key}, but its place says {place}"
            assert not zone.accepts or card in zone.accepts, f"{zone.key} does not accept card {card}"
    expected = {card for _, cards in program.start for card in cards}
    assert len(found) == len(set(found)), f"cards were doubled: {sorted(found)}"
    assert expected <= set(found), f"cards were lost: {sorted(expected - set(found))}"


def check_knowledge(program: TableProgram, state: Sequence[int], knowledge: Knowledge) -> None:
    """Masks stand where they may, and every bound is true."""
    for card, mask in enumerate(knowledge.masks):
        zone = state[program.layout.places + card]
        for seat in range(program.seats):
            if mask >> seat & 1:
                info = program.zones[zone]
                assert zone >= 0 and hidden(info, seat), f"seat {seat} sees card {card} and need not know it"
    for zone, seat, face, count in knowledge.bounds:
        info = program.zones[zone]
        assert hidden(info, seat), f"seat {seat} sees {info.key} and needs no bound"
        cards = state[info.address + 1 : info.address + 1 + state[info.address]]
        faces = Counter(program.cards[card].face for card in cards if not knowledge.masks[card] >> seat & 1)
        true = faces[face]
        assert 1 <= count <= true, f"seat {seat} believes {count} of face {face} in {info.key}; there are {true}"
