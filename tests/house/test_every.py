"""`every KIND where …` covers what its author could know, for any other packs and any names."""

from __future__ import annotations

import re

import pytest

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import plain
from tests.house.strangers import FLIPPED, renamed, verdict
from tests.house.together import codes, together

COINS = "change: charm/bell.play\nafter: coins += 1\n"
WEIGHT = "change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}\n"
GONG = "charm: gong\ncost: 3\nplay: coins += 1\n"


def both(fog: str, rain: str) -> tuple[Loaded, Loaded]:
    """Two strangers, and the same under names whose order is the other one. The verdicts are the same."""
    one = together(fog=fog, rain=rain)
    other = together(**{FLIPPED[pack]: renamed(text, FLIPPED) for pack, text in (("fog", fog), ("rain", rain))})
    assert verdict(one) == verdict(other)
    return one, other


def costs(loaded: Loaded) -> dict[str, object]:
    """What charms cost when all changes are made."""
    charms = (plain(one.root) for one in loaded.composed.documents if one.kind == "charm")
    return {charm["charm"]: charm["cost"] for charm in charms}


# The game's charms: bell costs 3, feather 1 (see tests/docs/lanterns.yaml).


def test_the_game_is_as_these_tests_say() -> None:
    assert costs(together()) == {"bell": 3, "feather": 1}


def test_a_value_that_a_stranger_sets_does_not_count() -> None:
    """Both change the cost of the bell, which is 3 for who knows only the game."""
    for loaded in both("change: every charm where cost is 3\nset: {cost: 6}", "change: charm/bell\nset: {cost: 5}"):
        assert codes(loaded) == ["RW623"]
        assert "with `every charm where cost is 3`" in loaded.findings[0].message


def test_a_value_that_a_stranger_sets_brings_nothing_in() -> None:
    """The bell costs 5 by another pack: `every charm where cost is 5` finds nothing that its author knows."""
    fog = "change: every charm where cost is 5\nset: {play: draw 3}"
    for loaded in both(fog, "change: charm/bell\nset: {cost: 5}"):
        assert codes(loaded) == ["RW621"]


@pytest.mark.parametrize("matches", [1, 2])
def test_matches_counts_what_the_author_knows(matches: int) -> None:
    fog = f"change: every charm where cost < 3\nmatches: {matches}\nset: {{play: draw 2}}"
    for loaded in both(fog, "change: charm/bell\nset: {cost: 1}"):
        assert codes(loaded) == ([] if matches == 1 else ["RW621"])


def test_other_fields_of_one_card_do_not_conflict() -> None:
    fog = "change: every charm where cost is 3\nset: {play: draw 2}"
    for loaded in both(fog, "change: charm/bell\nset: {cost: 5}"):
        assert codes(loaded) == []
        bell = next(plain(one.root) for one in loaded.composed.documents if plain(one.root).get("charm") == "bell")
        assert (bell["cost"], bell["play"]) == (5, "draw 2")


def test_definitions_of_strangers_are_found_as_they_are_declared() -> None:
    """The gong costs 3 as its pack declares it, and 4 by a later change of that pack."""
    for loaded in both("change: every charm where cost is 3\nset: {cost: 6}", GONG + "---\n" + COINS):
        assert codes(loaded) == []
        assert costs(loaded) == {"bell": 6, "feather": 1, "gong": 6}
    fog = "change: every charm where cost is 3\nset: {play: draw 2}"
    for loaded in both(fog, GONG + "---\nchange: charm/gong\nset: {cost: 4}"):
        assert codes(loaded) == []
        gong = next(plain(one.root) for one in loaded.composed.documents if plain(one.root).get("charm") == "gong")
        assert (gong["cost"], gong["play"]) == (4, "draw 2")


def test_what_a_stranger_removes_needs_no_change() -> None:
    """The same game in either order, and `matches` counts what the author knows."""
    removal = "change: charm/feather\nremove: true"
    for loaded in both("change: every charm where cost < 4\nmatches: 2\nset: {cost: 4}", removal):
        assert codes(loaded) == []
        assert costs(loaded) == {"bell": 4}
    inserted = "change: every charm where cost < 4\nset: {play: draw 2}"
    for loaded in both(inserted, "change: every charm where cost < 3\nremove: true"):
        assert codes(loaded) == []
        assert costs(loaded) == {"bell": 3}


