"""`rulewright simulate`: many games between bots, counted."""

from __future__ import annotations

import json
import sys
import time

from attrs import frozen

from tools import packs
from tools.batch import Batch, play_batch
from tools.failure import CLEAN, FINDINGS, INTERRUPTED
from tools.simulate_report import report, show
from tools.tally import Tally


@frozen
class Wishes:
    """The arguments of the command."""

    pack: str
    games: int
    players: int | None
    seed: int
    backend: str
    jobs: int
    options: tuple[str, ...]
    as_json: bool


def simulate(wishes: Wishes) -> int:
    """Plays the games and prints the result; 1 says that a rule failed in some of them."""
    program = packs.compile_pack(wishes.pack).program
    players = program.least_players if wishes.players is None else wishes.players
    table = packs.table(program, players, wishes.options)
    batch = Batch(table, wishes.games, wishes.seed, wishes.backend)
    began = time.perf_counter()
    with _Progress(wishes.games) as progress:
        tally, interrupted = play_batch(batch, wishes.jobs, progress.told)
    result = report(batch, tally, time.perf_counter() - began, interrupted)
    if wishes.as_json:
        sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    else:
        show(result)
    if interrupted:
        return INTERRUPTED
    return FINDINGS if tally.failed else CLEAN


class _Progress:
    """A bar on stderr, where that is a terminal."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._bar = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
            # No thread of its own: processes may still be forked, and the tally tells it often enough.
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)

    def __enter__(self) -> _Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("games", total=self._games)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def told(self, tally: Tally) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=tally.games, refresh=True)
