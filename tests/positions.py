"""Positions for tests: bring a game to a choice, then set its cards and numbers.

    table = Table.start(program_of(PACK, 4), "walker")
    table.until("entering.enter.choice")
    table.arrange(
        zones={"row": ["tent-3", "farm-1", "farm-2"], hand(0): ["magic-4", "sword"]},
        top={"reserve": ["castle-1"]},
        tracks={("rats", 0): 11, ("influence", 0, "church"): 5},
    )
    table.answer(0, "entering.enter.choice", "enter:tent-3@place-1")
    assert table.cards(hand(0)) == ["magic-4", "sword"]

Cards are named by their keys (`CardInfo.key`); the name of a kind stands for any card of it. Zones are lists from
left to right and from bottom to top, as the state holds them; `top` lists come topmost first.

`arrange` asks the open choice anew, so that its options fit the new position, and checks what must hold: all cards
lie in one zone that accepts them, bags are sorted, the same seats are asked the same, and no card was moved that a
running rule, a track or a list points at. Two things it cannot keep: what seats had learned of hidden cards is
forgotten, and what running rules have already read (a queue, an order of turns) stays as it was read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from attrs import define

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.replay import Recorder
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import ask_anew
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.state.frames import card_axis, entries, read_list, write_list
from rulewright.interpreter.state.position import Cards, NamedMembers, Place, deal
from rulewright.interpreter.views.decision import Decision, asked, offered
from rulewright.interpreter.views.knowledge import Knowledge, initial
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import (
    ASKING,
    FRAME,
    SEGMENT,
    STATUS,
    ListInfo,
    TableProgram,
    TrackInfo,
    ZoneInfo,
)
from tests.interpreter.lockstep import PackSet, check_state
from tests.suites.play import check_cards, random_answer

MAX_ANSWERS = 2_000


@cache
def pack_of(pack: Path) -> Program:
    """A pack, which must have no findings."""
    loaded = load(pack)
    assert loaded.program is not None and not loaded.findings, loaded.findings
    return loaded.program


@cache
def program_of(pack: Path, seats: int, *options: tuple[str, str]) -> TableProgram:
    """A pack lowered for a table, with these options."""
    return lower(pack_of(pack), seats, dict(options))


_engines: dict[int, Backend] = {}


def engine_of(program: TableProgram) -> Backend:
    """What runs games, made once: the walker, which narrates, and native code beside it."""
    key = id(program)
    if key not in _engines or _engines[key].program is not program:
        _engines[key] = PackSet(program)
    return _engines[key]


def hand(seat: int) -> str:
    """The key of a seat's hand."""
    return of(seat, "hand")


def of(seat: int, zone: str) -> str:
    """The key of a seat's zone."""
    return f"{zone}/{seat + 1}"


