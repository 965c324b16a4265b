"""Fast zone operations: they leave the same cells as `walker.zones.Zones`, without events.

The operations are closures over the zones' constants. Several cards are moved as slices.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.python.zone_cells import Operation, Operations, ZoneCells, cells_of, placing, refilling
from ruleset.table.nodes import TableProgram


def fast_zones(program: TableProgram) -> dict[str, Operation]:
    """Return the zone operations of generated Python, by name."""
    zones = cells_of(program)
    take_one, put_one, put = placing(zones)
    refill, shuffle, prepare = refilling(zones)
    move, move_one = _moving(zones, take_one, put_one, refill)
    draw, draw_on, _ = _drawing(zones, put, move, refill)
    functions = (
        *(move, move_one, shuffle, prepare, draw),
        *_moving_from(zones, put, move, refill),
        *_sending_home(zones, put, move, refill),
        *_drawing_one(zones, take_one, put_one, draw_on, refill),
    )
    return {function.__name__: function for function in functions}


def _moving(zones: ZoneCells, take_one: Operation, put_one: Operation, refill: Operation) -> Operations:
    """Make the operations that move cards from anywhere, or one card from one zone."""
    places, addresses, eager = zones.places, zones.addresses, zones.eager

    def move(state: list[int], cards: Sequence[int], to: int, bottom: bool, place: int | None, at: int) -> None:
        if not cards:
            return
        watched: list[int] = []
        for card in cards:
            if card < 0:
                continue
            source = state[places + card]
            if place is not None and place != -1 and source != place:
                continue
            if source >= 0:
                take_one(state, card, source)
                if eager[source] and source not in watched:
                    watched.append(source)
            put_one(state, card, to, bottom, at)
        for source in watched:
            if not state[addresses[source]]:
                refill(state, source, at)

    def move_one(state: list[int], card: int, to: int, bottom: bool, source: int, at: int) -> None:
        # `move_from` for one card.
        if card < 0 or source < 0:
            if card >= 0:
                move(state, (card,), to, bottom, source, at)
            return
        if state[places + card] != source:
            return
        if source == to:
            move(state, (card,), to, bottom, source, at)
            return
        take_one(state, card, source)
        put_one(state, card, to, bottom, at)
        if eager[source] and not state[addresses[source]]:
            refill(state, source, at)

    return move, move_one


def _moving_from(zones: ZoneCells, put: Operation, move: Operation, refill: Operation) -> Operations:
    """Make the operations that move cards from one zone: some, or all."""
    places, addresses, eager = zones.places, zones.addresses, zones.eager

    def move_from(state: list[int], cards: Sequence[int], to: int, bottom: bool, source: int, at: int) -> None:
        # `move` for those cards that are still in one zone, all at once.
        if source == to or source < 0:
            move(state, cards, to, bottom, source, at)
            return
        going = []
        for card in cards:
            if card >= 0 and state[places + card] == source:
                going.append(card)
        count = len(going)
        if not count:
            return
        if count > 1 and len({*going}) < count:
            going = list(dict.fromkeys(going))  # a card can leave only once
            count = len(going)
        start = addresses[source]
        end = start + 1 + state[start]
        left = end - start - 1 - count
        if not left:
            state[start:end] = [0] * (end - start)
        elif count == 1:
            i = state.index(going[0], start + 1, end)
            state[i:end] = [*state[i + 1 : end], 0]
            state[start] = left
        else:
            stay = [left]
            for card in state[start + 1 : end]:
                if card not in going:
                    stay.append(card)
            state[start:end] = stay + [0] * count
        put(state, going, to, bottom, at)
        if not left and eager[source]:
            refill(state, source, at)

    def move_all(state: list[int], source: int, to: int, bottom: bool, at: int) -> None:
        start = addresses[source]
        count = state[start]
        if not count:
            return
        cards = state[start + 1 : start + 1 + count]
        if source == to:
            move(state, cards, to, bottom, None, at)
            return
        state[start : start + count + 1] = [0] * (count + 1)
        put(state, cards, to, bottom, at)
        if eager[source]:
            refill(state, source, at)

    return move_from, move_all


def _sending_home(zones: ZoneCells, put: Operation, move: Operation, refill: Operation) -> Operations:
    """Make the operations that move cards to their homes: some, or all of a zone."""
    addresses, eager = zones.addresses, zones.eager

    def send_home(state: list[int], cards: Sequence[int], homes: Sequence[int], place: int | None, at: int) -> None:
        going = [card for card in cards if card >= 0]
        for home in sorted({homes[card] for card in going}):
            if home >= 0:
                move(state, [card for card in going if homes[card] == home], home, False, place, at)

    def clear_home(state: list[int], source: int, homes: Sequence[int], at: int) -> None:
        # All cards of a zone at once: the order within each home is that of the zone.
        start = addresses[source]
        count = state[start]
        if not count:
            return
        cards = state[start + 1 : start + 1 + count]
        groups: dict[int, list[int]] = {}
        for card in cards:
            home = homes[card]
            if home in groups:
                groups[home].append(card)
            else:
                groups[home] = [card]
        if -1 in groups or source in groups:
            send_home(state, cards, homes, None, at)
            return
        state[start : start + count + 1] = [0] * (count + 1)
        for home in groups if len(groups) == 1 else sorted(groups):
            put(state, groups[home], home, False, at)
        if eager[source]:
            refill(state, source, at)

    return send_home, clear_home


def _drawing(zones: ZoneCells, put: Operation, move: Operation, refill: Operation) -> Operations:
    """Make the operations that draw cards from the top."""
    addresses, eager, most = zones.addresses, zones.eager, zones.most

    def draw(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        start = addresses[source]
        held = state[start]
        if not 0 < count < held or source == to:
            if count <= 0:
                return []
            return draw_on(state, source, min(count, most), to, bottom, at)
        # There are more than enough cards: nothing is refilled.
        end = start + held + 1
        cards = state[end - count : end]
        cards.reverse()
        state[end - count : end] = [0] * count
        state[start] = held - count
        put(state, cards, to, bottom, at)
        return cards

    def draw_on(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        """Draw from a zone that may have to be refilled, repeatedly if needed."""
        if source == to:
            return draw_in_place(state, source, count, bottom, at)
        drawn: list[int] = []
        start = addresses[source]
        while count > 0:
            held = state[start]
            if not held:
                if not refill(state, source, at):
                    break
                held = state[start]
            taken = min(held, count)
            end = start + held + 1
            cards = state[end - taken : end]
            cards.reverse()
            state[end - taken : end] = [0] * taken
            state[start] = held - taken
            put(state, cards, to, bottom, at)
            drawn += cards
            count -= taken
            if taken == held and eager[source]:
                refill(state, source, at)
        return drawn

    def draw_in_place(state: list[int], zone: int, count: int, bottom: bool, at: int) -> list[int]:
        """Draw from a zone to the zone itself."""
        drawn: list[int] = []
        start = addresses[zone]
        for _ in range(count):
            if not state[start] and not refill(state, zone, at):
                break
            card = state[start + state[start]]
            move(state, (card,), zone, bottom, None, at)
            drawn.append(card)
        return drawn

    return draw, draw_on, draw_in_place


def _drawing_one(
    zones: ZoneCells, take_one: Operation, put_one: Operation, draw_on: Operation, refill: Operation
) -> Operations:
    """Make the operations that draw one card from the top, and cards from the bottom."""
    addresses, eager, most = zones.addresses, zones.eager, zones.most

    def draw_one(state: list[int], source: int, to: int, bottom: bool, at: int) -> int:
        """Draw the top card. Returns it, or -1 if there is none."""
        start = addresses[source]
        held = state[start]
        if held < 2 or source == to:
            drawn = draw_on(state, source, 1, to, bottom, at)
            return drawn[0] if drawn else -1
        card = state[start + held]
        state[start + held] = 0
        state[start] = held - 1
        put_one(state, card, to, bottom, at)
        return card

    def draw_bottom(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        """Draw from the bottom, refilling as often as needed."""
        drawn: list[int] = []
        start = addresses[source]
        while len(drawn) < min(count, most):
            if not state[start] and not refill(state, source, at):
                break
            card = state[start + 1]
            take_one(state, card, source)
            put_one(state, card, to, bottom, at)
            drawn.append(card)
            if eager[source] and not state[start]:
                refill(state, source, at)
        return drawn

    return draw_one, draw_bottom
