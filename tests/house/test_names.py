"""Independent packs can use one word for two things: each pack keeps its own meaning.

A pack is written with the words `dusk`, `dim` and `glow`. Two strangers that both use them, and a third pack that
builds on the first, make the game that one gets where each says its own words: `fog-dusk`, `rain-dusk`.
"""

from __future__ import annotations

import re

import pytest

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table.canonical import program_hash
from tests.house.together import codes, together

CASES: dict[str, tuple[str, str, str]] = {
    "a zone": (
        "zones: {dusk: {order: pile, accepts: [lantern, charm], seen-by: nobody}}",
        "move top 1 of deck to dusk",
        "move top 1 of dusk to discard",
    ),
    "a track": ("tracks: {dusk: {scope: player, at-least: 0, starts: 2}}", "dusk += 1", "dusk += coins"),
    "a list": ("lists: {dusk: {of: player}}", "add you to dusk", "|\n  if you in dusk: coins += 1"),
    "a value": ("values: {dusk: 2}", "coins += dusk", "coins -= dusk"),
    "an option": ("options: {dusk: {default: false}}", "|\n  if dusk: coins += 1", "|\n  if not dusk: coins += 2"),
    "an enumeration": (
        "enumerations: {dusk: [dim, glow]}\n---\ntracks: {NAME-seen: {scope: [player, dusk], at-least: 0}}",
        "NAME-seen[dim] += 1 then NAME-seen[glow] += 2",
        "|\n  each x in dusk: fog-seen[x] += 1",
    ),
    "a kind": (
        "kinds: {dusk: {cards: false, fields: {weight: 0 to 9}}}\n---\n"
        "dusk: dim\nweight: 3\n---\ndusk: glow\nweight: 2",
        "coins += dim's weight",
        "coins += glow's weight",
    ),
    "a function": (
        "function: dusk\ntakes: {dim: number}\ngives: number\nis: dim + 1",
        "coins += dusk(1)",
        "coins -= dusk(0)",
    ),
    "a verb": (
        "verb: dusk(s) <n>\ndo: |\n  choose n cards from hand as lost\n  coins += n\n---\n"
        "prompts: {dusk.lost: {en: NAME, es: NAME}}\n---\n"
        "hook: NAME-after\nafter: verb/dusk\ndo: rounds += 1\n---\n"
        "change: verb/dusk\nafter: coins += 2",
        "dusk 2",
        "dusk 1",
    ),
    "a message": ("messages: {dusk: {en: It is late., es: Es tarde.}}", "announce dusk", "announce dusk"),
    "a hook that waits": (
        "hook: dusk\nbefore: verb/discard-card\nwaits: true\ndo: coins += times",
        "await dusk",
        "await dusk",
    ),
    "a modifier": (
        "modifier: dusk\nchanges: price\nis: max(0, result - 1)",
        "start dusk until the turn ends",
        "start dusk until the turn ends",
    ),
    "a window": (
        "window: dusk\ntakes: {guest: player}\nasks: players where it is guest\noptions: {leave: coins -= 1}",
        "open dusk with guest = you",
        "open dusk with guest = you",
    ),
    "a claim": (
        "claim: dusk\ntakes: {dim: charm}\nproof: hand where it is dim\nchallenge: {asks: others}\n"
        "when-true: challenger discards 1 card\nwhen-false: claimant discards 1 card",
        "claim dusk with dim = bell",
        "claim dusk with dim = feather",
    ),
    "a phase": (
        "phase: dusk\nsteps: [{id: fade, do: do nothing}]\n---\nchange: round/night\nadd: {phases: [dusk]}",
        "coins += 1",
        "coins += 2",
    ),
    "a phase that is put somewhere": (
        "change: phase/market\nafter: {id: dusk, steps: [{id: fade, do: do nothing}]}",
        "coins += 1",
        "coins += 2",
    ),
    "a step that is put somewhere": (
        "change: step/market.count\nbefore: {id: dusk, turns: players, do: do nothing}",
        "coins += 1",
        "coins += 2",
    ),
    "an award": (
        "award: dusk\nsum: coins\n---\nchange: finish/dawn\nadd: {awards: [dusk]}",
        "coins += 1",
        "coins += 2",
    ),
    "a field and an effect of a kind": (
        "change: kind/charm\nadd: {fields: {dusk: {type: 0 to 9, default: 1}}}\n---\n"
        "change: charm/feather\nset: {dusk: 4}",
        "coins += feather's dusk",
        "coins += bell's dusk",
    ),
}  # fmt: skip
"""What a pack declares, a sentence with it, and one of the pack that builds on it; `NAME` is the pack's name."""


def packs(case: str, apart: bool) -> Loaded:
    """Two strangers that declare the same and a third pack that requires one; `apart`: each has its own words."""
    declared, said, built = CASES[case]
    fog = f"{declared}\n---\nchange: verb/draw\nafter: {said}\n"
    rain = f"{declared}\n---\nchange: verb/rest\nafter: {said}\n"
    moon = f'requires: {{fog: "*"}}\n...\nchange: verb/draw\nbefore: {built}\n'
    texts = {"fog": fog.replace("NAME", "fog"), "rain": rain.replace("NAME", "rain"), "moon": moon}
    if apart:
        owner = {"fog": "fog", "rain": "rain", "moon": "fog"}
        texts = {pack: re.sub(r"\b(dusk|dim|glow)\b", rf"{owner[pack]}-\1", text) for pack, text in texts.items()}
    return together(**texts)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_each_means_its_own(case: str) -> None:
    one, other = packs(case, False), packs(case, True)
    assert codes(one) == codes(other) == []
    assert one.program is not None and other.program is not None
    assert program_hash(lower(one.program, 2)) == program_hash(lower(other.program, 2))


