"""Explain games that do not end: which rule ran how often, and what stayed the same.

Backends only report where a rule error was raised. The explanation is worked out afterwards, at no cost to games:
the walker runs the failed answer again and counts, and a game without an end is played once more.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulewright.interpreter.analysis.nodes import WORK
from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.game.messages import ENDLESS
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream, seed_state, splitmix
from rulewright.interpreter.state.frames import index_of, track_scopes
from rulewright.interpreter.state.patience import TimeUsedUp, time_limit
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import asked
from rulewright.interpreter.views.refusals import Spoken, grouped, said
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.common.limits import MOST_ANSWERS
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_STATE, STATUS, Expr, TableProgram, TrackInfo

SECONDS = 1.5
"""Maximum seconds of processor time for running a failed answer again."""
REPLAY_SECONDS = 1.5
"""Maximum seconds of processor time for playing a game again up to that answer."""
WINDOW = 1_000
"""Number of last questions of a game without an end that are compared."""
MOST_NAMED = 3


class _EnoughError(Exception):
    """The answer was run again for long enough."""


@define
class _Condition:
    """Evaluations of a loop's condition: their number and results, and the cells that they read."""

    times: int = 0
    results: set[bool] = field(factory=set)
    cells: dict[int, int] = field(factory=dict)
    changed: set[int] = field(factory=set)


class Cells(array):  # type: ignore[type-arg]  # it takes none at run time before Python 3.12
    """A state that records which cells are read, while `read` is a set."""

    read: set[int] | None = None

    def __getitem__(self, place: Any) -> Any:
        if self.read is not None and not isinstance(place, slice):
            self.read.add(int(place))
        return super().__getitem__(place)


