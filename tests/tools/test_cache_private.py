"""Findings and tables of a cache folder that others can write to are neither read nor written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.cache_folder import private
from tests.tools.harness import Run


def test_a_folder_of_ours_alone_is_private(tmp_path: Path) -> None:
    place = tmp_path / "own"
    place.mkdir(mode=0o700)
    assert private(str(place))
    assert not private(str(tmp_path / "missing"))


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_write_to_is_not(tmp_path: Path, mode: int) -> None:
    place = tmp_path / "open"
    place.mkdir()
    place.chmod(mode)
    assert not private(str(place))


def test_a_link_is_not(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    assert not private(str(tmp_path / "link"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not(tmp_path: Path) -> None:
    place = tmp_path / "theirs"
    place.mkdir(mode=0o700)
    os.chown(place, 12345, 12345)
    assert not private(str(place))


def test_validating_leaves_an_open_folder_alone(run: Run, pack: Path) -> None:
    """The folder is made for its user alone; once others can write to it, no findings are kept in it."""
    place = Path(os.environ["RULEWRIGHT_CACHE"])
    assert run("validate", str(pack)).code == 0
    assert place.stat().st_mode & 0o777 == 0o700
    (kept,) = place.glob("*.findings")
    kept.unlink()
    place.chmod(0o777)
    assert run("validate", str(pack)).code == 0
    assert not [*place.glob("*.findings")]
