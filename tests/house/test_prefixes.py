"""Names prefixed with their pack never collide, for any names of packs and things."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.ruleset.compose.namespaces import _called
from rulewright.ruleset.language.types import NAME
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.canonical import program_hash
from tests.house.strangers import renamed, verdict
from tests.house.together import codes, together

WORDS = st.lists(st.sampled_from(["a", "b", "0"]), max_size=3)
NAMES = WORDS.map(lambda more: "-".join(["a", *more]))
"""Names of few words, so that many of them collide when they are joined."""


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_two_become_one(data: st.DataObject) -> None:
    owned = data.draw(st.lists(st.tuples(NAMES, NAMES | NAMES.map("verb/{}".format)), unique=True, max_size=12))
    taken = data.draw(st.sets(NAMES, max_size=6))
    called = _called(owned, taken)
    assert set(called) == set(owned)
    assert len(set(called.values())) == len(owned)
    assert not taken & set(called.values())
    assert called == _called(data.draw(st.permutations(owned)), taken)
    for (pack, name), new in called.items():
        sort, slash, word = new.rpartition("/")
        assert re.fullmatch(NAME, word) and name.startswith(sort + slash)
        assert word.startswith(f"{pack}-") and word.endswith(f"-{name.rpartition('/')[2]}")


def test_plain_where_that_is_clear() -> None:
    """Only those that collide get more than the pack's name."""
    called = _called([("river", "old-mill"), ("river-old", "mill"), ("river", "boat")], {"river-mill"})
    assert called == {
        ("river", "old-mill"): "river-0-old-mill",
        ("river-old", "mill"): "river-old-0-mill",
        ("river", "boat"): "river-boat",
    }
    assert _called([("river", "mill")], {"river-mill"}) == {("river", "mill"): "river-0-mill"}
    assert _called([("river", "mill")], {"river-mill", "river-0-mill"}) == {("river", "mill"): "river-0-0-mill"}


RIVER = "tracks: {old-mill: {scope: player, at-least: 0}}\n---\nchange: verb/draw\nafter: old-mill += 1\n"
RIVER_OLD = "tracks: {mill: {scope: player, at-least: 0}}\n---\nchange: verb/rest\nafter: mill += 2\n"
USED = "change: verb/discard-card\nafter: let mill = 2 then let old-mill = 3 then coins += mill * old-mill\n"


@pytest.mark.parametrize("third", [False, True])
def test_two_packs_whose_names_begin_alike(third: bool) -> None:
    """`mill` and `old-mill` are words of a third pack, too; the game is that of names which are all different."""
    more = {"sky": USED} if third else {}
    both = together(river=RIVER, river_old=RIVER_OLD, **more)
    assert codes(both) == []
    assert both.program is not None
    keys = {track.key for track in both.program.tracks}
    assert keys >= ({"river-0-old-mill", "river-old-0-mill"} if third else {"old-mill", "mill"})
    flipped = {"river": "river-old", "river-old": "river"}
    other = together(river_old=renamed(RIVER, flipped), river=renamed(RIVER_OLD, flipped), **more)
    assert codes(other) == []
    apart = together(river=re.sub("old-mill", "river-0-old-mill", RIVER),
                     river_old=re.sub(r"\bmill", "river-old-0-mill", RIVER_OLD), **more)  # fmt: skip
    if third:
        assert verdict(apart) == verdict(both)


def test_a_name_that_its_own_pack_has_taken() -> None:
    """`fog` declares `dusk` and `fog-dusk`; `rain` has a `dusk`, too."""
    fog = "values: {dusk: 2, fog-dusk: 3}\n---\nchange: verb/draw\nafter: coins += dusk * fog-dusk\n"
    rain = "values: {dusk: 5}\n---\nchange: verb/rest\nafter: coins += dusk\n"
    loaded = together(fog=fog, rain=rain)
    assert codes(loaded) == []
    assert loaded.program is not None
    names = {"fog-0-dusk": 2, "fog-dusk": 3, "rain-dusk": 5}
    assert {one.key for one in loaded.program.values} >= set(names)
    apart = together(fog=fog.replace(" dusk", " fog-0-dusk").replace("{dusk", "{fog-0-dusk"),
                     rain=re.sub(r"\bdusk", "rain-dusk", rain))  # fmt: skip
    assert apart.program is not None
    assert program_hash(lower(apart.program, 2)) == program_hash(lower(loaded.program, 2))
