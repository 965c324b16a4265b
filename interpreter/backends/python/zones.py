"""What statements do to cards, quickly: the same cells as `zones.Zones` leaves, without events.

The operations are closures over the zones' constants. Cards are moved in slices where a statement moves many.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backends.python.shuffle import mix
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import TableProgram


def fast_zones(program: TableProgram) -> dict[str, Callable[..., Any]]:
    """The zone operations of generated Python, by name."""
    places = program.layout.places
    addresses = tuple(zone.address for zone in program.zones)
    bags = tuple(zone.order == "bag" for zone in program.zones)
    capacities = tuple(zone.capacity for zone in program.zones)
    targets = tuple(zip(addresses, capacities, bags, strict=True))
    refills = tuple(zone.refill for zone in program.zones)
    eager = tuple(zone.eager for zone in program.zones)
    most = len(program.cards)

    def move(
        state: list[int], cards: Sequence[int], to: int, bottom: bool, place: int | None, at: int
    ) -> None:
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

    def move_from(
        state: list[int], cards: Sequence[int], to: int, bottom: bool, source: int, at: int
    ) -> None:
        # `move` of the cards that are still in one zone, all at once.
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
            going = list(dict.fromkeys(going))  # once it has gone, a card is no longer there
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

    def move_one(state: list[int], card: int, to: int, bottom: bool, source: int, at: int) -> None:
        # `move_from` of one card.
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

    def take_one(state: list[int], card: int, source: int) -> None:
        """Takes a card out of the zone in which it lies."""
        start = addresses[source]
        end = start + state[start]
        if state[end] != card:
            i = state.index(card, start + 1, end)
            state[i:end] = state[i + 1 : end + 1]
        state[end] = 0
        state[start] -= 1

    def draw_one(state: list[int], source: int, to: int, bottom: bool, at: int) -> int:
        """Draws the top card; gives it, or -1 where there is none."""
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

    def put_one(state: list[int], card: int, to: int, bottom: bool, at: int) -> None:
        """Puts a card that lies nowhere into a zone."""
        target, capacity, bag = targets[to]
        held = state[target]
        if held == capacity:
            raise RuleError("full", at)
        state[target] = held + 1
        state[places + card] = to
        end = target + held + 1
        if not held:
            state[end] = card
        elif bag:
            if state[end - 1] > card:
                i = bisect_left(state, card, target + 1, end)
                state[i + 1 : end + 1] = state[i:end]
                end = i
            state[end] = card
        elif bottom:
            state[target + 2 : end + 1] = state[target + 1 : end]
            state[target + 1] = card
        else:
            state[end] = card

    def put(state: list[int], cards: list[int], to: int, bottom: bool, at: int) -> None:
        """Puts cards that lie nowhere into a zone, one after the other."""
        target, capacity, bag = targets[to]
        held, count = state[target], len(cards)
        if held + count > capacity:
            raise RuleError("full", at)
        state[target] = held + count
        for card in cards:
            state[places + card] = to
        first = target + 1
        if bag:
            cards = state[first : first + held] + cards
            cards.sort()
            state[first : first + held + count] = cards
        elif bottom and held:
            state[first : first + held + count] = cards[::-1] + state[first : first + held]
        else:
            if bottom:
                cards = cards[::-1]
            state[first + held : first + held + count] = cards

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

    def send_home(
        state: list[int], cards: Sequence[int], homes: Sequence[int], place: int | None, at: int
    ) -> None:
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

    def draw(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        start = addresses[source]
        held = state[start]
        if not 0 < count < held or source == to:
            if count <= 0:
                return []
            return draw_on(state, source, min(count, most), to, bottom, at)
        # There is more than enough: nothing is refilled.
        end = start + held + 1
        cards = state[end - count : end]
        cards.reverse()
        state[end - count : end] = [0] * count
        state[start] = held - count
        put(state, cards, to, bottom, at)
        return cards

    def draw_on(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        """Draws from a zone that may have to be refilled, as often as it takes."""
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
        """Draws from a zone to the zone itself."""
        drawn: list[int] = []
        start = addresses[zone]
        for _ in range(count):
            if not state[start] and not refill(state, zone, at):
                break
            card = state[start + state[start]]
            move(state, (card,), zone, bottom, None, at)
            drawn.append(card)
        return drawn

    def draw_bottom(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        """Draws from the bottom, as often as it takes."""
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

    def refill(state: list[int], zone: int, at: int, under: Sequence[int] = ()) -> bool:
        """Fills a zone, whose cards are `under`, from its source. False when that is empty."""
        source = refills[zone]
        if source < 0:
            return False
        start = addresses[source]
        count = state[start]
        if not count:
            return False
        cards = state[start + 1 : start + 1 + count]
        if count + len(under) > capacities[zone]:
            raise RuleError("full", at)
        state[start : start + count + 1] = [0] * (count + 1)
        cards.sort()
        for card in cards:
            state[places + card] = zone
        if bags[zone]:
            cards += under
            cards.sort()
        else:
            mix(state, cards)
            cards += under
        target = addresses[zone]
        state[target] = len(cards)
        state[target + 1 : target + 1 + len(cards)] = cards
        return True

    def shuffle(state: list[int], zone: int, at: int) -> None:
        if not bags[zone]:
            first = addresses[zone] + 1
            cards = sorted(state[first : first + state[first - 1]])
            mix(state, cards)
            state[first : first + len(cards)] = cards

    def prepare(state: list[int], zone: int, count: int, at: int) -> None:
        first = addresses[zone] + 1
        held = state[first - 1]
        if held < count:
            refill(state, zone, at, state[first : first + held])

    return {
        "move": move,
        "move_from": move_from,
        "move_one": move_one,
        "move_all": move_all,
        "send_home": send_home,
        "clear_home": clear_home,
        "draw": draw,
        "draw_one": draw_one,
        "draw_bottom": draw_bottom,
        "shuffle": shuffle,
        "prepare": prepare,
    }
