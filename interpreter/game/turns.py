"""What a game keeps of its answers: one turn each, from the last to the first."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from attrs import frozen

from interpreter.game.journal import Entry
from interpreter.state.events import Event
from interpreter.views.knowledge import Knowledge


@frozen(eq=False)
class Turn:
    """One answer, the events that followed it, and what undo goes back to: the state and knowledge before it.

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
    """All turns, the last first."""
    while last is not None:
        yield last
        last = last.before
