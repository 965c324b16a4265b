"""Values of copies, of definitions, and of players: each is kept apart, on all backends."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter.lockstep import backends_of
from tests.ruleset.test_chunks import BASE, CHUNKS

DECLARED = """
kinds:
  feat: {cards: false, fields: {worth: 0 to 9}}
---
feat: brave
worth: 2
---
feat: wise
worth: 3
---
tracks:
  wear: {scope: spell card}
  used: {scope: [player, spell card]}
  told: {scope: [class, player]}
  times: {scope: feat}
  sum: {of: number}
  worth: {scope: player}
---
lists:
  heroes: {scope: feat, of: player}
---
spell: flash
cost: 1
class: magic
play: this's wear += 5
---
setup: early
steps:
  - id: early
    do: |
      let first-one = first of players
      let last-one = last of players
"""


@cache
def table(sentences: str) -> TableProgram:
    """The base, in which some sentences are said before all else."""
    text = DECLARED + "".join(f"      {line}\n" for line in sentences.strip().splitlines())
    loaded = load_files(PackFiles(CHUNKS, (("aa.yaml", text.strip().encode()), ("base.yaml", BASE))))
    assert loaded.findings == ()
    assert loaded.program is not None
    return lower(loaded.program, 2)


def values(program: TableProgram, backend: Backend, track: str) -> tuple[int, ...]:
    state = backend.start(1, 0)
    backend.run(state)
    (found,) = [one for one in program.tracks if one.key == track]
    return tuple(state[found.address : found.address + found.count])


@pytest.mark.parametrize(
    ("sentences", "track", "expected"),
    [
        # two copies of spark and two of flash
        ("each c in library: c's wear += 3", "wear", {3: 4}),
        ("each c in library where it is flash: wear[c] += 3", "wear", {3: 2}),
        (
            "each c in library: first-one's used[c] += 1\neach c in library: c's used[last-one] += 2",
            "used",
            {1: 4, 2: 4},
        ),
        ("sum = 7 + (total wear over library)", "sum", {7: 1}),
        ("each c in library: wear[c] = 2\nsum = total wear over library", "sum", {8: 1}),
        ("first-one's told[magic] += 4", "told", {4: 1}),
        # the worth of a feat is its field, though each player has a track of that name
        ("first-one's worth = 8\nsum = wise's worth + first-one's worth", "sum", {11: 1}),
        ("brave's times += 2\ntimes[wise] += 7", "times", {2: 1, 7: 1}),
        ("add last-one to wise's heroes\nsum = count(wise's heroes) + 10 * count(brave's heroes)", "sum", {1: 1}),
    ],
)  # fmt: skip
def test_values(sentences: str, track: str, expected: dict[int, int]) -> None:
    program = table(sentences)
    for backend in backends_of(program):
        found = values(program, backend, track)
        assert {value: found.count(value) for value in found if value} == expected


def test_the_order_of_scopes() -> None:
    """Of each class (church, magic, market) one value for each of two players."""
    program = table("first-one's told[magic] += 4\nlast-one's told[market] += 9")
    for backend in backends_of(program):
        assert values(program, backend, "told") == (0, 0, 4, 0, 0, 9)


def test_the_effect_of_a_definition_has_no_card() -> None:
    """`this` is nothing then: to write what it keeps is an error, and nothing else is written."""
    program = table("first-one performs flash's play")
    for backend in backends_of(program):
        with pytest.raises(RuleError, match="absent"):
            backend.run(backend.start(1, 0))
    program = table("each c in library where it is flash: first-one performs c's play")
    for backend in backends_of(program):
        found = values(program, backend, "wear")
        assert {value: found.count(value) for value in found if value} == {5: 2}
