"""The log does not depend on how its events are split between calls, nor on when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rulewright.interpreter.state.events import Event
from rulewright.tools.browser.drawing.eyes import SPECTATOR, WITNESS, Eyes, eyes_of
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.display.game_log import GameLogLine
from tests.browser.tables import SHIPPED, played, seated

ANSWERS = 35
SPLITS = 4


def whole(eyes: Eyes, events: Sequence[Event]) -> tuple[list[GameLogLine], str]:
    """The log of all events in one call, with the position at its end."""
    log = eyes.chronicle()
    lines = [*log.tell(eyes.readable(events)), *log.pending()]
    return lines, log.position.title


def eyes_at(table: HostedTable, seat: int) -> Eyes:
    rules = table.rules
    game, names = table.course.game, table.spec.names
    return eyes_of(game, rules.naming, rules.faces, rules.language, seat, names, rules.public)


def shown(lines: Sequence[GameLogLine]) -> list[tuple[str, str, int]]:
    return [(line.sort, line.text, line.actor) for line in lines]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("pack", SHIPPED)
def test_any_split_tells_the_same(pack: str, language: str) -> None:
    random = Random(f"{pack} {language}")
    table = seated(pack, seed=random.randrange(1000), language=language)
    for _ in played(table, ANSWERS, random):
        pass
    events = table.course.game.events()
    for seat in (*range(table.rules.program.seats), SPECTATOR, WITNESS):
        eyes = eyes_at(table, seat)
        expected, position = whole(eyes, events)
        assert expected and not any(line.text.startswith("·") for line in expected)
        for _ in range(SPLITS):
            log, lines = eyes.chronicle(), list[GameLogLine]()
            cuts = sorted(random.randrange(len(events) + 1) for _ in range(random.choice((1, 5, 40))))
            for start, end in zip((0, *cuts), (*cuts, len(events)), strict=True):
                lines += log.tell(eyes.readable(events[start:end]))
                if random.random() < 0.3:
                    assert shown([*lines, *log.pending()]) == shown(whole(eyes, events[:end])[0])
                    assert log.position.title == whole(eyes, events[:end])[1]
            assert shown([*lines, *log.pending()]) == shown(expected)
            assert log.position.title == position


@pytest.mark.parametrize("pack", SHIPPED)
def test_reading_ahead_changes_nothing(pack: str) -> None:
    """Reading the pending lines after every event changes no later line."""
    random = Random(pack)
    table = seated(pack, seed=3)
    for _ in played(table, 25, random):
        pass
    events = table.course.game.events()
    for seat in (0, SPECTATOR):
        reader = table.reader(seat).eyes
        curious, patient = reader.chronicle(), reader.chronicle()
        lines = list[GameLogLine]()
        for event in reader.readable(events):
            lines += curious.tell([event])
            curious.pending()
            _ = curious.position
        assert shown([*lines, *curious.rest()]) == shown([*patient.tell(reader.readable(events)), *patient.rest()])


def test_rest_ends_a_line() -> None:
    """After a pause the next event begins a new line, though it would have been added to the one before."""
    table = seated("tutorial", seed=1)
    for _ in played(table, 8, Random(1)):
        pass
    eyes = table.reader(0).eyes
    events = eyes.readable(table.course.game.events())
    log = eyes.chronicle()
    lines = [*log.tell(events), *log.rest()]
    assert log.pending() == [] and log.rest() == []
    assert shown(lines) == shown(whole(eyes, table.course.game.events())[0])
