"""`rulewright diff`: the complete sheet of a house rule or of a new version, in two languages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, plain, replaced, step_id
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.table.message import parse, problems
from rulewright.tools.commands.diff import data_of
from rulewright.tools.diffs.compare import IGNORED, IGNORED_OF_PACKS, ComparedThing, DiffSide, differences, side
from rulewright.tools.diffs.names import MESSAGES, WORDS, DiffNames, join
from rulewright.tools.diffs.sheet import as_markdown, as_text, sheet, tell
from rulewright.tools.packs import loading as packs
from tests.tools.harness import ROOT, Run

DIFFS = ROOT / "tests" / "tools" / "diffs"
FERRY, NIGHT = str(DIFFS / "ferry"), str(DIFFS / "night-boat")
LANGUAGES = ("en", "es")


def changes(run: Run, *arguments: str) -> dict[tuple[str, str], Any]:
    """The changes of the JSON, by id and path."""
    ran = run("diff", *arguments, "--format", "json")
    assert ran.code == 0, ran.err
    return {(one["id"], one["path"]): one for one in json.loads(ran.out)["changes"]}


# ------------------------------------------------------------------ sheets

def test_a_sheet(run: Run, snapshot: SnapshotAssertion) -> None:
    ran = run("diff", FERRY, "--with", NIGHT)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_a_sheet_for_print_in_spanish(run: Run, snapshot: SnapshotAssertion) -> None:
    ran = run("diff", FERRY, "--with", NIGHT, "--lang", "es", "--format", "markdown")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_a_house_rule_taken_away(run: Run, snapshot: SnapshotAssertion) -> None:
    ran = run("diff", NIGHT, FERRY)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_the_other_side_may_be_named_in_three_ways(run: Run) -> None:
    sheets = {
        run("diff", FERRY, *other).out
        for other in (("--with", NIGHT), (f"{FERRY}+{NIGHT}",), (NIGHT,), (FERRY, "--with", NIGHT))
    }
    assert len(sheets) == 1
    assert sheets.pop().startswith("The night boat\n")


def test_a_title_of_ones_own(run: Run) -> None:
    assert run("diff", FERRY, "--with", NIGHT, "--title", "Tonight").out.startswith("Tonight\n=======\n")


def test_nothing_changes(run: Run) -> None:
    assert run("diff", FERRY, FERRY).out == "The ferry: what changes\n=======================\n\n" + (
        "Nothing changes for players.\n"
    )
    assert changes(run, FERRY, FERRY) == {}


# ------------------------------------------------------------------ two versions of one game

@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """A copy of the game, to be changed."""
    return Path(shutil.copytree(FERRY, tmp_path / "newer"))


def edit(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), "utf-8")


def lines(run: Run, newer: Path, *arguments: str) -> list[str]:
    """The lines of the sheet that tell of changes."""
    ran = run("diff", FERRY, str(newer), *arguments)
    assert ran.code == 0, ran.err
    return [line for line in ran.out.splitlines() if line.startswith("- ")]


EDITS = [
    ("pack.yaml", "players: 2 to 4", "players: 2 to 6", "Players: 2 to 6 instead of 2 to 4"),
    ("pack.yaml", "{2: 5, default: 4}", "{2: 5, default: 6}", "Hand size with 3 or 4 players: 6 instead of 4"),
    ("pack.yaml", "{2: 5, default: 4}", "{2: 5, 4: 3, default: 4}", "Hand size with 4 players: 3 instead of 4"),
    ("pack.yaml", "{by-players: {2: 5, default: 4}}", "7", "Hand size with 2 players: 7 instead of 5"),
    ("pack.yaml", "prizes: [5, 2]", "prizes: [5, 3]", "Prizes: 5 and 3 instead of 5 and 2"),
    ("pack.yaml", "default: calm}", "default: windy}", "Weather: without a choice windy instead of calm"),
    ("pack.yaml", "[calm, windy]", "[calm, windy, stormy]", "Weather, to choose from: also stormy"),
    ("pack.yaml", "copies: 3", "copies: 4", "Copies of Crates: 4 instead of 3"),
    (
        "pack.yaml",
        "default: 1}\n    effects",
        "default: 2}\n    effects",
        "Crate, handling, unless it says otherwise: 2 instead of 1",
    ),
    ("pack.yaml", "starts: starting-coins", "starts: 7", "Coins at the beginning: 7 instead of starting-coins"),
    (
        "pack.yaml",
        "seen-by: owner",
        "size-seen-by: owner, seen-by: owner",
        "Hand, number of cards: seen by its owner only instead of everybody",
    ),
    ("pack.yaml", "{en: Wool, es: Lana}", "{en: Linen, es: Lino}", "Wool is now called Linen"),
    ("crates.yaml", "weight: 5", "weight: 6", "Salt blocks, weight: 6 instead of 5"),
    ("crates.yaml", "weight: 5", "weight: 5\nhandling: 3", "Salt blocks, handling: 3 instead of 1"),
    ("crates.yaml", "weight: 5", "weight: 5\ncopies: 8", "Copies of Salt blocks: 8 instead of 3"),
    (
        "crates.yaml",
        "  coins += 2",
        "  coins += 4",
        "Vase, landing: `coins += 4; do nothing` instead of `coins += 2; do nothing`",
    ),
    (
        "crates.yaml",
        "1 coin.",
        "1 little coin.",
        "Fleece: “When it lands: 1 little coin.”, where it said “When it lands: 1 coin.”",
    ),
    ("flow.yaml", "optional: true", "optional: false", "Buying, may be declined: no instead of yes"),
    ("flow.yaml", "load 1", "load 2", "Buying, what happens: `load 2` instead of `load 1`"),
    ("flow.yaml", "id: pay", "id: fare", "After Buying: `turns: players, do: coins -= toll`"),
    ("flow.yaml", "[market, crossing]", "[crossing, market]", "Day: now in the order Crossing and Market"),
    (
        "flow.yaml",
        "  - id: count\n    do: crossings += 1",
        "  - {id: count, do: crossings += 1}\n  - {id: rest, do: do nothing}",
        "After `count` (Crossing): `do nothing`",
    ),
    (
        "flow.yaml",
        "reveals: [hand]",
        "reveals: [hand, shore]",
        "Revealed at the end: hand and shore instead of hand",
    ),
    ("flow.yaml", "ties: each", "ties: split", "Thrift, ties: split instead of each"),
    (
        "flow.yaml",
        "order: [most score]",
        "order: [most score, fewest coins]",
        "Winner: `most score`, `fewest coins` instead of `most score`",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "told"), EDITS, ids=[told[:40] for *_, told in EDITS])
def test_what_is_said_of_a_change(
    run: Run, ferry: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str, told: str
) -> None:
    monkeypatch.setattr("rulewright.tools.diffs.sheet.WIDEST", 1000)
    monkeypatch.setenv("COLUMNS", "1000")
    edit(ferry, file, old, new)
    assert f"- {told}" in lines(run, ferry)


def test_what_only_looks_different_is_not_told(run: Run, ferry: Path) -> None:
    edit(ferry, "pack.yaml", "{2: 5, default: 4}", "{2: 5, 3: 4, default: 4}")
    edit(ferry, "crates.yaml", "weight: 5", "weight: 5\nfragile: false\nsource: page 7")
    edit(ferry, "flow.yaml", "finish: dusk\n", "finish: dusk\nsource: page 8\n")
    assert run("diff", FERRY, str(ferry)).out.endswith("Nothing changes for players.\n")


def test_versions_of_a_pack(run: Run, ferry: Path) -> None:
    edit(ferry, "pack.yaml", "version: 1.0.0", "version: 2.0.0")
    assert "The ferry: version 2.0.0 instead of 1.0.0\n" in run("diff", FERRY, str(ferry)).out


def test_only_words_of_the_language_that_is_asked_for_are_shown(run: Run, ferry: Path) -> None:
    edit(ferry, "pack.yaml", "es: Sal}", "es: Sal gema}")
    assert lines(run, ferry) == []
    assert lines(run, ferry, "--lang", "es") == ["- Sal ahora se llama Sal gema"]
    assert changes(run, FERRY, str(ferry))["enumeration/goods", "salt.es"]["shown"] is False


def test_scenarios_do_not_matter_and_other_errors_do(run: Run, ferry: Path) -> None:
    (ferry / "scenarios").mkdir()
    (ferry / "scenarios" / "broken.yaml").write_text("scenario: nonsense\nplayers: many\n", "utf-8")
    assert run("diff", FERRY, str(ferry)).code == 0
    edit(ferry, "flow.yaml", "crossings += 1", "crossing += 1")
    ran = run("diff", FERRY, str(ferry))
    assert (ran.code, ran.out) == (1, "")
    assert "`crossing`" in ran.err
    assert ran.err.endswith(f"{ferry} cannot be compared until its errors are fixed\n")


def test_something_to_compare_with(run: Run) -> None:
    ran = run("diff", FERRY)
    assert (ran.code, ran.out) == (2, "")
    assert "--with PACK" in ran.err


# ------------------------------------------------------------------ as data

def test_places_and_reasons(run: Run) -> None:
    found = changes(run, FERRY, "--with", NIGHT)
    coins = found["value/starting-coins", ""]
    assert (coins["change"], coins["before"], coins["after"]) == ("changed", 3, 4)
    assert (coins["reason"], coins["group"]) == ("Everybody begins with four coins.", "set-up")
    assert coins["from"]["pack"] == "ferry"
    assert coins["from"]["file"].endswith("ferry/pack.yaml")
    assert coins["to"]["pack"] == "night-boat"
    assert coins["to"]["file"].endswith("night-boat/changes.yaml")
    texts = (DIFFS / "night-boat" / "changes.yaml").read_text("utf-8").splitlines()
    assert texts[coins["to"]["line"] - 1] == "set: {was: 3, to: 4}"
    lamp = found["crate/lamp", ""]
    assert (lamp["change"], lamp["before"], lamp["from"]) == ("added", None, None)
    assert lamp["after"]["weight"] == 1
    assert found["verb/load", "around"]["after"] == "if count(hand) < 9: proceed\n"
    assert found["crate/vase", "landing.after"]["change"] == "inserted"
    assert found["phase/market", "steps.free-nights"]["change"] == "inserted"


def test_what_a_text_explains_is_in_the_data_only(run: Run) -> None:
    landing = changes(run, FERRY, "--with", NIGHT)["crate/fleece", "landing"]
    assert (landing["before"], landing["after"], landing["shown"]) == ("coins += 1", "coins += 3", False)


def test_the_head_of_the_data(run: Run) -> None:
    data = json.loads(run("diff", FERRY, "--with", NIGHT, "--format", "json", "--lang", "es").out)
    assert (data["version"], data["language"], data["title"]) == (1, "es", "La barca nocturna")
    assert [one["pack"] for one in data["base"]["packs"]] == ["ferry"]
    assert data["other"]["packs"] == [
        {"pack": "ferry", "version": "1.0.0"}, {"pack": "night-boat", "version": "1.2.0"},
    ]  # fmt: skip


# ------------------------------------------------------------------ words

def test_both_languages_say_the_same_with_the_same() -> None:
    assert MESSAGES["en"].keys() == MESSAGES["es"].keys()
    assert WORDS["en"].keys() == WORDS["es"].keys()
    numbers = {"n": int, "many": int, "last": int}
    for key in MESSAGES["en"]:
        used = [_arguments(MESSAGES[language][key]) for language in LANGUAGES]
        free = {"thing", "about", "parts", *numbers}
        assert used[0] - free == used[1] - free, key
        for language in LANGUAGES:
            known = {name: numbers.get(name, str) for name in used[0] | used[1]}
            assert problems(parse(MESSAGES[language][key]), known, language) == ()


def _arguments(text: str) -> set[str]:
    return {part.name for part in parse(text) if hasattr(part, "name")}


def test_words_in_a_sentence() -> None:
    assert join(["a", "b", "c"], "en") == "a, b and c"
    assert join(["7", "8"], "es", "or") == "7 u 8"
    assert join(["madre", "hija"], "es") == "madre e hija"
    assert join(["una"], "es") == "una"


SHEETS = [
    ("rattus-cartus", "gentle-plague", "en"), ("rattus-cartus", "short-game", "en"),
    ("rattus-cartus", "open-hands", "en"), ("rattus-cartus", "duel", "en"), ("rattus-cartus", "new-town", "en"),
    ("coup", "eight-coins", "es"), ("coup", "court-notary", "es"), ("dominion", "harbour-town", "en"),
    ("dominion", "long-reign", "en"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules", "language"), SHEETS, ids=[rules for _, rules, _ in SHEETS])
def test_sheets_of_shipped_house_rules(
    run: Run, snapshot: SnapshotAssertion, game: str, rules: str, language: str
) -> None:
    ran = run("diff", game, "--with", rules, "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["gentle-plague", "open-hands"])
def test_a_new_line_of_the_log_with_values_is_told_by_its_reason(run: Run, rules: str) -> None:
    """A reader of the sheet would see the values as code."""
    out = run("diff", "rattus-cartus", "--with", rules).out
    assert "The log says" in out
    assert "{" not in out


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_house_rules_have_sentences_for_all_they_do(run: Run, language: str) -> None:
    for name, root in packs.shipped().items():
        head = (root / "pack.yaml").read_text("utf-8").splitlines()
        extends = [line for line in head if line.startswith("extends:")]
        if extends:
            game = extends[0].partition("{")[2].partition(":")[0]
            ran = run("diff", game, "--with", name, "--lang", language, "--format", "json")
            assert ran.code == 0, ran.err
            found = json.loads(ran.out)["changes"]
            assert found, name
            assert not [one["sentence"] for one in found if one["shown"] and one["sentence"].startswith(one["id"])]


# ------------------------------------------------------------------ nothing is hidden

def ferry_side() -> DiffSide:
    return side("ferry", packs.load_pack_set(packs.read_pack_set(FERRY, scenarios=False), playable=False))


THE_FERRY = ferry_side()


def leaves(node: Node, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    """All values of a thing by their paths; of lists only those of steps are looked into."""
    if isinstance(node, MappingNode):
        return {p: v for entry in node.entries for p, v in leaves(entry.value, (*path, entry.key.text)).items()}
    if isinstance(node, List) and any(step_id(item) for item in node.items):
        return {p: v for item in node.items for p, v in leaves(item, (*path, step_id(item) or "")).items()}
    return {path: plain(node)}


class Version:
    """A side that shows as its things, where a test fails."""

    def __init__(self, side: DiffSide) -> None:
        self.side = side

    def __repr__(self) -> str:
        changed = {id_: thing for id_, thing in self.side.things.items() if thing != THE_FERRY.things.get(id_)}
        gone = [id_ for id_ in THE_FERRY.things if id_ not in self.side.things]
        return repr(({id_: plain(thing.node) for id_, thing in changed.items()}, gone))


@st.composite
def edited(draw: st.DrawFn) -> Version:
    """The game after some edits: values that are others, are new, or are gone; things that are new or gone."""
    things = dict(THE_FERRY.things)
    for _ in range(draw(st.integers(1, 4))):
        id_ = draw(st.sampled_from(sorted(things)))
        thing = things[id_]
        path = draw(st.sampled_from(sorted(leaves(thing.node))))
        new = draw(nodes(thing))
        match draw(st.sampled_from(["set", "set", "set", "drop", "add", "remove thing", "add thing"])):
            case "set":
                things[id_] = evolve(thing, node=replaced(thing.node, path, new))
            case "drop" if path:
                things[id_] = evolve(thing, node=replaced(thing.node, path, None))
            case "add" if isinstance(thing.node, MappingNode):
                word = draw(st.sampled_from(["seen-by", "copies", "text", "when", "brand-new"]))
                node = replaced(thing.node, (word,), new, ScalarNode(word, word, thing.span))
                things[id_] = evolve(thing, node=node)
            case "remove thing":
                del things[id_]
            case "add thing":
                things[f"{id_}-too"] = evolve(thing, id=f"{id_}-too", key=f"{thing.key}-too")
    return Version(evolve(THE_FERRY, things=things))


def nodes(thing: ComparedThing) -> st.SearchStrategy[Node]:
    """Something that could be written, whether or not it would be right there."""

    def scalar(value: Any) -> ScalarNode:
        return ScalarNode(value, str(value).lower() if isinstance(value, bool) else str(value), thing.span)

    values = st.one_of(st.integers(-2, 12), st.booleans(), st.sampled_from(["all", "hand", "draw {2}", "a\nb"]))
    scalars = values.map(scalar)
    lists = st.lists(scalars, max_size=3).map(lambda items: List(tuple(items), thing.span))
    mappings = st.dictionaries(st.sampled_from(["en", "es", "default", "id", "do"]), scalars, min_size=1).map(
        lambda found: MappingNode(
            tuple(MappingEntry(scalar(key), value) for key, value in found.items()), thing.span
        )
    )
    return st.one_of(scalars, lists, mappings)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=80)
@given(edited(), edited())
def test_every_difference_is_told(older: Version, newer: Version) -> None:
    one, two = older.side, newer.side
    for language in LANGUAGES:
        told = tell(one, two, differences(one, two), language)
        names = DiffNames(one, two, language)
        shown = sheet(one, two, told, names, None)
        assert as_text(shown, 80)
        assert as_markdown(shown)
        data = data_of(one, two, told, names, None)
        json.dumps(data)
        assert all(change["sentence"] for change in data["changes"])
        paths = [(change["id"], change["path"].split(".") if change["path"] else []) for change in data["changes"]]
        for id_ in {*one.things, *two.things}:
            for path in unequal(one.things.get(id_), two.things.get(id_)):
                assert any(one == id_ and covers(told_path, path) for one, told_path in paths), (id_, path, paths)


def covers(told: list[str], path: tuple[str, ...]) -> bool:
    """Whether a path leads to another, to what that is in, or to a part of it. Steps without an id are called by
    numbers.
    """
    return all(one == two or (not two and one.isdigit()) for one, two in zip(told, path, strict=False))


def unequal(old: ComparedThing | None, new: ComparedThing | None) -> list[tuple[str, ...]]:
    """The paths at which two states of a thing differ, but for what no player is told."""
    if old is None or new is None:
        return [()]
    sides = [leaves(thing.node) for thing in (old, new)]
    nowhere = object()
    paths = {**sides[0], **sides[1]}
    different = [path for path in paths if sides[0].get(path, nowhere) != sides[1].get(path, nowhere)]
    ignored = (*IGNORED, *IGNORED_OF_PACKS) if new.sort == "pack" else IGNORED
    return [path for path in different if not set(path[:1]) & set(ignored) and not silent(new, path, sides)]


def silent(thing: ComparedThing, path: tuple[str, ...], sides: list[dict[tuple[str, ...], object]]) -> bool:
    """Whether a crate only says what holds for crates anyway."""
    usual = {("fragile",): False, ("handling",): 1, ("copies",): 3}
    values = [side.get(path, usual.get(path)) for side in sides]
    return thing.sort == "crate" and path in usual and values[0] == values[1]
