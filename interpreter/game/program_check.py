"""Checks of a table program from a journal, before any of it runs.

Programs of `ruleset.lower.lowering` are right by construction; one in a file may contain anything. After this
check, every number refers to something that exists: targets of jumps, slots, tables, functions, procedures, sites,
tracks, zones, sources. Sizes are bounded, calls of functions form no cycle, no unconditional jumps form a cycle
without a charge of fuel, and lists do not double (`growth_check`). Effects of computed values are bounded at run
time: indices, computed addresses, numbers of loop turns (`tools.common.untrusted`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from interpreter.game.code_check import check_code, check_index, need
from interpreter.game.growth_check import check_growth
from ruleset.common.span import Span
from ruleset.table.nodes import D_OPTIONS, HEAD, TableProgram, TrackInfo, ZoneInfo

MAX_CELLS = 1_000_000
MAX_SEATS = 64
MAX_SEEN = 400_000
"""Cards times seats, each of which has an entry of knowledge."""
MAX_DEPTH = 100
"""Nesting depth of nodes."""
MAX_NUMBER = 2**31


def check_program(program: TableProgram) -> None:
    """Check a program. Raises ProgramError at the first fault."""
    _check_layout(program)
    _check_numbers(program)
    _check_things(program)
    _check_start(program)
    check_code(program)
    check_growth(program)


# ------------------------------------------------------------------ data


def _check_layout(program: TableProgram) -> None:
    layout, cards = program.layout, len(program.cards)
    need(0 < program.seats <= MAX_SEATS, f"a table has 1 to {MAX_SEATS} seats, not {program.seats}")
    need(0 < layout.cells <= MAX_CELLS, f"a state has 1 to {MAX_CELLS} cells, not {layout.cells}")
    need(program.seats * cards <= MAX_SEEN, "there are too many cards")
    decision = D_OPTIONS + 2 * (layout.options + 1)
    need(layout.options >= 0 and layout.decision == decision, "the layout of decisions is impossible")
    slots = HEAD + program.seats * layout.decision
    fits = slots <= layout.places and layout.places + cards <= layout.stack < layout.cells
    need(fits, "the layout of the program's state is impossible")


def _check_numbers(program: TableProgram) -> None:
    """Check that all numbers fit a cell and no node is nested too deeply. Depth does not allow recursion here."""
    waiting: list[tuple[Any, int]] = [(program, 0)]
    while waiting:
        thing, depth = waiting.pop()
        need(depth <= MAX_DEPTH, "its code is nested too deeply")
        if isinstance(thing, tuple):
            waiting.extend((item, depth) for item in thing)
        elif isinstance(thing, int):
            need(-MAX_NUMBER <= thing < MAX_NUMBER, f"the number {thing} is too large")
        elif attrs.has(type(thing)) and not isinstance(thing, Span):
            masks = isinstance(thing, ZoneInfo | TrackInfo)  # of up to 64 seats
            waiting.extend(
                (getattr(thing, field.name), depth + 1)
                for field in attrs.fields(type(thing))
                if not (masks and field.name in ("sees", "top", "sizes", "seen", "changes"))
            )


def _check_things(program: TableProgram) -> None:
    layout, cards = program.layout, len(program.cards)
    low, masks = layout.places + cards, 1 << program.seats

    def cells(address: int, count: int, what: str) -> None:
        fits = low <= address and count >= 0 and address + count <= layout.stack
        need(fits, f"{what} uses cells of something else")

    for number, card in enumerate(program.cards):
        need(0 <= card.face < cards, f"card {number} has an impossible face")
    for number, zone in enumerate(program.zones):
        what = f"zone {number}"
        cells(zone.address, zone.capacity + 1, what)
        need(zone.capacity >= 0, f"{what} has an impossible capacity")
        need(-1 <= zone.owner < program.seats, f"{what} belongs to a seat that does not exist")
        refilled = -1 <= zone.refill < len(program.zones) and zone.refill != number
        need(refilled, f"{what} is refilled from a zone that does not exist")
        seen = all(0 <= mask < masks for mask in (zone.sees, zone.top, zone.sizes))
        need(seen, f"{what} is seen by a seat that does not exist")
        need(all(0 <= card < cards for card in zone.accepts), f"{what} accepts cards that do not exist")
    for number, track in enumerate(program.tracks):
        what = f"track {number}"
        cells(track.address, track.count, what)
        lengths = {len(track.start), len(track.seen), len(track.changes)}
        need(lengths == {track.count}, f"{what} has lists of different lengths")
        within_bounds = all(track.low <= start <= track.high for start in track.start)
        need(within_bounds, f"{what} starts outside its bounds")
        seen = all(0 <= mask < masks for mask in (*track.seen, *track.changes))
        need(seen, f"{what} is seen by a seat that does not exist")
        if track.arrival != -1:
            cells(track.arrival - 1, track.count + 1, what)
    for number, kept in enumerate(program.state_lists):
        need(kept.capacity >= 0 and kept.count >= 0, f"list {number} has an impossible capacity")
        cells(kept.address, kept.count * (kept.capacity + 1), f"list {number}")
    for number, site in enumerate(program.sites):
        check_index(site.at, program.sources, "source")
        need(site.of != "menu" or bool(site.branches), f"site {number} is a menu without branches")
        for branch in site.branches:
            lengths = {len(branch.members), len(branch.names), len(branch.radix)}
            whole = len(lengths) == 1 and all(part > 0 for part in branch.radix)
            need(whole, f"site {number} has a broken branch")
    for source in program.sources:
        need(source.span.line >= 0, "a source has no place")


def _check_start(program: TableProgram) -> None:
    layout = program.layout
    _check_cards(program, program.start)
    low = layout.places + len(program.cards)
    for address, _ in program.position or ():
        need(low <= address < layout.stack, "the position is outside the program's state")
    following = program.next_game
    if following is not None:
        _check_cards(program, following.start)
        need(len(following.tracks) == len(program.tracks), "the next game has other tracks")
        for track, starts in zip(program.tracks, following.tracks, strict=True):
            fits = len(starts) == track.count and all(track.low <= start <= track.high for start in starts)
            need(fits, "the next game has impossible starts of tracks")
        place = low
        for address, count in following.kept:
            inside = place <= address and 0 <= count <= layout.stack - address
            need(inside, "the next game keeps cells of something else")
            place = address + count


def _check_cards(program: TableProgram, start: Sequence[tuple[int, Sequence[int]]]) -> None:
    """Check the places of cards at the beginning of a game."""
    held: set[int] = set()
    filled = [0] * len(program.zones)
    for zone, cards in start:
        check_index(zone, program.zones, "zone")
        for card in cards:
            check_index(card, program.cards, "card")
            need(card not in held, f"card {card} is in two places at the start")
            held.add(card)
        filled[zone] += len(cards)
        need(filled[zone] <= program.zones[zone].capacity, f"zone {zone} is too full at the start")
