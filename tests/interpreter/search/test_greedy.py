"""The greedy policy: values of final positions, playing strength, and no use of hidden cards."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from interpreter.backends.factory import make
from interpreter.game.game import Game, RuleFault
from interpreter.search import evaluation as weighing
from interpreter.search.determinise import possible_world
from interpreter.search.greedy import Greedy
from interpreter.state.chance import Stream
from interpreter.state.frames import fresh_state
from interpreter.views.refusals import Refusal
from ruleset.lower.lowering import lower
from ruleset.pipeline import load
from ruleset.table.nodes import OVER, STATUS, TableProgram
from tests.interpreter.search import reference_search
from tests.interpreter.search.reference_search import ReferenceSearcher, outcome
from tests.interpreter.search.twins import same_choices
from tests.suites.play import engine, random_answer, random_play

ROOT = Path(__file__).parents[3]
PACKS = ROOT / "tests" / "packs"
SHIPPED = ROOT / "content" / "rattus-cartus"


def table(folder: Path, seats: int) -> TableProgram:
    program = load(folder).program
    assert program is not None
    return lower(program, seats)


@pytest.fixture(scope="module", params=[("bluff", 3), ("crates", 3), ("scry", 2), ("sealed", 3), ("echo", 2)])
def program(request: pytest.FixtureRequest) -> TableProgram:
    name, seats = request.param
    return table(PACKS / name, seats)


@pytest.fixture(scope="module")
def shipped() -> TableProgram:
    return table(SHIPPED, 3)


# ------------------------------------------------------------------ secrets


@pytest.mark.slow
def test_it_chooses_the_same_where_its_seat_sees_and_knows_the_same(program: TableProgram) -> None:
    assert same_choices(program, Greedy(program, ReferenceSearcher(program), 2).choose, 6, 2) > 10


@pytest.mark.slow
def test_it_chooses_the_same_in_a_whole_game(shipped: TableProgram) -> None:
    assert same_choices(shipped, Greedy(shipped, ReferenceSearcher(shipped), 2).choose, 2, 12) > 6


@pytest.mark.slow
def test_equal_states_for_a_seat_give_equal_worlds(shipped: TableProgram) -> None:
    """Not only as likely ones: whatever is hidden in the true state, the same chance deals the same world."""
    stepping, compared = make(shipped), 0
    stream = Stream(23)
    for number, game in enumerate(random_play(engine(shipped, "walker"), 23, 0, stream)):
        if game.result is not None or number % 8:
            continue
        seat = game.decisions[0].seat
        twin = possible_world(stepping, game.state, game.knowledge, seat, stream)
        assert twin is not None
        worlds = [
            possible_world(stepping, state, knowledge, seat, Stream(number))
            for state, knowledge in ((game.state, game.knowledge), (twin.state, twin.knowledge))
        ]
        assert worlds[0] is not None and worlds[1] is not None
        assert worlds[0].state == worlds[1].state
        compared += game.state != twin.state
    assert compared > 5


# ------------------------------------------------------------------ what an end is worth

LEAD = weighing.LEAD / weighing.VICTORY


def ended(program: TableProgram, winners: tuple[int, ...], scores: tuple[int, ...]) -> array[int]:
    state = fresh_state(program, 0)
    state[STATUS] = OVER
    for track in program.tracks:
        for seat in range(program.seats):
            if track.key == "winner":
                state[track.address + seat] = seat in winners
            elif track.key == "score":
                state[track.address + seat] = scores[seat]
    return state


@pytest.mark.parametrize(
    ("winners", "scores", "worth"),
    [
        ((0,), (30, 20, 10), (1 + LEAD * 10 / 60, -LEAD * 10 / 60, -LEAD * 20 / 60)),
        ((0, 1), (20, 20, 0), (0.5, 0.5, -LEAD / 2)),
        ((), (10, 30, 0), (-LEAD / 2, LEAD / 2, -LEAD * 3 / 4)),
        ((2,), (0, 0, 0), (0, 0, 1)),
        ((), (0, 0, 0), (0, 0, 0)),
        ((1,), (-10, -10, -20), (0, 1, -LEAD / 4)),
    ],
)
def test_an_end_is_worth_the_victory_first_and_the_lead_then(
    shipped: TableProgram, winners: tuple[int, ...], scores: tuple[int, ...], worth: tuple[float, ...]
) -> None:
    state = ended(shipped, winners, scores)
    found = [outcome(shipped, state, seat) / weighing.VICTORY for seat in range(3)]
    assert found == pytest.approx(worth, abs=1e-8)


def test_a_game_that_has_not_ended_is_worth_as_much_as_any(shipped: TableProgram) -> None:
    assert outcome(shipped, fresh_state(shipped, 0), 0) == weighing.VICTORY // 3


# ------------------------------------------------------------------ how it plays


def play(program: TableProgram, index: int, policy: Greedy, own: int) -> Game:
    """A game in which one seat is greedy and the others answer at random."""
    game, stream = Game.start(program, 41, game=index), Stream(41, index)
    while game.result is None:
        decision = game.decisions[0]
        if decision.seat == own:
            answers = Stream(index, len(game.journal.entries))
            keys = policy.choose(game.state, game.knowledge, own, answers)
        else:
            keys = random_answer(decision, stream)
        assert not isinstance(game.apply(decision.seat, keys), Refusal)
    return game


@pytest.mark.slow
def test_it_beats_random_players() -> None:
    """`echo` is won by the most sparks. Of 40 games it would win 20 if it were no better, and 30 with a chance of
    one in a thousand; a shared victory counts half.
    """
    program = table(PACKS / "echo", 2)
    policy, points = Greedy(program, ReferenceSearcher(program), 6), 0
    for index in range(40):
        sparks = next(track for track in program.tracks if track.key == "sparks").address
        state = play(program, index, policy, index % 2).state
        own, other = state[sparks + index % 2], state[sparks + 1 - index % 2]
        points += 2 * (own > other) + (own == other)
    assert points >= 60


@pytest.mark.slow
def test_the_same_stream_gives_the_same_answer(shipped: TableProgram) -> None:
    game = Game.start(shipped, 5)
    for _ in range(5):
        seat = game.decisions[0].seat
        policies = (Greedy(shipped, ReferenceSearcher(shipped), 3) for _ in range(2))
        one, other = (each.choose(game.state, game.knowledge, seat, Stream(9)) for each in policies)
        assert one == other
        game.apply(seat, one)


def test_rules_that_fail_in_playouts_do_not_stop_it() -> None:
    """Most games of this pack end in a rule error, soon or later."""
    program = table(PACKS / "piles", 2)
    policy, answers = Greedy(program, ReferenceSearcher(program), 3), 0
    for index in range(10):
        try:
            answers += len(play(program, index, policy, 0).journal.entries)
        except RuleFault as fault:
            assert fault.code in ("bounds", "zero-division")
            answers += 1
    assert answers


ENDLESS = """\
pack: endless
players: 2
kinds:
  coin: {}
components:
  coins: {kind: coin, copies: 3, starts: bank, home: bank}
zones:
  bank: {order: bag, seen-by: all}
tracks:
  steps: {scope: player, at-most: 5, at-bounds: stop}
---
round: turn
turns-from: first of players
until: bank is empty
steps:
  - id: walk
    options:
      left: steps += 1
      right: steps += 1
"""


def test_a_game_that_never_ends_is_played_out_so_far_only(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(ENDLESS)
    program = table(tmp_path, 2)
    game, policy = Game.start(program, 1), Greedy(program, ReferenceSearcher(program, depth=20), 2)
    found = {policy.choose(game.state, game.knowledge, 0, Stream(n)) for n in range(20)}
    assert found == {("left",), ("right",)}, "chance decides where nothing else does"


def test_where_no_world_is_found_it_answers_at_random(
    shipped: TableProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_search, "possible_world", lambda *_: None)
    game = Game.start(shipped, 5)
    decision = game.decisions[0]
    policy = Greedy(shipped, ReferenceSearcher(shipped), 3)
    found = {policy.choose(game.state, game.knowledge, decision.seat, Stream(n)) for n in range(30)}
    assert found == {(option.key,) for option in decision.options}
