"""Draw the result of a game: who wins, the last lines of the log, and the parts of each score."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.views.names import enumerated
from rulewright.interpreter.views.view import Result, View
from rulewright.tools.browser.drawing.at_the_end import AtTheEnd
from rulewright.tools.browser.drawing.eyes import Eyes
from rulewright.tools.browser.drawing.model import ResultDrawing, ResultRow
from rulewright.tools.display.final_scores import awards_of, extra_numbers
from rulewright.tools.display.game_log import Line

STORY = 6
"""Lines of the log above the table of scores, at most: those under the last heading, without points and winner."""
LONGEST = 140
"""Characters of such a line; longer ones are lists of cards."""


def draw_result(
    eyes: Eyes, result: Result, view: View, end: AtTheEnd, log: Sequence[Line], words: dict[str, str]
) -> ResultDrawing:
    """Return the result as a reader sees it."""
    awards, points = awards_of(end.events)
    hidden = eyes.naming.layout.hidden if eyes.naming.layout else ()
    extra = [one for one in extra_numbers(eyes.narrator, [view], hidden) if "?" not in one[1]]
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
    named = tuple(eyes.narrator.name("award", eyes.program.sources[at].name, 1) for at in awards.values())
    scored = bool(awards) or any(result.scores)
    return ResultDrawing(
        headline(eyes, result, words), result.winners, _story(log, named), named, scored,
        tuple(name for name, _ in extra), rows, end.turned_up(), end.holdings(),
    )  # fmt: skip


def _story(log: Sequence[Line], awards: Sequence[str]) -> tuple[str, ...]:
    """Return the lines under the last heading; the very last one says who wins, as the headline does."""
    start = max((n for n, line in enumerate(log) if line.sort != "text"), default=-1) + 1
    lines = [line.text for line in log[start:-1] if len(line.text) <= LONGEST]
    titles = tuple(f"{name}: ".lower() for name in awards)
    return tuple([text for text in lines if not text.lower().startswith(titles)][-STORY:])


def headline(eyes: Eyes, result: Result, words: dict[str, str]) -> str:
    """Say who wins."""
    if not result.winners:
        return words["nobody"]
    names = enumerated([eyes.names[seat] for seat in result.winners], eyes.language)
    return words["wins" if len(result.winners) == 1 else "win"].format(names=names)
