"""Lines of the log about awards: who gets points, for what, and by which place and number."""

from __future__ import annotations

from typing import Protocol

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.change_lines import Words
from rulewright.interpreter.views.named_values import Names, name_values
from rulewright.ruleset.table.message import Value

COUNTED, PLACE = "counted", "place"
"""The names of the numbers that an award gives to its event; any other value is the member of `for-each`."""


class Namer(Words, Names, Protocol):
    """Words for events and names of things (`interpreter.views.narration`)."""


def award_title(namer: Namer, event: Event) -> str:
    """Return the award's name, with the member of `for-each` that the points are for."""
    title = namer.name("award", namer.program.sources[event.at].name, 1)
    for name, of, value in _values(namer, event):
        if name not in (COUNTED, PLACE):
            member = str(name_values(namer, of, (value,), False))
            title = namer.phrase("detail", what=title, detail=member[:1].upper() + member[1:])
    return title


def award_line(namer: Namer, event: Event) -> str:
    """Return a whole sentence: who gets how many points for what."""
    _, seat, points = event.numbers[:3]
    line = namer.phrase("scored", points=points, award=award_title(namer, event), **namer.who(seat))
    return _reasoned(namer, event, line)


def award_share(namer: Namer, event: Event) -> str:
    """Return what one seat gets, for a line that begins with the award's title."""
    _, seat, points = event.numbers[:3]
    return _reasoned(namer, event, namer.phrase("points", points=points, **namer.who(seat)))


def _reasoned(namer: Namer, event: Event, text: str) -> str:
    """Add the place and the number that was counted."""
    numbers: dict[str, Value] = {name: value for name, _, value in _values(namer, event)}
    if COUNTED not in numbers:
        return text
    reason = "placed" if PLACE in numbers else "counted"
    return namer.phrase("detail", what=text, detail=namer.phrase(reason, **numbers))


def _values(namer: Namer, event: Event) -> list[tuple[str, str, int]]:
    """Return the name, type, and number of each value of an event `scored`."""
    given = namer.program.sources[event.at].values
    return [(name, of, value) for (name, of), value in zip(given, event.numbers[3:], strict=True)]
