"""Changes without which the game is the same: a warning of their own, and only these."""

from __future__ import annotations

import pytest

from ruleset.lower.lowering import lower
from ruleset.pipeline import Loaded
from ruleset.table.canonical import program_hash
from tests.house.strangers import FLIPPED
from tests.house.together import codes, together

WEIGHT = "change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}"
NOTHING = {
    "a value as it is": "change: charm/bell\nset: {cost: 3}",
    "the same effect in other words": "change: charm/bell.play\nset: |\n  draw (1)   # one\n",
    "every, all as they are": "change: every charm where cost is 3\nset: {cost: 3}",
    "a field that has its default": f"change: charm/bell\nset: {{weight: 1}}\n---\n{WEIGHT}",
    "a field without which it has its default": (
        f"change: charm/owl\nremove: [weight]\n---\n{WEIGHT}\n---\ncharm: owl\ncost: 1\nweight: 1"
    ),
    "a part before the whole": (
        "change: value/hand-size\nset: {by-players.2: 9}\n---\nchange: value/hand-size\nset: 5"
    ),
    "what is put before a step and never happens": (
        "change: step/market.buy\nbefore: {id: alms, when: rounds > 5 and rounds < 3, do: rounds += 1}"
    ),
    "sentences that never happen": "change: verb/draw\nafter: |\n  if false: rounds += 1",
    "a hook that never happens": "hook: alms\nafter: verb/draw\nwhen: rounds > 5 and rounds < 3\ndo: rounds += 1",
}
SOMETHING = {
    "another value": "change: charm/bell\nset: {cost: 4}",
    "every, one of them other": "change: every charm where cost < 4\nset: {cost: 3}",
    "as it is, and written so": "change: charm/bell\nset: {cost: {was: 3, to: 3}}",
    "a place to begin": "change: verb/draw\naround: proceed",
    "another place to begin": "change: verb/draw\nafter: do nothing",
    "a condition that can hold": "change: verb/draw\nafter: |\n  if rounds > 5: rounds += 1",
}


def game(loaded: Loaded) -> list[str]:
    """The games for all numbers of players."""
    program = loaded.program
    assert program is not None
    players = range(program.least_players, program.most_players + 1)
    return [program_hash(lower(program, seats)) for seats in players]


@pytest.mark.parametrize("case", NOTHING)
def test_no_difference(case: str) -> None:
    found = together(fog=NOTHING[case])
    assert codes(found) == ["RW639"]
    if "happens" not in case and "happen" not in case:  # code that is never reached is still written down
        assert game(found) == game(together(fog=NOTHING[case].partition("---\n")[2]))


@pytest.mark.parametrize("case", SOMETHING)
def test_a_difference(case: str) -> None:
    assert codes(together(fog=SOMETHING[case])) == []


def test_strangers_that_agree() -> None:
    """Each of two may set the same: alone it would make a difference."""
    same = "change: charm/bell\nset: {cost: 4}"
    for names in ({}, FLIPPED):
        assert codes(together(**{names.get(name, name): same for name in ("fog", "rain")})) == []
    assert codes(together(fog=same, rain=f"after: [fog]\n...\n{same}")) == []
    assert codes(together(fog=same, rain=f'requires: {{fog: "*"}}\n...\n{same}')) == ["RW639"]


def test_overruled_later() -> None:
    """Who comes later may say something else, and set it back."""
    first = "change: charm/bell\nset: {cost: 4}"
    assert codes(together(fog=first, rain="after: [fog]\n...\nchange: charm/bell\nset: {cost: 5}")) == []
    back = 'requires: {fog: "*"}\n...\nchange: charm/bell\nset: {cost: 3}'
    assert codes(together(fog=first, rain=back)) == []


def test_nothing_reads_it() -> None:
    """A value of the game that no rule of it speaks of any more."""
    plain = "values: {spare: 3}"
    change = 'requires: {fog: "*"}\n...\nchange: value/spare\nset: 4'
    assert codes(together(fog=plain, rain=change)) == ["RW639"]
    read = f"{plain}\n---\nchange: verb/draw\nafter: rounds += spare"
    assert codes(together(fog=read, rain=change)) == []
