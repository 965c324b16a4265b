"""Open decisions as their seats see them, and answers to them.

An option has a *stable key*, which means the same whatever the numbers behind it; equal cards are one option
with a count. An *answer* covers the whole decision: option keys, repeated where an option counts more than
once. A *pick* is one step of an answer, for search.

Keys: `sword` (a card the seat sees in a bag; `sword+token=1` if it carries a mark), `sword@place-2` and
`place-2` (an ordered zone, from the left or from the bottom, seen and unseen), `unseen-1` (a bag the seat
does not see), each followed by `@` and the zone's key where the options lie in several zones; `seat-1`; keys
of definitions and members; numbers; a menu's `branch` or `branch:member,member`.

Invariants: the options of two states equal for a seat are equal (their `values` may differ); the options come
in an order that does not depend on what the seat does not see. Which card stands behind `unseen-1` is a
shuffle derived from the game's chance cells, not the order of card numbers: else it would tell something.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

from attrs import field, frozen

from interpreter.asking import answer_address, slot_address
from interpreter.frames import read_list
from interpreter.knowledge import Knowledge
from interpreter.nearest import nearest
from interpreter.sight import Sight, hidden
from ruleset.table import (
    ANSWERED,
    ASKED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_OPTIONS,
    D_SITE,
    D_STATE,
    NOT_ASKED,
    STATUS,
    Site,
    TableProgram,
)

Rank: TypeAlias = tuple[int, ...]


@frozen
class Option:
    """One thing that can be chosen, `count` times: `values` are the raw option values behind it, lowest
    first.
    """

    key: str
    values: tuple[int, ...] = field(eq=False)
    count: int


@frozen
class Decision:
    """An open decision: who chooses at which site between `least` and `most` of these options.

    `choice` is the stable id of the site; `at` the number of the source that asks.
    """

    seat: int
    site: int
    choice: str
    least: int
    most: int
    options: tuple[Option, ...]
    at: int

    @property
    def digest(self) -> str:
        """A short digest of what was offered, for journals."""
        text = "\n".join(
            [f"{self.choice} {self.least} {self.most}", *(f"{o.key} {o.count}" for o in self.options)]
        )
        return blake2b(text.encode(), digest_size=8).hexdigest()


@frozen
class Refusal:
    """Why an answer was not taken. A refusal changes nothing.

    `reason` is one of `over`, `not-your-decision`, `unknown-option`, `too-many-of-option`, `too-few`,
    `too-many`. `nearest` is a key that was perhaps meant; `at` the source that asks, or -1.
    """

    reason: str
    message: str
    seat: int
    choice: str = ""
    nearest: str | None = None
    at: int = -1


@frozen
class Picks:
    """How a partial answer may go on: the options that may follow, and whether it may stop here."""

    options: tuple[Option, ...]
    may_stop: bool


Answer: TypeAlias = str | Sequence[str] | Mapping[str, int]

# ------------------------------------------------------------------ reading decisions from a state


def slot_values(program: TableProgram, state: Sequence[int], seat: int) -> list[int]:
    """The raw option values of a seat's decision slot."""
    return read_list(state, slot_address(program.layout, seat) + D_OPTIONS)


def slot_answer(program: TableProgram, state: Sequence[int], seat: int) -> list[int]:
    """The raw values that a seat has answered."""
    return read_list(state, answer_address(program.layout, seat))


def asked(program: TableProgram, state: Sequence[int]) -> tuple[tuple[int, int, bool], ...]:
    """Who is asked at present: (seat, site, whether it has answered). Public."""
    if state[STATUS] != ASKING:
        return ()
    slots = ((seat, slot_address(program.layout, seat)) for seat in range(program.seats))
    return tuple(
        (seat, state[slot + D_SITE], state[slot + D_STATE] == ANSWERED)
        for seat, slot in slots
        if state[slot + D_STATE] != NOT_ASKED
    )


def decision(
    program: TableProgram, state: Sequence[int], seat: int, knowledge: Knowledge | None = None
) -> Decision | None:
    """The open decision of a seat, or None."""
    if state[STATUS] != ASKING or state[slot_address(program.layout, seat) + D_STATE] != ASKED:
        return None
    return offered(program, state, seat, knowledge)


