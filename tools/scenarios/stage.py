"""Set up the table of a checked scenario: its program, with its entry point and its position.

Scenarios with the same seats, options, and entry share a lowered program; their conditions are functions of it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

from attrs import define, evolve, field, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.state.position import Place, PositionError, Value, WantedPosition, positioned
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.findings.causes import Skipped
from rulewright.ruleset.lower.entry_point import EntryError, before, enter, set_up_step
from rulewright.ruleset.lower.entry_point import Place as EntryPlace
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.packs import Resolved, resolve
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import SERIES, Program, away_list
from rulewright.ruleset.program.scenario import (
    Facts,
    ListGiven,
    Scenario,
    ScenarioFact,
    ScenarioItems,
    TrackGiven,
    ZoneGiven,
)
from rulewright.ruleset.program.traversal import whole_series
from rulewright.ruleset.table.nodes import OVER, STATUS, Source, TableProgram
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.pack_set import head_in

# ---- The outcome of a scenario, and its differences from what the scenario says

@frozen
class Wrong:
    """A difference from what the scenario says: the place in the scenario, and what happened instead.

    `details` are lines about values; `rule` is the rule that caused it, if known, and `part` what the rule did.
    """

    span: Span
    message: str
    details: tuple[str, ...] = ()
    rule: Source | None = None
    part: str = "changed by this rule"


ASKED, FAILED = "asked by this rule", "failed in this rule"
"""What a rule did that changed nothing."""


@frozen
class ScenarioOutcome:
    """The outcome of a scenario: it passes if `wrong` is empty. `events` is everything that happened."""

    scenario: Scenario
    wrong: tuple[Wrong, ...]
    events: tuple[Event, ...] = ()
    table: TableProgram | None = None


class Stop(Exception):  # noqa: N818 - ends a scenario; not an internal error
    """The scenario cannot continue, because something differs from what it says."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


def faulty(fault: RuleFault, span: Span) -> Wrong:
    """Report that the rules fail."""
    return Wrong(span, f"the rules fail: {fault.told()}", (), fault.source, FAILED)


# ---- Stage

MOST_ANSWERS = 10_000
_COUNTED = re.compile(r"(\d+) ([a-z][a-z0-9-]*|\?)")

Key = tuple[int, tuple[tuple[str, str], ...], str, str, tuple[tuple[str, str], ...], bool, tuple[EntryPlace, ...]]
"""Seats, options, entry, turn, who is out, whether it is a series, and which given values do not start over: what
the table of a scenario depends on."""


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
    _begun: dict[tuple[int, tuple[tuple[str, str], ...], int, str], tuple[TableProgram, array[int]]] = field(
        factory=dict
    )

    def stage(self, scenario: Scenario, bare: bool = False) -> Staged:
        """Return the table of a scenario, with `bare` without its conditions, as for play. Raises StageError."""
        try:
            table = self._table(scenario, bare)
            if scenario.entry:
                before, state = self._set_up(scenario)
                table = positioned(table, before, state, wanted(scenario))
            elif scenario.given or scenario.eliminated:
                raise PositionError("a position needs the phase that begins: `given: {phase: …}`")
        except PositionError as error:
            raise StageError(_named(str(error), scenario), _place(error, scenario)) from None
        except (TableError, EntryError) as error:
            raise StageError(str(error), scenario.span) from None
        functions = {function.name: number for number, function in enumerate(table.functions)}
        return Staged(scenario, table, functions)

    def _table(self, scenario: Scenario, bare: bool) -> TableProgram:
        key = _key(self.program, scenario)
        if bare:
            table = lower(entered(self.program, scenario), len(scenario.players), dict(scenario.options))
            if table.origin is not None:
                number = self.program.scenarios.index(scenario)
                table = evolve(table, origin=evolve(table.origin, scenario=number))
            return table
        if key not in self._lowered:
            alike = [one for one in self.scenarios if _key(self.program, one) == key]
            kept = tuple(unit for one in alike for unit in _units(one))
            self._lowered[key] = lower(
                entered(self.program, scenario), len(scenario.players), dict(scenario.options), kept
            )
        return self._lowered[key]

    def _set_up(self, scenario: Scenario) -> tuple[TableProgram, array[int]]:
        """Return the state after the set-up, or where it reaches the entry, with random answers."""
        key = len(scenario.players), scenario.options, scenario.seed, set_up_step(self.program, scenario.entry)
        if key not in self._begun:
            table = lower(before(self.program, key[-1]), len(scenario.players), dict(scenario.options))
            backend = make(table)
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
    return enter(program, scenario.entry, turn, left if out else None, tuple(_started_over(program, scenario)))


