"""Declarations -> the program: bodies are checked, names linked, every effect becomes code."""

from __future__ import annotations

from functools import partial
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from ruleset.check.beginnings import without_needless_checks
from ruleset.check.bots.checker import Game, check_bots
from ruleset.check.definitions import meant
from ruleset.check.display_layout import table_layout
from ruleset.check.expressions.fitting import sure
from ruleset.check.idle_code import idle_code
from ruleset.check.insert_overlap import overlaps
from ruleset.check.modifier_usage import ModifierChecks
from ruleset.check.nobody_acts import without_actor
from ruleset.check.scenarios.checker import check_scenarios
from ruleset.check.scope import Bound, Introduced, Scope, Unit, Unread, Value
from ruleset.check.statements.modifiers import changed_fields, field_readers, modified
from ruleset.check.statements.sentence_match import Earlier, pattern_text
from ruleset.check.track_starts import Starts
from ruleset.common.diagnostic import Diagnostic, Label
from ruleset.common.nearest import nearest
from ruleset.common.record import Record
from ruleset.declare.declarations import Declared, FunctionDeclared, VerbDeclared
from ruleset.findings.causes import is_error
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from ruleset.language.vocabulary import SENTENCES
from ruleset.program import nodes as p
from ruleset.program.call_effects import Effects
from ruleset.program.nesting import too_deep
from ruleset.program.traversal import Walks
from ruleset.source.reader import Mapping, Scalar, Sequence
from ruleset.table import nodes as t

Depth: TypeAlias = Literal["rules", "rules first", "all"]


@frozen(repr=False)
class Checked(Record):
    """What checking gives: the program, which is worth running only without errors, and the findings.

    `unread`: what has no code. Where nothing has a finding, this is empty: nothing is left out in silence.
    """

    program: p.Program
    findings: tuple[Diagnostic, ...]
    texts: dict[str, p.Texts]
    unread: tuple[Unread, ...]
    walks: Walks
    """All nodes of the program's units."""
    introduced: tuple[Introduced, ...] = ()
    doubts: tuple[Diagnostic, ...] = ()
    """For `ruleset.check.lints`: the names that effects give, and warnings."""


def check(
    declared: Declared,
    poisoned: frozenset[str] = frozenset(),
    covering: bool = False,
    playable: bool = True,
    depth: Depth = "rules first",
    pardoned: frozenset[Diagnostic] = frozenset(),
) -> Checked:
    """The program of a pack. The declarations are only read; of `poisoned` names, `declare` has reported something.

    `depth`: whether what depends on the rules (scenarios, bots, prompts, layouts) is checked. `rules first`: only
    if the rules have no errors.

    With `covering` its code tells by events which of its branches are taken (`Program.points`). `playable` as
    for `scenarios.checker`. `pardoned` are findings in bots and layouts that are no mistakes
    (`ruleset.check.strangers`): what they are about is left out of the program, and they are not among the
    findings.
    """
    maybe_none: frozenset[tuple[str, str]] = frozenset()
    while True:
        # Which parameters can be nothing is known when all that passes them has been read.
        checker = _Checker(declared, poisoned, covering, maybe_none)
        done = checker.run(playable, depth, pardoned)
        if done is not None:
            return done
        maybe_none = checker.context.maybe_none