def offered(
    program: TableProgram, state: Sequence[int], seat: int, knowledge: Knowledge | None = None
) -> Decision:
    """What a seat that is asked was offered, whether it has answered or not."""
    slot = slot_address(program.layout, seat)
    number = state[slot + D_SITE]
    site = program.sites[number]
    options = read_options(Sight(program, state, knowledge, seat), site, slot_values(program, state, seat))
    return Decision(seat, number, site.key, state[slot + D_LEAST], state[slot + D_MOST], options, site.at)


def decisions(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge | None = None
) -> tuple[Decision, ...]:
    """All open decisions, by seat."""
    found = (decision(program, state, seat, knowledge) for seat in range(program.seats))
    return tuple(one for one in found if one is not None)


# ------------------------------------------------------------------ options and their keys


def read_options(sight: Sight, site: Site, values: Sequence[int]) -> tuple[Option, ...]:
    """Raw option values as options with stable keys, equal ones grouped, in canonical order."""
    named = _menu(sight, site, values) if site.of == "menu" else _plain(sight, site.of, values)
    groups: dict[str, list[int]] = {}
    ranks: dict[str, Rank] = {}
    for value, (rank, key) in named.items():
        groups.setdefault(key, []).append(value)
        ranks[key] = min(ranks.get(key, rank), rank)
    order = sorted(groups, key=lambda key: (ranks[key], key))
    return tuple(Option(key, tuple(sorted(groups[key])), len(groups[key])) for key in order)


def _plain(sight: Sight, of: str, values: Iterable[int]) -> dict[int, tuple[Rank, str]]:
    """Rank and key per value of one type: cards by where they lie, all else in the order of the rules."""
    distinct = dict.fromkeys(values)
    if of == "card":
        return _card_keys(sight, list(distinct))
    return {value: ((rank,), sight.name(of, value)) for rank, value in enumerate(distinct)}


