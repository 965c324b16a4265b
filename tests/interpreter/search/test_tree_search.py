"""Tree search: native code grows the trees of the reference; what a search finds and may not see."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import count
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import bot_keys
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.search.determinise import SearchMoment
from rulewright.interpreter.search.native_tree import native_grower
from rulewright.interpreter.search.opponents import Weights
from rulewright.interpreter.search.tree_search import Effort, TreeSearch, TriedAnswer
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import Decision, offered, only_answer
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter import compilers
from tests.interpreter.cellar import cellar
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_marks import FIRST, MARKS, choosing, mark
from tests.interpreter.programs_secret import secret_program
from tests.interpreter.search.reference_search import ReferenceGrower
from tests.interpreter.search.twins import same_choices
from tests.interpreter.worlds_beside import Reference, grown, moment_of, secrets
from tests.positions import program_of
from tests.suites.play import random_answer

ROOT = Path(__file__).parents[3]
PACKS = ROOT / "tests" / "packs"
CONTENT = ROOT / "content"
DEPTH = 60
WORLDS = 40


def moments(program: TableProgram, games: int, one_in: int) -> list[SearchMoment]:
    """Return decisions with several answers in games between random players."""
    found = []
    for game in range(games):
        playing, chance, number = Game.start(program, 41, game), Stream(41, game), 0
        while playing.result is None and number < 400:
            decision = playing.decisions[chance.below(len(playing.decisions))]
            if only_answer(decision) is None:
                number += 1
                if number % one_in == 0:
                    own = offered(program, playing.state, decision.seat, playing.knowledge)
                    found.append(SearchMoment(tuple(playing.state), playing.knowledge, own))
            try:
                playing.apply(decision.seat, random_answer(decision, chance))
            except RuleFault:
                break
    return found


def secret_moments(program: TableProgram, seed: int) -> list[SearchMoment]:
    """Return decisions with several answers in the games of a program of `programs_secret`."""
    asked = (moment_of(program, one) for one in secrets(Reference(program, DEPTH), seed, 8) if one.each)
    return [moment for moment in asked if only_answer(moment.decision) is None]


def uneven(program: TableProgram) -> Weights:
    """Return weights of all kinds of players that differ from seat to seat."""
    bots = len(bot_keys(program))
    return tuple((*(1 + (seat + bot) % 3 for bot in range(bots)), 1 + 2 * seat) for seat in range(program.seats))


def same(program: TableProgram, at: Iterable[SearchMoment], nodes: int = 400) -> Counter[str]:
    """Compare native code with the reference; count what kinds of trees there were."""
    tally: Counter[str] = Counter()
    native = native_grower(program, compilers.quick(), depth=DEPTH, nodes=nodes)
    reference = ReferenceGrower(program, depth=DEPTH, nodes=nodes)
    for number, moment in enumerate(at):
        weights = uneven(program) if number % 4 else None
        expected = grown(reference, moment, number, WORLDS, weights)
        assert grown(native, moment, number, WORLDS, weights) == expected, (number, moment.decision)
        tally["several" if moment.decision.most > 1 else "one"] += 1
        tally["nowhere" if expected is None else "grown"] += 1
    return tally


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "seats", "games", "one_in"),
    [
        (CONTENT / "tutorial", 2, 1, 3),
        (CONTENT / "coup", 3, 2, 3),
        (CONTENT / "dominion", 2, 1, 60),
        (CONTENT / "rattus-cartus", 3, 1, 12),
        *((PACKS / name, seats, 2, 4) for name, seats in (("bluff", 3), ("crates", 3), ("scry", 2), ("sealed", 3))),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_native_code_grows_the_same_trees(folder: Path, seats: int, games: int, one_in: int) -> None:
    program = program_of(folder, seats)
    assert same(program, moments(program, games, one_in))["grown"] >= 3


@needs_compiler
@pytest.mark.parametrize("nodes", [3, 12, 400])
def test_trees_of_the_cellar_are_the_same_also_when_they_are_full(nodes: int) -> None:
    """Cards lie in frames, on tracks and in lists; several seats answer at once."""
    tally = same(cellar(), moments(cellar(), 1, 2), nodes)
    assert tally["grown"] > 5, tally


@needs_compiler
@pytest.mark.slow
def test_trees_of_random_programs_are_the_same() -> None:
    tally: Counter[str] = Counter()
    for seed in range(12):
        program = secret_program(seed)
        tally += same(program, secret_moments(program, seed))
    assert tally["one"] > 5 and tally["several"] > 5 and tally["grown"] > 10, tally


# ------------------------------------------------------------------ what it sees, and what it finds

@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), [("bluff", 3), ("scry", 2), ("sealed", 3), ("echo", 2)])
def test_it_chooses_the_same_where_its_seat_sees_and_knows_the_same(name: str, seats: int) -> None:
    """Not in `crates`: a sealed answer names a card by its place in a hidden bag, where chance deals others."""
    program = program_of(PACKS / name, seats)
    assert same_choices(program, TreeSearch(program, Effort(12), ReferenceGrower(program)).choose, 6, 2) > 10


@needs_compiler
@pytest.mark.slow
def test_it_chooses_the_same_in_a_whole_game() -> None:
    program = program_of(CONTENT / "rattus-cartus", 3)
    native = native_grower(program, compilers.quick())
    assert same_choices(program, TreeSearch(program, Effort(100), native).choose, 2, 12) > 6


def choosing_marked(what: str) -> tuple[TableProgram, array[int], Knowledge, Decision]:
    """A program in which a seat chooses between two equal cards, one of them with a mark, and its decision."""
    program = choosing()
    state = make(program).start(1)
    make(program).run(state)
    mark(program, state, what)
    knowledge = Knowledge((0,) * len(program.cards), ())
    return program, state, knowledge, offered(program, state, 0, knowledge)


@pytest.mark.parametrize("what", MARKS)
def test_it_takes_the_card_that_brings_the_only_point(what: str) -> None:
    """Two equal cards differ in what the seat sees on them, and only one of them brings a point."""
    program, state, knowledge, own = choosing_marked(what)
    search = TreeSearch(program, Effort(30), ReferenceGrower(program))
    best = {option.key for option in own.options if option.values[0] == FIRST}
    assert search.choose(state, knowledge, 0, Stream(5)) == (*best,)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(("folder", "seats"), [(PACKS / "echo", 2), (CONTENT / "coup", 2)])
def test_it_beats_random_players(folder: Path, seats: int) -> None:
    """In 40 games; no better, it would win 20, and 30 or more with a chance of one in a thousand."""
    program = program_of(folder, seats)
    search, points = TreeSearch(program, Effort(200), native_grower(program, compilers.usual())), 0
    for game in range(40):
        playing, stream = Game.start(program, 43, game=game), Stream(43, game)
        while playing.result is None:
            decision = playing.decisions[0]
            if decision.seat == game % seats:
                keys = search.choose(playing.state, playing.knowledge, decision.seat, Stream(game, stream.bits()))
            else:
                keys = random_answer(decision, stream)
            assert not isinstance(playing.apply(decision.seat, keys), Refusal)
        points += game % seats in playing.result.winners
    assert points >= 30


def test_it_searches_as_long_as_it_may() -> None:
    """A clock that goes on by one second each time it is looked at stops it after as many worlds."""
    program, state, knowledge, own = choosing_marked("a value")
    grower, ticks = ReferenceGrower(program), count()
    grower.clock = lambda: float(next(ticks))
    grower.plant(SearchMoment(state, knowledge, own), 1)
    assert grower.grow(100, 7.0)
    assert sum(one.visits for one in grower.tried()) == 7


class NoTime(ReferenceGrower):
    """A grower whose time is up in its first world."""

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        return True

    def tried(self) -> tuple[TriedAnswer, ...]:
        return (TriedAnswer(("never",), 0, 0),)


def test_without_time_for_one_world_it_answers_at_random() -> None:
    program, state, knowledge, own = choosing_marked("a value")
    search = TreeSearch(program, Effort(1, 0.001), NoTime(program))
    found = {search.choose(state, knowledge, 0, Stream(seed)) for seed in range(20)}
    assert found == {(option.key,) for option in own.options}
