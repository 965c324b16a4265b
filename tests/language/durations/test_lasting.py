"""Tracks and lists that last a turn, a phase, a round, one's own turn, or a use of a verb."""

from __future__ import annotations

import pytest

from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.positions import Table
from tests.small_packs import changed, messages, pack_in, started, turns

PACK = """\
pack: lasting
players: 2
enumerations: {colour: [red, blue]}
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 3, starts: shelf}}
zones: {shelf: {order: row, seen-by: all}}
tracks:
  energy: {starts: 2, lasts: turn}
  actor: {of: player, starts: you, lasts: turn}
  paid: {scope: [player, colour], lasts: round}
  in-phase: {lasts: phase}
  safe: {of: boolean, scope: player, lasts: own-turn}
  depth: {lasts: verb/dig}
  bottom: {}
  rounds: {}
  kept: {scope: player}
lists:
  seen: {of: number, repeats: true, at-most: 9, lasts: turn}
  taken: {of: gem card, scope: player, lasts: turn}
---
gem: ruby
name: Ruby
---
verb: dig(s) <n number>
do: |
  depth += n
  if n > 1: dig (n - 1)
  if n is 2: stop
  bottom = bottom * 10 + depth
---
round: day
phases: [work, rest]
until: rounds is 3
---
phase: work
steps:
  - id: act
    turns: players
    options:
      spend:
        do: |
          energy -= 1
          paid[blue] += 3
          in-phase += 1
          safe = true
          add energy to seen
          add first of shelf to taken
          kept += energy
      within:
        do:
          - id: mark
            do: energy = 7 then add 5 to seen then add 5 to seen then add (first of shelf) to taken
          - id: inner
            turns: others
            do: |
              kept += 10 * energy + 100 * count(seen) + 1000 * count(taken)
              if actor is you: kept += 10000
              add last of shelf to taken
          - id: again
            do: |
              kept += energy + 10 * count(seen) + 100 * count(taken)
              if actor is you: kept += 1000
      dig: dig 3
      look: kept = count(players where it's safe) + 10 * your paid[blue] + 100 * in-phase
---
phase: rest
steps:
  - id: count
    do: rounds += 1 then bottom += 100000 * in-phase
---
finish: end
---
winner: one
among: players
"""


@pytest.fixture
def table() -> Table:
    return started(PACK)


def kept(table: Table) -> list[int]:
    return [table.number("kept", seat) for seat in range(2)]


def test_each_turn_has_its_own(table: Table) -> None:
    """Both begin with 2 and spend 1, so each keeps 1."""
    turns(table, (0, "spend"), (1, "spend"))
    assert kept(table) == [1, 1]


def test_a_turn_within_a_turn_has_its_own_too(table: Table) -> None:
    """1 has energy 2 (20), sees nothing, and acts (10,000). Then 0 has 7, two numbers, a gem, and acts (1,000)."""
    turns(table, (0, "within"))
    assert kept(table) == [7 + 20 + 100 + 1000, 20 + 10_000]


def test_a_phase_a_round_and_ones_own_turn(table: Table) -> None:
    """1 looks: 0 is safe (1), 1 has paid nothing, and one has spent in this phase (100).

    In the second round 0 looks: its own turn has begun, so nobody is safe; nothing is paid in this round and phase.
    """
    turns(table, (0, "spend"), (1, "look"))
    assert kept(table)[1] == 101
    turns(table, (0, "look"))
    assert kept(table)[0] == 0
    turns(table, (1, "spend"), (0, "look"))
    assert kept(table)[0] == 1  # 1 is still safe: its own turn of the third round comes later
    assert table.number("bottom") == 0  # `in-phase` started over in the phase that counts it


def test_each_use_of_a_verb_has_its_own(table: Table) -> None:
    """The innermost use (n = 1) writes its depth 1; that of 2 stops; the outermost still has its own depth, 3."""
    turns(table, (0, "dig"))
    assert table.number("bottom") == 13
    assert table.number("depth") == 0


FINDINGS = [
    ("lasts: phase}", "lasts: verb/digg}", "there is no verb `digg`, so `in-phase` would never start over"),
    ("phases: [work, rest]", "steps: []", "this game has no phases, so `in-phase` would never start over"),
    ("{starts: 2, lasts: turn}", "{starts: rounds, lasts: turn}",
     "`rounds` cannot be the start of a track that starts over"),
    ("scope: player, lasts: own-turn", "lasts: own-turn",
     "`own-turn` is the turn of each player, and this does not belong to players"),
    ("scope: [player, colour]", "scope: [player, gem]", "a track or list with the scope `gem` cannot start over"),
    ("{lasts: phase}", "{lasts: day}",
     "expected `turn`, `phase`, `round`, `own-turn`, `series`, or `verb/NAME`, found day"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "now", "message"), FINDINGS)
def test_findings(before: str, now: str, message: str) -> None:
    found = messages(changed(PACK, before, now))
    assert message in found, found


LOGGED = """\
pack: logged
players: 2
languages: [en]
tracks:
  bid: {starts: 1, at-most: 9, lasts: turn, log: "The bid rises from {before} to {value}"}
  rounds: {}
---
round: turn
turns-from: first of players
until: rounds is 2
steps:
  - id: act
    options: {high: bid += 5 then rounds += 1, low: bid += 1 then rounds += 1}
---
finish: end
---
winner: one
among: players
"""


def test_the_log_tells_the_value_of_this_moment() -> None:
    """Each turn begins with a bid of 1, so the second bid is 2, although the first was 6."""
    table = started(LOGGED)
    turns(table, (0, "high"), (1, "low"))
    chronicle = Chronicle(table.program, PackTexts(table.program, pack_in(LOGGED)), "en", None)
    told = "\n".join(line.text for line in [*chronicle.tell(table.game.events()), *chronicle.rest()])
    assert "The bid rises from 1 to 6" in told and "The bid rises from 1 to 2" in told, told
