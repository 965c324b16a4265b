"""The examples of docs/how-to/recipes.md: random games end, with every number of players.

`test_listings` checks that they have no findings and plays their scenarios.
"""

from __future__ import annotations

import pytest

from interpreter.backends.factory import make
from interpreter.backends.policies.random_player import play_out
from interpreter.state.chance import Stream
from ruleset.lower.lowering import lower
from ruleset.table.nodes import OVER, STATUS
from tests.docs.listings import ROOT, with_fragment
from tests.docs.test_listings import listings

PAGE = ROOT / "docs" / "how-to" / "recipes.md"
GAMES = 5


def test_every_example_has_a_scenario() -> None:
    examples = [text for *_, text in listings(PAGE)]
    assert len(examples) == 13
    assert all("\nscenario: " in text for text in examples)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "base", "text"), [listing[1:] for listing in listings(PAGE)])
def test_random_games_end(line: int, base: str, text: str) -> None:
    program = with_fragment(base, text).program
    assert program is not None, f"line {line}"
    for seats in range(program.least_players, program.most_players + 1):
        backend = make(lower(program, seats))
        for seed in range(1, GAMES + 1):
            state = backend.start(seed)
            play_out(backend, state, Stream(seed))
            assert state[STATUS] == OVER, f"line {line}, {seats} seats, seed {seed}"
