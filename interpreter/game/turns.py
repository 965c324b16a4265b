"""The stored answers of a game: a linked list of turns, from the last to the first."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from attrs import frozen

from rulewright.interpreter.game.journal import Entry
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.knowledge import Knowledge


@frozen(eq=False)
class Turn:
    """One answer, the events that followed it, and the state and knowledge before it, for undo.

    Turns are a linked list from the last to the first, which clones of a game share.
    """

    before: Turn | None
    state: array[int]
    knowledge: Knowledge
    entry: Entry
    events: tuple[Event, ...]
    first: int
    """The number of the first of these events."""


def turns_back(last: Turn | None) -> Iterator[Turn]:
    """Iterate over all turns, the last first."""
    while last is not None:
        yield last
        last = last.before
