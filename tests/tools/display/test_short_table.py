"""The short table: what has changed since the last decision, and what the question needs."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.display.screen import _labelled, draw
from rulewright.tools.display.table_content import TableContent, TablePart, sheet_of
from rulewright.tools.playing.human_turn import HumanDecision, Person, ShownBefore
from tests.positions import Table, hand, program_of
from tests.tools.display.test_table import BAZAAR, bazaar, naming_of, screen_of, written


class Watcher:
    """A person at one seat, who is shown each decision."""

    def __init__(self, table: Table, seat: int, width: int = 80, language: str = "en", memory: bool = True) -> None:
        self.table, self.seat, self.width, self.language, self.memory = table, seat, width, language, memory
        self.shown = ShownBefore()

    def sees(self, typed: str = "") -> str:
        """What is drawn at the seat's open decision, and after this command."""
        screen = screen_of(self.table, BAZAAR, self.seat, self.width, self.language)
        naming = naming_of(BAZAAR, self.table.program.seats)
        log = Chronicle(self.table.program, naming.texts, self.language, self.seat)
        lines = [*log.tell(self.table.game.events()), *log.rest()]
        commands = iter([typed, "u"] if typed else ["u"])
        screen.console.input = lambda *_, **__: next(commands)
        own = next(one for one in self.table.game.decisions if one.seat == self.seat)
        person = Person(screen, naming, shown=self.shown, memory=self.memory)
        person.ask(HumanDecision(self.table.game, own, log.position, lines))
        return written(screen)

    def table_lines(self, typed: str = "") -> list[str]:
        """The lines before the question."""
        drawn = self.sees(typed).split("\n")
        question = max(n for n, line in enumerate(drawn) if line.startswith("  1 "))
        return [line for line in drawn[:question] if line][:-1]


@pytest.mark.parametrize(("width", "language"), [(80, "en"), (80, "es"), (40, "en"), (40, "es")])
def test_the_second_drawing(width: int, language: str, snapshot: SnapshotAssertion) -> None:
    table = bazaar()
    watcher = Watcher(table, 0, width, language)
    watcher.sees()
    table.arrange(zones={"shelf": ["1-red"], hand(0): ["3-blue", "3-blue", "5-red"]}, tracks={("coins", 1): 9})
    assert watcher.sees() == snapshot


def test_the_cards_of_the_options_are_needed() -> None:
    """A card is sold from the hand: the hand is there, the coins of all, which nobody has changed, are not."""
    table = bazaar()
    watcher = Watcher(table, 0)
    watcher.sees()
    table.answer(0, "turn.act.choice", "sell")
    lines = watcher.table_lines()
    assert any(line.startswith("Your hand") for line in lines)
    assert not any(line.startswith(("Shelf", "Coins", "Deck")) for line in lines), lines


def test_everything_is_shown_on_demand_and_to_another_person() -> None:
    table = bazaar()
    watcher = Watcher(table, 0)
    watcher.sees()
    assert "The merchants" not in watcher.sees()
    assert "The merchants" in watcher.sees("v")
    watcher.shown.sheet = None
    assert "The merchants" in watcher.sees()


def test_a_row_that_has_become_empty_is_shown_once() -> None:
    table = bazaar()
    watcher = Watcher(table, 0)
    watcher.sees()
    table.arrange(zones={"shelf": []}, tracks={("debt", 0): 0})
    assert any(line.split()[:2] == ["Shelf", "–"] for line in watcher.table_lines())
    assert "Shelf" not in watcher.sees()
    assert "Shelf" not in watcher.sees("v").split("\n", 3)[3]


def test_rows_and_own_zones_that_have_become_empty_are_left_out() -> None:
    """Unless the question needs the row."""
    table = bazaar()
    before = drawn(table, None, frozenset())
    assert "Coins" in before
    last = sheet(table)
    table.arrange(zones={hand(0): []}, tracks={("coins", 0): 0, ("coins", 1): 0, ("coins", 2): 0})
    after = drawn(table, last, frozenset())
    assert "Coins" not in after
    assert "Your hand" not in after
    assert after.split("\n")[2].split()[0] == "Hand", after
    assert "Coins" in drawn(table, last, frozenset({"coins"}))


def test_a_needed_row_is_shown_although_a_line_shows_the_own_cards() -> None:
    table = bazaar()
    last, needs = sheet(table), frozenset({f"line/{hand(0)}"})
    table.arrange(zones={hand(0): ["3-blue"]})
    assert not any(line.startswith("Hand") for line in drawn(table, last, needs).split("\n"))
    assert any(line.startswith("Hand") for line in drawn(table, last, needs | {"row/hand"}).split("\n"))


def test_a_name_that_is_too_wide_for_its_row_is_a_line_of_its_own() -> None:
    part = TablePart("row", "row/fame,red", "fame", "red", ("1", "2"), frozenset(), under="Fame")
    assert _labelled([part], 10) == [("Fame (red)", ("1", "2"))]
    assert _labelled([part], 9) == [("Fame", ()), ("  red", ("1", "2"))]


def sheet(table: Table) -> TableContent:
    """What the first seat has seen when it has seen the whole table."""
    screen = screen_of(table, BAZAAR, 0, 80, "en")
    return sheet_of(screen.narrator, screen.glyphs, table.game.view(0), naming_of(BAZAAR, 3).layout)


def drawn(table: Table, last: TableContent | None, needs: frozenset[str]) -> str:
    """A short drawing for the first seat."""
    screen = screen_of(table, BAZAAR, 0, 80, "en")
    draw(screen, table.game.view(0), naming_of(BAZAAR, 3).layout, last, needs)
    return written(screen)


def test_remembered_cards_are_explained_once_and_can_be_left_out() -> None:
    def pried() -> Table:
        table = Table.start(program_of(BAZAAR, 2))
        table.until("turn.act.choice", seat=0)
        table.answer(0, "turn.act.choice", "pry")
        table.until("turn.act.choice", seat=0)
        return table

    table = pried()
    watcher = Watcher(table, 0)
    first, second = watcher.sees(), watcher.sees("v")
    assert "you remember place 1" in first
    assert first.count("--no-memory") == 1
    assert "you remember place 1" in second
    assert "--no-memory" not in second
    assert "remember" not in Watcher(pried(), 0, memory=False).sees()
