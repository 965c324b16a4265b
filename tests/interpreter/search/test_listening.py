"""What a seat that searches hears, and what it takes the others for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search.determinise import redeal
from rulewright.interpreter.search.opponents import (
    MEMORY,
    Heard,
    Listener,
    Opponents,
    as_heard,
    heard_in,
    logarithm,
    power,
)
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.views.decision import slot_values
from rulewright.interpreter.views.refusals import Refusal
from rulewright.interpreter.views.visibility import SeatSight
from rulewright.ruleset.table.nodes import D_SITE, TableProgram
from tests.interpreter.search.test_tree_search import CONTENT, PACKS
from tests.positions import program_of
from tests.small_packs import lowered
from tests.suites.play import random_answer

HUES = (Path(__file__).parent / "hues.yaml").read_text("utf-8")
WINNER = """
---
award: reds
sum: reds
---
winner: reddest
among: players
order: [most score]
"""

PRIOR = (1024, 1024, 4096)
"""Two bots, and a random player who is four times as likely."""
BOT, RANDOM = (4096, 4096, 0), (0, 0, 4096)


@pytest.fixture(scope="module")
def opponents() -> Opponents:
    return Opponents(lowered(HUES, 3))


def answered(game: Game, key: str) -> None:
    """Give an answer to the first open decision."""
    decision = game.decisions[0]
    outcome = game.apply(decision.seat, [key] if decision.least else [])
    assert not isinstance(outcome, Refusal), outcome


def turn(game: Game, said: str, guesses: str = "red red red") -> None:
    """Play one turn: what its player says aloud, a card that nobody else sees, and what all guess together."""
    answered(game, said)
    if game.decisions[0].choice == "say.hide.hidden":
        answered(game, game.decisions[0].options[0].key)
    for guessed in guesses.split():
        answered(game, guessed)


def heard(game: Game, seat: int) -> list[tuple[int, str]]:
    """Return who was heard to answer what, the last one first."""
    found = []
    for one in game.turns:
        answer = heard_in(one, seat)
        if answer is not None:
            sight = SeatSight(game.program, answer.state, answer.knowledge, seat)
            told = as_heard(sight, site_of(game.program, answer), answer.values)
            assert told is not None
            found.append((answer.seat, ", ".join(name for (name,) in told)))
    return found


def site_of(program: TableProgram, answer: Heard) -> int:
    return answer.state[slot_address(program.layout, answer.seat) + D_SITE]


def test_before_anything_is_heard_random_players_are_the_likeliest(opponents: Opponents) -> None:
    game = Game.start(opponents.program, 1)
    assert Listener(opponents, 1).weights(game, 1) == (PRIOR, BOT, PRIOR)


def test_who_always_answers_like_one_of_the_bots_is_taken_for_one(opponents: Opponents) -> None:
    """A red answer is 257 times likelier from the red bot than from the other, and about 3 times than at random.

    Who answers like both bots in turn is none of them.
    """
    game = Game.start(opponents.program, 1)
    for said in ("red", "green", "blue") * 4:
        turn(game, said)
    assert Listener(opponents, 2).weights(game, 1) == (BOT, RANDOM, BOT)
    assert Listener(opponents, 1).weights(game, 1) == (BOT, BOT, BOT)
    game = Game.start(opponents.program, 1)
    for said in ("red", "red", "red", "blue", "blue", "blue") * 4:
        turn(game, said)
    assert Listener(opponents, 2).weights(game, 1)[:2] == (RANDOM, RANDOM)


def test_nobody_hears_of_hidden_cards_nor_of_what_is_chosen_at_the_same_time(opponents: Opponents) -> None:
    game = Game.start(opponents.program, 1)
    turn(game, "blue", "")
    assert game.decisions[0].choice == "say.guess.guessed"
    assert heard(game, 1) == [(0, "blue")] and heard(game, 0) == []
    for guessed in ("red", "green", "blue"):
        answered(game, guessed)
        assert heard(game, 1) == [(0, "blue")]
    turn(game, "green")
    assert heard(game, 2) == [(1, "green"), (0, "blue")]


def test_an_answer_taken_back_was_not_heard(opponents: Opponents) -> None:
    game, listener = Game.start(opponents.program, 1), Listener(opponents, 2)
    turn(game, "red")
    before = listener.weights(game, 1)
    assert before[0] != PRIOR and before[1] == PRIOR
    turn(game, "red")
    assert listener.weights(game, 1)[0] == before[0] != listener.weights(game, 1)[1] != PRIOR
    while len(heard(game, 2)) > 1:
        assert game.undo()
    assert listener.weights(game, 1) == before == Listener(opponents, 2).weights(game, 1)


def test_old_answers_are_forgotten(opponents: Opponents) -> None:
    """After 24 blue answers, and as many red ones as count, the seat is taken for a bot again.

    Of 8 in 32 worlds a bot gives the answer 32 times and another one about 11 times: 8 bits against 6.4. With all
    answers, red would need 8 k > 6.4 (k + 24), so k > 96.
    """
    game, listener = Game.start(opponents.program, 1), Listener(opponents, 2)
    for number in range(24 + MEMORY):
        believed = listener.weights(game, 1)[0]
        assert believed == BOT or not 6 <= number <= 24, number
        assert believed == RANDOM or not 33 <= number <= 47, number
        for _ in range(3):
            turn(game, "blue" if number < 24 else "red")
    assert listener.weights(game, 1)[0] == BOT
    assert listener.weights(game, 1) == Listener(opponents, 2).weights(game, 1)


def test_nobody_is_taken_for_a_random_player_where_a_bot_always_beats_them() -> None:
    """Who says red most often wins, so the first bot always does."""
    text = HUES.replace("until: turns >= 300", "until: turns >= 30").replace("awards: []", "awards: [reds]")
    text = text.replace("enumerations:", "tracks: {reds: {scope: player, at-least: 0}}\nenumerations:")
    text = text.replace("as said\n", "as said\n      if said is red: reds += 1\n") + WINNER
    program = lowered(text.replace("tracks: {turns: {of: number}}\ntracks: {", "tracks: {turns: {of: number}, "), 3)
    game, winning = Game.start(program, 1), Opponents(program)
    for said in ("red", "green", "blue") * 3:
        turn(game, said)
    assert Listener(winning, 0).weights(game, 1) == (BOT, BOT, BOT)


def answers_heard(program: TableProgram, seed: int) -> Iterator[tuple[int, Heard]]:
    """Iterate over answers in a game between random players, each with a seat that has heard it."""
    game, chance = Game.start(program, seed), Stream(seed)
    for _ in range(120):
        if game.result is not None:
            return
        decision = game.decisions[0]
        game.apply(decision.seat, random_answer(decision, chance))
        for seat in range(program.seats):
            one = heard_in(next(game.turns), seat)
            if one is not None:
                yield seat, one


@pytest.mark.parametrize(
    ("folder", "seats"),
    [(CONTENT / "coup", 3), (PACKS / "orchard", 3)],
    ids=lambda value: getattr(value, "name", None),
)
def test_only_what_the_seat_sees_and_hears_has_an_influence(folder: Path, seats: int) -> None:
    """In a state that equals the true one for the seat, an answer that sounds the same tells it the same."""
    program = program_of(folder, seats)
    opponents, compared, elsewhere = Opponents(program), 0, 0
    for seat, one in answers_heard(program, 5):
        twin = twin_of(opponents, seat, one)
        if twin is not None and compared < 25:
            compared += 1
            elsewhere += [*twin.state] != [*one.state]
            assert opponents.likelihoods(twin, seat, Stream(9)) == opponents.likelihoods(one, seat, Stream(9))
    assert compared > 10 and elsewhere > 5


def twin_of(opponents: Opponents, seat: int, one: Heard) -> Heard | None:
    """Return the same answer, as far as a seat can tell, in another world; None if none of one thing sounds so."""
    program, site = opponents.program, site_of(opponents.program, one)
    world = redeal(make(program), one.state, one.knowledge, seat, Stream(3))
    told = as_heard(SeatSight(program, one.state, one.knowledge, seat), site, one.values)
    sight = SeatSight(program, world.state, world.knowledge, seat)
    if len(one.values) != 1:
        return None
    alike = [
        value for value in slot_values(program, world.state, one.seat) if as_heard(sight, site, [value]) == told
    ]
    return Heard(world.state, world.knowledge, one.seat, alike[:1]) if alike else None


# ------------------------------------------------------------------ logarithms and powers with whole numbers

ONE = 65536


@pytest.mark.parametrize(("number", "expected"), [(1, 0), (2, ONE), (3, ONE * 3 // 2), (257, 8 * ONE + ONE // 256)])
def test_logarithms_are_linear_between_powers(number: int, expected: int) -> None:
    assert logarithm(number) == expected


@pytest.mark.parametrize(
    ("exponent", "expected"), [(0, 4096), (-ONE, 2048), (-ONE // 2, 3072), (-12 * ONE, 1), (-13 * ONE, 0)]
)
def test_powers_are_linear_between_halvings(exponent: int, expected: int) -> None:
    assert power(exponent, 4096) == expected
