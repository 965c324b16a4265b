"""Extra turns: `take another turn` in rounds and steps, twice, by others, and in turns within turns."""

from __future__ import annotations

import pytest

from rulewright.interpreter.game.game import RuleFault
from tests.positions import Table
from tests.small_packs import changed, messages, started, turns

ROUND = """\
pack: extra
players: 3
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 1, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  turns-taken: {scope: player}
  extras: {scope: player}
---
gem: ruby
name: Ruby
---
verb: hurry(s)
do: take another turn
---
round: turn
turns-from: first of players
until: (total turns-taken over players) > 8
steps:
  - id: act
    options:
      rest: turns-taken += 1
      hurry: {do: turns-taken += 1 then hurry}
      twice: {do: turns-taken += 1 then hurry then hurry}
      help: {do: turns-taken += 1 then next(you) takes another turn}
      leave: {do: hurry then eliminate you}
      pause:
        do:
          - id: inner
            turns: others
            options: {sit: turns-taken += 1, run: {do: turns-taken += 1 then hurry}}
  - id: count
    when: extra-turn
    do: extras += 1
---
finish: end
---
winner: one
among: players
"""


@pytest.fixture
def table() -> Table:
    return started(ROUND, seats=3)


def extras(table: Table) -> list[int]:
    return [table.number("extras", seat) for seat in range(3)]


def test_another_turn(table: Table) -> None:
    """0 has another turn, then the order goes on with 1; `extra-turn` holds in that turn only."""
    turns(table, (0, "hurry"), (0, "rest"), (1, "rest"), (2, "hurry"), (2, "hurry"), (2, "rest"), (0, "rest"))
    assert extras(table) == [1, 0, 2]


def test_twice_is_two_turns(table: Table) -> None:
    turns(table, (0, "twice"), (0, "rest"), (0, "rest"), (1, "rest"))
    assert extras(table) == [2, 0, 0]


def test_the_turn_of_another_player(table: Table) -> None:
    """1 takes the next turn, and then its own in the order."""
    turns(table, (0, "help"), (1, "rest"), (1, "rest"), (2, "rest"))
    assert extras(table) == [0, 1, 0]


def test_the_turn_of_a_player_who_is_out_is_lost(table: Table) -> None:
    turns(table, (0, "leave"), (1, "rest"), (2, "rest"), (1, "rest"))
    assert extras(table) == [0, 0, 0]


def test_turns_within_a_turn_have_their_own(table: Table) -> None:
    """1 has another turn in the step with `turns`; what 0 has in the round is untouched by it, and comes later."""
    turns(table, (0, "help"), (1, "twice"), (1, "pause"), (2, "run"), (2, "sit"), (0, "sit"), (1, "rest"))
    turns(table, (1, "rest"), (2, "rest"))


def test_it_belongs_to_the_innermost_turns() -> None:
    """Turns that go round until a condition holds give extra turns, too, and test it before each."""
    text = ROUND.replace("- id: inner\n", "- id: inner\n            until: (first of players)'s turns-taken > 0\n")
    table = started(text, seats=3)
    turns(table, (0, "pause"), (1, "run"), (1, "sit"), (2, "sit"), (1, "run"), (1, "run"))
    assert extras(table) == [0, 0, 0]


def test_more_than_sixteen_do_not_wait() -> None:
    text = ROUND.replace("do: take another turn", "do: |\n  repeat 17 times: take another turn")
    table = started(text, seats=3)
    with pytest.raises(RuleFault) as failed:
        table.answer(0, "turn.act.choice", "hurry")
    assert failed.value.code == "full"


def test_extra_turn_is_a_reserved_name() -> None:
    assert any("extra-turn" in one for one in messages(changed(ROUND, "extras: {", "extra-turn: {")))
