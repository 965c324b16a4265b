"""Small packs, each one text: what a reader finds in them, and games of them on both backends at once.

    PACK = Course(HEAD)                                   # HEAD declares the numbers `sum` and `rounds`
    assert PACK.started("sum = 2").number("sum") == 2
    assert "there is no verb `digg`" in messages(changed(TEXT, "dig", "digg"))
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import indent

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.nodes import TableProgram
from tests.positions import Table


@cache
def _loaded(text: str) -> Loaded:
    return load_files(PackFiles(Path("small"), (("pack.yaml", text.encode()),)))


def findings(text: str) -> tuple[Diagnostic, ...]:
    """All findings in a pack."""
    return _loaded(text).findings


def messages(text: str) -> list[str]:
    """What the findings in a pack say."""
    return [one.message for one in findings(text)]


def changed(text: str, before: str, now: str) -> str:
    """A text with other words in the first place where these are, which must be there."""
    assert before in text
    return text.replace(before, now, 1)


def pack_in(text: str) -> Program:
    """A pack, which must have no errors; warnings do not matter."""
    errors = [one for one in findings(text) if is_error(one)]
    program = _loaded(text).program
    assert program is not None and not errors, errors
    return program


@cache
def _lowered(text: str, seats: int, options: tuple[tuple[str, str], ...]) -> TableProgram:
    return lower(pack_in(text), seats, dict(options))


def lowered(text: str, seats: int = 2, **options: str) -> TableProgram:
    """A pack lowered for a table, with these options."""
    return _lowered(text, seats, tuple(sorted(options.items())))


def started(text: str, seats: int = 2, **options: str) -> Table:
    """A new game of a pack, played up to its first choice."""
    return Table.start(lowered(text, seats, **options))


def turns(table: Table, *answers: tuple[int, str]) -> None:
    """Each seat is asked in this order, alone, and chooses an option."""
    for seat, option in answers:
        assert [asked for asked, _ in table.asked] == [seat], option
        table.answer(seat, table.asked[0][1], option)


COURSE = """\
---
setup: begin
steps:
  - id: fill
    do: |
{begin}
---
round: turn
turns-from: first of players
until: {until}
steps:
  - id: act
{act}
---
finish: end
---
winner: one
among: players
"""


@frozen
class Course:
    """A pack with a simple course: a set-up, and a round of turns, each of one step, until a condition holds.

    `head` has all other documents of the pack. A test says what the set-up does, and what a step of the turns says.
    """

    head: str
    seats: int = 2
    until: str = "rounds > 0"

    def text(self, begin: str = "do nothing", act: str = "do: rounds += 1") -> str:
        """The whole pack."""
        begin, act = indent(begin.rstrip("\n"), " " * 6), indent(act.rstrip("\n"), " " * 4)
        return self.head + COURSE.format(begin=begin, until=self.until, act=act)

    def started(self, begin: str = "do nothing", act: str = "do: rounds += 1") -> Table:
        """A new game, after its set-up."""
        return started(self.text(begin, act), self.seats)
