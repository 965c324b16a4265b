"""Mutants of the native search: the comparison with the reference must catch each of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve, frozen

from rulewright.interpreter.backends.native.library import load as load_library
from rulewright.interpreter.search import native_tree as worlds
from rulewright.interpreter.search.native_tree import NativeGrower, generate_searching
from rulewright.interpreter.state.frames import fresh_state
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter import compilers
from tests.interpreter.cellar import CARDS, cellar
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.mutating import needs_all, sample
from tests.interpreter.programs_marks import MARKS, asking_later, choosing, mark
from tests.interpreter.programs_secret import secret_program
from tests.interpreter.worlds_beside import Found, Question, Reference, native_says, played, secrets, weighed
from tests.positions import program_of

pytestmark = needs_compiler

PACKS = Path(__file__).parents[2] / "packs"
DEPTH = 40
BEGIN = "/* Dealing anew"
"""Of what is mutated."""
SECRETS = (2, 10, 17, 27, 29, 31, 35, 41, 62, 90, 118)

# What it becomes, the first occurrence behind the stepping module. None may read or write outside of its memory.
MUTANTS = [
    # who sees what
    ("((rw_shows[zone] | masks[card]) >> seat & 1)", "(rw_shows[zone] >> seat & 1)"),
    ("return (rw_top[zone] >> seat & 1) &&", "return"),
    # what may lie where
    ("X->open[spot->zone] || ", ""),
    ("|| rw_accepts(spot->zone, card)", "|| 1"),
    ("if (rw_infos[number].arrival >= 0 && S[rw_infos[number].arrival + index]) return 1;", ""),
    ("if (!rw_used(G, number, spot->card)) continue;", ""),
    ("if (spot->high > end) spot->high = end;", ""),
    ("X->apart = held == holding;", "X->apart = 1;"),
    # the first deal
    ("X->apart && !X->bounded ? 1 : RW_PASSES", "X->apart ? 1 : RW_PASSES"),
    ("while (place >= X->zone_at[bound->zone] && X->spots[place].wanted != -1) place--;", ""),
    ("if (spot->wanted < 0) return X->size[spot->group];", "return X->size[spot->group];"),
    ("&& (spot->wanted < 0 || rw_face[card] == spot->wanted)) break;", ") break;"),
    # random deals
    ("alike = X->fits && here->group == there->group", "alike = here->group == there->group"),
    ("X->bounded && here->zone != there->zone", "X->bounded"),
    ("(fewer && fewer->now <= fewer->least)", "(fewer && fewer->now < fewer->least)"),
    ("if (more) more->now++;", ""),
    ("i > 0 && !X->apart; i--", "i >= 0 && !X->apart; i--"),
    # renaming
    ("if (rw_bag[zone]) rw_sort(cards + 1, cards[0]);", ""),
    ("if (start >= 0) *to = rw_starts[start + index];", ""),
    ("if (arrival >= 0) S[arrival + index] = X->before.cells[arrival + before];", ""),
    ("if (rw_infos[number].of == RW_CARD) rw_rename_pointers(X, number);", ""),
    ("segment = S[frame];\n    frame = S[frame + 1];", "segment = -1;"),
    ("for (int j = 1; j <= slot[0]; j++) rw_rename(X, slot + j);", ";"),
    ("rw_rename_answers(X);\n}", "}"),
    ("X->known[X->deal[card]] = X->masks[card];", "X->known[card] = X->masks[card];"),
    # names of options
    ("label->number += rw_lot(G, other->card) < lot;", "label->number += other->card < label->card;"),
    ("zones < 2; i++", "0; i++"),
    ("label->face = rw_sees(G, masks, seat, card) ? rw_face[card] : -1;", "label->face = rw_face[card];"),
    ("(rw_seers[start + index] >> X->seat & 1) && *cell !=", "*cell !="),
    ("if (*mine != *its) return 0;\n      for", "for"),
    ("if (!rw_same_name(X, of, one, mine[i], other, its[i])) return 0;", ";"),
    ("if (!rw_infos[number].marks) continue;", "continue;"),
    (": !rw_same_pointers(X, number, one, other)", ": 0"),
    ("if (seen && rw_face[value] != rw_face[like]) return 0;", ""),
    # the same decision
    ("if (slot[2] != was[2] || slot[3] != was[3]) return 0;", ""),
    ("if (!rw_in_order(X, site, count, option)) return 0;", ";"),
    ("if (X->left[i] != X->many[i]) return 0;", ";"),
    ("while (j && there[j - 1] > values[i]) j--;", ""),
    ("n = i && picks[i] == picks[i - 1] ? n + 1 : 0;", "n = 0;"),
    # asking anew
    ("if (S[i] != X->playing.cells[i]) return 0;", ";"),
    ("if (!slot[0] != !was[0]) return 0;", ""),
    ("if (was_asked && !rw_same_decision(X)) return 0;", ""),
    ("rw_sort_any(out, count);\n  return count;", "return count;"),
    ("seat == X->seat ? rw_own_answer(X, X->answer) : rw_any_answer", "rw_any_answer"),
    ("S[RW_FUEL_CELL] = X->before.cells[RW_FUEL_CELL];", ""),
    ("if (rw_slot(G, seat)[0] != rw_slot(&X->before, seat)[0]) return 0;", ";"),
    # worlds and worth
    ("S[cell] = (int)(rw_bits(G) >> 16)", "S[cell] = (int)(rw_bits(G) & 0xFFFF)"),
    ("kept += out[4 * kept + 3] != 0;", "kept++;"),
    ("points += score < 0 ? -score : score;", "points += score;"),
    ("(!others++ || score > best)", "(!others++ || score < best)"),
    ("- (lead % points < 0)", ""),
    ("share = RW_VICTORY / winners;", "share = RW_VICTORY;"),
    # flat trees
    ("for (int i = 0; i < X->many[option]; i++)", "for (int i = 0; i < 1; i++)"),
    ("held + 1 : RW_WEIGHED", "held : RW_WEIGHED"),
    ("G->stream = rw_seed_state(seed, 2 + 2 * number)", "G->stream = rw_seed_state(seed, 2 * number)"),
    (".total < T->node[child].total", ".total <= T->node[child].total"),
    ("i < worlds || i == 0", "i < worlds"),
    ("left = (left + 1) / 2", "left /= 2"),
    ("while (1 << rounds < left) rounds++;", "rounds = left;"),
]

# Of the module that writes its tables: a function, what stands in it, and what it becomes.
TABLES = [
    ("_tables", "cards_seen(zone) for", "0 for"),
    ("_tables", "top_seen(zone) for", "0 for"),
    ("_tables", "(program.cards[card].face, card)", "card"),
    ("_tables", '_per_seat(program, "winner")', "-1"),
    ("_tables", '_per_seat(program, "score")', "-1"),
    ("_runs", "zone.accepts or range(len(program.cards))", "range(len(program.cards))"),
    ("_consecutive", "if number != end:", "if first < 0:"),
    ("_infos", "axis.size, axis.stride", "axis.size, 1"),
    ("_infos", "starts += info.start", "starts += (0,) * info.count"),
    ("_infos", "seers += info.seen", "seers += (7,) * info.count"),
    ("_shape", "info.arrival", "-1"),
    ("_live", "if slots[n].cards", "if not slots[n].cards"),
    ("_live", "slots[n].capacity", "0"),
    ("_sealed", "if info.key in sites", "if False"),
    ("_branches", "max(radix, 1)", "max(radix - 1, 1)"),
    ("_value", '"card": CARD, ', ""),
]


@frozen
class Case:
    """A program, its module, and what the reference says to questions."""

    program: TableProgram
    text: str
    codes: tuple[str, ...]
    said: Sequence[tuple[Question, Found]]


@cache
def cases() -> tuple[Case, ...]:
    return (*map(_case, _marks()), _case(_later()), _case(_kinds()), *map(_case, _secrets()), *map(_case, _games()))


def _case(asked: tuple[Reference, Sequence[Question]]) -> Case:
    reference, questions = asked
    source = generate_searching(reference.program)
    said = [(one, reference.says(one)) for one in questions]
    return Case(reference.program, source.text, source.codes, said)


def _marks() -> Iterator[tuple[Reference, list[Question]]]:
    for program in (choosing(), choosing(0)):
        reference, questions = Reference(program, DEPTH), list[Question]()
        for number, what in enumerate(MARKS):
            state = reference.backend.start(1)
            reference.backend.run(state)
            mark(program, state, what)
            knowledge = Knowledge((0,) * len(program.cards), ())
            questions += weighed(program, state, knowledge, 0, number, each=4)
            questions += [Question(state, knowledge, 0, key) for key in range(4)]
        yield reference, questions


def _later() -> tuple[Reference, list[Question]]:
    reference = Reference(asking_later(), DEPTH)
    state = reference.backend.start(1)
    reference.backend.run(state)
    knowledge = Knowledge((0,) * len(reference.program.cards), ())
    return reference, [Question(state, knowledge, 0, key) for key in range(4)]


def _kinds() -> tuple[Reference, list[Question]]:
    """Ten cards are of a kind of their own, with numbers and arrivals, and lie in one zone with all others."""
    own, few = cellar(), 10
    cards = tuple(evolve(one, kind="grain") if n < few else one for n, one in enumerate(own.cards))
    (old,) = (one for one in own.tracks if one.key == "token")
    token = evolve(old, count=few, start=(2,) * few, seen=old.seen[:few], arrival=old.address + few + 1)
    program = evolve(own, cards=cards, tracks=tuple(token if one is old else one for one in own.tracks))
    state = fresh_state(program, 1)
    state[token.address + 3], state[token.arrival + 7] = 4, 1
    return Reference(program, DEPTH), [Question(state, Knowledge((0,) * CARDS, ()), 0, key) for key in range(9)]


def _secrets() -> Iterator[tuple[Reference, list[Question]]]:
    for seed in SECRETS:
        reference = Reference(secret_program(seed), DEPTH)
        yield reference, list(secrets(reference, seed, 10))


def _games() -> Iterator[tuple[Reference, list[Question]]]:
    echo, crates = program_of(PACKS / "echo", 2), program_of(PACKS / "crates", 3)
    for program, one_in in ((cellar(), 3), (echo, 1), (crates, 5)):
        questions = []
        for number, game in enumerate(played(program, 3, 0, one_in)):
            for seat in range(program.seats):
                questions.append(Question(game.state, game.knowledge, seat, number))
                questions += weighed(program, game.state, game.knowledge, seat, number)
        yield Reference(program, DEPTH), questions


def differs(case: Case, text: str) -> bool:
    """Whether a module says anything else than the reference."""
    searcher = NativeGrower(case.program, load_library(text, compilers.quick()), case.codes, DEPTH, flat=True)
    return any(native_says(case.program, searcher, one) != said for one, said in case.said)


@needs_all
def test_without_a_mutation_nothing_differs() -> None:
    assert not any(differs(case, case.text) for case in cases())


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [MUTANTS[one] for one in sample(len(MUTANTS))])
def test_every_mutant_is_caught(old: str, new: str) -> None:
    assert any(differs(case, mutated(case.text, old, new)) for case in cases())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new"), [TABLES[one] for one in sample(len(TABLES))])
def test_every_mutant_of_the_tables_is_caught(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = inspect.getsource(getattr(worlds, name))
    assert old in source, "the text has changed: write this mutant anew"
    everything = cases()
    changed = dict(vars(worlds))
    exec(source.replace(old, new, 1), changed)
    monkeypatch.setattr(worlds, name, changed[name])
    assert any(differs(case, generate_searching(case.program).text) for case in everything)


def mutated(text: str, old: str, new: str) -> str:
    stepping, searching = text.split(BEGIN)
    assert old in searching, "the text has changed: write this mutant anew"
    return stepping + BEGIN + searching.replace(old, new, 1)