class _Counting(Statements):
    """Statements that count charges of fuel by rule, and watch the conditions of loops."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self.times: Counter[int] = Counter()
        self.units: Counter[int] = Counter()
        self.conditions: dict[int, _Condition] = {}
        self._until = time.process_time() + SECONDS
        self._looped = {id(node) for node in _loop_conditions(self.program)}

    def charge(self, state: array[int], at: int, amount: int = 1) -> None:
        self.units[at] += amount
        super().charge(state, at, amount)
        self.times[at] += 1  # the pass for which no fuel was left did not run
        if time.process_time() > self._until:
            raise _EnoughError

    def number(self, node: Expr, scope: Environment) -> int:
        state = scope.state
        if id(node) not in self._looped or not isinstance(state, Cells) or state.read is not None:
            return super().number(node, scope)
        state.read = set()
        try:
            value = super().number(node, scope)
            read, state.read = state.read, None
        finally:
            state.read = None
        found = self.conditions.setdefault(id(node), _Condition())
        found.times += 1
        found.results.add(bool(value))
        for cell in read:
            if found.cells.setdefault(cell, state[cell]) != state[cell]:
                found.changed.add(cell)
        return value


def _loop_conditions(program: TableProgram) -> Iterable[Expr]:
    """Iterate over the conditions that continue loops: those of `While`, and of branches between segments."""
    for part in everything((program.functions, program.segments)):
        if isinstance(part, (t.While, t.Branch)):
            yield part.condition


def why_no_fuel(program: TableProgram, state: Sequence[int], language: str = "en") -> str:
    """Explain the rule error `fuel` of a state that runs; empty if it does not raise that error."""
    walker = Walker(program)
    counting = walker.code = _Counting(program)
    whole = True
    try:
        walker.run(Cells("i", state))
    except _EnoughError:
        whole = False
    except RuleError as error:
        if error.code != "fuel":
            return ""
    else:
        return ""
    words = _Words(program, language)
    ((at, units),) = counting.units.most_common(1)
    times = counting.times[at]
    if units > 2 * times:
        return words.repeated("lists", at, units * WORK, whole)
    looped = [one for one in counting.conditions.values() if 2 * one.times >= times and len(one.results) == 1]
    zones = {zone.address for zone in program.zones}
    same = {cell for one in looped for cell in one.cells.keys() - one.changed}
    first = sorted(same, key=lambda cell: (cell in zones, cell))
    stayed = [text for cell in first if (text := words.stayed(cell, state))]
    return "; ".join([words.repeated("ran", at, times, whole), *words.few(stayed)])


def why_endless(program: TableProgram, seed: int, game: int, player: RandomPlayer, language: str = "en") -> str:
    """Describe what repeats in a game between bots without an end; empty if it ends or takes too long.

    None of its bots may search.
    """
    backend = make(program)
    state, stream = backend.start(seed, game), Stream(splitmix(seed_state(seed, game)))
    questions: deque[tuple[tuple[int, int], ...]] = deque(maxlen=WINDOW)
    before = array("i")
    try:
        with time_limit(REPLAY_SECONDS):
            backend.run(state)
            for number in range(MOST_ANSWERS):
                if state[STATUS] != ASKING:
                    return ""
                if number == MOST_ANSWERS - WINDOW:
                    before = state[:]
                questions.append(tuple((seat, site) for seat, site, _ in asked(program, state)))
                _answer(backend, state, player, stream)
                backend.run(state)
    except (RuleError, TimeUsedUp):
        return ""
    sites = list(dict.fromkeys(site for question in questions for _, site in question))
    words = _Words(program, language)
    what = words.listed([f"`{program.sites[site].key}`" for site in sites])
    changes = words.changes(before, state)
    return words.said("questions", n=grouped(len(questions)), what=what, changes=changes)


# ------------------------------------------------------------------ words

@frozen
class _Words:
    """The sentences about a table, in one language."""

    program: TableProgram
    language: str

    def said(self, key: str, **values: str | int | Spoken) -> str:
        return said(ENDLESS, self.language, key, **values)

    def repeated(self, key: str, at: int, times: int, whole: bool) -> str:
        """Say how often a rule ran; more often if it was not counted to the end."""
        name = self.program.sources[at].name if 0 <= at < len(self.program.sources) else ""
        rule = f"`{name.rpartition('/')[2]}`" if name else self.said("loop")
        shown = self.said("times" if whole else "more-times", n=grouped(times))
        return self.said(key, rule=rule, times=shown, count=times)

    def stayed(self, cell: int, state: Sequence[int]) -> str:
        """Describe a cell that never changed, if all players see it: a track, or the number of cards of a zone."""
        everybody = (1 << self.program.seats) - 1
        for track in self.program.tracks:
            if track.address <= cell < track.address + track.count:
                index = cell - track.address
                return self._track(track, index, state[cell]) if track.seen[index] == everybody else ""
        for zone in self.program.zones:
            if zone.address == cell and zone.sizes == everybody:
                return self.said("kept", zone=f"`{zone.key}`", count=state[cell])
        return ""

    def _track(self, track: TrackInfo, index: int, value: int) -> str:
        members = [
            self.said("seat", n=index_of(self.program, track, scope, index) + 1)
            if scope == "player"
            else value_key(self.program, scope, index_of(self.program, track, scope, index))
            for scope, _, _ in track_scopes(self.program, track)
        ]
        name = f"`{track.key}`"
        name = self.said("of", track=name, members=", ".join(members)) if members else name
        if value < 0 and track.of not in ("boolean", "number"):
            return self.said("stayed-none", track=name)
        return self.said("stayed", track=name, value=self._value(track, value))

    def _value(self, track: TrackInfo, value: int) -> str:
        if track.of == "boolean":
            return self.said("true" if value else "false")
        if track.of == "number":
            return grouped(value).text(self.language)
        return self.said("seat", n=value + 1) if track.of in ("seat", "player") else self.said("same")

    def changes(self, before: Sequence[int], after: Sequence[int]) -> str:
        """Describe which cards and tracks differ."""

        def differ(address: int, cells: int) -> bool:
            return before[address : address + cells] != after[address : address + cells]

        moved = any(differ(zone.address, 1 + zone.capacity) for zone in self.program.zones)
        tracks = [f"`{track.key}`" for track in self.program.tracks if differ(track.address, track.count)]
        key = f"{'moved' if moved else 'still'}-{'some' if tracks else 'none'}"
        return self.said(key, count=len(tracks), tracks=self.listed(tracks) if tracks else "")

    def few(self, texts: Sequence[str]) -> list[str]:
        return [*texts[:MOST_NAMED], *([self.said("and-more")] if len(texts) > MOST_NAMED else [])]

    def listed(self, names: Sequence[str]) -> str:
        """Return `a`, `b and c`, or `a, b, c and 4 more`."""
        more = len(names) - MOST_NAMED
        words = [*names[:MOST_NAMED], *([self.said("more-names", n=more)] if more > 0 else [])]
        return words[0] if len(words) == 1 else self.said("last", names=", ".join(words[:-1]), last=words[-1])


# ------------------------------------------------------------------ games by number

def why(program: TableProgram, code: str, seed: int, game: int, player: RandomPlayer) -> str:
    """Explain the rule error of a game between bots that do not search; empty if there is no explanation."""
    if code == "endless":
        return why_endless(program, seed, game, player)
    if code != "fuel":
        return ""
    backend = make(program)
    state, stream = backend.start(seed, game), Stream(splitmix(seed_state(seed, game)))
    running = state[:]
    try:
        with time_limit(REPLAY_SECONDS):
            backend.run(state)
            while state[STATUS] == ASKING:
                _answer(backend, state, player, stream)
                running = state[:]
                backend.run(state)
    except (RuleError, TimeUsedUp):  # the part that takes so long is probably the answer that fails
        return why_no_fuel(program, running)
    return ""


def _answer(backend: Backend, state: array[int], player: RandomPlayer, stream: Stream) -> None:
    """Give the bots' answers to all open decisions."""
    for seat, slot in enumerate(player.slots):
        if state[slot + D_STATE] == ASKED:
            backend.answer(state, seat, player.choose(state, seat, stream))
