"""The operations on zones of classes (`class_zones`) that generated text calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backends.python.playing.class_zones import NONE, ClassZones
from interpreter.backends.python.shuffle import mixed
from interpreter.optimiser.kept_cards import Form
from interpreter.state.chance import INCREMENT, MASK_32, MASK_64, MULTIPLIER, bounded
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import RNG

Operation = Callable[..., Any]
Operations = tuple[Operation, ...]


def names_of(zones: ClassZones) -> dict[str, Any]:
    """Return the names that generated text uses for its zones."""
    shift, classes = zones.kept.shift, range(len(zones.kept.first))
    references = [[zone << shift | one for one in classes].__getitem__ for zone in range(len(zones.zones))]
    return {"Z": zones.zones, "R": references, "random": random, **_operations(zones)}


def random(state: list[int], bound: int, at: int) -> int:
    """Return a number below a bound. The cell RNG of the state holds the whole generator."""
    if bound < 1:
        raise RuleError("absent", at)
    generator = state[RNG]
    state[RNG] = (generator * MULTIPLIER + INCREMENT) & MASK_64
    shifted = ((generator >> 18) ^ generator) >> 27 & MASK_32
    rotation = generator >> 59
    product = ((shifted >> rotation | shifted << 32 - rotation) & MASK_32) * bound
    if product & MASK_32 < bound:
        number, state[RNG] = bounded(generator, bound)
        return number
    return product >> 32


def _operations(zones: ClassZones) -> dict[str, Operation]:
    """Return the operations on zones, by name."""
    put, change = _putting(zones)
    refill, shuffle, prepare = _refilling(zones)
    move, move_one = _moving(zones, change, refill)
    functions = (
        *(move, move_one, shuffle, prepare),
        *_sending_home(zones, put, move, refill),
        *_moving_classes(zones, put, refill, move),
        *_drawing(zones, put, change, refill),
        *_drawing_from_below(zones, put, refill),
        *_referring(zones),
    )
    return {function.__name__: function for function in functions}


def _referring(zones: ClassZones) -> Operations:
    """Make the functions that give references to the cards of a zone."""
    held, in_order, zone_of = zones.zones, zones.in_order, zones.zone_of
    shift, mask = zones.kept.shift, zones.mask

    def refs_in(zone: int) -> list[int]:
        return [zone << shift | one for one in in_order(zone)]

    def class_of(ref: int) -> int:
        return ref & mask if ref >= 0 else NONE

    def first_ref(zone: int) -> int:
        return zone << shift | in_order(zone)[0] if held[zone] else NONE

    def last_ref(zone: int) -> int:
        return zone << shift | in_order(zone)[-1] if held[zone] else NONE

    return refs_in, class_of, first_ref, last_ref, zone_of, in_order


def _putting(zones: ClassZones) -> Operations:
    """Make the operations that put classes into a zone, one after the other, and that move one card."""
    held, places, individuals = zones.zones, zones.places, zones.individuals
    capacities = tuple(zone.capacity for zone in zones.program.zones)
    ordered = tuple(form is Form.ORDER for form in zones.kept.forms)
    never_full, numbers, token = zones.kept.never_full, zones.numbers, zones.token

    def put(classes: list[int], to: int, bottom: bool, at: int) -> None:
        there = held[to]
        if not there and numbers[to]:
            token[0] = NONE
        if not bottom:
            there += classes
        else:
            there[:0] = classes[::-1]
        if not never_full and len(there) > capacities[to]:
            raise RuleError("full", at)
        if individuals:
            for one in classes:
                places[one] = to

    def change(one: int, source: int, to: int, bottom: bool, at: int) -> None:
        """Move a card. In an order it is the last one of its class: others are certainly not meant."""
        there = held[source]
        if there[-1] == one:
            there.pop()
        elif ordered[source]:
            place = len(there) - 2
            while there[place] != one:
                place -= 1
            del there[place]
        else:
            there.remove(one)
        if not there and numbers[source]:
            token[0] = NONE
        here = held[to]
        if not never_full and len(here) == capacities[to]:
            raise RuleError("full", at)
        if not here and numbers[to]:
            token[0] = NONE
        if bottom:
            here.insert(0, one)
        else:
            here.append(one)
        if individuals:
            places[one] = to

    return put, change


def _refilling(zones: ClassZones) -> Operations:
    """Make the operations that refill a zone from its source, shuffle it, and refill it if it has too few cards."""
    held, places, individuals = zones.zones, zones.places, zones.individuals
    infos, numbers, token = zones.program.zones, zones.numbers, zones.token

    def refill(state: list[int], zone: int, at: int) -> bool:
        """Refill a zone under its present cards. Returns False if there is nothing to refill it with."""
        source = infos[zone].refill
        if source < 0 or not held[source]:
            return False
        classes = sorted(held[source])
        if len(classes) + len(held[zone]) > infos[zone].capacity:
            raise RuleError("full", at)
        held[source] = []
        if infos[zone].order != "bag":
            state[RNG] = mixed(state[RNG], classes)
        if individuals:
            for one in classes:
                places[one] = zone
        held[zone] = classes + held[zone]
        if numbers[source] or numbers[zone]:
            token[0] = NONE
        return True

    def shuffle(state: list[int], zone: int, at: int) -> None:
        if infos[zone].order != "bag":
            held[zone].sort()
            state[RNG] = mixed(state[RNG], held[zone])

    def prepare(state: list[int], zone: int, count: int, at: int) -> None:
        if len(held[zone]) < count:
            refill(state, zone, at)

    return refill, shuffle, prepare


def _moving(zones: ClassZones, change: Operation, refill: Operation) -> Operations:
    """Make the operations that move cards to a zone, and return the references to them afterwards."""
    held, shift, mask, zone_of = zones.zones, zones.kept.shift, zones.mask, zones.zone_of
    eager = tuple(zone.eager for zone in zones.program.zones)

    def move(
        state: list[int], refs: Sequence[int], to: int, bottom: bool, place: int | None, at: int
    ) -> Sequence[int]:
        moved, watched = [], []
        base, anywhere = to << shift, place is None or place == NONE
        for ref in refs:
            source = zone_of(ref)
            if source < 0 or not (anywhere or source == place):
                moved.append(ref)
                continue
            change(ref & mask, source, to, bottom, at)
            moved.append(base | ref & mask)
            if eager[source] and source not in watched:
                watched.append(source)
        for source in watched:
            if not held[source]:
                refill(state, source, at)
        return moved

    def move_one(state: list[int], ref: int, to: int, bottom: bool, place: int | None, at: int) -> int:
        """Do the same as `move` for one card."""
        source = zone_of(ref)
        if source < 0 or (place is not None and place != NONE and source != place):
            return ref
        change(ref & mask, source, to, bottom, at)
        if eager[source] and not held[source]:
            refill(state, source, at)
        return to << shift | ref & mask

    return move, move_one


def _moving_classes(zones: ClassZones, put: Operation, refill: Operation, move: Operation) -> Operations:
    """Make the operations that move all cards of a zone, or all cards of some classes."""
    held, shift, numbers, token = zones.zones, zones.kept.shift, zones.numbers, zones.token
    eager = tuple(zone.eager for zone in zones.program.zones)
    ordered = tuple(form is Form.ORDER for form in zones.kept.forms)
    in_order = zones.in_order

    def move_classes(
        state: list[int], source: int, classes: list[int], to: int, bottom: bool, place: int | None, at: int
    ) -> None:
        """Move all cards of a zone that have one of these classes. The classes are those of the cards, in order."""
        if not classes or (place is not None and place != NONE and place != source):
            return
        if source == to:
            if ordered[source]:
                move(state, [source << shift | one for one in classes], to, bottom, place, at)
            return
        there = held[source]
        if len(classes) == len(there):
            held[source] = []
            if numbers[source]:
                token[0] = NONE
        else:
            gone = {*classes}
            held[source] = [one for one in there if one not in gone]
        put(classes, to, bottom, at)
        if eager[source] and not held[source]:
            refill(state, source, at)

    def move_all(state: list[int], source: int, to: int, bottom: bool, at: int) -> None:
        if source == to:
            if bottom and ordered[source]:
                held[source].reverse()
            return
        classes = in_order(source) if ordered[to] else held[source]
        if not classes:
            return
        held[source] = []
        if numbers[source]:
            token[0] = NONE
        put(classes, to, bottom, at)
        if eager[source]:
            refill(state, source, at)

    return move_classes, move_all


def _sending_home(zones: ClassZones, put: Operation, move: Operation, refill: Operation) -> Operations:
    """Make the operations that move cards to their homes: some, or all of a zone."""
    held, shift, mask, in_order = zones.zones, zones.kept.shift, zones.mask, zones.in_order
    eager, numbers, token = tuple(zone.eager for zone in zones.program.zones), zones.numbers, zones.token

    def send_home(state: list[int], refs: Sequence[int], homes: Sequence[int], place: int | None, at: int) -> None:
        going = [ref for ref in refs if ref >= 0]
        for home in sorted({homes[ref & mask] for ref in going}):
            if home >= 0:
                move(state, [ref for ref in going if homes[ref & mask] == home], home, False, place, at)

    def clear_home(state: list[int], source: int, homes: Sequence[int], at: int) -> None:
        """Move all cards of a zone at once: the order within each home is that of the zone."""
        groups: dict[int, list[int]] = {}
        for one in in_order(source):
            groups.setdefault(homes[one], []).append(one)
        if NONE in groups or source in groups:
            send_home(state, [source << shift | one for one in in_order(source)], homes, None, at)
            return
        if not groups:
            return
        held[source] = []
        if numbers[source]:
            token[0] = NONE
        for home in sorted(groups):
            put(groups[home], home, False, at)
        if eager[source]:
            refill(state, source, at)

    return send_home, clear_home


def _drawing(zones: ClassZones, put: Operation, change: Operation, refill: Operation) -> Operations:
    """Make the operations that draw cards from the top, refilling a zone as often as needed."""
    held, most = zones.zones, len(zones.program.cards)
    eager = tuple(zone.eager for zone in zones.program.zones)
    counts = tuple(form is Form.COUNTS for form in zones.kept.forms)
    numbers, token = zones.numbers, zones.token
    simple = tuple(zones.kept.never_full and not zones.individuals and not number for number in numbers)

    def draw(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        """Draw cards from the top, one after the other. Returns their classes."""
        there = held[source]
        if 0 < count < len(there) and source != to and not counts[source]:
            classes = there[: -count - 1 : -1]
            del there[-count:]
            if simple[to] and not bottom:
                held[to] += classes
            else:
                put(classes, to, bottom, at)
            return classes
        drawn: list[int] = []
        count = min(count, most)
        if numbers[source]:
            token[0] = NONE
        while count > 0:
            if not held[source] and not refill(state, source, at):
                break
            there = held[source]
            if counts[source]:
                there.sort()
            some = 1 if source == to else count
            classes = there[-some:]
            classes.reverse()
            del there[-some:]
            put(classes, to, bottom, at)
            drawn += classes
            count -= len(classes)
            if eager[source] and not there:
                refill(state, source, at)
        return drawn

    def draw_one(state: list[int], source: int, to: int, bottom: bool, at: int) -> None:
        """Draw the top card."""
        there = held[source]
        if counts[source] or source == to or not there:
            draw(state, source, 1, to, bottom, at)
            return
        change(there[-1], source, to, bottom, at)
        if eager[source] and not there:
            refill(state, source, at)

    return draw, draw_one


def _drawing_from_below(zones: ClassZones, put: Operation, refill: Operation) -> Operations:
    """Make the operation that draws cards from the bottom, and the one that refers to drawn cards."""
    held, shift, most = zones.zones, zones.kept.shift, len(zones.program.cards)
    eager = tuple(zone.eager for zone in zones.program.zones)
    counts = tuple(form is Form.COUNTS for form in zones.kept.forms)
    numbers, token = zones.numbers, zones.token

    def draw_bottom(state: list[int], source: int, count: int, to: int, bottom: bool, at: int) -> list[int]:
        """Draw cards from the bottom, one after the other. Returns their classes."""
        drawn: list[int] = []
        while len(drawn) < min(count, most):
            if not held[source] and not refill(state, source, at):
                break
            there = held[source]
            if counts[source]:
                there.sort()
            one = there.pop(0)
            if numbers[source]:
                token[0] = NONE
            put([one], to, bottom, at)
            drawn.append(one)
            if eager[source] and not held[source]:
                refill(state, source, at)
        return drawn

    def refs_to(classes: list[int], zone: int) -> list[int]:
        return [zone << shift | one for one in classes]

    return draw_bottom, refs_to
