"""A finding that another pack's change has caused names that pack and the place of the change."""

from __future__ import annotations

import pytest

from tests.house.strangers import FLIPPED, renamed
from tests.house.together import codes, together

NEEDS = 'requires: {fog: "*"}\n...\n'
SCENARIO = "scenario: Nothing happens\nplayers: [ann, ben]\n"
CASES = {
    "an option removed": (
        "options: {moons: {number: 1 to 5, default: 2}}\n---\n"
        f"{SCENARIO}options: {{moons: 5}}\nthen: [rounds is 0]\n"
        "---\nchange: verb/rest\nafter: coins += 1",
        "change: option/moons\nremove: true",
        "RW702", "removes",
    ),
    "other values of an option": (
        "options: {moons: {number: 1 to 5, default: 2}}\n---\n"
        f"{SCENARIO}options:\n  moons: 5\nthen: [rounds is 0]\n"
        "---\nchange: verb/rest\nafter: coins += moons",
        "change: option/moons\nset: {number: 1 to 3}",
        "RW702", "sets",
    ),
    "a choice of an option removed": (
        f"options: {{moon: {{one-of: [new, old, full], default: old}}}}\n---\n{SCENARIO}options: {{moon: new}}\n"
        "then: [rounds is 0]\n---\nchange: verb/rest\nafter: |\n  if moon is old: coins += 1",
        "change: option/moon\nremove: {one-of: [new]}",
        "RW702", "removes",
    ),
    "a zone removed": (
        "zones: {attic: {order: pile, accepts: [lantern], seen-by: nobody}}\n---\n"
        f"{SCENARIO}given:\n  attic: none\n  rounds: 2\nthen: [rounds is 2]",
        "change: zone/attic\nremove: true",
        "RW704", "removes",
    ),
    "a zone for each player": (
        "zones: {attic: {order: pile, accepts: [lantern], seen-by: nobody}}\n---\n"
        "change: verb/rest\nafter: coins += 1\n---\n"
        f"{SCENARIO}given:\n  attic: none\nthen: [rounds is 0]",
        "change: zone/attic\nset: {scope: player}",
        "RW704", "sets",
    ),
    "a value that others took the parts of": (
        "values: {glow: {by-players: {2: 5, default: 4}}}\n---\nchange: verb/rest\nafter: coins += glow",
        "change: value/glow\nset: 3",
        "", "sets",
    ),
}  # fmt: skip
"""What `fog` declares and says of it in a scenario; what `rain` changes; the finding that follows."""


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", [case for case, (*_, code, _) in CASES.items() if code])
def test_scenarios_name_the_pack(case: str, flip: bool) -> None:
    fog, rain, code, does = CASES[case]
    names = FLIPPED if flip else {"fog": "fog", "rain": "rain"}
    loaded = together(**{names["fog"]: renamed(fog, names), names["rain"]: renamed(NEEDS + rain, names)})
    found = [one.finding for one in loaded.skipped if one.finding.code == code]
    assert found and loaded.findings == ()  # what the scenario says of it makes no sense any more: it is skipped
    for finding in found:
        (label,) = (label for label in finding.labels if label.span.path.startswith(f"{names['rain']}/"))
        assert label.text == f"`{names['rain']}` {does} it here"
        assert label.span.path == f"{names['rain']}/rules.yaml"


def test_own_mistakes_name_nobody() -> None:
    """`rain` changes the zone of which `fog` says too little; that `fog` means no zone has another reason."""
    fog = "zones: {attic: {order: pile, accepts: [lantern], seen-by: nobody}}\n---\n"
    fog += f"{SCENARIO}given:\n  atic: none\nthen: [rounds is 0]"
    loaded = together(fog=fog, rain=f"{NEEDS}change: zone/attic\nset: {{seen-by: all}}")
    found = [finding for finding in loaded.findings if finding.code.startswith("RW7")]
    assert found and all(not finding.labels for finding in found)


def test_what_cannot_be_changed_any_more() -> None:
    """RW624: a pack that comes after another finds no parts where the other set a number."""
    fog, rain, _, does = CASES["a value that others took the parts of"]
    last = 'requires: {rain: "*"}\n...\nchange: value/glow\nset: {by-players.2: 6}'
    loaded = together(fog=fog, rain=NEEDS + rain, snow=last)
    assert codes(loaded) == ["RW624"]
    assert [label.text for label in loaded.findings[0].labels] == [f"`rain` {does} it here"]


def test_nothing_left_to_remove() -> None:
    """RW625: another pack, which this one comes after, has set the list anew."""
    rain = "change: zone/bank\nset: {accepts: [lantern]}"
    snow = "after: [rain]\n...\nchange: zone/bank\nremove: {accepts: [coin]}"
    loaded = together(rain=rain, snow=snow)
    (finding,) = (one for one in loaded.findings if one.code == "RW625")
    assert [label.text for label in finding.labels] == ["`rain` sets it here"]


def test_the_last_entry_of_a_section() -> None:
    """No empty section is left over, in a document of its own or in `pack.yaml`."""
    removal = f"{NEEDS}change: value/glow\nremove: true"
    assert codes(together(fog="values: {glow: 2}", rain=removal)) == []
    assert codes(together(fog="values: {glow: 2}\n...\nchange: verb/rest\nafter: coins += 1", rain=removal)) == []


@pytest.mark.parametrize("flip", [False, True])
def test_members_that_a_new_list_leaves_out(flip: bool) -> None:
    """RW420: a pack speaks of a choice that another one's `set` no longer names."""
    names = FLIPPED if flip else {"fog": "fog", "rain": "rain"}
    fog = "options: {moon: {one-of: [new, old, full], default: old}}\n---\n"
    fog += "change: verb/rest\nafter: |\n  if moon is new: coins += 1"
    rain = f"{NEEDS}change: option/moon\nset: {{one-of: [old, full]}}"
    loaded = together(**{names["fog"]: renamed(fog, names), names["rain"]: renamed(rain, names)})
    assert codes(loaded) == ["RW420"]
    (label,) = loaded.findings[0].labels
    assert label.text == f"`{names['rain']}` no longer contains it here"
    assert label.span.path == f"{names['rain']}/rules.yaml"


@pytest.mark.parametrize(("change", "code", "does"), [
    ("change: option/moon\nremove: {one-of: [full]}", "RW702", "removes"),
    ("change: option/moon\nset: {one-of: [new, old]}", "RW702", "sets"),
    ("change: zone/attic\nset: {scope: player}", "RW704", "sets"),
])  # fmt: skip
def test_scenarios_of_a_pack_that_knows_both(change: str, code: str, does: str) -> None:
    """It is no scenario of a stranger, so it is not skipped: its author is told, and which pack is in the way."""
    fog = "options: {moon: {one-of: [new, old, full], default: old}}\n---\n"
    fog += "zones: {attic: {order: pile, accepts: [lantern], seen-by: nobody}}\n---\n"
    fog += "change: verb/rest\nafter: |\n  if moon is old: coins += 1"
    says = "options: {moon: full}" if code == "RW702" else "given:\n  attic: none"
    snow = f'requires: {{fog: "*", rain: "*"}}\n...\n{SCENARIO}{says}\nthen: [rounds is 0]'
    loaded = together(fog=fog, rain=NEEDS + change, snow=snow)
    assert codes(loaded) == [code] and loaded.skipped == ()
    assert [label.text for label in loaded.findings[0].labels] == [f"`rain` {does} it here"]
