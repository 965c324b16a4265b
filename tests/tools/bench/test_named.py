"""Plants with their answers, and what counts as right."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.tools.bench.named import NamedPlant, PlantAnswer, line, main, met, names, planted, read, summary
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from tests.tools.balance.test_study import QUARRY, studied

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


def found(*names: str, answer: str = "") -> NamedPlant:
    wanted = {answer: "strong"} if answer else {}
    return NamedPlant(PlantAnswer("quarry", "plant", "", wanted), dict.fromkeys(names, "strong"), 100, 1.0)


def test_there_are_enough_plants_and_controls() -> None:
    plants = [one for file in ANSWERS for one in read(file)]
    assert sum(bool(one.names) for one in plants) >= 12
    for file in ANSWERS:
        assert any(not one.names and not one.rules for one in read(file)), f"{file.name} has the untouched pack"
    assert {"strong", "weak"} == {says for one in plants for says in one.names.values()}


@pytest.mark.parametrize("file", ANSWERS, ids=lambda file: file.stem)
@pytest.mark.slow
def test_each_plant_changes_the_pack(file: Path, tmp_path: Path) -> None:
    untouched = loading.compile_pack(read(file)[0].pack).program
    for number, one in enumerate(read(file)):
        folder = tmp_path / str(number)
        folder.mkdir()
        program = loading.compile_pack(planted(one, folder)).program
        assert (program != untouched) == bool(one.rules), one.name
        known = {f"{each.kind}/{each.key}" for each in program.definitions} | {
            f"{kind}/{key}" for kind, keys in loading.table(program, 2, ()).definitions for key in keys
        }
        assert set(one.names) <= known, one.name


def test_a_plant_is_right_if_it_alone_is_named() -> None:
    assert found("stone/slate", answer="stone/slate").right
    assert not found(answer="stone/slate").right
    assert not found("stone/slate", "stone/chalk", answer="stone/slate").right
    assert found().right
    assert not found("stone/chalk").right


def test_bars() -> None:
    """Of six plants, five must be named; no control may be."""
    good, bad = found("stone/slate", answer="stone/slate"), found(answer="stone/slate")
    assert met([*[good] * 5, bad, found()])
    assert not met([*[good] * 4, bad, bad])
    assert not met([*[good] * 6, found("stone/chalk")])
    assert list(summary([good, bad, found()])) == ["named: 1 of 2", "controls of which nothing is named: 1 of 1"]


def test_what_is_named_is_what_the_report_says() -> None:
    weighed = studied().weighed
    strange = evolve(studied(), weighed=tuple(
        evolve(one, stands_out=says) for one, says in zip(weighed, ("strong", "unplayed", ""), strict=True)
    ))  # fmt: skip
    assert names(strange) == {weighed[0].subject.name: "strong"}
    assert "stone/slate strong" in line(found("stone/slate")) and "WRONG" in line(found("stone/slate"))


def test_a_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text("pack: x", "utf-8")
    with pytest.raises(Usage, match="is no file of answers"):
        read(file)


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of three stones none can stand out: the control is right, and the plant is not named."""
    file = tmp_path / "answers.yaml"
    file.write_text(HEAVY.format(pack=QUARRY), "utf-8")
    assert main([str(file), "--worlds", "40", "--jobs", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [each.split()[-4] for each in lines[1:3]] == ["right", "WRONG"]
    assert lines[3:] == ["named: 0 of 1", "controls of which nothing is named: 1 of 1"]
