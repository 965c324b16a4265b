"""Draw the result of a game: who wins, the last lines of the log, and the parts of each score."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.state.events import Event
from interpreter.views.names import enumerated
from interpreter.views.view import Result, View
from tools.browser.drawing.eyes import Eyes
from tools.browser.drawing.model import ResultDrawing, ResultRow
from tools.display.final_scores import awards_of, extra_numbers
from tools.display.game_log import Line

STORY = 3
"""Lines of the log above the table of scores, the last of which is the headline."""
LONGEST = 140
"""Characters of such a line; longer ones are lists of cards."""


def draw_result(
    eyes: Eyes, result: Result, view: View, events: Sequence[Event], log: Sequence[Line], words: dict[str, str]
) -> ResultDrawing:
    """Return the result as a reader sees it. `events` are redacted for the reader."""
    awards, points = awards_of(events)
    hidden = eyes.naming.layout.hidden if eyes.naming.layout else ()
    extra = extra_numbers(eyes.narrator, [view], hidden)
    seats = range(eyes.game.program.seats)
    won, alive, scores = result.winners, result.alive, result.scores
    order = sorted(seats, key=lambda seat: (seat not in won, not alive[seat], -scores[seat], seat))
    rows = tuple(
        ResultRow(
            seat,
            eyes.names[seat],
            seat == eyes.seat,
            seat in result.winners,
            not result.alive[seat],
            tuple(str(points.get((award, seat), 0)) for award in awards),
            str(result.scores[seat]),
            tuple(values[seat] for _, values in extra),
        )
        for seat in order
    )
    story = [line.text for line in log if line.sort == "text" and len(line.text) <= LONGEST]
    named = tuple(eyes.narrator.name("award", eyes.program.sources[at].name, 1) for at in awards.values())
    scored = bool(awards) or any(result.scores)
    return ResultDrawing(
        headline(eyes, result, words), result.winners, tuple(story[-STORY:-1]), named, scored,
        tuple(name for name, _ in extra), rows,
    )  # fmt: skip


def headline(eyes: Eyes, result: Result, words: dict[str, str]) -> str:
    """Say who wins."""
    if not result.winners:
        return words["nobody"]
    names = enumerated([eyes.names[seat] for seat in result.winners], eyes.language)
    return words["wins" if len(result.winners) == 1 else "win"].format(names=names)
