"""The numbers of a finished game: points by award, and other numbers of the players."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import View
from rulewright.tools.common.value_names import noun
from rulewright.tools.display.arrangement import KERNEL_KEYS


def extra_numbers(narrator: Narrator, views: Sequence[View], hidden: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return numbers of the players that are neither zero for all nor hidden, as at least one view shows them."""
    found = []
    for tracks in zip(*(view.tracks for view in views), strict=True):
        track = tracks[0]
        if track.scope == ("player",) and track.key not in (*KERNEL_KEYS, "score", *hidden):
            known = [[one.values[seat] for one in tracks] for seat in range(narrator.program.seats)]
            values = [str(next((v for v in seen if v is not None), "?")) for seen in known]
            if any(value not in ("0", "?") for value in values):
                found.append((noun(narrator, "track", track.key), values))
    return found


def awards_of(events: Sequence[Event]) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Return the awards in order, with their sources, and the points by award and seat."""
    awards: dict[int, int] = {}
    points: dict[tuple[int, int], int] = {}
    for event in events:
        if event.kind == "scored":
            award, seat, scored = event.numbers[:3]
            awards.setdefault(award, event.at)
            points[award, seat] = points.get((award, seat), 0) + scored
    return awards, points
