"""Inserts before, after, and around sentences equal code written by hand, also in changed effects."""

from __future__ import annotations

import pytest

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.canonical import program_hash
from tests.house.together import LANTERNS, ROOT, codes, files_of

OMENS = """---
kinds: {omen: {effects: {fall: {per: copy}}}}
---
components: {omens: {kind: omen, copies: 2, starts: pool, home: pool}}
---
zones: {pool: {order: pile, accepts: [omen], seen-by: nobody}}
---
omen: ill
fall: FALL
---
hook: sign
before: verb/draw
do: |
  let drawn = top of pool
  perform drawn's fall
"""
"""A kind whose effect differs from copy to copy."""


def game(changes: dict[str, str], more: str = "", **packs: str) -> Loaded:
    """The little game, rewritten, with packs on top."""
    text = LANTERNS.read_text("utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    files = PackFiles(ROOT, (("lanterns.yaml", (text + more).encode()),))
    heads = {"late": "after: [first]"}
    return load_files(files, more=[files_of(name, rules, heads.get(name, "")) for name, rules in packs.items()])


def same(one: Loaded, other: Loaded) -> bool:
    assert codes(one) == codes(other) == []
    assert one.program is not None and other.program is not None
    return program_hash(lower(one.program, 2)) == program_hash(lower(other.program, 2))


PASS = "pass: coins += 1"
BELL = "cost: 3\nplay: draw 1\n"
FEATHER = "cost: 1\nattack: victim discards 1 card\n"


def test_an_option_that_is_a_text() -> None:
    woven = game({}, first="change: step/market.buy.pass\nbefore: draw 1\nafter: draw 2\n")
    assert same(woven, game({PASS: "pass: draw 1 then coins += 1 then draw 2"}))
    assert not same(woven, game({}))


@pytest.mark.parametrize("setter", ["first", "late", "other"])
def test_what_is_set_is_woven_too(setter: str) -> None:
    """Whoever sets it, before or after: what others put around it stays around it."""
    weaver = "first" if setter != "first" else "late"
    changes = {
        weaver: "change: charm/bell.play\nbefore: coins += 1\n",
        setter: "change: charm/bell\nset: {play: draw 2}\n",
    }
    assert same(game({}, **changes), game({BELL: "cost: 3\nplay: coins += 1 then draw 2\n"}))


def test_an_alias_is_changed_alone() -> None:
    """`attack` is written as what `play` is: each pack changes one of them, and one of them twice."""
    aliased = {FEATHER: "cost: 1\nplay: &drawing draw 1\nattack: *drawing\n"}
    play, attack = "change: charm/feather.play\n", "change: charm/feather.attack\n"
    first = f"{play}before: coins += 1\n---\n{attack}before: coins += 2\n"
    woven = game(aliased, first=first, late=f"{play}after: coins -= 1\n")
    by_hand = "cost: 1\nplay: coins += 1 then draw 1 then coins -= 1\nattack: coins += 2 then draw 1\n"
    assert same(woven, game({FEATHER: by_hand}))


@pytest.mark.parametrize("fall", ["[coins += 1, coins -= 1]", "[&rise coins += 1, *rise]"])
def test_each_copy_is_woven_once(fall: str) -> None:
    """Also where the copies are one text by an alias, and where two packs do so."""
    copies = ["coins += 1", "coins += 1"] if "&" in fall else ["coins += 1", "coins -= 1"]
    woven = game(
        {},
        OMENS.replace("FALL", fall),
        first="change: omen/ill.fall\nbefore: coins += 3\n",
        late="change: omen/ill.fall\nafter: coins -= 2\n",
    )
    by_hand = ", ".join(f"coins += 3 then {copy} then coins -= 2" for copy in copies)
    assert same(woven, game({}, OMENS.replace("FALL", f"[{by_hand}]")))


def test_where_an_option_leaves_is_no_sentence() -> None:
    queue = {"    turns: clockwise(starting-player)\n    options:\n      lantern:\n": (
        "    queue: clockwise(starting-player)\n    options:\n      lantern:\n        then: leave the queue\n"
    )}  # fmt: skip
    assert codes(game(queue, first="change: step/market.buy.lantern.then\nbefore: coins += 1\n")) == ["RW624"]


def test_outside_and_inside() -> None:
    """Of two `around`s that of the pack which comes later stands outside; the finding about strangers says so."""
    around = "change: charm/bell.play\naround: |\n  {}\n  proceed\n"
    one, two = around.format("coins += 1"), around.format("coins = 2")
    woven = game({}, first=one, late=two)
    assert same(woven, game({BELL: "cost: 3\nplay: coins = 2 then coins += 1 then draw 1\n"}))
    for names in (("fog", "rain"), ("rain", "fog")):
        (found,) = game({}, **dict(zip(names, (one, two), strict=True))).findings
        assert found.hint is not None
        assert found.hint.startswith("now `rain` is outside and `fog` inside, in alphabetical order; ")
