"""A bar on stderr for what takes long, where that is a terminal."""

from __future__ import annotations

import sys


class Progress:
    """Tells how many of a number of games are done, and how long the rest may take."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._bar = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
            # No thread of its own: processes may still be forked, and the tally tells it often enough.
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("games", total=self._games)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def done(self, games: int) -> None:
        """So many are done by now."""
        if self._bar is not None:
            self._bar.update(self._task, completed=games, refresh=True)
