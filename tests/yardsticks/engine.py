"""The engine's games, read off their final states, for comparing them with hand-written ones.

Games are played by the playing build. What leaves no trace in a final state is read off the answers and events of
the narrating build, which plays the same games one answer at a time.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from attrs import frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer, play_out
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import RawEvent
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import (
    ASKED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_OPTIONS,
    D_SITE,
    D_STATE,
    STATUS,
    TableProgram,
)
from rulewright.tools.simulation.usage import Watcher

CONTENT = Path(__file__).parents[2] / "content"


@cache
def the_pack(name: str) -> Program:
    """A shipped pack, read once; it must have no errors."""
    program = load(CONTENT / name).program
    assert program is not None, f"{name} has errors: rulewright validate {name} tells them"
    return program


def table_of(pack: str, players: int, options: dict[str, str] | None = None) -> TableProgram:
    """A shipped pack lowered for a table; options that are not given have their defaults."""
    return lower(the_pack(pack), players, options or {})


class Reader:
    """Reads the final states of one table program."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.seats = program.seats
        self._tracks = {track.key: track for track in program.tracks}
        self._zones = {zone.key: zone for zone in program.zones}

    def per_seat(self, state: array[int], key: str) -> tuple[int, ...]:
        """A track of the seats."""
        address = self._tracks[key].address
        return tuple(state[address : address + self.seats])

    def value(self, state: array[int], key: str) -> int:
        """A track of the whole table."""
        return state[self._tracks[key].address]

    def held(self, state: array[int], key: str) -> list[int]:
        """The cards in a zone; there are none where no rule can reach it."""
        if key not in self._zones:
            return []
        address = self._zones[key].address
        return list(state[address + 1 : address + 1 + state[address]])

    def definitions(self, state: array[int], *keys: str) -> list[str]:
        """What the cards in some zones are."""
        return [self.program.cards[card].definition for key in keys for card in self.held(state, key)]

    def of_seats(self, zone: str) -> list[str]:
        """The keys of a zone that every seat has."""
        return [f"{zone}/{seat + 1}" for seat in range(self.seats)]


def finished(program: TableProgram, games: int, seed: int) -> Iterator[tuple[array[int], int]]:
    """So many games in native code: the final state and how many decisions there were."""
    backend, player = make(program), RandomPlayer(program)
    for game in range(games):
        state = backend.start(seed, game)
        yield state, play_out(backend, state, Stream(seed, game), player)


@frozen
class Seen:
    """What was seen of a game: its events, and how often things were chosen and carried out."""

    events: Sequence[RawEvent]
    chosen: Counter[str]
    """By the names of `Watcher.things`: answers with an alternative that all seats gave."""
    done: Counter[str]
    """By the names of sources: effects that were performed."""


def watched(program: TableProgram, games: int, seed: int) -> Iterator[tuple[array[int], int, Seen]]:
    """The same games of the walker, with what was seen of each."""
    narrating, player, watcher = Walker(program), RandomPlayer(program), Watcher(program)
    for game in range(games):
        state, stream = narrating.start(seed, game), Stream(seed, game)
        events: list[RawEvent] = []
        chosen: Counter[str] = Counter()
        decisions = 0
        narrating.run(state, events)
        while state[STATUS] == ASKING:
            for seat, slot in enumerate(player.slots):
                if state[slot + D_STATE] == ASKED:
                    decisions += player.decides(state, seat)
                    values = player.choose(state, seat, stream)
                    if state[slot + D_MOST] and state[slot + D_LEAST] < state[slot + D_OPTIONS]:
                        chosen.update(watcher.things(state, seat, state[slot + D_SITE], values))
                    narrating.answer(state, seat, values)
            narrating.run(state, events)
        names = (program.sources[at].name for kind, *_, at in events if kind in ("performed", "reached"))
        yield state, decisions, Seen(events, chosen, Counter(names))
