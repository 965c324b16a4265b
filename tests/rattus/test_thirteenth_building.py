"""A building that the pack does not know, added as text: it is checked, played, and does what it says."""

from __future__ import annotations

import shutil
from pathlib import Path

from interpreter.chance import Stream
from interpreter.game import Game
from interpreter.python_playing import PlayingBackend
from ruleset.load import load
from ruleset.lower import lower

PACK = Path(__file__).parents[2] / "content" / "rattus-cartus"

BATH_HOUSE = """\
building: bath-house
name: {en: Bath House, es: Casa de baños}
class: church
supply: [draw 4, draw 2 then lose 1 rat, draw 2 then look at 1 nun, lose 2 rats, lose 1 rat then look at 1 nun]
premium: |
  lose 1 rat
  trade up to 3 cards for rats
standard: trade up to 2 cards for rats
---
verb: trade(s) up to <limit> cards for rats
do: |
  choose 0 to min(limit, rats) cards from hand as spent
  move spent to home
  lose (count(spent)) rats
"""


def test_a_thirteenth_building_validates_and_plays(tmp_path: Path) -> None:
    pack = tmp_path / "rattus-cartus"
    shutil.copytree(PACK, pack)
    (pack / "buildings" / "bath-house.yaml").write_text(BATH_HOUSE, encoding="utf-8")
    loaded = load(pack)
    assert loaded.findings == ()
    assert loaded.program is not None
    for seats in (2, 3, 4, 5):
        program = lower(loaded.program, seats)
        assert sum(card.definition == "bath-house" for card in program.cards) == 5
        playing = PlayingBackend(program)
        for game in range(5):
            assert playing.play(playing.start(3, game), Stream(game)) > 20


def test_it_trades_cards_for_rats(tmp_path: Path) -> None:
    pack = tmp_path / "rattus-cartus"
    shutil.copytree(PACK, pack)
    (pack / "buildings" / "bath-house.yaml").write_text(BATH_HOUSE, encoding="utf-8")
    loaded = load(pack)
    assert loaded.program is not None
    program = lower(loaded.program, 3)
    rats = next(track for track in program.tracks if track.key == "rats")
    traded = 0
    for seed in range(30):
        game = Game.start(program, seed)
        while game.decisions and traded < 2:
            decision = game.decisions[0]
            if decision.choice.startswith("trade") and decision.most > 0:
                address = rats.address + decision.seat
                hand = game.view(decision.seat).zone(f"hand/{decision.seat + 1}").size
                before = game.state[address]
                game.apply(decision.seat, [decision.options[0].key])
                assert game.state[address] == before - 1
                assert game.view(decision.seat).zone(f"hand/{decision.seat + 1}").size == (hand or 0) - 1
                traded += 1
                continue
            keys = [option.key for option in decision.options for _ in range(option.count)]
            game.apply(decision.seat, keys[: decision.least])
    assert traded >= 2
