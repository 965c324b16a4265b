"""The logs of a game at the terminal, one per reader, shown as the game goes on."""

from __future__ import annotations

from attrs import define, field

from rulewright.interpreter.game.game import Game
from rulewright.tools.display.game_log import Chronicle, Line
from rulewright.tools.display.screen import Screen
from rulewright.tools.packs.naming import Naming


@define
class Log:
    """The log for one reader, and the number of events shown."""

    chronicle: Chronicle
    screen: Screen
    told: int = 0
    lines: list[Line] = field(factory=list)


@define
class Telling:
    """The logs shown so far. The reader `None` sees everything."""

    game: Game
    naming: Naming
    language: str
    _logs: dict[int | None, Log] = field(init=False, factory=dict)

    def log(self, reader: int | None) -> Log:
        """Return the log of a reader, which starts at the beginning of the game."""
        if reader not in self._logs:
            chronicle = Chronicle(self.game.program, self.naming.texts, self.language, reader, self.naming.layout)
            self._logs[reader] = Log(chronicle, Screen(chronicle.narrator))
        return self._logs[reader]

    def tell(self, reader: int | None, waiting: bool = False) -> None:
        """Show new events. `waiting`: hold back a line that later events may extend."""
        log = self.log(reader)
        events = self.game.events(since=log.told)
        log.told += len(events)
        lines = log.chronicle.tell(events)
        if not waiting:
            lines += log.chronicle.rest()
        log.lines += lines
        log.screen.lines(lines)

    def note(self, reader: int, text: str) -> None:
        """Show a line about no event."""
        log = self.log(reader)
        lines = log.chronicle.note(text)
        log.lines += lines
        log.screen.lines(lines)

    def anew(self, game: Game, naming: Naming) -> None:
        """Continue with another course of the game; treat its events as shown to all readers so far."""
        self.game, self.naming = game, naming
        for reader in [*self._logs]:
            del self._logs[reader]
            log = self.log(reader)
            events = game.events()
            log.lines += [*log.chronicle.tell(events), *log.chronicle.rest()]
            log.told = len(events)
