"""Wrong arguments of loading and lowering give an error that names what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.ruleset import Loaded, TableError, load_pack, lower_program

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tutorial() -> Loaded:
    return load_pack(str(ROOT / "content" / "tutorial"))


def test_a_path_may_be_a_string(tutorial: Loaded) -> None:
    assert tutorial.findings == () and tutorial.program is not None


@pytest.mark.parametrize("path", [str(ROOT / "no such folder"), "a" * 5_000], ids=["no folder", "too long"])
def test_where_there_is_no_pack_is_a_finding(path: str) -> None:
    (finding,) = load_pack(path).findings
    assert finding.code == "RW603"


@pytest.mark.parametrize("path", [None, 3, b"content/tutorial", ["content/tutorial"]], ids=repr)
def test_a_path_is_a_path(path: Any) -> None:
    with pytest.raises(TypeError, match=f"^the path of a pack is a str or a Path, not {type(path).__name__}$"):
        load_pack(path)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"program": None}, TypeError, "the pack has errors .see `Loaded.findings`., so there is no program"),
        ({"program": "tutorial"}, TypeError, "expected a Program .`Loaded.program`., found str"),
        ({"seats": "3"}, TypeError, "`seats` must be a whole number, not str"),
        ({"seats": True}, TypeError, "`seats` must be a whole number, not bool"),
        ({"seats": 2.0}, TypeError, "`seats` must be a whole number, not float"),
        ({"seats": 99}, TableError, "tutorial is for 2 to 5 players, not 99"),
        ({"options": ["deck"]}, TypeError, "`options` must map names to values, both strings; found list"),
        ({"options": {"deck": 1}}, TypeError, "option 'deck': names and values must be strings; found 1"),
        ({"options": {1: "deck"}}, TypeError, "option 1: names and values must be strings"),
        ({"options": {"deck": "x"}}, TableError, "tutorial has no option `deck`"),
    ],
)
def test_a_table_that_cannot_be_lowered(
    tutorial: Loaded, arguments: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        lower_program(**{"program": tutorial.program, "seats": 3, **arguments})
