"""Greedy players, who search in flat trees: worth of ends, answers tried, no use of hidden cards."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.search import determinise as weighing
from rulewright.interpreter.search.determinise import DEPTH, SearchMoment, possible_world
from rulewright.interpreter.search.native_tree import native_grower
from rulewright.interpreter.search.tree_search import WEIGHED, Effort, TreeSearch, TriedAnswer
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.frames import fresh_state
from rulewright.interpreter.views.decision import offered, resolve
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.table.nodes import OVER, STATUS, Ask, CloseDecisions, Finish, TableProgram
from tests.interpreter import compilers
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_builder import Builder, c, numbers, tree
from tests.interpreter.search import reference_search
from tests.interpreter.search.reference_search import ReferenceGrower, outcome
from tests.interpreter.search.twins import same_choices
from tests.interpreter.worlds_beside import grown
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


def greedy(program: TableProgram, each: int, depth: int = DEPTH) -> TreeSearch:
    """A greedy player, by the reference."""
    return TreeSearch(program, Effort(each, flat=True), ReferenceGrower(program, depth=depth, flat=True))


# ------------------------------------------------------------------ secrets

@pytest.mark.slow
def test_it_chooses_the_same_where_its_seat_sees_and_knows_the_same(program: TableProgram) -> None:
    assert same_choices(program, greedy(program, 2).choose, 6, 2) > 10


@pytest.mark.slow
def test_it_chooses_the_same_in_a_whole_game(shipped: TableProgram) -> None:
    assert same_choices(shipped, greedy(shipped, 2).choose, 2, 12) > 6


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


# ------------------------------------------------------------------ which answers it tries

def choice_of(things: int, least: int, most: int) -> tuple[TableProgram, SearchMoment]:
    """A program that asks for some of so many numbers and ends, and its question."""
    b = Builder(2, options=things)
    asking, after = b.reserve(2)
    site = b.site()
    trees = {
        asking: tree(Ask(site, numbers(0), 0, numbers(*range(things)), c(least), c(most), after, 0)),
        after: tree(CloseDecisions(), Finish()),
    }
    program = b.build(b.procedure((0,), trees, asking))
    state, knowledge = make(program).start(1), Knowledge((), ())
    make(program).run(state)
    return program, SearchMoment(state, knowledge, offered(program, state, 0, knowledge))


def tried(things: int, least: int, most: int, each: int = 4, seed: int = 1) -> Sequence[TriedAnswer]:
    """The answers of a flat tree for a choice of some numbers."""
    program, moment = choice_of(things, least, most)
    found = grown(ReferenceGrower(program, flat=True), moment, seed, each)
    assert found is not None and len({one.keys for one in found}) == len(found)
    assert all(isinstance(resolve(moment.decision, one.keys), tuple) for one in found)
    return found


@needs_compiler
@pytest.mark.parametrize(("things", "least", "most"), [(30, 1, 1), (30, 0, 1), (30, 0, 30), (4, 1, 3)])
def test_native_code_tries_the_same(things: int, least: int, most: int) -> None:
    program, moment = choice_of(things, least, most)
    found = grown(native_grower(program, compilers.quick(), flat=True), moment, 1, 4)
    assert found == tried(things, least, most)


@pytest.mark.parametrize(("least", "most"), [(0, 1), (1, 1), (0, 4), (1, 3), (2, 2), (3, 4)])
def test_few_answers_are_all_tried(least: int, most: int) -> None:
    expected = {keys for size in range(least, most + 1) for keys in combinations("0123", size)}
    assert {one.keys for one in tried(4, least, most)} == expected


def test_of_one_thing_all_are_tried() -> None:
    assert len(tried(100, 1, 1)) == 100
    assert len(tried(100, 0, 1)) == 101


def test_of_many_answers_some_are_tried() -> None:
    everything = tuple(map(str, range(10)))
    samples = [{one.keys for one in tried(10, 0, 10, seed=seed)} for seed in range(3)]
    assert all(len(sample) == WEIGHED and everything in sample for sample in samples)
    assert samples[0] != samples[1] != samples[2]


@pytest.mark.parametrize(
    ("things", "each", "visits"),
    [
        (2, 10, [10, 10]),
        (4, 10, [5, 5, 15, 15]),  # 40 playouts in 2 rounds: 5 of each, then 10 of each of two
        (5, 10, [3, 3, 8, 16, 16]),  # 50 in 3 rounds: 3 of each of 5, 5 more of 3, 8 more of 2
        (5, 1, [1, 1, 2, 3, 3]),  # at least one in each round
    ],
)
def test_the_worse_half_is_dropped_again_and_again(things: int, each: int, visits: list[int]) -> None:
    assert sorted(one.visits for one in tried(things, 1, 1, each)) == visits


# ------------------------------------------------------------------ how it plays

def play(program: TableProgram, index: int, policy: TreeSearch, own: int) -> Game:
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
    policy, points = greedy(program, 6), 0
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
        policies = (greedy(shipped, 3) for _ in range(2))
        one, other = (each.choose(game.state, game.knowledge, seat, Stream(9)) for each in policies)
        assert one == other
        game.apply(seat, one)


def test_rules_that_fail_in_playouts_do_not_stop_it() -> None:
    """Most games of this pack end in a rule error, soon or later."""
    program = table(PACKS / "piles", 2)
    policy, answers = greedy(program, 3), 0
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
    game, policy = Game.start(program, 1), greedy(program, 2, depth=20)
    found = {policy.choose(game.state, game.knowledge, 0, Stream(n)) for n in range(20)}
    assert found == {("left",), ("right",)}, "chance decides where nothing else does"


def test_where_no_world_is_found_it_answers_at_random(
    shipped: TableProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_search, "possible_world", lambda *_: None)
    game = Game.start(shipped, 5)
    decision = game.decisions[0]
    policy = greedy(shipped, 3)
    found = {policy.choose(game.state, game.knowledge, decision.seat, Stream(n)) for n in range(30)}
    assert found == {(option.key,) for option in decision.options}
