"""Plain tables and wrapped text equal those of rich, without importing it."""

from __future__ import annotations

import io
import random

import pytest
from rich.console import Console
from rich.table import Table as Rich

from rulewright.tools.common import output as plain
from rulewright.tools.common.output import StyledText, TextTable, broken


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(*parts: str | StyledText | TextTable, terminal: bool = False) -> str:
    stream = Terminal() if terminal else io.StringIO()
    plain.write(parts, stream)
    return stream.getvalue()


def by_rich(*parts: str | Rich) -> str:
    stream = io.StringIO()
    console = Console(file=stream, highlight=False, markup=False)
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))


def test_text_is_broken_between_words() -> None:
    assert broken("one two three", 7) == ["one two", "three"]
    assert broken("one two three", 13) == ["one two three"]
    assert broken("a-long-word b", 4) == ["a-long-word", "b"]
    assert broken("", 4) == [""]


def test_a_table() -> None:
    table = TextTable("seat", "wins", "share")
    table.add_row("1", "1207", "60.4%")
    table.add_row("2 greedy", "0", "0.0%", style="bold")
    assert shown("head", "", table) == (
        "head\n\nseat      wins  share\n1         1207  60.4%\n2 greedy     0   0.0%\n"
    )


@pytest.mark.parametrize("seed", range(40))
def test_as_rich_does_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setenv("COLUMNS", str(chance.choice([30, 60, 80, 120])))

    def words(count: int) -> str:
        return " ".join("–x±y"[chance.randrange(4)] * chance.randint(1, 9) for _ in range(count))

    titles = [words(1) for _ in range(chance.randint(1, 7))]
    ours, theirs = TextTable(*titles), Rich(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, title in enumerate(titles):
        first = {"justify": "right"} if place else {"no_wrap": True, "overflow": "fold"}
        theirs.add_column(title, **first)
    for _ in range(chance.randint(0, 4)):
        cells = [words(chance.randint(1, 2)) for _ in titles]
        ours.add_row(*cells)
        theirs.add_row(*cells)
    text = words(chance.randint(1, 25))
    ours_shown = "\n".join(line.rstrip() for line in shown(text, "", ours).split("\n"))
    if max(map(len, text.split())) <= 30:
        assert ours_shown == by_rich(text, "", theirs)


def test_styles_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    part = StyledText("red", "bold red")
    assert shown(part) == "red\n"
    assert shown(part, terminal=True) == "\x1b[1;31mred\x1b[0m\n"
    table = TextTable("a", "b")
    table.add_row("c", "d")
    assert shown(table, terminal=True) == "\x1b[1ma  b\x1b[0m\nc  d\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert shown(part) == "\x1b[1;31mred\x1b[0m\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(part, terminal=True) == "red\n"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert shown(part, terminal=True) == "red\n"


def test_what_may_be_copied_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = io.StringIO()
    plain.write_long([StyledText("  rulewright play some-pack --seed 1", "red")], stream)
    assert stream.getvalue() == "  rulewright play some-pack --seed 1\n"


def test_signs_that_are_wide_are_left_to_rich() -> None:
    table = TextTable("name", "number")
    table.add_row("札", "1")
    theirs = Rich(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    theirs.add_column("name")
    theirs.add_column("number", justify="right")
    theirs.add_row("札", "1")
    assert "\n".join(line.rstrip() for line in shown(table).split("\n")) == by_rich(theirs)
