"""Ranges, places, lists of values, and lists that keep what is added twice."""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.rule_errors import RuleError
from tests.small_packs import Course

PACK = Course(
    """\
pack: numbers
players: 2
enumerations: {moon: [new, half, full]}
values:
  crew: [2, 3, 5, 3]
  pay: {by-players: {2: [7, 8], default: [1]}}
  ceiling: 3
kinds: {toy: {fields: {price: 0 to 9, phases: {type: list of moon}}}}
components: {toys: {kind: toy, copies: 1, starts: shelf}}
zones: {shelf: {order: row}}
lists:
  rolled: {of: number, repeats: true, at-most: 4}
  apart: {of: number}
  moons: {of: moon, repeats: true, at-most: 3}
tracks:
  sum: number
  rounds: number
  coins: {scope: player, starts: 5, at-least: 0, at-most: 40}
  bid: {at-least: 0, at-most: 40}
  far: {starts: 70}
---
toy: kite
price: 2
phases: [full, new]
name: Kite
---
toy: drum
price: 3
phases: [half]
name: Drum
""",
    until="rounds > 2",
)


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("each n in 1 to 3: sum += n", 6),
        ("each n in 0 - 2 to 1: sum += n", -2),
        ("each n in ceiling + 1 to ceiling: sum += 1", 0),
        ("each n in far to 72 where it mod 2 is 0: sum += n", 142),
        ("let some = (2 to ceiling + 1)\nsum = count(some) * 10 + last of some", 34),
        ("sum = highest it over (far - 1 to far + 5)", 75),
        ("if 3 in (1 to ceiling) and 4 not in (1 to ceiling): sum = 1", 1),
        ("if any n in (1 to ceiling) where n * n is 9: sum = 1", 1),
        ("sum = crew[3] * 10 + crew[ceiling + 1]", 53),
        ("sum = count(crew where it is 3) * 10 + count(crew)", 24),
        ("sum = first of crew + last of pay", 10),
        ("sum = pay[2] * 10 + count(pay)", 82),
        ("if shelf[2] is drum and shelf[3] is none and kite's phases[2] is new: sum = 1", 1),
        ("sum = players[2]'s coins + count(players where it is players[1])", 6),
    ],
)
def test_numbers_in_lists(effect: str, expected: int) -> None:
    assert PACK.started(effect).number("sum") == expected


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("sum = count(rolled) * 100 + count(rolled where it is 3)", 302),
        ("sum = rolled[1] * 100 + rolled[2] * 10 + rolled[3]", 353),
        ("remove 3 from rolled\nsum = rolled[1] * 10 + rolled[2]", 53),
        ("apart = rolled\nsum = count(apart)", 2),
        ("rolled = (1 to 4)\nsum = total it over rolled", 10),
        ("add half to moons\nadd half to moons\nsum = count(moons)", 2),
        ("add 0 - 1 to rolled\nsum = last of rolled", -1),
        ("rolled = none\nadd 0 - 1 to rolled\nsum = first of rolled + rolled[1]", -2),
    ],
)
def test_a_list_that_repeats(effect: str, expected: int) -> None:
    begin = f"add 3 to rolled\nadd 5 to rolled\nadd 3 to rolled\n{effect}"
    assert PACK.started(begin).number("sum") == expected


@pytest.mark.parametrize(
    ("effect", "code"),
    [
        ("rolled = (1 to 4)\nadd 4 to rolled", "full"),
        ("rolled = (1 to far)", "full"),
        ("apart = (1 to far)", "full"),
        ("each n in 1 to far + 131: sum += n", "full"),
        ("sum = rolled[1]", "absent"),
        ("sum = first of rolled", "absent"),
        ("sum = crew[far]", "absent"),
        ("sum = crew[ceiling - 3]", "absent"),
    ],
)
def test_rule_errors_of_lists(effect: str, code: str) -> None:
    with pytest.raises(RuleError) as fault:
        PACK.started(effect)
    assert fault.value.code == code


def test_a_player_chooses_a_number() -> None:
    act = "do: |\n  choose 1 number from 1 to coins where it mod 2 is 1 as paid\n  coins -= paid\n  rounds += 1"
    table = PACK.started(act=act)
    assert [one.key for one in table.decision.options] == ["1", "3", "5"]
    table.answer(0, "turn.act.paid", "3")
    assert table.number("coins", 0) == 2


def test_options_are_offered_for_each_number() -> None:
    act = "options:\n  raise:\n    each: {n: bid + 1 to coins}\n    do: bid = n\n  leave: {do: rounds += 1}"
    table = PACK.started(act=act)
    assert [one.key for one in table.decision.options] == [*(f"raise:{n}" for n in range(1, 6)), "leave"]
    table.answer(0, "turn.act.choice", "raise:4")
    assert [one.key for one in table.decision.options] == ["raise:5", "leave"]


def test_numbers_above_63_and_two_numbers_in_one_option() -> None:
    take = "take: {each: {a: rolled, b: far to far + 1}, do: sum = a * 1000 + b}"
    act = f"options:\n  {take}\n  leave: {{do: rounds += 1}}"
    table = PACK.started("add 80 to rolled\nadd 9 to rolled\nadd 80 to rolled", act)
    offered = ["take:80,70", "take:80,71", "take:9,70", "take:9,71", "leave"]
    assert [(one.key, one.count) for one in table.decision.options] == [(key, 1) for key in offered]
    table.answer(0, "turn.act.choice", "take:80,71")
    assert table.number("sum") == 80_071


def test_an_option_offers_no_negative_number() -> None:
    act = "options:\n  take: {each: {a: rolled}, do: sum = a}\n  leave: {do: rounds += 1}"
    with pytest.raises(RuleError) as fault:
        PACK.started("add 0 - 4 to rolled", act)
    assert fault.value.code == "full"


def test_a_list_that_repeats_offers_each_member_once() -> None:
    act = "do: |\n  choose up to 2 numbers from rolled as kept\n  rolled = kept\n  rounds += 1"
    table = PACK.started("rolled = crew", act)
    assert [(one.key, one.count) for one in table.decision.options] == [("2", 1), ("3", 1), ("5", 1)]
    table.answer(0, "turn.act.kept", "3", "5")
    assert [one.key for one in table.decision.options] == ["3", "5"]
