"""Open decisions as their seats see them, and answers to them.

An option has a *stable key*, which means the same for any raw values; equal cards are one option with a count.
An *answer* covers the whole decision: option keys, repeated where an option is chosen more than once. A *pick* is
one step of an answer, for search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

from attrs import evolve, field, frozen

from rulewright.interpreter.state.chance import load, seed_state
from rulewright.interpreter.state.decision_slots import answer_address, slot_address, unfold
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.refusals import Refusal
from rulewright.interpreter.views.visibility import Mark, SeatSight
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.table.message import Value
from rulewright.ruleset.table.nodes import (
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

# ---- Options with stable keys: names of raw option values for the seat that chooses
#
# Keys: `gem` (a card of a bag that the seat sees or looks at; `gem+token=1` with a mark), `gem@place-2` and
# `place-2` (seen and unseen, in an ordered zone, from the left or from the bottom), `unseen-1` (an unseen
# card of a bag), each followed by `@` and the zone's key if the options are in several zones; `seat-1`; keys
# of definitions and members; numbers; a menu's `branch` or `branch:member,member`. Where a seat orders cards
# (`Site.private`), the cards that it sees have no place in their keys, so that equal ones are one option.
#
# Invariants: two states that are equal for a seat have equal options (their `values` may differ), in an order
# that does not depend on anything hidden from the seat. The card behind `unseen-1` is decided by a shuffle
# derived from the game's chance cells: the order of card numbers would reveal something.

Rank: TypeAlias = tuple[int, ...]
"""The sort key of options."""


@frozen
class Option:
    """One thing that can be chosen, `count` times. `values` are its raw option values, lowest first."""

    key: str
    values: tuple[int, ...] = field(eq=False)
    count: int


def read_options(sight: SeatSight, site: Site, values: Sequence[int]) -> tuple[Option, ...]:
    """Turn raw option values into options with stable keys, equal ones grouped, in canonical order."""
    named = _menu(sight, site, values) if site.of == "menu" else _plain(sight, site.of, values, site.private)
    groups: dict[str, list[int]] = {}
    ranks: dict[str, Rank] = {}
    for value, (rank, key) in named.items():
        groups.setdefault(key, []).append(value)
        ranks[key] = min(ranks.get(key, rank), rank)
    order = sorted(groups, key=lambda key: (ranks[key], key))
    return tuple(Option(key, tuple(sorted(groups[key])), len(groups[key])) for key in order)


def _plain(sight: SeatSight, of: str, values: Iterable[int], alike: bool = False) -> dict[int, tuple[Rank, str]]:
    """Return rank and key of values of one type: cards by zone and place, others in the order of the rules.

    `alike`: equal cards that the seat sees are one option wherever they are in a pile or row.
    """
    distinct = dict.fromkeys(values)
    if of == "card":
        return _card_keys(sight, list(distinct), alike)
    return {value: ((rank,), sight.name(of, value)) for rank, value in enumerate(distinct)}


def _card_keys(sight: SeatSight, cards: Sequence[int], alike: bool) -> dict[int, tuple[Rank, str]]:
    zones = sight.program.zones
    named: dict[int, tuple[Rank, str]] = {-1: ((-1,), "none")} if -1 in cards else {}
    by_zone: dict[int, list[int]] = {}
    for card in cards:
        if card >= 0:
            by_zone.setdefault(sight.zone_of(card), []).append(card)
    for zone, group in by_zone.items():
        if zone >= 0 and zones[zone].order != "bag":
            keys = _place_keys(sight, zone, group)
            if alike:
                keys |= _face_keys(sight, [card for card in group if sight.sees(card)])
        else:
            seen = [card for card in group if sight.sees(card)]
            keys = _face_keys(sight, seen) | _unseen_keys(sight, [card for card in group if card not in seen])
        where = f"@{zones[zone].key}" if len(by_zone) > 1 and zone >= 0 else ""
        named.update({card: ((zone, *rank), key + where) for card, (rank, key) in keys.items()})
    return named


def _place_keys(sight: SeatSight, zone: int, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    places = {card: place for place, card in enumerate(sight.cards(zone), 1)}
    return {card: ((places[card],), _place_key(sight, card, places[card])) for card in group}


def _place_key(sight: SeatSight, card: int, place: int) -> str:
    return f"{sight.program.cards[card].key}@place-{place}" if sight.sees(card) else f"place-{place}"


def _unseen_keys(sight: SeatSight, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    shuffled = sorted(group, key=lambda card: _lot(sight.state, card))
    return {card: ((number,), f"unseen-{number}") for number, card in enumerate(shuffled, 1)}


def _lot(state: Sequence[int], card: int) -> int:
    """Return the rank of a hidden card among its equals: a function of the chance cells, which no seat reads."""
    return seed_state(load(state), card)


def _face_keys(sight: SeatSight, group: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    """Return rank and key of visible cards without places: by face and marks."""
    marks = {card: _marks_key(sight.marks(card)) for card in group}
    order = sorted(set(marks.values()))
    infos = sight.program.cards
    return {card: ((infos[card].face, order.index(mark)), infos[card].key + mark) for card, mark in marks.items()}


def _marks_key(marks: Iterable[Mark]) -> str:
    return "".join(f"+{key}={value}" for key, value in marks)


def _menu(sight: SeatSight, site: Site, values: Sequence[int]) -> dict[int, tuple[Rank, str]]:
    """Return rank and key of menu options: by the order of their branches, then by their members."""
    split = {value: unfold(site, value) for value in dict.fromkeys(values)}
    first = {branch: rank for rank, branch in enumerate(dict.fromkeys(branch for branch, _ in split.values()))}
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


# ---- Decision

@frozen
class Decision:
    """An open decision: a seat chooses between `least` and `most` of these options.

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
        """A short digest of the offered options, for journals."""
        text = "\n".join([f"{self.choice} {self.least} {self.most}", *(f"{o.key} {o.count}" for o in self.options)])
        return blake2b(text.encode(), digest_size=8).hexdigest()


