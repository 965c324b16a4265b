"""Values that may be none: either a rule error or nothing happens, alike on all backends.

None is -1. Used as an index it would name the last member, or the cell before the first. The walker raises
IndexError for such an index. Expected results come from `docs/reference/language.md` and
`docs/reference/rule-errors.md`.
"""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import read_list
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import TableProgram
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.small_packs import findings, lowered, pack_in

PACK = """\
pack: nobody
version: 0.1.0
format: 3
name: {en: Nobody}
players: 2 to 3
languages: [en]
enumerations: {colour: [red, green, blue]}
kinds:
  fruit: {expressions: {worth: {type: number, default: 0}}, effects: {ripen: {takes: {}}}}
  stone: {}
  meadow: {cards: false}
components:
  stones: {kind: stone, copies: 2, starts: quarry}
  fruits: {kind: fruit, copies: 2, starts: barn, home: cellar}
zones:
  barn: {order: pile, seen-by: all}
  cellar: {order: pile, seen-by: all}
  quarry: {order: pile, seen-by: all}
  empty: {order: pile, seen-by: all}
  basket: {scope: player, order: bag, seen-by: owner}
tracks:
  coins: {scope: player, starts: 5}
  hues: {scope: colour}
  leader: {of: player}
  shade: {of: colour}
  tokens: {scope: meadow, of: number}
  charm: {of: meadow}
  sum: {of: number}
  flag: {of: boolean}
  lap: {of: number}
lists:
  band: {of: player}
  sizes: {of: number}
  flags: {of: boolean}
  marked: {of: card}
  tints: {of: colour}
---
fruit: apple
worth: 1
ripen: coins += 1
---
fruit: quince
worth: your coins
ripen: do nothing
---
stone: pebble
---
meadow: lea
---
verb: earn(s) <n>
do: coins += n
---
winner: all
among: players
---
"""
LAPS = 2


def table_of(text: str) -> TableProgram:
    """The pack with some more documents, for two players."""
    return lowered(PACK + text)


def turns(effect: str, first: str = "first of players", more: str = "") -> str:
    """A game of two turns in which somebody does this."""
    steps = indent(dedent(effect).strip() + "\nlap += 1", " " * 6)
    head = f"round: day\nturns-from: {first}\nuntil: lap >= {LAPS}\n"
    return f"{more}{head}steps:\n  - id: work\n    do: |\n{steps}\n"


def step(steps: str) -> str:
    """A game of two rounds, which begin with a leader who is nobody and is put among the band."""
    effect = "add leader to band\n(first of players)'s coins += 1\nlap += 1\n"
    return f"round: day\nuntil: lap >= {LAPS}\nsteps:\n  - id: join\n    do: |\n{indent(effect, ' ' * 6)}{steps}"


COMPARED = """
  - id: richest
    compare: one
    among: players
    by: one's coins
    {}
    then: some's coins += 3
"""
WINDOW = "window: glance\ntakes: {seen: player}\nasks: players\noptions: {look: seen's coins += 1}\n---\n"

ABSENT = {
    "a round begins with nobody": turns("earn 1", "leader"),
    "nobody leaves the game": turns("eliminate leader"),
    "cards are shown to nobody": turns("reveal barn to leader"),
    "nobody looks at cards": turns("leader looks at barn"),
    "the cards of nobody are shown": turns("reveal leader's basket"),
    "nobody may do something": turns("leader may rest: coins += 1"),
    "nobody chooses one": turns("leader chooses one:\n  more: coins += 1\n  less: coins -= 1"),
    "nobody chooses cards": turns("leader chooses 1 card from barn as one\nmove one to basket"),
    "nobody does a verb": turns("leader earns 1"),
    "no member of an enumeration is kept": turns("shade = first of tints\nhues[shade] += 1"),
    "no boolean is kept": turns("flag = first of flags"),
    "no boolean decides": turns("if first of flags: coins += 1"),
    "no number is added": turns("sum += first of sizes"),
    "no number is chosen": turns("choose 1 number from sizes as size\nsum += size"),
    "a function gives no member of an enumeration": turns(
        "hues[tint] += 1", more="function: tint\ngives: colour\nis: first of tints\n---\n"
    ),
    "a function gives nobody": turns(
        "who's coins += 1", more="function: who\ngives: player\nis: first of band\n---\n"
    ),
    "a track of no definition": turns("tokens[charm] += 1"),
    "a verb is given nobody": turns(
        "bless leader", more="verb: bless(es) <who player>\ndo: who's coins += 1\n---\n"
    ),
    "a window is given nobody": turns("open glance with seen = leader", more=WINDOW),
    "the next of nobody, where nobody is left": turns(
        "each one in players: eliminate one\n(next(leader))'s coins += 1"
    ),
    "cards go to the home of cards that have none": turns(
        "let there = (top of quarry)'s home\nmove top of barn to there"
    ),
    "cards at the home of cards that have none": turns("sum += count((top of quarry)'s home)"),
    "an order has none of those who tie": step(COMPARED.format("most: {as: some, tie: {first-in: band}}")),
    "nobody decides a tie": step(COMPARED.format("most: {as: some, tie: {chosen-by: leader}}")),
}
"""What is rule error `absent`."""


@pytest.mark.slow
@pytest.mark.parametrize("what", ABSENT)
def test_nobody_is_a_rule_error(what: str) -> None:
    table = table_of(ABSENT[what])
    assert lockstep(table, 1, 1, limit=60).errors == {"absent": 1}
    assert same_many(table, 1, 1) == {"absent": 1}


