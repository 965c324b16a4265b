"""The page that follows one sentence is up to date, and names few files and functions, all existing."""

from __future__ import annotations

import re

from rulewright.tools.generate import sentence_life
from rulewright.tools.generate.__main__ import main
from tests.tools.harness import ROOT

NAMED = re.compile(r"`((?:ruleset|interpreter|schemas|tools|tests)/[\w/]+\.\w+)`(?:\s\(([^)]+)\))?")


def test_the_page() -> None:
    assert main(["--check", "life"]) == 0
    named = NAMED.findall(sentence_life.PAGE.read_text("utf-8"))
    assert 10 < len({path for path, _ in named}) <= 25
    for path, names in named:
        code = (ROOT / path).read_text("utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^ *(def |class |static .*\b){name}\b", code, re.MULTILINE), f"no {name} in {path}"
