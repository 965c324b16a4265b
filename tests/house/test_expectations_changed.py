"""Expectations under house rules: a pack changes them, adds its own, and takes away what they name."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.ruleset.findings.causes import notes
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.scenario import ExpectedBounds, ExpectedTable
from rulewright.ruleset.source.pack_files import PackFiles
from tests.house.together import files_of, game

EXPECT = """\
expect: market
players: 2
options: {long-night: true}
first-seat-wins: 45 to 55 %
chosen-when-offered: {charm/bell: at least 5 %, cheap: at least 2 %, lantern: at least 1 %}
ignore: {lantern/red-1: nobody needs it}
groups:
  cheap: {name: {en: cheap lantern, es: farol barato}, kind: lantern, where: cost < 2}
  charms: {name: {en: useful charm, es: amuleto útil}, kind: charm, where: cost > 1}
"""


def lanterns(expect: str = EXPECT) -> PackFiles:
    """The little game with expectations."""
    files = game()
    return evolve(files, files=(*files.files, ("expect.yaml", expect.encode())))


def expected(loaded: Loaded, key: str = "market") -> ExpectedTable:
    assert loaded.program is not None, loaded.findings
    return next(one for one in loaded.program.expected if one.key == key)


def bounds(loaded: Loaded) -> dict[str, ExpectedBounds]:
    return {one.about or one.what: one.bounds for one in expected(loaded).expectations}


def members(loaded: Loaded, group: str) -> set[str]:
    return {id for one in expected(loaded).groups if one.key == group for id in one.ids}


def test_what_the_game_expects() -> None:
    """The narrowest counts, and what is ignored is left out."""
    loaded = load_files(lanterns())
    cheap = {f"lantern/{colour}-1" for colour in ("red", "green", "blue")}
    assert members(loaded, "cheap") == cheap
    ids = {one.about: set(one.ids) for one in expected(loaded).expectations}
    assert ids == {
        "": set(),
        "charm/bell": {"charm/bell"},
        "cheap": cheap - {"lantern/red-1"},
        "lantern": {f"lantern/{colour}-{cost}" for colour in ("red", "green", "blue") for cost in (2, 3)},
    }
    assert (expected(loaded).players, expected(loaded).options) == (2, (("long-night", "true"),))


def test_a_change_of_a_threshold_and_a_group() -> None:
    change = "change: expect/market\nset: {first-seat-wins: at most 60 %, groups.cheap.where: cost < 3}\n"
    loaded = load_files(lanterns(), more=[files_of("fog", change)])
    assert bounds(loaded)["first-seat-wins"] == ExpectedBounds(None, 60)
    assert len(members(loaded, "cheap")) == 6


def test_a_change_can_be_wrong() -> None:
    change = "change: expect/market\nset: {first-seat-wins: at most 60, groups.cheap.where: cost > 9}\n"
    found = load_files(lanterns(), more=[files_of("fog", change)]).findings
    assert {one.code: one.span.path for one in found} == {"RW731": "fog/rules.yaml", "RW736": "fog/rules.yaml"}


def test_new_definitions_are_in_the_group_that_they_fit() -> None:
    loaded = load_files(lanterns(), more=[files_of("fog", "charm: gong\ncost: 2\n---\ncharm: whistle\ncost: 1\n")])
    assert members(loaded, "charms") == {"charm/bell", "charm/gong"}


def test_house_rules_expect_more() -> None:
    more = "expect: fog\nno-winner: at most 1 %\n"
    loaded = load_files(lanterns(), more=[files_of("fog", more)])
    assert [one.what for one in expected(loaded, "fog").expectations] == ["no-winner"]
    assert len(expected(loaded).expectations) == 4


def test_lines_that_no_longer_apply_are_left_out() -> None:
    """The author of the game could not know that a house rule removes the definition."""
    loaded = load_files(lanterns(), more=[files_of("fog", "change: charm/bell\nremove: true\n")])
    assert set(bounds(loaded)) == {"first-seat-wins", "cheap", "lantern"}
    assert members(loaded, "charms") == set()
    assert [*notes(loaded.skipped)] == [
        "2 expect lines of lanterns skipped: fog changes something that it uses; fog removes charm/bell "
        "(fog/rules.yaml:1)"
    ]


@pytest.mark.parametrize("name", ["kind", "bot", "option"])
def test_strangers_with_names_in_common(name: str) -> None:
    """Each document means what its own pack declares."""
    texts = {
        "kind": "kinds: {{relic: {{fields: {{age: 0 to 9}}}}}}\n---\nrelic: idol\nage: {n}\n---\nexpect: {pack}\n"
        "groups: {{old: {{name: {{en: old, es: viejo}}, kind: relic, where: age > 0}}}}\n",
        "bot": "bot: sleeper\nanswers: [{{choice: market.buy.choice, prefer: [pass]}}]\n---\nexpect: {pack}\n"
        "bot: sleeper\nmean-length: at most {n} decisions\n",
        "option": "options: {{fast: {{number: 1 to 5, default: 1}}}}\n---\nexpect: {pack}\noptions: {{fast: {n}}}\n"
        "mean-length: at most {n} decisions\n",
    }
    packs = [files_of(pack, texts[name].format(pack=pack, n=n)) for pack, n in (("fog", 2), ("mist", 3))]
    loaded = load_files(lanterns(), more=packs)
    fog, mist = expected(loaded, "fog"), expected(loaded, "mist")
    if name == "kind":
        assert [one.groups[0].ids for one in (fog, mist)] == [("fog-relic/fog-idol",), ("mist-relic/mist-idol",)]
    elif name == "bot":
        assert (fog.bot, mist.bot) == ("fog-sleeper", "mist-sleeper")
    else:
        assert (fog.options, mist.options) == ((("fog-fast", "2"),), (("mist-fast", "3"),))


def test_a_group_that_a_new_definition_makes_overlap_is_left_out() -> None:
    """It would be in both; the author of the groups could not know it."""
    groups = (
        "expect: market\ngroups:\n"
        "  useful: {name: {en: useful charm, es: amuleto útil}, kind: charm, where: cost > 1}\n"
        "  odd: {name: {en: odd charm, es: amuleto raro}, kind: charm, where: cost is 1 or cost is 5}\n"
    )
    loaded = load_files(lanterns(groups), more=[files_of("fog", "charm: gong\ncost: 5\n")])
    assert [one.category for one in loaded.skipped] == ["expect line"]
    assert (members(loaded, "useful"), members(loaded, "odd")) == ({"charm/bell", "charm/gong"}, set())
