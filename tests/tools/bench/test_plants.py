"""Planting faults and changes, and what counts as found or right."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.tools.bench.plants import (
    NamedPlant,
    Plant,
    PlantAnswer,
    PlantedFaults,
    PlantOutcome,
    PlantTotals,
    Version,
    changed,
    filled,
    line_of_answer,
    main,
    met,
    names,
    outcome,
    planted,
    plants,
    read,
    summary_of_answers,
)
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from tests.tools.balance.test_study import QUARRY, studied

PLANTS = Path(__file__).parent / "plants"
FAULTS = """\
pack: {pack}
options: []
kind: stone
files: "*.yaml"
strong:
  texts: {{}}
  numbers:
    worth: {{plus: 3, times: worth, most: 40}}
empty:
  texts: {{}}
  numbers:
    worth: {{}}
"""


def test_a_text_is_indented_as_its_place() -> None:
    assert filled("repeat 0 times:\n  {}\n", "draw 2\nlose 1\n") == "repeat 0 times:\n  draw 2\n  lose 1"
    assert filled("{}\ntake 6 tokens", "draw 2") == "draw 2\ntake 6 tokens"
    assert filled("3 * ({})", "a + b") == "3 * (a + b)"


def test_only_what_changes_is_set() -> None:
    version = Version({"play": "0 * ({})", "ends": "{}"}, {"coins": {"plus": 2, "times": "price", "most": 9}})
    assert changed({"play": "x", "price": 3}, version) == {"play": "0 * (x)", "coins": 6}
    assert changed({"price": 5, "coins": 1}, version) == {"coins": 9}
    assert changed({"price": 0}, version) == {}
    assert changed({"coins": 4}, Version({}, {"coins": {}})) == {"coins": 0}


@pytest.mark.parametrize("file", sorted(PLANTS.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_definition_has_both_versions(file: Path) -> None:
    faults = read(file)
    assert isinstance(faults, PlantedFaults)
    found = list(plants(faults))
    assert len(found) > 20
    assert all(one.fields for one in found)
    assert {one.version for one in found} == {"strong", "empty"}


def test_a_plant_is_found_by_its_rank() -> None:
    """Marble is first and chalk last; with seven stones, the last three would count."""

    def found(key: str, version: str) -> tuple[int | None, bool]:
        one = outcome(studied(), Plant(key, version, {}), ("chalk", "slate", "marble"), 1.0)
        return one.rank, one.found

    assert found("marble", "strong") == (1, True)
    assert found("slate", "strong") == (2, False)
    assert found("chalk", "empty") == (3, True)
    assert found("granite", "strong") == (None, False)
    assert found("granite", "empty") == (None, False)


def test_only_the_three_weakest_count_for_an_empty_version() -> None:
    one = PlantOutcome(Plant("x", "empty", {}), 4, 7, 6, None, (), 100, 1.0, False)
    assert not one.found
    assert evolve(one, rank=5).found


def test_false_alarms_are_about_others() -> None:
    strange = evolve(studied(), weighed=tuple(evolve(one, stands_out="strong") for one in studied().weighed))
    one = outcome(strange, Plant("marble", "strong", {}), ("chalk", "slate", "marble"), 1.0)
    assert one.alarms == ("slate too strong", "chalk too strong")


@pytest.mark.parametrize(
    ("found", "alarms", "met"), [((9, 8), 5, True), ((8, 8), 5, False), ((9, 7), 5, False), ((9, 8), 6, False)]
)
def test_bars(found: tuple[int, int], alarms: int, met: bool) -> None:
    """Of ten each, nine strong and eight empty ones must be found, with five false alarms among a hundred."""
    keys = ("strong", "empty")
    assert PlantTotals(dict(zip(keys, found, strict=True)), dict.fromkeys(keys, 10), alarms, 100).met() is met


def test_a_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "faults.yaml"
    file.write_text("pack: x", "utf-8")
    with pytest.raises(Usage, match="is no file of faults or answers"):
        read(file)


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Slate is worth more than marble once it is four times as heavy; chalk is worth nothing in any case."""
    file = tmp_path / "faults.yaml"
    file.write_text(FAULTS.format(pack=QUARRY).replace("plus: 3", "plus: 19"), "utf-8")
    assert main([str(file), "--worlds", "100", "--jobs", "1", "--only", "slate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:5] == ["slate", "strong", "1", "of", "3"]
    assert lines[-3:-1] == ["strong: 1 of 1 found, 100% (bar 90%)", "empty: 1 of 1 found, 100% (bar 80%)"]


# ------------------------------------------------------------------ answers

ANSWERS = sorted((Path(__file__).parent / "answers").glob("*.yaml"))
HEAVY = """\
pack: {pack}
plants:
  untouched: {{names: {{}}}}
  heavy-slate:
    names: {{stone/slate: strong}}
    rules: |
      change: stone/slate
      set: {{worth: 40}}
"""


def answers(file: Path) -> tuple[PlantAnswer, ...]:
    found = read(file)
    assert isinstance(found, tuple)
    return found


def named(*names: str, answer: str = "") -> NamedPlant:
    wanted = {answer: "strong"} if answer else {}
    return NamedPlant(PlantAnswer("quarry", "plant", "", wanted), dict.fromkeys(names, "strong"), 100, 1.0)


def test_there_are_enough_plants_and_controls() -> None:
    known = [one for file in ANSWERS for one in answers(file)]
    assert sum(bool(one.names) for one in known) >= 12
    for file in ANSWERS:
        assert any(not one.names and not one.rules for one in answers(file)), f"{file.name} has the untouched pack"
    assert {"strong", "weak"} == {says for one in known for says in one.names.values()}


@pytest.mark.parametrize("file", ANSWERS, ids=lambda file: file.stem)
@pytest.mark.slow
def test_each_plant_changes_the_pack(file: Path, tmp_path: Path) -> None:
    untouched = loading.compile_pack(answers(file)[0].pack).program
    for number, one in enumerate(answers(file)):
        folder = tmp_path / str(number)
        folder.mkdir()
        program = loading.compile_pack(planted(one.pack, one.rules, folder)).program
        assert (program != untouched) == bool(one.rules), one.name
        known = {f"{each.kind}/{each.key}" for each in program.definitions} | {
            f"{kind}/{key}" for kind, keys in loading.table(program, 2, ()).definitions for key in keys
        }
        assert set(one.names) <= known, one.name


def test_a_plant_is_right_if_it_alone_is_named() -> None:
    assert named("stone/slate", answer="stone/slate").right
    assert not named(answer="stone/slate").right
    assert not named("stone/slate", "stone/chalk", answer="stone/slate").right
    assert named().right
    assert not named("stone/chalk").right


def test_bars_of_answers() -> None:
    """Of six plants, five must be named; no control may be."""
    good, bad = named("stone/slate", answer="stone/slate"), named(answer="stone/slate")
    assert met([*[good] * 5, bad, named()])
    assert not met([*[good] * 4, bad, bad])
    assert not met([*[good] * 6, named("stone/chalk")])
    told = list(summary_of_answers([good, bad, named()]))
    assert told == ["named: 1 of 2", "controls of which nothing is named: 1 of 1"]


def test_what_is_named_is_what_the_report_says() -> None:
    weighed = studied().weighed
    strange = evolve(studied(), weighed=tuple(
        evolve(one, stands_out=says) for one, says in zip(weighed, ("strong", "unplayed", ""), strict=True)
    ))  # fmt: skip
    assert names(strange) == {weighed[0].subject.name: "strong"}
    told = line_of_answer(named("stone/slate"))
    assert "stone/slate strong" in told and "WRONG" in told


@pytest.mark.slow
def test_the_command_with_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of three stones none can stand out: the control is right, and the plant is not named."""
    file = tmp_path / "answers.yaml"
    file.write_text(HEAVY.format(pack=QUARRY), "utf-8")
    assert main([str(file), "--worlds", "40", "--jobs", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [each.split()[-4] for each in lines[1:3]] == ["right", "WRONG"]
    assert lines[3:] == ["named: 0 of 1", "controls of which nothing is named: 1 of 1"]
