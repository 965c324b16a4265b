"""Many games at one table, and their tally."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from interpreter.errors import RuleError
from interpreter.game import RuleFault
from interpreter.view import result
from ruleset.table import Source, TableProgram
from tools.playing import Table, player
from tools.seats import RANDOM
from tools.tally import Columns, Ended, Failed, Tally
from tools.workers import play_all

Outcome = Ended | Failed


@frozen
class Batch:
    """Games 0 to `games` - 1 of a seed at one table. Without `seats`, all are random."""

    program: TableProgram
    games: int
    seed: int
    backend: str = "python"
    seats: tuple[str, ...] = ()
    usage: bool = False

    def empty(self) -> Tally:
        return Tally(self.program.seats)

    def player(self) -> Callable[[int], Outcome]:
        seats = self.seats or (RANDOM,) * self.program.seats
        return outcomes(Table(self.program, seats, self.seed, self.backend, self.usage))

    def count(self, tally: Tally, game: int, outcome: Outcome) -> None:
        tally.take(game, outcome)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)


def outcomes(table: Table, tracks: bool = True) -> Callable[[int], Outcome]:
    """Plays a game of a table by its number: how it ended, with tracks or without; or which rule failed."""
    program, play = table.program, player(table)
    addresses = Columns(program).addresses if tracks else []

    def outcome(game: int) -> Outcome:
        try:
            played = play(game)
        except RuleError as error:
            source = program.sources[error.at] if 0 <= error.at < len(program.sources) else None
            return _failed(error.code, source)
        except RuleFault as fault:
            return _failed(fault.code, fault.source)
        ended = result(program, played.state)
        assert ended is not None
        cells = tuple(played.state[address] for address in addresses)
        return Ended(ended.winners, ended.scores, played.decisions, cells, played.use)

    return outcome


def _failed(code: str, source: Source | None) -> Failed:
    place = str(source.span) if source and source.span.path else ""
    if source and source.pack:
        place = f"{place} of {source.pack}"
    return Failed(code, source.name if source else "", place)


def play_batch(batch: Batch, jobs: int, told: Callable[[Tally], None]) -> tuple[Tally, bool]:
    """Plays a batch; `told` gets the tally so far. Gives the tally and whether it was stopped by an interrupt."""
    tally, interrupted = play_all(batch, jobs, told)
    tally.failed.sort()
    return tally, interrupted
