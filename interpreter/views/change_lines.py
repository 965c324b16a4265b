"""Lines of the log about changes of tracks: what a player gains or loses, and the present value.

A pack can write the line itself (`log` of a track), for all values or for single ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulewright.interpreter.state.events import Event
from rulewright.interpreter.state.indices import Axis, axes, player_of
from rulewright.interpreter.views.names import Texts, arguments, parsed, speaks_count
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.table.message import Value, format_message
from rulewright.ruleset.table.nodes import TableProgram, TrackInfo

OTHER = "other"
"""Stands for all values of a track that have no line of their own."""


class Context(Protocol):
    """Additional facts for a reader who has followed the whole game; None where they are unknown."""

    def value(self, track: int, index: int) -> int | None:
        """Return the present value of a track."""


class Words(Protocol):
    """Words for the things of a game, for one reader and in one language (`interpreter.views.narration`)."""

    program: TableProgram
    language: str
    texts: Texts
    context: Context | None

    def who(self, seat: int) -> dict[str, Value]: ...

    def cards(self, cards: Sequence[int]) -> str: ...

    def member(self, of: str, value: int) -> str: ...

    def name(self, thing: str, key: str, count: int) -> str: ...

    def phrase(self, key: str, **values: Value) -> str: ...

    def of_scope(self, axis: Axis, index: int) -> str: ...


def change_line(words: Words, event: Event) -> str:
    """Return the line of a change."""
    number, index, amount = event.numbers[:3]
    track = words.program.tracks[number]
    seat = player_of(words.program, track, index)
    name = words.name("track", track.key, abs(amount))
    others = [
        words.cards(event.cards[:1] or (axis.member(index),)) if axis.cards else words.of_scope(axis, index)
        for axis in axes(words.program, track)
        if axis.name not in ("player", "seat")
    ]
    value = words.context.value(number, index) if words.context else None
    own = _line_of_amount(words, track, index, amount, seat)
    if value is not None:
        own = _own_line(words, track, index, (value - amount, value), seat)
    if own is not None:
        return own
    if others:
        name = words.phrase("detail", what=name, detail=", ".join(others))
    if track.of != "number":
        return _turned(words, track.of, name, value, seat)
    given = words.texts.name(words.language, "track", track.key)
    if seat < 0:
        if value is not None:
            return _becomes(words, track.key, others, value)
        sort = "rises" if amount > 0 else "falls"
        sort = sort if given is None or "{" not in given else f"{sort}-counted"
        what = name.removeprefix(f"{abs(amount)} ")
        return words.phrase(sort, what=what, amount=abs(amount))
    counted = name if speaks_count(given) else f"{abs(amount)} {name}"
    sort = "gains" if amount > 0 else "loses"
    return words.phrase(sort, what=counted, amount=abs(amount), **words.who(seat))


def _own_line(words: Words, track: TrackInfo, index: int, change: tuple[int, int], seat: int) -> str | None:
    """Return the pack's own line for a change of one value to another; None if it has none."""
    before, value = change
    key = value_key(words.program, track.of, value)
    keys = (f"{track.key}/{key}", f"{track.key}/{OTHER}", track.key)
    lines = (words.texts.name(words.language, "change", one) for one in keys)
    given = next((line for line in lines if line is not None), None)
    if given is None or "{" not in given:
        return given
    values = _whose(words, track, index, seat)
    if track.of == "boolean":
        values["on"] = "yes" if value else "no"
    else:
        number = track.of == "number"
        values["value"] = str(value) if number else words.member(track.of, value)
        values["before"] = before if number else words.member(track.of, before)
        if number:
            values |= {"count": value, **_amount(value - before)}
    return format_message(parsed(given), values, words.language)


def _line_of_amount(words: Words, track: TrackInfo, index: int, amount: int, seat: int) -> str | None:
    """Return the pack's own line for a change of a number, without the number itself; None if the line shows it."""
    if track.of != "number" or any(axis.cards for axis in axes(words.program, track)):
        return None
    given = words.texts.name(words.language, "change", track.key)
    if given is None or "{" not in given:
        return given
    values = {**_whose(words, track, index, seat), **_amount(amount)}
    return format_message(parsed(given), values, words.language) if arguments(given) <= set(values) else None


def _whose(words: Words, track: TrackInfo, index: int, seat: int) -> dict[str, Value]:
    """Return the values of a line that tell whose track changes, and which of several."""
    values: dict[str, Value] = words.who(seat) if seat >= 0 else {}
    for axis in axes(words.program, track):
        if axis.name not in ("player", "seat"):
            values[axis.name] = words.of_scope(axis, index)
    return values


def _amount(change: int) -> dict[str, Value]:
    return {"amount": abs(change), "rises": "yes" if change > 0 else "no"}


def _turned(words: Words, of: str, name: str, value: int | None, seat: int) -> str:
    """Say what a track that is no number holds now."""
    if value is None:
        if seat < 0:
            return words.phrase("changes", what=name)
        return words.phrase("seat-changes", what=name, **words.who(seat))
    if seat < 0:
        return words.phrase("becomes", what=name, value=words.member(of, value))
    if of == "boolean":
        return words.phrase("turns-on" if value else "turns-off", what=name, **words.who(seat))
    return words.phrase("becomes", what=words.phrase("of-seat", what=name, **words.who(seat)),
                       value=words.member(of, value))  # fmt: skip


def _becomes(words: Words, track: str, others: Sequence[str], value: int) -> str:
    """Say the present value of a number of the game."""
    if speaks_count(words.texts.name(words.language, "track", track)):
        what = words.name("track", track, value)
        return words.phrase("becomes-counted", what=words.phrase("detail", what=what, detail=", ".join(others))
                           if others else what)  # fmt: skip
    what = words.name("track", track, 2).removeprefix("2 ")
    what = words.phrase("detail", what=what, detail=", ".join(others)) if others else what
    return words.phrase("becomes", what=what, value=str(value))
