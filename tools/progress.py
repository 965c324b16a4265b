"""How far a long run is: on a terminal a bar on stderr, elsewhere a line there now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

LINE_EVERY = 10.0
"""Seconds. What is done sooner prints no line."""


class Progress:
    """Tells how many of a number of games are done, and how long the rest may take."""

    def __init__(self, games: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._games = games
        self._clock = clock
        self._done = self._told = 0
        self._since = clock()
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
        self._done = games
        if self._bar is not None:
            self._bar.update(self._task, completed=games, refresh=True)
        self.tick()

    def tick(self) -> None:
        """Time has passed."""
        seconds = self._clock() - self._since
        if self._bar is not None or seconds < LINE_EVERY:
            return
        pace = (self._done - self._told) / seconds
        left = f"about {duration((self._games - self._done) / pace)} left" if pace else "no end in sight"
        print(f"{self._done:,} of {self._games:,} games, {_rounded(pace)} games/s, {left}", file=sys.stderr)
        self._told, self._since = self._done, self._clock()

    def note(self, text: str) -> None:
        """Tells something else of the run, one line on stderr."""
        if self._bar is not None:
            self._bar.console.print(f"rulewright: {text}", markup=False, highlight=False)
        else:
            print(f"rulewright: {text}", file=sys.stderr)


def duration(seconds: float) -> str:
    """`40 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def _rounded(pace: float) -> str:
    return f"{pace:,.0f}" if pace >= 10 else f"{pace:.1f}"
