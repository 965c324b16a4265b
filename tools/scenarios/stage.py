"""Set up the table of a checked scenario: its program, with its entry point and its position.

Scenarios with the same seats, options, and entry share a lowered program; their conditions are functions of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from interpreter.backends.factory import make
from interpreter.backends.policies.random_player import play_out
from interpreter.game.game import RuleFault
from interpreter.state.chance import Stream
from interpreter.state.position import (
    Place,
    PositionError,
    Wanted,
    list_at,
    number_of,
    positioned,
    track_at,
)
from interpreter.state.rule_errors import RuleError
from ruleset.common.span import Span
from ruleset.lower.entry_point import EntryError, before, enter, set_up_step
from ruleset.lower.lowering import TableError, lower
from ruleset.program.nodes import Program, away_list
from ruleset.program.scenario import Fact, Facts, Items, ListGiven, Scenario, TrackGiven, ZoneGiven
from ruleset.program.series import whole_series
from ruleset.table.nodes import OVER, STATUS, Source, TableProgram

MOST_ANSWERS = 10_000
_COUNTED = re.compile(r"(\d+) ([a-z][a-z0-9-]*|\?)")

Key = tuple[int, tuple[tuple[str, str], ...], str, str, tuple[tuple[str, str], ...], bool]
"""Seats, options, entry, turn, who is out, and whether it is a series: what the table of a scenario depends on."""


class StageError(Exception):
    """A scenario has no valid table; the message says why, `span` where; `source` is the rule that caused it."""

    def __init__(self, message: str, span: Span, source: Source | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.source = source


@frozen
class Staged:
    """A scenario with its table. `functions` gives the numbers of its conditions and their sides, by unit."""

    scenario: Scenario
    table: TableProgram
    functions: dict[str, int]


@define
class Stages:
    """The tables of a pack's scenarios."""

    program: Program
    scenarios: tuple[Scenario, ...]
    _lowered: dict[Key, TableProgram] = field(factory=dict)
    _begun: dict[tuple[int, tuple[tuple[str, str], ...], int, str], tuple[TableProgram, list[int]]] = field(
        factory=dict
    )

    def stage(self, scenario: Scenario, bare: bool = False) -> Staged:
        """Return the table of a scenario, with `bare` without its conditions, as for play. Raises StageError."""
        try:
            table = self._table(scenario, bare)
            if scenario.entry:
                before, state = self._set_up(scenario)
                table = positioned(table, before, state, wanted(scenario, table))
            elif scenario.given or scenario.eliminated:
                raise PositionError("a position needs the phase that begins: `given: {phase: …}`")
        except PositionError as error:
            raise StageError(_named(str(error), scenario), _place(error.key, scenario)) from None
        except (TableError, EntryError) as error:
            raise StageError(str(error), scenario.span) from None
        functions = {function.name: number for number, function in enumerate(table.functions)}
        return Staged(scenario, table, functions)

    def _table(self, scenario: Scenario, bare: bool) -> TableProgram:
        key = _key(scenario)
        if bare:
            return lower(entered(self.program, scenario), len(scenario.players), dict(scenario.options))
        if key not in self._lowered:
            alike = [one for one in self.scenarios if _key(one) == key]
            kept = tuple(unit for one in alike for unit in _units(one))
            self._lowered[key] = lower(
                entered(self.program, scenario), len(scenario.players), dict(scenario.options), kept
            )
        return self._lowered[key]

    def _set_up(self, scenario: Scenario) -> tuple[TableProgram, list[int]]:
        """Return the state after the set-up, or where it reaches the entry, with random answers."""
        key = len(scenario.players), scenario.options, scenario.seed, set_up_step(self.program, scenario.entry)
        if key not in self._begun:
            table = lower(before(self.program, key[-1]), len(scenario.players), dict(scenario.options))
            backend = make(table, "walker")
            state = backend.start(scenario.seed)
            try:
                backend.run(state)
                if state[STATUS] != OVER:
                    play_out(backend, state, Stream(scenario.seed, 0), most=MOST_ANSWERS)
            except RuleError as error:
                source = table.sources[error.at] if 0 <= error.at < len(table.sources) else None
                fault = RuleFault(error.code, source)
                message = f"the rules fail in the set-up, which comes before the position: {fault}"
                raise StageError(message, scenario.span, source) from None
            self._begun[key] = table, state
        return self._begun[key]