def test_a_field_that_a_stranger_removes_is_a_conflict() -> None:
    fog = "change: every charm where cost < 3\nset: {attack: victim discards 2 cards}"
    for loaded in both(fog, "change: charm/feather\nremove: [attack]"):
        assert codes(loaded) == ["RW623"]


def test_removing_every_is_a_conflict_with_a_change_of_one() -> None:
    for loaded in both("change: every charm where cost < 3\nremove: true", "change: charm/feather\nset: {cost: 4}"):
        assert codes(loaded) == ["RW623"]


def test_fields_that_strangers_add_are_unknown() -> None:
    for loaded in both("change: every charm where weight is 1\nset: {cost: 6}", WEIGHT):
        assert codes(loaded) == ["RW627"]
        hint = loaded.findings[0].hint
        proposed = r"`(rain|breeze)` adds this field: add `after: \[(\w+)\]` to .*"
        assert hint is not None and re.fullmatch(proposed, hint)


def test_a_field_of_a_stranger_is_known_after_the_hint_was_followed() -> None:
    known = "after: [rain]\n...\nchange: every charm where weight is 1\nset: {cost: 6}"
    for loaded in both(known, WEIGHT):
        assert codes(loaded) == []
        assert costs(loaded) == {"bell": 6, "feather": 6}


def test_a_field_of_a_pack_that_the_change_needs_is_known() -> None:
    """Whichever comes first, and with its values."""
    text = 'change: every charm where weight is 4\nmatches: 1\nonly-with: {rain: "*"}\nset: {cost: 6}'
    for loaded in both(text, WEIGHT + "---\nchange: charm/bell\nset: {weight: 4}"):
        assert codes(loaded) == []
        assert costs(loaded) == {"bell": 6, "feather": 1}


def test_two_packs_that_are_only_changed_with_each_other() -> None:
    one = 'change: every charm where cost is {}\nonly-with: {{{}: "*"}}\nset: {{play: draw {}}}'
    both(one.format(3, "rain", 2), one.format(2, "fog", 3))


def test_defaults_that_strangers_change_do_not_count() -> None:
    """Of a pack that both build on: the default is 1 for who does not know the other."""
    base, change = f"{WEIGHT}", "change: kind/charm\nset: {fields.weight.default: 2}"
    every = "change: every charm where weight is 1\nset: {cost: 6}"
    for names in (("fog", "rain"), ("zephyr", "breeze")):
        needs = 'requires: {base: "*"}\n...\n'
        loaded = together(base=base, **{names[0]: needs + every, names[1]: needs + change})
        assert codes(loaded) == []
        assert costs(loaded) == {"bell": 6, "feather": 6}


def test_what_comes_before_counts() -> None:
    """The own pack's changes, and those of packs that it comes after, `every` of theirs included."""
    rain = "change: every charm where cost < 3\nset: {cost: 3}"
    after = "after: [rain]\n...\nchange: every charm where cost is 3\nmatches: 2\nset: {play: draw 2}"
    for loaded in both(after, rain):
        assert codes(loaded) == []
    own = "change: every charm where cost is 3\nmatches: 2\nset: {play: draw 2}"
    for loaded in both("change: charm/feather\nset: {cost: 3}\n---\n" + own, "change: charm/bell\nset: {cost: 7}"):
        assert codes(loaded) == []


def test_every_phase_that_is_put_somewhere() -> None:
    """Also what changes insert has definitions, at places that differ with the order of the packs."""
    fog = "change: phase/market\nbefore: {id: dusk, steps: [{id: fade, do: do nothing}]}\n---\n"
    fog += "change: every phase where it is dusk\nset: {source: by hand}"
    rain = "change: phase/market\nafter: {id: eve, steps: [{id: glow, do: do nothing}]}"
    for loaded in both(fog, rain):
        assert codes(loaded) == []
        said = {plain(one.root)["phase"]: plain(one.root).get("source") for one in loaded.composed.documents
                if one.kind == "phase"}  # fmt: skip
        assert said == {"market": None, "dusk": "by hand", "eve": None}
