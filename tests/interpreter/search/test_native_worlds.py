"""Native search equals the reference: worlds, flat trees, and greedy games."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.native import library
from rulewright.interpreter.batch.native_calls import PATIENCE
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search import native_tree
from rulewright.interpreter.search.determinise import LEAD, VICTORY, World
from rulewright.interpreter.search.native_tree import NativeGrower, grower, native_grower
from rulewright.interpreter.search.tree_search import Effort, TreeGrower, TreeSearch, TriedAnswer
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import offered
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import view
from rulewright.ruleset.table.nodes import Ask, CloseDecisions, Goto, TableProgram
from tests.interpreter import compilers
from tests.interpreter import worlds_beside as beside
from tests.interpreter.cellar import cellar
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_builder import Builder, c, numbers, tree
from tests.interpreter.programs_marks import FIRST, MARKS, SECOND, UNTOLD, choosing, mark
from tests.interpreter.programs_random import NEWER
from tests.interpreter.programs_secret import secret_program
from tests.interpreter.search.reference_search import ReferenceGrower
from tests.interpreter.worlds_beside import Question, Reference, native_says, same, weighed
from tests.positions import program_of
from tests.suites.play import check_cards, check_knowledge

pytestmark = needs_compiler

ROOT = Path(__file__).parents[3]
PACKS = ROOT / "tests" / "packs"
CONTENT = ROOT / "content"
DEPTH = 40
SEEDS = (27, 31, 35, 41, 118)
"""Of programs in which rare things happen: `test_native_worlds_mutants` needs them."""


def native(program: TableProgram, optimised: bool = False) -> NativeGrower:
    by = compilers.usual() if optimised else compilers.quick()
    return native_grower(program, by, depth=DEPTH, flat=True)


# ------------------------------------------------------------------ worlds

def same_secrets(seed: int, tally: Counter[str]) -> None:
    program = secret_program(seed)
    reference, searcher = Reference(program, DEPTH), native(program)
    for one in beside.secrets(reference, seed, 8):
        same(reference, searcher, one, tally)


@pytest.mark.slow
def test_worlds_of_random_programs() -> None:
    tally: Counter[str] = Counter()
    for seed in (*range(20), *SEEDS, *range(NEWER, NEWER + 6)):
        same_secrets(seed, tally)
    assert all(tally[what] > 1 for what in ("moved", "nothing", "card", "menu", "seat")) and tally["fault"], tally


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "seats", "one_in"),
    [
        (PACKS / "bluff", 3, 2),
        (PACKS / "crates", 3, 6),
        (PACKS / "scry", 2, 2),
        (PACKS / "sealed", 3, 2),
        (PACKS / "echo", 2, 2),
        (PACKS / "gallery", 3, 3),
        (CONTENT / "coup", 4, 6),
        (CONTENT / "dominion", 2, 60),
        (CONTENT / "rattus-cartus", 3, 40),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_worlds_of_packs(folder: Path, seats: int, one_in: int) -> None:
    """They are those of the reference, and the seat sees in them what it sees."""
    tally = same_in_games(program_of(folder, seats), 3 if folder.parent == PACKS else 1, one_in)
    assert tally["moved"] > 10, tally
    assert {"card", "menu", "number", "seat", "boolean", "definition"} & {*tally}, tally


@pytest.mark.parametrize(("leak", "tokens"), [("", True), ("", False), ("crown-menu", False)])
def test_worlds_of_the_cellar(leak: str, tokens: bool) -> None:
    """Cards lie in frames, on tracks and in lists; sealed answers wait; some seats can tell what others may."""
    tally = same_in_games(cellar(leak, tokens), 1, 1)
    assert tally["moved"] > 50, tally


@pytest.mark.slow
def test_worlds_of_the_cellar_optimised() -> None:
    assert same_in_games(cellar(), 1, 2, optimised=True)["moved"] > 20


def same_in_games(program: TableProgram, games: int, one_in: int, optimised: bool = False) -> Counter[str]:
    reference, searcher, tally = Reference(program, DEPTH), native(program, optimised), Counter[str]()
    for game in range(games):
        for number, playing in enumerate(beside.played(program, 31, game, one_in)):
            state, knowledge = playing.state, playing.knowledge
            for seat in range(program.seats):
                world = same(reference, searcher, Question(state, knowledge, seat, 100 * number + seat), tally)
                if isinstance(world, World):
                    check_cards(program, world.state)
                    check_knowledge(program, world.state, world.knowledge)
                    assert view(program, world.state, world.knowledge, seat) == playing.view(seat)
            for own in playing.decisions[:1] if number % 4 == 0 else ():
                for one in weighed(program, state, knowledge, own.seat, number):
                    same(reference, searcher, one, tally)
    return tally


@pytest.mark.parametrize("what", MARKS)
def test_equal_cards_are_told_apart_by_what_the_seat_sees_on_them(what: str) -> None:
    """Chosen by its key, a card is the same in all worlds, in whatever order they offer it. One brings a point."""
    program = choosing()
    reference, searcher = Reference(program, DEPTH), native(program)
    state = reference.backend.start(1)
    reference.backend.run(state)
    mark(program, state, what)
    knowledge = Knowledge((0,) * len(program.cards), ())
    own = offered(program, state, 0, knowledge)
    if what in UNTOLD:
        assert [option.values for option in own.options] == [(FIRST, SECOND)]
        return
    assert sorted(option.values for option in own.options) == [(FIRST,), (SECOND,)]
    (one,) = weighed(program, state, knowledge, 0, 5, each=30)
    found = reference.says(one)
    assert isinstance(found, tuple) and native_says(program, searcher, one) == found
    expected = {TriedAnswer((option.key,), 30, 30 * LEAD * (option.values[0] == FIRST)) for option in own.options}
    assert {*found} == expected


def test_knowledge_that_no_game_leads_to() -> None:
    """More bounds than there are cards have no room; the zones of bounds have to be some."""
    program = cellar()
    state, searcher = Game.start(program, 1).state, native(program)
    nothing = (0,) * len(program.cards)
    for bounds in ([(0, 1, face, 1) for face in range(len(program.cards) + 1)], [(99, 1, 0, 1)], [(-1, 0, 0, 1)]):
        with pytest.raises(ValueError, match="no game"):
            searcher.worlds.possible_world(state, Knowledge(nothing, tuple(bounds)), 1, 1)
    assert searcher.worlds.possible_world(state, Knowledge(nothing, ()), 1, 1) is not None


# ------------------------------------------------------------------ greedy games

def greedy_games(program: TableProgram, grower: TreeGrower, games: int, most: int) -> list[array[int]]:
    """The states after each answer of games between greedy bots."""
    policy, states = TreeSearch(program, Effort(3, flat=True), grower), []
    for number in range(games):
        game = Game.start(program, 19, game=number)
        while game.result is None and len(game.journal.entries) < most:
            one = game.decisions[0]
            keys = policy.choose(game.state, game.knowledge, one.seat, Stream(number, len(game.journal.entries)))
            assert isinstance(game.apply(one.seat, keys), tuple)
            states.append(game.state)
    return states


@pytest.mark.slow
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
    program = program_of(folder, seats)
    grower = native_grower(program, compilers.quick(), flat=True)
    assert greedy_games(program, grower, games, most) == greedy_games(
        program, ReferenceGrower(program, flat=True), games, most
    )


def forced_for_ever() -> TableProgram:
    """After one choice a seat is asked again and again where it has none."""
    b = Builder(2)
    begin, after, again = b.reserve(3)
    site = b.site()
    trees = {
        begin: tree(Ask(site, numbers(0), 0, numbers(0, 1), c(1), c(1), after, 0)),
        after: tree(CloseDecisions(), Goto(again)),
        again: tree(Ask(site, numbers(1), 0, numbers(0), c(1), c(1), after, 0, True)),
    }
    return b.build(b.procedure((0,), trees, begin))


def test_playouts_end_in_any_case() -> None:
    program = forced_for_ever()
    reference, searcher = Reference(program, DEPTH), native(program)
    state = reference.backend.start(1)
    reference.backend.run(state)
    (one,) = weighed(program, state, Knowledge((), ()), 0, 1, each=3)
    found = reference.says(one)
    assert isinstance(found, tuple) and native_says(program, searcher, one) == found
    assert {*found} == {TriedAnswer((key,), 3, 3 * (VICTORY // 2)) for key in "01"}


def test_trees_do_not_depend_on_how_they_are_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call is made by another thread; by this one, if it is probably short; again by another, if it is not."""
    program = forced_for_ever()
    state = make(program).start(1)
    make(program).run(state)
    (one,) = weighed(program, state, Knowledge((), ()), 0, 1, each=20)
    grower, calls = native_grower(program, compilers.quick(), depth=3 * PATIENCE, flat=True), []

    def counted(call: Callable[[Any], bool]) -> bool:
        calls.append(call)
        return library.beside(call)

    monkeypatch.setattr(native_tree, "beside", counted)
    found = [native_says(program, grower, one)]
    monkeypatch.setattr(native_tree, "SHORT_SECONDS", 1e9)
    found.append(native_says(program, grower, one))
    assert len(calls) == 2, "patience has ended"
    monkeypatch.setattr(native_tree, "PATIENCE", 2**60)
    found.append(native_says(program, grower, one))
    assert len(calls) == 2 and found == [found[0]] * 3
    assert isinstance(found[0], tuple) and [one.visits for one in found[0]] == [20, 20]


def test_a_flat_tree_is_of_random_players() -> None:
    """Also at a table that brings bots."""
    program = program_of(CONTENT / "coup", 2)
    assert program.bots is not None, "another pack should be looked for"
    growers = (grower(program, flat=True), ReferenceGrower(evolve(program, bots=None), flat=True))
    assert len({str(greedy_games(program, one, 1, 6)) for one in growers}) == 1