def _card_keys(sight: Sight, cards: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    zones = sight.program.zones
    named: dict[int, tuple[Rank, str]] = {-1: ((-1,), "none")} if -1 in cards else {}
    by_zone: dict[int, list[int]] = {}
    for card in cards:
        if card >= 0:
            by_zone.setdefault(sight.zone_of(card), []).append(card)
    for zone, group in by_zone.items():
        if zone >= 0 and zones[zone].order != "bag":
            keys = _place_keys(sight, zone, group)
        elif zone >= 0 and hidden(zones[zone], sight.seat):
            keys = _unseen_keys(sight, group)
        else:
            keys = _face_keys(sight, group)
        where = f"@{zones[zone].key}" if len(by_zone) > 1 and zone >= 0 else ""
        named.update({card: ((zone, *rank), key + where) for card, (rank, key) in keys.items()})
    return named


def _place_keys(sight: Sight, zone: int, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    places = {card: place for place, card in enumerate(sight.cards(zone), 1)}
    return {card: ((places[card],), _place_key(sight, card, places[card])) for card in group}


def _place_key(sight: Sight, card: int, place: int) -> str:
    return f"{sight.program.cards[card].key}@place-{place}" if sight.sees(card) else f"place-{place}"


def _unseen_keys(sight: Sight, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    shuffled = sorted(group, key=lambda card: _lot(sight.state, card))
    return {card: ((number,), f"unseen-{number}") for number, card in enumerate(shuffled, 1)}


def _lot(state: Sequence[int], card: int) -> bytes:
    """Where chance puts a hidden card among its like: a function of the chance cells, which no seat reads."""
    return blake2b(repr((*state[0:4], card)).encode(), digest_size=8).digest()


def _face_keys(sight: Sight, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    """Cards in sight, without places: by face, and by the marks they carry."""
    marks = {card: _marks_key(sight.marks(card)) for card in group}
    order = sorted(set(marks.values()))
    infos = sight.program.cards
    return {
        card: ((infos[card].face, order.index(mark)), infos[card].key + mark) for card, mark in marks.items()
    }


def _marks_key(marks: Iterable[tuple[str, int | str]]) -> str:
    return "".join(f"+{key}={value}" for key, value in marks)


def _menu(sight: Sight, site: Site, values: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    """Menu options: by the order in which their branches occur, then by their members."""
    split = {value: unfold(site, value) for value in dict.fromkeys(values)}
    first = {
        branch: rank for rank, branch in enumerate(dict.fromkeys(branch for branch, _ in split.values()))
    }
    columns: dict[tuple[int, int], dict[int, tuple[Rank, str]]] = {}
    for branch in first:
        for column, of in enumerate(site.branches[branch].members):
            members = [found[column] for number, found in split.values() if number == branch]
            columns[branch, column] = _plain(sight, of, members)
    named: dict[int, tuple[Rank, str]] = {}
    for value, (branch, found) in split.items():
        parts = [columns[branch, column][member] for column, member in enumerate(found)]
        key = site.branches[branch].key + (":" + ",".join(key for _, key in parts) if parts else "")
        named[value] = ((first[branch], *(number for rank, _ in parts for number in rank)), key)
    return named


def unfold(site: Site, value: int) -> tuple[int, tuple[int, ...]]:
    """A menu value as the number of its branch and its members."""
    branch = value % len(site.branches)
    code, members = value // len(site.branches), []
    for radix in site.branches[branch].radix:
        members.append(code % radix)
        code //= radix
    return branch, tuple(members)


# ------------------------------------------------------------------ answers


def resolve(decision: Decision, answer: Answer) -> tuple[int, ...] | Refusal:
    """The raw values of an answer in canonical form (option order, lowest values first), or why it is
    refused.

    An answer is a sequence of keys, one key alone, or a mapping from keys to counts.
    """
    counts = _counts(answer)
    known = {option.key: option for option in decision.options}
    for key, count in counts.items():
        option = known.get(key)
        if option is None:
            near = nearest(key, known)
            hint = f"; did you mean {near!r}?" if near else ""
            return _refuse(
                decision, "unknown-option", f"{key!r} is not an option of {decision.choice}{hint}", near
            )
        if count > option.count:
            message = f"{key!r} was chosen {count} times and is there {option.count} times"
            return _refuse(decision, "too-many-of-option", message)
        if count < 0:
            return _refuse(decision, "too-few", f"{key!r} was chosen {count} times")
    total = sum(counts.values())
    if total < decision.least:
        return _refuse(decision, "too-few", f"{decision.choice} takes at least {decision.least}, not {total}")
    if total > decision.most:
        return _refuse(decision, "too-many", f"{decision.choice} takes at most {decision.most}, not {total}")
    return tuple(value for option in decision.options for value in option.values[: counts.get(option.key, 0)])


def _counts(answer: Answer) -> dict[str, int]:
    if isinstance(answer, Mapping):
        return {key: count for key, count in answer.items() if count != 0}
    counts: dict[str, int] = {}
    for key in (answer,) if isinstance(answer, str) else answer:
        counts[key] = counts.get(key, 0) + 1
    return counts


def _refuse(decision: Decision, reason: str, message: str, near: str | None = None) -> Refusal:
    return Refusal(reason, message, decision.seat, decision.choice, near, decision.at)


def keys_of(decision: Decision, values: Iterable[int]) -> tuple[str, ...]:
    """The canonical option keys of raw values: what a journal writes."""
    chosen = set(values)
    return tuple(option.key for option in decision.options for value in option.values if value in chosen)


def picks(decision: Decision, partial: Sequence[str] = ()) -> Picks:
    """How a partial answer in canonical order may go on, so that each answer is reached along one path only.

    An option may follow itself as often as it counts, and never one that stands behind it; one after which
    `least` could not be reached any more is left out.
    """
    order = {option.key: place for place, option in enumerate(decision.options)}
    last = order[partial[-1]] if partial else 0
    may_stop = decision.least <= len(partial) <= decision.most
    if len(partial) >= decision.most:
        return Picks((), may_stop)
    left = [option.count for option in decision.options]
    for key in partial:
        left[order[key]] -= 1
    follow = tuple(
        decision.options[place]
        for place in range(last, len(left))
        if left[place] > 0 and len(partial) + sum(left[place:]) >= decision.least
    )
    return Picks(follow, may_stop)