def _started_over(program: Program, scenario: Scenario) -> Iterator[EntryPlace]:
    """Yield the given values of tracks and lists that start over with a turn, phase, or round."""
    members = {one.key: one.members for one in program.enumerations} | {"player": scenario.players}
    tracks = {track.key: track for track in program.tracks if track.lasts not in ("", SERIES)}
    lists = {one.key: one for one in program.lists if one.lasts not in ("", SERIES)}
    for given in scenario.given:
        if isinstance(given, TrackGiven) and given.track in tracks:
            scope = tracks[given.track].scope
            yield given.track, tuple(members[of].index(one) for of, one in zip(scope, given.index, strict=True))
        elif isinstance(given, ListGiven) and given.list in lists:
            scope = (lists[given.list].scope,) if given.index else ()
            yield given.list, tuple(members[of].index(given.index) for of in scope)


def _place(error: PositionError, scenario: Scenario) -> Span:
    """Return the place in a scenario that refers to a zone, track, or list of the table."""
    name, _, number = error.key.partition("/")
    owner = scenario.players[int(number) - 1] if number.isdigit() else ""
    name = name if owner else error.key  # otherwise it is the zone of a definition
    for given in scenario.given:
        if isinstance(given, ZoneGiven):
            if (given.zone, given.owner) == (name, owner):
                return given.items.span
        elif _place_of(scenario, given) == error.place:
            return given.span if isinstance(given, TrackGiven) else given.items.span
    return scenario.span


def _place_of(scenario: Scenario, given: TrackGiven | ListGiven) -> Place:
    """Return the place of a track or list in the table, players by number."""
    if isinstance(given, TrackGiven):
        return (given.track, *(_seat_or_word(scenario, word) for word in given.index))
    return (given.list, *((_seat_or_word(scenario, given.index),) if given.index else ()))


def _named(message: str, scenario: Scenario) -> str:
    """Name players' zones in a message as the scenario does: `hand/2` becomes `ben's hand`."""
    return re.sub(
        r"\b([a-z][a-z0-9-]*)/(\d+)", lambda found: f"{scenario.players[int(found[2]) - 1]}'s {found[1]}", message
    )


def _key(program: Program, scenario: Scenario) -> Key:
    given = tuple(sorted(_started_over(program, scenario)))
    about = (scenario.entry, scenario.turn, scenario.eliminated, scenario.series, given)
    return len(scenario.players), scenario.options, *about


def _units(scenario: Scenario) -> Iterator[str]:
    for fact in facts(scenario):
        yield fact.unit
        yield from (side.unit for side in fact.sides)


def facts(scenario: Scenario) -> Iterator[ScenarioFact]:
    """Yield all conditions of a scenario."""
    for step in scenario.steps:
        if isinstance(step, Facts):
            yield from step.facts


def expanded(items: ScenarioItems) -> Iterator[str]:
    """Yield names one by one: `2 coin` twice, `none` not at all."""
    for word in items.words:
        counted = _COUNTED.fullmatch(word)
        if counted:
            yield from [counted[2]] * int(counted[1])
        elif word != "none":
            yield word


# ------------------------------------------------------------------ positions

