"""What a spectator sees: only what all seats see.

A spectator is one more seat, with the number `program.seats`. It is in a mask if all seats are in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import View, view_without_decision
from rulewright.interpreter.views.visibility import Sight
from rulewright.ruleset.table.nodes import ORDERED, TableProgram

LEARN_ORDER = 5
"""The place of the mask of the seats that learn an order, in the numbers of a move with `ORDERED`."""


def with_spectator(program: TableProgram) -> TableProgram:
    """Return a program for the eyes of a spectator; it cannot be played."""
    seats = program.seats
    zones = tuple(
        evolve(one, sees=_wider(one.sees, seats), top=_wider(one.top, seats), sizes=_wider(one.sizes, seats))
        for one in program.zones
    )
    tracks = tuple(
        evolve(
            one,
            seen=tuple(_wider(mask, seats) for mask in one.seen),
            changes=tuple(_wider(mask, seats) for mask in one.changes),
        )
        for one in program.tracks
    )
    return evolve(program, zones=zones, tracks=tracks)


def spectator_sight(program: TableProgram, state: Sequence[int], knowledge: Knowledge) -> Sight:
    """Return the sight of a spectator. `program` is that of `with_spectator`.

    What all seats remember only in number, the spectator does not.
    """
    masks = tuple(_wider(mask, program.seats) for mask in knowledge.masks)
    return Sight(program, state, Knowledge(masks, ()), program.seats)


def spectator_view(program: TableProgram, state: Sequence[int], knowledge: Knowledge) -> View:
    """Return the view of a spectator. `program` is that of `with_spectator`."""
    return view_without_decision(spectator_sight(program, state, knowledge))


def for_spectator(event: Event, seats: int) -> Event:
    """Return an event that a spectator can read by `state.events.redact`."""
    numbers = event.numbers
    if event.kind == "moved" and len(numbers) > LEARN_ORDER and numbers[3] & ORDERED:
        learns = _wider(numbers[LEARN_ORDER], seats)
        numbers = (*numbers[:LEARN_ORDER], learns, *numbers[LEARN_ORDER + 1 :])
    each = tuple(tuple(_wider(mask, seats) for mask in masks) for masks in event.each)
    audience, sees = _wider(event.audience, seats), _wider(event.sees, seats)
    return evolve(event, numbers=numbers, audience=audience, sees=sees, each=each)


def _wider(mask: int, seats: int) -> int:
    everyone = (1 << seats) - 1
    return everyone | 1 << seats if mask & everyone == everyone else mask & everyone
