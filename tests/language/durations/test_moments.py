"""Hooks that wait, modifiers of fields, and the end of modifiers, on `tests/packs/tides`.

Expected values come from the text of the packs, read with `docs/reference/language.md`, or from arithmetic.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.game.seat_eyes import left_out
from rulewright.interpreter.state.events import Event
from rulewright.ruleset.lower.reasons import lower_reasons
from tests.positions import Table, of, pack_of, program_of
from tests.small_packs import started

TIDES = Path(__file__).parents[2] / "packs" / "tides"
ACT, EBB = "work.turn.act.choice", "ebb.choice"


def tides(seats: int = 2) -> Table:
    """Day 1, the turn of seat 0: five coins, four for everybody else."""
    return Table.start(program_of(TIDES, seats))


def acts(table: Table, seat: int, *options: str) -> None:
    """A player's actions, one after the other, and no question in between."""
    for option in options:
        table.answer(seat, ACT, option)


def day(table: Table, *seats: int) -> None:
    """These players do nothing more in their turns."""
    for seat in seats:
        acts(table, seat, "done")


def coins(table: Table) -> list[int]:
    return [table.number("coins", seat) for seat in range(table.program.seats)]


def awaited(table: Table, hook: str) -> list[int]:
    return [table.number(f"hook/{hook}", seat) for seat in range(table.program.seats)]


def changes(table: Table, told: tuple[Event, ...], track: str) -> list[int]:
    """By how much a track has changed, each time."""
    number = next(number for number, one in enumerate(table.program.tracks) if one.key == track)
    return [one.numbers[-1] for one in told if one.kind == "changed" and one.numbers[0] == number]


# ------------------------------------------------------------------ hooks that wait: somebody acts

def test_a_hook_that_waits_happens_once_for_all_times_to_who_awaited_it() -> None:
    """Twice ten coins in the next turn. The body awaits it again: ten more in the turn after; then it is over."""
    table = tides()
    acts(table, 0, "wait", "wait")
    assert (coins(table), awaited(table, "flood")) == ([5, 4], [2, 0])
    day(table, 0, 1)
    assert (coins(table), awaited(table, "flood")) == ([5 + 20 + 1, 5], [1, 0])
    day(table, 0, 1)
    assert (coins(table), awaited(table, "flood")) == ([26 + 10 + 1, 6], [0, 0])
    day(table, 0, 1)
    assert coins(table) == [38, 7]


def test_a_hook_that_waits_runs_before_its_step() -> None:
    table = tides()
    acts(table, 0, "wait", "done")
    told = table.answer(1, ACT, "done")
    assert changes(table, told, "coins") == [10, 1]


def test_how_often_a_hook_was_awaited_is_public_and_no_news() -> None:
    table = tides()
    since = len(table.game.events())
    acts(table, 0, "wait")
    for seat in range(2):
        assert not [event for event in table.game.events(seat, since) if event.kind == "changed"]
        (track,) = [one for one in table.game.view(seat).tracks if one.key == "hook/flood"]
        assert (track.scope, track.values) == (("player",), (1, 0))


# ------------------------------------------------------------------ hooks that wait: nobody acts

def test_where_nobody_acts_it_happens_to_each_in_the_order_of_seats() -> None:
    """Seat 1 says it first. Each has five coins at dawn: 3 * 2 for seat 0, and seat 1 keeps it for the next day."""
    table = tides()
    day(table, 0)
    acts(table, 1, "doze", "done")
    assert table.asked == [(1, EBB)] and table.number("days") == 1, "before the step"
    table.answer(1, EBB, "later")
    assert (awaited(table, "ebb"), table.number("days")) == ([0, 1], 2)
    acts(table, 0, "doze", "doze", "done")
    day(table, 1)
    assert table.asked == [(0, EBB)]
    before = coins(table)
    table.answer(0, EBB, "take")
    assert table.asked == [(1, EBB)]
    table.answer(1, EBB, "take")
    assert coins(table) == [before[0] + 6 + 1, before[1] + 3], "and a coin for the turn that has begun"
    assert awaited(table, "ebb") == [0, 0]


def test_a_hook_whose_condition_does_not_hold_keeps_waiting() -> None:
    """Not with 40 coins; the next day with fewer."""
    table = tides().arrange(tracks={("coins", 0): 40})
    acts(table, 0, "doze", "done")
    day(table, 1)
    assert (table.asked, awaited(table, "ebb")) == ([(0, ACT)], [1, 0])
    table.arrange(tracks={("coins", 0): 39})
    day(table, 0, 1)
    assert table.asked == [(0, EBB)]


def test_stop_in_a_hook_ends_it_for_one_player() -> None:
    """Seat 0 has awaited it more than twice, and is not asked; seat 1 is."""
    table = tides()
    acts(table, 0, "doze", "doze", "doze", "done")
    acts(table, 1, "doze", "done")
    assert (table.asked, awaited(table, "ebb")) == ([(1, EBB)], [0, 0])
    table.answer(1, EBB, "take")
    assert table.asked == [(0, ACT)], "the day goes on"


