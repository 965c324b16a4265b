"""Hooks on movement: once after each sentence that moves cards between the zones that they name.

Expected values come from the little pack below, by hand. `gone` counts the gems that leave a purse for the pit, and
`worth` adds their weights where these are more than 1; `drawn` counts what is drawn from the deck to a purse.
"""

from __future__ import annotations

import pytest

from tests.house.together import codes, together
from tests.positions import Table, of
from tests.small_packs import findings, lowered, started

PACK = """\
pack: pit
players: 2
kinds: {gem: {fields: {weight: 0 to 9}}}
components: {gems: {kind: gem, copies: 3, starts: deck, home: deck}}
zones:
  deck: {order: pile, refill: {from: pit, when: needed}}
  shelf: {order: row}
  purse: {scope: player, order: row}
  safe: {scope: player, order: row}
  pit: {order: pile}
tracks:
  gone: {scope: player}
  worth: {scope: player}
  drawn: {scope: player}
  homed: number
  own: number
  times: number
  rounds: number
lists: {late: {of: card}}
---
gem: ruby
weight: 3
---
gem: opal
weight: 1
---
hook: gone
after: move
from: purse
to: pit
do: |
  gone += count(moved)
  times += 1
---
hook: worth
after: move
from: purse
to: [pit, shelf]
where: weight > 1
do: worth += total weight over moved
---
hook: drawn
after: move
from: deck
to: purse
when: count(moved) > 1
do: |
  drawn += count(moved)
  if drawn > 4: stop
  each c in moved: add c to late
---
hook: homed
after: move
to: deck
do: homed += count(moved)
---
hook: own
after: move
to: safe
do: |
  own += count(moved)
  move top of deck to your safe
---
verb: draw(s) <n>
do: move top n of deck to purse
---
verb: put(s) <what card> into <where zone>
do: move what to where
---
setup: begin
steps:
  - id: deal
    do: |
      each p in players: p draws 2
      each p in players:
        move first of p's purse to pit
        move pit to p's purse
---
round: turn
turns-from: first of players
until: rounds >= 9
steps:
  - id: act
    options:
      all: move purse to pit
      one: move first of purse to pit
      two: move cards in purse where weight > 1 to pit
      some: move 2 gems from purse to pit
      shelve: move purse to shelf
      inside: move first of purse to purse
      draw: draw 3
      draw-one: draw 1
      home: move purse to home
      keep: move first of purse to safe
      zone-pit: put (first of purse) into pit
      zone-shelf: put (first of purse) into shelf
      other: |
        each p in others: p draws 2
      away: |
        each p in others: move p's purse to pit
      none: move first of shelf to pit
      they: |
        each p in others: p moves first of p's purse to pit
  - id: count
    do: rounds += 1
---
finish: end
awards: [clear]
---
award: clear
sum: count(pit)
---
winner: one
among: players
"""
ACT = "turn.act.choice"


@pytest.fixture
def table() -> Table:
    """Seat 0's turn; both have a ruby and an opal, the deck holds two gems, and no card is elsewhere."""
    table = started(PACK)
    so_far = [numbers(table, name) for name in ("gone", "worth", "drawn")]
    assert so_far == [[0, 0]] * 3, "the set-up does not count"
    zones = {of(seat, "purse"): ["ruby", "opal"] for seat in range(2)}
    return table.arrange(zones={**zones, "deck": ["ruby", "opal"], "pit": [], "shelf": []})


def numbers(table: Table, track: str) -> list[int]:
    return [table.number(track, seat) for seat in range(2)]


def test_once_for_each_sentence(table: Table) -> None:
    """Two gems leave in one sentence; of these only the ruby weighs more than 1."""
    table.answer(0, ACT, "all")
    assert (numbers(table, "gone"), numbers(table, "worth"), table.number("times")) == ([2, 0], [3, 0], 1)


@pytest.mark.parametrize(("option", "gone", "worth"), [
    ("one", 1, 3), ("two", 1, 3), ("some", 2, 3), ("shelve", 0, 3), ("inside", 0, 0),
    ("zone-pit", 1, 3), ("zone-shelf", 0, 3), ("none", 0, 0),
])  # fmt: skip
def test_each_form_of_the_sentence(table: Table, option: str, gone: int, worth: int) -> None:
    """The first gem in a purse is the ruby. A parameter that holds a zone is compared in play."""
    table.answer(0, ACT, option)
    assert (numbers(table, "gone"), numbers(table, "worth")) == ([gone, 0], [worth, 0])
    assert table.number("times") == int(gone > 0)


def test_drawn_cards(table: Table) -> None:
    """Two of the deck and, since the pit is empty, no third; one card alone is not enough for `when`."""
    table.answer(0, ACT, "draw-one")
    assert numbers(table, "drawn") == [0, 0]
    table.answer(1, ACT, "all")
    table.answer(0, ACT, "draw")
    assert numbers(table, "drawn") == [3, 0], "one of the deck, and two of the refilled pit"
    assert numbers(table, "gone") == [0, 2]


def test_the_subject_is_you(table: Table) -> None:
    """Seat 0 lets seat 1 draw, and then throws away what seat 1 has: `you` is who the sentence is about."""
    table.answer(0, ACT, "other")
    assert numbers(table, "drawn") == [0, 2]
    table.answer(1, ACT, "inside")
    table.answer(0, ACT, "away")
    assert numbers(table, "gone") == [4, 0], "seat 0 is the subject of `move p's purse to pit`"
    table.answer(1, ACT, "they")
    assert numbers(table, "gone") == [5, 0], "seat 0 moves its own gem in seat 1's turn"


