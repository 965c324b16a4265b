"""Mutants of whole games in generated Python with cards kept by class; games in steps differ."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from attrs import frozen

from interpreter.backends.python.playing import (
    backend,
    class_operations,
    class_policy,
    class_text,
    class_zones,
    random_policy,
    remembered,
)
from interpreter.batch.batch import python_many, stepping_many
from interpreter.batch.results import Results
from interpreter.optimiser import class_views
from interpreter.optimiser.canonical_states import CanonicalStates
from ruleset.lower.lowering import lower
from ruleset.program.series import whole_series
from ruleset.table.nodes import TableProgram
from tests.interpreter.backends import test_mutants
from tests.interpreter.backends.test_class_operations import play
from tests.interpreter.backends.test_mutants import patch
from tests.interpreter.kept_mutants import CONTENT, PACKS
from tests.interpreter.many_beside import compare
from tests.interpreter.mutating import modules_of, needs_all, sample
from tests.interpreter.optimiser.test_class_views import failing_in_order, programs
from tests.interpreter.optimiser.test_identity import by_hand
from tests.interpreter.programs_cards import card_program
from tests.positions import pack_of, program_of

__all__ = ["patch"]

ZONES, TOKENS, PLAYER, TEXT = (
    class_zones.ClassZones,
    remembered.Tokens,
    class_policy.ClassPlayer,
    class_text.ClassText,
)
PLAYING = backend.PlayingBackend

# Where, what, and what it becomes (the first occurrence). Each is one slip of the pen.
MUTANTS: list[tuple[Any, str, str, str]] = [
    # games
    (PLAYING, "_play", "self._cards.begin(self._dealt)", "pass"),
    (PLAYING, "_play", "state[RNG] = load(state)", "pass"),
    (PLAYING, "_play", "self._cards.begin(self._cards.dealt(self.program.next_game.start))", "pass"),
    (PLAYING, "_play", "self._cards.write(state)", "pass"),
    (PLAYING, "_play", "store(state, state[RNG])", "pass"),
    # zones
    (ZONES, "begin", "self.places[:] = start.places", "pass"),
    (ZONES, "begin", "self.token[0] = NONE", "pass"),
    (ZONES, "in_order", "is Form.COUNTS", "is Form.ORDER"),
    (ZONES, "dealt", "places[self.kept.class_of[card]] = zone", "pass"),
    (ZONES, "write", "following[one] += 1", "pass"),
    (ZONES, "write", "state[program.layout.places + card] = number", "pass"),
    (ZONES, "write", 'if track.of == "card":', "if False:"),
    (ZONES, "write", 'if info.of == "card":', "if False:"),
    # operations
    (class_operations, "random", "if bound < 1:", "if False:"),
    (class_operations, "random", "32 - rotation", "31 - rotation"),
    (class_operations, "_referring", "if ref >= 0 else NONE", ""),
    (class_operations, "_referring", "in_order(zone)[0]", "in_order(zone)[-1]"),
    (class_operations, "_referring", "in_order(zone)[-1]", "in_order(zone)[0]"),
    (class_operations, "_putting", "if not there and numbers[to]:", "if False:"),
    (class_operations, "_putting", "if not bottom:", "if True:"),
    (class_operations, "_putting", "classes[::-1]", "classes"),
    (class_operations, "_putting", "not never_full and len(there) > capacities[to]", "False"),
    (class_operations, "_putting", "places[one] = to", "pass"),
    (class_operations, "_putting", "elif ordered[source]:", "elif False:"),
    (class_operations, "_putting", "if not there and numbers[source]:", "if False:"),
    (class_operations, "_putting", "not never_full and len(here) == capacities[to]", "False"),
    (class_operations, "_putting", "if not here and numbers[to]:", "if False:"),
    (class_operations, "_putting", "if bottom:", "if False:"),
    (class_operations, "_refilling", "sorted(held[source])", "list(held[source])"),
    (class_operations, "_refilling", "> infos[zone].capacity", "> 1000"),
    (class_operations, "_refilling", "held[source] = []", "pass"),
    (class_operations, "_refilling", 'if infos[zone].order != "bag":', "if True:"),
    (class_operations, "_refilling", "places[one] = zone", "pass"),
    (class_operations, "_refilling", "classes + held[zone]", "held[zone] + classes"),
    (class_operations, "_refilling", "if numbers[source] or numbers[zone]:", "if False:"),
    (class_operations, "_refilling", "held[zone].sort()", "pass"),
    (class_operations, "_refilling", "< count", "<= count"),
    (class_operations, "_moving", "if source < 0 or not (anywhere or source == place):", "if source < 0:"),
    (class_operations, "_moving", "place == NONE", "False"),
    (class_operations, "_moving", "base | ref & mask", "ref"),
    (class_operations, "_moving", "if not held[source]:", "if True:"),
    (class_operations, "_moving", "place != NONE and source != place", "False"),
    (class_operations, "_moving", "if eager[source] and not held[source]:", "if False:"),
    (class_operations, "_moving_classes", "place != NONE and place != source", "False"),
    (class_operations, "_moving_classes", "if ordered[source]:", "if False:"),
    (class_operations, "_moving_classes", "if one not in gone", "if False"),
    (class_operations, "_moving_classes", "if numbers[source]:", "if False:"),
    (class_operations, "_moving_classes", "if eager[source] and not held[source]:", "if False:"),
    (class_operations, "_moving_classes", "if bottom and ordered[source]:", "if False:"),
    (class_operations, "_moving_classes", "in_order(source) if ordered[to] else", ""),
    (class_operations, "_moving_classes", "if eager[source]:\n", "if False:\n"),
    (class_operations, "_sending_home", "ref >= 0", "True"),
    (class_operations, "_sending_home", "if home >= 0:", "if True:"),
    (class_operations, "_sending_home", "if NONE in groups or source in groups:", "if False:"),
    (class_operations, "_sending_home", "held[source] = []", "pass"),
    (class_operations, "_sending_home", "if numbers[source]:", "if False:"),
    (class_operations, "_sending_home", "if eager[source]:", "if False:"),
    (class_operations, "_drawing", "count < len(there)", "count <= len(there)"),
    (class_operations, "_drawing", "and source != to and not counts[source]", "and not counts[source]"),
    (class_operations, "_drawing", "and not counts[source]", ""),
    (class_operations, "_drawing", "if simple[to] and not bottom:", "if simple[to]:"),
    (class_operations, "_drawing", "if numbers[source]:", "if False:"),
    (class_operations, "_drawing", "there.sort()", "pass"),
    (class_operations, "_drawing", "1 if source == to else count", "count"),
    (class_operations, "_drawing", "if eager[source] and not there:", "if False:"),
    (class_operations, "_drawing", "if counts[source] or source == to or not there:", "if not there:"),
    (class_operations, "_drawing_from_below", "there.sort()", "pass"),
    (class_operations, "_drawing_from_below", "if numbers[source]:", "if False:"),
    (class_operations, "_drawing_from_below", "if eager[source] and not held[source]:", "if False:"),
    # answers
    (PLAYER, "keys", "if alone[card & mask] else (-2, place)", ""),
    (PLAYER, "keys", "(zone, faces[card])", "(zone, place)"),
    (random_policy, "_among_equal", "faces[option] == face and zone_of(state, option)", "zone_of(state, option)"),
    (random_policy, "_among_equal", "place - 1 > last", "place > last"),
    # views
    (class_views._Viewing, "node", "is not Form.ORDER", "is Form.ORDER"),
    (class_views._Viewing, "node", "isinstance(node, t.Last)", "isinstance(node, t.First)"),
    (class_views, "_is_sorted", "(Form.COUNTS, Form.NUMBER)", "(Form.COUNTS, Form.NUMBER, Form.ORDER)"),
    (class_views, "_tells_apart", "len({*program.tables[body.table]}) == len(program.tables[body.table])", "True"),
    (class_views, "_of_classes", "needs = True", "pass"),
    (class_views._Viewing, "_by_class", "isinstance(node, t.Total | t.Exists | t.Highest)", "True"),
    (class_views._Viewing, "_by_class", "and not self.failing.can_fail(asked)", ""),
    (class_views._Viewing, "_loose", "if not self.failing.can_fail(asked)", ""),
    # text
    (class_text, "_class_of", "if {card} >= 0 else -1", ""),
    (class_text, "_place_of", "1 in text.kept_cards.copies", "False"),
    (class_text, "_held", "if node.loose or", "if True or"),
    (class_text, "_move", "{node.bottom}, {place}", "{node.bottom}, None"),
    (class_text, "_move_classes", "and node.place is None", ""),
    (class_text, "_send_home", "and node.place is None", ""),
    (class_text, "_draw", "isinstance(node, t.DrawBottom)", "False"),
    (class_text, "_set_cells", 'text.line("N[0] = -1")', "pass"),
    # remembered lists
    (TEXT, "remembered", '["N[0]", *map(self.text_of, node.key)]', '["N[0]"]'),
    (TOKENS, "recall", "if key[0] < 0:", "if False:"),
    (TOKENS, "_token", "not self._zones[number]", "0"),
    (TOKENS, "_token", "self._next += 1", "pass"),
    (remembered, "_key", "elif not isinstance(part, _PLAIN):", "elif False:"),
    (remembered, "_key", "and part.slot not in bound", "and False"),
    (remembered, "_outside_tests", "Form.NUMBER", "_"),
]  # fmt: skip

CARDS = range(80)
GAMES, OF_PACKS, SEED = 12, 3, 7
SEEDS = range(150)
"""Of sequences of operations."""


@frozen
class Case:
    """A program, and how its games go in steps."""

    program: TableProgram
    games: Results
    states: CanonicalStates


@cache
def cases() -> tuple[Case, ...]:
    """What whole games are held to, from what is quick to what takes longer."""
    cards = [(card_program(seed), GAMES) for seed in CARDS]
    played = [*cards[:4], *((program, GAMES) for _, program in (*programs(), *by_hand())), *cards[4:]]
    played += [(failing_in_order(filtered), GAMES) for filtered in (False, True)]
    played.append((lower(whole_series(pack_of(CONTENT / "coup")), 2), OF_PACKS))
    played += [(program_of(CONTENT / name, 2, *chosen), OF_PACKS) for name, chosen in PACKS]
    return tuple(
        Case(
            program,
            stepping_many(program, range(program.layout.cells), "python").play(SEED, 0, games),
            CanonicalStates(program),
        )
        for program, games in played
    )


def survives() -> bool:
    """Whether whole games are the same as those in steps."""
    try:
        for seed in SEEDS:
            play(seed)
        for case in cases():
            whole = python_many(case.program, range(case.program.layout.cells))
            compare(whole.play(SEED, 0, case.games.count), case.games, case.states)
    except Exception:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(len(MUTANTS)))
def test_mutants_of_classes_are_caught(
    number: int, patch: Callable[[Any, str, str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = ("interpreter.backends.python", "interpreter.optimiser")
    modules = (module for package in packages for module in modules_of(package))
    monkeypatch.setattr(test_mutants, "MODULES", (*test_mutants.MODULES, *modules, TEXT))
    patch(*MUTANTS[number])
    assert not survives(), MUTANTS[number]


@needs_all
def test_without_a_mutant_nothing_is_caught() -> None:
    assert survives()
