"""A turn within a turn is left for something around both: the outer turn goes on as it was."""

from __future__ import annotations

import pytest

from tests.positions import Table
from tests.small_packs import started, turns

PACK = """\
pack: leaving
players: 2
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 3, starts: shelf}}
zones: {shelf: {order: row, seen-by: all}}
tracks:
  energy: {starts: 2, lasts: turn}
  actor: {of: player, starts: you, lasts: turn}
  log: {at-most: 999999}
  rounds: {}
lists:
  seen: {of: number, repeats: true, at-most: 9, lasts: turn}
---
gem: ruby
name: Ruby
---
function: price
gives: number
is: 5
---
modifier: cut
changes: price
is: result - times
---
verb: probe(s)
do:
  id: probing
  turns: others
  do: |
    spoil
    if log is 0: stop
---
verb: spoil(s)
do: |
  energy = 9
  add 1 to seen
  add 2 to seen
  start cut until the turn ends
---
verb: note(s)
do: |
  log = 10000 * count(seen) + 1000 * price + 100 * energy
  if actor is you: log += 10
  if extra-turn: log += 1
---
round: day
turns-from: first of players
until: rounds is 2
phases: [work, rest]
---
phase: work
steps:
  - id: begin
    do: energy = 7 then add 4 to seen
  - id: act
WAY
---
phase: rest
steps:
  - id: note
    options:
      note: note
      again: {do: take another turn then note}
  - id: count
    do: rounds += 1
---
finish: end
---
winner: one
among: players
"""
NESTED = """\
steps:
  - id: inner
    turns: others
    options:
      leave: spoil then end phase
      hurry: take another turn then spoil then end phase
"""
QUEUE = """\
queue: others + you
options:
  rest: do nothing
  pass:
    do:
      - id: within
        turns: others
        options: {out: {do: spoil, then: leave the queue}, stay: do nothing}
      - id: never
        do: log = 5
"""
LOOP = """\
steps:
  - id: around
    for-each: {p: players}
    do:
      - id: within
        turns: others
        do: spoil then stop
"""
WHILE = """\
while: log is 0
steps:
  - id: within
    turns: others
    options: {out: {do: spoil, then: leave the step}, stay: do nothing}
"""
TOGETHER = """\
together: others
choose: {picked: {number: 1, from: seen}}
do: spoil then end phase
"""


def table_of(way: str) -> Table:
    lines = "\n".join(f"    {line}" for line in way.splitlines())
    return started(PACK.replace("WAY", lines))


@pytest.mark.parametrize(
    ("way", "answers"),
    [
        (NESTED, ((1, "leave"),)),
        (NESTED, ((1, "hurry"),)),
        (QUEUE, ((1, "pass"), (0, "out"), (0, "pass"), (1, "out"))),
        (LOOP, ()),
        (WHILE, ((1, "out"),)),
        (TOGETHER, ()),
        ("do: probe", ()),
    ],
    ids=["phase", "extra", "queue", "loop", "while", "together", "verb"],
)
def test_the_outer_turn_goes_on_as_it_was(way: str, answers: tuple[tuple[int, str], ...]) -> None:
    """Player 0 acts with one number seen (10,000), an uncut price of 5 (5,000), and energy 7 (700)."""
    table = table_of(way)
    turns(table, *answers, (0, "note"))
    assert table.number("log") == 10_000 + 5_000 + 700 + 10


def test_what_began_in_the_outer_turn_lasts() -> None:
    """The price is cut once in the outer turn, and once more in the inner one, which ends with the phase."""
    cut = "steps:\n  - id: cutting\n    do: start cut until the turn ends\n"
    table = table_of(NESTED.replace("steps:\n", cut, 1))
    turns(table, (1, "leave"), (0, "note"))
    assert table.number("log") == 10_000 + 4_000 + 700 + 10


def test_choices_at_the_same_time_end_only_what_began_in_them() -> None:
    """As above, without an early end: the modifier of player 1 ends with its part, and that of player 0 stays."""
    way = TOGETHER.replace("spoil then end phase", "spoil")
    cut = f"steps:\n  - id: cutting\n    do: start cut until the turn ends\n  - id: inner\n    {way}"
    table = table_of(cut.replace("\nchoose", "\n    choose").replace("\ndo: spoil", "\n    do: spoil"))
    turns(table, (0, "note"))
    assert table.number("log") == 10_000 + 4_000 + 700 + 10


def test_extra_turns_of_the_inner_turns_are_lost() -> None:
    """The extra turn of player 1 was one in the step; the one of player 0 is in the round."""
    table = table_of(NESTED)
    turns(table, (1, "hurry"), (0, "again"), (1, "leave"), (0, "note"))
    assert table.number("log") == 10_000 + 5_000 + 700 + 10 + 1