def of_fog(text: str, other: str = "verb: hum(s)\ndo: coins += 1\n") -> Loaded:
    """The pack `fog`, whose words another pack uses that does not know it."""
    return together(fog=text, rain=other)


STRANGER = "tracks: {dusk: {of: number}}\n---\nchange: verb/rest\nafter: dusk += 1\n"


def test_a_game_keeps_its_local_words() -> None:
    """`given-up` is what a verb of the game calls the cards; `n` is a hole of its sentence."""
    text = "zones: {given-up: {order: pile, accepts: [lantern], seen-by: nobody}}\n---\nvalues: {n: 2}\n---\n"
    loaded = together(fog=text + "change: verb/rest\nafter: |\n  move top n of deck to given-up\n")
    own = together(fog=re.sub(r"\b(given-up|n)\b", r"fog-\1", text)
                   + "change: verb/rest\nafter: |\n  move top fog-n of deck to fog-given-up\n")  # fmt: skip
    assert codes(loaded) == codes(own) == []
    assert loaded.program is not None and own.program is not None
    assert program_hash(lower(loaded.program, 2)) == program_hash(lower(own.program, 2))


def test_a_pack_keeps_local_words_that_a_stranger_declares() -> None:
    rain = "verb: fall(s) <dusk>\ndo: coins += dusk\n---\nchange: verb/rest\nbefore: let dim = 2 then fall dim\n"
    alone, both = together(rain=rain), together(fog="values: {dusk: 1, dim: 3}", rain=rain)
    assert codes(alone) == codes(both) == []
    assert alone.program is not None and both.program is not None
    units = [next(unit for unit in one.program.units if unit.key == "fall") for one in (alone, both) if one.program]
    assert units[0] == units[1]


def test_texts_name_fields_that_are_called_anew() -> None:
    """A field that is called as its enumeration, in the name of cards."""
    text = (
        "enumerations: {dusk: [dim, glow]}\n---\nkinds: {sign: {fields: {dusk: dusk}}}\n---\n"
        "components: {signs: {kind: sign, each: {dusk: all}, starts: pool, home: pool,"
        ' name: {en: "{dusk} sign", es: "{dusk}"}}}\n---\n'
        "zones: {pool: {order: bag, accepts: [sign], seen-by: all}}\n"
    )
    assert codes(of_fog(text)) == codes(of_fog(text, STRANGER)) == []


def test_the_line_of_an_option_is_a_text() -> None:
    """Elsewhere `log` may be an effect, whose words are called anew."""
    text = (
        "values: {dusk: 1}\n---\nkinds: {sign: {cards: false, effects: {log: {}}}}\n---\n"
        "sign: post\nlog: coins += dusk\n---\n"
        "change: phase/market\nafter: {id: late, steps: [{id: doze, turns: players, options: "
        "{nap: {log: dusk, do: perform post's log}, wake: {do: do nothing}}}]}\n"
    )
    loaded = of_fog(text, STRANGER)
    assert codes(loaded) == codes(of_fog(text)) == []
    assert loaded.program is not None
    assert dict(loaded.program.texts)["log/late.doze.choice.nap"] == (("en", "dusk"),)


def test_every_definition_of_a_kind_that_is_called_anew() -> None:
    text = (
        "kinds: {dusk: {cards: false, fields: {weight: 0 to 9}}}\n---\ndusk: dim\nweight: 1\n---\n"
        "change: every dusk where weight < 3 and it is dim\nmatches: 1\nset: {weight: 3}\n"
    )
    assert codes(of_fog(text)) == codes(of_fog(text, STRANGER)) == []


def test_keys_of_the_language_stay() -> None:
    """`order` is a key of zones, too."""
    text = (
        "values: {order: 3}\n---\nzones: {attic: {order: pile, seen-by: nobody}}\n---\n"
        "change: verb/draw\nafter: coins += order\n"
    )
    loaded = of_fog(text, "change: verb/rest\nafter: let order = 2 then coins += order\n")
    assert codes(loaded) == []
    assert loaded.program is not None
    assert "fog-order" in [value.key for value in loaded.program.values]


def test_parts_of_things_of_others_keep_their_names() -> None:
    """The pack's own step is called as an option of the game; `play` of a stranger is something else again."""
    text = (
        "change: step/market.count\nbefore: {id: play, do: do nothing}\n---\n"
        "change: step/market.buy.play\nset: {when: coins > 1}\n"
    )
    assert codes(of_fog(text, "change: verb/rest\nafter: let play = 2 then coins += play\n")) == []


def test_two_verbs_of_the_same_words_are_changed_apart() -> None:
    fog = "verb: dusk(s)\ndo: coins += 1\n---\nchange: verb/draw\nafter: dusk\n"
    rain = "verb: dusk(s)\ndo: coins += 2\n---\nchange: verb/dusk\nset: {do: coins += 3}\n"
    loaded = together(fog=fog, rain=rain, moon='requires: {rain: "*"}\n...\nchange: verb/rest\nbefore: dusk\n')
    assert codes(loaded) == []
    does = {d.called: d.root.get("do") for d in loaded.composed.documents if d.kind == "verb" and d.called}
    assert {name: node.text for name, node in does.items() if isinstance(node, ScalarNode)} == {
        "fog-dusk": "coins += 1",
        "rain-dusk": "coins += 3",
    }
