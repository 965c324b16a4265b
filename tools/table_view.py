"""What a seat sees of the table, drawn: numbers of all players side by side, then what lies where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from interpreter.indices import index_of
from interpreter.narrate import Narrator, words
from interpreter.sight import Mark, value_key
from interpreter.view import TrackView, View, ZoneView
from ruleset.table import TrackInfo
from tools.terminal import KERNEL_KEYS, Screen, noun

_WORDS = {"en": {"you": "you", "empty": "–"}, "es": {"you": "tú", "empty": "–"}}


def draw(screen: Screen, view: View) -> None:
    """Prints the view of a seat."""
    narrator = screen.narrator
    numbers = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    numbers.add_column("")
    for seat, name in enumerate(screen.names):
        you = f" ({_WORDS[narrator.language]['you']})" if seat == view.seat else ""
        numbers.add_column(screen.coloured(name + you), justify="right")
    for name, values in _rows(narrator, view):
        numbers.add_row(name, *values)
    places = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    places.add_column(style="bold", max_width=28)
    places.add_column()
    for name, contents in _places(narrator, view):
        places.add_row(screen.coloured(name), screen.coloured(contents))
    screen.console.print()
    if numbers.row_count:
        screen.console.print(numbers)
        screen.console.print()
    screen.console.print(places)


# ------------------------------------------------------------------ numbers


def _rows(narrator: Narrator, view: View) -> Iterator[tuple[str, list[str]]]:
    """What each player has as a number: tracks, then how many cards in which place."""
    infos = {track.key: track for track in narrator.program.tracks}
    for track in view.tracks:
        if "player" in track.scope and track.key not in KERNEL_KEYS:
            rows = list(_track_rows(narrator, track, infos[track.key]))
            yield from (row for row in rows if any(value not in ("0", "?") for value in row[1]))
    for zone in _player_zones(view):
        sizes = [one.size for one in view.zones if one.zone == zone]
        if any(sizes):
            shown = ["?" if size is None else str(size) for size in sizes]
            yield noun(narrator, "zone", zone), shown


def _track_rows(narrator: Narrator, track: TrackView, info: TrackInfo) -> Iterator[tuple[str, list[str]]]:
    name = noun(narrator, "track", track.key)
    rows: dict[tuple[str, ...], list[str]] = {}
    for index, value in enumerate(track.values):
        others = tuple(
            _member(narrator, info, scope, index) for scope in track.scope if scope not in ("player", "game")
        )
        rows.setdefault(others, []).append("?" if value is None else _value(narrator, info.of, value))
    for others, values in rows.items():
        yield " ".join([f"{name}:", *others]) if others else name, values


def _member(narrator: Narrator, info: TrackInfo, scope: str, index: int) -> str:
    program = narrator.program
    return narrator.name(scope, value_key(program, scope, index_of(program, info, scope, index)), 1)


def _value(narrator: Narrator, of: str, value: int | str) -> str:
    """A value of a track or list, by its name."""
    if isinstance(value, int):
        return str(value)
    if of in ("seat", "player") and value.startswith("seat-"):
        return str(narrator.who(int(value.removeprefix("seat-")) - 1)["seat"])
    if of == "card":
        return narrator.name("card", value.split("@")[0], 1)
    return narrator.name(of, value, 1)


# ------------------------------------------------------------------ places


def _places(narrator: Narrator, view: View) -> Iterator[tuple[str, str]]:
    """What lies on the table, then before each player, the one who looks last; then what else is known."""
    own = [zone for zone in view.zones if zone.owner == view.seat]
    others = [zone for zone in view.zones if zone.owner not in (-1, view.seat)]
    for zone in [zone for zone in view.zones if zone.owner < 0]:
        if zone.size != 0:
            yield noun(narrator, "zone", zone.zone), contents(narrator, zone)
    for zone in others:
        if any(card is not None for card in zone.cards) or zone.known:
            who = narrator.phrase("of-seat", what=narrator.name("zone", zone.zone, 1), **narrator.who(zone.owner))
            yield who[:1].upper() + who[1:], contents(narrator, zone)
    infos = {track.key: track for track in narrator.program.tracks}
    for track in view.tracks:
        if not set(track.scope) - {"game"} and track.key not in KERNEL_KEYS and track.values[0] is not None:
            yield noun(narrator, "track", track.key), _value(narrator, infos[track.key].of, track.values[0])
    lists = {info.key: info for info in narrator.program.state_lists}
    for items in view.lists:
        if items.scope == "game" and items.key not in KERNEL_KEYS and items.items[0]:
            named = [_value(narrator, lists[items.key].of, item) for item in items.items[0]]
            yield noun(narrator, "list", items.key), ", ".join(named)
    for zone in own:
        if zone.size:
            yours = narrator.zone(next(n for n, z in enumerate(narrator.program.zones) if z.key == zone.key))
            yield yours[:1].upper() + yours[1:], contents(narrator, zone)


def contents(narrator: Narrator, zone: ZoneView) -> str:
    """The cards of a zone: those in sight by name, with what they carry; the others as so many backs."""
    if zone.size == 0:
        return _WORDS[narrator.language]["empty"]
    marks = zone.marks or ((),) * len(zone.cards)
    seen: Counter[tuple[str, tuple[Mark, ...]]] = Counter()
    for card, carried in zip(zone.cards, marks, strict=True):
        if card is not None:
            seen[card, carried] += 1
    parts = [
        narrator.several("card", card, count) + _marks(narrator, carried) for (card, carried), count in seen.items()
    ]
    backs = sum(1 for card in zone.cards if card is None)
    if backs:
        back = narrator.phrase("cards", count=backs)
        known = [narrator.several("card", card, count) for card, count in zone.known]
        parts.append(f"{back} ({', '.join(known)})" if known else back)
    return ", ".join(parts) if parts else "?"


def _marks(narrator: Narrator, marks: Sequence[Mark]) -> str:
    if not marks:
        return ""
    program = narrator.program
    of = {track.key: ("track", track.of) for track in program.tracks}
    of |= {info.key: ("list", info.of) for info in program.state_lists}
    grouped: dict[str, list[str]] = {}
    for key, value in marks:
        name, *rest = key.split("/")
        thing, sort = of.get(name, ("track", "number"))
        detail = [part for part in rest if not part.isdigit()]
        label = narrator.name(thing, name, 1) + "".join(f" {words(part)}" for part in detail)
        grouped.setdefault(label, []).append(_value(narrator, sort, value))
    told = [f"{label}: {', '.join(values)}" for label, values in grouped.items()]
    return f" [{'; '.join(told)}]"


def _player_zones(view: View) -> list[str]:
    return list(dict.fromkeys(zone.zone for zone in view.zones if zone.owner >= 0))


def heading(screen: Screen, text: str) -> None:
    """A line of its own that stands out."""
    screen.console.print()
    screen.console.print(Text(text, "bold reverse"))
