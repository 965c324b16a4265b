"""Merge partial results from workers."""

from __future__ import annotations

from typing import Generic, Protocol

from rulewright.tools.common.progress import ProgressSink
from rulewright.tools.simulation.protocol import BatchResult, C, Work

MOST_HELD = 1_000_000
"""Maximum number of games whose rows are held back because rows of earlier games are missing."""


class Writer(Protocol):
    """Takes pages in the order of the games."""

    def write(self, page: object) -> None: ...


class ResultCollector(Generic[C]):
    """The counts so far, and rows passed to `writer` in the order of the games.

    `backends` maps each backend to the approximate number of games that it played: all games of a part count for
    the backend that its player named at the end, although earlier games, or the other of two tables, may have been
    played by another.
    """

    def __init__(self, work: Work[C], progress: ProgressSink, writer: Writer | None = None) -> None:
        self.counts = work.empty()
        self.backends: dict[str, int] = {}
        self.progress = progress
        self.written = 0
        """All games before this one are written."""
        self._writer = writer
        self._held: dict[int, BatchResult[C]] = {}
        self._waiting = 0

    @property
    def crowded(self) -> bool:
        """Whether too many rows are held back to start later games."""
        return self._waiting >= MOST_HELD

    def take(self, part: BatchResult[C]) -> None:
        """Count a part that has not been counted before."""
        self.counts.merge(part.counts)
        self.backends[part.backend] = self.backends.get(part.backend, 0) + part.end - part.first
        if self._writer is not None and part.end > part.first:
            self._held[part.first] = part
            self._waiting += part.end - part.first
            while self.written in self._held:
                following = self._held.pop(self.written)
                for page in following.pages:
                    self._writer.write(page)
                self._waiting -= following.end - following.first
                self.written = following.end
        self.progress.played(part.backend)
        self.progress.done(self.counts.games)

    @property
    def backend(self) -> str | None:
        """The backend that played the most games; None before the first result."""
        return max(self.backends, key=lambda name: (self.backends[name], name), default=None)
