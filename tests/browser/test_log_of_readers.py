"""The log on a page is that of a reader who comes now, however often and whenever it was drawn before."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.drawing.model import TableDrawing
from rulewright.tools.browser.host.table import HostedTable
from tests.browser.tables import SHIPPED, random_answer, seated


def log_of(drawing: TableDrawing) -> list[tuple[str, list[str]]]:
    return [(part.heading, [line.text for line in part.lines]) for part in drawing.log]


def new_lines(drawing: TableDrawing) -> list[str]:
    return [line.text for part in drawing.log for line in part.lines if line.new]


def fresh(table: HostedTable, seat: int) -> TableDrawing:
    table = seated_again(table)
    return table.draw(seat, whole=True)


def seated_again(table: HostedTable) -> HostedTable:
    other = HostedTable(table.spec, table.rules)
    other.recall(table.entries(0))
    return other


@pytest.mark.parametrize("pack", SHIPPED)
def test_a_reader_who_was_always_there_and_one_who_comes_now(pack: str) -> None:
    random = Random(pack)
    table = seated(pack, seed=9)
    readers = (*range(table.rules.program.seats), SPECTATOR)
    for number in range(24):
        asked = sorted(decision.seat for decision in table.course.game.decisions)
        if not asked:
            break
        random_answer(table, random.choice(asked), random)
        for seat in readers:
            if random.random() < 0.6:  # some pages are loaded seldom
                drawn = table.draw(seat, whole=True)
                if number % 6 == 5:
                    assert log_of(drawn) == log_of(fresh(table, seat))
    for seat in readers:
        assert log_of(table.draw(seat, whole=True)) == log_of(fresh(table, seat))


def test_what_was_there_at_the_own_answer_is_not_new() -> None:
    """After an answer only the last line, which may go on, is new; what others do later is."""
    table, random = seated("tutorial", seed=2), Random(2)
    for _ in range(12):
        seat = table.course.game.decisions[0].seat
        random_answer(table, seat, random)
        assert len(new_lines(table.draw(seat, whole=True))) <= 1
    other = table.course.game.decisions[0].seat
    random_answer(table, other, random)
    assert new_lines(table.draw(1 - other, whole=True))
