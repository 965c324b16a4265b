"""The meaning of changes in play, beyond `test_by_hand`, and what is not a conflict."""

from __future__ import annotations

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.view import result
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import Const, TableProgram
from tests.house.together import codes, together


def table(loaded: Loaded, seats: int = 2) -> TableProgram:
    assert loaded.findings == (), loaded.findings
    assert loaded.program is not None
    return lower(loaded.program, seats)


def scores(loaded: Loaded, seats: int = 2) -> list[tuple[int, ...]]:
    """The scores of some games whose players choose at random."""
    program = table(loaded, seats)
    backend = make(program)
    found = []
    for game in range(5):
        state = backend.start(3, game)
        play_out(backend, state, Stream(game))
        ended = result(program, state)
        assert ended is not None
        found.append(tuple(ended.scores))
    return found


def plain() -> list[tuple[int, ...]]:
    return scores(together())


# ------------------------------------------------------------------ awards

def test_sentences_after_an_award() -> None:
    more = scores(together(house="change: award/light\nafter: |\n  each p in players: p's score += 7"))
    assert more == [tuple(score + 7 for score in game) for game in plain()]


def test_sentences_around_an_award() -> None:
    """Twice what one has, and seven more: the award is given between."""
    text = "change: award/light\naround: |\n  each p in players: p's score += 7\n  proceed\n"
    text += "  each p in players: p's score += p's score"
    assert scores(together(house=text)) == [tuple(2 * (score + 7) for score in game) for game in plain()]


def test_an_award_that_is_not_given() -> None:
    text = "change: award/light\naround: |\n  if rounds > 100: proceed"
    assert scores(together(house=text)) == [(0, 0)] * 5


def test_one_more_award() -> None:
    text = "change: award/light\nbefore: {id: presence, sum: 3}"
    assert scores(together(house=text)) == [tuple(score + 3 for score in game) for game in plain()]


# ------------------------------------------------------------------ effects

KIND = """\
kinds:
  lamp: {fields: {size: 1 to 9}, effects: {glow: {default: coins += 1}, hum: {per: copy, optional: true}}}
---
components:
  lamps: {kind: lamp, copies: 2, starts: shed, home: shed}
---
zones: {shed: {order: pile, accepts: [lamp], seen-by: nobody}}
---
lamp: oil
size: 2
hum: [coins += 1, coins += 2]
---
lamp: gas
size: 3
"""


def test_an_effect_that_a_definition_has_from_its_kind() -> None:
    """Only the one that is named is changed."""
    own = together(house=f"{KIND}---\nchange: lamp/gas.glow\nafter: coins += 5")
    written = together(house=KIND.replace("size: 3\n", "size: 3\nglow: |\n  coins += 1\n  coins += 5\n"))
    assert program_hash(table(own)) == program_hash(table(written))


def test_an_effect_that_each_copy_has_of_its_own() -> None:
    own = together(house=f"{KIND}---\nchange: lamp/oil.hum\nbefore: coins -= 1")
    each = '["coins -= 1 then coins += 1", "coins -= 1 then coins += 2"]'
    written = together(house=KIND.replace("[coins += 1, coins += 2]", each))
    assert program_hash(table(own)) == program_hash(table(written))


def test_what_is_around_stays_around_what_another_pack_sets() -> None:
    second = "after: [a]\n...\nchange: verb/draw\nset: {do: coins += 2}"
    own = together(a="change: verb/draw\nbefore: coins += 1", b=second)
    written = together(a="change: verb/draw\nset: {do: coins += 1 then coins += 2}")
    assert program_hash(table(own)) == program_hash(table(written))


# ------------------------------------------------------------------ texts, languages, options

def test_a_translation() -> None:
    text = "change: pack/lanterns\nadd: {languages: [fr]}\n---\nchange: pack/lanterns\nset: {name.fr: Lanternes}"
    loaded = together(house=f"{text}\n---\nchange: zone/hand\nset: {{name: {{en: hand, es: mano, fr: main}}}}")
    assert loaded.program is not None and loaded.program.languages == ("en", "es", "fr")
    texts = dict(loaded.program.texts)
    assert dict(texts["zone/hand"])["fr"] == "main"
    assert dict(texts["pack/lanterns"])["fr"] == "Lanternes"


def test_a_text_of_one_language_becomes_one_of_several() -> None:
    loaded = together(
        a="messages: {dusk: Dusk falls.}\n---\nchange: verb/draw\nafter: announce dusk",
        b='requires: {a: "*"}\n...\nchange: message/dusk\nset: {en: Dusk comes., es: Anochece.}',
    )
    assert loaded.program is not None
    assert dict(loaded.program.texts)["message/dusk"] == (("en", "Dusk comes."), ("es", "Anochece."))


def test_more_players() -> None:
    loaded = together(house="change: pack/lanterns\nset: {players: {was: 2 to 4, to: 2 to 6}}")
    assert loaded.program is not None
    assert (loaded.program.least_players, loaded.program.most_players) == (2, 6)


