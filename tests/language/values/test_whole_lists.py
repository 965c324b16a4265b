"""Sums of lists and of single things, and comparisons of whole lists."""

from __future__ import annotations

import pytest

from tests.small_packs import Course

PACK = Course(
    """\
pack: sums
players: 3
enumerations: {moon: [new, half, full]}
values:
  crew: [2, 3, 5]
kinds: {toy: {fields: {phases: {type: list of moon}, friend: {type: toy, default: none}}}}
components: {toys: {kind: toy, copies: 2, starts: shelf}}
zones:
  shelf: {order: row}
  chest: {order: bag}
  crate: {order: bag}
  stack: {order: pile}
lists:
  arrivals: {of: player}
  rolled: {of: number, repeats: true, at-most: 6}
  moons: {of: moon}
  pairs: {of: toy}
tracks:
  sum: number
  rounds: number
  starter: {of: player}
---
toy: kite
phases: [full, new]
friend: drum
---
toy: drum
phases: [half]
""",
    seats=3,
)
PLAYERS = "let ann = players[1]\nlet ben = players[2]\nlet cam = players[3]\n"


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("sum = count(ann + ben + ann)", 3),
        ("arrivals = ann + ben + ann\nsum = count(arrivals)", 2),
        ("arrivals = cam + starter\nsum = count(arrivals)", 1),
        ("starter = ben\narrivals = cam + starter\nif arrivals[2] is ben: sum = count(arrivals)", 2),
        ("sum = count(starter + none) * 10 + count(none + ben)", 1),
        ("arrivals = starter + players + none\nsum = count(arrivals)", 3),
        ("moons = half + new\nif moons[1] is half and moons[2] is new: sum = count(moons)", 2),
        ("moons = (moon where it is not half) + half\nif last of moons is half: sum = count(moons)", 3),
        ("let both = kite + drum\nsum = count(both where friend is not none)", 1),
        ("let first-card = shelf[2]\nsum = count(first-card + shelf) + count(shelf + first-card) * 10", 55),
        ("let cards = shelf[1] + top of stack + shelf[3]\nmove cards to stack\nsum = count(stack)", 2),
        ("sum = count(rolled + crew) + (first of crew + 4)", 9),
    ],
)
def test_sums(effect: str, expected: int) -> None:
    assert PACK.started(PLAYERS + effect).number("sum") == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("arrivals is cam + ben", True),
        ("arrivals is ben + cam", False),
        ("arrivals is not ben + cam", True),
        ("arrivals is none", False),
        ("none is moons", True),
        ("arrivals + ann is cam + ben + ann", True),
        ("arrivals is cam + ben + none", True),
        ("players is all-players", True),
        ("crew is (2 to 5)", False),
        ("(crew where it > 2) is rolled", True),
        ("(1 to 3) is (1 to count(players))", True),
        ("kite's phases is full + new", True),
        ("kite's phases is new + full", False),
        ("shelf is kite + drum + drum", True),
        ("shelf is drum + kite + drum", False),
        ("chest is kite + none", True),
        ("chest is shelf", False),
        ("crate is stack", True),
        ("crate is none and stack is not shelf", True),
        ("(first of shelf + last of shelf) is (last of shelf + first of shelf)", False),
        ("chest + shelf is kite + kite + drum + drum", True),
        ("shelf + chest is kite + drum + drum + kite", True),
    ],
)
def test_whole_lists_are_compared(condition: str, expected: bool) -> None:
    begin = (
        PLAYERS
        + "add cam to arrivals\nadd ben to arrivals\nrolled = crew where it > 2\nmove first of shelf to chest\n"
        + f"if {condition}: sum = 1"
    )
    assert PACK.started(begin).number("sum") == int(expected)


def test_the_order_of_a_bag_does_not_matter() -> None:
    begin = (
        "let two = shelf[4] + shelf[1]\nmove two to chest\nif chest is two: sum += 1\n"
        "if chest is drum + kite and chest is kite + drum: sum += 2\n"
        "if chest is not drum + drum: sum += 4\nmove chest to crate\nif crate is two and chest is not two: sum += 8"
    )
    assert PACK.started(begin).number("sum") == 15


def test_a_player_in_a_sum_twice_is_offered_once() -> None:
    act = "do: |\n  choose 1 player from others + you + starter as chosen\n  starter = chosen\n  rounds += 1"
    table = PACK.started(PLAYERS + "starter = ben", act)
    assert sorted((one.key, one.count) for one in table.decision.options) == [(f"seat-{n}", 1) for n in (1, 2, 3)]


def test_an_option_under_a_comparison() -> None:
    act = (
        "options:\n  join:\n    when: arrivals is not you + next(you)\n"
        "    do: arrivals = you + next(you)\n  leave: rounds += 1"
    )
    table = PACK.started("do nothing", act)
    assert [one.key for one in table.decision.options] == ["join", "leave"]
    table.answer(0, "turn.act.choice", "join")
    assert len(table.decision.options) == 2 and table.decision.seat == 1
