"""A building unknown to the pack, added as text: it is checked, and played by its rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load

MIXED = {"selection": "cards-drawn"}
"""The way to choose buildings by which a new one comes into the game."""
PACK = Path(__file__).parents[2] / "content" / "rattus-cartus"

BATH_HOUSE = """\
building: bath-house
name: {en: Bath House, es: Casa de baños}
class: church
premium: |
  lose 1 rat
  bathe up to 3 cards
standard: bathe up to 2 cards
---
verb: bathe(s) up to <limit> cards
do: |
  choose 0 to min(limit, rats) cards from hand as washed
  move washed to home
  lose (count(washed)) rats
"""


@pytest.mark.slow
def test_a_thirteenth_building_validates_and_plays(tmp_path: Path) -> None:
    pack = tmp_path / "rattus-cartus"
    shutil.copytree(PACK, pack)
    (pack / "buildings" / "bath-house.yaml").write_text(BATH_HOUSE, encoding="utf-8")
    loaded = load(pack)
    assert loaded.findings == ()
    assert loaded.program is not None
    for seats in (2, 3, 4, 5):
        program = lower(loaded.program, seats, MIXED)
        assert sum(card.definition == "bath-house" for card in program.cards) == 5
        backend = make(program)
        for game in range(5):
            assert play_out(backend, backend.start(3, game), Stream(game)) > 20


@pytest.mark.slow
def test_it_washes_rats_away(tmp_path: Path) -> None:
    pack = tmp_path / "rattus-cartus"
    shutil.copytree(PACK, pack)
    (pack / "buildings" / "bath-house.yaml").write_text(BATH_HOUSE, encoding="utf-8")
    loaded = load(pack)
    assert loaded.program is not None
    program = lower(loaded.program, 3, MIXED)
    rats = next(track for track in program.tracks if track.key == "rats")
    washed_away = 0
    for seed in range(30):
        if washed_away >= 2:
            break
        game = Game.start(program, seed)
        while game.decisions and washed_away < 2:
            decision = game.decisions[0]
            if decision.choice.startswith("bathe") and decision.most > 0:
                address = rats.address + decision.seat
                hand = game.view(decision.seat).zone(f"hand/{decision.seat + 1}").size
                before = game.state[address]
                game.apply(decision.seat, [decision.options[0].key])
                assert game.state[address] == before - 1
                assert game.view(decision.seat).zone(f"hand/{decision.seat + 1}").size == (hand or 0) - 1
                washed_away += 1
                continue
            keys = [option.key for option in decision.options for _ in range(option.count)]
            game.apply(decision.seat, keys[: decision.least])
    assert washed_away >= 2
