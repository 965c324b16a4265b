"""Progress of a long run: a bar on stderr if it is a terminal, otherwise an occasional line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Protocol

from rulewright.tools.common.output import harmless, many, warn

LINE_EVERY = 10.0
"""In seconds. Shorter runs print no line."""
PATIENCE = 120.0
"""Seconds to wait for a faster backend; after that the pace so far is considered steady."""


class ProgressSink(Protocol):
    """Takes reports of how far a run is. See `Progress`."""

    def played(self, backend: str) -> None: ...

    def done(self, games: int) -> None: ...

    def tick(self) -> None: ...

    def note(self, text: str) -> None: ...


class Progress:
    """Reports the number of games played and, once the pace is known, the time left.

    `quicker` names a backend that will replace the first one: there is no estimate before it plays. `unit` is what
    is counted, and `about` the part of the run that this is.
    """

    def __init__(
        self,
        games: int,
        clock: Callable[[], float] = time.monotonic,
        quicker: str | None = None,
        unit: str = "game",
        about: str = "",
    ) -> None:
        self._games = games
        self._unit = unit
        self._about = f"{about}: " if about else ""
        self._clock = clock
        self._quicker = quicker
        self._backend = ""
        self._done = self._told = 0
        self._since = self._began = clock()
        self._bar = None
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
            from rich.text import Text

            from rulewright.tools.common.consoles import HarmlessConsole

            steady = self._steady

            class Left(TimeRemainingColumn):
                """The time left, once the pace is steady."""

                def render(self, task: Task) -> Text:
                    return super().render(task) if steady() else Text("")

            columns = (TextColumn(self._about), BarColumn(), MofNCompleteColumn(), TextColumn(f"{unit}s"), Left())
            # No refresh thread: processes may still be forked, and the tally reports often enough.
            self._bar = Progress(*columns, console=HarmlessConsole(stderr=True), transient=True, auto_refresh=False)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("", total=self._games)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _steady(self) -> bool:
        """Whether the pace is expected to stay about the same."""
        return self._quicker in (None, self._backend) or self._clock() - self._began >= PATIENCE

    def expect(self, games: int) -> None:
        """Correct the number of games of the whole run."""
        self._games = max(games, self._done)
        if self._bar is not None:
            self._bar.update(self._task, total=self._games)

    def played(self, backend: str) -> None:
        """Note which backend plays. The pace is measured again after a change."""
        if backend == self._backend:
            return
        if self._backend:
            self._told, self._since = self._done, self._clock()
            if self._bar is not None:
                self._bar.reset(self._task, completed=self._done, total=self._games)
        self._backend = backend

    def done(self, games: int) -> None:
        """Update the number of games played so far."""
        self._done = games
        if self._bar is not None:
            self._bar.update(self._task, completed=games, refresh=True)
        self.tick()

    def tick(self) -> None:
        """Called as time passes; prints a line if one is due and games have ended since the last one."""
        seconds = self._clock() - self._since
        if self._bar is not None or seconds < LINE_EVERY:
            return
        pace = (self._done - self._told) / seconds
        if not pace:
            return
        parts = [f"{self._about}{self._done:,} of {many(self._games, self._unit)}"]
        if self._steady():
            parts += [
                f"{_rounded(pace)} {self._unit}s/s",
                f"about {duration((self._games - self._done) / pace)} left",
            ]
        print(", ".join(parts), file=sys.stderr)
        self._told, self._since = self._done, self._clock()

    def note(self, text: str) -> None:
        """Print another message about the run on stderr."""
        if self._bar is not None:
            self._bar.console.print(harmless(f"rulewright: {text}"), soft_wrap=True)
        else:
            warn(text)


class Stage:
    """A stage of a longer run, which shows its progress as part of the whole.

    `before` is how much was done before it; one of its own units counts `each` of those of the whole.
    """

    def __init__(self, whole: ProgressSink, before: int, each: int = 1) -> None:
        self._whole = whole
        self._before = before
        self._each = each

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def played(self, backend: str) -> None:
        """See `Progress.played`."""
        self._whole.played(backend)

    def done(self, games: int) -> None:
        """See `Progress.done`."""
        self._whole.done(self._before + self._each * games)

    def tick(self) -> None:
        """See `Progress.tick`."""
        self._whole.tick()

    def note(self, text: str) -> None:
        """See `Progress.note`."""
        self._whole.note(text)


def duration(seconds: float) -> str:
    """Format a duration: `40 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def _rounded(pace: float) -> str:
    return f"{pace:,.0f}" if pace >= 10 else f"{pace:.1f}" if pace >= 0.1 else f"{pace:.2g}"