def test_only_with_another_pack() -> None:
    text = 'change: charm/bell\nonly-with: {b: ">=1"}\nset: {cost: 9}'
    for packs, cost in (({"a": text}, 3), ({"a": text, "b": "tracks: {fog: {of: number}}"}, 9)):
        loaded = together(**packs)
        assert loaded.program is not None
        bell = next(one for one in loaded.program.definitions if one.key == "bell")
        assert dict(bell.fields)["cost"] == (cost,)


def test_only_with_knows_the_names_of_the_other() -> None:
    """Its words, its verbs, its ids; without it, the change is none."""
    text = 'change: verb/draw\nonly-with: {b: "*"}\nafter: |\n  fog += 1\n  gleam\n---\n'
    text += 'change: track/fog\nonly-with: {b: "*"}\nset: {starts: 2}'
    other = "tracks: {fog: {of: number}}\n---\nverb: gleam(s)\ndo: coins += 1"
    assert codes(together(a=text)) == []
    loaded = together(a=text, b=other)
    assert loaded.program is not None and codes(loaded) == []
    fog = next(track for track in loaded.program.tracks if track.key == "fog")
    assert fog.start == Const(2)


def test_only_with_a_version() -> None:
    text = 'change: charm/bell\nonly-with: {b: ">=2"}\nset: {cost: 9}'
    loaded = together(a=text, b="tracks: {fog: {of: number}}")
    assert loaded.program is not None
    bell = next(one for one in loaded.program.definitions if one.key == "bell")
    assert dict(bell.fields)["cost"] == (3,)


# ------------------------------------------------------------------ no conflict

APART = {
    "different fields of one card": (
        "change: charm/bell\nset: {cost: 4}", "change: charm/bell\nset: {play: draw 2}",
    ),
    "different parts of one field": (
        "change: value/hand-size\nset: {by-players.2: 4}", "change: value/hand-size\nset: {by-players.default: 6}",
    ),
    "members of one list": (
        "change: enumeration/colour\nadd: [violet]", "change: enumeration/colour\nadd: [white]",
    ),
    "the same member": (
        "change: enumeration/colour\nadd: [violet]", "change: enumeration/colour\nadd: [violet]",
    ),
    "fields of one kind": (
        "change: kind/charm\nadd: {fields: {age: {type: number, default: 1}}}",
        "change: kind/charm\nadd: {fields: {weight: {type: number, default: 1}}}",
    ),
    "the same value": ("change: charm/bell\nset: {cost: 4}", "change: charm/bell\nset: {cost: 4}"),
    "the same removed": ("change: charm/feather\nremove: [attack]", "change: charm/feather\nremove: [attack]"),
    "inserts that have nothing in common": (
        "change: verb/draw\nafter: coins += 1", "change: verb/draw\nafter: rounds += 1",
    ),
    "inserts at both sides": ("change: verb/draw\nafter: coins += 1", "change: verb/draw\nbefore: coins = 0"),
    "options of one menu": (
        "change: step/market.buy\nadd: {options: {sing: coins += 1}}",
        "change: step/market.buy\nadd: {options: {hum: coins += 2}}",
    ),
    "a field and an insert": ("change: charm/bell\nset: {cost: 4}", "change: charm/bell.play\nafter: coins += 1"),
}  # fmt: skip
ORDERED = {
    "both set": ("change: charm/bell\nset: {cost: {was: 3, to: 4}}", "change: charm/bell\nset: {cost: 5}"),
    "one removes": ("change: charm/feather\nset: {cost: 2}", "change: charm/feather\nremove: true"),
    "overlapping inserts": ("change: verb/draw\nafter: coins += 1", "change: verb/draw\nafter: coins = 0"),
    "one adds, one removes": (
        "change: zone/row\nadd: {accepts: [coin]}", "change: zone/row\nremove: {accepts: [coin]}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", APART)
def test_no_false_alarm(case: str) -> None:
    one, two = APART[case]
    assert codes(together(a=one, b=two)) == []
    assert codes(together(a=two, b=one)) == []


@pytest.mark.parametrize("case", ORDERED)
def test_no_alarm_under_declared_order(case: str) -> None:
    one, two = ORDERED[case]
    assert codes(together(a=one, b=two)) != []
    assert codes(together(a=one, b=f"after: [a]\n...\n{two}")) == []
    assert codes(together(a=one, b=f'requires: {{a: "*"}}\n...\n{two}')) == []


def test_a_third_pack_settles_a_conflict() -> None:
    one, two = "change: charm/bell\nset: {cost: 4}", "change: charm/bell\nset: {cost: 5}"
    third = 'requires: {a: "*", b: "*"}\n...\nchange: charm/bell\nset: {cost: 6}'
    assert codes(together(a=one, b=two)) == ["RW623"]
    loaded = together(a=one, b=two, c=third)
    assert loaded.program is not None and codes(loaded) == []
    bell = next(one for one in loaded.program.definitions if one.key == "bell")
    assert dict(bell.fields)["cost"] == (6,)
