"""Compare what whole games count with what an onlooker sees, who plays them decision by decision.

The onlooker shares no code with what counts: it names options as players see them, and reads the events of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.module import CSource
from rulewright.interpreter.backends.policies import RankedPlayer
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.batch.batch import bots_stream, stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.batch.native_calls import GameResults
from rulewright.interpreter.counting import NUMBERS, Counted, Folder, GameGrouping, counted
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.visibility import ALL_DEFINITIONS, SeatSight, value_key
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_OPTIONS, D_SITE, D_STATE, STATUS, Site, TableProgram
from tests.interpreter import compilers
from tests.interpreter.many_beside import compare

FIRST = 3
"""Number of the first game."""


def same_counts(
    program: TableProgram, games: int, seed: int, seated: Sequence[str] = (), source: CSource | None = None
) -> GameResults:
    """Play games in native code, whole and in steps. Raise AssertionError where they differ, or where sums do if no
    cells are asked for.
    """
    counting = counted(program)
    cells, folder = range(counting.starter, counting.end), lambda: Folder(counting, GameGrouping(FIRST, games))
    expected = stepping_many(program, cells, AUTO, seated, folder()).play(seed, FIRST, games)
    for asked in (cells, range(0)):
        native = native_many(program, asked, seated, source=source, by=compilers.quick(), folder=folder())
        found = native.play(seed, FIRST, games)
        if asked:
            compare(found, expected)
        assert found.counts == expected.counts, "other sums"
    return expected


@frozen
class Seen:
    """What the onlooker has seen in a game."""

    offered: Counter[tuple[str, str, int]] = field(factory=Counter)
    chosen: Counter[tuple[str, str, int]] = field(factory=Counter)
    done: Counter[str] = field(factory=Counter)
    points: Counter[tuple[str, int]] = field(factory=Counter)
    owned: Counter[tuple[str, int]] = field(factory=Counter)


class Onlooker:
    """Plays games of a table and looks at each decision."""

    def __init__(self, program: TableProgram, seated: Sequence[str] = ()) -> None:
        self._program = program
        self._player = RankedPlayer(program, seated)
        self._backend = Walker(program)
        self._kinds = {key: kind for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys}

    def watch(self, seed: int, game: int) -> Seen:
        """Play a game. Raises RuleError."""
        seen, events = Seen(), list[RawEvent]()
        state, stream = self._backend.start(seed, game), bots_stream(seed, game)
        self._backend.run(state, events)
        while state[STATUS] == ASKING:
            for seat, slot in enumerate(self._player.slots):
                if state[slot + D_STATE] == ASKED:
                    values = self._player.choose(state, seat, stream)
                    if self._matters(state, slot):
                        options = state[slot + D_OPTIONS + 1 : slot + D_OPTIONS + 1 + state[slot + D_OPTIONS]]
                        site = self._program.sites[state[slot + D_SITE]]
                        for counts, some in ((seen.offered, options), (seen.chosen, values)):
                            names = {name for value in some for name in self._names(state, seat, site, value)}
                            counts.update((site.key, name, seat) for name in names)
                    self._backend.answer(state, seat, values)
            self._backend.run(state, events)
        self._hear(events, seen)
        for zone in self._program.zones:
            if zone.owner >= 0:
                cards = (self._program.cards[card] for card in read_list(state, zone.address))
                seen.owned.update((f"{card.kind}/{card.definition}", zone.owner) for card in cards)
        return seen

    def _matters(self, state: Sequence[int], slot: int) -> bool:
        """Whether a decision has answers that differ: equal cards of one bag are interchangeable."""
        least, most, count = (state[slot + place] for place in (table.D_LEAST, table.D_MOST, D_OPTIONS))
        if most == 0 or least == count:
            return False
        if self._program.sites[state[slot + D_SITE]].of != "card" or least != most:
            return True
        kinds = set()
        for card in state[slot + D_OPTIONS + 1 : slot + D_OPTIONS + 1 + count]:
            zone = state[self._program.layout.places + card]
            bag = zone >= 0 and self._program.zones[zone].order == "bag"
            kinds.add((zone, self._program.cards[card].face) if bag else (-1, card))
        return len(kinds) > 1

    def _names(self, state: Sequence[int], seat: int, site: Site, value: int) -> Iterator[str]:
        if site.of != "menu":
            yield from self._member(state, seat, site, site.of, value)
            return
        number, members = unfold(site, value)
        branch = site.branches[number]
        yield f"{site.key}/{branch.key}"
        for of, member in zip(branch.members, members, strict=True):
            if of == "card" or any(kind == of for kind, _ in self._program.definitions):
                yield from self._member(state, seat, site, of, member)

    def _member(self, state: Sequence[int], seat: int, site: Site, of: str, value: int) -> Iterator[str]:
        if of == "seat" or value < 0:
            return
        if of == "card":
            if SeatSight(self._program, state, None, seat).sees(value):
                card = self._program.cards[value]
                yield f"{card.kind}/{card.definition}"
            return
        key = value_key(self._program, of, value)
        if any(kind == of for kind, _ in self._program.definitions):
            yield f"{self._kinds[key]}/{key}"
        else:
            yield f"{site.key}/{'other' if of == 'number' and value >= NUMBERS else key}"

    def _hear(self, events: Sequence[RawEvent], seen: Seen) -> None:
        for event in events:
            kind, numbers, name = event[0], event[1], self._program.sources[event[5]].name
            if kind == "reached" or (kind == "performed" and name.startswith("effect/")):
                seen.done[name] += 1
            elif kind == "scored":
                seen.points[name, numbers[1]] += numbers[2]


def seen_by_cells(counting: Counted, cells: Sequence[int]) -> Seen:
    """What the counters of a game say, as the onlooker would."""
    uses, seats, seen = counting.uses, counting.program.seats, Seen()
    assert uses is not None

    def at(address: int) -> int:
        return cells[address - counting.starter]

    for seat in range(seats):
        for number, use in enumerate(uses.uses):
            address = counting.uses_at + 2 * (seat * len(uses.uses) + number)
            seen.offered[use.site, use.what, seat] += at(address)
            seen.chosen[use.site, use.what, seat] += at(address + 1)
        for number, award in enumerate(counting.awards):
            seen.points[award, seat] += at(counting.points_at + number * seats + seat)
    for number, name in enumerate(counting.done):
        seen.done[name] += at(counting.done_at + number)
    chosen: Counter[str] = Counter()
    for (_, what, _), times in seen.chosen.items():
        chosen[what] += times
    for number, thing in enumerate(uses.things):
        assert at(counting.things_at + number) == chosen[thing], thing
    return seen


def check_cells(program: TableProgram, results: GameResults, seed: int, seated: Sequence[str] = ()) -> int:
    """Compare the counters of games with what an onlooker sees. Returns how many decisions were seen."""
    onlooker, counting, offers = Onlooker(program, seated), counted(program), 0
    totals: Counter[tuple[str, int]] = Counter()
    for place in range(results.count):
        try:
            expected = onlooker.watch(seed, results.first + place)
        except RuleError:
            assert results.faults[place]
            continue
        found = seen_by_cells(counting, [column[place] for column in results.cells])
        assert +found.offered == +expected.offered
        assert +found.chosen == +expected.chosen
        assert +found.done == +expected.done
        assert _without_zeros(found.points) == _without_zeros(expected.points)
        totals.update(expected.owned)
        offers += expected.offered.total()
    assert results.counts is not None
    owned = {
        (name, seat): results.counts.owned[number * program.seats + seat]
        for number, name in enumerate(counting.definitions)
        for seat in range(program.seats)
    }
    assert +Counter(owned) == totals
    return offers


def _without_zeros(counts: Counter[Any]) -> dict[Any, int]:
    return {key: value for key, value in counts.items() if value}


def altered(source: CSource, old: str, new: str) -> CSource:
    """A module with one place of its text changed."""
    assert old in source.text, old
    return evolve(source, text=source.text.replace(old, new, 1))