def test_who_has_left_the_game_awaits_nothing() -> None:
    table = tides(3)
    day(table, 0)
    acts(table, 1, "doze", "leave")
    acts(table, 2, "doze", "done")
    assert table.asked == [(2, EBB)]
    table.answer(2, EBB, "take")
    assert (table.asked, coins(table)[1]) == ([(0, ACT)], 5)


# ------------------------------------------------------------------ hooks that wait: at a verb

def test_at_a_verb_it_happens_to_who_does_it() -> None:
    table = tides()
    acts(table, 0, "listen", "listen", "dig")
    assert coins(table) == [5 + 2, 4]
    acts(table, 0, "dig")
    assert coins(table) == [7, 4], "only once"


def test_at_a_verb_that_nobody_does_it_happens_to_each() -> None:
    """Seat 1 digs and has not awaited it. At night nobody digs: seats 0 and 2 have their coin, and it is over."""
    table = tides(3)
    acts(table, 0, "listen", "done")
    acts(table, 1, "dig", "done")
    assert coins(table) == [5, 5, 5]
    acts(table, 2, "listen", "done")
    assert (coins(table), awaited(table, "surf")) == ([5 + 1 + 1, 5, 5 + 1], [0, 0, 0])
    assert table.number("holes") == 2


# ------------------------------------------------------------------ modifiers of fields

REST = dict.fromkeys(("shell", "pearl", "pebble"), of(1, "bag"))


def offered(table: Table) -> list[str]:
    """What can be bought, by its first name and place."""
    return [option.removeprefix("buy:").partition("@")[0] for option in table.options if option.startswith("buy:")]


def test_options_and_effects_read_the_modified_field() -> None:
    """With three coins no conch for four; one cheaper it is offered, and costs three."""
    table = tides().arrange({"beach": ["conch-1", "moon", "pebble"]}, rest=REST, tracks={("coins", 0): 3})
    assert offered(table) == ["moon", "pebble"]
    acts(table, 0, "haggle")
    assert offered(table) == ["conch-1", "moon", "pebble"]
    acts(table, 0, "buy:conch-1@place-1")
    assert coins(table) == [0, 4] and table.cards(of(0, "bag")) == ["conch-1"]
    assert offered(table) == ["pebble"], "a moon has a cost too, which nothing has changed"


def test_why_not_tells_the_modified_value() -> None:
    """Four, then eight with the toll, for who has three coins."""
    table = tides().arrange({"beach": ["conch-1"]}, rest=REST, tracks={("coins", 0): 3})
    reasons = lower_reasons(pack_of(TIDES), 2)
    shown = []
    for option in ("raise", "done"):
        (reason,) = [one for one in left_out(reasons, table.game.state, table.game.knowledge, 0) if one.members]
        assert reason.obstacle is not None
        shown.append([one.values for one in reason.obstacle.compared])
        acts(table, 0, option)
    assert shown == [[("4",), ("3",)], [("8",), ("3",)]]


@pytest.mark.parametrize("order", [("haggle", "raise"), ("raise", "haggle")])
def test_several_apply_in_the_order_of_their_declaration(order: tuple[str, str]) -> None:
    """(4 - 1) * 2 and 2 - 1, whichever was started first: the toll is on conches only."""
    table = tides().arrange(zones={of(0, "bag"): ["conch-1", "whelk"]}, tracks={("coins", 0): 5})
    acts(table, 0, *order, "weigh")
    assert table.number("tally", 0) == 6 + 1


def test_of_any_card_the_field_of_its_own_kind_is_modified() -> None:
    """4 + 2 + 3 + 0. A moon costs as much more as all shells together; a pebble has no cost, so never more."""
    table = tides().arrange(zones={of(0, "bag"): ["conch-1", "whelk", "moon", "pebble"]})
    acts(table, 0, "weigh")
    assert table.number("tally", 0) == 9
    acts(table, 0, "hurry", "weigh")
    assert table.number("tally", 0) == 9 + 6
    acts(table, 0, "haggle", "weigh")
    assert table.number("tally", 0) == (3 + 1) + (3 + 4)


def test_definitions_have_the_modified_field_too() -> None:
    """All shells, a moon, a conch. What the modifier of a moon reads of shells is modified as well."""
    table = tides()
    acts(table, 0, "survey")
    assert table.number("tally", 0) == 100 * (4 + 2) + 10 * 3 + 4
    acts(table, 0, "haggle", "survey")
    assert table.number("tally", 0) == 100 * (3 + 1) + 10 * 3 + 3
    acts(table, 0, "hurry", "survey")
    assert table.number("tally", 0) == 100 * (3 + 1) + 10 * (3 + 4) + 3


