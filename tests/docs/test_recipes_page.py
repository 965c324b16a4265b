"""The examples of docs/how-to/recipes.md: random games end, with every number of players.

`test_listings` checks that they have no findings and plays their scenarios.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.nodes import OVER, STATUS
from tests.docs.links import links
from tests.docs.listings import ROOT, with_fragment
from tests.docs.test_listings import listings

PAGE = ROOT / "docs" / "how-to" / "recipes.md"
GAMES = 5
LEAST, MOST = 10, 30
"""The lines of rules of an example: what has to be read, without its scenarios and the lines between documents."""
NAMED = (
    "Durations",
    "Extra turns",
    "Tokens on piles",
    "Tricks",
    "Simultaneous choice",
    "Bidding",
    "Hidden teams",
    "Several deals",
    "Drafting",
    "Payment",
    "While in play",
)


def test_every_mechanism_has_an_example() -> None:
    parts = re.split(r"^## (.+)\n", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert tuple(sections)[: len(NAMED)] == NAMED
    assert all("```yaml\n" in sections[name] for name in NAMED)


def test_every_example_has_a_scenario() -> None:
    examples = [text for *_, text in listings(PAGE)]
    assert len(examples) == 17
    assert all("\nscenario: " in text for text in examples)


@pytest.mark.parametrize(("line", "text"), [(line, text) for _, line, _, text in listings(PAGE)])
def test_an_example_is_short(line: int, text: str) -> None:
    rules = text.partition("---\nscenario: ")[0].splitlines()
    count = len([one for one in rules if one.strip() and one != "---"])
    assert LEAST <= count <= MOST, f"line {line}: {count} lines of rules"


def test_the_small_games_are_named() -> None:
    games = {path.parent.name for path in (ROOT / "tests" / "games").glob("*/pack.yaml")}
    assert games == {Path(target).name for target in links(PAGE) if "tests/games/" in target}


@pytest.mark.slow
@pytest.mark.parametrize(("line", "base", "text"), [listing[1:] for listing in listings(PAGE)])
def test_random_games_end(line: int, base: str, text: str) -> None:
    program = with_fragment(base, text).program
    assert program is not None, f"line {line}"
    for seats in range(program.least_players, program.most_players + 1):
        tables = [lower(program, seats)]
        tables += [lower(program, seats, series=True)] if program.series is not None else []
        for table in tables:
            backend = make(table)
            for seed in range(1, GAMES + 1):
                state = backend.start(seed)
                play_out(backend, state, Stream(seed))
                assert state[STATUS] == OVER, f"line {line}, {seats} seats, seed {seed}"
