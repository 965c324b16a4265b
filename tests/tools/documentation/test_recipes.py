"""The recipes for extending the code work: each is followed in a copy of the repository.

A fence with a file is the text of a new file or, as a `diff`, lines of one that change (see `pages`). Of `console`
the commands are run, and print what stands below them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.tools.harness import ROOT
from tests.tools.pages import Listing, missing, write

PAGE = ROOT / "docs" / "how-to" / "extend-the-code.md"
FOLDERS = ("ruleset", "interpreter", "tools", "tests", "schemas", "content", "docs")
_IGNORED = shutil.ignore_patterns("__pycache__")
ALL_FOLDERS = ("src", *FOLDERS)
"""What is copied: `src/rulewright` makes the folders of the copy the package that its commands import."""
_FENCE = re.compile(r"^( *)```(\S+)(?: ([^\n]+))?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r" +# exit code (\d)$")
RECIPES = dict(re.findall(r"^## Recipe: ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S))
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
MOST = {
    "a verb of the kernel with a node of its own": 8,
    "a function of the language": 6,
    "a key of a document": 3,
    "a kind of document": 8,
}
"""Files that a recipe may touch; of all others it is two."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ALL_FOLDERS:
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=_IGNORED)
    for file in ROOT.glob("*.*"):
        if file.is_file():
            shutil.copy(file, folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES)
def test_recipe(recipe: str, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copy)
    changed: set[str] = set()
    for fence in _FENCE.finditer(RECIPES[recipe]):
        listing = Listing(fence[2], fence[3] or "", dedent(fence[4]), f"recipe {recipe}", recipe)
        if listing.more:
            write(listing, FOLDERS)
            changed.add(listing.more)
        else:
            assert listing.kind == "console", listing.place
            for part in re.split(r"^\$ ", listing.text, flags=re.MULTILINE)[1:]:
                _compare(part, listing.place)
    said = RECIPES[recipe].lstrip().split(" ", 1)[0].lower()
    own = [path for path in changed if not path.startswith("tests/")]
    assert len(own) <= MOST.get(recipe, 2)
    assert said == NUMBERS[len(own)], f"{recipe}: {len(own)} files, and not {said}: {own}"


def _compare(part: str, place: str) -> None:
    """Runs a command, and compares its exit code and what it prints."""
    line, *shown = part.splitlines()
    code = _CODE.search(line)
    program, *arguments = shlex.split(_CODE.sub("", line))
    console = ["-m", "rulewright"]
    words = [sys.executable, *(console if program == "rulewright" else ()), *arguments]
    source = os.path.join(os.getcwd(), "src")
    environment = {**os.environ, "PYTHONPATH": source, "COLUMNS": "80", "RULEWRIGHT_NO_CACHE": "1"}
    for name in ("PYTHONDONTWRITEBYTECODE", "RULEWRIGHT_CC"):
        environment.pop(name, None)
    ran = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300)
    assert ran.returncode == int(code[1] if code else 0), f"{place}: {line}\n{ran.stdout}{ran.stderr}"
    lost = missing(tuple(shown), ran.stdout)
    assert lost is None, f"{place}: {line} does not print\n{lost}\nbut\n{ran.stdout}{ran.stderr}"


def test_all_recipes_are_there() -> None:
    verbs = {"a verb of the kernel from existing nodes", "a verb of the kernel with a node of its own"}
    more = {"a key of a document", "a kind of document", *verbs}
    assert set(RECIPES) == {"a command", "a format of findings", "a function of the language", *more}
