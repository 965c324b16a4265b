"""Assemble the C module for search.

This file writes the constants of these texts: visibility, places that may hold cards, and cells that point at
cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from rulewright.interpreter.backends.native.codegen.writer import literal, table
from rulewright.interpreter.backends.native.module import Source, generate_playing_on
from rulewright.interpreter.search.deal import PASSES
from rulewright.interpreter.search.determinise import TRIES
from rulewright.interpreter.search.evaluation import LEAD, VICTORY
from rulewright.interpreter.search.tree_search import (
    DEEPEST,
    DRAWS,
    EXPLORED,
    EXPLORED_BELOW,
    RIPE,
    RIVALS,
    WEIGHED,
    WIDENING,
    WIDENING_BELOW,
)
from rulewright.interpreter.state.indices import card_axis, entries
from rulewright.interpreter.state.zone_visibility import cards_seen, top_seen
from rulewright.ruleset.table.nodes import SEALED, ListInfo, Site, TableProgram, TrackInfo

NUMBER, CARD, BOOLEAN, NAMED = range(4)
"""The type of a value, as `views.visibility.value_key` distinguishes them."""


def generate_searching(program: TableProgram) -> Source:
    """Generate the module that finds worlds of a table and grows trees in them; playouts are those of its bots."""
    playing = generate_playing_on(program)
    folder = files("rulewright.interpreter.backends.native") / "c"
    texts = ((folder / name).read_text(encoding="utf-8") for name in ("deal.c", "worlds.c", "tree.c"))
    return Source("\n".join([playing.text, *_tables(program), *_growing(), *texts]), playing.codes)


def _growing() -> list[str]:
    numbers = {
        "EXPLORED": EXPLORED,
        "EXPLORED_BELOW": EXPLORED_BELOW,
        "WIDENING": WIDENING,
        "WIDENING_BELOW": WIDENING_BELOW,
        "RIPE": RIPE,
        "RIVALS": RIVALS,
        "DRAWS": DRAWS,
        "DEEPEST": DEEPEST,
        "WEIGHED": WEIGHED,
    }
    return [f"#define RW_{name} ({value})" for name, value in numbers.items()]


def _tables(program: TableProgram) -> list[str]:
    branches = [len(_branches(site)) for site in program.sites]
    columns = max((len(members) for site in program.sites for members in _branches(site)), default=0)
    numbers = {
        "NUMBER": NUMBER,
        "CARD": CARD,
        "BOOLEAN": BOOLEAN,
        "INFOS": len(program.tracks) + len(program.state_lists),
        "SEALED": len(list(_sealed(program))),
        "COLUMNS": max(columns, 1),
        "TRIES": TRIES,
        "PASSES": PASSES,
        "VICTORY": VICTORY,
        "LEAD": LEAD,
        "SCORE": _per_seat(program, "score"),
        "WINNER": _per_seat(program, "winner"),
    }
    return [
        *(f"#define RW_{name} ({value})" for name, value in numbers.items()),
        table("rw_shows", [cards_seen(zone) for zone in program.zones]),
        table("rw_top", [top_seen(zone) for zone in program.zones]),
        table("rw_by_face", sorted(range(len(program.cards)), key=lambda card: (program.cards[card].face, card))),
        *_runs(program),
        *_infos(program),
        *_live(program),
        _records("rw_sealed", ("address", "width", "count", "site"), list(_sealed(program))),
        table("rw_menu", [int(site.of == "menu") for site in program.sites]),
        table("rw_branch_at", _offsets(branches)),
        table("rw_member_at", _offsets([len(members) for site in program.sites for members in _branches(site)])),
        _records(
            "rw_member",
            ("of", "radix"),
            [member for site in program.sites for members in _branches(site) for member in members],
        ),
    ]


def _records(name: str, fields: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
    """Write a constant table of records of int; an empty one gets a row of zeros."""
    rows = rows or [[0] * len(fields)]
    text = ", ".join("{" + ", ".join(map(literal, row)) + "}" for row in rows)
    return f"static const struct {{ int {', '.join(fields)}; }} {name}[] = {{{text}}};"


def _offsets(counts: Sequence[int]) -> list[int]:
    """Return the offset of each of several runs, and the end of the last one."""
    offsets = [0]
    for count in counts:
        offsets.append(offsets[-1] + count)
    return offsets


def _runs(program: TableProgram) -> list[str]:
    """Write the cards that zones accept, as runs of consecutive numbers. Without `accepts`, they are all cards."""
    runs = [list(_consecutive(zone.accepts or range(len(program.cards)))) for zone in program.zones]
    return [
        table("rw_range_at", _offsets([len(own) for own in runs])),
        _records("rw_range", ("first", "end"), [run for own in runs for run in own]),
    ]


def _consecutive(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = end = -1
    for number in sorted({*numbers}):
        if number != end:
            if end > first:
                yield first, end
            first = number
        end = number + 1
    if end > first:
        yield first, end


def _infos(program: TableProgram) -> list[str]:
    """Write tracks, then lists: their cells and axis of cards; of tracks also start values and visibility."""
    rows: list[list[int]] = []
    starts: list[int] = []
    seers: list[int] = []
    for info in entries(program):
        axis, of = card_axis(program, info), _value(info.of)
        first, cards, stride = (axis.first, axis.size, axis.stride) if axis is not None else (0, 0, 1)
        secret = isinstance(info, ListInfo) and info.key.startswith(SEALED)
        marks = int(not secret and (axis is not None or of == CARD))
        width, start, arrival = _shape(info, len(starts))
        rows.append([info.address, width, info.count, first, cards, stride, arrival, start, of, marks])
        if isinstance(info, TrackInfo):
            starts += info.start
            seers += info.seen
    fields = ("address", "width", "count", "first", "cards", "stride", "arrival", "start", "of", "marks")
    return [_records("rw_infos", fields, rows), table("rw_starts", starts), table("rw_seers", seers)]


def _shape(info: TrackInfo | ListInfo, start: int) -> tuple[int, int, int]:
    """Return an entry's cells, the index of its start values (-1: a list), and the address of arrivals or -1."""
    if isinstance(info, ListInfo):
        return info.capacity + 1, -1, -1
    return 1, start, info.arrival