@define
class Table:
    """A game under test. `game` is the game itself, for all that has no shorter word here."""

    engine: Backend
    game: Game

    @classmethod
    def start(cls, program: TableProgram, seed: int = 1) -> Table:
        """A new game, played up to its first choice."""
        engine = engine_of(program)
        state = engine.start(seed)
        told = Recorder(program, state, initial(program))
        engine.run(state, told)
        return cls(engine, Game(engine, seed, 0, state, told.knowledge, told.events))

    @property
    def program(self) -> TableProgram:
        return self.engine.program

    def clone(self) -> Table:
        """An independent copy."""
        return Table(self.engine, self.game.clone())

    # -------------------------------------------------------------- playing

    @property
    def asked(self) -> list[tuple[int, str]]:
        """Who is asked at present and where; empty when the game is over."""
        return [(one.seat, one.choice) for one in self.game.decisions]

    @property
    def decision(self) -> Decision:
        """The one open decision, with the raw values of its options."""
        (only,) = self.game.decisions
        return offered(self.program, self.game.state, only.seat, self.game.knowledge)

    @property
    def options(self) -> list[str]:
        """The keys of the one open decision, each as often as it counts."""
        return [option.key for option in self.decision.options for _ in range(option.count)]

    def answer(self, seat: int, choice: str, *keys: str) -> tuple[Event, ...]:
        """Answers a decision, which must be open at this choice; gives all that follows."""
        assert (seat, choice) in self.asked, f"seat {seat} is not asked {choice}, but {self.asked}"
        outcome = self.game.apply(seat, keys)
        assert not isinstance(outcome, Refusal), outcome
        return outcome

    def step(self, stream: Stream | None = None) -> None:
        """Answers the first open decision, with the fewest and first options or at random."""
        one = self.game.decisions[0]
        first = [option.key for option in one.options for _ in range(option.count)][: one.least]
        self.answer(one.seat, one.choice, *(random_answer(one, stream) if stream else first))

    def until(self, choice: str, seat: int | None = None, stream: Stream | None = None) -> Table:
        """Takes such steps until a choice is asked (of a seat, if given)."""
        for _ in range(MAX_ANSWERS):
            for one in self.game.decisions:
                if one.choice == choice and seat in (None, one.seat):
                    return self
            assert self.game.result is None, f"{choice} was not asked before the end"
            self.step(stream)
        raise AssertionError(f"{choice} was not asked in {MAX_ANSWERS} answers")

    # -------------------------------------------------------------- looking

    def cards(self, zone: str) -> list[str]:
        """The keys of a zone's cards, in order; those of a bag sorted."""
        keys = [self.program.cards[card].key for card in self.numbered(zone)]
        return sorted(keys) if self._zone(zone).order == "bag" else keys

    def numbered(self, zone: str) -> list[int]:
        """The numbers of a zone's cards, in order."""
        return read_list(self.game.state, self._zone(zone).address)

    def count(self, zone: str, *names: str) -> int:
        """How many cards lie in a zone; of these keys or kinds only, if given."""
        return sum(not names or not {*names}.isdisjoint(_names(self.program, card)) for card in self.numbered(zone))

    def number(self, track: str, *index: str | int) -> int:
        """The value of a track."""
        return self.game.state[_address(self.program, (track, *index))]

    def listed(self, key: str, card: str | int = -1) -> list[int]:
        """A list of the state; of a card, by its number or its key, where it is kept for cards."""
        info = next(info for info in self.program.state_lists if info.key == key)
        axis = card_axis(self.program, info)
        if isinstance(card, str):
            (card,) = (number for number, one in enumerate(self.program.cards) if one.key == card)
        member = card - axis.first if axis is not None else 0
        return read_list(self.game.state, info.address + member * (info.capacity + 1))

    def _zone(self, key: str) -> ZoneInfo:
        return next(zone for zone in self.program.zones if zone.key == key)

    # -------------------------------------------------------------- arranging

    def arrange(
        self,
        zones: Mapping[str, Cards] | None = None,
        top: Mapping[str, Cards] | None = None,
        rest: Mapping[str, str] | None = None,
        tracks: Mapping[Place, int] | None = None,
    ) -> Table:
        """Puts cards and numbers where they are wanted, and asks anew.

        A zone of `zones` holds exactly these cards afterwards; one of `top` has them on top. They come from zones
        that are arranged too, else from those that belong to no seat. What has to make room goes to the zone that
        `rest` names for its kind; without that it takes the places of cards that were taken, or goes under the
        cards of the zone where it was at the start. Markers on a track that keeps arrivals arrive as listed.
        """
        before, state = self.game.state, self.game.state
        assert before[STATUS] == ASKING, "only an open choice can be asked anew"
        moved = _deal(self.program, state, zones or {}, top or {}, rest or {})
        tied = moved & set(_tied(self.program, before))
        assert not tied, f"rules still point at {sorted(self.program.cards[card].key for card in tied)}"
        for place, value in (tracks or {}).items():
            _set(self.program, state, place, value)
        ask_anew(state, self.program)
        self.engine.run(state, [])
        assert state[STATUS] == ASKING and state[SEGMENT] == before[SEGMENT], "the position leaves no choice"
        assert [one[:2] for one in asked(self.program, state)] == [one[:2] for one in asked(self.program, before)]
        check_state(self.program, state)
        check_cards(self.program, state)
        nothing = Knowledge((0,) * len(self.program.cards), ())
        self.game = Game(self.engine, 0, 0, state, nothing, self.game.events())
        return self


# ------------------------------------------------------------------ cards

def _deal(
    program: TableProgram,
    state: array[int],
    zones: Mapping[str, Cards],
    top: Mapping[str, Cards],
    rest: Mapping[str, str],
) -> set[int]:
    """Rewrites the zones; gives the cards that lie in another zone than before."""
    lying = {zone.key: read_list(state, zone.address) for zone in program.zones}
    deal(program, lying, zones, top, rest)
    moved = set()
    for number, zone in enumerate(program.zones):
        write_list(state, zone.address, sorted(lying[zone.key]) if zone.order == "bag" else lying[zone.key])
        for card in lying[zone.key]:
            if state[program.layout.places + card] != number:
                moved.add(card)
                state[program.layout.places + card] = number
    return moved


def _names(program: TableProgram, card: int) -> tuple[str, str]:
    return program.cards[card].key, program.cards[card].kind


def _tied(program: TableProgram, state: Sequence[int]) -> Iterator[int]:
    """The cards that something points at, or that carry something."""
    for info in entries(program):
        axis = card_axis(program, info)
        for index in range(info.count):
            values = _values(info, state, index)
            if info.of == "card":
                yield from values
            if axis is not None and values != ([info.start[index]] if isinstance(info, TrackInfo) else []):
                yield axis.member(index)
    segment, frame = state[SEGMENT], state[FRAME]
    while segment >= 0:
        live = program.segments[segment]
        for number in live.live:
            slot = program.procedures[live.procedure].slots[number]
            if slot.cards:
                start = frame + slot.offset
                yield from read_list(state, start) if slot.capacity else [state[start]]
        segment, frame = state[frame], state[frame + 1]


def _values(info: TrackInfo | ListInfo, state: Sequence[int], index: int) -> list[int]:
    if isinstance(info, TrackInfo):
        return [state[info.address + index]]
    return read_list(state, info.address + index * (info.capacity + 1))


# ------------------------------------------------------------------ tracks

def _found(program: TableProgram, place: Place) -> tuple[TrackInfo, int]:
    members = NamedMembers(program, {zone.key: () for zone in program.zones})
    track = members.held({track.key: track for track in program.tracks}, place)
    return track, members.indices(track, place)[0]


def _address(program: TableProgram, place: Place) -> int:
    track, index = _found(program, place)
    return track.address + index


def _set(program: TableProgram, state: array[int], place: Place, value: int) -> None:
    track, index = _found(program, place)
    assert track.low <= value <= track.high, f"{place} cannot be {value}"
    state[track.address + index] = value
    if track.arrival >= 0:
        state[track.arrival - 1] += 1
        state[track.arrival + index] = state[track.arrival - 1]