@frozen
class Picks:
    """Continuations of a partial answer: the options that may follow, and whether it may stop here."""

    options: tuple[Option, ...]
    may_stop: bool


Answer: TypeAlias = str | Sequence[str] | Mapping[str, int]


def only_answer(decision: Decision) -> list[str] | None:
    """Return the answer to a decision that has only one; None if there are several."""
    offered = sum(option.count for option in decision.options)
    if decision.most == 0 or offered == 0:
        return []
    if decision.least == offered:
        return [option.key for option in decision.options for _ in range(option.count)]
    if len(decision.options) == 1 and decision.least == decision.most:
        return [decision.options[0].key] * decision.least
    return None


# ------------------------------------------------------------------ reading decisions from a state

def slot_values(program: TableProgram, state: Sequence[int], seat: int) -> list[int]:
    """Return the raw option values of a seat's decision slot."""
    return read_list(state, slot_address(program.layout, seat) + D_OPTIONS)


def slot_answer(program: TableProgram, state: Sequence[int], seat: int) -> list[int]:
    """Return the raw values of a seat's answer."""
    return read_list(state, answer_address(program.layout, seat))


def asked(program: TableProgram, state: Sequence[int]) -> tuple[tuple[int, int, bool], ...]:
    """Return (seat, site, whether it has answered) for each seat that is asked at present. This is public."""
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
    """Return the open decision of a seat, or None."""
    if state[STATUS] != ASKING or state[slot_address(program.layout, seat) + D_STATE] != ASKED:
        return None
    return offered(program, state, seat, knowledge)


def offered(program: TableProgram, state: Sequence[int], seat: int, knowledge: Knowledge | None = None) -> Decision:
    """Return the decision offered to a seat that is asked, whether it has answered or not."""
    slot = slot_address(program.layout, seat)
    number = state[slot + D_SITE]
    site = program.sites[number]
    options = read_options(SeatSight(program, state, knowledge, seat), site, slot_values(program, state, seat))
    return Decision(seat, number, site.key, state[slot + D_LEAST], state[slot + D_MOST], options, site.at)


def decisions(
    program: TableProgram, state: Sequence[int], knowledge: Knowledge | None = None
) -> tuple[Decision, ...]:
    """Return all open decisions, by seat."""
    found = (decision(program, state, seat, knowledge) for seat in range(program.seats))
    return tuple(one for one in found if one is not None)


def without_values(decision: Decision) -> Decision:
    """Remove the raw values from a decision: they number cards that its seat may be unable to tell apart."""
    return evolve(decision, options=tuple(evolve(option, values=()) for option in decision.options))


# ------------------------------------------------------------------ answers

def resolve(decision: Decision, answer: Answer) -> tuple[int, ...] | Refusal:
    """Return the raw values of an answer in canonical form (option order, lowest values first), or a refusal.

    An answer is a sequence of keys, one key alone, or a mapping from keys to counts.
    """
    counts = _counts(answer)
    if counts is None:
        return _refuse(decision, "malformed-answer", given=f"{answer!r:.80}")
    known = {option.key: option for option in decision.options}
    for key, count in counts.items():
        option = known.get(key)
        if option is None:
            given, near = f"{key!r:.80}", nearest(key, known)
            if near is None:
                return _refuse(decision, "unknown-option", given=given)
            return _refuse(decision, "misspelt-option", near, given=given, option=near)
        if count > option.count:
            return _refuse(decision, "too-many-of-option", option=key, n=count, count=option.count)
        if count < 0:
            return _refuse(decision, "negative", option=key, n=count)
    total, least, most = sum(counts.values()), decision.least, decision.most
    exactly = "yes" if least == most else "no"
    if total < least:
        return _refuse(decision, "too-few", n=total, least=least, exactly=exactly)
    if total > most:
        return _refuse(decision, "too-many", n=total, most=most, exactly=exactly)
    return tuple(value for option in decision.options for value in option.values[: counts.get(option.key, 0)])


def _counts(answer: object) -> dict[str, int] | None:
    """Return how often each key is chosen, or None for anything that is not an answer."""
    if isinstance(answer, Mapping):
        chosen = dict(answer)
        if not all(isinstance(key, str) and type(count) is int for key, count in chosen.items()):
            return None
        return {key: count for key, count in chosen.items() if count != 0}
    if isinstance(answer, str):
        return {answer: 1}
    if not isinstance(answer, Sequence) or not all(isinstance(key, str) for key in answer):
        return None
    return dict(Counter(answer))


def _refuse(decision: Decision, said: str, near: str | None = None, /, **values: Value) -> Refusal:
    return Refusal(said, decision.seat, tuple(values.items()), decision.choice, near, decision.at)


def keys_of(decision: Decision, values: Iterable[int]) -> tuple[str, ...]:
    """Return the canonical option keys of raw values, as a journal stores them."""
    chosen = set(values)
    return tuple(option.key for option in decision.options for value in option.values if value in chosen)


def picks(decision: Decision, partial: Sequence[str] = ()) -> Picks:
    """Return the continuations of a partial answer in canonical order. Each answer is reached along one path only.

    An option may be followed by itself, as often as its count, and by later options, but not by earlier ones.
    Options after which `least` could no longer be reached are left out.
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
