"""Draw a whole table as one reader sees it: players, shared zones, the decision, and the log."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.interpreter.game.seat_eyes import LeftOut
from rulewright.interpreter.views.names import enumerated, sentence
from rulewright.interpreter.views.view import View
from rulewright.tools.browser.drawing.board import ROOMY, Board, Panels
from rulewright.tools.browser.drawing.dock import Docked
from rulewright.tools.browser.drawing.eyes import Eyes, OfferedThings, offers_of
from rulewright.tools.browser.drawing.model import Dock, LogLine, LogPart, ResultDrawing, TableDrawing, ZoneDrawing
from rulewright.tools.browser.drawing.result import AtTheEnd, draw_result
from rulewright.tools.browser.drawing.zones import ZoneDrawer
from rulewright.tools.browser.words import words_of
from rulewright.tools.display.decision_texts import DecisionTexts, LeftOutTexts
from rulewright.tools.display.game_log import GameLogLine, Position, phases_of
from rulewright.tools.display.table_content import ArrangedGroup, ArrangedThing, Figures, arrange

# ---- Draw the log: lines under the headings of rounds, phases, and steps

LEVELS = {"round": 3, "phase": 4, "step": 5}
RECENT = 3
"""Rounds or turns that are shown unless the whole log is asked for."""


def first_recent(lines: Sequence[GameLogLine]) -> int:
    """Return the number of the first line that is shown unless the whole log is asked for."""
    rounds = [number for number, line in enumerate(lines) if line.sort == "round"]
    return rounds[-RECENT] if len(rounds) > RECENT else 0


def draw_log(lines: Sequence[GameLogLine], reader: int, seen: int, whole: bool) -> tuple[LogPart, ...]:
    """Return the parts of the log. Lines from number `seen` are new to the reader, whose seat is `reader`."""
    first = 0 if whole else first_recent(lines)
    parts: list[LogPart] = []
    heading, level, under = "", 0, list[LogLine]()
    for number, line in enumerate(lines[first:], first):
        if line.sort == "text":
            under.append(LogLine(line.text, line.actor == reader, number >= seen))
            continue
        if heading or under:
            parts.append(LogPart(heading, level, tuple(under)))
        heading, level, under = line.text, LEVELS[line.sort], []
    if heading or under:
        parts.append(LogPart(heading, level, tuple(under)))
    return tuple(parts)


# ---- Table

MOMENT = 4
"""Lines in the middle of a table with little on it: what has happened since the reader's last decision."""


@frozen
class ReadSoFar:
    """What a reader has read: the log, the position in the game, and how many lines were there at its last answer.

    `played_by` are the words beside the names of the seats; `stamp` names the reader's open decision. A witness is
    shown the decision of the seat `asking`.
    """

    lines: Sequence[GameLogLine]
    position: Position
    seen: int
    played_by: tuple[str, ...]
    stamp: str
    whole: bool = False
    asking: int = -1


def draw_table(eyes: Eyes, reading: ReadSoFar) -> TableDrawing:
    """Return the page of a reader."""
    view, sight, words = eyes.view(), eyes.sight(), words_of(eyes.language)
    layout = eyes.naming.layout
    groups = arrange(eyes.game.program, layout)
    things = [thing for group in groups for thing in group.things]
    told = _told(eyes, view, reading.asking)
    left_out, reasons = _left_out(eyes, told)
    offers = offers_of(sight, told) if told is not None else OfferedThings()
    hidden = frozenset(layout.hidden if layout else ())
    zones = ZoneDrawer(eyes, view, sight, offers, hidden, _why(left_out, reasons))
    figures = _figures(eyes)
    board = Board(eyes, view, zones, figures).draw(_with_asked(groups, view, zones))
    own = _own(view, zones, things)
    few = sum(len(zone.cards) for part in board for zone in part.zones) <= ROOMY
    panels = Panels(eyes, view, zones, offers, things, reading.played_by, reading.position.seat, figures, few)
    players = panels.draw()
    position = reading.position
    dock: Dock | None = None
    if told is not None and reasons is not None:
        where = _where(eyes, position)
        dock = Docked(eyes, told, offers, words).draw(reading.stamp, where, left_out, reasons)
    log = draw_log(reading.lines, eyes.seat, reading.seen, reading.whole)
    new = [line.text for line in reading.lines[reading.seen :] if line.sort == "text"]
    return TableDrawing(
        eyes.game.program.pack,
        eyes.texts.name(eyes.language, "pack", eyes.game.program.pack) or eyes.game.program.pack,
        position.title,
        _phases(eyes, position),
        players,
        board,
        own,
        dock,
        _waiting(eyes, view, words) if dock is None else "",
        tuple(new[-MOMENT:]) if few else (),
        log,
        first_recent(reading.lines) > 0,
        _result(eyes, view, zones, things, reading),
    )