def entered(program: Program, scenario: Scenario) -> Program:
    """Return the program that begins at the scenario's entry. Raises EntryError."""
    if scenario.series:
        program = whole_series(program)
    if not scenario.entry:
        return program
    turn = scenario.players.index(scenario.turn) if scenario.turn else -1
    out = dict(scenario.eliminated)
    left = [seat for seat, name in enumerate(scenario.players) if name not in out]
    return enter(program, scenario.entry, turn, left if out else None)


def _place(key: str, scenario: Scenario) -> Span:
    """Return the place in a scenario that refers to a zone, track, or list of the table."""
    name, _, number = key.partition("/")
    owner = scenario.players[int(number) - 1] if number.isdigit() else ""
    name = name if owner else key  # otherwise it is the zone of a definition
    for given in scenario.given:
        if isinstance(given, ZoneGiven) and (given.zone, given.owner) == (name, owner):
            return given.items.span
        if isinstance(given, TrackGiven) and given.track == key:
            return given.span
        if isinstance(given, ListGiven) and given.list == key:
            return given.items.span
    return scenario.span


def _named(message: str, scenario: Scenario) -> str:
    """Name players' zones in a message as the scenario does: `hand/2` becomes `ben's hand`."""
    return re.sub(
        r"\b([a-z][a-z0-9-]*)/(\d+)", lambda found: f"{scenario.players[int(found[2]) - 1]}'s {found[1]}", message
    )


def _key(scenario: Scenario) -> Key:
    about = (scenario.entry, scenario.turn, scenario.eliminated, scenario.series)
    return len(scenario.players), scenario.options, *about


def _units(scenario: Scenario) -> Iterator[str]:
    for fact in facts(scenario):
        yield fact.unit
        yield from (side.unit for side in fact.sides)


def facts(scenario: Scenario) -> Iterator[Fact]:
    """Yield all conditions of a scenario."""
    for step in scenario.steps:
        if isinstance(step, Facts):
            yield from step.facts


def expanded(items: Items) -> Iterator[str]:
    """Yield names one by one: `2 coin` twice, `none` not at all."""
    for word in items.words:
        counted = _COUNTED.fullmatch(word)
        if counted:
            yield from [counted[2]] * int(counted[1])
        elif word != "none":
            yield word


# ------------------------------------------------------------------ positions


def wanted(scenario: Scenario, table: TableProgram) -> Wanted:
    """Translate a scenario's position into the terms of its table. Raises PositionError."""
    zones: dict[str, tuple[str, ...]] = {}
    top: dict[str, tuple[str, ...]] = {}
    tracks: dict[Place, int] = {}
    lists: dict[Place, tuple[int, ...]] = {}
    left = ""
    for given in scenario.given:
        if isinstance(given, ZoneGiven):
            key = f"{given.zone}/{scenario.players.index(given.owner) + 1}" if given.owner else given.zone
            if given.rest:
                left = key
            else:
                (top if given.top else zones)[key] = tuple(expanded(given.items))
        elif isinstance(given, TrackGiven):
            place = (given.track, *(_member(scenario, word) for word in given.index))
            track, _ = track_at(table, place)
            tracks[place] = _number(scenario, table, track.of, given.value)
        elif isinstance(given, ListGiven):
            index = (_member(scenario, given.index),) if given.index else ()
            place = (given.list, *_carded(table, given.list, index))
            info, _ = list_at(table, place)
            lists[place] = tuple(_number(scenario, table, info.of, word) for word in expanded(given.items))
    for name, moment in scenario.eliminated:
        seat = scenario.players.index(name)
        tracks["in-game", seat] = 0
        if moment:
            lists[(away_list(moment),)] = (*lists.get((away_list(moment),), ()), seat)
    return Wanted(zones, top, tracks, lists, left)


def _member(scenario: Scenario, word: str) -> str | int:
    return scenario.players.index(word) if word in scenario.players else word


def _carded(table: TableProgram, key: str, index: tuple[str | int, ...]) -> Iterable[str | int]:
    """Yield the index of a list; for a list per card, the number of the card."""
    info = next((one for one in table.state_lists if one.key == key), None)
    for member in index:
        if info is not None and isinstance(member, str):
            yield number_of(table, info.scope, member)
        else:
            yield member


def _number(scenario: Scenario, table: TableProgram, of: str, word: str) -> int:
    if word in scenario.players:
        return scenario.players.index(word)
    return number_of(table, of, word)
