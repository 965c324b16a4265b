"""The last line of a log, to which similar events may be added."""

from __future__ import annotations

from attrs import define, evolve, field


@define
class OpenLine:
    """The line to which similar events may be added."""

    pieces: list[str] = field(factory=list)
    actor: int = -1
    answers: int = 0
    rule: tuple[int, int] | None = None
    passing: list[int] = field(factory=list)
    """Seats that pass, in order; then they are the whole line."""
    site: int = -1
    """The number of the site where they pass."""
    named: bool = False
    """Whether the reader's own line begins with the name of the seat, not with "you"."""

    def copy(self) -> OpenLine:
        """Return one to which other events can be added."""
        return evolve(self, pieces=[*self.pieces], passing=[*self.passing])
