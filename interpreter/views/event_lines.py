"""Lines of the log about awards, changes of tracks, and cards that move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulewright.interpreter.state.events import BACK, NO_CARD, Event
from rulewright.interpreter.state.frames import Axis, axes, player_of
from rulewright.interpreter.views.names import Texts, arguments, parsed, speaks_count
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.table.message import NamedValue, Value, format_message
from rulewright.ruleset.table.nodes import LIST_OF, ORDERED, UNDER, TableProgram, TrackInfo

# ---- Lines of the log about changes of tracks: what a player gains or loses, and the present value
#
# A pack can write the line itself (`log` of a track), for all values or for single ones.

OTHER = "other"
"""Stands for all values of a track that have no line of their own."""


class LineContext(Protocol):
    """Additional facts for a reader who has followed the whole game; None where they are unknown."""

    def value(self, track: int, index: int) -> int | None:
        """Return the present value of a track."""


class EventWords(Protocol):
    """Words for the things of a game, for one reader and in one language (`interpreter.views.narration`)."""

    program: TableProgram
    language: str
    texts: Texts
    reader: int | None
    context: LineContext | None

    def who(self, seat: int) -> dict[str, Value]: ...

    def cards(self, cards: Sequence[int]) -> str: ...

    def member(self, of: str, value: int) -> str: ...

    def name(self, thing: str, key: str, count: int) -> str: ...

    def join(self, parts: Sequence[str]) -> str: ...

    def phrase(self, key: str, **values: Value) -> str: ...

    def of_scope(self, axis: Axis, index: int) -> str: ...

    def zone(self, zone: int, actor: int = -1) -> str: ...

    def one_zone(self, zone: int) -> str: ...


def change_line(words: EventWords, event: Event) -> str:
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


def _own_line(words: EventWords, track: TrackInfo, index: int, change: tuple[int, int], seat: int) -> str | None:
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


def _line_of_amount(words: EventWords, track: TrackInfo, index: int, amount: int, seat: int) -> str | None:
    """Return the pack's own line for a change of a number, without the number itself; None if the line shows it."""
    if track.of != "number" or any(axis.cards for axis in axes(words.program, track)):
        return None
    given = words.texts.name(words.language, "change", track.key)
    if given is None or "{" not in given:
        return given
    values = {**_whose(words, track, index, seat), **_amount(amount)}
    return format_message(parsed(given), values, words.language) if arguments(given) <= set(values) else None


def _whose(words: EventWords, track: TrackInfo, index: int, seat: int) -> dict[str, Value]:
    """Return the values of a line that tell whose track changes, and which of several."""
    values: dict[str, Value] = words.who(seat) if seat >= 0 else {}
    for axis in axes(words.program, track):
        if axis.name not in ("player", "seat"):
            values[axis.name] = words.of_scope(axis, index)
    return values


def _amount(change: int) -> dict[str, Value]:
    return {"amount": abs(change), "rises": "yes" if change > 0 else "no"}


def _turned(words: EventWords, of: str, name: str, value: int | None, seat: int) -> str:
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


def _becomes(words: EventWords, track: str, others: Sequence[str], value: int) -> str:
    """Say the present value of a number of the game."""
    if speaks_count(words.texts.name(words.language, "track", track)):
        what = words.name("track", track, value)
        return words.phrase("becomes-counted", what=words.phrase("detail", what=what, detail=", ".join(others))
                           if others else what)  # fmt: skip
    what = words.name("track", track, 2).removeprefix("2 ")
    what = words.phrase("detail", what=what, detail=", ".join(others)) if others else what
    return words.phrase("becomes", what=what, value=str(value))


# ------------------------------------------------------------------ Names for the values that texts of a pack show

def event_values(names: EventWords, event: Event) -> dict[str, Value]:
    """Name the values that an event gives to its text (`Source.values`)."""
    found: dict[str, Value] = {}
    cards = list(event.cards)
    values, members = _values(names, event)
    for name, of, number in values:
        if of == "card":
            found[name] = name_values(names, of, cards[:number] or (NO_CARD,), False)
            cards = cards[number:]
        elif of.startswith(LIST_OF):
            found[name] = name_values(names, of.removeprefix(LIST_OF), members[:number], True)
            members = members[number:]
        else:
            found[name] = name_values(names, of, (number,), False)
    return found


def empty_lists(names: EventWords, event: Event) -> frozenset[str]:
    """Return the names of the values of an event that are empty lists, or cards that are not there."""
    values, _ = _values(names, event)
    return frozenset(name for name, of, number in values if not number and (of == "card" or of.startswith(LIST_OF)))


def _values(names: EventWords, event: Event) -> tuple[list[tuple[str, str, int]], tuple[int, ...]]:
    """Return the name, type, and number of each value of an event, and the members of its lists."""
    given = names.program.sources[event.at].values
    end = 1 + len(given)
    return [(*one, number) for one, number in zip(given, event.numbers[1:end], strict=True)], event.numbers[end:]


def name_values(names: EventWords, of: str, values: Sequence[int] | None, many: bool) -> int | NamedValue:
    """Name a value of a type (as in `Site.of`), or several (`many`); None is hidden from the reader."""
    if values is None:
        return NamedValue("…", "other")
    if of == "number" and not many:
        return values[0]
    if of == "card":
        case = names.program.cards[values[0]].definition if len(values) == 1 and values[0] >= 0 else "other"
        case = "none" if all(card == NO_CARD for card in values) else case
        return NamedValue(names.cards([card for card in values if card != NO_CARD]), case)
    if len(values) != 1:
        parts = [str(name_values(names, of, (one,), False)) for one in values]
        return NamedValue(names.join(parts) or names.name(of, "none", 1), "other")
    value = values[0]
    if of == "boolean":
        return NamedValue(names.name(of, "yes" if value else "no", 1), "yes" if value else "no")
    if of in ("seat", "player") and value >= 0:
        return NamedValue(names.member(of, value), "you" if value == names.reader else "other")
    return NamedValue(names.member(of, value), value_key(names.program, of, value))


