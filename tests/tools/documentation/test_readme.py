"""The commands of the README work in the order shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run
from tests.tools.pages import served

PAGE = ROOT / "README.md"
LISTINGS = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
FEW = "50"
"""How many games stand for a long simulation."""


def test_the_first_commands() -> None:
    """Set up and play; set up and test. `.ci/run` runs the second."""
    play, test = LISTINGS[:2]
    assert "rulewright validate content" in play and "rulewright play " in play
    assert "-m pytest -n 2" in test


def test_every_way_in_has_commands() -> None:
    assert [len(text.splitlines()) for text in LISTINGS] == [1, 1, 6, 4, 3]


@pytest.mark.slow
def test_the_commands(run: Run) -> None:
    for line in "".join(LISTINGS[2:]).splitlines():
        program, *arguments = shlex.split(line, comments=True)
        assert program == "rulewright"
        if "-n" in arguments:
            arguments[arguments.index("-n") + 1] = FEW
        if ">" in arguments:
            arguments = arguments[: arguments.index(">")]
        if arguments[0] == "serve":
            served(arguments, Path.cwd())
            continue
        ran = run(*arguments, typed="q\n")
        assert ran.code == 0, f"{line}: {ran.out}{ran.err}"


def test_the_games_of_the_table() -> None:
    shown = set(re.findall(r"`rulewright play ([a-z-]+)", PAGE.read_text("utf-8")))
    packs = {path.parent.name: path.read_text("utf-8") for path in (ROOT / "content").glob("*/pack.yaml")}
    assert shown == {name for name, text in packs.items() if not re.search(r"^extends:", text, re.M)}
