"""Measure which branches of a pack's rules its scenarios and random games take.

The pack is checked with `covering`, so that its code emits events for its branches; fast builds omit events, and
programs for play contain none of this.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable

from attrs import define, field, frozen

from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.diagnostic import Diagnostic, Suppressed
from rulewright.ruleset.findings.suppressions import suppress
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.nodes import DeclaredOption, Program
from rulewright.ruleset.program.tables import choosable
from rulewright.ruleset.source.reader import read
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_STATE, STATUS, Source
from rulewright.tools.scenarios.stage import ScenarioOutcome

GAMES_OF_A_TABLE = 25
"""Number of random games at each table; a table has random options."""
MOST_ANSWERS = 5_000


@frozen
class Point:
    """A branch: its description, its place, and how often scenarios and random games took it."""

    name: str
    source: Source
    scenarios: int
    games: int

    @property
    def reached(self) -> bool:
        return self.scenarios + self.games > 0


@define
class Coverage:
    """Counts so far, by the number of the source."""

    program: Program
    scenarios: Counter[int] = field(factory=Counter)
    games: Counter[int] = field(factory=Counter)
    played: int = 0
    failed: int = 0

    def add(self, outcome: ScenarioOutcome) -> None:
        """Count what a scenario has reached."""
        self.scenarios.update(event.at for event in outcome.events if event.kind == "covered")

    def play(self, games: int, seed: int, progress: Callable[[int], None] = lambda _: None) -> None:
        """Play random games at tables with random options, which the seed determines."""
        chance = Stream(seed, 0)
        while self.played < games:
            program = self.program
            spread = program.most_players - program.least_players + 1
            seats = program.least_players + (self.played // GAMES_OF_A_TABLE) % spread
            options = {option.key: _drawn(option, program, chance) for option in program.options}
            try:
                walker = Walker(lower(program, seats, options))
            except TableError:
                self.played += 1
                continue
            player = RandomPlayer(walker.program)
            for game in range(min(GAMES_OF_A_TABLE, games - self.played)):
                state, events = walker.start(seed, self.played + game), list[RawEvent]()
                try:
                    _play(walker, player, state, Stream(seed, self.played + game + 1), events)
                except RuleError:
                    self.failed += 1
                self.games.update(event[5] for event in events if event[0] == "covered")
                progress(self.played + game + 1)
            self.played += min(GAMES_OF_A_TABLE, games - self.played)

    def points(self) -> tuple[Point, ...]:
        """Return all branches in the order of their places. Code that is checked twice is one branch."""
        found: dict[tuple[str, object], Point] = {}
        for at, name in self.program.points:
            source = self.program.sources[at]
            same = found.get((name, source.span), Point(name, source, 0, 0))
            counted = Point(name, source, same.scenarios + self.scenarios[at], same.games + self.games[at])
            found[name, source.span] = counted
        return tuple(sorted(found.values(), key=lambda point: (point.source.span, point.name)))


def _drawn(option: DeclaredOption, program: Program, chance: Stream) -> str:
    """Choose a random value of an option; definitions are chosen at half of the tables."""
    if option.some:
        can = list(choosable(option, program.definitions))
        if len(can) < option.high or chance.below(2):
            return "none"
        return ", ".join(can.pop(chance.below(len(can))) for _ in range(option.high))
    if option.members:
        return option.members[chance.below(len(option.members))]
    return str(option.low + chance.below(option.high - option.low + 1))


def _play(
    walker: Walker, player: RandomPlayer, state: array[int], stream: Stream, events: list[RawEvent]
) -> None:
    """Play one random game, until its end or the limit of answers. Raises RuleError."""
    walker.run(state, events)
    for _ in range(MOST_ANSWERS):
        if state[STATUS] != ASKING:
            return
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                walker.answer(state, seat, player.choose(state, seat, stream))
        walker.run(state, events)


def findings(
    points: Iterable[Point], sources: dict[str, str]
) -> tuple[tuple[Diagnostic, ...], tuple[Suppressed, ...]]:
    """Return a warning for every branch never taken, and those that a comment with a reason allows."""
    hint = "write a scenario that comes here, or say why there is none: `# rulewright: allow RW721: REASON`"
    found = [
        Diagnostic("RW721", point.source.span, f"never reached: {point.name}", hint)
        for point in points
        if not point.reached
    ]
    documents = [document for path, text in sources.items() for document in read(path, text).documents]
    kept, suppressed = suppress(sources, documents, found, played=True)
    return tuple(kept), tuple(suppressed)
