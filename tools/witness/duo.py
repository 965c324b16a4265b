"""Play two programs of a game at the same table until they differ.

Both receive the same chance and the same answers while they are in the same state. Effects of chance alone are not
differences: if chance was used, the moment is replayed with other chance, and only what is always the same counts.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from attrs import define, field, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies.players import RandomPlayer
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import Decision, decisions, keys_of, resolve
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table.nodes import (
    ASKED,
    ASKING,
    D_OPTIONS,
    D_SITE,
    D_STATE,
    FUEL,
    RNG,
    STATUS,
    TableProgram,
)
from rulewright.tools.witness.facts import Facts, Sort, Subject, differing, facts, failed, seen

MOST_ANSWERS = 400
"""Limit of answers per game."""
OTHER_CHANCE = 40
"""How often a moment that used chance is replayed, while the difference remains."""
STUBBORN = (None, 0.0, None, 0.99)
"""Habits of players, by game: random answers, or mostly the first or the last option.

Consistent players reach positions that random ones hardly ever do.
"""
NAMED = 8
"""The effort of comparing two states by everything that has a name, in simple positions."""
FUEL_OF_A_POSITION = 50
"""So much fuel takes about as long as the rest of a simple position."""
YIELDING = 8
"""Players with a habit answer at random once in this many answers."""
CHANCE = slice(RNG, RNG + 4)


@frozen
class Answered:
    """An answer, by option keys."""

    seat: int
    choice: str
    keys: tuple[str, ...]


@frozen
class Moment:
    """A state of the first program, and the raw values that seats answered in it."""

    state: Sequence[int]
    values: tuple[tuple[int, tuple[int, ...]], ...]

    def answers(self, program: TableProgram) -> tuple[Answered, ...]:
        """Return the answers by keys, in seat order."""
        asked = {one.seat: one for one in decisions(program, self.state)}
        return tuple(
            Answered(seat, asked[seat].choice, keys_of(asked[seat], values)) for seat, values in self.values
        )


@frozen
class Table:
    """Both programs at one table."""

    programs: tuple[TableProgram, TableProgram]
    options: tuple[tuple[str, str], ...]
    names: tuple[str, ...]


@frozen
class Difference:
    """A difference between two games.

    `moments` are all up to the answer after which the games differ; empty if they differ at the deal. `replayed`:
    the same answers with `seed` lead there from the deal.
    """

    table: Table
    seed: int
    moments: tuple[Moment, ...]
    after: tuple[Facts, Facts]
    replayed: bool

    @property
    def before(self) -> Facts:
        """The facts before the answer; empty at the deal."""
        if not self.moments:
            return {}
        return facts(self.table.programs[0], self.moments[-1].state, self.table.names)


@define
class Duo:
    """Plays games of both programs at one table. `about` is that of `search`."""

    table: Table
    about: str
    _engines: tuple[Backend, Backend] = field(init=False)
    _player: RandomPlayer = field(init=False)
    _cells: tuple[Any, Any] | None = field(init=False)
    _slots: tuple[tuple[int, ...], tuple[int, ...]] = field(init=False)
    _habit: float | None = field(init=False, default=None)
    """The players' usual choice in this game, from 0 (first option) to 1 (last); None for random."""
    effort: int = field(init=False, default=0)
    """The work of all games so far, in simple positions: those with equal states after an answer of few steps."""
    _again: int = field(init=False, default=0)
    """Number of positions of the game that came from replays with other chance."""
    _whole: slice | None = field(init=False)
    """All cells of cards, tracks, and lists, if they have the same addresses in both programs."""

    def __attrs_post_init__(self) -> None:
        one, two = self.table.programs
        self._engines = make(one), make(two)
        self._player = RandomPlayer(one)
        self._cells = _cells(one, two)
        self._slots = _slots(one), _slots(two)
        alike = one.layout == two.layout and _named(one) == _named(two)
        self._whole = slice(one.layout.places, one.layout.stack) if alike else None

    def game(self, seed: int, most: int) -> tuple[Difference | None, int]:
        """Play one game, with an effort of about `most` at most; return its difference, if any, and its positions.

        Moments replayed with other chance count as positions.
        """
        self._again, until = 0, self.effort + most
        moments: list[Moment] = []
        stream = Stream(seed, 0)
        self._habit = STUBBORN[(seed - 1) % len(STUBBORN)]
        states = [engine.start(seed) for engine in self._engines]
        replayed, same, looked = True, False, 0
        while looked < MOST_ANSWERS and self.effort < until:
            looked += 1
            self.effort += 1
            before = [state[:] for state in states]
            if looked > 1:
                moments.append(self._answered(states[0], before[0], stream))
                if not self._follow(moments[-1], states[1], same):
                    return None, looked
            codes = [self._run(engine, state) for engine, state in zip(self._engines, states, strict=True)]
            same = not any(codes) and self._same(states)
            if not same:
                after = self._facts(states, codes)
                if after[0]:
                    lucky = [state[CHANCE] != begun[CHANCE] for state, begun in zip(states, before, strict=True)]
                    if any(lucky) or looked == 1:
                        after = self._always(after, before, moments[-1:])
                    found = Difference(self.table, seed, tuple(moments), after, replayed)
                    return (found if after[0] and self._meant(found) else None), looked + self._again
            if any(codes) or states[0][STATUS] != ASKING:
                break
            if states[0][CHANCE] != states[1][CHANCE]:
                states[1][CHANCE] = states[0][CHANCE]
                replayed = False
        return None, looked

    def sight(self) -> Difference | None:
        """Return a difference in visibility, which affects all positions."""
        one, two = (dict(seen(program, self.table.names)) for program in self.table.programs)
        found = Difference(self.table, 0, (), differing(one, two), replayed=False)
        return found if found.after[0] and self._meant(found) else None

    def _meant(self, found: Difference) -> bool:
        """Whether a difference concerns what is searched for."""
        if not self.about:
            return True
        answers = found.moments[-1].answers(self.table.programs[0]) if found.moments else ()
        said = [key for answer in answers for key in answer.keys]
        said += [text for after in found.after for one in after.items() for text in (one[0].words, one[1])]
        return any(self.about in re.split(r"[^a-z0-9-]", text) for text in said)

    def _answered(self, state: array[int], before: Sequence[int], stream: Stream) -> Moment:
        """Answer all open decisions of the first game at random. `before` is a copy of its state."""
        given: list[tuple[int, tuple[int, ...]]] = []
        for seat, slot in enumerate(self._slots[0]):
            if before[slot + D_STATE] == ASKED:
                values = self._chosen(state, seat, slot, stream)
                given.append((seat, values))
                self._engines[0].answer(state, seat, values)
        return Moment(before, tuple(given))

    def _chosen(self, state: array[int], seat: int, slot: int, stream: Stream) -> tuple[int, ...]:
        """Return an answer to a seat's open decision."""
        values = tuple(self._player.choose(state, seat, stream))
        if self._habit is None or len(values) != 1 or not stream.below(YIELDING):
            return values
        first = slot + D_OPTIONS + 1
        place = first + int(self._habit * state[first - 1])
        if self.table.programs[0].sites[state[slot + D_SITE]].of == "card":
            return values  # the player decides which of equal cards is meant
        return (state[place],)

    def _follow(self, moment: Moment, state: array[int], same: bool) -> bool:
        """Give the same answers in the second game: the same values if the states are the `same`, else by keys."""
        if not same:
            answers = moment.answers(self.table.programs[0])
            return all(_answer(self._engines[1], self.table.programs[1], state, one) for one in answers)
        for seat, values in moment.values:
            self._engines[1].answer(state, seat, values)
        return True

    def _run(self, engine: Backend, state: array[int]) -> str:
        """Continue the game; return the code of a rule error, or ""."""
        try:
            engine.run(state)
        except RuleError as error:
            self.effort += FUEL_PER_ANSWER // FUEL_OF_A_POSITION
            return error.code
        self.effort += (FUEL_PER_ANSWER - state[FUEL]) // FUEL_OF_A_POSITION
        return ""

    def _same(self, states: Sequence[array[int]]) -> bool:
        """Whether two states are certainly the same for all players: all named cells, and all questions."""
        if self._cells is None or states[0][STATUS] != states[1][STATUS]:
            return False
        whole = self._whole
        alike = whole is not None and states[0][whole] == states[1][whole]  # fast, and true of most states
        if not alike and self._cells[0](states[0]) != self._cells[1](states[1]):
            return False
        programs = self.table.programs
        for seat, slot in enumerate(self._slots[0]):
            slots = slot, self._slots[1][seat]
            asked = [state[at + D_STATE] for state, at in zip(states, slots, strict=True)]
            if asked[0] != asked[1]:
                return False
            if asked[0] != ASKED:
                continue
            sites = [
                program.sites[state[at + D_SITE]]
                for program, state, at in zip(programs, states, slots, strict=True)
            ]
            if (sites[0].key, sites[0].of, sites[0].branches) != (sites[1].key, sites[1].of, sites[1].branches):
                return False
            end = D_OPTIONS + 1 + states[0][slots[0] + D_OPTIONS]
            open_ = [state[at + D_SITE + 1 : at + end] for state, at in zip(states, slots, strict=True)]
            if open_[0] != open_[1]:
                return False
        return True

    def _facts(self, states: Sequence[array[int]], codes: Sequence[str]) -> tuple[Facts, Facts]:
        """Return the differing facts of two states; empty if everything with a name is equal."""
        self.effort += NAMED
        one, two = (
            failed(code) if code else facts(program, state, self.table.names)
            for program, state, code in zip(self.table.programs, states, codes, strict=True)
        )
        return differing(one, two)

    def _always(
        self, after: tuple[Facts, Facts], before: Sequence[array[int]], moments: Sequence[Moment]
    ) -> tuple[Facts, Facts]:
        """Return the part of a difference that does not depend on chance; `moments` is empty at the deal."""
        answers = [answer for moment in moments for answer in moment.answers(self.table.programs[0])]
        whole, groups = after, dict.fromkeys(map(_group, after[0]), _NOT_YET)
        for number in range(OTHER_CHANCE):
            if not after[0] and not groups:
                break
            self._again += 1
            self.effort += NAMED
            again = []
            for engine, program, begun in zip(self._engines, self.table.programs, before, strict=True):
                state = begun[:]
                state[CHANCE] = engine.start(number + 1, 1)[CHANCE]
                taken = all(_answer(engine, program, state, answer) for answer in answers)
                code = self._run(engine, state) if taken else "refused"
                again.append(failed(code) if code else facts(program, state, self.table.names))
            kept = [
                key for key in after[0] if all(again[order].get(key, "") == after[order][key] for order in (0, 1))
            ]
            after = {key: after[0][key] for key in kept}, {key: after[1][key] for key in kept}
            now = {one: tuple(_together(one, each) for each in again) for one in groups}
            groups = {
                one: both for one, both in now.items() if both[0] != both[1] and groups[one] in (_NOT_YET, both)
            }
        if after[0]:
            return after
        kept = [key for key in whole[0] if _group(key) in groups]
        return {key: whole[0][key] for key in kept}, {key: whole[1][key] for key in kept}


