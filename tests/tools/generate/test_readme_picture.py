"""The picture of the README shows what the commands print."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from rich.text import Text

from rulewright.tools.generate.readme_picture import (
    CHARACTER,
    PICTURE,
    ROOT,
    Pane,
    finding,
    generated,
    last_question,
    picture,
    prompt,
    results,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.slow
def test_the_picture_is_up_to_date() -> None:
    assert PICTURE.read_text("utf-8") == generated(), "run `python -m rulewright.tools.generate picture`"


def test_the_readme_shows_it() -> None:
    assert f"]({PICTURE.relative_to(ROOT).as_posix()})" in (ROOT / "README.md").read_text("utf-8")


def test_it_loads_nothing_from_elsewhere() -> None:
    text = PICTURE.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|href|url\(|<script|@import", text)


def drawn(*lines: Text, columns: int = 20) -> list[ElementTree.Element]:
    """The runs of characters of a picture with one pane."""
    root = ElementTree.fromstring(picture(((Pane("a <b>", columns, lines),),), "about"))
    caption, *runs = root.iter(f"{SVG}text")
    assert caption.text == "a <b>" and caption.get("class") == "caption"
    return runs


def test_runs_are_in_their_columns() -> None:
    """Each run has a place and a length of its own, and spaces of two and more divide runs."""
    runs = drawn(Text("ab c   & d"), Text("  x"))
    assert [run.text for run in runs] == ["ab c", "& d", "x"]
    first = float(runs[0].get("x", ""))
    steps = [(float(run.get("x", "")) - first) / CHARACTER for run in runs]
    assert [round(step) for step in steps] == [0, 7, 2]
    assert [round(float(run.get("textLength", "")) / CHARACTER) for run in runs] == [4, 3, 1]
    assert runs[0].get("y") == runs[1].get("y") != runs[2].get("y")


def test_styles_become_classes() -> None:
    runs = drawn(Text.assemble(("error", "bold red"), " of ", ("blue", "bright_blue underline"), (" end", "dim")))
    assert [(run.text, run.get("class")) for run in runs] == [
        ("error", "bold red"),
        ("of", None),
        ("blue", "underline blue"),
        ("end", "dim"),
    ]


def test_a_line_that_is_too_long_is_an_error() -> None:
    with pytest.raises(AssertionError, match="wider than 3 characters: long"):
        drawn(Text("long"), columns=3)


def test_parts_of_the_output() -> None:
    lines = [Text(line) for line in "All\n1\n> 1\nAll\n2\nwhat?\n>\n  Saved.".splitlines()]
    assert [line.plain for line in last_question(lines, "All")] == ["…", "All", "2", "what?", ">"]
    assert finding([*lines[:2], Text(""), *lines]) == lines[:2]
    paced = results([Text("game 1.0.0"), Text("1,200 games in 3.4 s on native: 350 games/s")])
    assert [line.plain for line in paced] == ["game 1.0.0", "1,200 games"]


def test_a_long_command_is_on_two_lines() -> None:
    assert [line.plain for line in prompt("rulewright play x --seed 1", 40)] == ["$ rulewright play x --seed 1"]
    shown = [line.plain for line in prompt("rulewright play x --seed 1 --seats a,b", 30)]
    assert shown == ["$ rulewright play x --seed 1 \\", "    --seats a,b"]
