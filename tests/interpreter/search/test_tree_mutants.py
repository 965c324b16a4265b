"""Mutants of `tree.c`: the comparison with the reference must catch each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest
from attrs import frozen

from rulewright.interpreter.backends.native.library import load as load_library
from rulewright.interpreter.search.determinise import SearchMoment
from rulewright.interpreter.search.native_tree import NativeGrower, generate_searching
from rulewright.interpreter.search.tree_search import TriedAnswer
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter import compilers
from tests.interpreter.cellar import cellar
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.mutating import needs_all, sample
from tests.interpreter.programs_secret import secret_program
from tests.interpreter.search.reference_search import ReferenceGrower
from tests.interpreter.search.test_tree_search import CONTENT, PACKS, moments, secret_moments, uneven
from tests.interpreter.worlds_beside import grown
from tests.positions import program_of

pytestmark = needs_compiler

SECRETS = range(12)
DEPTH, WORLDS, NODES = 60, 60, 60
BEGIN = "/* A tree of answers that grows"

# What it becomes. None may read or write outside of its memory.
MUTANTS = [
    # keys
    ("rw_splitmix((rw_u64)number);\n  for", "0;\n  for"),
    ("int seen = zone < 0 || rw_shows[zone] >> seat & 1;", "int seen = 1;"),
    ("part = seen ? rw_face[member] : -2 - rw_place_of(G, member);", "part = seen ? rw_face[member] : -2;"),
    ("rw_splitmix((rw_u64)(site * RW_SEATS + seat))", "rw_splitmix((rw_u64)site)"),
    # choosing
    ("- 65536;\n}", ";\n}"),
    ("node->seat != seat || node->site != site || ", ""),
    ("node->offered++;\n    long long", "long long"),
    ("best >= 0 && promise <= promising", "best >= 0 && promise < promising"),
    ("parent ? RW_EXPLORED_BELOW : RW_EXPLORED", "RW_EXPLORED"),
    ("if (parent && T->node[parent].visits < RW_RIPE) return -1;", ""),
    ("parent ? RW_WIDENING_BELOW : RW_WIDENING", "RW_WIDENING"),
    ("return wider < 0 ? best : wider;", "return wider;"),
    # other answers
    ("i < T->bots + tries", "i < tries"),
    ("if (rw_below_node(T, parent, key)) continue;", ""),
    ("least == most ? least : least + rw_tree_below(G, T, most - least + 1)", "most"),
    ("if (!least && !rw_below_node", "if (!rw_below_node"),
    ("rw_first_alike(T, i) == i && !rw_below_node", "!rw_below_node"),
    ("rw_sort_keys(T->chosen, count);\n  return count;", "return count;"),
    ("if (child) T->node[child].offered++;", ""),
    ("rw_tree_below(G, T, 8) >= RW_RIVALS", "rw_tree_below(G, T, 8) < RW_RIVALS"),
    ("seat != X->seat && rw_tree_below", "rw_tree_below"),
    ("(least == most && kinds == 1)", "kinds == 1"),
    # playing on
    ("left >= 0; left -= weights[bot]", "left > 0; left -= weights[bot]"),
    ("weights += T->bots + 1", "weights += 0"),
    ("rw_seed_state(seed, 3 * number + 1)", "rw_seed_state(seed, 3 * number)"),
    ("rw_seed_state(seed, 3 * number + 2)", "rw_seed_state(seed, 3 * number)"),
    ("rw_worth(S, G->fault, node->seat)", "rw_worth(S, G->fault, X->seat)"),
    ("if (fresh || G->fault", "if (G->fault"),
]


@frozen
class Case:
    """A program, its module, and the trees of the reference."""

    program: TableProgram
    text: str
    codes: tuple[str, ...]
    trees: Sequence[tuple[SearchMoment, tuple[TriedAnswer, ...] | None]]


PROGRAMS: Sequence[tuple[Callable[[], TableProgram], int]] = (
    (cellar, 2),
    (lambda: program_of(PACKS / "sealed", 3), 3),
    (lambda: program_of(PACKS / "crates", 3), 4),
    (lambda: program_of(CONTENT / "coup", 3), 4),
    (lambda: program_of(CONTENT / "tutorial", 2), 3),
)
"""Programs, and one in how many decisions of a game between random players is compared; more are `SECRETS`."""


def cases() -> Iterator[Case]:
    """Iterate over all cases; each is made once, when it is needed."""
    return map(case, range(len(PROGRAMS) + len(SECRETS)))


@cache
def case(number: int) -> Case:
    if number < len(PROGRAMS):
        program = PROGRAMS[number][0]()
        found = moments(program, 1, PROGRAMS[number][1])
    else:
        program = secret_program(SECRETS[number - len(PROGRAMS)])
        found = secret_moments(program, SECRETS[number - len(PROGRAMS)])
    reference = ReferenceGrower(program, depth=DEPTH, nodes=NODES)
    trees = [(one, grown(reference, one, n, WORLDS, uneven(program))) for n, one in enumerate(found)]
    source = generate_searching(program)
    return Case(program, source.text, source.codes, trees)


def differs(one: Case, text: str) -> bool:
    """Whether a module grows another tree than the reference."""
    library = load_library(text, compilers.quick())
    grower = NativeGrower(one.program, library, one.codes, DEPTH, NODES)
    weights = uneven(one.program)
    return any(grown(grower, moment, n, WORLDS, weights) != tree for n, (moment, tree) in enumerate(one.trees))


@needs_all
def test_without_a_mutation_nothing_differs() -> None:
    assert not any(differs(one, one.text) for one in cases())


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [MUTANTS[one] for one in sample(len(MUTANTS))])
def test_every_mutant_of_the_tree_is_caught(old: str, new: str) -> None:
    assert any(differs(one, mutated(one.text, old, new)) for one in cases())


def mutated(text: str, old: str, new: str) -> str:
    before, tree = text.split(BEGIN)
    assert old in tree, "the text has changed: write this mutant anew"
    return before + BEGIN + tree.replace(old, new, 1)
