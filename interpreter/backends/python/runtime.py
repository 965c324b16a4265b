"""Names and helper functions that generated Python uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any, NoReturn

from interpreter.analysis.metered import charge, units
from interpreter.backends.python.zones import fast_zones
from interpreter.backends.walker.zones import Zones
from interpreter.state import chance, decision_slots
from interpreter.state.arithmetic import HIGHEST, LOWEST
from interpreter.state.frames import next_game, restart
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import ANSWERED, ASKED, D_OPTIONS, EVENTS, HEAD, NOT_ASKED, OPEN, TableProgram


def namespace(program: TableProgram, narrating: bool, codes: Sequence[str]) -> dict[str, Any]:
    """Return the names of one build. `codes` are the rule errors that the generated text refers to by number."""
    names: dict[str, Any] = {"__builtins__": _BUILTINS, "NONE": (-1,), "CODES": tuple(codes)}
    names["EVENTS"] = tuple(EVENTS)
    names["ADDRESS"] = tuple(zone.address for zone in program.zones)
    names["FIRST"] = tuple(zone.address + 1 for zone in program.zones)
    names["ENTRIES"] = tuple(procedure.entry for procedure in program.procedures)
    names["SIZES"] = tuple(procedure.size for procedure in program.procedures)
    names["OFFSETS"] = tuple(tuple(slot.offset for slot in p.slots) for p in program.procedures)
    names.update({f"T{number}": values for number, values in enumerate(program.tables)})
    names.update({f"H{number}": values.__getitem__ for number, values in enumerate(program.tables)})
    names.update({f"L{number}": values for number, values in enumerate(program.lists)})
    names.update(_HELPERS, first_few=islice)
    names.update(_asking(program))
    if narrating:
        zones = Zones(program)
        for name in (
            "move",
            "move_lowest",
            "move_all",
            "send_home",
            "draw",
            "shuffle",
            "prepare",
            "reveal",
            "change",
            "assign",
        ):
            names[name] = getattr(zones, name)
        names["draw_bottom"] = partial(zones.draw, lowest=True)
        names["send_lowest_home"] = partial(zones.send_home, lowest=True)
        names["answered"] = lambda state: decision_slots.answered_events(state, program)
    else:
        names.update(fast_zones(program))
    if program.next_game is not None:
        names["restart"] = partial(restart, following=next_game(program))
    return names


# ------------------------------------------------------------------ decisions


def _asking(program: TableProgram) -> dict[str, Callable[..., Any]]:
    """Make fast versions of `decision_slots.ask` (for a slot that is all zero) and `decision_slots.close`."""
    layout = program.layout
    size, capacity = layout.decision, layout.options
    answers = D_OPTIONS + capacity + 1
    slots = tuple(HEAD + seat * size for seat in range(program.seats))
    blank = (0,) * (D_OPTIONS + 1)

    def ask(
        state: list[int], seat: int, site: int, options: Sequence[int], least: int, most: int, at: int,
        always: bool = False,
    ) -> int:  # fmt: skip
        count = len(options)
        if count > capacity:
            raise RuleError("full", at)
        if most > count:
            most = count
        if most < 0:
            most = 0
        if least > most:
            least = most
        if least < 0:
            least = 0
        slot = slots[seat]
        state[slot + D_OPTIONS + 1 : slot + D_OPTIONS + 1 + count] = options
        if (most and least != count) or always:
            state[slot : slot + D_OPTIONS + 1] = (ASKED, site, least, most, count)
            return 1
        state[slot : slot + D_OPTIONS + 1] = (ANSWERED, site, least, most, count)
        if most:
            state[slot + answers] = count
            state[slot + answers + 1 : slot + answers + 1 + count] = options
        return 0

    def close(state: list[int]) -> None:
        for slot in slots:
            if state[slot] != NOT_ASKED:
                count = state[slot + D_OPTIONS]
                state[slot : slot + D_OPTIONS + 1] = blank
                state[slot + D_OPTIONS + 1 : slot + D_OPTIONS + 1 + count] = [0] * count
                clear(state, slot + answers)
        state[OPEN] = 0

    def fits(options: Sequence[int], at: int) -> Sequence[int]:
        if len(options) > capacity:
            raise RuleError("full", at)
        return options

    return {"ask": ask, "close": close, "fits": fits}


# ------------------------------------------------------------------ rule errors


def full(at: int) -> NoReturn:
    raise RuleError("full", at)


def fail(code: str, at: int) -> NoReturn:
    raise RuleError(code, at)


def overflow(at: int) -> NoReturn:
    raise RuleError("overflow", at)


def within(value: int, least: int, most: int, at: int) -> int:
    if not least <= value <= most:
        raise RuleError("full", at)
    return value


def absent(at: int) -> NoReturn:
    raise RuleError("absent", at)


def bounds(at: int) -> NoReturn:
    raise RuleError("bounds", at)


def no_fuel(at: int) -> NoReturn:
    raise RuleError("fuel", at)


def metered(state: list[int], items: Sequence[int], each: int, at: int) -> Sequence[int]:
    """Charge fuel for items that exist (see `Metered`), and return them."""
    charge(state, at, units(len(items), each))
    return items


def no_stack(at: int) -> NoReturn:
    raise RuleError("stack", at)


# ------------------------------------------------------------------ integers


def fitting(value: int, at: int) -> int:
    """Return a value that fits a cell."""
    if LOWEST <= value <= HIGHEST:
        return value
    raise RuleError("overflow", at)


def add(left: int, right: int, at: int) -> int:
    value = left + right
    if LOWEST <= value <= HIGHEST:
        return value
    raise RuleError("overflow", at)


def subtract(left: int, right: int, at: int) -> int:
    value = left - right
    if LOWEST <= value <= HIGHEST:
        return value
    raise RuleError("overflow", at)


def multiply(left: int, right: int, at: int) -> int:
    return fitting(left * right, at)


def divide(left: int, right: int, at: int) -> int:
    if right == 0:
        raise RuleError("zero-division", at)
    return fitting(left // right, at)


def modulo(left: int, right: int, at: int) -> int:
    if right == 0:
        raise RuleError("zero-division", at)
    return left % right


def present(value: int, at: int) -> int:
    """Return a value that is not none."""
    if value == -1:
        raise RuleError("absent", at)
    return value


def random(state: list[int], bound: int, at: int) -> int:
    if bound < 1:
        raise RuleError("absent", at)
    number, generator = chance.bounded(chance.load(state), bound)
    chance.store(state, generator)
    return number


# ------------------------------------------------------------------ lists


def contains(items: Sequence[int], value: int) -> bool:
    """Evaluate both operands in order before the search, since both can fail."""
    return value in items


def first_of(items: Sequence[int], count: int) -> Sequence[int]:
    return items[:count] if count > 0 else ()


def last_of(items: Sequence[int], count: int) -> Sequence[int]:
    return items[-count:] if count > 0 else ()


def highest_of(items: Sequence[int], key: Callable[[int], int], surely: bool) -> Sequence[int]:
    """Return the items with the highest key. `surely`: the key cannot fail, so a single item needs none."""
    if surely and len(items) < 2:
        return items
    keys = [key(item) for item in items]
    extreme = max(keys, default=0)
    return [item for item, value in zip(items, keys, strict=True) if value == extreme]


def lowest_of(items: Sequence[int], key: Callable[[int], int], surely: bool) -> Sequence[int]:
    """Return the items with the lowest key. `surely` is as in `highest_of`."""
    if surely and len(items) < 2:
        return items
    keys = [key(item) for item in items]
    extreme = min(keys, default=0)
    return [item for item, value in zip(items, keys, strict=True) if value == extreme]


def distinct(items: Sequence[int], key: Callable[[int], int]) -> Sequence[int]:
    """Return the first item of each key. The key cannot fail, so a single item needs none."""
    return items if len(items) < 2 else told_apart(items, key)


def told_apart(items: Sequence[int], key: Callable[[int], int]) -> Sequence[int]:
    """Do the same as `distinct`, but always evaluate the key, since it can fail."""
    first: dict[int, int] = {}
    for item in items:
        first.setdefault(key(item), item)
    return list(first.values())


def rotated(items: Sequence[int], start: int) -> Sequence[int]:
    """Return the items from `start` on, around to the one before it."""
    if start not in items:
        return items
    place = items.index(start)
    after: Sequence[int] = items[place:]
    return after + items[:place]  # type: ignore[operator,no-any-return]  # both are lists, or both are tuples


def others(items: Sequence[int], start: int) -> Sequence[int]:
    """Return the items from the one after `start` around to the one before it."""
    try:
        place = items.index(start)
    except ValueError:
        return items
    after: Sequence[int] = items[place + 1 :]
    rest: Sequence[int] = after + items[:place]  # type: ignore[operator]  # both are lists, or both are tuples
    return rest if start not in after else [item for item in rest if item != start]


# ------------------------------------------------------------------ list cells


def read(state: list[int], address: int) -> list[int]:
    return state[address + 1 : address + 1 + state[address]]


def write(state: list[int], address: int, items: Sequence[int]) -> None:
    before, count = state[address], len(items)
    end = address + 1 + count
    state[address] = count
    state[address + 1 : end] = items
    if before > count:
        state[end : end + before - count] = [0] * (before - count)


def clear(state: list[int], address: int) -> None:
    count = state[address]
    if count:
        state[address : address + count + 1] = [0] * (count + 1)


def append(state: list[int], address: int, value: int, capacity: int, at: int) -> None:
    """Append a value to list cells unless they contain it. Rule error `full`."""
    count = state[address]
    end = address + 1 + count
    if value in state[address + 1 : end]:
        return
    if count >= capacity:
        raise RuleError("full", at)
    state[end] = value
    state[address] = count + 1


def remove(state: list[int], address: int, value: int) -> None:
    end = address + state[address]
    for place in range(address + 1, end + 1):
        if state[place] == value:
            state[place:end] = state[place + 1 : end + 1]
            state[end] = 0
            state[address] -= 1
            return


_HELPERS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(fail, full, overflow, absent, within, bounds, no_fuel, no_stack),
        *(metered, fitting, add, subtract, multiply, divide, modulo, present, random),
        *(contains, first_of, last_of, highest_of, lowest_of, distinct, told_apart, rotated, others),
        *(read, write, clear, append, remove),
    )
}
_BUILTINS = {function.__name__: function for function in (any, filter, len, map, max, min, sorted, sum, tuple)}
