"""The constants and tables that `kept_zones.c` reads: forms of zones, and how cards lie at the start."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.native.codegen.writer import table
from interpreter.optimiser.canonical_states import cells_of_cards
from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.optimiser.listed import listed
from ruleset.table.nodes import TableProgram

SLACK = 8
"""Room after each row, as in `runtime.c`: several classes are written at once."""
Start = Sequence[tuple[int, tuple[int, ...]]]


def numbers(program: TableProgram, kept: KeptCards) -> list[str]:
    """Return the constants, which must precede `runtime.c`, and the types of classes and counts."""
    classes, counted = len(kept.first), sum(form is Form.COUNTS for form in kept.forms)
    values = {
        "CLASSES": classes,
        "WORDS": (classes + 63) // 64,
        "SHIFT": kept.shift,
        "COUNTED": counted,
        "ROOM": _spots(program, kept)[1],
        "NEVER_FULL": int(kept.never_full),
        "INDIVIDUALS": int(1 in kept.copies),
        "LISTED": len(listed(program)),
        "CARD_TRACKS": len(_card_tracks(program)) // 2,
        "CARD_LISTS": len(_card_lists(program)),
        "CARD_RANGES": len(cells_of_cards(program)),
    }
    return [
        *(f"#define RW_{name} {value}" for name, value in values.items()),
        f"typedef {_unsigned(classes)} rw_class;",
        f"typedef {_unsigned(max(kept.copies, default=0) + 1)} rw_count;",
    ]


def tables(program: TableProgram, kept: KeptCards) -> list[str]:
    """Return the tables of zones and classes, and the zones as a game begins."""
    lines = [
        table("rw_form", [form.value for form in kept.forms]),
        table("rw_spot", _spots(program, kept)[0]),
        table("rw_alone", [int(copies == 1) for copies in kept.copies]),
        table("rw_first_card", kept.first),
        table("rw_listed_at", listed(program)),
        "/* The cells that say where cards are: from, to. */",
        table("rw_card_cells", [end for one in cells_of_cards(program) for end in (one.start, one.stop)]),
        table("rw_card_tracks", _card_tracks(program)),
        table("rw_card_lists", _card_lists(program)),
        f"static const rw_kept rw_dealt = {_lying(program, kept, program.start)};",
    ]
    if program.next_game is not None:
        lines.append(f"static const rw_kept rw_dealt_next = {_lying(program, kept, program.next_game.start)};")
    return lines


def _card_tracks(program: TableProgram) -> list[int]:
    """Return the address and the number of cells of each track of cards."""
    return [number for track in program.tracks if track.of == "card" for number in (track.address, track.count)]


def _card_lists(program: TableProgram) -> list[int]:
    """Return the addresses of lists of cards."""
    return [
        info.address + place * (info.capacity + 1)
        for info in program.state_lists
        if info.of == "card"
        for place in range(info.count)
    ]


def _unsigned(values: int) -> str:
    return "unsigned char" if values <= 256 else "unsigned short"


def _spots(program: TableProgram, kept: KeptCards) -> tuple[list[int], int]:
    """Return where each zone keeps its cards: the number of its counts, the start of its row, or its only class.

    The second result is the room of all rows.
    """
    spots, counted, room = [], 0, 0
    for form, held, zone in zip(kept.forms, kept.holds, program.zones, strict=True):
        if form is Form.COUNTS:
            spots.append(counted)
            counted += 1
        elif form is Form.ORDER:
            spots.append(room)
            room += min(zone.capacity, sum(kept.copies[one] for one in held)) + SLACK
        else:
            spots.append(held[0] if held else 0)
    return spots, room


def _lying(program: TableProgram, kept: KeptCards, start: Start) -> str:
    """Write the value of a `rw_kept` in which cards lie as given."""
    spots, room = _spots(program, kept)
    sizes = [0] * len(program.zones)
    counts = [[0] * len(kept.first) for form in kept.forms if form is Form.COUNTS]
    rows, places = [0] * room, [0] * len(kept.first)
    for zone, cards in start:
        for card in cards:
            one = kept.class_of[card]
            places[one] = zone
            if kept.forms[zone] is Form.COUNTS:
                counts[spots[zone]][one] += 1
            elif kept.forms[zone] is Form.ORDER:
                rows[spots[zone] + sizes[zone]] = one
            sizes[zone] += 1
    parts = [f".size = {_braced(sizes)}"]
    if len(sizes) <= 64:
        parts.append(f".filled = {sum(1 << zone for zone, size in enumerate(sizes) if size):#x}ull")
    if counts:
        parts.append(f".counts = {{{', '.join(_counted(one) for one in counts)}}}")
    parts.append(f".rows = {_braced(rows)}")
    if 1 in kept.copies:
        parts.append(f".place = {_braced(places)}")
    return f"{{{', '.join(parts)}}}"


def _counted(counts: Sequence[int]) -> str:
    words = [
        sum(1 << bit for bit, count in enumerate(counts[start : start + 64]) if count)
        for start in range(0, len(counts), 64)
    ]
    held = ", ".join(f"{word:#x}ull" for word in words)
    return f"{{.held = {{{held}}}, .n = {_braced(counts)}}}"


def _braced(values: Sequence[int]) -> str:
    return f"{{{', '.join(map(str, values)) or '0'}}}"