Group = tuple[Sort, str, tuple[str, ...]]


def _group(key: Subject) -> Group:
    """Return what a subject has in common with those of other players."""
    return key.sort, key.key, key.index


_NOT_YET: tuple[tuple[str, ...], ...] = ()


def _together(group: Group, of: Facts) -> tuple[str, ...]:
    """Return the sorted numbers of all players, regardless of who has which."""
    if group[0] not in (Sort.TRACK, Sort.COUNT):
        return ()
    return tuple(sorted(value for key, value in of.items() if _group(key) == group and key.owner))


def _answer(engine: Backend, program: TableProgram, state: array[int], answer: Answered) -> bool:
    """Give an answer by its keys; return False if the seat is not asked this."""
    asked: Decision | None = next((one for one in decisions(program, state) if one.seat == answer.seat), None)
    if asked is None or asked.choice != answer.choice:
        return False
    values = resolve(asked, answer.keys)
    if isinstance(values, Refusal):
        return False
    engine.answer(state, answer.seat, values)
    return True


def _slots(program: TableProgram) -> tuple[int, ...]:
    return tuple(slot_address(program.layout, seat) for seat in range(program.seats))


def _cells(one: TableProgram, two: TableProgram) -> tuple[Any, Any] | None:
    """Return readers of all named cells of both programs in the same order; None if they are not comparable."""
    if [card.key for card in one.cards] != [card.key for card in two.cards]:
        return None
    if (one.enumerations, one.definitions) != (two.enumerations, two.definitions):
        return None
    addresses = _named(one), _named(two)
    keys = sorted(addresses[0])
    if keys != sorted(addresses[1]) or len(keys) < 2:
        return None
    found = [itemgetter(*(cell for key in keys for cell in each[key])) for each in addresses]
    if any(len(addresses[0][key]) != len(addresses[1][key]) for key in keys):
        return None
    return found[0], found[1]


def _named(program: TableProgram) -> dict[tuple[str, str], range]:
    """Return the cells of each zone, track, and list, without those of the kernel."""
    found = {("zone", zone.key): range(zone.address, zone.address + 1 + zone.capacity) for zone in program.zones}
    found |= {
        ("track", track.key): range(track.address, track.address + track.count)
        for track in program.tracks
        if "/" not in track.key
    }
    return found | {
        ("list", one.key): range(one.address, one.address + one.count * (one.capacity + 1))
        for one in program.state_lists
        if "/" not in one.key
    }
