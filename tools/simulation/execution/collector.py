"""What has come in of some work: one count, whichever processes played the parts."""

from __future__ import annotations

from typing import Generic, Protocol

from tools.common.progress import Progress
from tools.simulation.protocol import BatchResult, C, Work

MOST_HELD = 1_000_000
"""So many games whose rows cannot be written yet, since earlier ones are missing, are let wait."""


class Writer(Protocol):
    """Takes pages in the order of the games."""

    def write(self, page: object) -> None: ...


class ResultCollector(Generic[C]):
    """The counts so far. `writer` gets pages in the order of games.

    `backends` is which backends played how many games, nearly: all games of a part count for the one that its
    player named at the end, though earlier ones, or the other of two tables, may have been played by another.
    """

    def __init__(self, work: Work[C], progress: Progress, writer: Writer | None = None) -> None:
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
        """Whether so many rows wait for earlier ones that no later ones should be asked for."""
        return self._waiting >= MOST_HELD

    def take(self, part: BatchResult[C]) -> None:
        """Counts a part that nobody counted before."""
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
        """The backend that played the most games; None before any."""
        return max(self.backends, key=lambda name: (self.backends[name], name), default=None)
