"""The values of tracks, as they follow from the events of a game."""

from __future__ import annotations

from attrs import define, field

from rulewright.interpreter.state.events import Event
from rulewright.ruleset.table.nodes import TableProgram


@define
class TrackMemory:
    """State derived from the events so far; the `views.narration.Context` of a reader."""

    program: TableProgram
    reader: int | None
    values: dict[tuple[int, int], int] = field(factory=dict)
    _position: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._position = dict(self.program.position or ())

    def fold(self, event: Event) -> None:
        """Take in an event with all its details."""
        if event.kind == "changed":
            number, index, amount = event.numbers[:3]
            self.values[number, index] = self._now(number, index) + amount
        elif event.kind == "restarted":
            self._restart()

    def _restart(self) -> None:
        """Give all tracks that do not last the series the values with which its next game begins."""
        following = self.program.next_game
        assert following is not None, "only a series has a next game"
        for number, (track, starts) in enumerate(zip(self.program.tracks, following.tracks, strict=True)):
            if not any(at <= track.address < at + count for at, count in following.kept):
                self.values.update({(number, index): start for index, start in enumerate(starts)})

    def value(self, track: int, index: int) -> int | None:
        """Return a value if the reader can see it, else None."""
        info = self.program.tracks[track]
        if not 0 <= index < info.count or (self.reader is not None and not info.seen[index] >> self.reader & 1):
            return None
        return self._now(track, index)

    def _now(self, track: int, index: int) -> int:
        """Return the current value: initially that of the position, if the game begins in its middle."""
        info = self.program.tracks[track]
        known = self.values.get((track, index))
        return self._position.get(info.address + index, info.start[index]) if known is None else known
