"""Check the course of a game: set-up, rounds, phases, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import evolve

from rulewright.ruleset.check.expressions.calls import neighbour
from rulewright.ruleset.check.flow.results import check_winners, decided, ended
from rulewright.ruleset.check.flow.scoring import ScoringChecker
from rulewright.ruleset.check.flow.series import series_unit
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.check.scope import Scope, Unit
from rulewright.ruleset.check.statements.durations.absences import all_back
from rulewright.ruleset.check.statements.durations.extra_turns import next_extra, without_extra_turns
from rulewright.ruleset.check.statements.durations.lasting import OWN_TURN, beginning, presume
from rulewright.ruleset.check.statements.durations.moments import ending
from rulewright.ruleset.check.statements.hooks.movement import pausing
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.documents.flow import Award, Finish, Phase, Round, Series, Setup, Winner
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.language.types import BOOLEAN, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t


class GameChecker:
    """Checks set-ups, rounds, and the end of the game."""

    def __init__(self, steps: StepChecker) -> None:
        self.context = steps.context
        self.declared = steps.context.declared
        self.expressions = steps.expressions
        self.steps = steps
        self.scoring = ScoringChecker(steps)

    def main(self) -> p.Unit:
        """Build the main unit: set-ups, then rounds, then the end."""
        unit = Unit("main")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = [p.SetStateList("living", None, p.Everyone())]
        code.extend(pausing(self.context, 1))
        for setup in self.declared.all_of(Setup).values():
            code.extend(self.steps.steps(setup.steps, evolve(scope, prefix=setup.key, setting_up=True)))
        code.extend(pausing(self.context, 0))
        for round_ in self.declared.all_of(Round).values():
            code.extend(self._round(round_, scope))
        code.append(p.EndGame())
        return p.Unit("main", 0, tuple(unit.variables), tuple(code), 0)

    def _round(self, says: Round, scope: Scope) -> tuple[t.Stmt, ...]:
        unit = scope.unit
        at = self.context.source(f"round/{says.key}", says.span)
        done = unit.label()
        again = unit.label()
        inner = evolve(scope, prefix=says.key, exits={**scope.exits, "round": again})
        code: list[t.Stmt] = []
        start: list[t.Stmt] = []
        advance: list[t.Stmt] = []
        anew: list[t.Stmt] = [*beginning(self.context, unit, "round", None, at)]
        seat: t.Expr = t.Const(-1)
        if says.turns_from is not None:
            first = self.expressions.read(says.turns_from, evolve(scope, reading=True), PLAYER)
            variable = unit.variable("you", PLAYER)
            if first is not None and isinstance(first.node, t.Expr):
                begins = t.Present(first.node, at) if first.maybe else first.node  # see `beginnings`
                start.extend((p.SetVar(variable, begins), *without_extra_turns(self.context)))
            inner = evolve(inner, you=p.Var(variable), exits={**inner.exits, "turn": again})
            seat = p.Var(variable)
            advance.extend(self._next(variable, unit, start))
            anew.extend(beginning(self.context, unit, "turn", seat, at))
        code.append(t.Emit("reached", (seat,), None, t.Const(-1), t.Const(-1), at))
        code.extend(self.steps.steps(says.steps, inner))
        for item in says.phases:
            code.extend(self._phase(item, inner))
        test: tuple[t.Stmt, ...] = ()
        if says.until is not None:
            value_ = self.expressions.read(says.until, evolve(inner, reading=True), BOOLEAN)
            if value_ is not None and isinstance(value_.node, t.Expr):
                test = (t.If(value_.node, (p.Leave(done),), ()),)
        loop = p.Forever(
            (
                *anew,
                p.Block(again, tuple(code)),
                *ending(self.context, unit, "turn", at),
                *(ending(self.context, unit, "phase", at) if says.phases else ()),
                *ending(self.context, unit, "round", at),
                *test,
                *advance,
            ),
            at,
        )
        return (*start, p.Block(done, (loop,)))

    def _next(self, you: int, unit: Unit, start: list[t.Stmt]) -> tuple[t.Stmt, ...]:
        """Return code that begins the next turn: an extra one, or that of the next player in the order."""
        if not self.context.needed(p.EXTRA_TURNS):
            return (p.SetVar(you, neighbour(p.Var(you), True, Scope(unit))),)
        order = unit.variable("order", PLAYER)
        start.append(p.SetVar(order, p.Var(you)))
        dropped, waits, begin = next_extra(unit, you)
        regular = (
            p.SetVar(order, neighbour(p.Var(order), True, Scope(unit))),
            p.SetVar(you, p.Var(order)),
            p.AssignTrack(p.EXTRA_TURN, (), t.Const(0), 0),
        )
        return (*dropped, t.If(waits, begin, regular))

    def _phase(self, item: Scalar, scope: Scope) -> tuple[t.Stmt, ...]:
        phases = self.declared.all_of(Phase)
        phase = phases.get(item.text)
        if phase is None:
            presume(self.context, "phase", "turn", OWN_TURN)
            if item.text not in self.context.poisoned:
                hint = meant(item.text, phases, "phases")
                self.context.report("RW309", item.span, f"there is no phase `{item.text}`", hint)
            return ()
        self.context.used.add(f"phase/{item.text}")
        at = self.context.source(f"phase/{phase.key}", phase.span)
        label = scope.unit.label()
        inner = evolve(scope, prefix=phase.key, exits={**scope.exits, "phase": label})
        code = self.steps.steps(phase.steps, inner)
        you = scope.you if scope.you is not None else t.Const(-1)
        event = t.Emit("reached", (you,), None, t.Const(-1), t.Const(-1), at)
        unit = scope.unit
        ends = ending(self.context, unit, "phase", at)
        if "turn" not in scope.exits:  # `end phase` leaves a turn before it ends
            ends = (*ending(self.context, unit, "turn", at), *ends)
        begins = beginning(self.context, unit, "phase", None, at)
        whole = (*begins, event, p.Block(label, code), *ends)
        if phase.node.span in self.context.insert_places:
            self.context.inserted_code[phase.node.span] = whole
        return whole

    def _revealed(self, finish: Finish, scope: Scope) -> list[t.Stmt]:
        """Build code that reveals zones before points are counted."""
        code: list[t.Stmt] = []
        for item in finish.reveals:
            if item.text in self.context.poisoned:
                continue
            zone = self.declared.zones.get(item.text)
            if zone is None or zone[1].scope == "definition":
                hint = meant(item.text, self.declared.zones, "zones")
                self.context.report("RW309", item.span, f"there is no zone `{item.text}`", hint)
                continue
            at = self.context.source(f"finish/{finish.key}", item.span)
            if zone[1].scope == "game":
                code.append(t.Reveal(t.Cards(p.ZoneAt(item.text, None)), t.Const(-1), at))
                continue
            seat = scope.unit.variable("seat", PLAYER)
            shown = t.Reveal(t.Cards(p.ZoneAt(item.text, p.Var(seat))), t.Const(-1), at)
            code.append(t.ForEach(seat, p.Everyone(), (shown,)))
        return code

    def _once(self, of: Sequence[Declaring], category: str) -> None:
        """Report every declaration after the first of a category that a game has only once."""
        for other in of[1:]:
            hint = f"merge them, or change the other with `change: {category}/{of[0].key}`"
            message = f"a game has only one `{category}`, and this is another"
            self.context.report("RW335", other.span, message, hint, Label(of[0].span, "the first one"))

    def _award(self, award: Award, number: int, scope: Scope) -> tuple[tuple[t.Stmt, ...], Scope]:
        code = self.scoring.award(award, number, scope)
        if award.node.span in self.context.insert_places:
            self.context.inserted_code[award.node.span] = code
        return code, scope

    def series(self) -> p.Unit:
        """Build the unit that follows each game of the series."""
        all_ = tuple(self.declared.all_of(Series).values())
        self._once(all_, "series")
        return series_unit(self.scoring, all_[0])

    def finish(self) -> p.Unit:
        """Build the unit that gives awards and decides the winners."""
        unit = Unit("finish")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = []
        code.extend(pausing(self.context, 1))
        code.extend(all_back(self.context, unit, 0))
        finishes = tuple(self.declared.all_of(Finish).values())
        winners = tuple(self.declared.all_of(Winner).values())
        awards = self.declared.all_of(Award)
        self._once(finishes, "finish")
        check_winners(self.context, winners)
        for finish in finishes:
            for number, item in enumerate(finish.awards):
                award = awards.get(item.text)
                if award is None:
                    if item.text not in self.context.poisoned:
                        hint = meant(item.text, awards, "awards")
                        self.context.report("RW309", item.span, f"there is no award `{item.text}`", hint)
                    continue
                self.context.used.add(f"award/{item.text}")
                given = partial(self._award, award, number, scope)
                code.extend(self.steps.weaver.woven(item, given, evolve(scope, prefix=f"{finish.key}.{item.text}")))
            code[:0] = self._revealed(finish, scope)
            code.extend(self.steps.steps(finish.steps, evolve(scope, prefix=finish.key)))
        code.extend(decided(self.context, self.scoring, winners, scope))
        code.append(ended(winners, scope))
        return p.Unit("finish", 0, tuple(unit.variables), tuple(code), 0)
