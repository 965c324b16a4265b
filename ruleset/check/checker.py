"""Declarations -> program: check bodies, resolve names, and turn every effect into code."""

from __future__ import annotations

from functools import partial
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from rulewright.ruleset.check.bots import BotSight, CheckedGame, check_bots
from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.declarations.definitions import DefinitionChecker, Rechecker
from rulewright.ruleset.check.declarations.derived_fields import check_derived
from rulewright.ruleset.check.declarations.display import card_faces, table_layout
from rulewright.ruleset.check.declarations.supplies import (
    KERNEL_TRACKS,
    LIVING,
    SupplyChecker,
    check_options,
    counting_tracks,
    tracks_of,
)
from rulewright.ruleset.check.expectations import check_expectations
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.flow.game_flow import GameChecker, check_series, series_of, with_beginnings
from rulewright.ruleset.check.flow.scoring import outcome_tracks, outcomes
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.scenarios import check_scenarios
from rulewright.ruleset.check.scope import Introduced, Unread
from rulewright.ruleset.check.statements.arguments import result_lists
from rulewright.ruleset.check.statements.checker import StatementChecker
from rulewright.ruleset.check.statements.durations import (
    IS_EXTRA,
    WAITING,
    absence_lists,
    changed_fields,
    changed_values,
    check_absences,
    check_extra_turns,
    check_lasting,
    field_readers,
    remembered_lists,
    remembered_tracks,
)
from rulewright.ruleset.check.statements.hooks import movement_hooks
from rulewright.ruleset.check.units import WindowChecker, check_used, function_unit, movement_unit, verb_unit
from rulewright.ruleset.check.whole_pack import (
    check_awaited,
    check_clashes,
    check_hooks,
    check_listed,
    check_modifiers,
    check_prompts,
    check_tables,
    without_actor,
)
from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import BotDocument, Expect, FaceDocument, LayoutDocument, ScenarioDocument
from rulewright.ruleset.documents.rules import Claim, SeriesDocument, Window, Winner
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects, too_deep
from rulewright.ruleset.program.scenario import CardFace, ExpectedTable
from rulewright.ruleset.program.scenario import Scenario as Played
from rulewright.ruleset.program.traversal import Walks

Depth: TypeAlias = Literal["rules", "rules first", "all"]
_DEPENDENT = (ScenarioDocument, BotDocument, LayoutDocument, FaceDocument, Expect)
"""Documents that depend on the rules without any rule depending on them."""


@frozen(repr=False)
class CheckedPack(Record):
    """The result of checking: findings, and a program that is complete only if there are no errors.

    `unread` lists the parts without code. It is empty if there are no findings: nothing is left out silently.
    """

    program: p.Program
    findings: tuple[Diagnostic, ...]
    texts: dict[str, p.Texts]
    unread: tuple[Unread, ...]
    walks: Walks
    """All nodes of the program's units."""
    introduced: tuple[Introduced, ...] = ()
    doubts: tuple[Diagnostic, ...] = ()
    """For `ruleset.check.lints`: `introduced` are local names that effects give, `doubts` are warnings."""


def check(
    declared: Declared,
    poisoned: frozenset[str] = frozenset(),
    covering: bool = False,
    playable: bool = True,
    depth: Depth = "rules first",
    pardoned: frozenset[Diagnostic] = frozenset(),
) -> CheckedPack:
    """Check a pack and return its program.

    `declared` is not changed; `declare` has already reported findings about the `poisoned` names.

    `depth`: whether to check the parts that depend on the rules (scenarios, bots, prompts, layouts, faces,
    expectations).
    `rules first` checks them only if the rules have no errors.

    With `covering`, the code emits an event for every branch taken (`Program.points`). For `playable`, see
    `check.scenarios`. `pardoned` are findings in bots, layouts, faces, and expectations that are not mistakes
    (`house_rules.strangers`): they are not reported, and the parts that they concern are left out of the program.
    """
    maybe_none: frozenset[tuple[str, str]] = frozenset()
    needs: frozenset[str] = frozenset()
    while True:
        # Which parameters can be nothing, and what sentences need, is known only when all of it has been read.
        checker = _Checker(declared, poisoned, covering, maybe_none, needs)
        done = checker.run(playable, depth, pardoned)
        if done is not None:
            return done
        maybe_none, needs = checker.context.maybe_none, needs | checker.context.missing()