def test_truth_values_are_modified_only_where_the_kind_has_them() -> None:
    """Conches are not bright, and are with gleam; a moon and a pebble have no such field. Weights: 1 + 5."""
    table = tides().arrange(zones={of(0, "bag"): ["conch-1", "conch-2", "moon", "pebble"]})
    acts(table, 0, "look")
    assert table.number("tally", 0) == 6
    acts(table, 0, "polish", "look")
    assert table.number("tally", 0) == 200 + 6


def test_a_field_that_differs_from_copy_to_copy() -> None:
    """What is bright weighs ten more each time; with gleam the conch, 5, is bright, and the whelk, 2, is not."""
    table = tides().arrange(zones={of(0, "bag"): ["conch-2", "whelk"]})
    acts(table, 0, "dip", "dip", "look")
    assert table.number("tally", 0) == 100 + 5 + (2 + 20)
    acts(table, 0, "polish", "look")
    assert table.number("tally", 0) == 100 + (5 + 20) + 2


def test_what_is_settled_before_a_game_reads_the_plain_field() -> None:
    """A gale, at five, is not in the game, whatever it would cost later; a breeze costs four, then three."""
    table = tides()
    acts(table, 0, "sniff")
    assert table.number("tally", 0) == 4
    acts(table, 0, "still", "sniff")
    assert table.number("tally", 0) == 3


def test_each_modifier_ends_with_its_moment() -> None:
    """The sale with seat 0's turn, the toll with the phase: 2 * 4 for seat 1, and 4 at night."""
    table = tides().arrange(zones={of(1, "bag"): ["conch-1"]})
    acts(table, 0, "haggle", "raise", "done")
    acts(table, 1, "weigh")
    assert table.number("tally", 1) == 8
    acts(table, 1, "done")
    assert table.number("tally", 1) == 4


# ------------------------------------------------------------------ until the turn ends

PRICE = """
pack: sample
version: 0.1.0
format: 3
players: 2
tracks: {marks: {scope: player}, turns: {of: number}}
---
function: price
gives: number
is: 10
---
modifier: cut
changes: price
is: result - times
---
finish: end
awards: [all]
---
award: all
sum: marks
---
winner: best
among: players
order: [most score]
---
"""
NESTED = """
round: turn
turns-from: first of players
until: turns >= 6
phases: [day]
---
phase: day
steps:
  - id: act
    options:
      cut: start cut until the turn ends
      leave: start cut until the phase ends then end turn
      pass: do nothing
  - id: others
    turns: others
    options:
      cut: start cut until the turn ends
      leave: start cut until the turn ends then end step
      pass: do nothing
  - id: note
    do: |
      marks = price
      turns += 1
"""
ACTS, OTHERS = "day.act.choice", "day.others.choice"
FLAT = """
round: round
until: turns >= 3
phases: [day, night]
---
phase: day
steps:
  - id: act
    turns: players
    options:
      cut: start cut until the turn ends
      leave: start cut until the turn ends then end phase
      pass: do nothing
  - id: queue
    queue: players
    options:
      leave: {do: start cut until the turn ends, then: leave the step}
      pass: {do: do nothing, then: leave the queue}
  - id: note
    do: |
      each p in players: p's marks = price
---
phase: night
steps:
  - id: note
    do: |
      each p in players: p's marks = 100 + price
      turns += 1
"""


@pytest.mark.parametrize(
    ("act", "other", "price"),
    [
        ("cut", "pass", 9),  # somebody else's turn does not end it
        ("cut", "cut", 9),  # nor is what was started there kept
        ("pass", "cut", 10),
        ("pass", "leave", 10),
        ("cut", "leave", 9),
    ],
)
def test_turns_within_a_turn(act: str, other: str, price: int) -> None:
    table = started(PRICE + NESTED)
    table.answer(0, ACTS, act)
    table.answer(1, OTHERS, other)
    assert table.number("marks", 0) == price
    table.answer(1, ACTS, "pass")
    table.answer(0, OTHERS, "pass")
    assert table.number("marks", 1) == 10, "the next turn"


def test_a_turn_that_ends_early_ends_its_phase() -> None:
    table = started(PRICE + NESTED)
    table.answer(0, ACTS, "leave")
    table.answer(1, ACTS, "pass")
    table.answer(0, OTHERS, "pass")
    assert table.number("marks", 1) == 10


def test_a_phase_or_step_that_ends_early_ends_the_turn() -> None:
    table = started(PRICE + FLAT)
    table.answer(0, "day.act.choice", "leave")
    assert table.number("marks", 0) == 110
    table.answer(0, "day.act.choice", "cut")
    table.answer(1, "day.act.choice", "pass")
    told = table.answer(0, "day.queue.choice", "leave")
    assert changes(table, told, "marks") == [10 - 110] * 2 + [110 - 10] * 2, "at the end of the day, and at night"
