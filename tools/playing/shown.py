"""What a person has been shown so far, so that it need not be shown again."""

from __future__ import annotations

from attrs import define, field

from rulewright.tools.display.position import Position
from rulewright.tools.display.table_content import Sheet


@define
class Shown:
    """What the person at one seat has seen: the last table, and what was explained.

    Without a table the next drawing is a full one.
    """

    sheet: Sheet | None = None
    position: Position | None = None
    memory: bool = False
    """Whether remembered cards have been explained."""
    texts: set[str] = field(factory=set)
    """The texts of options that have been shown in full."""
