"""The logs of a game at the terminal: one for each reader, told as the game goes on."""

from __future__ import annotations

from attrs import define, field

from interpreter.game.game import Game
from tools.display.game_log import Chronicle, Line
from tools.display.screen import Screen
from tools.packs.naming import Naming


@define
class Log:
    """The log for one reader, and how many events it has told."""

    chronicle: Chronicle
    screen: Screen
    told: int = 0
    lines: list[Line] = field(factory=list)


@define
class Telling:
    """What has been told, and to whom. `None` reads everything."""

    game: Game
    naming: Naming
    language: str
    _logs: dict[int | None, Log] = field(init=False, factory=dict)

    def log(self, reader: int | None) -> Log:
        """The log of a reader, who begins at the beginning."""
        if reader not in self._logs:
            chronicle = Chronicle(self.game.program, self.naming.texts, self.language, reader, self.naming.layout)
            self._logs[reader] = Log(chronicle, Screen(chronicle.narrator))
        return self._logs[reader]

    def tell(self, reader: int | None, waiting: bool = False) -> None:
        """Shows what has happened since. `waiting`: lines that what follows may still add to are kept back."""
        log = self.log(reader)
        events = self.game.events(since=log.told)
        log.told += len(events)
        lines = log.chronicle.tell(events)
        if not waiting:
            lines += log.chronicle.rest()
        log.lines += lines
        log.screen.lines(lines)

    def anew(self, game: Game, naming: Naming) -> None:
        """Goes on with another course of the game: what it has told counts as told to all readers so far."""
        self.game, self.naming = game, naming
        for reader in [*self._logs]:
            del self._logs[reader]
            log = self.log(reader)
            events = game.events()
            log.lines += [*log.chronicle.tell(events), *log.chronicle.rest()]
            log.told = len(events)
