"""What a witness sees: everything. Only for games without secrets, such as replays of finished games.

A witness is one more seat, with the number `program.seats`, as a spectator is (`views.spectator`), but it is in
every mask. The functions for the views of spectators make those of a witness, too, from its program.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.interpreter.state.events import Event, covered
from rulewright.ruleset.table.nodes import TableProgram


def with_witness(program: TableProgram) -> TableProgram:
    """Return a program for the eyes of a witness; it cannot be played."""
    everyone = (1 << program.seats + 1) - 1
    zones = tuple(evolve(one, sees=everyone, top=everyone, sizes=everyone) for one in program.zones)
    tracks = tuple(
        evolve(one, seen=(everyone,) * len(one.seen), changes=(everyone,) * len(one.changes))
        for one in program.tracks
    )
    return evolve(program, zones=zones, tracks=tracks)


def for_witness(event: Event) -> Event | None:
    """Return what at least one seat reads of an event; None if no seat hears of it."""
    if not event.audience:
        return None
    return evolve(event, each=()) if event.sees or event.kind == "changed" else covered(event, -1)
