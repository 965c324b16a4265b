"""Decision slots: asking a seat, answering, and events of answers. Every backend uses this module.

Invariants:
- a slot that is NOT_ASKED is all zero; asking begins with every slot zero;
- OPEN is the number of slots that are ASKED; STATUS is ASKING exactly when it is not 0;
- an answer is in the order of the options and within the slot's bounds; the caller ensures both.

No event is emitted for an answer until the game goes on. Then, before anything else, each answer emits an event
`answered`, in seat order, forced answers included.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from attrs import frozen

from rulewright.interpreter.state.events import RawEvent, cards_seen
from rulewright.interpreter.state.frames import clear_slots, dead_slots, read_list, write_list, zeros
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table.nodes import (
    ANSWERED,
    ASKED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_OPTIONS,
    D_SITE,
    D_STATE,
    FRAME,
    FUEL,
    HEAD,
    NOT_ASKED,
    OPEN,
    RUNNING,
    SEGMENT,
    STATUS,
    Ask,
    Layout,
    Site,
    Slot,
    TableProgram,
)


@frozen
class Asking:
    """A segment that asks: the segment where the game goes on, and the slots of the frame that are dead by then."""

    segment: int
    resume: int
    dead: tuple[Slot, ...]


def asking_segments(program: TableProgram) -> dict[int, Asking]:
    """Return the segments that ask, by number."""
    found: dict[int, Asking] = {}
    for number, segment in enumerate(program.segments):
        end = segment.tree.end
        if isinstance(end, Ask):
            found[number] = Asking(number, end.resume, dead_slots(program, number, end.resume))
    return found


def slot_address(layout: Layout, seat: int) -> int:
    """Return the address of a seat's decision slot."""
    return HEAD + seat * layout.decision


def answer_address(layout: Layout, seat: int) -> int:
    """Return the address of the list cells of a seat's answer."""
    return slot_address(layout, seat) + D_OPTIONS + layout.options + 1


def bounds(count: int, least: int, most: int) -> tuple[int, int]:
    """Fit the bounds of an answer to `count` options: 0 <= least <= most <= count."""
    most = max(0, min(most, count))
    return max(0, min(least, most)), most


def close(state: array[int], layout: Layout, seats: int) -> None:
    """Zero every decision slot."""
    for seat in range(seats):
        slot = slot_address(layout, seat)
        if state[slot + D_STATE] != NOT_ASKED:
            write_list(state, slot + D_OPTIONS, ())
            write_list(state, answer_address(layout, seat), ())
            state[slot : slot + D_OPTIONS] = zeros(D_OPTIONS)
    state[OPEN] = 0


def ask(
    state: array[int],
    layout: Layout,
    seat: int,
    site: int,
    options: Sequence[int],
    least: int,
    most: int,
    always: bool = False,
) -> bool:
    """Fill a seat's slot, with bounds fitted to the options. Returns False if it gave a forced answer."""
    least, most = bounds(len(options), least, most)
    slot = slot_address(layout, seat)
    forced = (most == 0 or least == len(options)) and not always
    state[slot + D_STATE] = ANSWERED if forced else ASKED
    state[slot + D_SITE] = site
    state[slot + D_LEAST] = least
    state[slot + D_MOST] = most
    write_list(state, slot + D_OPTIONS, options)
    if forced:
        write_list(state, answer_address(layout, seat), options if most else ())
    return not forced


def answer(state: array[int], layout: Layout, asking: Asking, seat: int, values: Sequence[int]) -> None:
    """Store a seat's legal answer. After the last one the state is ready to run at the resume segment."""
    slot = HEAD + seat * layout.decision
    cells = slot + D_OPTIONS + layout.options + 1
    state[cells] = len(values)
    state[cells + 1 : cells + 1 + len(values)] = array("i", values)
    state[slot + D_STATE] = ANSWERED
    state[OPEN] -= 1
    if state[OPEN] == 0:
        clear_slots(state, state[FRAME], asking.dead)
        state[STATUS] = RUNNING
        state[SEGMENT] = asking.resume
        state[FUEL] = FUEL_PER_ANSWER


def ask_anew(state: array[int], program: TableProgram) -> None:
    """Make the next run evaluate the open decisions again, in a state whose hidden cells were changed.

    Answers already given to them are lost. Does nothing if no decision is open.
    """
    if state[STATUS] == ASKING:
        close(state, program.layout, program.seats)
        state[STATUS] = RUNNING


# ------------------------------------------------------------------ events of answers

def answered_events(state: Sequence[int], program: TableProgram) -> list[RawEvent]:
    """Return the events of the answers in the slots, in seat order."""
    events: list[RawEvent] = []
    everyone = (1 << program.seats) - 1
    for seat in range(program.seats):
        slot = slot_address(program.layout, seat)
        if state[slot + D_STATE] == ANSWERED:
            number = state[slot + D_SITE]
            values = tuple(read_list(state, answer_address(program.layout, seat)))
            sees = _sees(state, program, program.sites[number], seat, values)
            at = program.sites[number].at
            events.append(("answered", (seat, number, len(values)), values, everyone, sees, at))
    return events


def _sees(state: Sequence[int], program: TableProgram, site: Site, seat: int, values: Sequence[int]) -> int:
    """Return the mask of seats that may read an answer.

    A private answer: the seat alone. Chosen cards: the seat, and the seats that see all of them in their zones.
    Another sealed answer: the seat alone. Any other answer: all seats.
    """
    if site.private:
        return 1 << seat
    cards = list(values) if site.of == "card" else _menu_cards(site, values)
    if cards is None:
        return 1 << seat if site.sealed else (1 << program.seats) - 1
    seers = (1 << program.seats) - 1
    for card in cards:
        zone = state[program.layout.places + card] if card >= 0 else -1
        seers &= cards_seen(program.zones[zone]) if zone >= 0 else 0
    return seers | 1 << seat


def _menu_cards(site: Site, values: Sequence[int]) -> list[int] | None:
    """Return the cards that chosen options of a menu name, or None if the chosen branches name none."""
    cards: list[int] = []
    names_cards = False
    for value in values if site.of == "menu" else ():
        code, number = divmod(value, len(site.branches))
        branch = site.branches[number]
        for member, radix in zip(branch.members, branch.radix, strict=True):
            code, part = divmod(code, radix)
            if member == "card":
                names_cards = True
                cards.append(part)
    return cards if names_cards else None


# ---- Raw values of menu options, taken apart: their branches, their members, and the cards among these

def unfold(site: Site, value: int) -> tuple[int, tuple[int, ...]]:
    """Split a menu value into the number of its branch and its members."""
    branch = value % len(site.branches)
    code, members = value // len(site.branches), []
    for radix in site.branches[branch].radix:
        members.append(code % radix)
        code //= radix
    return branch, tuple(members)


def fold_option(site: Site, branch: int, members: Sequence[int]) -> int:
    """Return the menu value of a branch and its members: the inverse of `unfold`."""
    code = 0
    for member, radix in zip(reversed(members), reversed(site.branches[branch].radix), strict=True):
        code = code * radix + member
    return branch + len(site.branches) * code


def cards_of_answer(site: Site, values: Sequence[int]) -> list[int]:
    """Return the cards that the values of an answer name."""
    if site.of == "card":
        return [value for value in values if value >= 0]
    cards: list[int] = []
    for value in values if site.of == "menu" else ():
        branch, members = unfold(site, value)
        named = zip(site.branches[branch].members, members, strict=True)
        cards.extend(member for of, member in named if of == "card")
    return cards
