"""Scenarios that check the name of the result of a game.

The pack `verdict` has the results `loyal`, `revolt`, and `stalemate`; with `hung` there may be none.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.harness import Run

VERDICT = Path(__file__).parents[2] / "packs" / "verdict"

ENDS = """\
scenario: The votes are counted
players: [ann, ben]
options: {hung: %s}
given: {phase: vote.count, turn: ann, crowns: %d, mobs: %d, turns: 5, ann: {loyal: crown}, ben: {loyal: mob}}
then:
  - result: %s
"""


@pytest.mark.parametrize(
    ("hung", "crowns", "mobs", "expected", "found"),
    [
        ("false", 3, 2, "loyal", ""),
        ("false", 2, 2, "revolt", ""),
        ("false", 1, 1, "stalemate", ""),
        ("true", 1, 1, "none", ""),
        ("false", 2, 2, "loyal", "expected the result `loyal`|found: `revolt`"),
        ("false", 2, 2, "none", "expected no result|found: `revolt`"),
        ("true", 1, 1, "stalemate", "expected the result `stalemate`|found: no `winner` document decided"),
    ],
)
def test_the_result_is_that_of_the_first_winner_that_decides(
    run: Run, tmp_path: Path, hung: str, crowns: int, mobs: int, expected: str, found: str
) -> None:
    pack = shutil.copytree(VERDICT, tmp_path / "verdict")
    (pack / "scenarios").mkdir()
    (pack / "scenarios" / "one.yaml").write_text(ENDS % (hung, crowns, mobs, expected), "utf-8")
    ran = run("test", str(pack))
    assert ran.code == (1 if found else 0), ran.out
    for part in filter(None, found.split("|")):
        assert part in ran.out


def test_a_game_that_goes_on_has_no_result_yet(run: Run, tmp_path: Path) -> None:
    pack = shutil.copytree(VERDICT, tmp_path / "verdict")
    (pack / "scenarios").mkdir()
    goes_on = ENDS.replace("turns: 5", "turns: 3") % ("false", 1, 1, "none")
    (pack / "scenarios" / "one.yaml").write_text(goes_on, "utf-8")
    ran = run("test", str(pack))
    assert ran.code == 1 and "the game is not over" in ran.out