def _result(
    eyes: Eyes, view: View, zones: ZoneDrawer, things: Sequence[ArrangedThing], reading: ReadSoFar
) -> ResultDrawing | None:
    if view.result is None:
        return None
    end = AtTheEnd(eyes, view, zones, things, eyes.events())
    return draw_result(eyes, view.result, view, end, reading.lines, words_of(eyes.language))


def _told(eyes: Eyes, view: View, asking: int) -> DecisionTexts | None:
    """Return the texts of the reader's open decision, if it has one; for a witness of that of another seat."""
    if view.decision is None and not eyes.sees_all:
        return None
    seat = asking if eyes.sees_all else eyes.seat
    own = next((one for one in eyes.game.decisions if one.seat == seat), None)
    return DecisionTexts(eyes.narrator, eyes.naming, eyes.game, own) if own is not None else None


def _left_out(eyes: Eyes, told: DecisionTexts | None) -> tuple[list[LeftOut], LeftOutTexts | None]:
    if told is None:
        return [], None
    reasons = LeftOutTexts(eyes.narrator, eyes.naming, eyes.game, told.decision)
    return reasons.found() or [], reasons


def _why(left_out: Sequence[LeftOut], reasons: LeftOutTexts | None) -> dict[str, str]:
    """Return why definitions are not offered, in a few words."""
    found: dict[str, str] = {}
    for one in left_out:
        if reasons is not None and len(one.members) == 1 and one.sorts[0] not in ("card", "seat", "player"):
            found.setdefault(one.members[0], reasons.text(one))
    return found


def _figures(eyes: Eyes) -> Figures:
    functions = eyes.naming.functions(eyes.game.program)
    if functions is None:
        return {}
    state, seats = eyes.game.state, range(eyes.program.seats)
    if not eyes.sees_all:
        return functions.values(state, eyes.seat)
    rows = [functions.values(state, seat) for seat in seats]
    return {key: [row[key][min(n, len(row[key]) - 1)] for n, row in enumerate(rows)] for key in rows[0]}


def _with_asked(groups: Sequence[ArrangedGroup], view: View, zones: ZoneDrawer) -> list[ArrangedGroup]:
    """Add a group with the shared zones that the layout hides, as far as their cards are among the options."""
    shown = {thing.key for group in groups for thing in group.things}
    more = [zone.zone for zone in view.zones if zone.owner < 0 and zones.asked(zone) and zone.zone not in shown]
    extra = tuple(ArrangedThing("zone", key) for key in dict.fromkeys(more))
    return [*groups, ArrangedGroup((), extra)] if extra else [*groups]


def _own(view: View, zones: ZoneDrawer, things: Sequence[ArrangedThing]) -> tuple[ZoneDrawing, ...]:
    """Return the reader's own zones: those of the layout and of the decision; secret ones first."""
    found = []
    for key in dict.fromkeys([thing.key for thing in things if thing.sort == "zone"]):
        form = next(thing.form for thing in things if thing.key == key)
        for zone in view.zones:
            if zone.zone == key and zone.owner == view.seat and (zone.size != 0 or zones.asked(zone)):
                found.append((zone, form))
    shown = {zone.zone for zone, _ in found}
    found += [
        (zone, "") for zone in view.zones
        if zone.owner == view.seat and zones.asked(zone) and zone.zone not in shown
    ]  # fmt: skip
    drawn = [zones.draw(zone, "dock", form) for zone, form in found]
    return tuple(sorted(drawn, key=lambda zone: not zone.secret))


def _where(eyes: Eyes, position: Position) -> str:
    """Name the phase or, without one, the round."""
    if position.phase:
        return sentence(eyes.narrator.name("step", position.phase, 1))[:-1]
    return position.title


def _phases(eyes: Eyes, position: Position) -> tuple[tuple[str, bool], ...]:
    known = phases_of(eyes.program, position.round) if position.round else []
    if position.phase not in known:
        return ()
    return tuple((sentence(eyes.narrator.name("step", name, 1))[:-1], name == position.phase) for name in known)


def _waiting(eyes: Eyes, view: View, words: dict[str, str]) -> str:
    names = [eyes.names[one.seat] for one in view.asked if not one.answered]
    if not names:
        return ""
    return words["waits" if len(names) == 1 else "wait"].format(names=enumerated(names, eyes.language))