def wanted(scenario: Scenario) -> WantedPosition:
    """Translate a scenario's position into the terms of its table."""
    zones: dict[str, tuple[str, ...]] = {}
    top: dict[str, tuple[str, ...]] = {}
    tracks: dict[Place, Value | tuple[Value, ...]] = {}
    lists: dict[Place, Sequence[Value]] = {}
    left = ""
    for given in scenario.given:
        if isinstance(given, ZoneGiven):
            key = f"{given.zone}/{scenario.players.index(given.owner) + 1}" if given.owner else given.zone
            if given.rest:
                left = key
            else:
                (top if given.top else zones)[key] = tuple(expanded(given.items))
        elif isinstance(given, TrackGiven):
            values = tuple(_seat_or_word(scenario, word) for word in given.values)
            tracks[_place_of(scenario, given)] = values if given.several else values[0]
        elif isinstance(given, ListGiven):
            words = expanded(given.items)
            lists[_place_of(scenario, given)] = [_seat_or_word(scenario, word) for word in words]
    for name, moment in scenario.eliminated:
        seat = scenario.players.index(name)
        tracks["in-game", seat] = 0
        if moment:
            lists[(away_list(moment),)] = (*lists.get((away_list(moment),), ()), seat)
    return WantedPosition(zones, top, tracks, lists, left)


def _seat_or_word(scenario: Scenario, word: str) -> int | str:
    return scenario.players.index(word) if word in scenario.players else word


# ---- Skip scenarios whose position cannot be set up because of unknown packs
#
# A pack that leaves a game only one card of a name, or changes the supply, is not wrong, and neither is the
# game's scenario that needs two. As for removed names (`check.house_rules.strangers`), this is certain:
# without the unknown packs the position can be set up.

def unset(outcomes: Sequence[ScenarioOutcome], compiled: Compiled) -> tuple[tuple[ScenarioOutcome, Skipped], ...]:
    """Return the outcomes that are caused by unknown packs, each with its report."""
    lost: dict[str, list[ScenarioOutcome]] = {}
    for outcome in outcomes:
        pack = compiled.owners.get(outcome.scenario.span.path)
        if pack is not None and outcome.wrong and outcome.table is None:
            lost.setdefault(pack, []).append(outcome)
    if not lost:
        return ()
    files = {head.pack: one for one in compiled.packs.files if (head := head_in(one)) is not None}
    heads = [head for one in files.values() if (head := head_in(one)) is not None]
    resolved = resolve(heads, lambda name: None)
    found: list[tuple[ScenarioOutcome, Skipped]] = []
    for pack, of_pack in lost.items():
        known = resolved.comes_after[pack] | {pack}
        first, *more = (files[head.pack] for head in resolved.order if head.pack in known)
        program = load_files(first, more=more).program
        if len(known) < len(resolved.order) and program is not None:
            alone = Stages(program, program.scenarios)
            found.extend((outcome, _skipped(outcome, pack, known, resolved)) for outcome in _staged(of_pack, alone))
    return tuple(found)


def _staged(outcomes: Sequence[ScenarioOutcome], alone: Stages) -> Iterator[ScenarioOutcome]:
    """Yield the outcomes whose scenarios can be set up in another program."""
    theirs = {one.span: one for one in alone.scenarios}
    for outcome in outcomes:
        scenario = theirs.get(outcome.scenario.span)
        if scenario is not None:
            try:
                alone.stage(scenario, bare=True)
            except StageError:
                continue
            yield outcome


def _skipped(outcome: ScenarioOutcome, pack: str, known: frozenset[str], resolved: Resolved) -> Skipped:
    scenario, wrong = outcome.scenario, outcome.wrong[0]
    strangers = [head for head in resolved.order if head.pack not in known]
    names = [head.pack for head in strangers]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    finding = Diagnostic("RW711", wrong.span, wrong.message)
    return Skipped(
        "scenario", scenario.title, scenario.source, scenario.span, pack, finding, tuple(names),
        f"with {listed}, {wrong.message.partition(': ')[0]}", strangers[0].span,
    )  # fmt: skip