NOTHING = {
    "nobody is in a list": turns("add leader to band\neach one in band: one's coins += 1\nsum += count(band)"),
    "no card is in a list": turns("add (top of empty) to marked\nsum += count(marked)"),
    "no colour is in a list": turns("add (first of tints) to tints\neach tint in tints: hues[tint] += 1"),
    "nobody is removed": turns("remove leader from band\nsum += count(band)"),
    "no card is moved or shown": turns("move top of empty to basket\nreveal top of empty to you"),
    "turns of a band of nobody": step("  - id: play\n    turns: band\n    do: sum += 1\n"),
    "a queue of nobody": step("  - id: play\n    queue: band\n    options: {more: sum += 1, less: sum -= 1}\n"),
    "a choice of nobody": step(
        "  - id: play\n    together: band\n    choose: {one: {number: 1, from: barn}}\n    do: sum += 1\n"
    ),
}
"""What does nothing: the sum stays 0."""


@pytest.mark.parametrize("what", NOTHING)
def test_nobody_does_nothing(what: str) -> None:
    table = table_of(NOTHING[what])
    tally = lockstep(table, 1, 1, limit=60)
    assert (tally.errors, tally.ended) == ({}, 1)
    walker = Walker(table)
    state = walker.start(1)
    walker.run(state)
    (sum_,) = (one for one in table.tracks if one.key == "sum")
    assert state[sum_.address] == 0
    assert all(read_list(state, one.address) == [] for one in table.state_lists if one.key in ("band", "tints"))


def test_what_is_never_there_needs_somebody() -> None:
    """The worth of a quince is somebody's coins: in a set-up there is nobody whose they are."""
    setup = "setup: start\nsteps:\n  - id: count\n    do: sum += total worth over barn\n---\n"
    (error,) = findings(PACK + setup + turns("earn 1"))
    assert error.code == "RW422" and "needs an acting player" in error.message
    where = (PACK + setup).splitlines()[error.span.line - 1]
    assert where[error.span.column - 1 :].startswith("worth over")
    assert not findings(PACK + turns("sum += total worth over barn"))


def test_who_leaves_the_game_is_told_though_somebody_else_is_the_first_then() -> None:
    table = table_of(turns("if lap is 0: eliminate first of players"))
    walker, events = Walker(table), list[RawEvent]()
    state = walker.start(1)
    walker.run(state, events)
    assert [numbers for kind, numbers, *_ in events if kind == "eliminated"] == [(0,)]


def test_a_definition_has_the_home_of_its_cards() -> None:
    """Home of both fruits is the cellar; the two apples are the only cards of that definition."""
    table = table_of(turns("let there = apple's home\nif lap is 0: move top of quarry to there"))
    walker = Walker(table)
    state = walker.start(1)
    walker.run(state)
    cellar = next(zone for zone in table.zones if zone.key == "cellar")
    assert [table.cards[card].definition for card in read_list(state, cellar.address)] == ["pebble"]


@pytest.mark.parametrize(
    "effect",
    [
        "move quarry to home",
        "move (cards in quarry) to home",
        "each one in quarry: move one to home",
        "if lap is 0: move top of barn to quarry\nmove quarry to home",
    ],
)
def test_a_card_without_a_home_stays(effect: str) -> None:
    """Only fruits have a home, the cellar; both pebbles stay in the quarry."""
    table = table_of(turns(effect))
    assert lockstep(table, 1, 1, limit=60).errors == {}
    walker = Walker(table)
    state = walker.start(1)
    walker.run(state)
    quarry = next(zone for zone in table.zones if zone.key == "quarry")
    assert [table.cards[card].definition for card in read_list(state, quarry.address)] == ["pebble", "pebble"]


# ------------------------------------------------------------------ the first player of a round

def checks(text: str) -> int:
    """How many checks there are in the course of the game."""
    nodes = (node for statement in pack_in(PACK + text).main.body for node in everything(statement))
    return sum(isinstance(node, t.Present) for node in nodes)


def beginning(do: str) -> str:
    """A game whose set-up does this; a round begins with the leader."""
    steps = indent(dedent(do).strip(), " " * 6)
    return f"setup: start\nsteps:\n  - id: begin\n    do: |\n{steps}\n---\n" + turns("earn 1", "leader")


@pytest.mark.parametrize(
    "text",
    [
        turns("earn 1"),
        turns("eliminate you"),
        turns("earn 1", "last of all-players"),
        turns("earn 1", "first of clockwise(first of players)"),
        beginning("leader = first of players"),
        beginning("pick 1 player from players at random as one\nleader = one"),
        beginning("leader = first of players\neach one in players: one earns 1"),
    ],
)
def test_who_is_surely_there_is_not_checked(text: str) -> None:
    assert checks(text) == 0
    assert lockstep(table_of(text), 1, 1, limit=60).errors == {}


OUSTED = "verb: oust(s)\ndo: leader = none\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        turns("earn 1", "leader"),
        turns("earn 1", "first of band"),
        beginning("leader = first of band"),
        beginning("leader = first of players\nleader = none"),
        beginning("if sum > 0: leader = first of players"),
        beginning("leader = first of players\nif sum is 0: leader = none"),
        OUSTED + beginning("leader = first of players\neach one in players: one ousts"),
        beginning("each one in players: eliminate one\nleader = first of players"),
        beginning("repeat while sum is 0:\n  sum += 1\n  if sum is 1: stop\n  leader = first of players"),
    ],
)
def test_who_may_be_nobody_is_checked(text: str) -> None:
    assert checks(text) == 1
    assert lockstep(table_of(text), 1, 1, limit=60).errors == {"absent": 1}


def test_the_check_names_the_round() -> None:
    table = table_of(turns("earn 1", "leader"))
    (check,) = (node for node in everything(table.segments[table.entry].tree) if isinstance(node, t.Present))
    assert table.sources[check.at].name == "round/day"
    assert not any(isinstance(node, p.Var) for node in everything(check))