class _Checker(ModifierChecks):
    def run(self, playable: bool, depth: Depth, pardoned: frozenset[Diagnostic]) -> Checked | None:
        """The program and the findings; None if all has to be read again, with more parameters that can be nothing
        (`Context.maybe_none`)."""
        d = self.declared
        self._verbs_apart()
        self.context.takes.update(d.takes)
        check = self.again.check
        functions = [check(f"function/{key}", partial(self._function, one)) for key, one in d.functions.items()]
        functions.extend(changed_fields(self.expressions))
        units = [check(f"verb/{key}", partial(self._verb, one)) for key, one in d.verbs.items()]
        definitions = []
        for definition in d.definitions.values():
            made, bodies = self._definition(definition)
            definitions.append(made)
            units.extend(bodies)
        self._defaults()
        units.extend(check(f"window/{key}", partial(self.windows.window, one)) for key, one in d.windows.items())
        units.extend(check(f"claim/{key}", partial(self.windows.claim, one)) for key, one in d.claims.items())
        units.append(check("finish", self._finish))
        main = check("main", self._main)
        if not self.context.found and not self.again.settled():
            return None
        functions, units = self.again.latest(functions), self.again.latest(units)
        self._hooks_used()
        self._used()
        self._modifiers_used()
        if not self.context.found:
            self._hooks_awaited()
        kinds = tuple(self._kind(kind) for kind in d.kinds.values())
        self.options_checked(definitions, kinds)
        nothing_more = not (d.scenarios or d.bots or d.prompts or d.layouts)
        if depth == "rules" or (depth == "rules first" and not nothing_more and not self._sound()):
            d = evolve(d, scenarios={}, bots={}, layouts={})
        else:
            self._prompts_used()
        walks = Walks()
        scenarios, conditions = check_scenarios(
            self.context, self.expressions, d.scenarios.values(), (*units, main), walks, playable
        )
        supplies = self._supplies()
        game = Game((*units, main), tuple(functions), tuple(definitions), supplies, walks)
        bots, more = check_bots(self.context, self.expressions, d.bots.values(), game)
        layout, findings = table_layout(d, self.context.poisoned)
        self.context.found.extend(findings)
        tracks = self._tracks()
        program = p.Program(
            pack=d.pack,
            version=d.version,
            least_players=d.players[0],
            most_players=d.players[1],
            languages=d.languages,
            options=tuple(self.context.options.values()),
            values=tuple(value for _, value in d.values.values()),
            enumerations=tuple(p.Enumeration(key, members) for key, (_, members) in d.enumerations.items()),
            kinds=kinds,
            definitions=tuple(definitions),
            supplies=supplies,
            zones=tuple(zone for _, zone in d.zones.values()),
            tracks=(*tracks, *self._counting_tracks(), *KERNEL_TRACKS),
            lists=(
                *(declared for _, declared in d.lists.values()),
                *(p.StateList(p.cancelled_list(key), "game", PLAYER) for key in d.windows),
                LIVING,
            ),
            functions=(*functions, *field_readers(self.context)),
            units=(*units, *conditions, *more),
            main=main,
            sources=tuple(self.context.sources),
            texts=tuple(self.context.texts.items()),
            table_layout=layout,
            conditions=tuple(self.context.conditions),
            references=tuple(dict.fromkeys(self.context.references)),
            scenarios=scenarios,
            points=tuple(self.context.points.items()),
            bots=bots,
        )
        if pardoned:
            self.context.found[:] = [one for one in self.context.found if one not in pardoned]
            self.context.unread[:] = [one for one in self.context.unread if not one.place.startswith("bot/")]
        if not self.context.found:
            effects = Effects(evolve(program, units=tuple(units)), walks)  # conditions of scenarios do nothing
            circles = tuple(effects.circles())
            self.context.found.extend((*circles, *(too_deep(effects) if not circles else ()), *effects.stale()))
            self.context.found.extend(without_actor(effects, self.context.sources, d.texts))
            self.context.found.extend(overlaps(d, self.context, effects))
            self.context.found.extend(idle_code(d, self.context, effects.units))
            program = evolve(program, main=without_needless_checks(program.main, effects))
        context = self.context
        kept = tuple(context.introduced), tuple(context.doubts)
        return Checked(program, tuple(context.found), context.texts, tuple(context.unread), walks, *kept)

    def _supplies(self) -> tuple[p.Supply, ...]:
        return tuple(s for named in self.declared.components.values() for s in self._component(named))

    def _sound(self) -> bool:
        """Whether the rules have no error. Components and tracks are only tried: the numbers of their sources come
        after those of scenarios, and hashes of table programs depend on that order.
        """
        with self.context.trial():
            self._supplies()
            self._tracks()
            return not any(map(is_error, self.context.found))

    # -------------------------------------------------------------- verbs and functions

    def _verbs_apart(self) -> None:
        """No sentence may be two verbs: a clash is an error where the newer is declared."""
        d = self.declared
        words = dict.fromkeys(d.zones, "zone")
        words |= dict.fromkeys((*d.definitions, *d.plurals), "definition")
        words |= {member: "enumeration" for _, members in d.enumerations.values() for member in members}
        kernel, earlier = Earlier(), Earlier()
        for sentence in SENTENCES:
            kernel.add(sentence)
        for verb in d.verbs.values():
            for built_in in kernel.overlapping(verb, words):
                message = f"`{verb.text}` could also be the kernel's `{pattern_text(built_in)}`"
                self.context.report("RW314", verb.span, message, "use other words in the sentence")
                self.context.clashing.add(verb.key)
                break
            for other in earlier.overlapping(verb, words):
                assert isinstance(other, VerbDeclared)
                if d.visible(verb.span, other.span) or d.visible(other.span, verb.span):
                    label = Label(other.span, "the other verb")
                    message = f"`{verb.text}` could also be `{pattern_text(other)}`"
                    self.context.report(
                        "RW314", verb.span, message, "use other words in one of the sentences", label
                    )
                    self.context.clashing.add(verb.key)
                    break
            earlier.add(verb)

    def _verb(self, verb: VerbDeclared) -> p.Unit:
        unit = Unit(verb.key)
        at = self.context.source(f"verb/{verb.key}", verb.span)
        you = unit.variable("you", PLAYER)
        scope = self._parameters(unit, Scope(unit, you=p.Var(you), reading=False), f"verb/{verb.key}", verb.holes)
        parameters = len(unit.variables)
        body = (*self.context.covered(f"verb {verb.text}", at), *self.steps.body(verb.body.get("do"), scope))
        body = self.steps.hooks.hooked(f"verb/{verb.key}", body, scope)
        return p.Unit(verb.key, parameters, tuple(unit.variables), body, at)

    def _function(self, function: FunctionDeclared) -> p.Function:
        unit = Unit(function.key)
        at = self.context.source(f"function/{function.key}", function.span)
        scope = Scope(unit, reading=True)
        for name, type_ in function.takes:
            variable = unit.variable(name, type_.one, type_.many)
            maybe = (f"function/{function.key}", name) in self.context.maybe_none
            scope = scope.bind(name, Bound(variable, type_, maybe))
        gives = function.gives or BOOLEAN
        parameters = len(unit.variables)
        changed = any(
            isinstance(m.body, Mapping) and getattr(m.body.get("changes"), "text", "") == function.key
            for m in self.declared.modifiers.values()
        )
        result_variable = unit.variable("result", gives) if changed and not gives.many else None
        cases = function.body.get("cases")
        body: tuple[t.Stmt, ...] = ()
        items = cases.items if isinstance(cases, Sequence) else (function.body,)
        for item in reversed(items):
            result = item.get("is") if isinstance(item, Mapping) else None
            value = self.expressions.read(result, scope, gives) if isinstance(result, Scalar) else None
            value = sure(self.context, value, result.span) if value is not None and result is not None else None
            give = self._given(value, result_variable)
            when = item.get("when") if isinstance(item, Mapping) and cases is not None else None
            test = self.expressions.read(when, scope, BOOLEAN) if isinstance(when, Scalar) else None
            if isinstance(when, Scalar):
                body = (
                    (t.If(test.node, give, body),) if test is not None and isinstance(test.node, t.Expr) else body
                )
            else:
                body = give
        if result_variable is not None:
            more = modified(self.expressions, function.key, scope, result_variable)
            body = (*body, *more, t.Give(p.Var(result_variable)))
        return p.Function(p.Unit(function.key, parameters, tuple(unit.variables), body, at), gives.many)

    def _given(self, value: Value | None, result: int | None) -> tuple[t.Stmt, ...]:
        """What a case of a function ends with: its value, or, when modifiers follow, a note of it."""
        if value is None:
            return ()
        if result is not None and isinstance(value.node, t.Expr):
            return (p.SetVar(result, value.node),)
        return (t.Give(value.node),)

    # -------------------------------------------------------------- tracks

    def _used(self) -> None:
        """Phases and awards that nothing lists would do nothing; their own mistakes are reported all the same."""
        d = self.declared
        scope = Scope(Unit("unused"), reading=False)
        for named in d.phases.values():
            if named.key in self.context.poisoned:  # what lists it could not be read
                continue
            if f"phase/{named.key}" not in self.context.used and isinstance(named.body, Mapping):
                hint = f"write it where it belongs in the order of the round: `phases: [{named.key}]`"
                self.context.report("RW320", named.span, f"no round lists the phase `{named.key}`", hint)
                inner = evolve(scope, prefix=named.key, you=t.Const(0), exits={"phase": 0, "round": 0, "turn": 0})
                self.steps.steps(named.body.get("steps"), inner)
        for named in d.awards.values():
            if named.key in self.context.poisoned:
                continue
            if f"award/{named.key}" not in self.context.used and isinstance(named.body, Mapping):
                hint = f"list it at the end of the game: `awards: [{named.key}]`"
                self.context.report("RW320", named.span, f"no `finish` lists the award `{named.key}`", hint)
                self.scoring.award(Scalar(named.key, named.key, named.span), named.body, 0, scope)

    def _tracks(self) -> tuple[p.Track, ...]:
        d, tracks = self.declared, []
        starts = Starts(
            tuple(value for _, value in d.values.values()),
            d.players,
            self.context.options,
            {key: members for key, (_, members) in d.enumerations.items()},
        )
        for span, track, start in d.tracks.values():
            default = -1 if track.of.name in ("player", "card", "definition") else 0
            settled = self.settled(start, track.of, Scope(Unit(track.key)))
            node = settled if settled is not None else t.Const(default)
            tracks.append(evolve(track, start=node))
            fault = starts.fault(tracks[-1], span, start) if start is None or settled is not None else None
            if fault is not None:
                self.context.found.append(fault)
        return tuple(tracks)

    def _prompts_used(self) -> None:
        """A prompt for a choice that is nowhere is an error."""
        asked = [name.removeprefix("prompt/") for name in self.context.used if name.startswith("prompt/")]
        for key, (span, _) in self.declared.prompts.items():
            named = f"prompt-option/{key}" in self.context.used
            lost = set(key.split(".")) & self.context.poisoned or self.context.incomplete(key)
            if key not in asked and not named and not lost:
                message = f"there is no choice `{key}`"
                self.context.report("RW323", span, message, meant(key, sorted(asked), "choices"))

    def _hooks_used(self) -> None:
        """A hook whose anchor is nowhere is an error."""
        d = self.declared
        anchors = [f"verb/{key}" for key in d.verbs]
        anchors += [source.name for source in self.context.sources if source.name.startswith("step/")]
        for named in d.hooks.values():
            if f"hook/{named.key}" in self.context.used or not isinstance(named.body, Mapping):
                continue
            for word in ("before", "after", "instead-of"):
                anchor = named.body.get(word)
                if not isinstance(anchor, Scalar):
                    continue
                if anchor.text.split("/")[-1].split(".")[0] not in self.context.poisoned:
                    near = nearest(anchor.text, anchors)
                    hint = f"did you mean `{near}`?" if near else "an anchor is `verb/ID` or `step/PHASE.STEP`"
                    self.context.report("RW316", anchor.span, f"there is no `{anchor.text}` to hook", hint)


_SEAT = ("player",)
KERNEL_TRACKS = (
    p.Track("score", _SEAT, NUMBER, -(2**31), 2**31 - 1, False, t.Const(0), "all", "all", False),
    p.Track("in-game", _SEAT, BOOLEAN, 0, 1, False, t.Const(1), "all", "nobody", False),
    p.Track("winner", _SEAT, BOOLEAN, 0, 1, False, t.Const(0), "all", "nobody", False),
)
"""Tracks that every game has: points, who is still in the game, who has won."""

LIVING = p.StateList("living", "game", PLAYER)
"""The list of the state that holds the seats still in the game."""