@frozen(repr=False)
class _Rules(Record):
    """The code of the rules, before unused parts are known."""

    functions: tuple[p.DeclaredFunction, ...]
    units: tuple[p.Unit, ...]
    definitions: tuple[p.Definition, ...]
    main: p.Unit

    def latest(self, again: Rechecker) -> _Rules:
        """Replace each unit by its latest version."""
        return evolve(self, functions=tuple(again.latest(self.functions)), units=tuple(again.latest(self.units)))


@frozen(repr=False)
class _Beside(Record):
    """The parts of a program besides the code of the rules. `units` are conditions of scenarios and bots."""

    scenarios: tuple[Played, ...]
    units: tuple[p.Unit, ...]
    supplies: tuple[p.Supply, ...]
    bots: tuple[p.Bot, ...]
    layout: p.TableLayout | None
    faces: tuple[CardFace, ...]
    expected: tuple[ExpectedTable, ...]
    tracks: tuple[p.Track, ...]


class _Checker:
    """One pass over all documents."""

    def __init__(
        self,
        declared: Declared,
        poisoned: frozenset[str],
        covering: bool,
        maybe_none: frozenset[tuple[str, str]],
        needs: frozenset[str],
    ) -> None:
        self.context = CheckContext(declared, poisoned, covering, maybe_none, needs)
        self.declared = declared
        self.again = Rechecker(self.context)
        self.expressions = ExpressionChecker(self.context)
        self.steps = StepChecker(StatementChecker(self.expressions))
        self.windows = WindowChecker(self.steps)
        self.game = GameChecker(self.steps)
        self.definitions = DefinitionChecker(self.steps, self.again)
        self.supplies = SupplyChecker(self.expressions, self.definitions.definitions_of)
        self.context.source("", NOWHERE)

    def run(self, playable: bool, depth: Depth, pardoned: frozenset[Diagnostic]) -> CheckedPack | None:
        """Check everything; None if another pass is needed: parameters can be nothing, or code is missing."""
        rules = self._rules()
        if not self.context.found and (self.context.missing() or not self.again.settled()):
            return None
        rules = rules.latest(self.again)
        self._names_used(rules)
        kinds = tuple(self.definitions.kind(kind) for kind in self.declared.kinds.values())
        check_options(self.expressions, rules.definitions, kinds)
        walks = Walks()
        beside = self._beside(rules, kinds, walks, playable, depth)
        program = self._program(rules, kinds, beside)
        context = self.context
        if pardoned:
            context.found[:] = [one for one in context.found if one not in pardoned]
            context.unread[:] = [one for one in context.unread if not one.place.startswith("bot/")]
        if not context.found:
            program = self._analysed(program, rules, walks)
        kept = tuple(context.introduced), tuple(context.doubts)
        return CheckedPack(program, tuple(context.found), context.texts, tuple(context.unread), walks, *kept)

    def _rules(self) -> _Rules:
        """Read all code of the game. The order of reading determines all numbering."""
        d, check = self.declared, self.again.check
        check_clashes(self.context)
        self.context.takes.update(d.takes)
        check_derived(self.expressions)
        functions = [
            check(f"function/{k}", partial(function_unit, self.steps, one)) for k, one in d.functions.items()
        ]
        functions.extend(changed_values(self.expressions))
        functions.extend(changed_fields(self.expressions))
        units = [check(f"verb/{key}", partial(verb_unit, self.steps, one)) for key, one in d.verbs.items()]
        definitions = []
        for definition in d.definitions.values():
            made, bodies = self.definitions.definition(definition)
            definitions.append(made)
            units.extend(bodies)
        self.definitions.defaults()
        windows, claims = d.all_of(Window).items(), d.all_of(Claim).items()
        units.extend(check(f"window/{key}", partial(self.windows.window, one)) for key, one in windows)
        units.extend(check(f"claim/{key}", partial(self.windows.claim, one)) for key, one in claims)
        units.extend(
            check(f"hook/{hook.key}", partial(movement_unit, self.steps, hook))
            for hook in movement_hooks(self.context)
        )
        units.append(check("finish", self.game.finish))
        if d.all_of(SeriesDocument):
            units.append(check("series", self.game.series))
        main = check("main", self.game.main)
        return _Rules(tuple(functions), tuple(units), tuple(definitions), main)

    def _names_used(self, rules: _Rules) -> None:
        """Check that the names in hooks, phases, awards, and modifiers exist."""
        check_hooks(self.context)
        check_listed(self.steps, self.game.scoring)
        check_modifiers(self.context)
        check_extra_turns(self.context)
        check_absences(self.context)
        check_lasting(self.context)
        check_series(self.context, rules.units)
        if not self.context.found:
            check_awaited(self.context)
            check_used(self.context)

    def _beside(
        self, rules: _Rules, kinds: tuple[p.Kind, ...], walks: Walks, playable: bool, depth: Depth
    ) -> _Beside:
        """Read the parts that depend on the rules, in the order of their numbering."""
        d, context = self.declared, self.context
        nothing_more = not (d.prompts or any(d.all_of(one) for one in _DEPENDENT))
        if depth == "rules" or (depth == "rules first" and not nothing_more and not self._sound()):
            d = d.without(*_DEPENDENT)
        else:
            check_prompts(context)
        units = (*rules.units, rules.main)
        scenarios, conditions = check_scenarios(
            context, self.expressions, tuple(d.all_of(ScenarioDocument).values()), units, walks, playable
        )
        supplies = self.supplies.supplies()
        game = CheckedGame(units, rules.functions, rules.definitions, supplies, walks)
        bots, more = check_bots(context, self.expressions, d.all_of(BotDocument).values(), game)
        layout, findings = table_layout(d, context.poisoned, BotSight(d, units, rules.functions), rules.functions)
        faces, more_findings = card_faces(d, context.poisoned, rules.definitions)
        context.found.extend((*findings, *more_findings))
        expected = check_expectations(context, self.expressions, d.all_of(Expect).values(), game, kinds)
        tracks = tracks_of(self.expressions)
        return _Beside(scenarios, (*conditions, *more), supplies, bots, layout, faces, expected, tracks)

    def _sound(self) -> bool:
        """Whether the rules have no errors.

        Components and tracks are checked in a trial: their sources are numbered after those of scenarios, and
        hashes of table programs depend on that order.
        """
        with self.context.trial():
            self.supplies.supplies()
            tracks_of(self.expressions)
            return not any(map(is_error, self.context.found))

    def _program(self, rules: _Rules, kinds: tuple[p.Kind, ...], beside: _Beside) -> p.Program:
        d, context = self.declared, self.context
        extra_turns, winners = context.needed(p.EXTRA_TURNS), tuple(d.all_of(Winner).values())
        return p.Program(
            pack=d.pack,
            version=d.version,
            least_players=d.players[0],
            most_players=d.players[1],
            languages=d.languages,
            options=tuple(context.options.values()),
            values=tuple(value for _, value in d.values.values()),
            enumerations=(
                *(p.EnumerationDeclared(key, members) for key, (_, members) in d.enumerations.items()),
                *outcomes(winners),
            ),
            kinds=kinds,
            definitions=rules.definitions,
            supplies=beside.supplies,
            zones=tuple(zone for _, zone in d.zones.values()),
            tracks=(
                *beside.tracks,
                *remembered_tracks(context),
                *counting_tracks(d),
                *KERNEL_TRACKS,
                *((IS_EXTRA,) if extra_turns else ()),
                *outcome_tracks(winners),
            ),
            lists=(
                *(declared for _, declared in d.lists.values()),
                *remembered_lists(context),
                *(p.StateList(p.cancelled_list(key), "game", PLAYER) for key in d.all_of(Window)),
                LIVING,
                *result_lists(tuple(d.verbs.values())),
                *((WAITING,) if extra_turns else ()),
                *absence_lists(context),
            ),
            functions=(*rules.functions, *field_readers(context)),
            units=(*rules.units, *beside.units),
            main=rules.main,
            sources=tuple(context.sources),
            texts=tuple(context.texts.items()),
            table_layout=beside.layout,
            faces=beside.faces,
            expected=beside.expected,
            conditions=tuple(context.conditions),
            references=tuple(dict.fromkeys(context.references)),
            scenarios=beside.scenarios,
            points=tuple(context.points.items()),
            bots=beside.bots,
            series=series_of(context, (*rules.units, rules.main, *(one.unit for one in rules.functions))),
        )

    def _analysed(self, program: p.Program, rules: _Rules, walks: Walks) -> p.Program:
        """Run the checks on the program's code, which add findings, and complete `main`."""
        d, found = self.declared, self.context.found
        effects = Effects(evolve(program, units=rules.units), walks)  # conditions of scenarios have no effects
        circles = tuple(effects.circles())
        found.extend((*circles, *(too_deep(effects) if not circles else ()), *effects.stale()))
        found.extend(without_actor(effects, self.context.sources, d.texts))
        check_tables(self.context, program)
        if d.owners:  # there are several packs; only then are these modules needed, which take time to import
            from rulewright.ruleset.check.house_rules.insert_overlap import check_together

            found.extend(check_together(d, self.context, effects))
        return evolve(program, main=with_beginnings(program.main, effects))
