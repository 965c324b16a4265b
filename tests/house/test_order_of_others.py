"""A third pack whose `after` names two others orders them, unless they order themselves."""

from __future__ import annotations

import pytest

from rulewright.ruleset.loaded import Loaded
from tests.house.together import codes, together

ONE = "change: verb/draw\nafter: coins += 1\n"
NONE = "change: verb/draw\nafter: coins = 0\n"
NOTHING = "messages: {idle: {en: Nothing., es: Nada.}}\n"


def order(loaded: Loaded) -> list[str]:
    return [head.pack for head in loaded.heads]


@pytest.mark.parametrize("named", [("fog", "rain"), ("rain", "fog")])
def test_a_third_pack_says_the_order(named: tuple[str, str]) -> None:
    """Of two inserts. Which of two values holds is said by setting it."""
    head = f"after: [{', '.join(named)}]\n...\n"
    assert codes(together(fog=ONE, rain=NONE)) == ["RW626"]
    settled = together(fog=ONE, rain=NONE, cloud=head + NOTHING)
    assert codes(settled) == []
    assert order(settled) == ["lanterns", *named, "cloud"]
    values = ("change: charm/bell\nset: {cost: 4}\n", "change: charm/bell\nset: {cost: 5}\n")
    assert codes(together(fog=values[0], rain=values[1])) == ["RW623"]
    assert codes(together(fog=values[0], rain=values[1], cloud=head + NOTHING)) == ["RW623"]
    assert codes(together(fog=values[0], rain=values[1], cloud=head + values[0])) == []


def test_versions_count() -> None:
    head = 'after: {rain: "*", fog: ">=2"}\n...\n'
    assert codes(together(fog=ONE, rain=NONE, cloud=head + NOTHING)) == ["RW626"]
    head = 'after: {rain: "*", fog: ">=1"}\n...\n'
    assert order(together(fog=ONE, rain=NONE, cloud=head + NOTHING)) == ["lanterns", "rain", "fog", "cloud"]


def test_what_they_say_themselves_counts_more() -> None:
    """Also when they say it by way of another pack."""
    third = "after: [rain, fog]\n...\n" + NOTHING
    settled = together(fog=ONE, rain="after: [fog]\n...\n" + NONE, cloud=third)
    assert codes(settled) == []
    assert order(settled) == ["lanterns", "fog", "rain", "cloud"]
    way = together(fog=ONE, mist="after: [fog]\n...\n" + NOTHING.replace("idle", "wait"),
                   rain="after: [mist]\n...\n" + NONE, cloud=third)  # fmt: skip
    assert codes(way) == []
    assert order(way) == ["lanterns", "fog", "mist", "rain", "cloud"]


def test_two_who_say_the_opposite_say_nothing() -> None:
    other = NOTHING.replace("idle", "wait")
    both = together(
        fog=ONE, rain=NONE, cloud="after: [fog, rain]\n...\n" + NOTHING, sun="after: [rain, fog]\n...\n" + other
    )
    assert codes(both) == ["RW626"]
    assert order(both) == ["lanterns", "fog", "rain", "cloud", "sun"]


def test_three_who_make_a_circle_say_nothing() -> None:
    """fog, rain; rain, hail; hail, fog: nobody can keep to all of that, so none of it counts."""
    packs = {name: NOTHING.replace("idle", name) for name in ("cloud", "sun", "wind", "hail")}
    heads = {"cloud": "[fog, rain]", "sun": "[rain, hail]", "wind": "[hail, fog]"}
    texts = {name: f"after: {heads[name]}\n...\n{text}" if name in heads else text for name, text in packs.items()}
    loaded = together(fog=ONE, rain=NONE, **texts)
    assert codes(loaded) == ["RW626"]
