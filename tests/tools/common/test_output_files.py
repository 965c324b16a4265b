"""Commands that write a file: an earlier output is replaced, any other file is kept and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run

PACK = str(ROOT / "tests" / "packs" / "bazaar")
SIMULATE = ("simulate", PACK, "-n", "2", "--jobs", "1")
FOREIGN = b"pack: pond\nplayers: 2\n"


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ((*SIMULATE, "--out"), "rows.csv"),
        (("print", PACK, "--rules", "-o"), "rules.pdf"),
        (("print", PACK, "--once", "-o"), "mine.yaml"),
        pytest.param(("print", PACK, "--tabletop-simulator", "-o"), "deck.png", marks=pytest.mark.slow),
        pytest.param(
            ("balance", "quarry", "--worlds", "2", "--jobs", "1", "-o"), "report.md", marks=pytest.mark.slow
        ),
        pytest.param(
            ("balance", "quarry", "--worlds", "2", "--jobs", "1", "-o"), "report.json", marks=pytest.mark.slow
        ),
        pytest.param(
            ("balance", "quarry", "--worlds", "2", "--jobs", "1", "-o"), "report.html", marks=pytest.mark.slow
        ),
    ],
)
def test_another_file_is_kept_and_an_earlier_output_replaced(run: Run, command: tuple[str, ...], file: str) -> None:
    named = [str(ROOT / "tests/tools/balance/quarry") if part == "quarry" else part for part in command]
    Path(file).write_bytes(FOREIGN)
    ran = run(*named, file)
    assert ran.code == 2
    assert f"{command[-1]} {file}: the file exists and is not an earlier output of this command" in ran.err
    assert Path(file).read_bytes() == FOREIGN
    Path(file).unlink()
    assert run(*named, file).code == 0
    assert run(*named, file).code == 0, "its own output is replaced"
    Path(file).write_bytes(b"")
    assert run(*named, file).code == 0, "an empty file holds nothing"


def test_files_beside_the_one_that_is_named_are_kept(run: Run) -> None:
    Path("rows.definitions.csv").write_bytes(FOREIGN)
    ran = run(*SIMULATE, "--usage", "--out", "rows.csv")
    assert (ran.code, "--out rows.definitions.csv: the file exists" in ran.err) == (2, True)
    assert Path("rows.definitions.csv").read_bytes() == FOREIGN
    assert not Path("rows.csv").exists()


@pytest.mark.slow
def test_the_saved_object_beside_the_images_is_kept(run: Run) -> None:
    Path("deck.json").write_bytes(b'{"mine": 1}\n')
    ran = run("print", PACK, "--tabletop-simulator", "-o", "deck.png")
    assert (ran.code, "-o deck.json: the file exists" in ran.err) == (2, True)
    assert not Path("deck.png").exists()
    assert Path("deck.json").read_bytes() == b'{"mine": 1}\n'