COUNTED, PLACE = "counted", "place"
"""The names of the numbers that an award gives to its event; any other value is the member of `for-each`."""


def award_title(namer: EventWords, event: Event) -> str:
    """Return the award's name, with the member of `for-each` that the points are for."""
    title = namer.name("award", namer.program.sources[event.at].name, 1)
    for name, of, value in _award_values(namer, event):
        if name not in (COUNTED, PLACE):
            member = str(name_values(namer, of, (value,), False))
            title = namer.phrase("detail", what=title, detail=member[:1].upper() + member[1:])
    return title


def award_line(namer: EventWords, event: Event) -> str:
    """Return a whole sentence: who gets how many points for what."""
    _, seat, points = event.numbers[:3]
    line = namer.phrase("scored", points=points, award=award_title(namer, event), **namer.who(seat))
    return _reasoned(namer, event, line)


def award_share(namer: EventWords, event: Event) -> str:
    """Return what one seat gets, for a line that begins with the award's title."""
    _, seat, points = event.numbers[:3]
    return _reasoned(namer, event, namer.phrase("points", points=points, **namer.who(seat)))


def _reasoned(namer: EventWords, event: Event, text: str) -> str:
    """Add the place and the number that was counted."""
    numbers: dict[str, Value] = {name: value for name, _, value in _award_values(namer, event)}
    if COUNTED not in numbers:
        return text
    reason = "placed" if PLACE in numbers else "counted"
    return namer.phrase("detail", what=text, detail=namer.phrase(reason, **numbers))


def _award_values(namer: EventWords, event: Event) -> list[tuple[str, str, int]]:
    """Return the name, type, and number of each value of an event `scored`."""
    given = namer.program.sources[event.at].values
    return [(name, of, value) for (name, of), value in zip(given, event.numbers[3:], strict=True)]


# ------------------------------------------------------------------ Lines of the log about cards that move
#
# A pack can write the line itself (`log` of a zone), for cards that come into it.

def movement_line(words: EventWords, event: Event) -> str:
    """Return the line of a move; empty if no cards moved."""
    line = _movement(words, event)
    if line and len(event.numbers) > 4 and event.numbers[3] & ORDERED:
        return words.phrase("in-chosen-order", line=line, **words.who(event.numbers[4]))
    return line


def _movement(words: EventWords, event: Event) -> str:
    source, target, count = event.numbers[:3]
    if not count:
        return ""
    under = "yes" if len(event.numbers) > 3 and event.numbers[3] & UNDER else "no"
    giver, taker = _owner(words, source), _owner(words, target)
    values: dict[str, Value] = {
        "cards": words.cards(event.cards or (BACK,) * count),
        "count": count,
    }
    actor = taker if giver == -1 else giver
    if giver >= 0 and taker >= 0 and giver != taker:
        actor = -1
    values["from"], values["to"] = words.zone(source, actor), words.zone(target, actor)
    if source >= 0 and words.program.zones[source].zone == words.program.zones[target].zone and giver == taker:
        values["from"], values["to"] = words.one_zone(source), words.one_zone(target)
    own = _arrival(words, target, values, taker if taker >= 0 else giver, source >= 0)
    if own is not None:
        return own
    if taker >= 0 and giver in (-1, taker):
        # Nobody draws from piles in sight.
        pile = words.program.zones[source] if source >= 0 else None
        drawn = pile is not None and pile.order == "pile" and pile.sees != (1 << words.program.seats) - 1
        sort = "draw" if drawn and words.program.zones[target].order == "bag" else "take"
        if sort == "take" and giver == taker:
            return _put(words, source, target, under, values, taker)
        return words.phrase(sort, **values, **words.who(taker))
    if giver >= 0 and taker < 0:
        return _put(words, source, target, under, values, giver)
    if giver >= 0:
        return words.phrase("give", **values)
    return words.phrase("move", **values, under=under)


def _arrival(words: EventWords, target: int, values: dict[str, Value], seat: int, comes: bool) -> str | None:
    """Return the pack's own line for cards that come into a zone; None if it has none that fits.

    `seat` is the owner of this zone or, if it has none, of the zone that the cards come from; else -1. `comes`:
    they come from a zone.
    """
    given = words.texts.name(words.language, "arrival", words.program.zones[target].zone)
    if given is None or "{" not in given:
        return given
    needs = arguments(given)
    if (seat < 0 and needs & {"seat", "you"}) or (not comes and "from" in needs):
        return None
    return format_message(parsed(given), {**values, **(words.who(seat) if seat >= 0 else {})}, words.language)


def _put(words: EventWords, source: int, target: int, under: str, values: dict[str, Value], seat: int) -> str:
    """Say that a seat puts cards somewhere; from where, unless they can only have been in its hand."""
    zones = words.program.zones
    into = zones[target].order == "bag" and zones[target].owner >= 0
    where = "under" if under == "yes" else "into" if into else "onto"
    own = [
        number
        for number, zone in enumerate(zones)
        if zone.owner == seat and zone.sees == 1 << seat and number != target
    ]
    sort = "put-down" if own == [source] else "put"
    if sort == "put-down":
        del values["from"]
    return words.phrase(sort, **values, **words.who(seat), where=where)


def _owner(words: EventWords, zone: int) -> int:
    return words.program.zones[zone].owner if zone >= 0 else -1
