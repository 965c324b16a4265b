"""Members of enumerations: tracks that may hold none, and the next and previous member."""

from __future__ import annotations

import pytest

from rulewright.interpreter.state.rule_errors import RuleError
from tests.small_packs import Course

PACK = Course(
    """\
pack: members
players: 2
enumerations: {colour: [red, green, blue], direction: [north, east, south, west]}
kinds: {ware: {cards: false, fields: {price: 0 to 9}}}
tracks:
  trump: {of: colour, starts: none}
  plain: {of: colour}
  wind: {of: direction}
  best: {of: ware}
  light: {scope: colour, starts: 1}
  sum: number
  rounds: number
---
ware: salt
price: 1
name: Salt
---
ware: silk
price: 2
name: Silk
---
ware: gold
when: count(all-players) > 2
price: 3
name: Gold
""",
    until="rounds > 1",
)


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("if trump is none: sum = 1", 1),
        ("if trump is not none: sum = 1", 0),
        ("if trump is red: sum = 1", 0),
        ("trump = green\nif trump is not none and trump is green: sum = 1", 1),
        ("trump = green\ntrump = none\nif trump is none: sum = 1", 1),
        ("if plain is red: sum = 1", 1),
        ("wind = next(wind)\nif wind is east: sum = 1", 1),
        ("wind = previous(wind)\nif wind is west: sum = 1", 1),
        ("wind = west\nwind = next(next(wind))\nif wind is east: sum = 1", 1),
        ("wind = previous(previous(south))\nif wind is north: sum = 1", 1),
        ("best = next(salt)\nsum = best's price", 2),
        ("best = next(silk)\nsum = best's price", 1),
        ("best = previous(salt)\nsum = best's price", 2),
    ],
)
def test_members(effect: str, expected: int) -> None:
    assert PACK.started(effect).number("sum") == expected


@pytest.mark.parametrize("effect", ["trump = next(trump)", "light[trump] += 1", "plain = trump"])
def test_none_is_a_rule_error_where_a_member_is_needed(effect: str) -> None:
    with pytest.raises(RuleError) as error:
        PACK.started(effect)
    assert error.value.code == "absent"


def test_a_player_may_choose_no_member() -> None:
    act = (
        "do: |\n  choose up to 1 colour from colour as wanted\n  trump = wanted\n"
        "  if wanted is none: sum += 10\n  if trump is blue: light[trump] += 1\n  rounds += 1"
    )
    table = PACK.started(act=act)
    table.answer(0, "turn.act.wanted")
    assert table.number("sum") == 10
    assert next(one.values for one in table.game.view(0).tracks if one.key == "trump") == ("none",)
    table.answer(1, "turn.act.wanted", "blue")
    assert table.number("light", "blue") == 2
