"""Players who are out until a turn, phase, or round ends: they have no turns, and come back."""

from __future__ import annotations

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views.narration import Narrator
from tests.positions import Table
from tests.small_packs import findings, lowered, messages, started, turns

PACK = """\
pack: absence
players: 3
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 1, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  turns-taken: {scope: player}
  rounds: {}
  present: {}
  present-at-the-end: {}
---
gem: ruby
name: Ruby
---
round: day
phases: [work, count]
until: rounds is 2
---
phase: work
steps:
  - id: act
    turns: all-players
    options:
      stay: turns-taken += 1
      send-off: eliminate (next(you)) until the phase ends
      drop: eliminate you until the round ends
      both:
        do: |
          eliminate you until the phase ends
          eliminate you until the round ends
      nap: {do: eliminate (previous(you)) until the turn ends then present += count(players)}
      banish:
        do: |
          let p = next(you)
          let q = previous(you)
          eliminate p until the round ends
          eliminate p
          eliminate q
          eliminate q until the round ends
      inner:
        do:
          - id: lap
            turns: others
            options: {sit: turns-taken += 1, hide: eliminate you until the turn ends}
      over: {do: eliminate you until the round ends then end game}
---
phase: count
steps:
  - id: total
    do: |
      rounds += 1
      present += 10 * count(players)
---
finish: end
steps:
  - id: last
    do: present-at-the-end = count(players)
---
winner: one
among: players
"""


@pytest.fixture
def table() -> Table:
    return started(PACK, seats=3)


def test_until_the_phase_ends(table: Table) -> None:
    """1 is passed over, and counted again in the next phase (10 * 3). In the next round all have turns."""
    turns(table, (0, "send-off"), (2, "stay"), (0, "stay"))
    assert table.number("present") == 30
    turns(table, (1, "stay"), (2, "stay"))


def test_until_the_round_ends(table: Table) -> None:
    """0 is out while the phase counts (10 * 2), and back in the next round, at the same place."""
    turns(table, (0, "drop"), (1, "stay"), (2, "stay"))
    assert table.number("present") == 20
    turns(table, (0, "stay"), (1, "stay"))


def test_the_longer_of_two_moments_counts(table: Table) -> None:
    turns(table, (0, "both"), (1, "stay"), (2, "stay"))
    assert table.number("present") == 20
    assert table.asked[0][0] == 0


def test_until_the_turn_ends(table: Table) -> None:
    """2 is out within the turn of 0 (so 2 are present), and has its own turn in the order."""
    turns(table, (0, "nap"))
    assert table.number("present") == 2
    turns(table, (1, "stay"), (2, "stay"))
    assert table.number("present") == 32


def test_for_good_wins(table: Table) -> None:
    """1 and 2 are out for good, whichever sentence comes first: 0 alone is counted in both rounds."""
    turns(table, (0, "banish"))
    assert table.number("present") == 10
    turns(table, (0, "stay"))
    assert table.number("present") == 20 and table.asked == []


def test_turns_within_a_turn_bring_back_only_their_own(table: Table) -> None:
    turns(table, (0, "inner"), (1, "hide"), (2, "sit"), (1, "stay"), (2, "stay"))
    assert table.number("present") == 30


def test_all_are_back_before_points_are_counted(table: Table) -> None:
    turns(table, (0, "over"))
    assert table.asked == [] and table.number("present-at-the-end") == 3


def test_the_log() -> None:
    game = Game.start(lowered(PACK, seats=3), 1)
    happened = [*game.apply(0, ["send-off"]), *game.apply(2, ["stay"])]
    for language, out, back in (
        ("en", "Player 2 is out until the phase ends", "Player 2 is back in the game"),
        ("es", "queda fuera hasta que acabe la fase", "vuelve a la partida"),
    ):
        lines = [Narrator(game.program, language).line(event) for event in happened]
        assert any(out in line for line in lines) and any(back in line for line in lines), lines


def test_only_moments_end() -> None:
    text = PACK.replace("you until the phase ends", "you until the game ends")
    (found,) = findings(text)
    assert (found.code, found.message) == ("RW434", "expected `turn`, `phase` or `round`, found `game`")


def test_a_moment_that_never_ends() -> None:
    step = "steps: [{id: go, do: eliminate (first of players) until the phase ends}]"
    text = PACK.replace("phases: [work, count]", step)
    found = messages(text.replace("rounds is 2", "true"))
    assert "this game has no phases, so the player would never come back" in found