def _live(program: TableProgram) -> list[str]:
    """Write for each segment the live slots of its frame that hold cards."""
    found: list[list[tuple[int, int]]] = []
    for segment in program.segments:
        slots = program.procedures[segment.procedure].slots
        found.append([(slots[n].offset, slots[n].capacity) for n in segment.live if slots[n].cards])
    return [
        table("rw_live_at", _offsets([len(own) for own in found])),
        _records("rw_live", ("offset", "capacity"), [slot for own in found for slot in own]),
    ]


def _sealed(program: TableProgram) -> Iterator[tuple[int, int, int, int]]:
    """Iterate over the lists of sealed answers to menus, with the numbers of their sites."""
    sites = {SEALED + site.key: number for number, site in enumerate(program.sites) if site.of == "menu"}
    for info in program.state_lists:
        if info.key in sites:
            yield info.address, info.capacity + 1, info.count, sites[info.key]


def _branches(site: Site) -> list[list[tuple[int, int]]]:
    """Return type and number of values of the members of each branch. A site that is not a menu has one branch."""
    if site.of != "menu":
        return [[(_value(site.of), 1)]]
    return [
        [(_value(of), max(radix, 1)) for of, radix in zip(branch.members, branch.radix, strict=True)]
        for branch in site.branches
    ]


def _value(of: str) -> int:
    return {"number": NUMBER, "card": CARD, "boolean": BOOLEAN}.get(of, NAMED)


def _per_seat(program: TableProgram, key: str) -> int:
    """Return the address of a track of the result (see `view.result`), or -1."""
    return next((t.address for t in program.tracks if t.key == key and t.count == program.seats), -1)