def test_cards_that_go_home(table: Table) -> None:
    table.answer(0, ACT, "home")
    assert (table.number("homed"), numbers(table, "gone")) == (2, [0, 0])
    assert len(table.cards("deck")) == 4


def test_its_own_moves_do_not_set_it_off(table: Table) -> None:
    """One gem is kept, and the hook moves a second one there."""
    table.answer(0, ACT, "keep")
    assert table.number("own") == 1
    assert len(table.cards(of(0, "safe"))) == 2
    table.answer(1, ACT, "keep")
    assert table.number("own") == 2, "it applies again afterwards"


CHAIN = (
    PACK[: PACK.index("hook: gone")]
    + """\
hook: chain
after: move
from: purse
to: pit
do: |
  times += 1
  throw 1
  worth += count(moved)
---
verb: throw(s) <n>
do: |
  choose n gems from purse as thrown
  move thrown to pit
"""
    + PACK[PACK.index("---\nverb: draw(s)") :].replace("one: move first of purse to pit", "one: throw 1")
)


def test_not_even_through_a_verb_that_asks() -> None:
    """Three gems: one is thrown away, and the hook has a second one thrown away, once."""
    table = started(CHAIN)
    table = table.arrange(zones={of(0, "purse"): ["ruby", "opal", "opal"]}, rest={"gem": "deck"})
    table.answer(0, ACT, "one")
    table.answer(0, "throw.thrown", "ruby@place-1")
    assert table.asked == [(0, "throw.thrown")]
    table.answer(0, "throw.thrown", table.options[0])
    assert table.asked == [(1, ACT)]
    assert (table.number("times"), len(table.cards("pit")), table.number("worth", 0)) == (1, 2, 1)
    assert len(table.cards(of(0, "purse"))) == 1


def test_an_endless_chain_is_an_error() -> None:
    """If nobody is asked on the way, a verb that moves such cards calls the hook that calls it."""
    text = CHAIN.replace("choose n gems from purse as thrown", "let thrown = first of purse")
    assert [finding.code for finding in findings(text)] == ["RW502"]


EARLY = (
    PACK[: PACK.index("hook: gone")]
    + """\
hook: guard
before: move
from: purse
to: [pit, deck]
where: weight > 1
do: |
  gone += count(moved)
  move moved to safe
---
hook: seen
before: move
from: deck
to: purse
do: |
  drawn += count(moved)
  worth += total weight over moved
---
hook: late
after: move
from: purse
to: pit
do: times += count(moved)
"""
    + PACK[PACK.index("---\nverb: draw(s)") :]
)


def test_before_cards_move() -> None:
    """The ruby of seat 0 goes into the safe instead, so only the opal arrives in the pit.

    Then seat 1 draws three: two of the deck (3 + 1), and the opal of the pit, with which the deck is refilled.
    """
    table = started(EARLY)
    zones = {of(seat, "purse"): ["ruby", "opal"] for seat in range(2)}
    table = table.arrange(zones={**zones, "deck": ["ruby", "opal"], "pit": [], "shelf": []})
    table.answer(0, ACT, "all")
    assert (table.cards(of(0, "safe")), table.cards("pit")) == (["ruby"], ["opal"])
    assert (numbers(table, "gone"), table.number("times")) == ([1, 0], 1)
    table.answer(1, ACT, "draw")
    assert (numbers(table, "drawn"), numbers(table, "worth")) == ([0, 3], [0, 3 + 1 + 1])
    assert len(table.cards(of(1, "purse"))) == 2 + 3
    table.answer(0, ACT, "none")
    table.answer(1, ACT, "home")
    assert len(table.cards(of(1, "safe"))) == 2
    assert numbers(table, "gone") == [1, 2]


def test_nothing_is_spent_on_it_elsewhere() -> None:
    """Without hooks on movement there are no tracks for them."""
    text = PACK[: PACK.index("hook: gone")] + PACK[PACK.index("verb: draw(s)") :]
    program = lowered(text)
    assert not [track.key for track in program.tracks if track.key.startswith("hook/")]


# ------------------------------------------------------------------ house rules

def test_two_packs_at_one_sentence() -> None:
    """The order of two packs matters only where one sentence sets off both of their hooks."""
    fog = "hook: fog\nafter: move\nfrom: hand\nto: discard\ndo: coins += 1"
    assert codes(together(fog=fog, rain="hook: rain\nafter: move\nto: discard\ndo: coins = 0")) == ["RW626"]
    assert codes(together(fog=fog, rain="hook: rain\nafter: move\nfrom: deck\nto: hand\ndo: coins = 0")) == []
    assert codes(together(fog=fog, rain="hook: rain\nafter: move\nto: discard\ndo: rounds += 1")) == []


@pytest.mark.parametrize("rest", ["do: do nothing", "do: coins += 0", "when: rounds < rounds\ndo: draw 1"])
def test_a_hook_without_effect(rest: str) -> None:
    assert codes(together(fog=f"hook: fog\nafter: move\nfrom: hand\nto: discard\n{rest}")) == ["RW639"]
