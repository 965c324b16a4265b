"""Searching by native code: the same worlds, the same worth of answers, the same greedy games as the reference."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from interpreter.chance import Stream
from interpreter.game import Game
from interpreter.greedy import Greedy
from interpreter.knowledge import Knowledge
from interpreter.native.searching import native_searcher
from interpreter.renaming import World
from interpreter.view import view
from interpreter.weighing import PythonSearcher, Searcher
from ruleset.load import load
from ruleset.lower import lower
from ruleset.table import TableProgram
from tests.interpreter import compilers
from tests.interpreter.cellar import cellar
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_secret import secret_program
from tests.interpreter.worlds_beside import Beside, played, same_secrets
from tests.suites.play import check_cards, check_knowledge

pytestmark = needs_compiler

ROOT = Path(__file__).parents[2]
PACKS = ROOT / "tests" / "packs"
CONTENT = ROOT / "content"
DEPTH = 40


def table(folder: Path, seats: int) -> TableProgram:
    program = load(folder).program
    assert program is not None
    return lower(program, seats)


def beside(program: TableProgram, found: Counter[str] | None = None, optimised: bool = False) -> Beside:
    by = compilers.usual() if optimised else compilers.quick()
    return Beside.of(program, native_searcher(program, DEPTH, by), DEPTH, Counter() if found is None else found)


# ------------------------------------------------------------------ worlds


def test_worlds_of_random_programs() -> None:
    found: Counter[str] = Counter()
    for seed in range(30):
        same_secrets(beside(secret_program(seed), found), seed)
    assert all(found[what] > 4 for what in ("moved", "none", "fault", "worth card", "worth menu", "worth seat")), found


def test_worlds_of_random_programs_optimised() -> None:
    for seed in (1, 8):
        same_secrets(beside(secret_program(seed), optimised=True), seed)


@pytest.mark.parametrize(
    ("folder", "seats", "one_in"),
    [
        (PACKS / "bluff", 3, 2),
        (PACKS / "crates", 3, 6),
        (PACKS / "scry", 2, 2),
        (PACKS / "sealed", 3, 2),
        (PACKS / "echo", 2, 2),
        (CONTENT / "coup", 4, 6),
        (CONTENT / "dominion", 2, 40),
        (CONTENT / "rattus-cartus", 3, 25),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_worlds_of_packs(folder: Path, seats: int, one_in: int) -> None:
    """They are those of the reference, and the seat sees in them what it sees."""
    program = table(folder, seats)
    both = beside(program)
    for game in range(3 if folder.parent == PACKS else 1):
        for number, playing in enumerate(played(program, 31, game, one_in)):
            for seat in range(seats):
                same_for(both, playing, seat, 100 * number + seat)
            asked = [one.seat for one in playing.decisions[:1]]
            for seat in asked if number % 4 == 0 else ():
                both.worth(playing.state, playing.knowledge, seat, number, 1)
    assert both.found["moved"] > 10, both.found
    assert any(what.startswith("worth") for what in both.found)


@pytest.mark.parametrize(("leak", "tokens"), [("", True), ("", False), ("crown-menu", False)])
def test_worlds_of_the_cellar(leak: str, tokens: bool) -> None:
    """Cards lie in frames, on tracks and in lists; sealed answers wait; some seats can tell what others may."""
    program = cellar(leak, tokens)
    both = beside(program)
    for playing in played(program, 5, 0, 1):
        for seat in range(program.seats):
            same_for(both, playing, seat, len(playing.journal.entries))
    assert both.found["moved"] > 50


def same_for(both: Beside, playing: Game, seat: int, key: int) -> None:
    world = both.world(playing.state, playing.knowledge, seat, key)
    if isinstance(world, World):
        check_cards(both.program, world.state)
        check_knowledge(both.program, world.state, world.knowledge)
        assert view(both.program, world.state, world.knowledge, seat) == playing.view(seat)


def test_knowledge_that_no_game_leads_to() -> None:
    """More bounds than there are cards have no room; the zones of bounds have to be some."""
    program = cellar()
    state, searcher = Game.start(program, 1).state, beside(program).native
    nothing = (0,) * len(program.cards)
    for bounds in ([(0, 1, face, 1) for face in range(len(program.cards) + 1)], [(99, 1, 0, 1)], [(-1, 0, 0, 1)]):
        with pytest.raises(ValueError, match="no game"):
            searcher.possible_world(state, Knowledge(nothing, tuple(bounds)), 1, 1)
    assert searcher.possible_world(state, Knowledge(nothing, ()), 1, 1) is not None


# ------------------------------------------------------------------ greedy games


def greedy_games(program: TableProgram, searcher: Searcher, games: int, most: int) -> list[list[int]]:
    """The states after each answer of games between greedy bots."""
    policy, states = Greedy(program, 3, searcher), []
    for number in range(games):
        game = Game.start(program, 19, game=number)
        while game.result is None and len(game.journal.entries) < most:
            one = game.decisions[0]
            keys = policy.choose(game.state, game.knowledge, one.seat, Stream(number, len(game.journal.entries)))
            assert isinstance(game.apply(one.seat, keys), tuple)
            states.append(game.state)
    return states


@pytest.mark.parametrize(
    ("folder", "seats", "games", "most"),
    [
        (PACKS / "bluff", 3, 2, 99),
        (PACKS / "sealed", 3, 2, 99),
        (PACKS / "echo", 2, 2, 99),
        (PACKS / "bazaar", 3, 1, 99),
        (CONTENT / "coup", 3, 1, 99),
        (CONTENT / "dominion", 2, 1, 4),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_greedy_bots_play_the_same_games(folder: Path, seats: int, games: int, most: int) -> None:
    program = table(folder, seats)
    native = native_searcher(program, by=compilers.quick())
    assert greedy_games(program, native, games, most) == greedy_games(program, PythonSearcher(program), games, most)


def test_what_is_weighed_does_not_depend_on_the_size_of_calls() -> None:
    """Calls are of one world, then of as many as take a while; all of a round together are what each is alone."""
    program = table(PACKS / "echo", 2)
    game, searcher = Game.start(program, 3), native_searcher(program, by=compilers.quick())
    own = game.decisions[0]
    from interpreter.weighing import Moment

    moment, answers = Moment(game.state, game.knowledge, own), [(option.key,) for option in own.options]
    whole = searcher.weigh(moment, answers, 2**64 - 5, 7, 300)
    single = [searcher.weigh(moment, answers, 2**64 - 5, world, 1) for world in range(7, 307)]
    assert whole == [sum(column) for column in zip(*(one or [] for one in single), strict=True)]
    assert whole != searcher.weigh(moment, answers, 2**64 - 6, 7, 300)


def test_a_table_that_brings_bots_is_searched_with_random_ones() -> None:
    program = table(CONTENT / "coup", 2)
    without = evolve(program, bots=None)
    assert program.bots is not None, "another pack should be looked for"
    searchers = (native_searcher(program, by=compilers.quick()), PythonSearcher(without))
    assert len({str(greedy_games(without, one, 1, 6)) for one in searchers}) == 1
